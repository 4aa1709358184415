"""Readouts: boxes, masks, depth and cameras of one state of a chain, view by view.

Pixels are counted from the top left corner; column x and row y of a picture cover [x, x + 1) times [y, y + 1).
"""

from __future__ import annotations

from typing import Annotated

from pydantic import Field, model_validator

from schemas.base import SCHEMA_VERSION, Finite, Identifier, Sha256, SlotId, Value, Vec3

Count = Annotated[int, Field(ge=0)]


class PixelBox(Value):
    """A tight box of whole pixels, as COCO has it: columns x to x + width - 1, rows y to y + height - 1."""

    x: Count
    y: Count
    width: int = Field(ge=1)
    height: int = Field(ge=1)


class RunLengths(Value):
    """A mask as COCO's uncompressed run lengths."""

    size: Annotated[tuple[Count, Count], Field(strict=False)]
    """Height and width of the picture."""
    counts: Annotated[tuple[Count, ...], Field(strict=False)]
    """Pixels outside, inside, outside and so on, column by column from the top left; only the first may be 0."""

    @model_validator(mode="after")
    def _check_sum(self) -> RunLengths:
        pixels = self.size[0] * self.size[1]
        if sum(self.counts) != pixels:
            raise ValueError(
                f"counts sum to {sum(self.counts)}, a mask of {self.size[0]} x {self.size[1]} has {pixels}"
            )
        if 0 in self.counts[1:]:
            raise ValueError(f"counts[{self.counts.index(0, 1)}] is 0: only the first run may be empty")
        return self


class MaskReadout(Value):
    """Pixels of one slot in one view."""

    pixels: Count
    box: PixelBox | None = None
    """Null when there is no pixel."""
    mask: RunLengths

    @model_validator(mode="after")
    def _check_pixels(self) -> MaskReadout:
        inside = sum(self.mask.counts[1::2])
        if inside != self.pixels or (self.box is None) != (inside == 0):
            raise ValueError(f"pixels is {self.pixels}, the mask has {inside} and box is {self.box}")
        return self


class SlotView(Value):
    """One slot in one view."""

    id: int = Field(ge=1)
    visible: MaskReadout
    """Pixels in whose centre the slot's is the first surface that is not fully clear."""
    amodal: MaskReadout
    """Pixels in which the slot would be seen if it stood alone."""
    nearest: Finite | None = None
    """Least camera depth of the visible pixels, world units; null when there are none."""
    farthest: Finite | None = None
    """Largest camera depth of the visible pixels."""


class CameraReadout(Value):
    """A pinhole camera in world coordinates (glTF axes).

    A point p has depth d = (p - position).forward and is seen at column fx * (p - position).right / d + cx and row
    cy - fy * (p - position).up / d.
    """

    position: Vec3
    right: Vec3
    up: Vec3
    forward: Vec3
    fov_deg: Finite
    """Field of view of the whole picture, across and upright alike."""
    fx: Finite
    """Focal lengths and principal point in pixels."""
    fy: Finite
    cx: Finite
    cy: Finite


class ViewReadout(Value):
    """One view of the state and the files that hold its pictures."""

    view: Count
    camera: CameraReadout
    slots: Annotated[tuple[SlotView, ...], Field(strict=False)]
    """One for each slot of the state, by id."""
    ids_png: str
    """16-bit greyscale: the id of the slot that is seen, 0 where nothing is."""
    alpha_png: str
    """8-bit greyscale: coverage of each pixel, 16 rays a pixel."""
    depth_exr: str
    """One float32 channel Z: distance along the camera's forward axis in world units, infinite where nothing is."""
    normals_exr: str
    """Float32 channels N.X, N.Y, N.Z: unit shading normal in world axes towards the camera, zero where nothing is."""


class SlotLabel(Value):
    """A slot of the state and its number in pictures."""

    id: int = Field(ge=1)
    """The same in every state of the chain: the host's slots in their order, then added ones by turn."""
    slot: SlotId
    label: str


class Readout(Value):
    """What can be read off one state of a chain, as `readout.json`."""

    schema_version: str = SCHEMA_VERSION
    chain: Identifier
    turn: Count
    state_sha256: Sha256
    resolution_px: int = Field(ge=1)
    slots: Annotated[tuple[SlotLabel, ...], Field(strict=False)]
    """By id."""
    views: Annotated[tuple[ViewReadout, ...], Field(strict=False)]

    @model_validator(mode="after")
    def _check_ids(self) -> Readout:
        ids = [entry.id for entry in self.slots]
        if ids != sorted(set(ids)):
            raise ValueError(f"slot ids must rise, found {ids}")
        for entry in self.views:
            if [slot.id for slot in entry.slots] != ids:
                raise ValueError(f"view {entry.view}: its slots are not those of the state, by id")
        return self
