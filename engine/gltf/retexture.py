"""Giving a piece a new look: one material, and new texture coordinates where asked; geometry stays as it is."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.geometry.similarity import determinant
from engine.gltf.accessors import read_faces, read_raw
from engine.gltf.bind_pose import deformed_geometry, is_deformed
from engine.gltf.box_coordinates import project_missing
from engine.gltf.document import Document
from engine.gltf.fields import Json
from engine.gltf.fragments import (
    Fragment,
    ImageSource,
    MaterialSource,
    NodeSource,
    PrimitiveSource,
    TextureSource,
    ViewSource,
    array_accessor,
    build_material,
    prepare_fragment,
)
from engine.gltf.parts import read_part
from engine.gltf.pieces import PieceSource, TextureOverride
from engine.gltf.scene import find_part, scan_scene, transforms_of, triangle_primitives
from engine.gltf.unwrap_asset import PrimitiveUv
from engine.surfaces import IntArray
from schemas.errors import InputError

_KEPT_LOOK = ("alphaMode", "alphaCutoff", "doubleSided")
GEOMETRY = ("POSITION", "NORMAL")


def override_template(source: Json, override: TextureOverride) -> Json:
    """The new material object of a primitive whose own is `source`; its texture index is still 0."""
    template: Json = {
        "pbrMetallicRoughness": {
            "baseColorFactor": list(override.base_color_factor),
            "baseColorTexture": {"index": 0},
            "metallicFactor": override.metallic,
            "roughnessFactor": override.roughness,
        },
        **{key: source[key] for key in _KEPT_LOOK if key in source},
    }
    if override.double_sided is not None:
        template["doubleSided"] = override.double_sided
    return template


def retexture_parts(parts: Sequence[PieceSource], override: TextureOverride) -> list[Fragment]:
    """Fragments of the parts of one piece under a new look.

    A primitive without coordinates gets those of its box when no UV asset brings any. Raises InputError when the UV
    asset does not fit the parts.
    """
    texture = TextureSource(ImageSource(ViewSource(override.image_png), "image/png", ""), None, None)
    unwraps: Iterator[PrimitiveUv | None] | None = iter(override.uv.primitives) if override.uv is not None else None
    fragments = []
    for part in parts:
        fragment = prepare_fragment(part.document, part.node)
        assigned = _assign_unwraps(part, _missing_coordinates(part) if unwraps is None else unwraps)
        renewal = _Renewal(part.document, override, texture, assigned)
        fragments.append(fragment._replace(roots=map_nodes(fragment.roots, renewal.primitives)))
    if unwraps is not None and next(unwraps, None) is not None:
        raise InputError("UV asset: it has more primitives than the piece has surfaces")
    return fragments


def _primitives_of(part: PieceSource) -> list[tuple[int, list[Json]]]:
    """Part nodes with their triangle primitives, in the order of `read_part`'s surfaces."""
    document = part.document
    nodes = scan_scene(document).parts if part.node is None else (find_part(document, part.node),)
    meshes = [(node.node_index, document.json["nodes"][node.node_index]["mesh"]) for node in nodes]
    return [(index, triangle_primitives(document.json["meshes"][mesh])) for index, mesh in meshes]


def _missing_coordinates(part: PieceSource) -> Iterator[PrimitiveUv | None]:
    """Coordinates for primitives that have none, None for the others; decodes only when there is such a primitive."""
    primitives = [primitive for _, found in _primitives_of(part) for primitive in found]
    if all("TEXCOORD_0" in primitive["attributes"] for primitive in primitives):
        return iter([None] * len(primitives))
    return iter(project_missing(read_part(part.document, part.node).surfaces))


def _assign_unwraps(part: PieceSource, unwraps: Iterator[PrimitiveUv | None]) -> dict[int, list[PrimitiveUv | None]]:
    """Per part node, the new coordinates of its primitives, taken in the order of `read_part`'s surfaces."""
    assigned: dict[int, list[PrimitiveUv | None]] = {}
    for index, primitives in _primitives_of(part):
        needed = len(primitives)
        assigned[index] = list(itertools.islice(unwraps, needed))
        if len(assigned[index]) < needed:
            raise InputError("UV asset: it has fewer primitives than the piece has surfaces")
    return assigned


class _Renewal(NamedTuple):
    """How the primitives of one part's nodes get their new look."""

    document: Document
    override: TextureOverride
    texture: TextureSource
    unwraps: dict[int, list[PrimitiveUv | None]]
    """Per part node, new coordinates of its primitives; None keeps TEXCOORD_0."""

    def primitives(self, node: NodeSource) -> tuple[PrimitiveSource, ...]:
        """The node's primitives with the new look."""
        renewed = []
        for number, primitive in enumerate(node.primitives):
            own = primitive.material.template if primitive.material is not None else {}
            places = [(("pbrMetallicRoughness", "baseColorTexture"), self.texture)]
            material = build_material(override_template(own, self.override), places)
            unwrap = self.unwraps[node.part][number] if node.part is not None else None
            if node.part is None or unwrap is None:
                renewed.append(_keep_uv(primitive, material))
            else:
                renewed.append(self._unwrapped(node.part, primitive, unwrap, material))
        return tuple(renewed)

    def _unwrapped(
        self, index: int, primitive: PrimitiveSource, unwrap: PrimitiveUv, material: MaterialSource
    ) -> PrimitiveSource:
        """New vertices are copies of old ones; the triangles keep their corners' positions and normals."""
        document, node = self.document, self.document.json["nodes"][index]
        vertices = document.json["accessors"][primitive.origin["attributes"]["POSITION"]]["count"]
        faces = read_faces(document, primitive.origin, vertices, f"node {index}")
        mirrored = "skin" not in node and determinant(transforms_of(document).world(index)) < 0
        step = -1 if mirrored else 1
        check_unwrap(unwrap, faces[:, ::step], vertices)
        attributes = [
            (name, array_accessor(values[unwrap.vertex_map], "VEC3", normalized=normalized, bounds=name == "POSITION"))
            for name, values, normalized in _stored_geometry(document, node, primitive.origin)
        ]
        attributes.append(("TEXCOORD_0", array_accessor(unwrap.uv.astype("<f4"), "VEC2")))
        indices = array_accessor(np.ascontiguousarray(unwrap.faces[:, ::step], "<u4").reshape(-1), "SCALAR")
        return PrimitiveSource(tuple(attributes), indices, 4, material, primitive.origin)


def _stored_geometry(document: Document, node: Json, origin: Json) -> list[tuple[str, NDArray[Any], bool]]:
    """(attribute, values as stored, normalised) of positions and normals; deformed meshes give their static ones."""
    if is_deformed(document, node):
        positions, normals = deformed_geometry(document, node, origin)
        found: list[tuple[str, NDArray[Any], bool]] = [("POSITION", positions.astype("<f4"), False)]
        return found if normals is None else [("NORMAL", normals.astype("<f4"), False), *found]
    indices = {name: origin["attributes"][name] for name in ("NORMAL", "POSITION") if name in origin["attributes"]}
    return [
        (name, read_raw(document, index), bool(document.json["accessors"][index].get("normalized", False)))
        for name, index in indices.items()
    ]


def check_unwrap(unwrap: PrimitiveUv, faces: IntArray, vertices: int) -> None:
    """The new faces must be the old ones through the vertex map. Raises InputError."""
    if len(unwrap.vertex_map) and int(unwrap.vertex_map.max()) >= vertices:
        raise InputError(f"UV asset: old vertex {int(unwrap.vertex_map.max())} of {vertices}")
    if unwrap.faces.shape != faces.shape or not np.array_equal(unwrap.vertex_map[unwrap.faces], faces):
        raise InputError(f"UV asset: its {len(unwrap.faces)} faces are not the {len(faces)} faces of the surface")


def _keep_uv(primitive: PrimitiveSource, material: MaterialSource) -> PrimitiveSource:
    """Geometry and first UV set untouched; colours would tint the image and are dropped."""
    attributes = tuple(entry for entry in primitive.attributes if entry[0] in {*GEOMETRY, "TEXCOORD_0"})
    return primitive._replace(attributes=attributes, material=material)


def map_nodes(
    roots: Sequence[NodeSource], renew: Callable[[NodeSource], tuple[PrimitiveSource, ...]]
) -> tuple[NodeSource, ...]:
    """The same trees with other primitives, built from the leaves up without recursion."""
    order: list[NodeSource] = []
    stack = list(roots)
    while stack:
        node = stack.pop()
        order.append(node)
        stack += node.children
    built: dict[int, NodeSource] = {}
    for node in reversed(order):
        children = tuple(built[id(child)] for child in node.children)
        built[id(node)] = NodeSource(node.fields, renew(node), children, node.part)
    return tuple(built[id(root)] for root in roots)
