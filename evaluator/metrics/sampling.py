"""Surface samples that belong to the triangles themselves: the same triangle gives the same points in every mesh.

Each triangle gets floor(density * area + u) points of an R2 sequence, needles none; u and the start of the sequence are
hashed from its corners, which are rounded to a lattice that only the chain frame decides and taken in lexicographic
order. So neither the order of faces, the roll or winding of their corners nor the rest of the mesh moves a point, and
the samples of two parts together are the samples of each. `engine.geometry.sampling` spreads a given number of points
evenly over one mesh instead; there a change anywhere moves the points everywhere.
"""

from __future__ import annotations

import hashlib
import math
from dataclasses import dataclass
from typing import Final, NamedTuple

import numpy as np
from numba import njit
from numpy.typing import ArrayLike, NDArray

from engine.geometry.clean import check_soup
from engine.geometry.sampling import R2_STEPS
from engine.surfaces import FloatArray, IntArray
from schemas.errors import GeometryError

TARGET_SAMPLES: Final = 20_000
"""Samples of the target; its area then sets one density for both meshes of a turn."""
SAMPLE_CAP: Final = 200_000
"""Samples of one mesh at most; a larger mesh is sampled more thinly, and says so."""
LATTICE_STEPS: Final = 1 << 16
"""Steps of the lattice along the side of the frame: coarse against single precision, fine against what is sampled."""
NEEDLE_WIDTH: Final = 2.0**-19
"""Triangles narrower than this, in units of L, get no samples: rounding alone would lift a point off them by 1e-9."""
REFERENCE: Final = "reference"
SECOND: Final = "second"
"""Streams of points: the one that is scored, and an independent one that shows how far chance alone moves a score."""

_HashArray = NDArray[np.uint64]
_STEP_S, _STEP_T = (np.uint64(int(step * 2.0**64)) for step in R2_STEPS)
"""As fractions of 2^64: sums wrap without rounding."""
_GOLDEN: Final = np.uint64(0x9E3779B97F4A7C15)
_MIX_A: Final = np.uint64(0xBF58476D1CE4E5B9)
_MIX_B: Final = np.uint64(0x94D049BB133111EB)
_S27, _S30, _S31, _S11 = np.uint64(27), np.uint64(30), np.uint64(31), np.uint64(11)
_MORTON_CELLS: Final = 1024
"""Cells a side of the order of faces, over a cube of 1.5 frame sides; it only keeps neighbours near in memory."""


@dataclass(frozen=True, slots=True, eq=False)
class FramedSurface:
    """Triangles with area in a chain frame, in an order that only their shapes decide; arrays are read-only.

    Lengths are in units of the frame's longest side L, the frame's centre is the origin. Each triangle has its corners
    in lexicographic order, so the winding is gone: normals are lines, not directions.
    """

    corners: FloatArray
    """(F, 3, 3) float64."""
    doubled: FloatArray
    """(F,) twice the area of each triangle, above 0."""
    normals: FloatArray
    """(F, 3) unit."""
    seeds: _HashArray
    """(F,) hash of the corners on the lattice."""

    @property
    def area(self) -> float:
        """Area in L^2, rounded once: the order of faces cannot show."""
        return math.fsum(self.doubled) / 2.0


class SurfaceSamples(NamedTuple):
    """Points of a surface with the normals of their triangles, in the order of its faces."""

    points: FloatArray
    """(N, 3) in frame units."""
    normals: FloatArray
    """(N, 3) unit, up to sign."""
    faces: IntArray
    """(N,) rows of the framed surface."""
    density: float
    """Samples per L^2 that were drawn."""
    capped: bool
    """The asked density would have passed the cap."""


@njit(cache=True, nogil=True)
def _mixed(state: np.uint64, word: np.uint64) -> np.uint64:
    """Take one word into a 64-bit state (the finaliser of splitmix64)."""
    z = (state ^ word) + _GOLDEN
    z = (z ^ (z >> _S30)) * _MIX_A
    z = (z ^ (z >> _S27)) * _MIX_B
    return z ^ (z >> _S31)


@njit(cache=True, nogil=True)
def _is_after(rounded: FloatArray, corners: FloatArray, f: int, a: int, b: int) -> bool:
    """Tell whether corner a of face f comes after corner b: by the lattice, then by the exact position."""
    for k in range(3):
        if rounded[f, a, k] != rounded[f, b, k]:
            return bool(rounded[f, a, k] > rounded[f, b, k])
    for k in range(3):
        if corners[f, a, k] != corners[f, b, k]:
            return bool(corners[f, a, k] > corners[f, b, k])
    return False


@njit(cache=True, nogil=True)
def _sort_corners(rounded: FloatArray, corners: FloatArray) -> None:
    for f in range(len(corners)):
        for step in range(3):
            a = step % 2  # compares (0, 1), (1, 2), (0, 1)
            if _is_after(rounded, corners, f, a, a + 1):
                for k in range(3):
                    corners[f, a, k], corners[f, a + 1, k] = corners[f, a + 1, k], corners[f, a, k]
                    rounded[f, a, k], rounded[f, a + 1, k] = rounded[f, a + 1, k], rounded[f, a, k]


@njit(cache=True, nogil=True)
def _hash_rows(words: _HashArray) -> _HashArray:
    hashes = np.zeros(len(words), dtype=np.uint64)
    for f in range(len(words)):
        state = np.uint64(0)
        for k in range(words.shape[1]):
            state = _mixed(state, words[f, k])
        hashes[f] = state
    return hashes


@njit(cache=True, nogil=True)
def _order_keys(corners: FloatArray, exact: _HashArray) -> _HashArray:
    """Place a face by the Morton cell of its first corner (30 bits), within a cell by the hash of its corners."""
    keys = np.zeros(len(corners), dtype=np.uint64)
    for f in range(len(corners)):
        code = np.uint64(0)
        for k in range(3):
            cell = min(max((corners[f, 0, k] + 0.75) * (_MORTON_CELLS / 1.5), 0.0), _MORTON_CELLS - 1.0)
            for bit in range(10):
                code |= np.uint64((int(cell) >> bit) & 1) << np.uint64(3 * bit + k)
        keys[f] = (code << np.uint64(34)) | (exact[f] >> _S30)
    return keys


@njit(cache=True, nogil=True)
def _share(hashed: np.uint64) -> float:
    """Read the upper 53 bits as a number of [0, 1)."""
    return float(hashed >> _S11) * 2.0**-53


@njit(cache=True, nogil=True)
def _count(
    corners: FloatArray, doubled: FloatArray, seeds: _HashArray, stream: np.uint64, density: float
) -> FloatArray:
    counts = np.zeros(len(seeds))
    for f in range(len(seeds)):
        longest = 0.0
        for a in range(3):
            squared = 0.0
            for k in range(3):
                step = corners[f, a, k] - corners[f, (a + 1) % 3, k]
                squared += step * step
            longest = max(longest, squared)
        if doubled[f] <= NEEDLE_WIDTH * np.sqrt(longest):
            continue
        counts[f] = np.floor(density * (0.5 * doubled[f]) + _share(_mixed(seeds[f], stream)))
    return counts


@njit(cache=True, nogil=True)
def _place(corners: FloatArray, seeds: _HashArray, stream: np.uint64, faces: IntArray) -> FloatArray:
    points = np.zeros((len(faces), 3))
    previous, s, t = -1, np.uint64(0), np.uint64(0)
    for n in range(len(faces)):
        f = faces[n]
        if f != previous:
            previous = f
            s = _mixed(_mixed(seeds[f], stream), np.uint64(1))
            t = _mixed(s, np.uint64(2))
        root, second = np.sqrt(_share(s)), _share(t)
        at_a, at_b, at_c = 1.0 - root, root * (1.0 - second), root * second
        for k in range(3):
            points[n, k] = at_a * corners[f, 0, k] + at_b * corners[f, 1, k] + at_c * corners[f, 2, k]
        s += _STEP_S
        t += _STEP_T
    return points


def frame_surface(vertices: FloatArray, faces: IntArray, center: ArrayLike, side: float) -> FramedSurface:
    """Bring a triangle soup (V, 3), (F, 3) into the frame at `center` (3,) with the longest side `side`, in its units.

    Triangles without area are left out: they are no surface. No faces at all, or none with area, give an empty surface.

    Raises:
        GeometryError: an index out of range, a used vertex that is not finite, a side that is not above 0, or
            triangles too large to measure in units of the side.

    """
    if not (side > 0.0 and np.isfinite(side)):
        raise GeometryError(f"frame: side {side}, needs a number above 0")
    corners = np.zeros((0, 3, 3))
    if len(faces):
        check_soup(vertices, faces)
        used = np.asarray(vertices, dtype=np.float64)[faces]
        # Adding 0.0 turns -0.0 into 0.0: equal positions have equal bits.
        corners = np.ascontiguousarray((used - np.asarray(center, dtype=np.float64)) / side + 0.0)
    rounded = np.rint(corners * float(LATTICE_STEPS)) + 0.0
    _sort_corners(rounded, corners)
    with np.errstate(over="ignore", invalid="ignore"):  # told apart right below
        crossed = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]).reshape(-1, 3)
        x, y, z = crossed.T
        doubled = np.sqrt(x * x + y * y + z * z)
    if not np.isfinite(doubled).all():
        raise GeometryError(f"frame: a triangle is too large to measure in units of the side {side}")
    exact = _hash_rows(corners.reshape(-1, 9).view(np.uint64))
    order = _canonical_order(corners, exact)
    order = order[doubled[order] > 0.0]
    arrays = (
        np.ascontiguousarray(corners[order]),
        doubled[order],
        crossed[order] / doubled[order][:, None],
        _hash_rows(rounded.reshape(-1, 9)[order].view(np.uint64)),
    )
    for array in arrays:
        array.flags.writeable = False
    return FramedSurface(*arrays)


def _canonical_order(corners: FloatArray, exact: _HashArray) -> IntArray:
    keys = _order_keys(corners, exact)
    order: IntArray = np.argsort(keys, kind="stable")
    if (keys[order[1:]] == keys[order[:-1]]).any():
        # Copies of a triangle share a key, and so may two that differ: their coordinates tell these apart.
        flat = corners.reshape(-1, 9)
        order = np.lexsort((*(flat[:, k] for k in range(8, -1, -1)), keys))
    return order


def find_density(target: FramedSurface, samples: int = TARGET_SAMPLES) -> float:
    """Find the samples per L^2 that give the target surface `samples` of them, up to the rounding of each triangle.

    Raises:
        GeometryError: the target has no area.

    """
    area = target.area
    if not area > 0.0:
        raise GeometryError("samples: the target has no area, so there is no density")
    return samples / area


def sample_framed(
    surface: FramedSurface, density: float, stream: str = REFERENCE, cap: int = SAMPLE_CAP
) -> SurfaceSamples:
    """Sample a surface with `density` points per L^2; equal triangles give equal points.

    A surface that would get more than `cap` points gets the largest density found that stays below it. An empty surface
    has no samples, and a speck may have none.
    """
    word = np.uint64(int.from_bytes(hashlib.sha256(stream.encode()).digest()[:8], "big"))
    area = surface.area
    # The cap by area comes first: the counts of an enormous mesh would not even fit an integer.
    thinned = min(density, 2.0 * cap / area) if area > 0.0 else density
    counts = _count(surface.corners, surface.doubled, surface.seeds, word, thinned)
    while counts.sum() > cap:
        thinned *= 0.999 * cap / float(counts.sum())
        counts = _count(surface.corners, surface.doubled, surface.seeds, word, thinned)
    faces = np.repeat(np.arange(len(counts)), counts.astype(np.int64))
    return SurfaceSamples(
        points=_place(surface.corners, surface.seeds, word, faces),
        normals=surface.normals[faces],
        faces=faces,
        density=thinned,
        capped=thinned < density,
    )
