"""Small solids, states and library rows with known geometry."""

from __future__ import annotations

import numpy as np

from engine.geometry.overlap import Placed, build_solid, place_solid
from engine.geometry.similarity import similarity
from engine.placement.replacement import LibraryPart
from engine.placement.state import StateGeometry, build_state
from engine.surfaces import FloatArray, IntArray
from schemas.part import ContactFrame, DirectionClass, Kind, MountRecord, Opening, PartRecord, PartRef, Symmetry

Size = tuple[float, float, float]

_CORNERS = np.array([[x, y, z] for x in (-0.5, 0.5) for y in (-0.5, 0.5) for z in (-0.5, 0.5)])
_FACES = np.array(
    [
        [0, 1, 3], [0, 3, 2], [4, 6, 7], [4, 7, 5], [0, 4, 5], [0, 5, 1],
        [2, 3, 7], [2, 7, 6], [0, 2, 6], [0, 6, 4], [1, 5, 7], [1, 7, 3],
    ],
    dtype=np.int64,
)  # fmt: skip


def box_mesh(size: Size = (1.0, 1.0, 1.0), centre: Size = (0.0, 0.0, 0.0)) -> tuple[FloatArray, IntArray]:
    """Closed box, outward faces."""
    return _CORNERS * np.array(size) + np.array(centre), _FACES.copy()


def prism_mesh(
    sides: int, radius: float, height: float, centre: Size = (0.0, 0.0, 0.0), axis: int = 1
) -> tuple[FloatArray, IntArray]:
    """Closed regular prism about an axis."""
    angles = 2.0 * np.pi * np.arange(sides) / sides
    ring = np.stack([radius * np.cos(angles), radius * np.sin(angles)], axis=1)
    others = [(axis + 1) % 3, (axis + 2) % 3]
    points = np.zeros((2 * sides + 2, 3))
    for k, level in enumerate((-0.5 * height, 0.5 * height)):
        rows = slice(k * sides, (k + 1) * sides)
        points[rows, others] = ring
        points[rows, axis] = level
        points[2 * sides + k, axis] = level
    faces = []
    for i in range(sides):
        j = (i + 1) % sides
        faces += [
            [i, j, sides + j],
            [i, sides + j, sides + i],
            [j, i, 2 * sides],
            [sides + i, sides + j, 2 * sides + 1],
        ]
    return points + np.array(centre), np.array(faces, dtype=np.int64)


def tube_mesh(sides: int, inner: float, outer: float, height: float) -> tuple[FloatArray, IntArray]:
    """Closed ring about Y with a hole through it."""
    angles = 2.0 * np.pi * np.arange(sides) / sides
    points = np.array(
        [
            [radius * np.sin(angle), level, radius * np.cos(angle)]
            for radius in (inner, outer)
            for level in (-0.5 * height, 0.5 * height)
            for angle in angles
        ]
    )
    low_in, high_in, low_out, high_out = (k * sides for k in range(4))
    faces: list[list[int]] = []
    for i in range(sides):
        j = (i + 1) % sides
        for a, b in ((low_out, high_out), (high_in, low_in), (high_out, high_in), (low_in, low_out)):
            faces += [[a + i, a + j, b + j], [a + i, b + j, b + i]]
    return points, np.array(faces, dtype=np.int64)


def placed_box(size: Size, centre: Size) -> Placed:
    """A box at the identity pose."""
    return place_solid(build_solid(*box_mesh(size, centre)), np.eye(4))


def placed_prism(sides: int, radius: float, height: float, centre: Size, axis: int = 1) -> Placed:
    """A prism at the identity pose."""
    return place_solid(build_solid(*prism_mesh(sides, radius, height, centre, axis)), np.eye(4))


def table_state() -> StateGeometry:
    """A table 2 x 1 high x 2: top (core) 0.2 thick, four legs let 0.1 into it, a cube standing on it.

    Its box is 2 x 1.4 x 2 with the cube of side 0.4 on the top at height 1.
    """
    pieces = {"top": (placed_box((2.0, 0.2, 2.0), (0.0, 0.9, 0.0)),)}
    for name, x, z in (("leg_a", 0.8, 0.8), ("leg_b", -0.8, 0.8), ("leg_c", 0.8, -0.8), ("leg_d", -0.8, -0.8)):
        pieces[name] = (placed_box((0.2, 0.9, 0.2), (x, 0.45, z)),)
    pieces["cube"] = (placed_box((0.4, 0.4, 0.4), (0.3, 1.2, 0.2)),)
    return build_state(pieces, float(np.sqrt(4.0 + 1.96 + 4.0)), 0.0, "top")


def library_part(
    mesh: tuple[FloatArray, IntArray],
    *,
    kind: Kind = "rest",
    direction: DirectionClass = "up",
    normal: Size = (0.0, 1.0, 0.0),
    embed: float = 0.0,
    radius: float = 0.0,
    object_share: float = 0.2,
    stability: float = 0.5,
    loose_gap: float = 0.0,
    symmetry: Symmetry | None = None,
    opening: float | None = None,
    name: str = "candidate",
) -> LibraryPart:
    """A candidate with one mount; its own contact lies at its box's face towards the parent."""
    solid = build_solid(*mesh)
    low, high = solid.bounds
    centre = 0.5 * (low + high)
    frame = ContactFrame(
        kind=kind,
        parent="other",
        direction=direction,
        origin=(float(centre[0]), float(low[1]), float(centre[2])),
        normal=normal,
        radius=radius,
        embed=embed,
    )
    extents = tuple(float(value) for value in high - low)
    mount = MountRecord(
        frame=frame,
        extents=(extents[0], extents[1], extents[2]),
        reaches_floor=False,
        stability=stability,
        object_share=object_share,
        opening=None if opening is None else Opening(origin=frame.origin, radius=opening),
    )
    record = PartRecord(
        ref=PartRef(library="lib", object_id="obj", part_id=name, sha256="0" * 64),
        file="part.glb",
        size_bytes=1,
        bounds=(tuple(low.tolist()), tuple(high.tolist())),
        triangles=len(solid.mesh.faces),
        materials=1,
        textured=False,
        closed=True,
        area=1.0,
        volume=solid.volume,
        loose_gap=loose_gap,
        caption="A part.",
        caption_source="names",
        symmetry=symmetry,
        mounts=(mount,),
    )
    return LibraryPart(record, solid)


def seen(_before: StateGeometry, _after: StateGeometry) -> float:
    """A visibility measure for tests that are about geometry."""
    return 0.5


def turned(placed: Placed, rotation: FloatArray, shift: Size) -> Placed:
    """The same solid at another pose."""
    return place_solid(placed.solid, similarity(1.0, rotation, np.array(shift)))
