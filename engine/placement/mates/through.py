"""Through: bars and rails, held at both ends or passing through their parent."""

from __future__ import annotations

import numpy as np

from engine.geometry.overlap import Placed
from engine.placement.mates.protocol import SCALE_BAND, WIDE_BAND, Offered, centre_of, centred, main_axis, world_point
from engine.placement.mounts import SlotMount
from engine.surfaces import FloatArray
from schemas.part import Kind
from schemas.placement import Residual


class Through:
    """Box centres coincide, lengths agree; with ends known on both sides, the two pairs of end contacts do."""

    kind: Kind = "through"

    def __init__(self, seat: SlotMount) -> None:
        self.band = SCALE_BAND if seat.ends is None else WIDE_BAND
        self.is_movable = seat.frame.kind != "through"

    def wanted_scale(self, seat: SlotMount, part: Offered) -> float | None:
        """Distance of the end contacts, else the length of the boxes along the old part's longest axis."""
        ends = self._ends(seat, part)
        if ends is not None:
            axis, low, high = ends
            old = float(seat.ends.high_at[axis] - seat.ends.low_at[axis]) if seat.ends is not None else 0.0
            return old / (high - low)
        old_box = seat.anchor[1] - seat.anchor[0]
        longest = int(np.argmax(old_box))
        if longest != int(np.argmax(part.extents)):
            return None
        return float(old_box[longest] / part.extents[longest])

    def place(self, seat: SlotMount, part: Offered, box: FloatArray, scale: float, diagonal: float) -> FloatArray:
        """See the class."""
        shift = centred(seat, box)
        axis, _, side = main_axis(seat)
        if seat.frame.kind != "through" and seat.ends is not None and axis != seat.ends.axis:
            # A shelf on two brackets: what it lies on counts, not only what it spans.
            shift[axis] = seat.anchor[side, axis] - box[side, axis]
        ends = self._ends(seat, part)
        if ends is not None and seat.ends is not None:
            axis, low, high = ends
            middle = 0.5 * float(seat.ends.low_at[axis] + seat.ends.high_at[axis])
            shift[axis] = middle - 0.5 * scale * (low + high)
        return shift

    def measure(self, seat: SlotMount, part: Offered, placed: Placed, diagonal: float) -> tuple[Residual, ...]:
        """Distance of each end from the old one's along the bar, and of the centres across it."""
        axis = int(np.argmax(seat.anchor[1] - seat.anchor[0])) if seat.ends is None else seat.ends.axis
        apart = centre_of(placed.bounds) - centre_of(seat.anchor)
        apart[axis] = 0.0
        old = seat.anchor[:, axis]
        new = placed.bounds[:, axis]
        if self._ends(seat, part) is not None and seat.ends is not None and part.mount.ends is not None:
            old = np.array([seat.ends.low_at[axis], seat.ends.high_at[axis]])
            new = np.sort(np.array([world_point(placed, end)[axis] for end in part.mount.ends]))
        return (
            Residual(name="low end", value=abs(float(new[0] - old[0])) / diagonal, unit="rel"),
            Residual(name="high end", value=abs(float(new[1] - old[1])) / diagonal, unit="rel"),
            Residual(name="centre", value=float(np.sqrt((apart * apart).sum())) / diagonal, unit="rel"),
        )

    def _ends(self, seat: SlotMount, part: Offered) -> tuple[int, float, float] | None:
        """Axis and the turned part's end contacts along it, low first; None unless both sides have ends there."""
        if seat.ends is None or part.mount.ends is None:
            return None
        axis = seat.ends.axis
        one, two = (float(part.turned(np.array(end))[axis]) for end in part.mount.ends)
        low, high = min(one, two), max(one, two)
        length = float(part.extents[axis])
        return (axis, low, high) if length > 0.0 and high - low > 0.5 * length else None
