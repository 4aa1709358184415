"""Scene suite: visible surfaces of two scenes through their cameras, the look of a fresh render, and validity.

Points live in the camera frame, x forward, y left, z up, in the scene's own units: no registration, no rescaling.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Final, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray
from pydantic import Field

from engine.geometry.point_tree import build_point_tree, find_nearest
from engine.surfaces import BoolArray, FloatArray, IntArray
from evaluator.suites.measures import mean_of, number_of
from schemas.base import Finite, Value
from schemas.errors import InputError
from schemas.score import Measure, Undefined

ByteImage = NDArray[np.uint8]


class SceneRules(Value):
    """How surfaces and pictures of scenes are compared."""

    tolerance: Annotated[Finite, Field(ge=0.0)] = 0.05
    """A point matches when its nearest neighbour is no farther than this share of a depth."""
    tolerance_depth: Literal["reference", "query"] = "reference"
    """Whose depth. `reference`: that of the target's point, both ways, so that moving away widens no tolerance.
    `query`: that of the point that looks for a neighbour."""
    recall_pool: Literal["masked", "all"] = "masked"
    """Own points in which a target point may find its neighbour: those inside the object's mask, or any."""
    max_points: Annotated[int, Field(ge=1)] = 100_000
    """Points of one scene's cloud that are used."""
    thinned: Literal["both", "target"] = "both"
    """Which clouds are cut down to `max_points`."""
    unseen_objects: Literal["skipped", "zero"] = "skipped"
    """What an object counts of which the target shows no surface: nobody can match it."""
    hit_limit: Annotated[int, Field(ge=0, le=255)] = 30
    """A pixel is like the target's when no channel of 0..255 differs by more."""


OWN_SCENE_RULES: Final = SceneRules()


class Pinhole(NamedTuple):
    """Focal lengths and principal point in pixels; pixel (x, y) covers [x, x + 1) times [y, y + 1)."""

    fx: float
    fy: float
    cx: float
    cy: float


class DepthView(NamedTuple):
    """What a scene's active camera sees."""

    depth: FloatArray
    """(H, W): distance along the camera's forward axis; not finite or not positive where nothing is seen."""
    pinhole: Pinhole


class VisiblePoints(NamedTuple):
    """Back-projected pixels, row by row."""

    points: FloatArray
    """(N, 3), camera frame: x forward, y left, z up."""
    pixels: IntArray
    """(N,): row * W + column."""


class ObjectMatch(NamedTuple):
    """Visible surface of one object of the target."""

    object_id: int
    own_matched: int
    own: int
    target_matched: int
    target: int
    target_matched_by_any: int
    """Target points with a neighbour among all own points, inside the mask or not: a diagnostic."""
    precision: float
    recall: float
    f_score: float


class Reconstruction(NamedTuple):
    """Means over objects, each object with equal weight."""

    f_score: Measure
    precision: Measure
    recall: Measure
    objects: tuple[ObjectMatch, ...]
    """By id."""
    unseen: tuple[int, ...]
    """Objects of which the target shows nothing."""
    scene_f_score: Measure
    """All points as one object: a companion, not the score."""


class Appearance(NamedTuple):
    """Pixels whose colour is like the target's."""

    share: float
    hits: int
    pixels: int


class Validity(NamedTuple):
    """Whether what was handed in can be scored."""

    problems: tuple[str, ...] = ()
    """What is wrong, each a sentence of its own."""

    @property
    def is_valid(self) -> bool:
        """Nothing is wrong."""
        return not self.problems


class SceneScores(NamedTuple):
    """One attempted case; for one that could not be scored at all, reconstruction and appearance are undefined."""

    validity: Validity
    reconstruction: Measure
    appearance: Measure

    @property
    def overall(self) -> float:
        """Mean of reconstruction and appearance if valid, else 0; an undefined part counts 0."""
        parts = [number_of(value) or 0.0 for value in (self.reconstruction, self.appearance)]
        return (parts[0] + parts[1]) / 2.0 if self.validity.is_valid else 0.0


class SceneSummary(NamedTuple):
    """Means of a run."""

    overall: Measure
    """Over all attempted cases."""
    reconstruction: Measure
    """Over valid cases, like the next: the published columns of partly valid methods multiply with `validity`."""
    appearance: Measure
    validity: Measure
    """Share of valid cases."""
    attempted: int
    valid: int


def back_project(view: DepthView) -> VisiblePoints:
    """Lift every pixel that sees something to its point.

    Raises:
        InputError: the depth is not an image, or the focal lengths are not positive.

    """
    if view.depth.ndim != 2 or not (view.pinhole.fx > 0.0 and view.pinhole.fy > 0.0):
        raise InputError(
            f"depth of shape {view.depth.shape} with focal lengths {view.pinhole.fx} and {view.pinhole.fy}: "
            "needs two dimensions and positive lengths"
        )
    depth = np.asarray(view.depth, dtype=np.float64)
    rows, columns = np.nonzero(np.isfinite(depth) & (depth > 0.0))
    forward = depth[rows, columns]
    left = (view.pinhole.cx - (columns + 0.5)) / view.pinhole.fx * forward
    up = (view.pinhole.cy - (rows + 0.5)) / view.pinhole.fy * forward
    return VisiblePoints(np.stack([forward, left, up], axis=1), rows * depth.shape[1] + columns)


def thin_cloud(labels: IntArray, max_points: int) -> BoolArray:
    """Which of the points (N,), labelled by object, to keep: at most `max_points`, evenly, every label once at least.

    Raises:
        InputError: there are more labels than points to keep.

    """
    if len(labels) <= max_points:
        return np.ones(len(labels), dtype=bool)
    _, firsts = np.unique(labels, return_index=True)
    if len(firsts) > max_points:
        raise InputError(f"{len(firsts)} objects share {max_points} points, each needs one")
    kept = np.zeros(len(labels), dtype=bool)
    kept[firsts] = True
    rest = np.argsort(labels, kind="stable")
    rest = rest[~kept[rest]]
    room = max_points - len(firsts)
    kept[rest[np.arange(room) * len(rest) // room]] = True
    return kept


def measure_reconstruction(
    target: DepthView, ids: IntArray, own: DepthView, objects: Sequence[int], rules: SceneRules = OWN_SCENE_RULES
) -> Reconstruction:
    """Compare the visible surface of each target object with the own surface seen inside its mask.

    ids: (H, W), the object that the target shows at each pixel. objects: the ids that are scored; any other id, as of
        walls or of nothing, belongs to no object.

    Raises:
        InputError: pictures of different sizes.

    """
    if not target.depth.shape == own.depth.shape == ids.shape:
        raise InputError(
            f"reconstruction: depth {target.depth.shape}, ids {ids.shape}, own depth {own.depth.shape} must be one size"
        )
    labels = np.asarray(ids, dtype=np.int64).reshape(-1)
    wanted, own_points = back_project(target), back_project(own)
    wanted = _keep(wanted, thin_cloud(labels[wanted.pixels], rules.max_points))
    if rules.thinned == "both":
        own_points = _keep(own_points, thin_cloud(labels[own_points.pixels], rules.max_points))
    label_of_target, label_of_own = labels[wanted.pixels], labels[own_points.pixels]
    near_any = _find_matched(wanted.points, own_points.points, rules)
    found, unseen = [], []
    for number in sorted(set(objects)):
        is_object = label_of_target == number
        if not is_object.any():
            unseen.append(number)
            if rules.unseen_objects == "skipped":
                continue
        masked = own_points.points[label_of_own == number]
        found.append(_match_object(number, wanted.points[is_object], masked, near_any[is_object], rules))
    whole = _match_object(-1, wanted.points, own_points.points, near_any, rules)
    return Reconstruction(
        f_score=mean_of([match.f_score for match in found], "object that the target shows"),
        precision=mean_of([match.precision for match in found], "object that the target shows"),
        recall=mean_of([match.recall for match in found], "object that the target shows"),
        objects=tuple(found),
        unseen=tuple(unseen),
        scene_f_score=whole.f_score if whole.target else Undefined(reason="the target shows nothing"),
    )


def score_match(object_id: int, own: tuple[int, int], target: tuple[int, int], by_any: int) -> ObjectMatch:
    """Precision, recall and their harmonic mean from (matched, all) points of both sides; an empty side gives 0."""
    precision = own[0] / own[1] if own[1] else 0.0
    recall = target[0] / target[1] if target[1] else 0.0
    f_score = 2.0 * precision * recall / (precision + recall) if precision + recall > 0.0 else 0.0
    return ObjectMatch(object_id, *own, *target, by_any, precision, recall, f_score)


def measure_appearance(target: ByteImage, own: ByteImage, rules: SceneRules = OWN_SCENE_RULES) -> Appearance:
    """Compare two sRGB pictures (H, W, 3) pixel by pixel.

    Raises:
        InputError: pictures that are not RGB of one size, or empty.

    """
    if target.shape != own.shape or target.ndim != 3 or target.shape[2] != 3 or target.size == 0:
        raise InputError(f"appearance: pictures of shapes {target.shape} and {own.shape}, need one (H, W, 3)")
    difference = np.abs(target.astype(np.int16) - own.astype(np.int16)).max(axis=2)
    hits, pixels = int(np.count_nonzero(difference <= rules.hit_limit)), int(difference.size)
    return Appearance(hits / pixels, hits, pixels)


def check_validity(
    blend_triangles: int | Undefined | None,
    glb_triangles: int | Undefined,
    render: ByteImage | Undefined,
    *,
    has_camera: bool,
) -> Validity:
    """Judge what was handed in by what came out of loading it; undefined is what could not be loaded, and why.

    blend_triangles: None where no scene file is asked for. render: the decoded picture (H, W, C) of the scene's active
        camera. has_camera: the scene file has one.
    """
    problems = []
    for name, triangles in (("scene file", blend_triangles), ("GLB", glb_triangles)):
        if isinstance(triangles, Undefined):
            problems.append(f"{name} does not load: {triangles.reason}")
        elif triangles is not None and triangles <= 0:
            problems.append(f"{name} holds no triangle")
    if not has_camera:
        problems.append("scene file has no active camera")
    problem = find_render_problem(render)
    return Validity((*problems, problem) if problem else tuple(problems))


def find_render_problem(render: ByteImage | Undefined) -> str | None:
    """What is wrong with a render (H, W, C): it does not decode, is empty or shows one colour only."""
    if isinstance(render, Undefined):
        return f"render does not decode: {render.reason}"
    if render.size == 0:
        return "render is empty"
    return "render shows one colour only" if bool((render == render[:1, :1]).all()) else None


def summarize_scenes(cases: Sequence[SceneScores]) -> SceneSummary:
    """Average over all attempted cases: invalid and unscored ones stay in the denominator with 0."""
    valid = [case for case in cases if case.validity.is_valid]
    return SceneSummary(
        overall=mean_of([case.overall for case in cases], "attempted case"),
        reconstruction=mean_of([case.reconstruction for case in valid], "valid reconstruction"),
        appearance=mean_of([case.appearance for case in valid], "valid appearance"),
        validity=mean_of([float(case.validity.is_valid) for case in cases], "attempted case"),
        attempted=len(cases),
        valid=len(valid),
    )


def _keep(cloud: VisiblePoints, kept: BoolArray) -> VisiblePoints:
    return VisiblePoints(cloud.points[kept], cloud.pixels[kept])


def _match_object(
    object_id: int, target: FloatArray, own: FloatArray, near_any: BoolArray, rules: SceneRules
) -> ObjectMatch:
    """Match one object's points; near_any: which of the target's have a neighbour among all own points."""
    own_matched = 0
    if len(target) and len(own):
        nearest = find_nearest(build_point_tree(target), own)
        depth = target[nearest.index, 0] if rules.tolerance_depth == "reference" else own[:, 0]
        own_matched = int(np.count_nonzero(_is_within(nearest.squared, depth, rules)))
    is_near = _find_matched(target, own, rules) if rules.recall_pool == "masked" else near_any
    return score_match(
        object_id,
        (own_matched, len(own)),
        (int(np.count_nonzero(is_near)), len(target)),
        int(np.count_nonzero(near_any)),
    )


def _find_matched(target: FloatArray, pool: FloatArray, rules: SceneRules) -> BoolArray:
    """Which target points have a neighbour in the pool within the tolerance of their own depth."""
    if len(target) == 0 or len(pool) == 0:
        return np.zeros(len(target), dtype=bool)
    return _is_within(find_nearest(build_point_tree(pool), target).squared, target[:, 0], rules)


def _is_within(squared: FloatArray, depth: FloatArray, rules: SceneRules) -> BoolArray:
    reach = rules.tolerance * depth
    return np.asarray(squared <= reach * reach)
