"""How large a foreign glTF file may be."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Budget:
    """Limits on one foreign file; passing one is a refusal that says which."""

    max_bytes: int = 2 << 30
    """All files of the document together."""
    max_json_bytes: int = 128 << 20
    max_triangles: int = 2_000_000
    """Triangles of the default scene, shared meshes counted at every node."""
    max_elements: int = 12_000_000
    """Elements of one accessor."""
    max_nodes: int = 100_000
    max_depth: int = 1_000
    """Levels of the node hierarchy."""
    max_images: int = 4_096
    max_image_pixels: int = 8_192 * 8_192


DEFAULT_BUDGET = Budget()
