"""Pictures as they are compared: laid on black, in integers, and the regions they are compared in."""

from __future__ import annotations

from typing import Generic, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from engine.surfaces import BoolArray
from schemas.errors import InputError
from schemas.score import Undefined

FULL = 255 * 255
"""A colour channel times its coverage: so many steps are 1.0."""
Picture = NDArray[np.uint8]
"""(H, W, 4) uint8 sRGB with straight coverage, or (H, W, 3) where everything is covered; row 0 at the top."""
Levels = NDArray[np.int32]
Item = TypeVar("Item")


class OnBlack(NamedTuple):
    """A picture laid on black. Whatever colour lies under empty pixels is gone."""

    levels: Levels
    """(H, W, 3) in 0..FULL: colour times coverage, without rounding."""
    alpha: NDArray[np.uint8]
    """(H, W) coverage."""


class ByRegion(NamedTuple, Generic[Item]):
    """One item for each region of a view."""

    edit: Item
    """E: where the edit may show."""
    unchanged: Item
    """U: the other pixels."""
    whole: Item
    """W: all pixels."""


def lay_on_black(picture: Picture) -> OnBlack:
    """Lay a picture on black, exactly. Raises InputError when it is no picture of 8 bits with 3 or 4 channels."""
    if picture.dtype != np.uint8 or picture.ndim != 3 or picture.shape[2] not in (3, 4) or picture.size == 0:
        raise InputError(
            f"picture of shape {picture.shape} and type {picture.dtype}: needs (H, W, 4) or (H, W, 3) uint8, not empty"
        )
    colour = picture[..., :3].astype(np.int32)
    if picture.shape[2] == 3:
        return OnBlack(colour * 255, np.full(picture.shape[:2], 255, dtype=np.uint8))
    alpha = np.ascontiguousarray(picture[..., 3])
    return OnBlack(colour * alpha[..., None].astype(np.int32), alpha)


def show_on_black(picture: Picture) -> Picture:
    """The picture on black with 8 bits a channel, rounded to the nearest level, as networks see it; (H, W, 3)."""
    return round_levels(lay_on_black(picture).levels)


def round_levels(levels: Levels) -> Picture:
    """Levels (H, W, 3) in 0..FULL as 8 bits a channel, the nearest."""
    rounded: Picture = ((2 * levels + 255) // 510).astype(np.uint8)
    return rounded


def check_same_size(where: str, *pictures: OnBlack | BoolArray) -> None:
    """Raise InputError, beginning with `where`, unless all pictures and masks have one height and width."""
    sizes = [picture.shape if isinstance(picture, np.ndarray) else picture.alpha.shape for picture in pictures]
    if any(size != sizes[0] for size in sizes):
        raise InputError(f"{where}: sizes differ: " + ", ".join("x".join(map(str, size)) for size in sizes))


def split_regions(edit: BoolArray, least_edit_px: int) -> ByRegion[BoolArray | Undefined]:
    """Pixels of each region, (H, W) bool, or why the view has no value there. E and U cover the view between them."""
    seen = int(np.count_nonzero(edit))
    own: BoolArray | Undefined = edit
    if seen < least_edit_px:
        own = Undefined(reason=f"the edited region has {seen} pixels in this view, {least_edit_px} are needed")
    rest: BoolArray | Undefined = ~edit
    if seen == edit.size:
        rest = Undefined(reason="the edited region fills this view")
    return ByRegion(own, rest, np.ones_like(edit))
