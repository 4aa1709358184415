"""Pictures of one state of a chain: what was drawn, with which cameras and settings, as `pictures.json`."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from schemas.base import SCHEMA_VERSION, Identifier, Sha256, Value
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


class ImageFile(Value):
    """One picture of one view: RGBA, 8 bit, sRGB, colours not multiplied by alpha, empty pixels all zero."""

    kind: ImageKind
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


class TurnPictures(Value):
    """The pictures of the state after one turn; written last, so whoever finds it finds them all."""

    schema_version: str = SCHEMA_VERSION
    chain: Identifier
    turn: int = Field(ge=0)
    state_sha256: Sha256
    before_sha256: Sha256 | None = None
    """Of the state before the turn, which the regions look at too; null for the host."""
    rig: Rig
    resolution_px: int = Field(ge=1)
    views: Annotated[tuple[int, ...], Field(strict=False)]
    metric: MetricSettings | None = None
    """Null when no metric image was asked for."""
    conditioning: CyclesSettings | None = None
    has_readout: bool = False
    """Whether ids, depth, normals, coverage and masks lie beside, see `readout.json`."""
    images: Annotated[tuple[ImageFile, ...], Field(strict=False)]
    regions: Annotated[tuple[RegionFile, ...], Field(strict=False)] = ()
    """Empty for the host."""
