"""Writes one part as a binary glTF file: one mesh, one primitive per paint, images embedded."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.gltf.container import join_glb
from engine.gltf.seats import SEAT_KEY
from engine.starter.models import Piece
from engine.starter.paints import Paint
from engine.starter.shells import Shell, corner_normals
from engine.surfaces import Float32Array, FloatArray, IntArray
from schemas.codec import canonical

POSITION_STEP = 65536.0
"""Coordinates are rounded to 1 / POSITION_STEP of a length unit, which float32 holds exactly."""
DIRECTION_STEP = 16384.0
SEAT_STEP = 4096.0
"""Seats are measured, not drawn: fewer digits do."""
TARGET = {"vertices": 34962, "indices": 34963}


class Primitive(NamedTuple):
    """Arrays of one glTF primitive."""

    paint: Paint
    positions: Float32Array
    normals: Float32Array
    uvs: Float32Array
    indices: IntArray


def write_glb(pieces: Sequence[Piece], scale: float, centre: FloatArray, seat: Sequence[Shell] = ()) -> bytes:
    """Bytes of a GLB holding the pieces, mapped by (x - centre) * scale.

    seat: what the part is mounted on; described beside the part (`engine.gltf.seats`), not drawn.
    """
    buffer = bytearray()
    document: dict[str, Any] = {
        "asset": {"version": "2.0", "generator": "part-edit-chains starter library"},
        "scene": 0, "scenes": [{"nodes": [0]}], "nodes": [{"mesh": 0, "name": "part"}],
        "meshes": [{"name": "part", "primitives": []}],
        "accessors": [], "bufferViews": [], "materials": [], "images": [], "textures": [],
        "samplers": [{"magFilter": 9729, "minFilter": 9987, "wrapS": 10497, "wrapT": 10497}],
    }  # fmt: skip
    if seat:
        document["asset"]["extras"] = {SEAT_KEY: _describe_seat(seat, scale, centre)}
    for primitive in build_primitives(pieces, scale, centre):
        attributes = {
            "POSITION": _accessor(document, buffer, primitive.positions, "VEC3", bounded=True),
            "NORMAL": _accessor(document, buffer, primitive.normals, "VEC3"),
            "TEXCOORD_0": _accessor(document, buffer, primitive.uvs, "VEC2"),
        }
        kind = np.uint16 if len(primitive.positions) < 65535 else np.uint32
        indices = _accessor(document, buffer, primitive.indices.astype(kind), "SCALAR")
        document["meshes"][0]["primitives"].append(
            {"attributes": attributes, "indices": indices, "material": len(document["materials"]), "mode": 4}
        )
        _add_material(document, buffer, primitive.paint)
    document["buffers"] = [{"byteLength": len(buffer)}]
    return join_glb(canonical(document), [bytes(buffer)])


def _describe_seat(seat: Sequence[Shell], scale: float, centre: FloatArray) -> dict[str, Any]:
    """Vertices and faces of the seat's shells together, in the coordinates of the file."""
    starts = np.cumsum([0, *(len(shell.vertices) for shell in seat)])
    vertices = np.concatenate([np.rint((s.vertices - centre) * scale * SEAT_STEP) for s in seat]) / SEAT_STEP
    faces = np.concatenate([shell.faces + start for shell, start in zip(seat, starts[:-1], strict=True)])
    return {"vertices": (vertices + 0.0).tolist(), "faces": faces.tolist()}


def build_primitives(pieces: Sequence[Piece], scale: float, centre: FloatArray) -> list[Primitive]:
    """One primitive per paint, in order of first use; corners that agree in every attribute share a vertex."""
    groups: dict[Paint, list[Piece]] = {}
    for piece in pieces:
        groups.setdefault(piece.paint, []).append(piece)
    return [_primitive(paint, group, scale, centre) for paint, group in groups.items()]


def _primitive(paint: Paint, pieces: Sequence[Piece], scale: float, centre: FloatArray) -> Primitive:
    rows: list[NDArray[np.int64]] = []
    for number, piece in enumerate(pieces):
        shell = piece.shell
        positions = np.rint((shell.vertices - centre) * scale * POSITION_STEP)
        real = _real_faces(positions, shell.faces)
        faces = shell.faces[real]
        normals = np.rint(corner_normals(shell.vertices, faces, piece.crease) * DIRECTION_STEP)
        repeats = max(1.0, float(np.rint(shell.period / paint.tile))) / shell.period if shell.period else 1 / paint.tile
        uvs = np.rint(shell.uvs[real] * np.asarray([repeats, 1 / paint.tile]) * POSITION_STEP)
        corners = [positions[faces], normals, uvs, np.full((len(faces), 3, 1), float(number))]
        rows.append(np.concatenate(corners, axis=2).reshape(-1, 9).astype(np.int64))
    table = np.concatenate(rows)
    unique, first, inverse = np.unique(table, axis=0, return_index=True, return_inverse=True)
    order = np.argsort(first, kind="stable")
    rank = np.zeros(len(order), dtype=np.int64)
    rank[order] = np.arange(len(order))
    unique = unique[order]
    return Primitive(
        paint,
        (unique[:, 0:3] / POSITION_STEP).astype(np.float32),
        (unique[:, 3:6] / DIRECTION_STEP).astype(np.float32),
        (unique[:, 6:8] / POSITION_STEP).astype(np.float32),
        rank[inverse.reshape(-1)],
    )


def _real_faces(positions: FloatArray, faces: IntArray) -> NDArray[np.bool_]:
    """Faces whose three rounded corners differ; the others have closed up to an edge."""
    a, b, c = (positions[faces[:, k]] for k in range(3))
    return np.asarray((a != b).any(axis=1) & (b != c).any(axis=1) & (c != a).any(axis=1))


def _accessor(
    document: dict[str, Any], buffer: bytearray, array: NDArray[Any], kind: str, *, bounded: bool = False
) -> int:
    component = {"f4": 5126, "u2": 5123, "u4": 5125}[array.dtype.str[1:]]
    view = _view(document, buffer, array.tobytes(), TARGET["indices" if kind == "SCALAR" else "vertices"])
    accessor: dict[str, Any] = {"bufferView": view, "componentType": component, "count": len(array), "type": kind}
    if bounded:
        accessor["min"], accessor["max"] = array.min(axis=0).tolist(), array.max(axis=0).tolist()
    document["accessors"].append(accessor)
    return len(document["accessors"]) - 1


def _view(document: dict[str, Any], buffer: bytearray, data: bytes, target: int | None = None) -> int:
    view: dict[str, Any] = {"buffer": 0, "byteOffset": len(buffer), "byteLength": len(data)}
    if target is not None:
        view["target"] = target
    buffer += data + b"\0" * (-len(data) % 4)
    document["bufferViews"].append(view)
    return len(document["bufferViews"]) - 1


def _add_material(document: dict[str, Any], buffer: bytearray, paint: Paint) -> None:
    number = len(document["images"])
    document["images"].append({"bufferView": _view(document, buffer, paint.png()), "mimeType": "image/png"})
    document["textures"].append({"sampler": 0, "source": number})
    material: dict[str, Any] = {
        "name": paint.name,
        "pbrMetallicRoughness": {
            "baseColorTexture": {"index": number},
            "metallicFactor": paint.metallic,
            "roughnessFactor": paint.roughness,
        },
    }
    if paint.emissive:
        material["emissiveFactor"] = [paint.emissive] * 3
        material["emissiveTexture"] = {"index": number}
    document["materials"].append(material)
