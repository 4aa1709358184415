"""Bringing a fitted part into contact with what is there: down onto what it stands on, else to the nearest surface."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from engine.cells.lattice import Soup
from engine.geometry.bvh import Bvh, build_bvh
from engine.geometry.distance import measure_gap
from engine.geometry.sweep import sweep_to_contact
from engine.surfaces import FloatArray

DOWN = np.array([0.0, -1.0, 0.0])
LIFT = 1.5
"""Cells by which a part is lifted before it is let down: what it stands on lies within a cell of its place."""
REACH = 4.0
"""Cells within which a support or a neighbour is looked for."""


def find_drop(part: Soup, neighbours: Iterable[Soup], floor: float) -> FloatArray:
    """The move (3,) in cells that stands a part on what is below it, or on the floor, or else against its neighbour.

    No move when nothing is near, or the part is held by crossing something.
    """
    around = join_near(part, neighbours)
    above = float(part[0][:, 1].min()) - floor
    onto_floor = above * DOWN if abs(above) <= REACH else None
    if around is None:
        return np.zeros(3) if onto_floor is None else onto_floor
    lifted = build_bvh(part[0] - LIFT * DOWN, part[1])
    fall = sweep_to_contact(lifted, around, DOWN, LIFT + REACH)
    if fall.status == "hit":
        return (fall.travel - LIFT) * DOWN
    if fall.status == "no_contact" and onto_floor is not None:
        return onto_floor
    return find_approach(part, around)


def find_approach(part: Soup, around: Bvh | None) -> FloatArray:
    """The shortest move (3,) in cells that brings a part into contact; none when it has it, or nothing is near."""
    if around is None:
        return np.zeros(3)
    gap = measure_gap(build_bvh(*part), around, bound=REACH)
    return gap.point_b - gap.point_a if 0.0 < gap.distance < np.inf else np.zeros(3)


def join_near(part: Soup, neighbours: Iterable[Soup]) -> Bvh | None:
    """The triangles whose boxes come near a part, as one tree; None when there are none."""
    vertices = part[0]
    low, high = vertices.min(axis=0) - (REACH + LIFT), vertices.max(axis=0) + (REACH + LIFT)
    near = []
    for points, faces in neighbours:
        corners = points[faces]
        meets = ((corners.min(axis=1) <= high) & (corners.max(axis=1) >= low)).all(axis=1)
        near.append(corners[meets])
    corners = np.concatenate(near) if near else np.zeros((0, 3, 3))
    if len(corners) == 0:
        return None
    return build_bvh(corners.reshape(-1, 3), np.arange(3 * len(corners), dtype=np.int64).reshape(-1, 3))
