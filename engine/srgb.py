"""sRGB by tables, built from products and quotients so that every machine holds the same ones."""

from __future__ import annotations

from functools import cache

import numpy as np
from numpy.typing import NDArray

ENCODE_STEPS = 16384


def _decode(value: float) -> float:
    """IEC 61966-2-1: sRGB in [0, 1] to linear light."""
    if value <= 0.04045:
        return value / 12.92
    base = (value + 0.055) / 1.055
    # base ** 2.4 is the fifth root of base ** 12, found by Newton's method.
    square = base * base
    power = square * square * square
    power *= power
    root = 1.0
    for _ in range(200):
        fourth = root * root * root * root
        following = (4.0 * root + power / fourth) / 5.0
        if following >= root:
            break
        root = following
    return root


@cache
def decode_table() -> NDArray[np.float64]:
    """(256,) float64: linear light of each 8-bit sRGB value."""
    table = np.array([_decode(code / 255.0) for code in range(256)])
    table.setflags(write=False)
    return table


@cache
def encode_table() -> NDArray[np.uint8]:
    """(16385,) uint8: 8-bit sRGB of linear light, indexed by rint(linear * 16384)."""
    borders = np.array([_decode((code + 0.5) / 255.0) for code in range(255)])
    table = np.searchsorted(borders, np.arange(ENCODE_STEPS + 1) / ENCODE_STEPS, side="right").astype(np.uint8)
    # Finer than the steps near black, the codes themselves must survive a round trip.
    table[np.rint(decode_table() * ENCODE_STEPS).astype(np.int64)] = np.arange(256, dtype=np.uint8)
    table.setflags(write=False)
    return table


def encode_srgb(linear: NDArray[np.float64]) -> NDArray[np.uint8]:
    """8-bit sRGB of linear light in any shape; clipped to [0, 1]."""
    steps = np.rint(np.clip(linear, 0.0, 1.0) * ENCODE_STEPS)
    return np.asarray(encode_table()[steps.astype(np.int64)])
