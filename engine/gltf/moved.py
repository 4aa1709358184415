"""A whole file under one more transform, nothing else changed."""

from __future__ import annotations

from pathlib import Path

from engine.gltf.compose import encode_json
from engine.gltf.container import join_glb, split_container
from engine.gltf.document import Document, read_document
from engine.gltf.fields import Json
from engine.gltf.scene import scene_roots, transforms_of
from schemas.base import Matrix4, check_similarity
from schemas.errors import GeometryError, GltfError

_SOURCE = Path("output.glb")
"""What errors call a file that is only bytes."""


def move_glb(data: bytes, world_from_output: Matrix4) -> bytes:
    """One GLB of the same scene under a node that carries a similarity; the binary chunk is not touched.

    The default scene moves, and with it the joints of its skins wherever they hang, since it is they that place a
    skinned mesh. A root that other scenes show too gets a node of its own there and here, so that they keep what they
    show. A scene without nodes stays as it is.

    Raises:
        GeometryError: the matrix (row by row) is no similarity.
        GltfError: the bytes are no sound glTF file, or it needs other files.

    """
    try:
        check_similarity(world_from_output)
    except ValueError as error:
        raise GeometryError(f"moving a file: {error}") from error
    document = read_alone(data)
    roots = _find_moved_roots(document)
    gltf = dict(document.json)
    if roots:
        nodes, scenes = list(gltf["nodes"]), [dict(scene) for scene in gltf.get("scenes", ())]
        shared = any(set(roots) & set(scene.get("nodes", ())) for scene in _other_scenes(gltf, scenes))
        above: dict[int, int] = {}
        for group in [[root] for root in roots] if shared else [list(roots)]:
            above.update(dict.fromkeys(group, len(nodes)))
            matrix = [world_from_output[4 * row + column] for column in range(4) for row in range(4)]
            nodes.append({"children": group, "matrix": matrix})
        for scene in scenes:
            if "nodes" in scene:
                scene["nodes"] = list(dict.fromkeys(above.get(node, node) for node in scene["nodes"]))
        gltf["nodes"] = nodes
        if scenes:
            gltf["scenes"] = scenes
    binary = split_container(data, _SOURCE).binary
    return join_glb(encode_json(gltf), [] if binary is None else [binary])


def read_alone(data: bytes) -> Document:
    """Read a file that is only bytes. Raises GltfError when it is not sound or needs other files."""
    document = read_document(_SOURCE, data=data)
    if document.files:
        raise GltfError(_SOURCE, f"needs {document.files[0].name}: a file that is moved or stripped stands alone")
    return document


def _other_scenes(gltf: Json, scenes: list[Json]) -> list[Json]:
    return [scene for index, scene in enumerate(scenes) if index != gltf.get("scene", 0)]


def _find_moved_roots(document: Document) -> tuple[int, ...]:
    """Roots of the default scene, and those above the joints that its meshes follow."""
    nodes, transforms = document.json.get("nodes", []), transforms_of(document)
    roots = list(scene_roots(document))
    stack = list(reversed(roots))
    while stack:
        node = nodes[stack.pop()]
        stack += reversed(node.get("children", ()))
        if "skin" in node and "mesh" in node:
            roots += [transforms.chain(joint)[0] for joint in document.json["skins"][node["skin"]]["joints"]]
    return tuple(dict.fromkeys(roots))
