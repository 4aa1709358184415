"""Named random streams: every draw says whose it is."""

from __future__ import annotations

import hashlib

import numpy as np


def generator_for(seed: int, *names: str | int) -> np.random.Generator:
    """A PCG64 generator whose stream depends only on `seed` and `names`."""
    text = "\x1f".join([str(seed), *map(str, names)])
    return np.random.Generator(np.random.PCG64(int.from_bytes(hashlib.sha256(text.encode()).digest()[:16], "big")))
