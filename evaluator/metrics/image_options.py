"""The named options of the metrics on pictures, with their defaults."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from schemas.base import Value

LpipsRange = Literal["signed", "unit"]
"""Range of the values that LPIPS is given: [-1, 1] as its weights were made for, or [0, 1] as some peers feed it."""


class ImageOptions(Value):
    """Named options of the metrics on pictures. Which pictures are compared is the caller's option `image`."""

    least_edit_px: Annotated[int, Field(ge=1)] = 50
    """A view with fewer pixels in the edited region has no value there."""
    silhouette_alpha: Annotated[int, Field(ge=1, le=255)] = 128
    """Coverage, of 255, from which a pixel belongs to the silhouette: half of it."""
    changed_levels: Annotated[int, Field(ge=0, le=254)] = 2
    """A pixel counts as changed when a channel, on black, moves by more than so many levels of 255."""
    least_changed_px: Annotated[int, Field(ge=1)] = 50
    """A view in which the target changes fewer pixels is left out of the retexture diagnosis."""
    lpips_range: LpipsRange = "signed"
