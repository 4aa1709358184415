"""Scene suite: published counts, brute force on small scenes, real objects through real cameras."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.framing import camera_of, frame_states
from engine.gltf.document import read_document
from engine.gltf.parts import read_part
from engine.render.passes import render_passes
from engine.render.scene import RenderPiece, build_scene, world_points
from engine.surfaces import FloatArray, IntArray
from evaluator.suites.readouts import view_depth
from evaluator.suites.scenes import (
    DepthView,
    Pinhole,
    SceneRules,
    SceneScores,
    Validity,
    back_project,
    check_validity,
    measure_appearance,
    measure_reconstruction,
    score_match,
    summarize_scenes,
    thin_cloud,
)
from schemas.errors import InputError
from schemas.score import Undefined

RULES = SceneRules()


def _with(rules: SceneRules, **switches: object) -> SceneRules:
    """The rules with some switches set otherwise, validated."""
    return SceneRules.model_validate(dict(rules) | switches)


LENS = Pinhole(40.0, 50.0, 9.0, 7.0)


def test_published_counts() -> None:
    """One published object by its counts, one published picture by its hits, one published case by its parts."""
    match = score_match(12, (7091, 7942), (5674, 5896), 5674)
    assert match.f_score == 0.9262959644138068
    target = np.zeros((288, 512, 3), dtype=np.uint8)
    own = np.full_like(target, 31)
    own.reshape(-1, 3)[:40_890] = [30, 0, 30]
    appearance = measure_appearance(target, own)
    assert (appearance.hits, appearance.pixels) == (40_890, 147_456)
    assert appearance.share == 0.2773030598958333
    case = SceneScores(Validity(), 0.5580444539645074, appearance.share)
    assert case.overall == pytest.approx(0.4176737569301704, abs=1e-16)


def test_back_projection_lands_where_the_pixel_looks() -> None:
    """Points lie at their depth along x, left of the middle with y > 0, above it with z > 0, and project back."""
    depth = np.full((14, 18), np.inf)
    depth[2, 3], depth[10, 16], depth[0, 0] = 2.0, 5.0, -1.0
    cloud = back_project(DepthView(depth, LENS))
    assert cloud.pixels.tolist() == [2 * 18 + 3, 10 * 18 + 16]
    assert cloud.points[:, 0].tolist() == [2.0, 5.0]
    assert cloud.points[0, 1] > 0 > cloud.points[1, 1]
    assert cloud.points[0, 2] > 0 > cloud.points[1, 2]
    columns = LENS.cx - LENS.fx * cloud.points[:, 1] / cloud.points[:, 0]
    rows = LENS.cy - LENS.fy * cloud.points[:, 2] / cloud.points[:, 0]
    np.testing.assert_allclose(columns, [3.5, 16.5], rtol=1e-15)
    np.testing.assert_allclose(rows, [2.5, 10.5], rtol=1e-15)


def _random_scene(seed: int) -> tuple[DepthView, IntArray, DepthView]:
    rng = np.random.default_rng(seed)
    shape = (10, 12)
    target = rng.uniform(1.0, 1.3, shape)
    own = target * rng.uniform(0.93, 1.07, shape)
    target[rng.random(shape) < 0.2] = np.inf
    own[rng.random(shape) < 0.2] = np.inf
    return DepthView(target, LENS), rng.integers(0, 5, shape), DepthView(own, LENS)


def _distances(a: FloatArray, b: FloatArray) -> FloatArray:
    return np.asarray(np.sqrt(((a[:, None, :] - b[None, :, :]) ** 2).sum(axis=2)))


@settings(max_examples=40, deadline=None)
@given(
    seed=st.integers(0, 10_000), depth=st.sampled_from(["reference", "query"]), pool=st.sampled_from(["masked", "all"])
)
def test_scores_equal_brute_force(seed: int, depth: str, pool: str) -> None:
    """All distances written out give the same counts for every object, under each rule."""
    target, ids, own = _random_scene(seed)
    rules = _with(RULES, tolerance_depth=depth, recall_pool=pool)
    scores = measure_reconstruction(target, ids, own, range(1, 5), rules)
    clouds = [back_project(view) for view in (target, own)]
    labels = [ids.reshape(-1)[cloud.pixels] for cloud in clouds]
    expected = []
    for number in range(1, 5):
        t, p = (cloud.points[label == number] for cloud, label in zip(clouds, labels, strict=True))
        if len(t) == 0:
            assert number in scores.unseen
            continue
        searched = p if pool == "masked" else clouds[1].points
        found = (_distances(t, searched).min(axis=1, initial=np.inf) <= 0.05 * t[:, 0]).sum()
        right = 0
        if len(p):
            table = _distances(p, t)
            reach = 0.05 * (t[table.argmin(axis=1), 0] if depth == "reference" else p[:, 0])
            right = (table.min(axis=1) <= reach).sum()
        expected.append((number, right, len(p), found, len(t)))
    assert [match[:5] for match in scores.objects] == expected
    assert scores.f_score == pytest.approx(np.mean([match.f_score for match in scores.objects]))


def test_extra_surface_costs_precision_and_missing_surface_recall() -> None:
    """An exact view scores 1; half of it gone halves recall alone; a curtain before half of it halves precision too."""
    depth = np.full((20, 20), 3.0)
    ids = np.ones((20, 20), dtype=np.int64)
    target = DepthView(depth, Pinhole(500.0, 500.0, 10.0, 10.0))
    same = measure_reconstruction(target, ids, target, [1])
    assert (same.f_score, same.precision, same.recall, same.scene_f_score) == (1.0, 1.0, 1.0, 1.0)
    # Neighbouring pixels are 3/500 apart, so 25 columns lie within 5 % of the depth: the half must be seen from afar.
    wide = DepthView(depth, Pinhole(10.0, 10.0, 10.0, 10.0))
    half = depth.copy()
    half[:, 10:] = np.inf
    gone = measure_reconstruction(wide, ids, DepthView(half, wide.pinhole), [1])
    assert (gone.precision, gone.recall) == (1.0, 0.5)
    half[:, 10:] = 1.0
    curtain = measure_reconstruction(wide, ids, DepthView(half, wide.pinhole), [1])
    assert (curtain.precision, curtain.recall) == (0.5, 0.5)


def test_unseen_objects_are_listed_and_count_by_rule() -> None:
    """An object that the target does not show is skipped by our rule and 0 by the peer's."""
    target, ids, own = _random_scene(1)
    ours = measure_reconstruction(target, ids, own, [1, 2, 99])
    theirs = measure_reconstruction(target, ids, own, [1, 2, 99], _with(RULES, unseen_objects="zero"))
    assert ours.unseen == theirs.unseen == (99,)
    assert isinstance(ours.f_score, float)
    assert theirs.f_score == pytest.approx(ours.f_score * 2 / 3)
    assert isinstance(measure_reconstruction(target, ids, own, [99]).f_score, Undefined)


@given(seed=st.integers(0, 10_000), n=st.integers(0, 300), most=st.integers(6, 80))
def test_thinning_keeps_every_object_and_no_more_points_than_allowed(seed: int, n: int, most: int) -> None:
    """As many points as allowed stay, each label among them, shares kept but for rounding."""
    labels = np.random.default_rng(seed).choice(6, n, p=[0.7, 0.2, 0.06, 0.02, 0.01, 0.01])
    kept = thin_cloud(labels, most)
    assert kept.sum() == min(n, most)
    assert set(labels[kept].tolist()) == set(labels.tolist())
    if n > most:
        for label in range(6):
            share = (labels == label).mean() * most
            assert abs((labels[kept] == label).sum() - share) <= 7


def test_thinning_of_the_target_alone_keeps_all_own_points() -> None:
    """The peer's rule cuts one cloud, ours both."""
    target, ids, own = _random_scene(2)
    both = measure_reconstruction(target, ids, own, range(5), _with(RULES, max_points=40))
    one = measure_reconstruction(target, ids, own, range(5), _with(RULES, max_points=40, thinned="target"))
    assert sum(match.target for match in both.objects) == sum(match.target for match in one.objects) == 40
    assert sum(match.own for match in both.objects) == 40
    assert sum(match.own for match in one.objects) == int(np.isfinite(own.depth).sum())


def test_real_objects_lose_what_is_taken_off(data_dir: Path) -> None:
    """A real object against itself is 1 for all visible parts; without one, that part alone has less recall."""
    folder = sorted((data_dir / "partverse_dev" / "textured_part_glbs").iterdir())[18]
    pieces = [
        RenderPiece(f"part_{int(path.stem):02}", read_part(read_document(path), None).surfaces, np.eye(4))
        for path in sorted(folder.glob("*.glb"))
    ]
    camera = camera_of(frame_states([points for piece in pieces for points in world_points(piece)]), 0)
    whole = render_passes(build_scene(pieces), camera, 128)
    target = view_depth(whole, camera)
    names = range(len(whole.slots))
    same = measure_reconstruction(target, whole.ids, target, names)
    assert same.f_score == 1.0
    assert len(same.objects) + len(same.unseen) == len(pieces)
    largest = max(same.objects, key=lambda match: match.target).object_id
    kept = [piece for piece in pieces if piece.slot != whole.slots[largest]]
    less = measure_reconstruction(
        target, whole.ids, view_depth(render_passes(build_scene(kept), camera, 128), camera), names
    )
    recall = {match.object_id: match.recall for match in less.objects}
    assert recall[largest] < 0.7
    # Points of others are where they were; what appears behind can only add.
    assert all(value == 1.0 for number, value in recall.items() if number != largest)


def test_validity_says_everything_that_is_wrong() -> None:
    """Loading failures, empty files, a missing camera and a one-coloured render each have their sentence."""
    picture = np.zeros((4, 4, 3), dtype=np.uint8)
    seen = picture.copy()
    seen[1, 1] = 9
    assert check_validity(12, 12, seen, has_camera=True) == Validity()
    wrong = check_validity(Undefined(reason="cut off"), 0, picture, has_camera=False)
    assert not wrong.is_valid
    assert wrong.problems == (
        "scene file does not load: cut off",
        "GLB holds no triangle",
        "scene file has no active camera",
        "render shows one colour only",
    )
    assert check_validity(1, 1, picture[:0], has_camera=True).problems == ("render is empty",)
    missing = check_validity(1, 1, Undefined(reason="no PNG"), has_camera=True)
    assert missing.problems == ("render does not decode: no PNG",)


def test_all_attempted_cases_stay_in_the_mean() -> None:
    """Invalid and unscored cases count 0 overall; the columns of parts are over valid cases."""
    valid, invalid = Validity(), Validity(("GLB holds no triangle",))
    unscored = Undefined(reason="renderer died")
    cases = [SceneScores(valid, 0.6, 0.4), SceneScores(invalid, unscored, unscored), SceneScores(valid, unscored, 0.2)]
    assert [case.overall for case in cases] == [0.5, 0.0, 0.1]
    summary = summarize_scenes(cases)
    assert summary.overall == pytest.approx(0.2)
    assert summary.reconstruction == 0.6
    assert summary.appearance == pytest.approx(0.3)
    assert summary.validity == pytest.approx(2 / 3)
    assert (summary.attempted, summary.valid) == (3, 2)
    assert isinstance(summarize_scenes([]).overall, Undefined)


def test_pictures_of_different_sizes_are_refused() -> None:
    """Nothing is resized or cut silently."""
    target, ids, own = _random_scene(3)
    with pytest.raises(InputError, match=r"must be one size"):
        measure_reconstruction(target, ids[:, 1:], own, [1])
    with pytest.raises(InputError, match=r"shapes \(4, 4, 3\) and \(4, 5, 3\)"):
        measure_appearance(np.zeros((4, 4, 3), dtype=np.uint8), np.zeros((4, 5, 3), dtype=np.uint8))
    with pytest.raises(InputError, match="positive lengths"):
        back_project(DepthView(target.depth, Pinhole(0.0, 1.0, 0.0, 0.0)))
    with pytest.raises(InputError, match="3 objects share 2 points"):
        thin_cloud(np.arange(3), 2)
