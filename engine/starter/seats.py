"""What single parts are mounted on: walls, gables, axles, hands, trunks. Never drawn; their contact is measured.

Each is modelled in the coordinates of the part that it holds and reaches into it by a hair, as the hosts' parts do.
"""

from __future__ import annotations

from engine.starter.beasts import BACK_Y, GIRTH, NECK_RADIUS
from engine.starter.cottages import DEPTH, EAVES, RIDGE, WIDTH, roof_line
from engine.starter.shells import Shell
from engine.starter.solids import box, ellipsoid, extrude, lathe, tube

SINK = 0.002
HAND = (0.24, 0.27, 0.24)

Seat = tuple[Shell, ...]


def behind(width: float, height: float, *, z: float = 0.0, y: float = 0.0, depth: float = 0.6) -> Seat:
    """A wall whose face is at `z`, its middle at x = 0 and its foot at `y`: for what is flat at the back."""
    return (box(width, height, depth).moved(0, y + height / 2, z - depth / 2 + SINK),)


def before(width: float, height: float, *, z: float = 0.0, y: float = 0.0, depth: float = 0.6) -> Seat:
    """A body in front of `z`: for packs and tails, which hang behind what they are fastened to."""
    return (box(width, height, depth).moved(0, y + height / 2, z + depth / 2 - SINK),)


def beside(height: float, *, x: float = 0.0, y: float = 0.0, depth: float = 0.6, width: float = 0.6) -> Seat:
    """A body to the right of `x`: for left arms, left wings and wheels on the left."""
    return (box(width, height, depth).moved(x - width / 2 + SINK, y + height / 2, 0),)


def above(width: float, depth: float, y: float, *, height: float = 0.3, z: float = 0.0) -> Seat:
    """A board whose underside is at `y`: for legs and drawers."""
    return (box(width, height, depth).moved(0, y + height / 2 - SINK, z),)


def below(width: float, depth: float, *, height: float = 0.6, segments: int = 0) -> Seat:
    """A post whose top is at y = 0, round with `segments`: for what stands on a roof, a neck or a head."""
    if segments:
        radius = width / 2
        return (lathe([(radius, -height), (radius, SINK)], segments),)
    return (box(width, height, depth).moved(0, SINK - height / 2, 0),)


def gable() -> Seat:
    """The walls under a cottage's roof."""
    half = DEPTH / 2
    outline = [(-half, 0.6), (half, 0.6), (half, EAVES), (0.0, RIDGE), (-half, EAVES)]
    # a hair to one side, so that the contact's axis points the same way as on the cottages
    return (extrude(outline, WIDTH, 0.0, "x").moved(x=-0.03),)


def back_slope(z: float = -0.72) -> Seat:
    """A cottage's roof under a chimney whose middle stands at depth `z` of it, the chimney at x = z = 0."""
    level = roof_line(z)
    low, high = z - 0.7, z + 0.7
    outline = [
        (-low, roof_line(low) - 1.0),
        (-low, roof_line(low)),
        (-high, roof_line(high)),
        (-high, roof_line(high) - 1.0),
    ]
    slope = extrude([(p + z, q - level + SINK) for p, q in reversed(outline)], 1.8, 0.0, "x")
    return (slope,)


def head(radius: float, depth: float) -> Seat:
    """A head under a hat: a ball that fills the hat's hollow, `depth` high, and looks out below it."""
    return (
        ellipsoid(2 * radius, 2.2 * depth, 2 * radius, 14, 8).moved(y=-0.1 * depth),
        lathe([(0.5 * radius, -1.8 * depth), (0.5 * radius, -0.9 * depth)], 8),
    )


def neck(radius: float, low: float, high: float) -> Seat:
    """A bare neck between two heights, for what is wound or tied round it."""
    return (lathe([(radius, low), (radius, high)], 20),)


def neck_stub(start: tuple[float, float, float], radius: float) -> Seat:
    """The end of an animal's neck, which leans forward, under a head that begins at `start`."""
    x, y, z = start
    return (tube([(x, y - 0.34, z - 0.48), (x, y - 0.17, z - 0.24), (x, y, z)], radius, 14, rounded=False),)


def yoke(y: float, width: float, neck: float) -> Seat:
    """Level shoulders at `y` about a neck, for what lies on them with its lower edge."""
    return (lathe([(width, y - 1.6), (width, y), (neck, y + 0.002), (neck, y + 0.4)], 16),)


def hand(y: float, radius: float) -> Seat:
    """A hand that holds a stick of the given radius from behind, and a body further back."""
    palm = ellipsoid(*HAND, 12, 9).moved(0, y, -HAND[2] / 2 - radius + 0.006)
    return (palm, box(0.5, 3.0, 0.3).moved(0, 0.9, -HAND[2] - 1.2))


def trunk(padding: float = 0.0) -> Seat:
    """The barrel of an animal's body, thicker by the padding of a saddle."""
    girth = GIRTH + padding
    return (lathe([(girth, -1.2), (girth, 1.2)], 24).turned("x", 0.25).scaled(0.94, 1, 1).moved(0, BACK_Y, 0.03),)


def animal_neck() -> Seat:
    """An animal's neck, through a collar that is wider than those of the hosts."""
    line = [(0, 1.9, 0.6), (0, 2.1, 0.96), (0, 2.3, 1.24), (0, 2.5, 1.5)]
    return (tube(line, [0.48, 0.4, NECK_RADIUS + 0.04, 0.32], 16, rounded=False),)
