"""What the bed of placements is made of: solids, source objects, labelled cases, and how an answer is compared.

A candidate is measured in a source object of its own, as a library would measure it; a case states where the part must
come to stand before any code is asked.
"""

from __future__ import annotations

import math
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

import numpy as np
import trimesh
from placement_scenes import box_mesh, prism_mesh

from engine.geometry.overlap import Placed, build_solid, measure_overlap, place_solid
from engine.geometry.similarity import as_matrix, transform_vectors
from engine.placement.addition import fit_addition
from engine.placement.replacement import LibraryPart, fit_replacement
from engine.placement.state import StateGeometry, build_state, find_nearest
from engine.placement.survey import PlacementSurveyor
from engine.surfaces import FloatArray, IntArray
from library_index.ports import ObjectSurvey, PartFile
from schemas.part import PartRecord, PartRef
from schemas.placement import Limits, Placement, Rejection

Mesh = tuple[FloatArray, IntArray]
Vector = tuple[float, float, float]

RIGHT, LEFT = (1.0, 0.0, 0.0), (-1.0, 0.0, 0.0)
UP, DOWN = (0.0, 1.0, 0.0), (0.0, -1.0, 0.0)
FRONT, BACK = (0.0, 0.0, 1.0), (0.0, 0.0, -1.0)


def box(size: Vector, centre: Vector = (0.0, 0.0, 0.0)) -> Mesh:
    """A closed box."""
    return box_mesh(size, centre)


def rod(radius: float, length: float, centre: Vector, axis: int = 1, sides: int = 24) -> Mesh:
    """A closed prism of many sides about an axis."""
    return prism_mesh(sides, radius, length, centre, axis)


def ball(radius: float, centre: Vector) -> Mesh:
    """A sphere of 1,280 triangles with poles on every axis."""
    shape = trimesh.creation.icosphere(subdivisions=3, radius=radius)
    return np.asarray(shape.vertices) + np.array(centre), np.asarray(shape.faces, dtype=np.int64)


def lathe(profile: list[tuple[float, float]], centre: Vector = (0.0, 0.0, 0.0), sides: int = 32) -> Mesh:
    """A solid of revolution about Y from (radius, height) points; a profile off the axis is closed to a ring."""
    angles = 2.0 * np.pi * np.arange(sides) / sides
    points = np.array([[r * np.sin(a), y, r * np.cos(a)] for r, y in profile for a in angles])
    closed = min(r for r, _ in profile) > 0.0
    rows = [(k, k + 1) for k in range(len(profile) - 1)] + ([(len(profile) - 1, 0)] if closed else [])
    faces: list[list[int]] = []
    for low, high in rows:
        for i in range(sides):
            j = (i + 1) % sides
            a, b, c, d = low * sides + i, low * sides + j, high * sides + j, high * sides + i
            faces += [[a, b, c], [a, c, d]]
    shape = trimesh.Trimesh(points, faces, process=True)
    if shape.volume < 0.0:
        shape.invert()
    return np.asarray(shape.vertices) + np.array(centre), np.asarray(shape.faces, dtype=np.int64)


def joined(*meshes: Mesh) -> Mesh:
    """Several solids as one part."""
    shift, points, faces = 0, [], []
    for vertices, triangles in meshes:
        points.append(vertices)
        faces.append(triangles + shift)
        shift += len(vertices)
    return np.concatenate(points), np.concatenate(faces)


def rotation(axis: int, degrees: float) -> FloatArray:
    """(3, 3) right-handed turn about a coordinate axis."""
    c, s = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
    first, second = (axis + 1) % 3, (axis + 2) % 3
    matrix = np.eye(3)
    matrix[first, first], matrix[first, second] = c, -s
    matrix[second, first], matrix[second, second] = s, c
    return matrix


def turned(mesh: Mesh, axis: int, degrees: float, about: Vector = (0.0, 0.0, 0.0)) -> Mesh:
    """A mesh turned about an axis through a point."""
    pivot = np.array(about)
    return (mesh[0] - pivot) @ rotation(axis, degrees).T + pivot, mesh[1]


def moved(mesh: Mesh, shift: Vector) -> Mesh:
    """A mesh shifted."""
    return mesh[0] + np.array(shift), mesh[1]


_CHANGE: ContextVar[FloatArray | None] = ContextVar("change", default=None)


@contextmanager
def changed(matrix: FloatArray) -> Iterator[None]:
    """Inside, hosts and source objects stand changed by a (4, 4) similarity or mirror."""
    token = _CHANGE.set(matrix)
    try:
        yield
    finally:
        _CHANGE.reset(token)


def _stand(mesh: Mesh) -> Mesh:
    """The mesh where the scene's change puts it; under a mirror the outside stays outside."""
    matrix = _CHANGE.get()
    if matrix is None:
        return mesh
    vertices, faces = mesh
    return vertices @ matrix[:3, :3].T + matrix[:3, 3], faces[:, ::-1] if np.linalg.det(matrix[:3, :3]) < 0.0 else faces


def _measure() -> float:
    """Factor of lengths under the scene's change."""
    matrix = _CHANGE.get()
    return 1.0 if matrix is None else float(np.cbrt(abs(np.linalg.det(matrix[:3, :3]))))


def host(core: str, *, grounded: tuple[str, ...] = (), diagonal: float | None = None, **parts: Mesh) -> StateGeometry:
    """A state with one part a slot; D is the diagonal of its box unless given."""
    pieces = {name: (place_solid(build_solid(*_stand(mesh)), np.eye(4)),) for name, mesh in parts.items()}
    boxes = np.array([piece[0].bounds for piece in pieces.values()])
    low, high = boxes[:, 0].min(axis=0), boxes[:, 1].max(axis=0)
    size = float(np.sqrt(((high - low) ** 2).sum())) if diagonal is None else diagonal * _measure()
    return build_state(pieces, size, float(low[1]), core, grounded=grounded)


class Source:
    """An object of a library: its parts are measured where they stand, once."""

    def __init__(self, scale: float = 1.0, **parts: Mesh) -> None:
        self._meshes: Mapping[str, Mesh] = {name: (mesh[0] * scale, mesh[1]) for name, mesh in parts.items()}
        self._surveys: dict[bytes, ObjectSurvey] = {}

    @property
    def meshes(self) -> Mapping[str, Mesh]:
        """The parts where the scene's change puts them."""
        return {name: _stand(mesh) for name, mesh in self._meshes.items()}

    @property
    def survey(self) -> ObjectSurvey:
        """What the library's surveyor measures."""
        matrix = _CHANGE.get()
        key = b"" if matrix is None else matrix.tobytes()
        if key not in self._surveys:
            self._surveys[key] = self._measured()
        return self._surveys[key]

    def _measured(self) -> ObjectSurvey:
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            files = []
            for part_id, (vertices, faces) in self.meshes.items():
                shape = trimesh.Trimesh(vertices, faces, process=False)
                path = folder / f"{part_id}.glb"
                path.write_bytes(trimesh.Scene({part_id: shape}).export(file_type="glb"))
                files.append(PartFile(part_id, path, None))
            return PlacementSurveyor().survey(files, folder)

    def part(self, name: str) -> LibraryPart:
        """The part with its manifest row."""
        found = next(part for part in self.survey.parts if part.part_id == name)
        known = {key: value for key, value in found if key in PartRecord.model_fields and key != "files"}
        record = PartRecord(
            ref=PartRef(library="bed", object_id="source", part_id=name, sha256=found.sha256),
            file=f"{name}.glb",
            caption=name,
            caption_source="names",
            **known,
        )
        return LibraryPart(record, build_solid(*self.meshes[name]))


@dataclass(frozen=True, slots=True)
class Pose:
    """Where a part must stand. Lengths in world units, `within` in D; what is None or absent is free."""

    looks: tuple[tuple[Vector, Vector], ...] = ()
    """Directions of the part and where they must point in the world, within `degrees`."""
    degrees: float = 0.01
    scale: float | tuple[float, float] | None = None
    """A value, to 1 %, or a range."""
    centre: tuple[float | None, float | None, float | None] = (None, None, None)
    sides: Mapping[str, float] = field(default_factory=dict)
    """`x-`, `x+`, ... `z+`: where a side of the placed box must lie."""
    within: float = 0.002
    size: tuple[float, float] | None = None
    """Range of the diagonal over D."""
    mode: Literal["strict", "pull", "baseline"] | None = None
    pull: float | None = None
    overlap: tuple[float, float] | None = None
    """Interpenetration and its tolerance."""
    touches: tuple[str, ...] = ()
    """Slots that must be nearer than 0.01 D."""
    clear_of: tuple[str, ...] = ()
    """Slots that may share no volume with the part."""
    also: Callable[[StateGeometry, Placed], str] | None = None
    """A further judgement: what is wrong, or nothing."""


@dataclass(frozen=True, slots=True)
class Refused:
    """The check that must turn the part away, any when none is named; the value it must have measured."""

    checks: tuple[str, ...]
    measured: tuple[float, float] | None = None
    """Value and tolerance."""


@dataclass(frozen=True, slots=True)
class Case:
    """One placement with its answer. `slot` is the slot to replace, or the slot (or `ground`) to add on."""

    name: str
    state: Callable[[], StateGeometry]
    slot: str
    part: Callable[[], LibraryPart]
    answers: tuple[Pose | Refused, ...]
    """Any of these is right."""
    operation: Literal["replace", "add"] = "replace"
    slot_diagonal: float | None = None
    limits: Limits = Limits()  # noqa: RUF009  # frozen


NOTHING_TURNS = ((RIGHT, RIGHT), (UP, UP), (FRONT, FRONT))
"""The authored orientation is kept."""


def solve(case: Case) -> tuple[StateGeometry, LibraryPart, Placement | Rejection]:
    """The engine's answer."""
    state, part = case.state(), case.part()
    if case.operation == "add":
        return state, part, fit_addition(state, case.slot, "new", part, case.limits, seen_always)
    diagonal = diagonal_of(state.piece(case.slot)) if case.slot_diagonal is None else case.slot_diagonal * _measure()
    return state, part, fit_replacement(state, case.slot, diagonal, part, case.limits, seen_always)


def diagonal_of(piece: Sequence[Placed]) -> float:
    """Diagonal of the common box of a piece."""
    boxes = np.array([placed.bounds for placed in piece])
    size = boxes[:, 1].max(axis=0) - boxes[:, 0].min(axis=0)
    return float(np.sqrt((size**2).sum()))


def seen_always(_before: StateGeometry, _after: StateGeometry) -> float:
    """A visibility measure for cases that are about geometry."""
    return 0.5


def find_faults(case: Case) -> list[str]:
    """What is wrong with the engine's answer, against the answer that comes nearest; empty when it is right."""
    state, part, result = solve(case)
    others = state if case.operation == "add" else state.without(case.slot)
    return min((_compare(others, part, result, answer) for answer in case.answers), key=len)


def _compare(
    others: StateGeometry, part: LibraryPart, result: Placement | Rejection, answer: Pose | Refused
) -> list[str]:
    if isinstance(result, Rejection) or isinstance(answer, Refused):
        return _compare_refusal(result, answer)
    matrix = as_matrix(result.world_from_part)
    columns = matrix[:3, :3]
    scale = float(np.sqrt((columns[:, 0] ** 2).sum()))
    faults = []
    if not np.allclose(columns.T @ columns, scale * scale * np.eye(3), atol=1e-9 * scale * scale):
        faults.append("no similarity")
    if not float(np.linalg.det(columns)) > 0.0:
        faults.append("a mirror")
    placed = place_solid(part.solid, matrix)
    faults += _compare_turn(matrix, scale, answer)
    faults += _compare_box(placed, others.diagonal, answer)
    faults += _compare_report(result, answer)
    faults += _compare_neighbours(placed, others, answer)
    return faults


def _compare_refusal(result: Placement | Rejection, answer: Pose | Refused) -> list[str]:
    if isinstance(result, Rejection):
        if not isinstance(answer, Refused):
            return [f"refused: {result.check} {result.measured} against {result.limit} {result.detail}"] * 9
        faults = (
            []
            if not answer.checks or result.check in answer.checks
            else [f"refused by {result.check}, not by {answer.checks}"]
        )
        if answer.measured is not None:
            value, tolerance = answer.measured
            measured = result.measured
            if measured is None or not abs(measured - value) <= tolerance:
                faults.append(f"measured {measured}, not {value}")
        return faults
    wanted = answer.checks if isinstance(answer, Refused) else ()
    return [f"accepted, must be refused by {wanted}"] * 9


def _compare_turn(matrix: FloatArray, scale: float, answer: Pose) -> list[str]:
    faults = []
    for vector, wanted in answer.looks:
        found = transform_vectors(matrix, np.array(vector)) / scale
        goal = np.array(wanted)
        cosine = float((found * goal).sum()) / math.sqrt(float((found**2).sum()) * float((goal**2).sum()))
        angle = math.degrees(math.acos(max(-1.0, min(1.0, cosine))))
        if angle > answer.degrees:
            faults.append(f"{vector} points along {np.round(found, 3).tolist()}, {angle:.1f} degrees off")
    if answer.scale is not None:
        low, high = answer.scale if isinstance(answer.scale, tuple) else (0.99 * answer.scale, 1.01 * answer.scale)
        if not low <= scale <= high:
            faults.append(f"scale {scale:.4f}, not in {low:.4f} - {high:.4f}")
    return faults


def _compare_box(placed: Placed, diagonal: float, answer: Pose) -> list[str]:
    faults = []
    centre = 0.5 * (placed.bounds[0] + placed.bounds[1])
    for axis, goal in enumerate(answer.centre):
        if goal is not None and abs(float(centre[axis]) - goal) > answer.within * diagonal:
            faults.append(f"centre {'xyz'[axis]} {centre[axis]:.4f}, not {goal:.4f}")
    for side, goal in answer.sides.items():
        found = float(placed.bounds[int(side[1] == "+"), "xyz".index(side[0])])
        if abs(found - goal) > answer.within * diagonal:
            faults.append(f"side {side} at {found:.4f}, not {goal:.4f}")
    if answer.size is not None:
        size = float(np.sqrt(((placed.bounds[1] - placed.bounds[0]) ** 2).sum())) / diagonal
        if not answer.size[0] <= size <= answer.size[1]:
            faults.append(f"size {size:.4f} D, not in {answer.size}")
    return faults


def _compare_report(result: Placement, answer: Pose) -> list[str]:
    report = result.report
    if report is None:
        return ["no report"]
    faults = []
    if answer.mode is not None and report.mode != answer.mode:
        faults.append(f"mode {report.mode}, not {answer.mode}")
    if answer.pull is not None and abs(report.pull_rel - answer.pull) > 1e-9:
        faults.append(f"pulled {report.pull_rel}, not {answer.pull}")
    if answer.overlap is not None and abs(report.interpenetration - answer.overlap[0]) > answer.overlap[1]:
        faults.append(f"overlap {report.interpenetration:.4f}, not {answer.overlap[0]:.4f}")
    return faults


def _compare_neighbours(placed: Placed, others: StateGeometry, answer: Pose) -> list[str]:
    faults = []
    for name in answer.touches:
        nearest = find_nearest(placed, others.piece(name))
        if nearest is None or not nearest.gap < 0.01 * others.diagonal:
            faults.append(f"does not touch {name}")
    for name in answer.clear_of:
        fraction = measure_overlap(placed, others.piece(name), 0.02).fraction
        if fraction > 0.0:
            faults.append(f"{fraction:.4f} of it inside {name}")
    wrong = "" if answer.also is None else answer.also(others, placed)
    return [*faults, wrong] if wrong else faults
