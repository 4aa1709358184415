"""What a state is composed of: parts with a pose and, where retextured, a look of their own."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from engine.gltf.document import Document
from engine.gltf.unwrap_asset import UvAsset
from engine.surfaces import FloatArray
from schemas.base import IDENTITY_POSE
from schemas.codec import canonical


@dataclass(frozen=True, slots=True)
class PieceSource:
    """One part: a document and a part id in it, or None for the whole default scene."""

    document: Document
    node: str | None = None


@dataclass(frozen=True)
class TextureOverride:
    """The look of a retextured piece: one base colour image with factors."""

    image_png: bytes = field(repr=False)
    uv: UvAsset | None = None
    """New coordinates; None uses the parts' own TEXCOORD_0."""
    base_color_factor: tuple[float, float, float, float] = (1.0, 1.0, 1.0, 1.0)
    metallic: float = 0.0
    roughness: float = 1.0
    double_sided: bool | None = None
    """None keeps what each primitive's own material says."""

    @cached_property
    def digest(self) -> str:
        """SHA-256 over everything that this look is."""
        image = hashlib.sha256(self.image_png).hexdigest()
        uv = self.uv.sha256 if self.uv is not None else None
        factors = [list(self.base_color_factor), self.metallic, self.roughness, self.double_sided]
        return hashlib.sha256(canonical([image, uv, factors])).hexdigest()


@dataclass(frozen=True, slots=True)
class ComposedPiece:
    """One slot of a state."""

    slot: str
    world_from_part: tuple[float, ...]
    """16 numbers, row by row: a similarity from part coordinates to the state's world."""
    parts: tuple[PieceSource, ...]
    texture: TextureOverride | None = None

    @property
    def matrix(self) -> FloatArray:
        """(4, 4) float64 `world_from_part`."""
        return np.array(self.world_from_part, dtype=np.float64).reshape(4, 4)

    @property
    def is_at_rest(self) -> bool:
        """Whether the pose is exactly the identity."""
        return tuple(self.world_from_part) == IDENTITY_POSE
