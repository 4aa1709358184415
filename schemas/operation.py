"""The four operations, told apart by `op`."""

from __future__ import annotations

from typing import Annotated, Literal, get_args

from pydantic import Field

from schemas.base import Finite, Sha256, SlotId, Value
from schemas.part import PartRef
from schemas.placement import Placement

OpName = Literal["add", "remove", "replace", "retexture"]
OPS: tuple[OpName, ...] = get_args(OpName)
GROUND = "ground"
"""Reserved `attach_to`: the plane at the lowest point of the state."""


class TextureRef(Value):
    """A generated look, by content. All files lie in `assets/` beside the chain."""

    image: Sha256
    """PNG, 8-bit sRGB base colour."""
    uv: Sha256 | None = None
    """Unwrap asset when the part's own coordinates cannot carry the image; see engine.texture.unwrap."""
    base_color_factor: Annotated[tuple[Finite, Finite, Finite, Finite], Field(strict=False)] = (1.0, 1.0, 1.0, 1.0)
    metallic: Finite = Field(default=0.0, ge=0, le=1)
    roughness: Finite = Field(default=0.8, ge=0, le=1)
    double_sided: bool | None = None
    """Null keeps what the part says."""


class Add(Value):
    """A library part on a free face of a part, or on the ground; opens a new slot.

    A piece that was taken away comes back as an add of its part into its old slot.
    """

    op: Literal["add"] = "add"
    slot: SlotId
    label: str
    attach_to: SlotId
    part: PartRef
    placement: Placement
    texture: TextureRef | None = None
    """The look a returning piece had when it was taken away; null for the part's own."""


class Remove(Value):
    """The piece in a slot goes."""

    op: Literal["remove"] = "remove"
    slot: SlotId


class Replace(Value):
    """The piece in a slot is swapped for a library part on the same contact."""

    op: Literal["replace"] = "replace"
    slot: SlotId
    label: str
    part: PartRef
    placement: Placement


class Retexture(Value):
    """The look of a slot changes; its geometry does not."""

    op: Literal["retexture"] = "retexture"
    slot: SlotId
    material: str
    """The material in words: `dark oak wood`."""
    label: str | None = None
    """What the piece is called from now on; null keeps the old name."""
    texture: TextureRef


Operation = Annotated[Add | Remove | Replace | Retexture, Field(discriminator="op")]
