"""Scenes for the ray caster: each piece prepared once, in world coordinates, with its own ray structure.

One ray structure for each piece, not one for all: what a ray meets on a piece then never depends on the other pieces,
so an edit leaves every pixel it does not touch bit for bit the same, and pieces that stay can be kept between states.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cache
from typing import Any, Literal

import numpy as np
from embreex import rtcore
from embreex.mesh_construction import TriangleMesh
from embreex.rtcore_scene import EmbreeScene
from numpy.typing import NDArray

from engine.geometry.angles import turn_of_radians
from engine.geometry.similarity import transform_points
from engine.surface_order import order_surfaces
from engine.surfaces import FloatArray, IntArray, Surface, TextureSlot

TextureUse = Literal["base_color", "metallic_roughness", "emissive_texture", "normal_texture"]
TEXTURE_USES: tuple[TextureUse, ...] = ("base_color", "metallic_roughness", "emissive_texture", "normal_texture")


@dataclass(frozen=True, slots=True, eq=False)
class RenderPiece:
    """What stands in one slot: surfaces in part coordinates and the matrix that places them in the world."""

    slot: str
    surfaces: tuple[Surface, ...]
    matrix: FloatArray = field(default_factory=lambda: np.eye(4))
    """(4, 4) float64, world_from_part."""


@dataclass(frozen=True, slots=True, eq=False)
class PreparedSurface:
    """One surface of a prepared piece."""

    surface: Surface
    """With its faces in the piece's order."""
    first: int
    """Its first triangle in the piece."""
    corner_uvs: dict[TextureUse, FloatArray]
    """Each texture's coordinates at the corners, (F, 3, 2), texture transform applied."""
    texel_density: dict[TextureUse, FloatArray]
    """(F,) square root of texture area in coordinates over world area."""
    tangents: FloatArray | None
    """(F, 2, 3) world directions in which the normal texture's image goes right and up; None without one."""


@dataclass(frozen=True, slots=True, eq=False)
class PreparedPiece:
    """A piece's triangles in world coordinates, in an order that does not depend on their storage.

    Arrays cover all triangles; the ray structure leaves out degenerate ones and repeats (also reversed ones), which
    no picture can tell apart.
    """

    slot: str
    surfaces: tuple[PreparedSurface, ...]
    corners: FloatArray
    """(T, 3, 3) float64."""
    normals: FloatArray
    """(T, 3, 3) float64 unit corner normals; the face's own where the file has none."""
    face_normals: FloatArray
    """(T, 3) float64 unit; zero for degenerate triangles."""
    surface_of: IntArray
    """(T,) int64."""
    layered: NDArray[np.bool_]
    """(T,) whether the triangle's alpha decides what a ray sees (MASK and BLEND)."""
    box: FloatArray
    """(2, 3) lowest and highest world corner of the triangles rays can meet."""
    ray_triangles: IntArray
    """(R,) triangle of each primitive of the ray structure."""
    rays: Any = field(repr=False)
    """The ray structure: triangles less `origin`, times `scale`, in float32; None when it holds none."""
    origin: FloatArray
    scale: float


class PieceCache:
    """Prepared pieces, kept as long as the same surfaces stand at the same place; least recently used go first."""

    def __init__(self, limit: int = 256) -> None:
        self._limit = limit
        self._pieces: OrderedDict[tuple[object, ...], tuple[RenderPiece, PreparedPiece]] = OrderedDict()

    def prepare(self, piece: RenderPiece) -> PreparedPiece:
        """Prepare `piece` or find it prepared; surfaces are told apart by identity, so never change their arrays."""
        key = piece_key(piece)
        found = self._pieces.get(key)
        if found is None:
            # The piece is stored too: while it lives, no other surface can have its identity.
            found = (piece, prepare_piece(piece))
            self._pieces[key] = found
            if len(self._pieces) > self._limit:
                self._pieces.popitem(last=False)
        else:
            self._pieces.move_to_end(key)
        return found[1]


@dataclass(frozen=True, slots=True, eq=False)
class RenderScene:
    """Prepared pieces sorted by slot; the position in `pieces` is the slot index of an id image."""

    pieces: tuple[PreparedPiece, ...]

    @property
    def slots(self) -> tuple[str, ...]:
        """Slot names by slot index."""
        return tuple(piece.slot for piece in self.pieces)


def build_scene(pieces: Iterable[RenderPiece], cache: PieceCache | None = None) -> RenderScene:
    """Prepare pieces with distinct slots. Raises ValueError when two pieces share one."""
    ordered = sorted(pieces, key=lambda piece: piece.slot)
    names = [piece.slot for piece in ordered]
    repeated = sorted({name for name in names if names.count(name) > 1})
    if repeated:
        raise ValueError(f"two pieces of a scene share slot {repeated[0]!r}")
    prepare = prepare_piece if cache is None else cache.prepare
    return RenderScene(tuple(prepare(piece) for piece in ordered))


def piece_key(piece: RenderPiece) -> tuple[object, ...]:
    """Equal for pieces in one slot with the same surfaces (by identity) at the same place."""
    matrix = np.ascontiguousarray(piece.matrix, dtype=np.float64)
    return (piece.slot, matrix.tobytes(), *(id(surface) for surface in piece.surfaces))


def world_points(piece: RenderPiece) -> list[FloatArray]:
    """World positions of the vertices that faces use, (N, 3) for each surface: what framing wants."""
    return [
        transform_points(piece.matrix, surface.positions[np.unique(surface.faces)])
        for surface in piece.surfaces
        if len(surface.faces)
    ]


def prepare_piece(piece: RenderPiece) -> PreparedPiece:
    """Place a piece in the world and build its ray structure."""
    matrix = np.asarray(piece.matrix, dtype=np.float64)
    corners, normals, prepared = [np.zeros((0, 3, 3))], [np.zeros((0, 3, 3))], []
    surface_of, layered = [np.zeros(0, dtype=np.int64)], [np.zeros(0, dtype=bool)]
    first = 0
    for index, (surface, *_) in enumerate(order_surfaces(piece.surfaces)):
        placed = transform_points(matrix, surface.positions)[surface.faces]
        corners.append(placed)
        normals.append(_corner_normals(matrix, surface, placed))
        surface_of.append(np.full(len(placed), index, dtype=np.int64))
        layered.append(np.full(len(placed), surface.material.alpha_mode != "OPAQUE"))
        prepared.append(_prepare_surface(surface, placed, first))
        first += len(placed)
    triangles = np.concatenate(corners)
    kept = _ray_triangles(triangles)
    box = _box(triangles[kept])
    size = float((box[1] - box[0]).max()) or 1.0
    origin = (box[0] + box[1]) * 0.5
    return PreparedPiece(
        slot=piece.slot,
        surfaces=tuple(prepared),
        corners=triangles,
        normals=np.concatenate(normals),
        face_normals=_unit(_face_vectors(triangles)),
        surface_of=np.concatenate(surface_of),
        layered=np.concatenate(layered),
        box=box,
        ray_triangles=kept,
        rays=_build_rays(triangles[kept], origin, 1.0 / size),
        origin=origin,
        scale=1.0 / size,
    )


@cache
def _device() -> Any:
    return rtcore.EmbreeDevice()


def _build_rays(triangles: FloatArray, origin: FloatArray, scale: float) -> Any:
    """Build an Embree scene of (R, 3, 3) triangles brought to unit size around zero, where float32 is finest."""
    if len(triangles) == 0:
        return None
    scene = EmbreeScene(_device())
    TriangleMesh(scene, np.ascontiguousarray((triangles - origin) * scale, dtype=np.float32))
    return scene


def _ray_triangles(triangles: FloatArray) -> IntArray:
    """List finite triangles with area, the first of each set of equal ones (corners in any order)."""
    vectors = _face_vectors(triangles)
    squares = vectors[:, 0] * vectors[:, 0] + vectors[:, 1] * vectors[:, 1] + vectors[:, 2] * vectors[:, 2]
    sound = np.flatnonzero(np.isfinite(squares) & (squares > 0))
    if len(sound) < 2:
        return sound
    _, corner_ids = np.unique(
        np.ascontiguousarray(triangles[sound]).reshape(-1, 3).view("V24").reshape(-1), return_inverse=True
    )
    ids = np.sort(corner_ids.reshape(-1, 3), axis=1).astype(np.int64)
    # Three ids below 2^21 fit one integer; larger pieces take the general road.
    if int(ids.max()) < (1 << 21):
        _, firsts = np.unique((ids[:, 0] << 42) | (ids[:, 1] << 21) | ids[:, 2], return_index=True)
    else:
        _, firsts = np.unique(ids, axis=0, return_index=True)
    return np.asarray(sound[np.sort(firsts)])


def _prepare_surface(surface: Surface, placed: FloatArray, first: int) -> PreparedSurface:
    uvs: dict[TextureUse, FloatArray] = {}
    density: dict[TextureUse, FloatArray] = {}
    area = _length(_face_vectors(placed))
    for use in TEXTURE_USES:
        slot = getattr(surface.material, use)
        if slot is None or slot.uv_set >= len(surface.uvs):
            continue
        uv = _texture_coordinates(surface, slot)
        uvs[use] = uv
        a, b = uv[:, 1] - uv[:, 0], uv[:, 2] - uv[:, 0]
        covered = np.abs(a[:, 0] * b[:, 1] - a[:, 1] * b[:, 0])
        density[use] = np.sqrt(np.divide(covered, area, out=np.zeros_like(area), where=area > 0))
    tangents = _tangents(placed, uvs["normal_texture"]) if "normal_texture" in uvs else None
    return PreparedSurface(surface, first, uvs, density, tangents)


def _tangents(placed: FloatArray, uv: FloatArray) -> FloatArray:
    """(F, 2, 3) unit directions of growing u and falling v; zero where a face has no area in the image."""
    p, q = placed[:, 1] - placed[:, 0], placed[:, 2] - placed[:, 0]
    a, b = uv[:, 1] - uv[:, 0], uv[:, 2] - uv[:, 0]
    turned = np.sign(a[:, :1] * b[:, 1:] - a[:, 1:] * b[:, :1])
    right, down = (p * b[:, 1:] - q * a[:, 1:]) * turned, (q * a[:, :1] - p * b[:, :1]) * turned
    return np.stack([_unit(right), _unit(-down)], axis=1)


def _texture_coordinates(surface: Surface, slot: TextureSlot) -> FloatArray:
    """(F, 3, 2) corner coordinates after KHR_texture_transform: scale, then rotate, then shift."""
    uv = surface.uvs[slot.uv_set].astype(np.float64)[surface.faces]
    if slot.offset == (0.0, 0.0) and slot.rotation == 0.0 and slot.scale == (1.0, 1.0):
        return uv
    turn = turn_of_radians(slot.rotation)
    u, v = uv[..., 0] * slot.scale[0], uv[..., 1] * slot.scale[1]
    return np.stack(
        [u * turn.cos + v * turn.sin + slot.offset[0], v * turn.cos - u * turn.sin + slot.offset[1]], axis=-1
    )


def _corner_normals(matrix: FloatArray, surface: Surface, placed: FloatArray) -> FloatArray:
    flat = _unit(_face_vectors(placed))[:, None, :]
    if surface.normals is None:
        return np.repeat(flat, 3, axis=1)
    # Normals go by the cofactors, which need no inverse and keep sheared pieces right.
    m = matrix[:3, :3]
    rows = [
        [
            m[(i + 1) % 3, (j + 1) % 3] * m[(i + 2) % 3, (j + 2) % 3]
            - m[(i + 1) % 3, (j + 2) % 3] * m[(i + 2) % 3, (j + 1) % 3]
            for j in range(3)
        ]
        for i in range(3)
    ]
    x, y, z = surface.normals[:, 0], surface.normals[:, 1], surface.normals[:, 2]
    turned = np.stack([row[0] * x + row[1] * y + row[2] * z for row in rows], axis=-1)
    normals = _unit(turned)[surface.faces]
    return np.where((normals == 0.0).all(axis=-1, keepdims=True), flat, normals)


def _face_vectors(triangles: FloatArray) -> FloatArray:
    """(T, 3) cross products of the edges: twice the area, along the normal."""
    a, b = triangles[:, 1] - triangles[:, 0], triangles[:, 2] - triangles[:, 0]
    return np.stack(
        [
            a[:, 1] * b[:, 2] - a[:, 2] * b[:, 1],
            a[:, 2] * b[:, 0] - a[:, 0] * b[:, 2],
            a[:, 0] * b[:, 1] - a[:, 1] * b[:, 0],
        ],
        axis=-1,
    )


def _length(vectors: FloatArray) -> FloatArray:
    """Lengths of (N, 3) vectors; the largest component goes first so that tiny and huge ones do not vanish."""
    largest = np.abs(vectors).max(axis=1, initial=0.0)
    scaled = np.divide(vectors, largest[:, None], out=np.zeros_like(vectors), where=largest[:, None] > 0)
    x, y, z = scaled[:, 0], scaled[:, 1], scaled[:, 2]
    return np.asarray(np.sqrt(x * x + y * y + z * z) * largest)


def _unit(vectors: FloatArray) -> FloatArray:
    length = _length(vectors)[:, None]
    return np.divide(vectors, length, out=np.zeros_like(vectors), where=length > 0)


def _box(triangles: FloatArray) -> FloatArray:
    if len(triangles) == 0:
        return np.zeros((2, 3))
    points = triangles.reshape(-1, 3)
    return np.stack([points.min(axis=0), points.max(axis=0)])
