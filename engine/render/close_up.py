"""The camera of a close-up: near what a mask marks in the picture of another camera."""

from __future__ import annotations

import numpy as np

from engine.framing import Camera, aim_camera
from engine.surfaces import BoolArray

ROOM = 1.9
"""Side of a close-up over the longer side of what it shows."""
LEAST_SHARE = 0.16
"""A close-up never shows less than this share of the frame: smaller, one no longer sees where the part hangs."""


def aim_at_mask(camera: Camera, mask: BoolArray) -> Camera:
    """Aim at the middle of the box of a mask (size, size) with at least one pixel set, with some room around it."""
    rows, columns = np.flatnonzero(mask.any(axis=1)), np.flatnonzero(mask.any(axis=0))
    side = mask.shape[0]
    left, right, top, bottom = int(columns[0]), int(columns[-1]) + 1, int(rows[0]), int(rows[-1]) + 1
    share = max(LEAST_SHARE, min(1.0, ROOM * max(right - left, bottom - top) / side))
    return aim_camera(camera, (left + right) / side - 1.0, 1.0 - (top + bottom) / side, share)
