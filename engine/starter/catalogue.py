"""Every object of the starter library, in a fixed order."""

from __future__ import annotations

from collections.abc import Callable

from engine.starter import gardenware as garden
from engine.starter import house_roofs as roofs
from engine.starter import house_walls as fittings
from engine.starter import carried, hats, heads, worn
from engine.starter import headwear as wear
from engine.starter import homeware as home
from engine.starter import playthings as play
from engine.starter import tableware as ware
from engine.starter.beasts import dairy_cow, grey_donkey
from engine.starter.cottages import brick_cottage, timber_cottage
from engine.starter.models import Model, Piece, single
from engine.starter.people import gardener, wizard
from engine.starter.robots import garden_robot, tin_robot
from engine.starter.tables import garden_table, writing_desk
from engine.starter.trucks import farm_pickup, flatbed_truck

HOSTS: tuple[Callable[[], Model], ...] = (
    brick_cottage,
    timber_cottage,
    farm_pickup,
    flatbed_truck,
    tin_robot,
    garden_robot,
    writing_desk,
    garden_table,
    dairy_cow,
    grey_donkey,
    gardener,
    wizard,
)


def _home() -> dict[str, tuple[Piece, ...]]:
    return {
        "tall cobalt blue vase": ware.vase(ware.COBALT),
        "round terracotta vase": ware.vase(ware.TERRACOTTA, tall=False),
        "celadon vase with yellow daisies": ware.bouquet(ware.CELADON, tulips=False),
        "teal swan-neck desk lamp": home.table_lamp(home.BRASS, ware.TEAL_CHINA, bell=False),
        "table lamp with a checked shade": home.table_lamp(ware.WALNUT, home.CHECKED),
        "teal teapot with a brass knob": ware.teapot(ware.TEAL_CHINA, home.BRASS),
        "rose china teapot": ware.teapot(ware.ROSE_CHINA, home.GOLD),
        "white porcelain mug of coffee": ware.mug(ware.PORCELAIN, saucer=False),
        "oak mantel clock": home.mantel_clock(home.OAK, home.BRASS, arched=True),
        "brass candlestick with a lit candle": home.candlestick(home.BRASS),
        "silver candelabrum with three candles": home.candlestick(home.SILVER, arms=3),
        "berry cake on a white stand": ware.layer_cake(stand=True),
        "wicker bowl of apples and pears": ware.fruit_basket(ware.APPLE, ware.PEAR, hoop=False),
        "desk globe on a walnut foot": home.desk_globe(),
        "golden trophy cup": home.trophy(),
        "carousel music box": home.music_box(),
        "gilt picture frame with a seascape": home.picture_frame(),
        "pile of old books": home.books((home.RED_COVER, home.GREEN_COVER, home.BLUE_COVER, home.RED_COVER)),
    }


def _garden() -> dict[str, tuple[Piece, ...]]:
    return {
        "black iron storm lantern": garden.lantern(),
        "oak barrel with iron hoops": garden.barrel(),
        "wooden crate of apples": garden.apple_crate(),
        "potted rose bush": garden.rose_pot(),
        "clipped topiary in a blue pot": garden.topiary(),
        "cactus in a clay pot": garden.cactus(),
        "zinc water bucket": garden.bucket(),
        "green watering can": garden.watering_can(),
        "sign post with three arrows": garden.sign_post(),
        "teal mailbox on a post": garden.mailbox(),
        "red-roofed birdhouse on a post": garden.birdhouse(),
        "ribbed orange pumpkin": garden.pumpkin(),
        "pair of spotted toadstools": garden.toadstool(),
        "orange traffic cone": garden.traffic_cone(),
        "three-legged stool with a striped cushion": garden.stool(),
        "copper stand with two umbrellas": garden.umbrella_stand(),
        "coiled straw beehive": garden.bee_skep(),
        "stone bird bath": garden.bird_bath(),
    }


def _play() -> dict[str, tuple[Piece, ...]]:
    return {
        "jewelled gold crown": wear.crown(),
        "black top hat with a teal band": wear.top_hat(),
        "green felt hat with a red feather": wear.feather_hat(),
        "wind-up toy robot": play.toy_robot(),
        "toy sailing boat": play.toy_boat(),
        "oak treasure chest": play.treasure_chest(),
        "red toolbox": play.toolbox(),
        "brass telescope on a tripod": play.telescope(),
        "checked toy drum": play.drum(),
        "toy rocket with red fins": play.toy_rocket(),
        "snowman with a top hat": play.snowman(),
        "brown teddy bear": play.teddy_bear(),
        "stack of wooden toy rings": play.stacking_rings(),
        "golden star on a pedestal": play.star_award(),
    }


def _headwear() -> dict[str, tuple[Piece, ...]]:
    return {
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


def _heads() -> dict[str, tuple[Piece, ...]]:
    return {
        "copper robot head with a barred porthole": heads.diver_head(),
        "mint robot head with a blue glass dome": heads.dome_head(),
        "red television head with a smiling screen": heads.television_head(),
        "carved pumpkin head with a candle inside": heads.pumpkin_head(),
        "snowman head with a carrot nose": heads.snowman_head(),
        "chestnut horse head with a bridle": heads.horse_head(),
        "lion head with a shaggy mane": heads.lion_head(),
        "head with ginger curls and round glasses": heads.curly_head(),
    }


def _costume() -> dict[str, tuple[Piece, ...]]:
    return {
        "dotted red bow tie": worn.bow_tie(),
        "striped blue scarf with a white fringe": worn.fringed_scarf(),
        "leather backpack with a checked blanket roll": worn.leather_backpack(),
        "purple velvet cape with an ermine collar": worn.velvet_cape(),
        "crooked staff with a hanging lantern": carried.stick_lantern(),
        "knotty walking staff with a gourd bottle": carried.pilgrim_staff(),
        "black wand with a golden star": carried.star_wand(),
        "steel shovel with a wooden handle": carried.shovel(),
        "straw broom with a knotty stick": carried.broom(),
        "steel sword with a golden guard": carried.sword(),
        "blue shield with a golden cross": carried.shield(),
        "bouquet of red roses": carried.rose_bouquet(),
        "open umbrella with red and cream panels": carried.umbrella(),
    }


def _building() -> dict[str, tuple[Piece, ...]]:
    return {
        "blue slate roof with two dormer windows": roofs.slate_roof(),
        "orange roof of wavy clay tiles": roofs.pantile_roof(),
        "green turf roof with birch logs": roofs.turf_roof(),
        "green copper onion dome": roofs.onion_dome(),
        "white chimney with three clay pots": roofs.limewashed_chimney(),
        "brick chimney with a stork's nest": roofs.stork_chimney(),
        "copper weather vane with a sailing ship": roofs.ship_vane(),
        "white satellite dish on a bent mast": roofs.satellite_dish(),
        "red front door with a fanlight": fittings.fanlight_door(),
        "round green door with a brass knob": fittings.round_door(),
        "navy double door with glass panes": fittings.glazed_double_door(),
        "weathered stable door with a heart": fittings.stable_door(),
        "white bay window": fittings.bay_window(),
        "pointed window with coloured glass": fittings.stained_window(),
        "casement window with yellow shutters": fittings.shuttered_window(),
        "brass porthole with bolts": fittings.brass_porthole(),
        "copper wall lamp with a bell shade": fittings.bell_lamp(),
        "wooden flower box with red geraniums": fittings.geranium_box(),
        "striped teal awning": fittings.striped_awning(),
        "gabled porch canopy with a sunburst": fittings.porch_canopy(),
    }


def list_models() -> tuple[Model, ...]:
    """All objects: hosts first, then the single parts."""
    families = (("homeware", _home()), ("gardenware", _garden()), ("plaything", _play()), ("headwear", _headwear()))
    return (
        *(build() for build in HOSTS),
        *(single(name, pieces, category=category) for category, items in families for name, pieces in items.items()),
    )
