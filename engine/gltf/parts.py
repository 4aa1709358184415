"""Parts of a document: which there are, and their decoded surfaces."""

from __future__ import annotations

import numpy as np

from engine.geometry.similarity import determinant, transform_points
from engine.gltf.accessors import read_faces, read_float32, read_values
from engine.gltf.affine import transform_normals
from engine.gltf.bind_pose import deformed_geometry, is_deformed
from engine.gltf.document import Document
from engine.gltf.fields import Json
from engine.gltf.materials import MaterialReader, dropped_extensions
from engine.gltf.scene import PartNode, find_part, scan_scene, triangle_primitives
from engine.surfaces import Float32Array, FloatArray, IntArray, PartModel, Surface
from schemas.errors import GltfError

__all__ = ["PartNode", "list_part_nodes", "read_part"]


def list_part_nodes(document: Document) -> tuple[PartNode, ...]:
    """Mesh-bearing nodes of the default scene that hold triangles, depth first in file order.

    A mesh used by three nodes is three parts; a node's own mesh and its children's meshes are different parts.
    """
    return scan_scene(document).parts


@np.errstate(invalid="ignore", over="ignore")  # non-finite vertices are judged after decoding, faces in hand
def read_part(document: Document, node: str | None) -> PartModel:
    """Decode one part by its id, or with None the whole default scene as one part.

    Surfaces are in the file's world (see `Surface`). Raises GltfError for an index out of range or a non-finite
    vertex that a face uses, PartNotFoundError for an unknown id.
    """
    scan = scan_scene(document)
    parts = scan.parts if node is None else (find_part(document, node),)
    materials = MaterialReader(document)
    surfaces: list[Surface] = []
    warnings = [*document.warnings, *scan.warnings, *dropped_extensions(document)]
    for part in parts:
        mesh = document.json["meshes"][document.json["nodes"][part.node_index]["mesh"]]
        primitives = triangle_primitives(mesh)
        if len(primitives) < len(mesh["primitives"]):
            warnings.append(
                f"part {part.id!r}: {len(mesh['primitives']) - len(primitives)} primitives are no triangles"
            )
        surfaces += [_read_surface(document, part, primitive, materials) for primitive in primitives]
    return PartModel(tuple(surfaces), tuple(dict.fromkeys([*warnings, *materials.warnings])))


def _read_surface(document: Document, part: PartNode, primitive: Json, materials: MaterialReader) -> Surface:
    node = document.json["nodes"][part.node_index]
    attributes = primitive["attributes"]
    if is_deformed(document, node):
        positions, normals = deformed_geometry(document, node, primitive)
    else:
        positions = read_values(document, attributes["POSITION"])
        normals = read_values(document, attributes["NORMAL"]) if "NORMAL" in attributes else None
    faces = read_faces(document, primitive, len(positions), f"part {part.id!r}")
    positions = transform_points(part.world_matrix, positions)
    _check_finite(document, part, positions, faces)
    if determinant(part.world_matrix) < 0:
        faces = faces[:, ::-1]
    if normals is not None:
        normals = transform_normals(part.world_matrix, np.where(np.isfinite(normals), normals, 0.0))
    surface = Surface(
        positions=positions,
        faces=np.ascontiguousarray(faces),
        normals=normals,
        uvs=_read_uvs(document, attributes),
        colors=_read_colors(document, attributes),
        material=materials.read(primitive.get("material")),
    )
    for array in (surface.positions, surface.faces, surface.normals, surface.colors, *surface.uvs):
        if array is not None:
            array.setflags(write=False)
    return surface


def _check_finite(document: Document, part: PartNode, positions: FloatArray, faces: IntArray) -> None:
    bad = ~np.isfinite(positions).all(axis=1)
    if bad.any():
        used = faces[bad[faces]]  # the corners themselves, flattened
        if len(used):
            vertex = int(used.min())
            raise GltfError(document.path, f"part {part.id!r}: vertex {vertex} is not finite (NaN) and a face uses it")


def _read_uvs(document: Document, attributes: Json) -> tuple[Float32Array, ...]:
    uvs: list[Float32Array] = []
    while f"TEXCOORD_{len(uvs)}" in attributes:
        values = read_float32(document, attributes[f"TEXCOORD_{len(uvs)}"])
        uvs.append(np.where(np.isfinite(values), values, np.float32(0.0)))
    return tuple(uvs)


def _read_colors(document: Document, attributes: Json) -> Float32Array | None:
    if "COLOR_0" not in attributes:
        return None
    values = read_float32(document, attributes["COLOR_0"])
    alpha = values[:, 3:] if values.shape[1] == 4 else np.ones((len(values), 1), np.float32)  # RGBA
    colors = np.concatenate([values[:, :3], alpha], axis=1)
    return np.clip(np.where(np.isfinite(colors), colors, np.float32(0.0)), np.float32(0.0), np.float32(1.0))
