"""What a mate is given, and what it answers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np

from engine.geometry.overlap import Placed
from engine.geometry.similarity import transform_points, transform_vectors
from engine.placement.mounts import SlotMount
from engine.surfaces import FloatArray
from schemas.part import Kind, MountRecord, Opening, PartRecord
from schemas.placement import Residual

SCALE_BAND = (0.85, 1.18)
"""A mate may ask for this much more or less than the ratio of sizes."""
WIDE_BAND = (0.65, 1.35)
"""The same where one length must fit: legs, bars, openings, slices."""
LEAST_EMBED_REL = 0.005


@dataclass(frozen=True, slots=True)
class Offered:
    """A candidate turned the way it will be placed, before scale and shift."""

    mount: MountRecord
    rotation: FloatArray
    """(3, 3) world from part."""
    extents: FloatArray
    """(3,) box after the rotation; of a tilted part the box before the tilt."""
    opening: Opening | None
    """Where it surrounded one of its neighbours."""
    spans: FloatArray | None = None
    """(3,) extents along the principal axes, for a part that is turned out of its upright pose by those axes."""

    @property
    def normal(self) -> FloatArray:
        """(3,) contact normal after the rotation."""
        return self.turned(np.array(self.mount.frame.normal))

    def turned(self, vector: FloatArray) -> FloatArray:
        """A part vector (3,) after the rotation."""
        matrix = np.eye(4)
        matrix[:3, :3] = self.rotation
        return transform_vectors(matrix, vector)


def find_opening(record: PartRecord) -> Opening | None:
    """The opening of the best neighbour that the part surrounded in its own object."""
    return next((mount.opening for mount in record.mounts if mount.opening is not None), None)


class Mate(Protocol):
    """One way of meeting a parent."""

    @property
    def kind(self) -> Kind:
        """The mate's name in the log."""
        ...

    @property
    def band(self) -> tuple[float, float]:
        """How far its scale may be from the ratio of sizes."""
        ...

    @property
    def is_movable(self) -> bool:
        """Whether the part may be pulled out along the slot's normal."""
        ...

    @property
    def slack(self) -> float | None:
        """How far the scale may be from the wanted one, as a share of it; None where the band is enough."""
        ...

    def wanted_scale(self, seat: SlotMount, part: Offered) -> float | None:
        """The scale at which the mate fits; None leaves it to the ratio of sizes."""
        ...

    def place(self, seat: SlotMount, part: Offered, box: FloatArray, scale: float, diagonal: float) -> FloatArray:
        """(3,) shift that brings the part, turned and scaled about the origin with (2, 3) box, onto its seat."""
        ...

    def measure(self, seat: SlotMount, part: Offered, placed: Placed, diagonal: float) -> tuple[Residual, ...]:
        """How far the accepted pose is from an exact fit. Lengths over `diagonal`."""
        ...


def centre_of(box: FloatArray) -> FloatArray:
    """(3,) centre of a (2, 3) box."""
    return np.asarray(0.5 * (box[0] + box[1]))


def centred(seat: SlotMount, box: FloatArray) -> FloatArray:
    """(3,) shift that brings the box centres together."""
    return centre_of(seat.anchor) - centre_of(box)


def main_axis(seat: SlotMount) -> tuple[int, float, int]:
    """Dominant axis of the slot's normal, its sign, and the row (0 low, 1 high) of the box face towards the parent."""
    normal = np.array(seat.frame.normal)
    axis = int(np.argmax(np.abs(normal)))
    return (axis, 1.0, 0) if normal[axis] > 0.0 else (axis, -1.0, 1)


def onto_face(seat: SlotMount, box: FloatArray) -> FloatArray:
    """(3,) shift: box centres coincide, and along the normal the faces towards the parent."""
    shift = centred(seat, box)
    axis, _, side = main_axis(seat)
    shift[axis] = seat.anchor[side, axis] - box[side, axis]
    return shift


def centre_residual(seat: SlotMount, placed: Placed, diagonal: float) -> Residual:
    """Distance of the box centres across the slot's main axis."""
    axis, _, _ = main_axis(seat)
    apart = centre_of(placed.bounds) - centre_of(seat.anchor)
    apart[axis] = 0.0
    return Residual(name="centre", value=float(np.sqrt((apart * apart).sum())) / diagonal, unit="rel")


def face_residual(seat: SlotMount, placed: Placed, diagonal: float, depth: float = 0.0) -> Residual:
    """Distance between the face towards the parent and where it should be: `depth` out of the old part's."""
    axis, sign, side = main_axis(seat)
    wanted = float(seat.anchor[side, axis]) + sign * depth
    return Residual(name="face", value=abs(float(placed.bounds[side, axis]) - wanted) / diagonal, unit="rel")


def placed_scale(placed: Placed) -> float:
    """The scale of a pose: the length of the first column of its matrix.

    Not `similarity.scale_of`: the mean of three columns may differ in the last digit, and logs keep what follows.
    """
    return float(np.sqrt((np.asarray(placed.matrix)[:3, 0] ** 2).sum()))


def world_point(placed: Placed, point: tuple[float, float, float]) -> FloatArray:
    """A point of the part (3,) where the pose puts it."""
    return np.asarray(transform_points(placed.matrix, np.array([point]))[0])
