"""Noise against plain Python integers and brute force."""

from __future__ import annotations

import math

import numpy as np

from engine.texture.noise import cell_noise, fractal_noise, lattice_noise

_MASK = (1 << 64) - 1


def _hash_oracle(x: int, y: int, z: int, seed: int) -> float:
    h = (x * 0x9E3779B97F4A7C15 & _MASK) ^ (y * 0xC2B2AE3D27D4EB4F & _MASK) ^ (z * 0x165667B19E3779F9 & _MASK) ^ seed
    h = (h ^ (h >> 30)) * 0xBF58476D1CE4E5B9 & _MASK
    h = (h ^ (h >> 27)) * 0x94D049BB133111EB & _MASK
    return ((h ^ (h >> 31)) >> 11) * 2.0**-53


def test_lattice_noise_equals_python_integers() -> None:
    """The 64-bit hash wraps as arbitrary-precision arithmetic modulo 2 ** 64 does, also below zero."""
    cells = np.random.default_rng(1).integers(-1000, 1000, size=(50, 3)).astype(np.float64)
    expected = [_hash_oracle(int(x), int(y), int(z), 77) for x, y, z in cells]
    assert lattice_noise(cells[:, 0], cells[:, 1], cells[:, 2], 77).tolist() == expected


def test_fractal_noise_meets_the_lattice_and_is_continuous() -> None:
    """One octave takes the lattice value at lattice points and moves little between near points."""
    cells = np.random.default_rng(2).integers(-20, 20, size=(40, 3)).astype(np.float64)
    assert np.array_equal(fractal_noise(cells, 5), lattice_noise(cells[:, 0], cells[:, 1], cells[:, 2], 5))
    points = np.random.default_rng(3).uniform(-9, 9, size=(2000, 3))
    step = fractal_noise(points + 1e-4, 5, 3) - fractal_noise(points, 5, 3)
    assert np.abs(step).max() < 2e-3
    values = fractal_noise(points, 5, 4)
    assert 0.0 <= values.min() < 0.3
    assert 0.7 < values.max() <= 1.0


def test_cell_noise_finds_the_nearest_of_all_feature_points() -> None:
    """The nearest feature point by brute force over 5 x 5 x 5 cells is the one reported."""
    points = np.random.default_rng(4).uniform(-5, 5, size=(30, 3))
    near, far, owner = cell_noise(points, 9)
    for n, point in enumerate(points):
        base = [math.floor(v) for v in point]
        found = []
        for a in range(base[0] - 2, base[0] + 3):
            for b in range(base[1] - 2, base[1] + 3):
                for c in range(base[2] - 2, base[2] + 3):
                    feature = [k + _hash_oracle(a, b, c, 9 + d) for d, k in enumerate((a, b, c))]
                    found.append((math.dist(feature, point), _hash_oracle(a, b, c, 12)))
        found.sort()
        assert abs(found[0][0] - near[n]) < 1e-12
        assert found[0][1] == owner[n]
        assert near[n] <= far[n]
