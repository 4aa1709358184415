"""Masks as run lengths, the way COCO writes them uncompressed, and boxes around them."""

from __future__ import annotations

import numpy as np

from engine.surfaces import BoolArray
from schemas.readout import PixelBox, RunLengths


def encode_mask(mask: BoolArray) -> RunLengths:
    """Run lengths of a (H, W) mask, column by column, beginning with pixels outside."""
    height, width = mask.shape
    flat = mask.reshape(-1, order="F")
    turns = np.flatnonzero(flat[1:] != flat[:-1]) + 1
    ends = np.concatenate([[0], turns, [len(flat)]])
    counts = np.diff(ends).tolist()
    if len(flat) and flat[0]:
        counts.insert(0, 0)
    return RunLengths(size=(height, width), counts=tuple(counts))


def decode_mask(runs: RunLengths) -> BoolArray:
    """The (H, W) mask of run lengths."""
    inside = np.arange(len(runs.counts)) % 2 == 1
    flat = np.repeat(inside, np.asarray(runs.counts, dtype=np.int64))
    return flat.reshape(runs.size, order="F")


def find_box(mask: BoolArray) -> PixelBox | None:
    """The tight box of a (H, W) mask; None when it has no pixel."""
    rows, columns = np.flatnonzero(mask.any(axis=1)), np.flatnonzero(mask.any(axis=0))
    if len(rows) == 0:
        return None
    left, top = int(columns[0]), int(rows[0])
    return PixelBox(x=left, y=top, width=int(columns[-1]) - left + 1, height=int(rows[-1]) - top + 1)
