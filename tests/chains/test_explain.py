"""Every value of a turn beside its limit."""

from __future__ import annotations

import pytest

from chains.explain import explain_turn
from schemas.base import IDENTITY_POSE
from schemas.operation import Replace
from schemas.placement import CheckReport, Placement
from tests.chain_examples import chain_of, part_ref, retexture


def report(**changes: object) -> CheckReport:
    """A report in which everything holds, with some values changed."""
    values: dict[str, object] = {
        "gap_rel": 0.0,
        "primary_gap_rel": 0.0,
        "interpenetration": 0.01,
        "measure": "volume",
        "baseline": 0.3,
        "mode": "strict",
        "connected_before": 1,
        "connected_after": 1,
        "slot_scale": 1.0,
        "own_scale": 1.0,
        "place_iou": 0.6,
        "floor_rel": 0.0,
        "axis_ratio": 1.2,
        "loose_gap": 0.0,
        "visible": 0.05,
    }
    return CheckReport.model_validate({**values, **changes})


def broken_values(**changes: object) -> list[str]:
    """Names of the values that do not hold after a change of the report."""
    placement = Placement(world_from_part=IDENTITY_POSE, report=report(**changes))
    chain = chain_of(Replace(slot="leg", label="leg", part=part_ref("8", "c", "shop"), placement=placement))
    return [value.name for value in explain_turn(chain, chain.turns[0]).values if not value.holds]


def test_a_sound_turn_has_no_broken_value() -> None:
    """Everything within its limit is ok."""
    assert broken_values() == []


@pytest.mark.parametrize(
    ("change", "name"),
    [
        ({"gap_rel": 0.01}, "gap / D"),
        ({"primary_gap_rel": 0.02}, "gap to parent / D"),
        ({"interpenetration": 0.02}, "overlap (volume)"),
        ({"connected_after": 2}, "connected pieces"),
        ({"slot_scale": 1.36}, "slot scale"),
        ({"own_scale": 0.74}, "own scale"),
        ({"place_iou": 0.14}, "place (box IoU)"),
        ({"floor_rel": 0.021}, "below floor / D"),
        ({"axis_ratio": 2.7}, "axis ratio"),
        ({"loose_gap": 0.03}, "loose pieces"),
        ({"pull_rel": 0.06}, "pull / D"),
        ({"sweep_rel": 0.06}, "sweep / D"),
    ],
)
def test_each_limit_is_shown_broken_on_its_own(change: dict[str, object], name: str) -> None:
    """One value over its limit is the only one marked; the four checks are strict, the others hold at equality."""
    assert broken_values(**change) == [name]


def test_baseline_mode_is_judged_by_the_old_part() -> None:
    """An overlap below the old part's plus 0.02 holds in baseline mode only."""
    assert broken_values(mode="baseline", interpenetration=0.31) == []
    assert broken_values(mode="baseline", interpenetration=0.33) == ["overlap (volume)"]


def test_lines_name_operation_material_and_words() -> None:
    """A retexture says its material and its instruction."""
    chain = chain_of(retexture("leg"))
    text = "\n".join(explain_turn(chain, chain.turns[0]).lines())
    assert "retexture leg" in text
    assert "red brick" in text
    assert '"Do it."' in text
