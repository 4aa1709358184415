"""The port every texturer fills: a piece and a material in words in, a content-addressed look out."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Protocol

from engine.gltf.unwrap_asset import UvAsset
from engine.surfaces import Surface


@dataclass(frozen=True, slots=True)
class TextureAsset:
    """A look as the log refers to it; geometry is never part of it."""

    image_png: bytes = field(repr=False)
    """PNG, 8-bit RGB, sRGB base colour."""
    uv: UvAsset | None
    """None: the image belongs to TEXCOORD_0 as it is in the parts."""
    base_color_factor: tuple[float, float, float, float]
    """Linear, multiplied into the image."""
    metallic: float
    roughness: float
    double_sided: bool | None
    """None keeps what the part says."""


class Texturer(Protocol):
    """Gives a piece another look without touching its geometry."""

    def texture(self, surfaces: tuple[Surface, ...], material: str, seed: int, scale: float) -> TextureAsset:
        """Texture `surfaces` (part coordinates) as `material`, a phrase such as `dark walnut wood`.

        `scale` is the diagonal of the host in the units of the part coordinates: the diagonal in the world divided by
        the scale of the piece's pose. Equal arguments give equal bytes.
        Raises InputError for an unknown material, a scale that is not positive, or surfaces without triangles.
        """
        ...
