"""How transparent pixels of a render become colours before pictures are compared."""

from __future__ import annotations

from typing import Final, Literal

import numpy as np
from numpy.typing import NDArray

from schemas.errors import InputError

Backdrop = Literal["black", "white", "grey", "stored"]
_LEVELS: Final = {"black": 0, "white": 255, "grey": 127}


def flatten_alpha(picture: NDArray[np.uint8], backdrop: Backdrop) -> NDArray[np.uint8]:
    """Lay a straight-alpha picture (H, W, 4) over a backdrop, rounding to the nearest level; (H, W, 3) is returned.

    `stored` drops the alpha and shows whatever colour the file holds under transparent pixels.

    Raises:
        InputError: the picture has no alpha.

    """
    if picture.ndim != 3 or picture.shape[2] != 4:
        raise InputError(f"flatten: a picture of shape {picture.shape}, needs (H, W, 4)")
    colours = picture[..., :3]
    if backdrop == "stored":
        return np.ascontiguousarray(colours)
    alpha = picture[..., 3:].astype(np.int64)
    # Integers only: 2 (c a + b (255 - a)) + 255 over 510, rounded down, is the nearest level.
    mixed = colours * alpha + _LEVELS[backdrop] * (255 - alpha)
    return np.asarray((2 * mixed + 255) // 510, dtype=np.uint8)
