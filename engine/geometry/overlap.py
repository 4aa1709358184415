"""How much of a part lies inside other parts.

Definition: geometry notes, section 4. The fraction is the volume of the part inside any other part over the volume of
the part, by Sobol points in the box both share; for sheets it is the share of the surface. Inside means a winding
number above one half, asked per part and never of parts joined.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Final, Literal, NamedTuple

import numpy as np
from scipy.stats import qmc

from engine.geometry.bounds import diagonal, merge_bounds
from engine.geometry.bvh import Bvh, build_bvh, moved_bvh
from engine.geometry.clean import CleanMesh, clean_mesh
from engine.geometry.curve import curve_length, intersection_segments
from engine.geometry.distance import closest_points
from engine.geometry.sampling import sample_surface
from engine.geometry.similarity import as_matrix, determinant, invert, transform_points
from engine.geometry.winding import INSIDE, WindingTree, build_winding
from engine.surfaces import BoolArray, FloatArray, IntArray
from schemas.placement import Limits

LIMIT: Final[float] = Limits().interpenetration
"""Fraction at which a new part is refused; the estimate is refined near it."""
REFINE_WITHIN: Final = 0.006
REFINE_SHARE: Final = 0.03
"""The coarse error grows with the fraction, so the band around a higher limit is wider."""
COARSE: Final = 2048
FINE_BITS: Final = 15
FINE: Final = 1 << FINE_BITS
"""2^15 points also give the volume of open parts: to 0.8 % at worst and 0.2 % on average over real open parts, which
moves a fraction of 0.02 by less than its own estimate does; 2^18 would take half a second a part."""
SHEET_HITS: Final = 256
"""Fewer points than this inside the part: it has no volume to speak of where the boxes meet."""
SURFACE_SAMPLES, SURFACE_SEED = 4096, 20
SKIN: Final = 1e-3
"""Depth, over the part's diagonal, from which a surface sample counts as inside."""
UNCROSSED: Final = 1e-6
"""Length of the crossing curve, over the diagonal of all parts involved, below which surfaces do not cross."""
_SOBOL_SEED: Final = 7


class Overlap(NamedTuple):
    """The share of a part that lies inside others."""

    fraction: float
    measure: Literal["volume", "surface", "disjoint"]
    contained: bool
    """Inside an open part without crossing its surface, such as a lid dropped through the mouth of a pot."""


@dataclass(frozen=True)
class Solid:
    """A part made ready for measuring, in part coordinates; made once per asset."""

    mesh: CleanMesh
    bvh: Bvh
    winding: WindingTree
    bounds: FloatArray
    """(2, 3)."""
    known_volume: float | None = None
    """The volume when it was measured before, such as in a library's manifest."""

    @cached_property
    def volume(self) -> float:
        """Signed volume when every shell is closed, else that of the points with winding above one half.

        Computed when first asked for unless it is known; 0 for sheets.
        """
        if self.known_volume is not None:
            return self.known_volume
        if self.mesh.closed:
            return self.mesh.volume
        inside = self.winding.winding(sobol_points(FINE, self.bounds)) > INSIDE
        return float(np.count_nonzero(inside)) / FINE * float(np.prod(self.bounds[1] - self.bounds[0]))


@dataclass(frozen=True, slots=True, eq=False, weakref_slot=True)
class Placed:
    """A solid at a pose in the world; one that is placed again is another."""

    solid: Solid
    matrix: FloatArray
    """(4, 4) from part to world."""
    bvh: Bvh
    """In the world."""
    bounds: FloatArray
    """(2, 3) in the world."""


@lru_cache(maxsize=1)
def _sobol() -> FloatArray:
    points: FloatArray = qmc.Sobol(d=3, scramble=True, rng=_SOBOL_SEED).random_base2(FINE_BITS)
    points.setflags(write=False)
    return points


def sobol_points(n: int, bounds: FloatArray) -> FloatArray:
    """Return the first `n` of one fixed scrambled Sobol sequence, stretched over a box (2, 3)."""
    stretched: FloatArray = bounds[0] + _sobol()[:n] * (bounds[1] - bounds[0])
    return stretched


def build_solid(vertices: FloatArray, faces: IntArray, volume: float | None = None) -> Solid:
    """Clean a part (V, 3), (F, 3) and build its trees; `volume` in part coordinates is not measured again.

    Raises:
        GeometryError: the part cannot be measured, see `clean_mesh`.

    """
    mesh = clean_mesh(vertices, faces)
    bvh = build_bvh(mesh.vertices, mesh.faces)
    tree = build_winding(mesh.vertices, mesh.faces)
    return Solid(mesh=mesh, bvh=bvh, winding=tree, bounds=bvh.bounds, known_volume=volume)


def place_solid(solid: Solid, matrix: FloatArray) -> Placed:
    """Put a solid at a pose (4, 4).

    Raises:
        GeometryError: the matrix is not a finite affine one.

    """
    pose = as_matrix(matrix)
    bvh = moved_bvh(solid.bvh, pose)
    return Placed(solid=solid, matrix=pose, bvh=bvh, bounds=bvh.bounds)


def inside_placed(placed: Placed, points: FloatArray) -> BoolArray:
    """Tell for world points (N, 3) whether they lie inside a placed part, (N,) bool."""
    inside = np.zeros(len(points), dtype=bool)
    candidates = np.flatnonzero(((points >= placed.bounds[0]) & (points <= placed.bounds[1])).all(axis=1))
    if len(candidates):
        local = transform_points(invert(placed.matrix), points[candidates])
        inside[candidates] = placed.solid.winding.winding(local) > INSIDE
    return inside


def measure_overlap(part: Placed, others: Sequence[Placed], limit: float = LIMIT) -> Overlap:
    """Measure the fraction of `part` inside any of `others`, all placed in one world.

    `limit` is what the caller compares with: near it the estimate takes sixteen times the points. The error is then
    about 0.0001 at 0.02; away from the limit it may reach 0.015 at fractions around one half.
    """
    near = [other for other in others if _boxes_meet(part.bounds, other.bounds)]
    if not near:
        return Overlap(0.0, "disjoint", contained=False)
    around = merge_bounds(near[0].bounds, *(other.bounds for other in near[1:]))
    shared = np.stack([np.maximum(part.bounds[0], around[0]), np.minimum(part.bounds[1], around[1])])
    band = REFINE_WITHIN + REFINE_SHARE * limit
    n, in_part, fraction = 0, 0, 0.0
    while n < FINE and part.solid.volume > 0.0 and (in_part < SHEET_HITS or abs(fraction - limit) < band):
        # A ball that just dips into a plate fills little of the shared box and is still no sheet: more points tell.
        n = FINE if in_part >= SHEET_HITS else max(4 * n, COARSE)
        in_part, fraction = _volume_fraction(part, near, shared, n)
    measure: Literal["volume", "surface"] = "volume"
    if in_part < SHEET_HITS:
        measure, fraction = "surface", _surface_fraction(part, near)
    return Overlap(fraction, measure, contained=_is_contained(part, near, fraction))


def _boxes_meet(a: FloatArray, b: FloatArray) -> bool:
    return bool((a[0] <= b[1]).all() and (b[0] <= a[1]).all())


def _volume_fraction(part: Placed, near: Sequence[Placed], shared: FloatArray, n: int) -> tuple[int, float]:
    """How many of `n` points lie in the part, and the fraction they estimate."""
    points = sobol_points(n, shared)
    points = points[inside_placed(part, points)]
    hits = int(np.count_nonzero(_inside_any(near, points)))
    volume = part.solid.volume * abs(determinant(part.matrix))
    return len(points), min(hits / n * float(np.prod(shared[1] - shared[0])) / volume, 1.0)


def _inside_any(near: Sequence[Placed], points: FloatArray) -> BoolArray:
    inside = np.zeros(len(points), dtype=bool)
    for other in near:
        rest = np.flatnonzero(~inside)
        inside[rest] = inside_placed(other, points[rest])
    return inside


def _surface_fraction(part: Placed, near: Sequence[Placed]) -> float:
    mesh = part.solid.mesh
    samples = sample_surface(mesh.vertices, mesh.faces, SURFACE_SAMPLES, SURFACE_SEED)
    points = transform_points(part.matrix, samples.points)
    skin = SKIN * diagonal(part.bounds)
    deep = np.zeros(len(points), dtype=bool)
    for other in near:
        rest = np.flatnonzero(~deep)
        rest = rest[inside_placed(other, points[rest])]
        # Flush faces have a winding of one half up to noise, so being inside must show in depth too.
        deep[rest] = ~np.isfinite(closest_points(other.bvh, points[rest], bound=skin).distance)
    return float(np.count_nonzero(deep)) / len(points)


def _is_contained(part: Placed, near: Sequence[Placed], fraction: float) -> bool:
    if fraction < LIMIT or all(other.solid.mesh.closed for other in near):
        return False
    scale = diagonal(merge_bounds(part.bounds, *(other.bounds for other in near)))
    crossing = sum(curve_length(intersection_segments(part.bvh, other.bvh)) for other in near)
    return crossing < UNCROSSED * scale
