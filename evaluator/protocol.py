"""The constants of the protocol, and its named options with their defaults.

Every score file states the options it was made with, so each lives here by name.
"""

from __future__ import annotations

from typing import Annotated, Final, Literal

from pydantic import Field

from engine.cells.sizes import MARGIN_CELLS, FrameRule
from schemas.base import Value

QUARTER: Final = 4
"""An own state must leave at least one in so many of the cells that the target changes still to be changed."""

IfSides = Literal["operation", "defined"]
"""Which sides of instruction following count: those that the operation needs, or whatever is defined."""
IfRule = Literal["harmonic", "min", "product", "geometric"]
"""How the two sides of a replacement are combined. Never the arithmetic mean: deleting alone would get one half."""


class VoxelOptions(Value):
    """Named options of the metrics on cells."""

    frame: FrameRule = "padded"
    dilate: Annotated[int, Field(ge=0, le=MARGIN_CELLS)] = 1
    """Cells, in all 26 directions, by which the named parts are grown to the edit region."""
    if_sides: IfSides = "operation"
    if_rule: IfRule = "harmonic"


class SurfaceOptions(Value):
    """Named options of the metrics on surfaces."""

    samples: Annotated[int, Field(ge=100, le=200_000)] = 20_000
    """Of the target; they set one density for both meshes of a turn."""


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


class PictureOptions(Value):
    """Named options of the pictures that are compared; they are metric images: cast rays, local shading."""

    image: Literal["metric"] = "metric"
    res: Annotated[int, Field(ge=32, le=4096)] = 512
    """Pixels a side."""
    supersample: Annotated[int, Field(ge=1, le=16)] = 4
    """Rays a pixel on each side."""
    dilate_px: Annotated[float, Field(ge=0.0, le=256.0)] = 6.0
    """Margin of an edit region in pixels of a picture of 512."""
    measured: ImageOptions = ImageOptions()


class Protocol(Value):
    """Everything that decides a score besides the chain and the outputs; written beside the scores."""

    version: Literal["protocol-2"] = "protocol-2"
    """Changes when a metric changes a number."""
    voxel: VoxelOptions = VoxelOptions()
    surface: SurfaceOptions = SurfaceOptions()
    pictures: PictureOptions | None = None
    """None: nothing is drawn, and scores of pictures are absent."""
