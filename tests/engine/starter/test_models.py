"""What the parts are as solids and how they sit in their objects, measured with manifold3d as an independent judge."""

from __future__ import annotations

from functools import cache
from typing import Any, NamedTuple

import manifold3d
import numpy as np
import pytest

from engine.starter.catalogue import HOSTS, list_models
from engine.starter.glb_writer import build_primitives
from engine.starter.library import measure_frame
from engine.starter.models import Model, ModelPart
from engine.starter.shells import corner_normals

MODELS = list_models()
HOST_MODELS = MODELS[: len(HOSTS)]
LONE_MODELS = MODELS[len(HOSTS) :]
PAIRS = list(zip(HOST_MODELS[0::2], HOST_MODELS[1::2], strict=True))
TOUCH_REL = 0.01
OVERLAP = 0.025


class Seat(NamedTuple):
    """A solid part: its union, box and share of volume inside the other parts."""

    solid: Any
    low: np.ndarray
    high: np.ndarray
    overlap: float


def solid_of(part: ModelPart) -> Any:
    """Union of a part's shells; every shell must be a closed manifold with positive volume."""
    total = manifold3d.Manifold()
    for piece in part.pieces:
        solid = manifold3d.Manifold(manifold3d.Mesh64(piece.shell.vertices, piece.shell.faces.astype(np.uint64)))
        assert solid.status() == manifold3d.Error.NoError, part.phrase
        assert solid.volume() > 0, part.phrase
        total += solid
    return total


@cache
def solids(name: str) -> tuple[Any, ...]:
    """The solids of an object's parts."""
    model = next(m for m in MODELS if m.name == name)
    return tuple(solid_of(part) for part in model.parts)


def diagonal(model: Model) -> float:
    """Diagonal of an object's box."""
    frame = measure_frame(model)
    return float(np.linalg.norm(frame.high - frame.low))


@pytest.mark.parametrize("model", MODELS, ids=lambda m: m.name)
def test_parts_are_closed_and_without_debris(model: Model) -> None:
    """Every shell is closed and faces outward; loose shells lie within 0.02 of the part's diagonal of another."""
    for part, solid in zip(model.parts, solids(model.name), strict=True):
        pieces = solid.decompose()
        box = np.asarray(solid.bounding_box())
        size = float(np.linalg.norm(box[3:] - box[:3]))
        joined = {0}
        frontier = [0]
        while frontier:
            here = frontier.pop()
            for other in set(range(len(pieces))) - joined:
                if pieces[here].min_gap(pieces[other], 0.021 * size) < 0.02 * size:
                    joined.add(other)
                    frontier.append(other)
        assert len(joined) == len(pieces), part.phrase


@pytest.mark.parametrize("model", HOST_MODELS, ids=lambda m: m.name)
def test_hosts_hang_together_without_burying_parts(model: Model) -> None:
    """Parts touch within 0.01 D in one connected piece, and no part lies in others by more than 2.5 % of itself."""
    parts, size = solids(model.name), diagonal(model)
    boxes = [np.asarray(solid.bounding_box()) for solid in parts]
    overlap = np.zeros(len(parts))
    touching: dict[int, set[int]] = {k: set() for k in range(len(parts))}
    reach = TOUCH_REL * size
    for i in range(len(parts)):
        for j in range(i + 1, len(parts)):
            apart = np.maximum(boxes[i][:3] - boxes[j][3:], boxes[j][:3] - boxes[i][3:])
            if apart.max() > reach:
                continue
            shared = (parts[i] ^ parts[j]).volume()
            overlap[i] += shared / parts[i].volume()
            overlap[j] += shared / parts[j].volume()
            if shared > 0 or parts[i].min_gap(parts[j], 1.1 * reach) < reach:
                touching[i].add(j)
                touching[j].add(i)
    seen, frontier = {0}, [0]
    while frontier:
        for other in touching[frontier.pop()] - seen:
            seen.add(other)
            frontier.append(other)
    assert len(seen) == len(parts)
    assert float(overlap.max()) < OVERLAP, model.parts[int(overlap.argmax())].phrase


@pytest.mark.parametrize("model", [model for model in LONE_MODELS if not model.seat], ids=lambda m: m.name)
def test_single_parts_stand_upright(model: Model) -> None:
    """The centroid of the surface lies inside the footprint by at least 0.05 of the height."""
    part = model.parts[0]
    corners = np.concatenate([piece.shell.vertices[piece.shell.faces] for piece in part.pieces])
    area = np.linalg.norm(np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]), axis=1)
    centre = (corners.mean(axis=1) * area[:, None]).sum(axis=0) / area.sum()
    points = corners.reshape(-1, 3)
    low, height = points[:, 1].min(), np.ptp(points[:, 1])
    foot = points[points[:, 1] < low + 0.03 * height][:, (0, 2)]
    hull = manifold3d.CrossSection.hull_points(foot).to_polygons()[0]
    edge = np.roll(hull, -1, axis=0) - hull
    inward = np.stack([-edge[:, 1], edge[:, 0]], axis=1) / np.linalg.norm(edge, axis=1)[:, None]
    margin = float(((centre[[0, 2]] - hull) * inward).sum(axis=1).min())
    assert margin > 0.05 * height


@pytest.mark.parametrize("pair", PAIRS, ids=lambda p: p[0].category)
def test_variants_share_sizes_and_shapes(pair: tuple[Model, Model]) -> None:
    """Most parts of one variant have a part of the other with a similar share, similar shape and other triangles."""
    first, second = pair

    def boxes(model: Model) -> np.ndarray:
        low_high = np.asarray([solid.bounding_box() for solid in solids(model.name)])
        return (low_high[:, 3:] - low_high[:, :3]) / diagonal(model)

    ours, theirs = boxes(first), boxes(second)
    assert len(ours) == len(theirs)
    size = np.linalg.norm(ours, axis=1) / np.linalg.norm(theirs, axis=1)
    shape = np.abs(np.log(ours / theirs) - np.log(size)[:, None]).max(axis=1)
    fits = (size > 0.7) & (size < 1.4) & (shape < np.log(2.0))
    assert fits.mean() >= 0.75
    faces = [[sum(len(p.shell.faces) for p in part.pieces) for part in model.parts] for model in pair]
    assert sum(a != b for a, b in zip(*faces, strict=True)) >= 0.6 * len(faces[0])


@pytest.mark.parametrize("model", MODELS[::7], ids=lambda m: m.name)
def test_normals_are_unit_and_agree_with_faces(model: Model) -> None:
    """Written normals are unit vectors on the outer side of their triangles; UVs and positions are finite."""
    frame = measure_frame(model)
    for part in model.parts:
        for primitive in build_primitives(part.pieces, frame.scale, frame.centre):
            assert np.abs(np.linalg.norm(primitive.normals, axis=1) - 1).max() < 1e-3
            assert np.isfinite(primitive.uvs).all()
            corners = primitive.positions[primitive.indices.reshape(-1, 3)].astype(np.float64)
            face = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
            length = np.linalg.norm(face, axis=1)
            normals = primitive.normals[primitive.indices.reshape(-1, 3)]
            along = (normals * (face / np.maximum(length, 1e-30)[:, None])[:, None, :]).sum(axis=2)
            assert (along[length > 1e-7] > 0.5).mean() > 0.99


def test_a_crease_separates_and_a_smooth_edge_joins() -> None:
    """Two faces at a right angle keep their own normals under a narrow crease and share one under a wide one."""
    vertices = np.asarray([[0.0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, -1]])
    faces = np.asarray([[0, 1, 2], [1, 0, 3]])
    sharp = corner_normals(vertices, faces, 0.5)
    assert np.array_equal(sharp[0], [[0, 0, 1]] * 3)
    soft = corner_normals(vertices, faces, -0.5)
    assert np.array_equal(soft[0, 0], soft[1, 1])
    assert not np.array_equal(soft[0, 0], soft[0, 2])
