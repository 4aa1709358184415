"""Rest: a part stands on its parent, or on the ground, upright, where the old one stood; and legs, which hold it up."""

from __future__ import annotations

from engine.geometry.overlap import Placed
from engine.placement.mates.protocol import (
    SCALE_BAND,
    WIDE_BAND,
    Offered,
    centre_residual,
    face_residual,
    onto_face,
)
from engine.placement.mounts import SlotMount
from engine.surfaces import FloatArray
from schemas.part import Kind
from schemas.placement import Residual


class Rest:
    """Undersides coincide; a slice under something else keeps the height of the gap."""

    kind: Kind = "rest"
    is_movable = True
    slack: float | None = None

    def __init__(self, *, is_slice: bool = False) -> None:
        self._is_slice = is_slice
        self.band = WIDE_BAND if is_slice else SCALE_BAND

    def wanted_scale(self, seat: SlotMount, part: Offered) -> float | None:
        """Ratio of heights for a slice; a part that merely stands takes the ratio of sizes."""
        if self._is_slice and part.spans is None and part.extents[1] > 0.0:
            return float(seat.anchor[1, 1] - seat.anchor[0, 1]) / float(part.extents[1])
        return None

    def place(self, seat: SlotMount, part: Offered, box: FloatArray, scale: float, diagonal: float) -> FloatArray:
        """Undersides coincide; of a part that leans also the sides towards what it leans on."""
        shift = onto_face(seat, box)
        if seat.lean is not None:
            axis = 0 if abs(seat.lean[0]) >= abs(seat.lean[2]) else 2
            side = 1 if seat.lean[axis] > 0.0 else 0
            shift[axis] = seat.anchor[side, axis] - box[side, axis]
        return shift

    def measure(self, seat: SlotMount, part: Offered, placed: Placed, diagonal: float) -> tuple[Residual, ...]:
        """Underside against the old one's, centres across."""
        return (face_residual(seat, placed, diagonal), centre_residual(seat, placed, diagonal))


class Leg:
    """A leg: heights decide, the foot stays on the floor and the top where the old one's was."""

    band = WIDE_BAND
    is_movable = False
    slack: float | None = None

    def __init__(self, kind: Kind) -> None:
        self.kind = kind

    def wanted_scale(self, seat: SlotMount, part: Offered) -> float | None:
        """Ratio of heights, or of lengths where the leg is splayed."""
        if part.spans is not None and seat.spans is not None:
            return float(seat.spans[0] / part.spans[0])
        height = float(part.extents[1])
        return float(seat.anchor[1, 1] - seat.anchor[0, 1]) / height if height > 0.0 else None

    def place(self, seat: SlotMount, part: Offered, box: FloatArray, scale: float, diagonal: float) -> FloatArray:
        """See Mate."""
        return onto_face(seat, box)

    def measure(self, seat: SlotMount, part: Offered, placed: Placed, diagonal: float) -> tuple[Residual, ...]:
        """Top against the old one's, height of the foot over the old one's, centres across."""
        foot = float(placed.bounds[0, 1] - seat.anchor[0, 1]) / diagonal
        return (
            face_residual(seat, placed, diagonal),
            Residual(name="foot", value=abs(foot), unit="rel"),
            centre_residual(seat, placed, diagonal),
        )
