"""Planar, socket and point: faces towards the parent coincide, and the part sits as deep as it did where it came from.

The normals decide nothing but the axis and how well the two sides agree; frames are not brought together exactly, which
looks wrong on most real parts.
"""

from __future__ import annotations

import numpy as np

from engine.geometry.angles import degrees_between
from engine.geometry.overlap import Placed
from engine.placement.mates.protocol import (
    LEAST_EMBED_REL,
    SCALE_BAND,
    Offered,
    centre_residual,
    face_residual,
    main_axis,
    onto_face,
    placed_scale,
)
from engine.placement.mounts import SlotMount
from engine.surfaces import FloatArray
from schemas.part import Kind
from schemas.placement import Residual


class Embedded:
    """Planar, socket, point, near, or an axial pin: `kind` is the slot's."""

    band = SCALE_BAND
    is_movable = True
    slack: float | None = None

    def __init__(self, kind: Kind) -> None:
        self.kind = kind

    def wanted_scale(self, seat: SlotMount, part: Offered) -> float | None:
        """The ratio of the radii of a pin and its hole; how wide other contacts are says nothing about size."""
        own = part.mount.frame
        if seat.frame.kind != "axial" or own.kind != "axial" or not (seat.frame.radius > 0.0 and own.radius > 0.0):
            return None
        return seat.frame.radius / own.radius

    def place(self, seat: SlotMount, part: Offered, box: FloatArray, scale: float, diagonal: float) -> FloatArray:
        """Faces coincide, then the part moves out by the difference of the embed depths."""
        shift = onto_face(seat, box)
        axis, sign, _ = main_axis(seat)
        shift[axis] += sign * self._raised(seat, part, scale, diagonal)
        return shift

    def measure(self, seat: SlotMount, part: Offered, placed: Placed, diagonal: float) -> tuple[Residual, ...]:
        """Face against where the embed depth puts it, centres across, and the angle between the two normals."""
        scale = placed_scale(placed)
        raised = self._raised(seat, part, scale, diagonal)
        return (
            face_residual(seat, placed, diagonal, raised),
            centre_residual(seat, placed, diagonal),
            Residual(name="normal", value=degrees_between(part.normal, np.array(seat.frame.normal)), unit="deg"),
        )

    def _raised(self, seat: SlotMount, part: Offered, scale: float, diagonal: float) -> float:
        """How far out of the old part's face the new one's lies: the old embed less the new one's own."""
        embed = min(seat.frame.embed, max(scale * part.mount.frame.embed, LEAST_EMBED_REL * diagonal))
        return seat.frame.embed - embed
