"""World-space geometry of fragments, for consumers that ignore node transforms."""

from __future__ import annotations

import numpy as np

from engine.geometry.similarity import compose, determinant, transform_points
from engine.gltf.accessors import assemble_triangles
from engine.gltf.affine import matrix_from_trs, transform_normals
from engine.gltf.fragments import AccessorSource, Fragment, NodeSource, PrimitiveSource, array_accessor
from engine.gltf.source_arrays import source_indices, source_values
from engine.surfaces import FloatArray


def bake_fragment(fragment: Fragment, world_from_part: FloatArray) -> Fragment:
    """Every mesh node as a root of its own with vertices in world space.

    Positions, normals and tangents become float32; everything else is passed on untouched.
    """
    roots: list[NodeSource] = []
    stack = [(world_from_part, root) for root in reversed(fragment.roots)]
    while stack:
        above, node = stack.pop()
        world = compose(above, node_matrix(node))
        if node.primitives:
            primitives = tuple(_bake_primitive(primitive, world) for primitive in node.primitives)
            named = {"name": node.fields["name"]} if "name" in node.fields else {}
            roots.append(NodeSource(named, primitives, (), node.part))
        stack += [(world, child) for child in reversed(node.children)]
    return Fragment(tuple(roots), fragment.extensions, fragment.required)


def node_matrix(node: NodeSource) -> FloatArray:
    """(4, 4) transform of a fragment's node; its numbers were checked when the document was read."""
    fields = node.fields
    if "matrix" in fields:
        return np.array([float(value) for value in fields["matrix"]]).reshape(4, 4).T.copy()
    return matrix_from_trs(
        [float(value) for value in fields.get("translation", (0, 0, 0))],
        [float(value) for value in fields.get("rotation", (0, 0, 0, 1))],
        [float(value) for value in fields.get("scale", (1, 1, 1))],
    )


@np.errstate(invalid="ignore", over="ignore")  # vertices that no face uses may be anything
def _bake_primitive(primitive: PrimitiveSource, world: FloatArray) -> PrimitiveSource:
    mirrored = determinant(world) < 0
    attributes = tuple((name, _bake_attribute(name, accessor, world)) for name, accessor in primitive.attributes)
    if not mirrored:
        return primitive._replace(attributes=attributes)
    corners = source_indices(primitive)
    faces = np.ascontiguousarray(assemble_triangles(corners, primitive.mode)[:, ::-1]).reshape(-1)
    indices = array_accessor(faces.astype("<u4"), "SCALAR")
    return primitive._replace(attributes=attributes, indices=indices, mode=4)


def _bake_attribute(name: str, accessor: AccessorSource, world: FloatArray) -> AccessorSource:
    if name == "POSITION":
        moved = transform_points(world, source_values(accessor))
        return array_accessor(moved.astype("<f4"), "VEC3", bounds=True)
    if name == "NORMAL":
        return array_accessor(transform_normals(world, source_values(accessor)).astype("<f4"), "VEC3")
    if name == "TANGENT":
        return _bake_tangent(accessor, world)
    return accessor


def _bake_tangent(accessor: AccessorSource, world: FloatArray) -> AccessorSource:
    """Tangents go with the surface; their handedness flips under a mirror."""
    values = source_values(accessor)
    turned = world.copy()
    turned[:3, 3] = 0.0
    moved = transform_points(turned, values[:, :3])
    length = np.sqrt(moved[:, 0] * moved[:, 0] + moved[:, 1] * moved[:, 1] + moved[:, 2] * moved[:, 2])
    unit = moved / np.where(length > 0, length, 1.0)[:, None]
    hand = values[:, 3:] * (-1.0 if determinant(world) < 0 else 1.0)
    return array_accessor(np.concatenate([unit, hand], axis=1).astype("<f4"), "VEC4")
