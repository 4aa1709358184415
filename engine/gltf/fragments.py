"""Pieces of a document ready to be composed: references resolved, nothing decoded, nothing copied."""

from __future__ import annotations

import hashlib
from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.gltf.bind_pose import deformed_geometry, is_deformed
from engine.gltf.document import Document
from engine.gltf.fields import Json
from engine.gltf.images import read_header
from engine.gltf.materials import material_source, texture_image
from engine.gltf.scene import find_part, scan_scene, transforms_of, triangle_primitives
from engine.gltf.structure import texture_places

ARRAY_BUFFER = 34962
ELEMENT_ARRAY_BUFFER = 34963
TRANSFORM_KEYS = ("matrix", "translation", "rotation", "scale")


@dataclass(eq=False)
class ViewSource:
    """The bytes of one buffer view; its hash is computed when first needed and kept."""

    data: memoryview | bytes = field(repr=False)
    stride: int = 0
    target: int = 0
    _sha256: bytes = b""

    @property
    def sha256(self) -> bytes:
        """SHA-256 of the bytes."""
        if not self._sha256:
            self._sha256 = hashlib.sha256(self.data).digest()
        return self._sha256


class AccessorSource(NamedTuple):
    """An accessor with its views in place of indices."""

    template: Json
    """The accessor as authored, without buffer view indices."""
    views: tuple[tuple[tuple[str, ...], ViewSource], ...]
    """(key path that holds `bufferView`, view)."""


class ImageSource(NamedTuple):
    """An encoded image and its descriptive fields."""

    view: ViewSource
    mime: str
    name: str


class TextureSource(NamedTuple):
    """A texture: its images by role, and its sampler."""

    image: ImageSource | None
    webp: ImageSource | None
    sampler: Json | None


class MaterialSource(NamedTuple):
    """A material object with textures in place of indices."""

    template: Json
    textures: tuple[tuple[tuple[str, ...], TextureSource], ...]
    """(key path of the textureInfo, texture)."""
    extensions: tuple[str, ...]


class PrimitiveSource(NamedTuple):
    """One triangle primitive."""

    attributes: tuple[tuple[str, AccessorSource], ...]
    indices: AccessorSource | None
    mode: int
    material: MaterialSource | None
    origin: Json
    """The primitive's JSON in its document."""


@dataclass(frozen=True, slots=True, eq=False)
class NodeSource:
    """One node of a fragment, with the transform as authored."""

    fields: Json
    """name and transform keys."""
    primitives: tuple[PrimitiveSource, ...]
    """Its mesh; empty for a node that only places others."""
    children: tuple[NodeSource, ...]
    part: int | None = None
    """Node index in the document for a node whose mesh is included."""


class Fragment(NamedTuple):
    """What one part, or one whole scene, adds under a slot's node."""

    roots: tuple[NodeSource, ...]
    extensions: tuple[str, ...]
    """Extensions of meshes and accessors that are used; those of materials are in the materials."""
    required: tuple[str, ...]
    """Extensions that the document requires; those that are used are required in the state too."""


def prepare_fragment(document: Document, node: str | None) -> Fragment:
    """The fragment of one part or, with None, of the whole default scene; remembered with the document.

    Only nodes that lead to included meshes are kept. Raises PartNotFoundError, GltfError.
    """
    key = ("fragment", node)
    if key not in document.memory:
        document.memory[key] = _prepare(document, node)
    fragment: Fragment = document.memory[key]
    return fragment


def _prepare(document: Document, node: str | None) -> Fragment:
    parts = scan_scene(document).parts if node is None else (find_part(document, node),)
    shown = {part.node_index for part in parts}
    placed = [part.node_index for part in parts if "skin" not in document.json["nodes"][part.node_index]]
    skinned = [part.node_index for part in parts if "skin" in document.json["nodes"][part.node_index]]
    wanted = {index for part in placed for index in transforms_of(document).chain(part)}
    roots = list(dict.fromkeys(transforms_of(document).chain(part)[0] for part in placed))
    trees = _build_trees(document, roots, wanted, shown)
    alone = [_mesh_node(document, index, {}, ()) for index in skinned]
    quantized = "KHR_mesh_quantization" in document.json.get("extensionsUsed", ())
    required = tuple(document.json.get("extensionsRequired", ()))
    return Fragment((*trees, *alone), ("KHR_mesh_quantization",) if quantized else (), required)


def _build_trees(document: Document, roots: list[int], wanted: set[int], shown: set[int]) -> tuple[NodeSource, ...]:
    """Nodes below `roots` that are wanted, built from the leaves up without recursion."""
    nodes = document.json.get("nodes", [])
    order: list[int] = []
    stack = list(reversed(roots))
    while stack:
        index = stack.pop()
        order.append(index)
        stack += [child for child in reversed(nodes[index].get("children", ())) if child in wanted]
    built: dict[int, NodeSource] = {}
    for index in reversed(order):
        children = tuple(built[child] for child in nodes[index].get("children", ()) if child in wanted)
        transform = {key: nodes[index][key] for key in TRANSFORM_KEYS if key in nodes[index]}
        if index in shown and "skin" not in nodes[index]:
            built[index] = _mesh_node(document, index, transform, children)
        else:
            built[index] = NodeSource(_named(nodes[index], transform), (), children)
    return tuple(built[root] for root in roots)


def _named(node: Json, fields: Json) -> Json:
    return {"name": node["name"], **fields} if node.get("name") else fields


def _mesh_node(document: Document, index: int, transform: Json, children: tuple[NodeSource, ...]) -> NodeSource:
    node = document.json["nodes"][index]
    mesh = document.json["meshes"][node["mesh"]]
    primitives = tuple(
        _primitive(document, primitive) if not is_deformed(document, node) else _static(document, node, primitive)
        for primitive in triangle_primitives(mesh)
    )
    return NodeSource(_named(node, transform), primitives, children, index)


def _is_kept(attribute: str) -> bool:
    """Joints and weights are meaningless without their skin; everything else goes on."""
    return not attribute.startswith(("JOINTS_", "WEIGHTS_"))


def _primitive(document: Document, primitive: Json) -> PrimitiveSource:
    attributes = primitive["attributes"]
    return PrimitiveSource(
        attributes=tuple((name, accessor_source(document, attributes[name])) for name in attributes if _is_kept(name)),
        indices=accessor_source(document, primitive["indices"]) if "indices" in primitive else None,
        mode=primitive.get("mode", 4),
        material=material_of(document, primitive.get("material")),
        origin=primitive,
    )


@np.errstate(invalid="ignore", over="ignore")  # composing does not judge vertices
def _static(document: Document, node: Json, primitive: Json) -> PrimitiveSource:
    """A skinned or morphed primitive with new positions and normals; tangents are dropped, the rest is untouched."""
    positions, normals = deformed_geometry(document, node, primitive)
    source = _primitive(document, primitive)
    replaced = {"POSITION": array_accessor(positions.astype("<f4"), "VEC3", bounds=True)}
    if normals is not None:
        replaced["NORMAL"] = array_accessor(normals.astype("<f4"), "VEC3")
    attributes = tuple((name, replaced.get(name, kept)) for name, kept in source.attributes if name != "TANGENT")
    return source._replace(attributes=attributes)


def view_source(document: Document, index: int) -> ViewSource:
    """One buffer view, the same object every time it is asked for."""
    views: dict[int, ViewSource] = document.memory.setdefault("views", {})
    if index not in views:
        view = document.json["bufferViews"][index]
        target = view.get("target", 0)
        target = target if target in {ARRAY_BUFFER, ELEMENT_ARRAY_BUFFER} else 0
        views[index] = ViewSource(document.view(index), view.get("byteStride", 0), target)
    return views[index]


def accessor_source(document: Document, index: int) -> AccessorSource:
    """One accessor as authored."""
    accessors: dict[int, AccessorSource] = document.memory.setdefault("accessors", {})
    if index not in accessors:
        accessor = document.json["accessors"][index]
        template = {key: value for key, value in accessor.items() if key not in {"bufferView", "extensions", "extras"}}
        views: list[tuple[tuple[str, ...], ViewSource]] = []
        if "bufferView" in accessor:
            views.append(((), view_source(document, accessor["bufferView"])))
        if "sparse" in accessor:
            sparse = {key: accessor["sparse"][key] for key in ("count", "indices", "values")}
            for part in ("indices", "values"):
                views.append((("sparse", part), view_source(document, sparse[part]["bufferView"])))
                sparse[part] = {key: value for key, value in sparse[part].items() if key != "bufferView"}
            template["sparse"] = sparse
        accessors[index] = AccessorSource(template, tuple(views))
    return accessors[index]


def array_accessor(
    values: NDArray[Any], kind: str, *, normalized: bool = False, bounds: bool = False
) -> AccessorSource:
    """An accessor over a new array: (N, components) attribute values, or (N,) indices."""
    codes = {"<i1": 5120, "|i1": 5120, "|u1": 5121, "<i2": 5122, "<u2": 5123, "<u4": 5125, "<f4": 5126}
    data = np.ascontiguousarray(values)
    size = data.itemsize * (data.shape[1] if data.ndim > 1 else 1)
    template: Json = {"componentType": codes[data.dtype.str], "count": len(data), "type": kind}
    if normalized:
        template["normalized"] = True
    finite = data[np.isfinite(data).reshape(len(data), -1).all(axis=1)] if bounds else data[:0]
    if len(finite):
        template["min"] = [float(value) for value in finite.min(axis=0)]
        template["max"] = [float(value) for value in finite.max(axis=0)]
    stride = 0
    if kind != "SCALAR" and size % 4:
        # attribute elements start at multiples of 4 bytes
        stride = size + -size % 4
        padded = np.zeros((len(data), stride), np.uint8)
        padded[:, :size] = data.view(np.uint8).reshape(len(data), size)
        data = padded
    target = ELEMENT_ARRAY_BUFFER if kind == "SCALAR" else ARRAY_BUFFER
    view = ViewSource(data.tobytes(), stride, target)
    return AccessorSource(template, (((), view),))


def image_source(document: Document, index: int) -> ImageSource:
    """One image; bytes from files and data URIs become views like all others."""
    images: dict[int, ImageSource] = document.memory.setdefault("image sources", {})
    if index not in images:
        image = document.json["images"][index]
        if "bufferView" in image:
            view = view_source(document, image["bufferView"])
            view = ViewSource(view.data) if view.stride or view.target else view
        else:
            view = ViewSource(document.image_bytes(index))
        header = read_header(view.data)
        mime = image.get("mimeType") or (header.mime if header is not None else "application/octet-stream")
        images[index] = ImageSource(view, mime, image.get("name", ""))
    return images[index]


def _texture_source(document: Document, index: int) -> TextureSource:
    texture = document.json["textures"][index]
    webp = texture.get("extensions", {}).get("EXT_texture_webp", {}).get("source")
    plain = texture.get("source")
    sampler = texture.get("sampler")
    return TextureSource(
        image_source(document, plain) if plain is not None else None,
        image_source(document, webp) if webp is not None else None,
        document.json["samplers"][sampler] if sampler is not None else None,
    )


def material_of(document: Document, index: int | None) -> MaterialSource | None:
    """One material, None for the default."""
    if index is None:
        return None
    materials: dict[Hashable, MaterialSource] = document.memory.setdefault("material sources", {})
    if index not in materials:
        template = material_source(document, index)
        found = [
            (keys, _texture_source(document, info["index"]) if _has_image(document, info["index"]) else None)
            for keys, info in texture_places(template)
        ]
        materials[index] = build_material(template, found)
    return materials[index]


def _has_image(document: Document, texture: int) -> bool:
    return texture_image(document, texture) is not None


def build_material(template: Json, textures: Sequence[tuple[tuple[str, ...], TextureSource | None]]) -> MaterialSource:
    """Separate a material object from its textures; a textureInfo without a usable image (None) is removed."""
    used = set(template.get("extensions", {}))
    stripped = dict(template)
    for keys, texture in textures:
        holder = stripped
        for key in keys[:-1]:
            holder[key] = dict(holder[key])
            holder = holder[key]
        info = holder.pop(keys[-1])
        if texture is None:
            continue
        moved = info.get("extensions", {}).get("KHR_texture_transform")
        kept = {key: value for key, value in info.items() if key not in {"extensions", "index"}}
        holder[keys[-1]] = kept if moved is None else {**kept, "extensions": {"KHR_texture_transform": moved}}
        used |= set() if moved is None else {"KHR_texture_transform"}
        used |= set() if texture.webp is None else {"EXT_texture_webp"}
    shown = tuple((keys, texture) for keys, texture in textures if texture is not None)
    return MaterialSource(stripped, shown, tuple(sorted(used)))
