"""The node hierarchy of a document: world matrices, and which nodes are parts."""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from engine.geometry.similarity import compose
from engine.gltf.affine import matrix_from_trs
from engine.gltf.document import Document
from engine.gltf.fields import Fields, Json
from engine.gltf.structure import TRIANGLE_MODES
from engine.surfaces import FloatArray
from schemas.errors import GltfError, PartNotFoundError

MAX_ID_BYTES = 120
"""Ids become file names: longer ones are cut and end with a hash of the whole name."""
_UNSAFE = re.compile(r"[\\/:*?\"<>|#\x00-\x1f\x7f-\x9f]")
QUATERNION_SLACK = 1e-3


class Transforms:
    """Local and world matrices of a document's nodes, computed when asked for.

    Holds the JSON but not the document, so that a document is freed as soon as nobody uses it.
    """

    def __init__(self, fields: Fields) -> None:
        self._fields = fields
        self._nodes = fields.table("nodes")
        self.parents = {child: index for index, node in enumerate(self._nodes) for child in node.get("children", ())}
        self._worlds: dict[int, FloatArray] = {}

    def is_skinned(self, index: int) -> bool:
        """Whether the node's own transform is ignored because its joints place it."""
        return "skin" in self._nodes[index]

    def local(self, index: int) -> FloatArray:
        """(4, 4) transform of one node as authored."""
        fields, node, where = self._fields, self._nodes[index], f"nodes[{index}]"
        if "matrix" in node:
            return np.array(fields.numbers(where, node, "matrix", (0.0,) * 16)).reshape(4, 4).T.copy()
        return matrix_from_trs(
            fields.numbers(where, node, "translation", (0.0, 0.0, 0.0)),
            fields.numbers(where, node, "rotation", (0.0, 0.0, 0.0, 1.0)),
            fields.numbers(where, node, "scale", (1.0, 1.0, 1.0)),
        )

    def chain(self, index: int) -> tuple[int, ...]:
        """Node indices from the root down to `index`."""
        chain = [index]
        while chain[-1] in self.parents:
            chain.append(self.parents[chain[-1]])
        return tuple(reversed(chain))

    def world(self, index: int) -> FloatArray:
        """(4, 4) transform from a node to the file's world, products taken from the root down."""
        for node in self.chain(index):
            if node not in self._worlds:
                local = self.local(node)
                above = self.parents.get(node)
                self._worlds[node] = local if above is None else compose(self._worlds[above], local)
        return self._worlds[index]


@dataclass(frozen=True)
class PartNode:
    """One mesh-bearing node of the default scene."""

    id: str
    """Stable, unique in the file, valid as an identifier and as a file name."""
    name: str
    """The name in the file, unchanged; empty when it has none."""
    node_index: int
    triangles: int
    """Triangles by the accessors' counts."""
    transforms: Transforms = field(repr=False, compare=False)

    @cached_property
    def world_matrix(self) -> FloatArray:
        """(4, 4) float64; the identity for a skinned node, whose own transform the format ignores."""
        return np.eye(4) if self.transforms.is_skinned(self.node_index) else self.transforms.world(self.node_index)


@dataclass(frozen=True, slots=True)
class SceneScan:
    """What the default scene holds."""

    parts: tuple[PartNode, ...]
    ignored: tuple[tuple[str, str], ...]
    """(name, reason) of mesh nodes without triangles."""
    warnings: tuple[str, ...]


def transforms_of(document: Document) -> Transforms:
    """The transforms of a document's nodes, remembered with it."""
    if "transforms" not in document.memory:
        document.memory["transforms"] = Transforms(document.fields)
    transforms: Transforms = document.memory["transforms"]
    return transforms


def scene_roots(document: Document) -> tuple[int, ...]:
    """Root nodes of the default scene: `scene`, else the first scene, else every node without a parent."""
    scenes = document.json.get("scenes", [])
    if scenes:
        return tuple(scenes[document.json.get("scene", 0)].get("nodes", ()))
    parents = transforms_of(document).parents
    return tuple(index for index in range(len(document.fields.table("nodes"))) if index not in parents)


def scene_nodes(document: Document) -> tuple[int, ...]:
    """All nodes of the default scene, depth first, children in file order."""
    order: list[int] = []
    stack = list(reversed(scene_roots(document)))
    while stack:
        index = stack.pop()
        order.append(index)
        stack += reversed(document.json["nodes"][index].get("children", ()))
    return tuple(order)


def triangle_primitives(mesh: Json) -> list[Json]:
    """Primitives of a mesh that hold triangles and positions, in file order."""
    return [
        primitive
        for primitive in mesh.get("primitives", ())
        if primitive.get("mode", 4) in TRIANGLE_MODES and "POSITION" in primitive.get("attributes", {})
    ]


def count_triangles(document: Document, primitive: Json) -> int:
    """Triangles of one primitive by its accessor's count."""
    index = primitive["indices"] if "indices" in primitive else primitive["attributes"]["POSITION"]
    corners: int = document.json["accessors"][index]["count"]
    return corners // 3 if primitive.get("mode", 4) == 4 else max(corners - 2, 0)  # TRIANGLES


def scan_scene(document: Document) -> SceneScan:
    """Parts and ignored nodes of the default scene, remembered with the document.

    Raises GltfError when the scene has more triangles than the budget.
    """
    if "scan" not in document.memory:
        document.memory["scan"] = _scan(document)
    scan: SceneScan = document.memory["scan"]
    return scan


def _scan(document: Document) -> SceneScan:
    parts: list[PartNode] = []
    ignored: list[tuple[str, str]] = []
    warnings: list[str] = [] if document.json.get("scenes") else ["the file has no scene: all root nodes are read"]
    taken: dict[str, int] = {}
    total = 0
    for index in scene_nodes(document):
        node = document.json["nodes"][index]
        warnings += _node_warnings(document, index, node)
        if "mesh" not in node:
            continue
        name = node.get("name", "")
        mesh = document.json["meshes"][node["mesh"]]
        triangles = sum(count_triangles(document, primitive) for primitive in triangle_primitives(mesh))
        if not triangle_primitives(mesh):
            ignored.append((name or f"node{index}", "has points or lines only"))
            continue
        total += triangles
        base = make_id(name) or f"node{index}"
        taken[base] = taken.get(base, 0) + 1
        unique = base if taken[base] == 1 else f"{base}#{taken[base]}"
        parts.append(PartNode(unique, name, index, triangles, transforms_of(document)))
    if total > document.budget.max_triangles:
        raise GltfError(document.path, f"{total} triangles in the scene, the budget is {document.budget.max_triangles}")
    return SceneScan(tuple(parts), tuple(ignored), tuple(warnings))


def _node_warnings(document: Document, index: int, node: Json) -> list[str]:
    found = []
    if "rotation" in node:
        x, y, z, w = document.fields.numbers(f"nodes[{index}]", node, "rotation", (0.0, 0.0, 0.0, 1.0))
        length = x * x + y * y + z * z + w * w
        if abs(length - 1.0) > QUATERNION_SLACK:
            found.append(f"node {index} {node.get('name', '')!r:.80}: rotation is no unit quaternion ({length:g})")
    found += [
        f"node {index} {node.get('name', '')!r:.80}: extension {name:.100} is ignored"
        for name in sorted(node.get("extensions", {}))
        if name in {"EXT_mesh_gpu_instancing", "KHR_node_visibility"}
    ]
    return found


def make_id(name: str) -> str:
    """A name as an identifier: path and control characters become `_`, long names end with a hash; may be empty."""
    safe = _UNSAFE.sub("_", name).strip(". ")
    if len(safe.encode()) <= MAX_ID_BYTES:
        return safe
    head = safe.encode()[: MAX_ID_BYTES - 9].decode(errors="ignore")
    return f"{head}~{hashlib.sha256(name.encode()).hexdigest()[:8]}"


def find_part(document: Document, node_id: str) -> PartNode:
    """The part with the given id. Raises PartNotFoundError naming the file and up to ten ids that exist."""
    parts: dict[str, PartNode] | None = document.memory.get("by_id")
    if parts is None:
        parts = document.memory["by_id"] = {part.id: part for part in scan_scene(document).parts}
    if node_id not in parts:
        known = ", ".join(list(parts)[:10])
        raise PartNotFoundError(f"{document.path}: no part {node_id!r:.200} in the default scene; there are: {known}")
    return parts[node_id]
