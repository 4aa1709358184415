"""The scene suite on two folders: every true scene against the one delivered at the same place.

```
TRUTHS/<case>/readout.json     and the depth and id pictures that it names
TRUTHS/<case>/metric_<v>.png   picture of view v
OUTPUTS/<case>/scene.blend     what was delivered
OUTPUTS/<case>/scene.glb
OUTPUTS/<case>/...             readout, depth and pictures of it, unless they are drawn here
```

What `engine render --readouts` leaves for a state is a true scene.
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from chains.files import READOUT_FILE
from evaluator.suites.artefacts import check_blender, check_scene
from evaluator.suites.compat import OWN_RULES, SuiteRules
from evaluator.suites.measures import list_numbers, number_of
from evaluator.suites.readout_pictures import find_named
from evaluator.suites.scene_drawing import draw_own_views
from evaluator.suites.scene_records import SceneCase, SceneReport, ValidityAsked
from evaluator.suites.scene_views import (
    OwnView,
    measure_scene_view,
    name_picture,
    read_own_views,
    read_true_views,
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
class SceneChoice:
    """What is asked of an output."""

    draw: bool = False
    """Depth and pictures are drawn from its GLB through the true cameras; nothing but the scene is read of it."""
    validity: ValidityAsked = "all"
    """`glb` asks for no scene file, where there is no Blender to load it."""


OWN_CHOICE: Final = SceneChoice()


@dataclass(frozen=True, slots=True)
class _Unit:
    """One case to be measured."""

    name: str
    truths: Path
    outputs: Path
    rules: SuiteRules
    choice: SceneChoice

    def __str__(self) -> str:
        return str(self.truths / self.name)


def score_scene_files(
    truths: Path,
    outputs: Path,
    rules: SuiteRules = OWN_RULES,
    compat: str | None = None,
    workers: int = 1,
    choice: SceneChoice = OWN_CHOICE,
) -> SceneReport:
    """Score the scenes below `outputs` against those at the same places below `truths`, every truth a case.

    What an output lacks costs it and is named in its case.

    Raises:
        InputError: a folder is missing or holds no truths; a truth cannot be read or shows no slot.
        MissingExtraError: scene files are asked for, and Blender's module is not installed.
        WorkerError: a process that loads a scene file was killed from outside.

    """
    names, found = _list_cases(truths), _list_cases(outputs, GLB_FILE if choice.draw else READOUT_FILE)
    if not names:
        raise InputError(f"{truths}: no {READOUT_FILE} below this folder")
    if choice.validity == "all":
        check_blender()
    units = [_Unit(name, truths, outputs, rules, choice) for name in names]
    with open_pool(_measure_case, LOCAL, workers) as pool:
        cases = tuple(pool.run_in_order(units))
    summary = summarize_scenes([_score_case(case) for case in cases])
    valid = [case for case in cases if not case.problems]
    return SceneReport(
        compat=compat,
        rules=rules.scenes,
        backdrop=rules.backdrop,
        validity_asked=choice.validity,
        drawn=choice.draw,
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


def _list_cases(folder: Path, file: str = READOUT_FILE) -> Sequence[str]:
    """Folders below one that hold a file of that name, sorted. Raises InputError when it is none."""
    if not folder.is_dir():
        raise InputError(f"{folder}: no such folder")
    return sorted(path.parent.relative_to(folder).as_posix() for path in folder.rglob(file) if path.is_file())


def _measure_case(unit: _Unit) -> SceneCase:
    true_folder, folder, rules = unit.truths / unit.name, unit.outputs / unit.name, unit.rules
    truth = read_record(Readout, true_folder / READOUT_FILE)
    true_views = read_true_views(true_folder, truth, rules.backdrop)
    asked = [true.is_asked(rules.scenes) for true in true_views]
    if not any(asked):
        raise InputError(f"{true_folder}: no view of this true scene shows a slot")
    if unit.choice.draw:
        own_views = draw_own_views(folder / GLB_FILE, truth, rules.backdrop)
    else:
        own_views = read_own_views(folder, [true.view for true in true_views], rules.backdrop)
    views = tuple(measure_scene_view(*pair, rules.scenes) for pair in zip(true_views, own_views, strict=True))
    validity = _check_output(folder, [view.view for view in views], own_views, unit.choice)
    reconstruction = _mean_over_views(
        [view.reconstruction for view, wanted in zip(views, asked, strict=True) if wanted]
    )
    appearance = _mean_over_views([view.appearance for view in views])
    return SceneCase(
        name=unit.name,
        truth_sha256=_hash_files(true_folder, [READOUT_FILE, *_name_true_files(truth)]),
        output_sha256=_hash_files(folder, _name_own_files(truth, unit.choice)) if folder.is_dir() else None,
        problems=validity.problems,
        reconstruction=reconstruction,
        appearance=appearance,
        overall=SceneScores(validity, reconstruction, appearance).overall,
        views=views,
    )


def _name_true_files(truth: Readout) -> Iterator[str]:
    for entry in truth.views:
        yield from (entry.depth_exr, entry.ids_png, name_picture(entry.view))


def _name_own_files(truth: Readout, choice: SceneChoice) -> Iterator[str]:
    """Files of an output that decide its score, as far as their names are fixed."""
    yield GLB_FILE
    if choice.validity == "all":
        yield BLEND_FILE
    if not choice.draw:
        yield READOUT_FILE
        for entry in truth.views:
            yield from (entry.depth_exr, name_picture(entry.view))


def _score_case(case: SceneCase) -> SceneScores:
    """A case with 0 for what it lacks, so that overall is the share of valid ones times the mean of both means."""
    values = (number_of(case.reconstruction) or 0.0, number_of(case.appearance) or 0.0)
    return SceneScores(Validity(case.problems), *values)


def _check_output(folder: Path, views: Sequence[int], own: Sequence[OwnView], choice: SceneChoice) -> Validity:
    """Judge the files of a case: those of the scene, and the picture of every view."""
    if not folder.is_dir():
        return Validity(("missing",))
    blend = folder / BLEND_FILE if choice.validity == "all" else None
    first = check_scene(blend, folder / GLB_FILE, own[0].picture)
    others = ((view, find_render_problem(shown.picture)) for view, shown in zip(views[1:], own[1:], strict=True))
    return Validity((*first.problems, *(f"view {view}: {problem}" for view, problem in others if problem)))


def _mean_over_views(values: Sequence[Measure]) -> Measure:
    """Mean in which a view without a value counts 0; undefined when no view has one, for the first view's reason."""
    if not list_numbers(values):
        return values[0]
    return math.fsum(number_of(value) or 0.0 for value in values) / len(values)


def _hash_files(folder: Path, names: Iterable[str]) -> Sha256:
    """Hash of the hashes and names of the files that are there."""
    lines = hashlib.sha256()
    for name in sorted(set(names)):
        path = find_named(folder, name)
        if not isinstance(path, Undefined):
            with path.open("rb") as file:
                content = hashlib.file_digest(file, "sha256").hexdigest()
            lines.update(f"{content}  {name}\n".encode())
    return lines.hexdigest()
