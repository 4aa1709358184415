"""The scene suite on two folders: every true scene against the one delivered at the same place.

```
TRUTHS/<case>/readout.json     and the depth and id pictures that it names
TRUTHS/<case>/metric_<v>.png   picture of view v
OUTPUTS/<case>/                the same of what was delivered; ids are not read
OUTPUTS/<case>/scene.blend     what was delivered
OUTPUTS/<case>/scene.glb
```

All but the last two are what `engine render --readouts` leaves for a state.
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from chains.files import READOUT_FILE
from evaluator.suites.artefacts import check_blender, check_scene_files
from evaluator.suites.compat import OWN_RULES, SuiteRules
from evaluator.suites.measures import list_numbers, number_of
from evaluator.suites.readout_pictures import find_named
from evaluator.suites.scene_records import SceneCase, SceneReport, ValidityAsked
from evaluator.suites.scene_views import (
    measure_scene_view,
    name_picture,
    read_own_readout,
    read_true_views,
    read_view_picture,
)
from evaluator.suites.scenes import SceneScores, Validity, find_render_problem, summarize_scenes
from library_index.executors import LOCAL, open_pool
from schemas.base import Sha256
from schemas.codec import read_record
from schemas.errors import InputError
from schemas.readout import Readout
from schemas.score import Measure, Undefined

BLEND_FILE: Final = "scene.blend"
GLB_FILE: Final = "scene.glb"


@dataclass(frozen=True, slots=True)
class _Unit:
    """One case to be measured."""

    name: str
    truths: Path
    outputs: Path
    rules: SuiteRules
    asked: ValidityAsked

    def __str__(self) -> str:
        return str(self.truths / self.name)


def score_scene_files(
    truths: Path,
    outputs: Path,
    rules: SuiteRules = OWN_RULES,
    compat: str | None = None,
    workers: int = 1,
    validity: ValidityAsked = "all",
) -> SceneReport:
    """Score the scenes below `outputs` against those at the same places below `truths`, every truth a case.

    What an output lacks costs it and is named in its case. validity: `glb` asks for no scene file, where there is no
    Blender to load it.

    Raises:
        InputError: a folder is missing or holds no truths; a truth cannot be read or shows no slot.
        MissingExtraError: scene files are asked for, and Blender's module is not installed.
        WorkerError: a process that loads a scene file was killed from outside.

    """
    names, found = _list_cases(truths), _list_cases(outputs)
    if not names:
        raise InputError(f"{truths}: no {READOUT_FILE} below this folder")
    if validity == "all":
        check_blender()
    units = [_Unit(name, truths, outputs, rules, validity) for name in names]
    with open_pool(_measure_case, LOCAL, workers) as pool:
        cases = tuple(pool.run_in_order(units))
    summary = summarize_scenes([_score_case(case) for case in cases])
    valid = [case for case in cases if not case.problems]
    return SceneReport(
        compat=compat,
        rules=rules.scenes,
        backdrop=rules.backdrop,
        validity_asked=validity,
        attempted=summary.attempted,
        valid=summary.valid,
        validity=summary.validity,
        overall=summary.overall,
        reconstruction=summary.reconstruction,
        reconstruction_cases=len(list_numbers([case.reconstruction for case in valid])),
        appearance=summary.appearance,
        appearance_cases=len(list_numbers([case.appearance for case in valid])),
        without_truth=tuple(sorted(set(found) - set(names))),
        cases=cases,
    )


def _list_cases(folder: Path) -> Sequence[str]:
    """Folders below one that hold a readout, sorted. Raises InputError when it is none."""
    if not folder.is_dir():
        raise InputError(f"{folder}: no such folder")
    return sorted(path.parent.relative_to(folder).as_posix() for path in folder.rglob(READOUT_FILE) if path.is_file())


def _measure_case(unit: _Unit) -> SceneCase:
    true_folder, folder = unit.truths / unit.name, unit.outputs / unit.name
    truth = read_record(Readout, true_folder / READOUT_FILE)
    true_views = read_true_views(true_folder, truth, unit.rules.backdrop)
    asked = [true.is_asked(unit.rules.scenes) for true in true_views]
    if not any(asked):
        raise InputError(f"{true_folder}: no view of this true scene shows a slot")
    own = read_own_readout(folder)
    views = tuple(measure_scene_view(true, own, folder, unit.rules) for true in true_views)
    validity = _check_output(folder, [true.view for true in true_views], unit)
    reconstruction = _mean_over_views(
        [view.reconstruction for view, is_asked in zip(views, asked, strict=True) if is_asked]
    )
    appearance = _mean_over_views([view.appearance for view in views])
    true_names = [name for entry in truth.views for name in (entry.depth_exr, entry.ids_png, name_picture(entry.view))]
    own_names = [GLB_FILE, *([BLEND_FILE] if unit.asked == "all" else []), *(name_picture(view.view) for view in views)]
    if isinstance(own, Readout):
        own_names += [entry.depth_exr for entry in own.views]
    return SceneCase(
        name=unit.name,
        truth_sha256=_hash_files(true_folder, true_names),
        output_sha256=_hash_files(folder, own_names) if folder.is_dir() else None,
        problems=validity.problems,
        reconstruction=reconstruction,
        appearance=appearance,
        overall=SceneScores(validity, reconstruction, appearance).overall,
        views=views,
    )


def _score_case(case: SceneCase) -> SceneScores:
    """A case with 0 for what it lacks, so that overall is the share of valid ones times the mean of both means."""
    values = (number_of(case.reconstruction) or 0.0, number_of(case.appearance) or 0.0)
    return SceneScores(Validity(case.problems), *values)


def _check_output(folder: Path, views: Sequence[int], unit: _Unit) -> Validity:
    """Judge the files of a case: those of the scene, and the picture of every view."""
    if not folder.is_dir():
        return Validity(("missing",))
    blend = folder / BLEND_FILE if unit.asked == "all" else None
    first = check_scene_files(blend, folder / GLB_FILE, folder / name_picture(views[0]))
    others = ((view, find_render_problem(read_view_picture(folder, view, unit.rules.backdrop))) for view in views[1:])
    return Validity((*first.problems, *(f"view {view}: {problem}" for view, problem in others if problem)))


def _mean_over_views(values: Sequence[Measure]) -> Measure:
    """Mean in which a view without a value counts 0; undefined when no view has one, for the first view's reason."""
    if not list_numbers(values):
        return values[0]
    return math.fsum(number_of(value) or 0.0 for value in values) / len(values)


def _hash_files(folder: Path, names: Iterable[str]) -> Sha256:
    """Hash of the hashes and names of the files that are there, the record among them."""
    lines = hashlib.sha256()
    for name in sorted({READOUT_FILE, *names}):
        path = find_named(folder, name)
        if not isinstance(path, Undefined):
            with path.open("rb") as file:
                content = hashlib.file_digest(file, "sha256").hexdigest()
            lines.update(f"{content}  {name}\n".encode())
    return lines.hexdigest()
