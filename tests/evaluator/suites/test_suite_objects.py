"""Object suite: penalties, medians, view matching; presets of other benchmarks change what they name, no more."""

from __future__ import annotations

from itertools import permutations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import ValidationError
from suite_shapes import ball, block, grid_surface, three_bars

from evaluator.suites.chamfer import ChamferRules
from evaluator.suites.compat import COMPAT, OWN_RULES, SuiteRules, find_rules, list_quirks
from evaluator.suites.measures import mean_of, median_of
from evaluator.suites.objects import (
    ObjectRules,
    ObjectScores,
    match_views,
    mean_with_penalty,
    measure_object,
    summarize_objects,
)
from evaluator.suites.topology import BettiNumbers
from schemas.errors import GeometryError, InputError
from schemas.score import Undefined


def _with(rules: ObjectRules, **switches: object) -> ObjectRules:
    """The rules with some switches set otherwise, validated."""
    return ObjectRules.model_validate(dict(rules) | switches)


EMPTY = (np.zeros((0, 3)), np.zeros((0, 3), dtype=np.int64))
QUICK = ObjectRules(chamfer=ChamferRules(points=512))
PEER = _with(COMPAT["3dharness"].objects, chamfer=ChamferRules(points=512, sampling="independent"))
GONE = Undefined(reason="no file")


def _cases(rules: ObjectRules) -> list[ObjectScores]:
    torus, brick = grid_surface(7, 9), block((0, 0, 0), (1, 2, 3))
    return [
        measure_object(target, own, rules)
        for target, own in ((brick, brick), (brick, ball(2)), (torus, ball(2)), (three_bars(), EMPTY))
    ]


def test_failed_reconstructions_stay_in_every_mean() -> None:
    """An empty reconstruction costs the fixed penalty and topology error 1; its reason is kept."""
    cases = _cases(QUICK)
    failed = cases[3]
    assert isinstance(failed.chamfer, Undefined)
    assert "0 vertices" in failed.chamfer.reason
    assert failed.target_betti == BettiNumbers(1, 1, 3)
    summary = summarize_objects(cases, QUICK)
    values = [case.chamfer.best for case in cases[:3] if not isinstance(case.chamfer, Undefined)]
    assert summary.distance.penalized == pytest.approx((sum(values) + 1.0) / 4)
    assert summary.distance.conditional == pytest.approx(sum(values) / 3)
    assert (summary.distance.attempted, summary.distance.defined, summary.distance.penalty) == (4, 3, 1.0)
    assert summary.topology == 0.25  # of 0, 0, 0.5, 1
    assert summary.topology_cases == 4
    assert summary.topology_each == (0.0, 1.0, 0.0)
    assert isinstance(summary.floor, float)
    assert 0.0 < summary.floor < 0.02


def test_peer_rules_penalise_by_the_worst_and_drop_failures_from_the_median() -> None:
    """Under the peer's switches the same failures cost 1.5 times the worst, and the median is over three cases."""
    cases = _cases(PEER)
    summary = summarize_objects(cases, PEER)
    values = [case.chamfer.best for case in cases[:3] if not isinstance(case.chamfer, Undefined)]
    assert summary.distance.penalty == 1.5 * max(values)
    assert summary.distance.penalized == pytest.approx((sum(values) + 1.5 * max(values)) / 4)
    assert summary.topology == 0.0
    assert summary.topology_cases == 3


def test_headline_is_what_the_rules_say() -> None:
    """The headline takes the identity, the four upright turns or all 24 rotations."""
    brick = block((0, 0, 0), (1, 2, 3))
    vertices, faces = brick
    lying = (vertices[:, [0, 2, 1]] * [1.0, -1.0, 1.0], faces)
    cases = [measure_object(brick, lying, QUICK)]
    found = [
        summarize_objects(cases, _with(QUICK, headline=name)).distance.penalized
        for name in ("identity", "upright", "best")
    ]
    chamfer = cases[0].chamfer
    assert not isinstance(chamfer, Undefined)
    assert found == [chamfer.identity, chamfer.upright, chamfer.best]
    assert chamfer.best < 0.2 * chamfer.upright


def test_unusable_target_is_an_error() -> None:
    """A case without target is a mistake of the caller, not a failure of the method."""
    with pytest.raises(GeometryError, match="0 vertices"):
        measure_object(EMPTY, ball(1))


def test_means_count_what_is_missing() -> None:
    """Undefined and infinite values take the penalty; without any value the worst of the run is unknown."""
    mean = mean_with_penalty([0.5, GONE, 1.0, "inf"], failed=0.0)
    assert (mean.penalized, mean.conditional, mean.attempted, mean.defined) == (0.375, 0.75, 4, 2)
    none = mean_with_penalty([GONE], "worst_of_run")
    assert isinstance(none.penalized, Undefined)
    assert none.penalty is None
    assert mean_with_penalty([GONE], failed=1.0).penalized == 1.0
    assert isinstance(mean_with_penalty([]).penalized, Undefined)
    assert median_of([3.0, GONE, 1.0]) == 2.0
    assert isinstance(median_of([GONE]), Undefined)
    assert mean_of([1, "inf", 0, GONE]) == 0.5  # whole numbers are numbers too
    assert mean_of([GONE], "regret") == Undefined(reason="none of 1 cases has a regret")


@settings(max_examples=50, deadline=None)
@given(seed=st.integers(0, 10_000), own=st.integers(1, 4), wanted=st.integers(1, 4))
def test_view_matching_equals_trying_all(seed: int, own: int, wanted: int) -> None:
    """The best one-to-one matching, and what a missing view costs by either rule."""
    table = np.random.default_rng(seed).uniform(-1.0, 1.0, (own, wanted))
    small, large = (table, wanted) if own <= wanted else (table.T, own)
    best = max(sum(small[k, c] for k, c in enumerate(choice)) for choice in permutations(range(large), len(small)))
    assert match_views(table).best_assignment == pytest.approx(best / wanted)
    peers = match_views(table, COMPAT["3dharness"].objects)
    assert peers.best_assignment == pytest.approx(best / len(small))
    assert peers.views == len(small)
    paired = match_views(table).paired
    if own == wanted:
        assert paired == pytest.approx(np.trace(table) / own)
    else:
        assert isinstance(paired, Undefined)


def test_no_view_is_undefined_and_a_bad_table_refused() -> None:
    """Nothing to match has no value; a cosine that is not finite is an error."""
    assert isinstance(match_views(np.zeros((0, 4))).best_assignment, Undefined)
    with pytest.raises(InputError, match="all finite"):
        match_views(np.array([[np.nan]]))


def test_every_quirk_of_a_preset_is_named() -> None:
    """A preset differs from our rules in the listed switches and in no other; unknown names are refused."""
    assert {name: [quirk.switch for quirk in list_quirks(find_rules(name))] for name in sorted(COMPAT)} == {
        "3dharness": [
            "objects.chamfer.sampling",
            "objects.chamfer.upright_axis",
            "objects.distance_penalty",
            "objects.missing_views",
            "objects.topology_failures",
            "backdrop",
        ],
        "edit3d": [
            "preservation.sampling",
            "preservation.thinning_cell",
            "preservation.identical_views",
            "backdrop",
        ],
        "lego": ["scenes.thinned", "scenes.unseen_objects"],
    }
    assert find_rules(None) is OWN_RULES
    assert list_quirks(OWN_RULES) == ()
    quirk = list_quirks(COMPAT["3dharness"])[2]
    assert (quirk.own, quirk.preset) == ("fixed", "worst_of_run")
    assert all(SuiteRules.model_validate_json(rules.model_dump_json()) == rules for rules in COMPAT.values())
    with pytest.raises(ValidationError, match="headline"):
        ObjectRules.model_validate({"headline": "luckiest"})
    with pytest.raises(InputError, match="compat=legoland: unknown, known are 3dharness, edit3d, lego"):
        find_rules("legoland")
