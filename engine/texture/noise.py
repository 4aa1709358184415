"""Integer-hash noise in object space: the same numbers on every processor.

Only additions, products, floor and sqrt of float64, elementwise, so that no library version or instruction set can
change a pixel. All results lie in [0, 1].
"""

from __future__ import annotations

import math

import numpy as np
from numba import njit

from engine.surfaces import FloatArray, IntArray

_X, _Y, _Z = np.uint64(0x9E3779B97F4A7C15), np.uint64(0xC2B2AE3D27D4EB4F), np.uint64(0x165667B19E3779F9)
_MIX_A, _MIX_B = np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB)
_S30, _S27, _S31, _S11 = np.uint64(30), np.uint64(27), np.uint64(31), np.uint64(11)
_UNIT = 1.0 / 9007199254740992.0  # 2 ** -53: the top 53 bits of a hash as a fraction
_SEED_STEP = 1_000_003


@njit(cache=True, nogil=True)
def _hash_unit(x: int, y: int, z: int, seed: int) -> float:
    h = np.uint64(x) * _X ^ np.uint64(y) * _Y ^ np.uint64(z) * _Z ^ np.uint64(seed)
    h = (h ^ (h >> _S30)) * _MIX_A
    h = (h ^ (h >> _S27)) * _MIX_B
    h = h ^ (h >> _S31)
    return float(h >> _S11) * _UNIT


@njit(cache=True, nogil=True)
def _smooth(t: float) -> float:
    return t * t * (3.0 - 2.0 * t)


@njit(cache=True, nogil=True)
def _value(x: float, y: float, z: float, seed: int) -> float:
    i, j, k = math.floor(x), math.floor(y), math.floor(z)
    u, v, w = _smooth(x - i), _smooth(y - j), _smooth(z - k)
    total = 0.0
    for dk in range(2):
        fz = w if dk else 1.0 - w
        for dj in range(2):
            fy = v if dj else 1.0 - v
            near = _hash_unit(i, j + dj, k + dk, seed)
            far = _hash_unit(i + 1, j + dj, k + dk, seed)
            total += fz * fy * (near + (far - near) * u)
    return total


@njit(cache=True, nogil=True)
def _fractal(points: FloatArray, seed: int, octaves: int) -> FloatArray:
    out = np.zeros(len(points))
    for n in range(len(points)):
        amplitude, frequency, total, weight = 1.0, 1.0, 0.0, 0.0
        for octave in range(octaves):
            shift = 17.31 * octave  # lattices of different octaves must not share their zero
            total += amplitude * _value(
                points[n, 0] * frequency + shift,
                points[n, 1] * frequency + shift,
                points[n, 2] * frequency + shift,
                seed + octave * _SEED_STEP,
            )
            weight += amplitude
            amplitude *= 0.5
            frequency *= 2.0
        out[n] = total / weight
    return out


@njit(cache=True, nogil=True)
def _cells(points: FloatArray, seed: int) -> FloatArray:
    out = np.zeros((len(points), 3))
    for n in range(len(points)):
        i, j, k = (
            math.floor(points[n, 0]),
            math.floor(points[n, 1]),
            math.floor(points[n, 2]),
        )
        first, second, owner = 1e9, 1e9, 0.0
        for a in range(i - 1, i + 2):
            for b in range(j - 1, j + 2):
                for c in range(k - 1, k + 2):
                    dx = a + _hash_unit(a, b, c, seed) - points[n, 0]
                    dy = b + _hash_unit(a, b, c, seed + 1) - points[n, 1]
                    dz = c + _hash_unit(a, b, c, seed + 2) - points[n, 2]
                    squared = dx * dx + dy * dy + dz * dz
                    if squared < first:
                        second = first
                        first = squared
                        owner = _hash_unit(a, b, c, seed + 3)
                    elif squared < second:
                        second = squared
        out[n, 0] = math.sqrt(first)
        out[n, 1] = math.sqrt(second)
        out[n, 2] = owner
    return out


@njit(cache=True, nogil=True)
def _lattice(x: IntArray, y: IntArray, z: IntArray, seed: int) -> FloatArray:
    out = np.zeros(len(x))
    for n in range(len(x)):
        out[n] = _hash_unit(x[n], y[n], z[n], seed)
    return out


def fractal_noise(points: FloatArray, seed: int, octaves: int = 1) -> FloatArray:
    """Value noise of unit wavelength at `points` (N, 3), each further octave half the size and weight; (N,)."""
    return np.asarray(_fractal(np.ascontiguousarray(points, dtype=np.float64), seed, max(octaves, 1)))


def cell_noise(points: FloatArray, seed: int) -> tuple[FloatArray, FloatArray, FloatArray]:
    """One feature point per unit cell: distances to the nearest and the next one and a number of the nearest, (N,)."""
    found = _cells(np.ascontiguousarray(points, dtype=np.float64), seed)
    return found[:, 0], found[:, 1], found[:, 2]


def lattice_noise(x: FloatArray, y: FloatArray, z: FloatArray, seed: int) -> FloatArray:
    """One number per integer lattice point; `x`, `y`, `z` (N,) are floored coordinates."""
    return np.asarray(_lattice(x.astype(np.int64), y.astype(np.int64), z.astype(np.int64), seed))
