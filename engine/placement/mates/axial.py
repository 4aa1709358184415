"""Axial: a hat on a head, a hoop around a keg, a shade on a lamp: the openings must fit, not the brims."""

from __future__ import annotations

import numpy as np

from engine.geometry.angles import degrees_between
from engine.geometry.overlap import Placed
from engine.placement.mates.protocol import WIDE_BAND, Offered, centred, placed_scale, world_point
from engine.placement.mounts import SlotMount
from engine.surfaces import FloatArray
from schemas.part import Kind
from schemas.placement import Residual


class Axial:
    """Both parts surround their parent: equal openings, their centres together. Needs a ring and an opening."""

    kind: Kind = "axial"
    band = WIDE_BAND
    is_movable = True
    slack: float | None = 0.05

    def wanted_scale(self, seat: SlotMount, part: Offered) -> float | None:
        """Ratio of the openings' radii."""
        if seat.ring is None or part.opening is None or part.opening.radius <= 0.0:
            return None
        return seat.ring.radius / part.opening.radius

    def place(self, seat: SlotMount, part: Offered, box: FloatArray, scale: float, diagonal: float) -> FloatArray:
        """The centre of the opening goes where the old one's was."""
        if seat.ring is None or part.opening is None:
            return centred(seat, box)
        return np.asarray(seat.ring.origin - scale * part.turned(np.array(part.opening.origin)))

    def measure(self, seat: SlotMount, part: Offered, placed: Placed, diagonal: float) -> tuple[Residual, ...]:
        """Ratio of radii, distance of the openings' centres, and the angle between the normals."""
        if seat.ring is None or part.opening is None:
            return ()
        scale = placed_scale(placed)
        apart = world_point(placed, part.opening.origin) - seat.ring.origin
        normal = np.array(seat.frame.normal)
        return (
            Residual(name="radius", value=scale * part.opening.radius / seat.ring.radius, unit="ratio"),
            Residual(name="centre", value=float(np.sqrt((apart * apart).sum())) / diagonal, unit="rel"),
            Residual(name="normal", value=degrees_between(part.normal, normal), unit="deg"),
        )
