"""Pictures of one state of a chain: what was drawn, with which cameras and settings, as `pictures.json`."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from schemas.base import SCHEMA_VERSION, Finite, Identifier, Sha256, Value
from schemas.chain import Rig

ImageKind = Literal["metric", "conditioning"]
"""Metric: local shading by ray casting, what scores compare. Conditioning: Cycles, what methods and people see."""
IMAGE_KINDS: tuple[ImageKind, ...] = ("metric", "conditioning")


class MetricSettings(Value):
    """Everything that decides a metric image besides state, camera and size."""

    version: Literal["metric-1"] = "metric-1"
    """Changes when the ray caster or its shading changes a pixel."""
    supersample: int = Field(default=4, ge=1, le=16)
    """Rays a pixel on each side."""


class CyclesSettings(Value):
    """Everything that decides a conditioning image besides state, camera and size."""

    version: Literal["cycles-1"] = "cycles-1"
    """Changes with every other constant of the renderer."""
    blender: str = "5.0.1"
    """The release these pictures are reproducible with; a worker with another one refuses."""
    light: str = "studio-1"
    """The light environment."""
    samples: int = Field(default=16, ge=1, le=65536)
    """Paths for each pixel."""
    denoise: bool = True
    """Open Image Denoise, quality HIGH, prefilter FAST; alpha is never denoised."""
    non_metallic: bool = False
    """Every material loses its metallic part."""


class RegionSettings(Value):
    """Everything that decides an edit region besides states, slots, camera and size."""

    version: Literal["region-1"] = "region-1"
    supersample: int = Field(default=4, ge=1, le=16)
    """Rays a pixel on each side, those of the metric image."""
    dilate_px: Finite = Field(default=6.0, ge=0.0)
    """Margin in pixels of a picture of 512."""


class ImageFile(Value):
    """One picture of one view: RGBA, 8 bit, sRGB, colours not multiplied by alpha, empty pixels all zero."""

    view: int = Field(ge=0)
    file: str
    pixels_sha256: Sha256
    """Of `<height>x<width>x4`, a line feed, and the decoded pixels row by row."""


class RegionFile(Value):
    """The region of a turn's edit in one view: 255 where a named part is seen in either state, 128 in the margin."""

    view: int = Field(ge=0)
    file: str
    visible_px: int = Field(ge=0)
    dilated_px: int = Field(ge=0)
    """With the visible ones."""
    sha256: Sha256
    """Of the file's bytes."""


class MetricImages(Value):
    """Metric images and what they were drawn with."""

    settings: MetricSettings
    images: Annotated[tuple[ImageFile, ...], Field(strict=False)]


class ConditioningImages(Value):
    """Conditioning images and what they were drawn with."""

    settings: CyclesSettings
    images: Annotated[tuple[ImageFile, ...], Field(strict=False)]


class EditRegions(Value):
    """Edit regions and what they were found with."""

    settings: RegionSettings
    images: Annotated[tuple[RegionFile, ...], Field(strict=False)]


class ReadoutFile(Value):
    """A file of a readout: its record, or a picture that names."""

    file: str
    sha256: Sha256
    """Of the file's bytes."""


class ReadoutPictures(Value):
    """The readout that lies beside."""

    views: Annotated[tuple[int, ...], Field(strict=False)]
    images: Annotated[tuple[ReadoutFile, ...], Field(strict=False)]


class TurnPictures(Value):
    """The pictures of the state after one turn; written last, so whoever finds it finds them all."""

    schema_version: str = SCHEMA_VERSION
    chain: Identifier
    turn: int = Field(ge=0)
    state_sha256: Sha256
    before_sha256: Sha256 | None = None
    """Of the state before the turn, which the regions look at too; null for the host."""
    rig: Rig
    """Without its search: it says where the cameras stand, not why."""
    resolution_px: int = Field(ge=1)
    metric: MetricImages | None = None
    conditioning: ConditioningImages | None = None
    regions: EditRegions | None = None
    """Null for the host."""
    readout: ReadoutPictures | None = None
