"""The object suite on two folders: every target against the output that has its name."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

from pydantic import Field

from evaluator.outputs import OutputState, read_output
from evaluator.suites.objects import ObjectRules, ObjectScores, measure_object, summarize_objects
from evaluator.suites.topology import measure_betti
from library_index.executors import LOCAL, open_pool
from schemas.base import SCHEMA_VERSION, Finite, Sha256, Value
from schemas.errors import GltfError, InputError
from schemas.score import Measure, Undefined

SUFFIX = ".glb"
Betti = Annotated[tuple[int, int, int], Field(strict=False)]
Three = Annotated[tuple[Measure, Measure, Measure], Field(strict=False)]


class ObjectCase(Value):
    """One target and its output."""

    name: str
    """Of both files, below their folders."""
    target_sha256: Sha256
    output_sha256: Sha256 | None = None
    """Null for an output that cannot be measured."""
    identity: Measure
    """Chamfer distance as the files stand."""
    upright: Measure
    best: Measure
    rotation: str | None = None
    """Of the target, that gives `best`: `+x-z+y`."""
    floor: Measure
    """What a perfect reconstruction scores."""
    betti: Betti | None = None
    target_betti: Betti
    topology: Measure


class ObjectReport(Value):
    """A run of the object suite: its rules, its figures, its cases; `objects.json`."""

    schema_version: str = SCHEMA_VERSION
    compat: str | None = None
    """The preset, if any."""
    rules: ObjectRules
    attempted: int
    defined: int
    """Cases with a distance."""
    distance: Measure
    """Mean over attempted cases, `penalty` for those without."""
    distance_defined: Measure
    """Mean over defined cases."""
    penalty: Finite | None = None
    floor: Measure
    topology: Measure
    """Median of the total errors."""
    topology_each: Three
    topology_cases: int
    without_target: Annotated[tuple[str, ...], Field(strict=False)] = ()
    """Outputs that nothing was asked of."""
    cases: Annotated[tuple[ObjectCase, ...], Field(strict=False)]


@dataclass(frozen=True, slots=True)
class _Unit:
    """One case to be measured."""

    name: str
    targets: Path
    outputs: Path
    rules: ObjectRules

    def __str__(self) -> str:
        return str(self.targets / self.name)


@dataclass(frozen=True, slots=True)
class _Measured:
    """What came of a case."""

    scores: ObjectScores
    target_sha256: Sha256
    output_sha256: Sha256 | None


def score_object_files(
    targets: Path, outputs: Path, rules: ObjectRules, compat: str | None = None, workers: int = 1
) -> ObjectReport:
    """Score the GLB files below `outputs` against those of the same names below `targets`, every target a case.

    An output that is missing or does not load is a failed case. Raises InputError when a folder is missing or holds no
    targets, GltfError or GeometryError for a target that cannot be measured.
    """
    names, found = _list_files(targets), _list_files(outputs)
    if not names:
        raise InputError(f"{targets}: no {SUFFIX} files below this folder")
    units = [_Unit(name, targets, outputs, rules) for name in names]
    with open_pool(_measure_case, LOCAL, workers) as pool:
        measured = list(pool.run_in_order(units))
    summary = summarize_objects([case.scores for case in measured], rules)
    return ObjectReport(
        compat=compat,
        rules=rules,
        attempted=summary.distance.attempted,
        defined=summary.distance.defined,
        distance=summary.distance.penalized,
        distance_defined=summary.distance.conditional,
        penalty=summary.distance.penalty,
        floor=summary.floor,
        topology=summary.topology,
        topology_each=summary.topology_each,
        topology_cases=summary.topology_cases,
        without_target=tuple(sorted(set(found) - set(names))),
        cases=tuple(_record(name, case) for name, case in zip(names, measured, strict=True)),
    )


def _list_files(folder: Path) -> Sequence[str]:
    """Names of the GLB files below a folder, sorted. Raises InputError when it is none."""
    if not folder.is_dir():
        raise InputError(f"{folder}: no such folder")
    return sorted(path.relative_to(folder).as_posix() for path in folder.rglob(f"*{SUFFIX}") if path.is_file())


def _measure_case(unit: _Unit) -> _Measured:
    target = read_output(unit.targets / unit.name)
    output = _read_own(unit.outputs / unit.name)
    if isinstance(output, Undefined):
        betti = measure_betti(target.vertices, target.faces)
        return _Measured(ObjectScores(output, output, betti, output), target.sha256, None)
    scores = measure_object((target.vertices, target.faces), (output.vertices, output.faces), unit.rules)
    return _Measured(scores, target.sha256, output.sha256)


def _read_own(path: Path) -> OutputState | Undefined:
    """An output, or why there is none."""
    if not path.is_file():
        return Undefined(reason="missing")
    try:
        return read_output(path)
    except GltfError as error:
        return Undefined(reason=str(error))


def _record(name: str, case: _Measured) -> ObjectCase:
    chamfer, betti, target_betti, topology = case.scores
    identity: Measure
    upright: Measure
    best: Measure
    floor: Measure
    rotation: str | None = None
    if isinstance(chamfer, Undefined):
        identity = upright = best = floor = chamfer
    else:
        identity, upright, best, floor = chamfer.identity, chamfer.upright, chamfer.best, chamfer.floor
        rotation = chamfer.rotation.label
    return ObjectCase(
        name=name,
        target_sha256=case.target_sha256,
        output_sha256=case.output_sha256,
        identity=identity,
        upright=upright,
        best=best,
        rotation=rotation,
        floor=floor,
        betti=None if isinstance(betti, Undefined) else (betti.b0, betti.b1, betti.b2),
        target_betti=(target_betti.b0, target_betti.b1, target_betti.b2),
        topology=topology if isinstance(topology, Undefined) else topology.total,
    )
