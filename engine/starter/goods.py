"""Free-standing single parts by family: what people put on tables, shelves, truck beds, porches and lawns."""

from __future__ import annotations

from engine.starter import (
    curios,
    devices,
    food,
    games,
    garden_life,
    instruments,
    kitchenware,
    lights,
    signs,
    toys,
    workshop,
    yard,
)
from engine.starter.models import Piece

Family = dict[str, tuple[Piece, ...]]
SMALL_THINGS = {
    "copper kettle with a wooden handle": 0.4,
    "wooden coffee grinder with a brass crank": 0.36,
    "walnut pepper mill": 0.3,
    "blue enamel milk pitcher": 0.38,
    "green glass wine bottle": 0.4,
    "jam jar with a gingham cap": 0.3,
    "striped mixing bowl with a wooden spoon": 0.38,
    "marble mortar with a pestle": 0.32,
    "cherry pie with a lattice crust": 0.38,
    "pink cupcake with a cherry": 0.28,
    "plate of golden croissants": 0.38,
    "stack of pancakes with butter and syrup": 0.36,
    "bunch of bananas in a dish": 0.38,
    "black rotary telephone": 0.38,
    "hourglass in a walnut frame": 0.34,
    "inkwell with a white quill": 0.34,
    "snow globe with fir trees": 0.34,
    "pink piggy bank": 0.34,
    "open jewelry box with pearls": 0.38,
    "wooden abacus with coloured beads": 0.4,
    "black chess pawn": 0.28,
    "pale wooden chess knight": 0.28,
    "pair of brass binoculars": 0.34,
    "pink glass vase of tulips": 0.4,
    "brass hand bell": 0.3,
    "walnut metronome": 0.34,
    "copper oil can": 0.34,
    "brass blowlamp": 0.36,
    "paint tin with a brush": 0.36,
    "yellow toy duck with an orange beak": 0.3,
    "striped spinning top": 0.32,
    "pair of matryoshka dolls": 0.36,
    "pair of dice": 0.28,
    "black and white football": 0.34,
}
"""Diagonal of what is smaller than a lamp, in the units of a host whose longest side is about 2."""


def _kitchenware() -> Family:
    return {
        "copper kettle with a wooden handle": kitchenware.kettle(),
        "wooden coffee grinder with a brass crank": kitchenware.coffee_grinder(),
        "walnut pepper mill": kitchenware.pepper_mill(),
        "blue enamel milk pitcher": kitchenware.pitcher(),
        "green glass wine bottle": kitchenware.wine_bottle(),
        "jam jar with a gingham cap": kitchenware.jam_jar(),
        "striped mixing bowl with a wooden spoon": kitchenware.mixing_bowl(),
        "red kitchen scale with a steel pan": kitchenware.kitchen_scale(),
        "cast iron cooking pot on three feet": kitchenware.cooking_pot(),
        "marble mortar with a pestle": kitchenware.mortar(),
    }


def _food() -> Family:
    return {
        "loaf of bread on an oak board": food.bread_board(),
        "yellow cheese wheel with a cut wedge": food.cheese_wheel(),
        "cherry pie with a lattice crust": food.cherry_pie(),
        "tray of sushi with chopsticks": food.sushi(),
        "pink cupcake with a cherry": food.cupcake(),
        "plate of golden croissants": food.croissants(),
        "stack of pancakes with butter and syrup": food.pancakes(),
        "ripe pineapple": food.pineapple(),
        "halved watermelon on a board": food.melon(),
        "bunch of bananas in a dish": food.bananas(),
    }


def _devices() -> Family:
    return {
        "walnut table radio": devices.table_radio(),
        "gramophone with a brass horn": devices.gramophone(),
        "black rotary telephone": devices.telephone(),
        "mint green desk fan": devices.desk_fan(),
        "brass microscope": devices.microscope(),
        "bellows camera on a tripod": devices.camera(),
        "teal typewriter": devices.typewriter(),
        "small red television": devices.television(),
    }


def _curios() -> Family:
    return {
        "hourglass in a walnut frame": curios.hourglass(),
        "inkwell with a white quill": curios.inkwell(),
        "snow globe with fir trees": curios.snow_globe(),
        "pink piggy bank": curios.piggy_bank(),
        "open jewelry box with pearls": curios.jewelry_box(),
        "wooden abacus with coloured beads": curios.abacus(),
        "black chess pawn": curios.chess_pawn(),
        "pale wooden chess knight": curios.chess_knight(),
        "walnut chess board with a game in play": curios.chess_board(),
        "pair of brass binoculars": curios.binoculars(),
        "brass armillary sphere": curios.armillary(),
    }


def _lights() -> Family:
    return {
        "violet lava lamp": lights.lava_lamp(),
        "brass oil lamp with a red tank": lights.oil_lamp(),
        "paper lantern on a wooden stand": lights.paper_lantern(),
        "walnut lamp with a pleated shade": lights.pleated_lamp(),
        "two-handled clay amphora": lights.amphora(),
        "round fish bowl with a goldfish": lights.fish_bowl(),
        "pink glass vase of tulips": lights.tulip_vase(),
        "grey jug of sunflowers": lights.sunflowers(),
        "blue painted flower pot of lavender": lights.lavender(),
    }


def _yard() -> Family:
    return {
        "green wheelbarrow with a heap of soil": yard.wheelbarrow(),
        "garden gnome with a red cap": yard.gnome(),
        "steel milk churn": yard.milk_churn(),
        "round hay bale with a pitchfork": yard.hay_bale(),
        "pile of split logs": yard.log_pile(),
        "red fire hydrant with yellow caps": yard.fire_hydrant(),
        "wooden planter of pink and orange flowers": yard.flower_planter(),
    }


def _garden_life() -> Family:
    return {
        "bonsai in a teal dish": garden_life.bonsai(),
        "tall potted sunflower": garden_life.sunflower(),
        "young fir tree in a clay pot": garden_life.fir_tree(),
        "stone well with a shingled roof": garden_life.well(),
        "granite sundial": garden_life.sundial(),
        "black iron lamp post": garden_life.lamp_post(),
        "mossy granite milestone": garden_life.milestone(),
        "white wooden beehive": garden_life.beehive(),
        "tree stump with an axe": garden_life.stump_with_axe(),
        "wooden plant stand with three potted flowers": garden_life.plant_stand(),
    }


def _workshop() -> Family:
    return {
        "iron anvil with a hammer": workshop.anvil(),
        "blue bench vise": workshop.bench_vise(),
        "wooden tool box with a saw": workshop.tool_box(),
        "copper oil can": workshop.oil_can(),
        "olive green jerrycan": workshop.jerrycan(),
        "paint tin with a brush": workshop.paint_tin(),
        "rope coil with an iron hook": workshop.rope_coil(),
        "brass blowlamp": workshop.blowlamp(),
        "wooden step ladder with a red bucket": workshop.step_ladder(),
    }


def _instruments() -> Family:
    return {
        "acoustic guitar on a stand": instruments.guitar(),
        "red accordion": instruments.accordion(),
        "brass hand bell": instruments.hand_bell(),
        "walnut metronome": instruments.metronome(),
        "pair of red bongo drums": instruments.bongos(),
        "blue snare drum on a stand": instruments.snare_drum(),
        "rainbow xylophone with two mallets": instruments.xylophone(),
        "polished brass trumpet": instruments.trumpet(),
    }


def _toys() -> Family:
    return {
        "yellow toy duck with an orange beak": toys.rubber_duck(),
        "striped spinning top": toys.spinning_top(),
        "dappled rocking horse": toys.rocking_horse(),
        "wooden toy train on rails": toys.toy_train(),
        "red toy biplane on a stand": toys.toy_plane(),
        "stack of coloured toy blocks": toys.block_tower(),
        "painted nutcracker with a white beard": toys.nutcracker(),
        "pair of matryoshka dolls": games.matryoshka(),
        "pair of dice": games.dice(),
        "black and white football": games.football(),
        "set of skittles with a blue ball": games.skittles(),
        "toy clown on a spring in a blue box": games.jack_in_the_box(),
        "red toy dump truck": games.dump_truck(),
    }


def _signs() -> Family:
    return {
        "red stop sign": signs.stop_sign(),
        "yellow warning sign": signs.warning_sign(),
        "blue parking sign": signs.parking_sign(),
        "chalkboard sign on legs": signs.chalkboard(),
        "hanging shop sign on a post": signs.shop_sign(),
        "tavern sign with a foaming mug": signs.tavern_sign(),
        "yellow traffic light": signs.traffic_light(),
        "striped barber pole": signs.barber_pole(),
        "red arrow sign with light bulbs": signs.arrow_sign(),
        "railway crossing sign with red lamps": signs.crossing_sign(),
    }


def list_goods() -> tuple[tuple[str, Family], ...]:
    """The families in a fixed order: category and parts by name."""
    return (
        ("kitchenware", _kitchenware()),
        ("food", _food()),
        ("homeware", _devices() | _curios() | _lights()),
        ("gardenware", _yard() | _garden_life()),
        ("workshop", _workshop()),
        ("instrument", _instruments()),
        ("plaything", _toys()),
        ("sign", _signs()),
    )
