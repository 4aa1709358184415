"""Skins and morph targets as static geometry: the bind pose the joints give, the default weights."""

from __future__ import annotations

import numpy as np

from engine.geometry.similarity import compose
from engine.gltf.accessors import read_raw, read_values
from engine.gltf.affine import unit_rows
from engine.gltf.document import Document
from engine.gltf.fields import Json
from engine.gltf.scene import transforms_of
from engine.surfaces import FloatArray


def morph_weights(document: Document, node: Json) -> tuple[float, ...]:
    """Default weights of a mesh node; empty when all are zero (the mesh stands as stored)."""
    mesh = document.json["meshes"][node["mesh"]]
    counts = [len(primitive.get("targets", ())) for primitive in mesh.get("primitives", ())]
    holder = node if "weights" in node else mesh
    if "weights" not in holder or not any(counts):
        return ()
    weights = document.fields.numbers("weights", holder, "weights", (0.0,) * max(counts))
    return weights if any(weights) else ()


def is_deformed(document: Document, node: Json) -> bool:
    """Whether a mesh node stands elsewhere than its accessors say: skinned, or morphed by default."""
    return "skin" in node or bool(morph_weights(document, node))


def deformed_geometry(document: Document, node: Json, primitive: Json) -> tuple[FloatArray, FloatArray | None]:
    """Positions (V, 3) and unit normals (V, 3) or None of a primitive, morphed and skinned, in float64.

    For a skinned node they are in the file's world, else in the node's own frame. The values are rounded to float32:
    what is measured is what a state file holds.
    """
    positions, normals = _deform(document, node, primitive)
    rounded = positions.astype(np.float32).astype(np.float64)
    return rounded, None if normals is None else normals.astype(np.float32).astype(np.float64)


def _deform(document: Document, node: Json, primitive: Json) -> tuple[FloatArray, FloatArray | None]:
    attributes = primitive["attributes"]
    positions = read_values(document, attributes["POSITION"])
    normals = read_values(document, attributes["NORMAL"]) if "NORMAL" in attributes else None
    for weight, target in zip(morph_weights(document, node), primitive.get("targets", ()), strict=False):
        if weight and "POSITION" in target:
            positions = positions + weight * read_values(document, target["POSITION"])
        if weight and normals is not None and "NORMAL" in target:
            normals = normals + weight * read_values(document, target["NORMAL"])
    if normals is not None and morph_weights(document, node):
        normals = unit_rows(normals)
    if "skin" in node and "JOINTS_0" in attributes and "WEIGHTS_0" in attributes:
        return _skinned(document, document.json["skins"][node["skin"]], attributes, positions, normals)
    return positions, normals


def _joint_matrices(document: Document, skin: Json) -> FloatArray:
    """(J, 4, 4) from the mesh's stored frame to the file's world, per joint."""
    joints = skin["joints"]
    worlds = np.stack([transforms_of(document).world(joint) for joint in joints])
    if "inverseBindMatrices" not in skin:
        return worlds
    inverse = read_values(document, skin["inverseBindMatrices"])[: len(joints)].reshape(-1, 4, 4).transpose(0, 2, 1)
    return np.stack([compose(world, bind) for world, bind in zip(worlds, inverse, strict=True)])


def _skinned(
    document: Document, skin: Json, attributes: Json, positions: FloatArray, normals: FloatArray | None
) -> tuple[FloatArray, FloatArray | None]:
    """Blend the joint matrices per vertex with weights that sum to 1, and apply them."""
    matrices = _joint_matrices(document, skin)
    blended = np.zeros((len(positions), 4, 4))
    total = np.zeros(len(positions))
    number = 0
    while f"JOINTS_{number}" in attributes and f"WEIGHTS_{number}" in attributes:
        joints = read_raw(document, attributes[f"JOINTS_{number}"]).astype(np.int64)
        weights = read_values(document, attributes[f"WEIGHTS_{number}"])
        weights = np.where(np.isfinite(weights) & (weights > 0), weights, 0.0)
        used = joints[weights > 0]
        if len(used) and (int(used.max()) >= len(matrices) or int(used.min()) < 0):
            document.fields.refuse("skin", f"joint {int(used.max())} is out of range: there are {len(matrices)} joints")
        joints = np.where(weights > 0, joints, 0)
        for column in range(4):
            blended = blended + weights[:, column, None, None] * matrices[joints[:, column]]
            total = total + weights[:, column]
        number += 1
    blended = blended / np.where(total > 0, total, 1.0)[:, None, None]
    blended[total <= 0] = matrices[0]
    moved = _apply(blended, positions, 1.0)
    return moved, None if normals is None else unit_rows(_apply(_cofactors(blended), normals, 0.0))


def _apply(matrices: FloatArray, vectors: FloatArray, w: float) -> FloatArray:
    rows = [
        matrices[:, i, 0] * vectors[:, 0]
        + matrices[:, i, 1] * vectors[:, 1]
        + matrices[:, i, 2] * vectors[:, 2]
        + matrices[:, i, 3] * w
        for i in range(3)
    ]
    return np.stack(rows, axis=1)


def _cofactors(matrices: FloatArray) -> FloatArray:
    """Cofactor matrices of the upper left blocks, signed so that normals stay outside under a mirror."""
    result = np.zeros_like(matrices)
    for i in range(3):
        for j in range(3):
            a, b, c, d = (i + 1) % 3, (i + 2) % 3, (j + 1) % 3, (j + 2) % 3
            result[:, i, j] = matrices[:, a, c] * matrices[:, b, d] - matrices[:, a, d] * matrices[:, b, c]
    first = matrices[:, 0, 0] * result[:, 0, 0]
    determinants = first + matrices[:, 0, 1] * result[:, 0, 1] + matrices[:, 0, 2] * result[:, 0, 2]
    signed: FloatArray = result * np.where(determinants < 0, -1.0, 1.0)[:, None, None]
    return signed
