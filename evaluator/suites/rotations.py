"""The 24 proper rotations that map the coordinate axes onto themselves; reflections are not among them."""

from __future__ import annotations

from itertools import permutations, product
from typing import Literal, NamedTuple

from engine.surfaces import FloatArray

Axis = Literal["x", "y", "z"]


class AxisRotation(NamedTuple):
    """A signed permutation of the axes with determinant +1."""

    axes: tuple[int, int, int]
    """Coordinate k of the turned point is `signs[k]` times coordinate `axes[k]` of the point."""
    signs: tuple[int, int, int]

    @property
    def label(self) -> str:
        """What the turned coordinates are: `+x+y+z` leaves everything in place, `+x-z+y` turns about X."""
        return "".join(f"{'+' if s > 0 else '-'}{'xyz'[a]}" for a, s in zip(self.axes, self.signs, strict=True))

    @property
    def matrix(self) -> tuple[tuple[int, ...], ...]:
        """The 3 x 3 matrix, row by row; columns are points."""
        return tuple(tuple(s if a == c else 0 for c in range(3)) for a, s in zip(self.axes, self.signs, strict=True))

    @property
    def inverse(self) -> AxisRotation:
        """The turn back."""
        back = [self.axes.index(k) for k in range(3)]
        return AxisRotation((back[0], back[1], back[2]), _triple([self.signs[k] for k in back]))

    def turn(self, points: FloatArray) -> FloatArray:
        """Turn points (N, 3) without rounding."""
        turned: FloatArray = points[:, list(self.axes)] * [float(s) for s in self.signs]
        return turned + 0.0  # -0.0 is no other place than 0.0


def _triple(values: list[int]) -> tuple[int, int, int]:
    return values[0], values[1], values[2]


def _list_rotations() -> tuple[AxisRotation, ...]:
    found = []
    for axes, signs in product(permutations(range(3)), product((1, -1), repeat=3)):
        inversions = sum(axes[i] > axes[j] for i in range(3) for j in range(i + 1, 3))
        if (inversions + signs.count(-1)) % 2 == 0:
            found.append(AxisRotation(_triple(list(axes)), _triple(list(signs))))
    return tuple(sorted(found, key=lambda rotation: rotation.label))


AXIS_ROTATIONS: tuple[AxisRotation, ...] = _list_rotations()
"""All 24, by label; the first leaves everything in place."""
IDENTITY: AxisRotation = AXIS_ROTATIONS[0]


def quarter_turns(axis: Axis) -> tuple[AxisRotation, ...]:
    """The four turns that keep one axis as it is, no turn included."""
    kept = "xyz".index(axis)
    return tuple(r for r in AXIS_ROTATIONS if r.axes[kept] == kept and r.signs[kept] > 0)
