"""Decoded geometry and materials of parts: what rendering, texturing, measuring and hashing read.

These values are read-only views for computation. What a state file holds is composed from the parts' own bytes
(engine.gltf.compose), never from these.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

import numpy as np
from numpy.typing import NDArray

FloatArray = NDArray[np.float64]
Float32Array = NDArray[np.float32]
IntArray = NDArray[np.int64]
BoolArray = NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class ImageData:
    """An encoded image as it lies in the file."""

    sha256: str
    mime: str
    data: bytes = field(repr=False)


@dataclass(frozen=True, slots=True)
class TextureSlot:
    """One use of an image by a material, with its sampler and KHR_texture_transform."""

    image: ImageData
    uv_set: int = 0
    offset: tuple[float, float] = (0.0, 0.0)
    rotation: float = 0.0
    scale: tuple[float, float] = (1.0, 1.0)
    wrap_s: int = 10497
    wrap_t: int = 10497
    nearest: bool = False


@dataclass(frozen=True, slots=True)
class Material:
    """A glTF 2.0 metallic-roughness material with the format's defaults."""

    name: str = ""
    base_color_factor: tuple[float, float, float, float] = (1.0, 1.0, 1.0, 1.0)
    metallic: float = 1.0
    roughness: float = 1.0
    emissive: tuple[float, float, float] = (0.0, 0.0, 0.0)
    base_color: TextureSlot | None = None
    metallic_roughness: TextureSlot | None = None
    emissive_texture: TextureSlot | None = None
    normal_texture: TextureSlot | None = None
    occlusion_texture: TextureSlot | None = None
    alpha_mode: Literal["OPAQUE", "MASK", "BLEND"] = "OPAQUE"
    alpha_cutoff: float = 0.5
    double_sided: bool = False
    unlit: bool = False
    digest: str = ""
    """SHA-256 of the material's canonical JSON with image hashes in place of image indices."""


@dataclass(frozen=True, slots=True)
class Surface:
    """One triangle primitive in part coordinates; all arrays read-only.

    Part coordinates are the world coordinates of the part's own file. Node transforms (also mirrored and sheared
    ones) are applied in float64, elementwise; mirrored nodes have their triangle winding flipped so that faces stay
    outward; normals go by the inverse transpose and are renormalised.
    """

    positions: FloatArray
    """(V, 3) float64."""
    faces: IntArray
    """(F, 3) int64, every index below V."""
    normals: FloatArray | None
    """(V, 3) float64, unit; None when the file has none (flat shading)."""
    uvs: tuple[Float32Array, ...]
    """TEXCOORD_n, each (V, 2) float32."""
    colors: Float32Array | None
    """COLOR_0 as (V, 4) float32 linear in [0, 1]."""
    material: Material


@dataclass(frozen=True, slots=True)
class PartModel:
    """All triangle primitives of one part, in file order."""

    surfaces: tuple[Surface, ...]
    warnings: tuple[str, ...] = ()

    def merged(self) -> tuple[FloatArray, IntArray]:
        """All positions (V, 3) and faces (F, 3) as one soup, in file order."""
        if not self.surfaces:
            return np.zeros((0, 3)), np.zeros((0, 3), dtype=np.int64)
        offsets = np.cumsum([0, *(len(s.positions) for s in self.surfaces[:-1])])
        return (
            np.concatenate([s.positions for s in self.surfaces]),
            np.concatenate([s.faces + o for s, o in zip(self.surfaces, offsets, strict=True)]),
        )
