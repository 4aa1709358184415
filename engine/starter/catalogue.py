"""Every object of the starter library, in a fixed order."""

from __future__ import annotations

from collections.abc import Callable

from engine.starter import gardenware as garden
from engine.starter import headwear as wear
from engine.starter import homeware as home
from engine.starter import playthings as play
from engine.starter import tableware as ware
from engine.starter.beasts import dairy_cow, grey_donkey
from engine.starter.cottages import brick_cottage, timber_cottage
from engine.starter.fittings import list_fittings
from engine.starter.goods import SMALL_THINGS, list_goods
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


def list_models() -> tuple[Model, ...]:
    """All objects: hosts first, then the single parts."""
    families = (("homeware", _home()), ("gardenware", _garden()), ("plaything", _play()), *list_goods())
    return (
        *(build() for build in HOSTS),
        *(
            single(name, pieces, category=category, diagonal=SMALL_THINGS.get(name))
            for category, items in families
            for name, pieces in items.items()
        ),
        *list_fittings(),
    )
