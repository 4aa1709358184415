"""Through: bars and rails, held at both ends or passing through their parent."""

from __future__ import annotations

import numpy as np

from engine.geometry.overlap import Placed
from engine.placement.mates.protocol import SCALE_BAND, WIDE_BAND, Offered, centre_of, centred, main_axis
from engine.placement.mounts import SlotMount
from engine.surfaces import FloatArray
from schemas.part import Kind
from schemas.placement import Residual


class Through:
    """Box centres coincide and lengths agree, so that the two ends of a bar reach as far as the old one's.

    Whether what held each end still does is a check of its own. A bar sticks out as far as the old one did, not as
    far as it did in its own object.
    """

    kind: Kind = "through"
    slack: float | None = None

    def __init__(self, seat: SlotMount) -> None:
        self.band = SCALE_BAND if seat.ends is None else WIDE_BAND
        self.is_movable = seat.frame.kind != "through"

    def wanted_scale(self, seat: SlotMount, part: Offered) -> float | None:
        """The ratio of the lengths along the old part's longest axis: the ends come to lie where the old ones lay."""
        old = seat.anchor[1] - seat.anchor[0]
        longest = int(np.argmax(old))
        if part.spans is not None and seat.spans is not None:
            return float(seat.spans[0] / part.spans[0])
        return float(old[longest] / part.extents[longest]) if longest == int(np.argmax(part.extents)) else None

    def place(self, seat: SlotMount, part: Offered, box: FloatArray, scale: float, diagonal: float) -> FloatArray:
        """See the class."""
        shift = centred(seat, box)
        axis, _, side = main_axis(seat)
        if seat.frame.kind != "through" and seat.ends is not None and axis != seat.ends.axis:
            # A shelf on two brackets: what it lies on counts, not only what it spans.
            shift[axis] = seat.anchor[side, axis] - box[side, axis]
        return shift

    def measure(self, seat: SlotMount, part: Offered, placed: Placed, diagonal: float) -> tuple[Residual, ...]:
        """Distance of each end from the old one's along the bar, and of the centres across it."""
        axis = int(np.argmax(seat.anchor[1] - seat.anchor[0])) if seat.ends is None else seat.ends.axis
        apart = centre_of(placed.bounds) - centre_of(seat.anchor)
        apart[axis] = 0.0
        low, high = (abs(float(placed.bounds[k, axis] - seat.anchor[k, axis])) / diagonal for k in (0, 1))
        return (
            Residual(name="low end", value=low, unit="rel"),
            Residual(name="high end", value=high, unit="rel"),
            Residual(name="centre", value=float(np.sqrt((apart * apart).sum())) / diagonal, unit="rel"),
        )
