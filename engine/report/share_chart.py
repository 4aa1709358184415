"""The share of each operation, turn by turn, against its target: one small plot an operation, one row a family."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from engine.report.charts import BLUE, ORANGE
from engine.report.svg import GRID, INK, SMALL_PX, SOFT, Attributes, Scale, element, number, picture, plain, text
from schemas.report import REPORTED_TURNS, FamilyReport, OpShare

WIDTH, HEIGHT = 1062.0, 178.0
FEWEST_PANELS = 3
"""A family with fewer operations leaves room, so that plots of one page have about one scale."""
LEFT, RIGHT, TOP, BOTTOM = 44.0, 10.0, 26.0, 44.0
FEW = 20
"""Below this many chains a single one moves a share by more than five points."""
BAND = "#cfd8e3"


@dataclass(frozen=True, slots=True)
class SharePoint:
    """A share at one turn and where it stands in the JSON."""

    turn: int
    chains: int
    share: OpShare
    pointer: str


def draw_family_shares(family: FamilyReport, pointer: str, band: float) -> str:
    """Draw one family's plots side by side; `pointer` is its place in the JSON, `band` how far shares may be off."""
    wanted = [place for place, share in enumerate(family.ops) if share.target > 0.0 or share.count]
    width = WIDTH / max(FEWEST_PANELS, len(wanted))
    parts: list[str] = []
    for column, place in enumerate(wanted):
        points = [
            SharePoint(row.turn, row.chains, row.ops[place], f"{pointer}/turns/{at}/ops/{place}/share")
            for at, row in enumerate(family.turns)
        ]
        panel = _draw_panel(family.ops[place], points, band, width)
        parts.append(element("g", "\n".join(panel), transform=f"translate({number(column * width)} 0)"))
    title = f"Family {family.family}: share of each operation at turns 1 to {REPORTED_TURNS}"
    return picture(width * len(wanted), HEIGHT, title, parts)


def _draw_panel(whole: OpShare, points: Sequence[SharePoint], band: float, width: float) -> list[str]:
    right, bottom = width - RIGHT, HEIGHT - BOTTOM
    across = Scale(0.5, REPORTED_TURNS + 0.5, LEFT, right)
    up = Scale(0.0, 1.0, bottom, TOP)
    low, high = max(0.0, whole.target - band), min(1.0, whole.target + band)
    parts = [text(f"{whole.op}, target {100 * whole.target:.0f} %", LEFT, 14, size=13.0)]
    parts.append(element("rect", x=LEFT, width=right - LEFT, y=up.at(high), height=up.at(low) - up.at(high), fill=BAND))
    for tick in (0.0, 0.25, 0.5, 0.75, 1.0):
        parts.append(element("line", x1=LEFT, x2=right, y1=up.at(tick), y2=up.at(tick), stroke=GRID))
        parts.append(text(f"{100 * tick:.0f} %", LEFT - 5, up.at(tick) + 4, anchor="end", fill=SOFT, size=SMALL_PX))
    target = up.at(whole.target)
    parts.append(element("line", x1=LEFT, x2=right, y1=target, y2=target, stroke=INK, stroke_dasharray="5 3"))
    line = " ".join(f"{number(across.at(p.turn))},{number(up.at(p.share.share or 0.0))}" for p in points)
    parts.append(element("polyline", points=line, fill="none", stroke=SOFT, stroke_width=1.0))
    for point in points:
        parts.append(_draw_point(point, across.at(point.turn), up.at(point.share.share or 0.0)))
        parts.append(text(str(point.chains), across.at(point.turn), bottom + 29, anchor="middle", fill=SOFT, size=10.5))
    numbers = range(1, REPORTED_TURNS + 1)
    parts.extend(text(str(turn), across.at(turn), bottom + 15, anchor="middle", size=SMALL_PX) for turn in numbers)
    parts.append(text("turn", LEFT - 6, bottom + 15, anchor="end", size=SMALL_PX))
    parts.append(text("chains", LEFT - 6, bottom + 29, anchor="end", fill=SOFT, size=10.5))
    return parts


def _draw_point(point: SharePoint, x: float, y: float) -> str:
    """A disc within the band, a diamond outside it; hollow where too few chains are left to say."""
    share = point.share.share or 0.0
    words = f"turn {point.turn}: {100 * share:.1f} % of {point.chains} chains"
    data: Attributes = {"data_json": point.pointer, "data_value": plain(share)}
    color = BLUE if point.share.within else ORANGE
    fill = "#fff" if point.chains < FEW else color
    look: Attributes = {"fill": fill, "stroke": color, "stroke_width": 1.5}
    if point.share.within:
        return element("circle", element("title", words), cx=x, cy=y, r=3.6, **data, **look)
    corners = [(x, y - 5), (x + 5, y), (x, y + 5), (x - 5, y)]
    outline = " ".join(f"{number(px)},{number(py)}" for px, py in corners)
    return element("polygon", element("title", words), points=outline, **data, **look)
