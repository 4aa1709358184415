"""Single parts that belong on or into the hosts, with what each is mounted on."""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

from engine.starter import (
    carried,
    furniture_parts,
    hats,
    heads,
    house_roofs,
    house_walls,
    robot_parts,
    seats,
    tack,
    vehicle_parts,
    worn,
)
from engine.starter.forms import mirrored
from engine.starter.models import Model, Piece, single


class Fitting(NamedTuple):
    """A single part, the diagonal it has on the hosts, and its seat; a part without one stands by itself."""

    pieces: tuple[Piece, ...]
    diagonal: float
    seat: seats.Seat = ()


def _headwear() -> dict[str, Fitting]:
    worn_hats = {
        "flat straw hat with a striped ribbon": hats.boater(),
        "knight's helmet with a red plume": hats.knight_helmet(),
        "brown bowler hat with a satin band": hats.bowler(),
        "red knitted beanie with a bobble": hats.beanie(),
        "straw sombrero with red pompoms": hats.sombrero(),
        "white chef's hat": hats.chef_hat(),
        "spotted party hat with a tinsel rim": hats.party_hat(),
        "golden laurel wreath": hats.laurel_wreath(),
        "yellow miner's helmet with a lamp": hats.miner_helmet(),
        "crooked black witch hat with an orange band": hats.witch_hat(),
        "iron helmet with two horns": hats.horned_helmet(),
        "crimson fez with a black tassel": hats.fez(),
    }
    # these lie on a head as they lie on a table: flat, with nothing that reaches down round it
    flat = {"flat straw hat with a striped ribbon", "golden laurel wreath"}
    return {
        name: Fitting(pieces, 0.8, () if name in flat else seats.head(hats.INNER, 0.2))
        for name, pieces in worn_hats.items()
    }


def _costume() -> dict[str, Fitting]:
    return {
        "carved pumpkin head with a candle inside": Fitting(heads.pumpkin_head(), 0.8),
        "snowman head with a carrot nose": Fitting(heads.snowman_head(), 0.8),
        "head with ginger curls and round glasses": Fitting(heads.curly_head(), 0.8),
        "dotted red bow tie": Fitting(worn.bow_tie(), 0.6, seats.neck(0.268, -0.9, 0.9)),
        "striped blue scarf with a white fringe": Fitting(worn.fringed_scarf(), 0.65, seats.neck(0.196, -0.6, 1.4)),
        "leather backpack with a checked blanket roll": Fitting(
            worn.leather_backpack(), 0.6, seats.before(0.9, 0.9, y=0.05, z=0.0)
        ),
        "purple velvet cape with an ermine collar": Fitting(worn.velvet_cape(), 0.9, seats.yoke(1.35, 0.3, 0.14)),
        "crooked staff with a hanging lantern": Fitting(carried.stick_lantern(), 1.0, seats.hand(1.0, 0.043)),
        "knotty walking staff with a gourd bottle": Fitting(carried.pilgrim_staff(), 1.0, seats.hand(1.0, 0.052)),
        "black wand with a golden star": Fitting(carried.star_wand(), 0.5, seats.hand(0.46, 0.028)),
        "steel shovel with a wooden handle": Fitting(carried.shovel(), 1.0, seats.hand(1.2, 0.042)),
        "straw broom with a knotty stick": Fitting(carried.broom(), 1.0, seats.hand(1.2, 0.04)),
        "steel sword with a golden guard": Fitting(carried.sword(), 0.8, seats.hand(1.34, 0.046)),
        "blue shield with a golden cross": Fitting(carried.shield(), 0.5, seats.behind(0.24, 1.6, y=-0.3, z=-0.18)),
        "bouquet of red roses": Fitting(carried.rose_bouquet(), 0.45, seats.hand(0.12, 0.068)),
        "open umbrella with red and cream panels": Fitting(carried.umbrella(), 1.0, seats.hand(0.38, 0.04)),
    }


def _building() -> dict[str, Fitting]:
    return {
        "blue slate roof with two dormer windows": Fitting(house_roofs.slate_roof(), 2.4, seats.gable()),
        "orange roof of wavy clay tiles": Fitting(house_roofs.pantile_roof(), 2.4, seats.gable()),
        "green turf roof with birch logs": Fitting(house_roofs.turf_roof(), 2.4, seats.gable()),
        "green copper onion dome": Fitting(house_roofs.onion_dome(), 0.7),
        "white chimney with three clay pots": Fitting(house_roofs.limewashed_chimney(), 0.65, seats.back_slope()),
        "brick chimney with a stork's nest": Fitting(house_roofs.stork_chimney(), 0.7, seats.back_slope()),
        "copper weather vane with a sailing ship": Fitting(house_roofs.ship_vane(), 0.5, seats.below(0.6, 0.6)),
        "white satellite dish on a bent mast": Fitting(house_roofs.satellite_dish(), 0.4),
        "red front door with a fanlight": Fitting(house_walls.fanlight_door(), 0.7, seats.behind(3.0, 2.8)),
        "round green door with a brass knob": Fitting(house_walls.round_door(), 0.65, seats.behind(3.0, 2.4)),
        "navy double door with glass panes": Fitting(house_walls.glazed_double_door(), 0.7, seats.behind(3.0, 2.6)),
        "weathered stable door with a heart": Fitting(house_walls.stable_door(), 0.65, seats.behind(3.0, 2.6)),
        "white bay window": Fitting(house_walls.bay_window(), 0.5, seats.behind(2.6, 2.4, y=-0.6)),
        "pointed window with coloured glass": Fitting(
            house_walls.stained_window(), 0.5, seats.behind(2.4, 2.6, y=-0.6)
        ),
        "casement window with yellow shutters": Fitting(
            house_walls.shuttered_window(), 0.52, seats.behind(3.0, 2.4, y=-0.6)
        ),
        "brass porthole with bolts": Fitting(house_walls.brass_porthole(), 0.4, seats.behind(2.0, 2.0, y=-0.5)),
        "copper wall lamp with a bell shade": Fitting(house_walls.bell_lamp(), 0.32, seats.behind(2.0, 2.0, y=-0.6)),
        "wooden flower box with red geraniums": Fitting(
            house_walls.geranium_box(), 0.36, seats.behind(2.4, 2.0, y=-0.8)
        ),
        "striped teal awning": Fitting(house_walls.striped_awning(), 0.62, seats.behind(3.0, 2.4, y=-1.2)),
        "gabled porch canopy with a sunburst": Fitting(
            house_walls.porch_canopy(), 0.62, seats.behind(3.0, 2.6, y=-1.2)
        ),
    }


def _vehicle() -> dict[str, Fitting]:
    def on_axle(pieces: tuple[Piece, ...], inner: float) -> Fitting:
        return Fitting(pieces, 0.56, seats.beside(0.2, x=-inner, y=0.36, depth=0.2))

    return {
        "wooden cartwheel with an iron rim": on_axle(vehicle_parts.cart_wheel(), 0.14),
        "whitewall wheel with a chrome hub cap": on_axle(vehicle_parts.whitewall_wheel(), 0.16),
        "tractor wheel with an orange hub": on_axle(vehicle_parts.tractor_wheel(), 0.18),
        "wire-spoked wheel with golden wires": on_axle(vehicle_parts.wire_wheel(), 0.13),
        "round brass headlight with a hood": Fitting(
            vehicle_parts.carriage_lamp(), 0.23, seats.behind(1.4, 1.4, y=-0.4)
        ),
        "black front bumper with two fog lights": Fitting(
            vehicle_parts.fog_bumper(), 0.82, seats.behind(1.3, 0.2, y=0.06)
        ),
        "arched brass grille with chrome bars": Fitting(
            vehicle_parts.arched_grille(), 0.33, seats.behind(1.4, 1.0, y=-0.1)
        ),
        "roof rack with two suitcases": Fitting(vehicle_parts.luggage_rack(), 0.7),
        "roof siren with a red and a blue light": Fitting(vehicle_parts.light_bar(), 0.4),
        "tall chrome exhaust pipe with a flap": Fitting(vehicle_parts.flap_exhaust(), 0.75, seats.below(0.6, 0.6)),
        "blue oil drum with a yellow band": Fitting(vehicle_parts.oil_drum(), 0.5),
    }


def _robot() -> dict[str, Fitting]:
    return {
        "copper robot head with a barred porthole": Fitting(heads.diver_head(), 0.75),
        "mint robot head with a blue glass dome": Fitting(heads.dome_head(), 0.7),
        "red television head with a smiling screen": Fitting(heads.television_head(), 0.75),
        "copper coil antenna with a violet globe": Fitting(robot_parts.coil_antenna(), 0.42, seats.below(0.8, 0.8)),
        "red radar antenna": Fitting(robot_parts.radar_antenna(), 0.42, seats.below(0.8, 0.8)),
        "yellow left arm with a three-fingered grabber": Fitting(
            robot_parts.grabber_arm(), 0.88, seats.beside(2.4, y=-0.4, depth=0.8)
        ),
        "scissor-linked left arm with a boxing glove": Fitting(
            robot_parts.boxing_arm(), 0.88, seats.beside(2.4, y=-0.4, depth=0.8)
        ),
        "rocket backpack with two red rockets": Fitting(robot_parts.rocket_pack(), 0.66, seats.before(1.2, 1.4, y=0.2)),
        "mahogany chest panel with three dials": Fitting(
            robot_parts.dial_panel(), 0.48, seats.behind(1.4, 1.4, y=-0.3)
        ),
        "red spring leg with a rubber sucker": Fitting(robot_parts.coil_leg(), 0.7, seats.above(0.7, 0.7, 1.3)),
        "teal leg with a caterpillar track": Fitting(robot_parts.track_leg(), 0.7, seats.above(0.7, 0.7, 1.3)),
        "solar panel on a tilting mast": Fitting(robot_parts.solar_mast(), 0.5, seats.below(0.8, 0.8)),
        "propeller with three red blades": Fitting(robot_parts.propeller(), 0.45, seats.below(0.8, 0.8)),
    }


def _tack() -> dict[str, Fitting]:
    return {
        "chestnut horse head with a bridle": Fitting(
            heads.horse_head(), 0.9, seats.neck_stub(heads.HORSE_NECK, heads.NECK_RADIUS)
        ),
        "lion head with a shaggy mane": Fitting(
            heads.lion_head(), 0.9, seats.neck_stub(heads.LION_NECK, heads.NECK_RADIUS)
        ),
        "tooled leather saddle on a zigzag blanket": Fitting(tack.western_saddle(), 0.98, seats.trunk()),
        "plum saddle cloth with gold tassels": Fitting(tack.tasselled_cloth(), 0.98, seats.trunk()),
        "left antler with four tines": Fitting(tack.antler(), 0.5, seats.below(0.5, 0.5)),
        "right antler with four tines": Fitting(mirrored(tack.antler()), 0.5, seats.below(0.5, 0.5)),
        "rolled left ram's horn": Fitting(tack.ram_horn(), 0.41, seats.below(0.5, 0.5)),
        "rolled right ram's horn": Fitting(mirrored(tack.ram_horn()), 0.41, seats.below(0.5, 0.5)),
        "bushy fox tail with a white tip": Fitting(tack.fox_tail(), 0.68, seats.before(0.9, 1.2, y=0.3, z=0.02)),
        "curly pink pig tail": Fitting(tack.pig_tail(), 0.5, seats.before(0.8, 1.6, y=-0.3, z=0.0)),
        "left wing with white feathers": Fitting(tack.feathered_wing(), 0.8, seats.beside(0.8, x=-0.02, y=-0.1)),
        "flower collar of white daisies": Fitting(tack.daisy_garland(), 0.75, seats.animal_neck()),
        "green leather collar with seven bells": Fitting(tack.jingle_collar(), 0.75, seats.animal_neck()),
        "willow left pannier with bread and apples": Fitting(tack.bread_pannier(), 0.48, seats.trunk(0.081)),
        "willow right pannier with bread and apples": Fitting(mirrored(tack.bread_pannier()), 0.48, seats.trunk(0.081)),
    }


def _furniture() -> dict[str, Fitting]:
    under = seats.above(0.8, 0.8, furniture_parts.LEG_TOP)
    return {
        "twisted oak table leg": Fitting(furniture_parts.twisted_leg(), 0.77, under),
        "black hairpin table leg": Fitting(furniture_parts.hairpin_leg(), 0.77, under),
        "fluted white table leg with gilding": Fitting(furniture_parts.fluted_leg(), 0.77, under),
        "curved cherry table leg on a brass ball": Fitting(furniture_parts.cabriole_leg(), 0.77, under),
        "blue drawer with painted roses": Fitting(
            furniture_parts.painted_drawer(), 1.1, seats.above(3.0, 1.4, 0.34, z=-0.4)
        ),
        "oak drawer with brass rings": Fitting(furniture_parts.ring_drawer(), 1.1, seats.above(3.0, 1.4, 0.34, z=-0.4)),
        "round marble table top": Fitting(furniture_parts.marble_top(), 1.2),
        "cut glass drawer knob": Fitting(furniture_parts.glass_knob(), 0.2, seats.behind(1.2, 1.2, y=-0.3)),
        "brass lion's head handle": Fitting(furniture_parts.lion_handle(), 0.25, seats.behind(1.2, 1.4, y=-0.1)),
        "wine velvet cushion with tassels": Fitting(furniture_parts.tufted_cushion(), 0.5),
        "blue gingham cushion with bows": Fitting(furniture_parts.gingham_cushion(), 0.5),
    }


def list_fittings() -> tuple[Model, ...]:
    """All fittings, family by family."""
    families = (
        ("headwear", _headwear()),
        ("costume", _costume()),
        ("building part", _building()),
        ("vehicle part", _vehicle()),
        ("robot part", _robot()),
        ("tack", _tack()),
        ("furniture part", _furniture()),
    )
    return tuple(
        replace(single(name, fitting.pieces, category=category), seat=fitting.seat, diagonal=fitting.diagonal)
        for category, items in families
        for name, fitting in items.items()
    )
