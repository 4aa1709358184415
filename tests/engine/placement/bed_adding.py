"""Cases of things that are added: on free faces, beside obstacles and thin walls, in cupboards, and on the ground."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from bed_held import SIGN, walled
from bed_scene import NOTHING_TURNS, UP, Case, Mesh, Pose, Refused, Source, box, host, rod, turned
from bed_standing import on_table, table

from engine.geometry.overlap import Placed
from engine.placement.state import StateGeometry, find_nearest

VASE = rod(0.3, 1.0, (0.4, 1.5, -0.3))
VASES, SIGNS = on_table(vase=VASE), Source(**walled(SIGN))
BOARDS = on_table(board=box((0.02, 1.0, 0.6), (0.3, 1.5, 0.0)))
SMALL_VASES = Source(board=box((6.0, 0.2, 6.0), (0.0, 0.9, 0.0)), vase=VASE)
PLATES = Source(board=box((1.0, 0.2, 1.0), (0.0, 0.9, 0.0)), plate=rod(0.5, 0.05, (0.0, 1.025, 0.0)))
LEG_SLOTS = ("leg_a", "leg_b", "leg_c", "leg_d")


def panel(low: tuple[float, float, float], high: tuple[float, float, float]) -> Mesh:
    """A box by its corners."""
    one, two = np.array(low), np.array(high)
    x, y, z = (float(v) for v in 0.5 * (one + two))
    width, height, depth = (float(v) for v in two - one)
    return box((width, height, depth), (x, y, z))


def sheet(low: float, high: float) -> Mesh:
    """An upright sheet without thickness across the table at x = 0."""
    points = np.array([[0.0, low, -1.0], [0.0, low, 1.0], [0.0, high, 1.0], [0.0, high, -1.0]])
    return points, np.array([[0, 1, 2], [0, 2, 3]], dtype=np.int64)


def cupboard(*, door: bool) -> dict[str, Mesh]:
    """A cupboard 1 wide, 1.5 high, 0.8 deep with a shelf half way up, open to the front unless it has a door."""
    parts = {
        "base": panel((-0.5, 0.0, -0.4), (0.5, 0.05, 0.4)),
        "roof": panel((-0.5, 1.45, -0.4), (0.5, 1.5, 0.4)),
        "back": panel((-0.5, 0.05, -0.4), (0.5, 1.45, -0.35)),
        "left": panel((-0.5, 0.05, -0.35), (-0.45, 1.45, 0.4)),
        "right": panel((0.45, 0.05, -0.35), (0.5, 1.45, 0.4)),
        "shelf": panel((-0.45, 0.7, -0.35), (0.45, 0.75, 0.35)),
    }
    if door:
        parts["door"] = panel((-0.5, 0.0, 0.4), (0.5, 1.5, 0.45))
    return parts


def near(*points: tuple[float, float], within: float) -> Callable[[StateGeometry, Placed], str]:
    """The part's middle lies near one of these (x, z)."""

    def judge(_state: StateGeometry, placed: Placed) -> str:
        x, _, z = (float(v) for v in 0.5 * (placed.bounds[0] + placed.bounds[1]))
        found = any(abs(x - a) <= within and abs(z - b) <= within for a, b in points)
        return "" if found else f"stands at ({x:.3f}, {z:.3f}), not near {points}"

    return judge


def beside(state: StateGeometry, placed: Placed) -> str:
    """On the ground: clear of the object, at most a quarter of D away, and not hidden behind it from the front."""
    nearest = find_nearest(placed, [other for _, other in state.parts])
    gap = 0.0 if nearest is None else nearest.gap / state.diagonal
    if not 0.0 < gap <= 0.25:
        return f"{gap:.3f} D from the object"
    box_low, box_high = placed.bounds
    low, high = state.bounds
    behind = float(box_high[2]) <= float(low[2])
    covered = float(low[0]) <= 0.5 * float(box_low[0] + box_high[0]) <= float(high[0])
    return "hidden behind the object" if behind and covered else ""


CORNERS = tuple((a, b) for a in (1.0, -1.0) for b in (1.0, -1.0))


def corners(distance: float) -> tuple[tuple[float, float], ...]:
    """Four points on the diagonals."""
    return tuple((distance * a, distance * b) for a, b in CORNERS)


def add(
    name: str, state: Callable[[], StateGeometry], slot: str, part: Callable[[], object], *answers: Pose | Refused
) -> Case:
    """A case of adding."""
    return Case(f"add/{name}", state, slot, part, answers, operation="add")  # type: ignore[arg-type]


ADDING = (
    # D = 3, a vase of diagonal 1.31 may take 0.30 D.
    add("vase on a bare table", table, "top", lambda: VASES.part("vase"),
        Pose(NOTHING_TURNS, scale=0.3 * 3.0 / 1.72**0.5, size=(0.297, 0.3005), sides={"y-": 1.0}, touches=("top",),
             also=near((0.0, 0.0), within=0.04))),
    # Free is x from -1 to 0.05: the widest disc has its middle at -0.475.
    add("vase beside a crate on half of the table", lambda: table(crate=panel((0.05, 1.0, -0.95), (0.95, 1.6, 0.95))),
        "top", lambda: VASES.part("vase"),
        Pose(NOTHING_TURNS, sides={"y-": 1.0}, clear_of=("crate",), also=near((-0.475, 0.0), within=0.07))),
    # 1 - c = sqrt(2) (c - 0.4).
    add("vase in a corner left by a crate", lambda: table(crate=panel((-0.4, 1.0, -0.4), (0.4, 1.6, 0.4))), "top",
        lambda: VASES.part("vase"),
        Pose(NOTHING_TURNS, sides={"y-": 1.0}, clear_of=("crate",), also=near(*corners(0.6486), within=0.07))),
    # 1 - c = sqrt(2) c - 0.2.
    add("second vase keeps away from the first", lambda: table(vase=rod(0.2, 0.7, (0.0, 1.35, 0.0))), "top",
        lambda: VASES.part("vase"),
        Pose(NOTHING_TURNS, sides={"y-": 1.0}, clear_of=("vase",), also=near(*corners(0.497), within=0.07))),
    add("nothing through a thin panel", lambda: table(panel=panel((-0.005, 1.0, -1.0), (0.005, 1.8, 1.0))), "top",
        lambda: VASES.part("vase"),
        Pose(NOTHING_TURNS, sides={"y-": 1.0}, clear_of=("panel",), also=near((0.5, 0.0), (-0.5, 0.0), within=0.07))),
    add("nothing through a sheet", lambda: table(sheet=sheet(1.0, 1.8)), "top", lambda: VASES.part("vase"),
        Pose(NOTHING_TURNS, sides={"y-": 1.0}, also=near((0.5, 0.0), (-0.5, 0.0), within=0.07))),
    # A sheet that begins above the clearance of 0.08 D: the vase, 0.76 high, would still stand in it.
    add("nothing through a sheet that hangs higher",
        lambda: table(sheet=sheet(1.35, 1.8), beam=panel((-0.05, 1.8, -1.0), (0.05, 1.9, 1.0)),
                      stud=panel((-0.05, 1.0, -1.0), (0.05, 1.8, -0.95))),
        "top", lambda: VASES.part("vase"),
        Pose(NOTHING_TURNS, sides={"y-": 1.0}, also=near((0.5, 0.0), (-0.5, 0.0), within=0.25),
             clear_of=("beam", "stud"))),
    add("beside a wall that stands on the floor",
        lambda: host("floor", floor=panel((-1, 0, -1), (1, 0.1, 1)), wall=panel((-0.61, 0.1, -1), (-0.59, 1.6, 1))),
        "floor", lambda: VASES.part("vase"),
        Pose(NOTHING_TURNS, sides={"y-": 0.1}, clear_of=("wall",), also=near((0.205, 0.0), within=0.07))),
    add("not on the shelf of an open cupboard", lambda: host("base", **cupboard(door=False)), "shelf",
        lambda: VASES.part("vase"), Refused(("clearance",))),
    add("not inside a closed cupboard", lambda: host("base", **cupboard(door=True)), "base",
        lambda: VASES.part("vase"), Refused(("clearance",))),
    add("on the roof of a cupboard", lambda: host("base", **cupboard(door=True)), "roof", lambda: VASES.part("vase"),
        Pose(NOTHING_TURNS, sides={"y-": 1.5}, touches=("roof",), also=near((0.0, 0.0), within=0.05))),
    # Half the platform's width is 0.2; the raster of 0.01 D = 0.04 may lose one cell of it.
    add("size follows a narrow face", lambda: host("base", base=box((4.0, 0.2, 0.4), (0.0, 0.1, 0.0))), "base",
        lambda: SMALL_VASES.part("vase"),
        Pose(NOTHING_TURNS, scale=(0.85 * 0.16 / 0.3, 0.85 * 0.2 / 0.3), sides={"y-": 0.2})),
    add("too small a face", lambda: host("tower", tower=box((0.2, 3.0, 0.2), (0.0, 1.5, 0.0))), "tower",
        lambda: PLATES.part("plate"), Refused(("size", "clearance", "scale"))),
    add("not on a steep roof", lambda: host("walls", walls=box((1.0, 0.6, 1.0), (0.0, 0.3, 0.0)),
                            roof=turned(box((0.8, 0.8, 1.2), (0.0, 0.6, 0.0)), 2, 45.0, (0.0, 0.6, 0.0))),
        "roof", lambda: VASES.part("vase"), Refused(("clearance",))),
    add("upright or not at all on a slope", lambda: host("ramp", ramp=turned(box((2.0, 0.3, 2.0)), 2, 20.0)), "ramp",
        lambda: VASES.part("vase"), Pose(((UP, UP),)), Refused(())),
    # 0.06 D of room where 0.08 D is asked.
    add("not under a low ceiling",
        lambda: host("floor", floor=panel((-1, 0, -1), (1, 0.1, 1)), post=panel((-1, 0.1, -1), (-0.9, 0.28, -0.9)),
                     ceiling=panel((-1, 0.28, -1), (1, 0.38, 1))),
        "floor", lambda: VASES.part("vase"), Refused(("clearance",))),
    add("a sign does not stand", table, "top", lambda: SIGNS.part("sign"), Refused(("class",))),
    add("a board on its edge would tip over", table, "top", lambda: BOARDS.part("board"), Refused(("stability",))),
    add("beside a table on the ground", table, "ground", lambda: VASES.part("vase"),
        Pose(NOTHING_TURNS, size=(0.297, 0.3005), sides={"y-": 0.0}, clear_of=("top", *LEG_SLOTS), also=beside)),
    add("beside a crate that stands on the preferred ground",
        lambda: table(grounded=("crate",), crate=panel((-2.1, 0.0, 0.9), (-0.9, 0.8, 2.1))), "ground",
        lambda: VASES.part("vase"), Pose(NOTHING_TURNS, sides={"y-": 0.0}, clear_of=("crate", "top"), also=beside)),
    add("not hidden behind a wide wall", lambda: host("wall", wall=panel((-1.5, 0.0, -0.1), (1.5, 2.0, 0.1))), "ground",
        lambda: SMALL_VASES.part("vase"), Pose(NOTHING_TURNS, sides={"y-": 0.0}, clear_of=("wall",), also=beside)),
    add("a vase is not grown to a tower", lambda: host("base", base=box((40.0, 2.0, 40.0), (0.0, 1.0, 0.0))), "base",
        lambda: SMALL_VASES.part("vase"), Pose(NOTHING_TURNS, size=(0.1519 * 0.75, 0.3005), sides={"y-": 2.0})),
)  # fmt: skip
