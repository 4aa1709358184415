"""Every value of a turn beside its limit."""

from __future__ import annotations

import pytest

from chains.explain import explain_turn
from schemas.base import IDENTITY_POSE
from schemas.chain import Chain
from schemas.operation import Replace
from schemas.placement import Placement, Residual
from tests.chain_examples import chain_of, part_ref, report, retexture


def replaced(pieces: int = 1, **changes: object) -> Chain:
    """A chain of one replacement with some values changed, on a host of some connected pieces."""
    placement = Placement(world_from_part=IDENTITY_POSE, report=report(**changes))
    chain = chain_of(Replace(slot="leg", label="leg", part=part_ref("8", "c", "shop"), placement=placement))
    return chain.model_copy(update={"host": chain.host.model_copy(update={"connected_pieces": pieces})})


def broken_values(pieces: int = 1, **changes: object) -> list[str]:
    """Names of the values that do not hold after a change of the report."""
    chain = replaced(pieces, **changes)
    return [value.name for value in explain_turn(chain, chain.turns[0]).values if not value.holds]


def text_of(chain: Chain) -> str:
    """What is printed of the first turn."""
    return "\n".join(explain_turn(chain, chain.turns[0]).lines())


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
        ({"loose_gap": 0.03}, "debris / part"),
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


def test_the_gaps_a_host_came_with_are_no_fault() -> None:
    """Three pieces stay three on a host of three; one more is a fault, and on a host of one every second piece is."""
    assert broken_values(3, connected_before=3, connected_after=3) == []
    assert broken_values(3, connected_before=3, connected_after=4) == ["connected pieces"]
    assert broken_values(1, connected_before=2, connected_after=2) == ["connected pieces"]
    text = text_of(replaced(3, connected_before=3, connected_after=3))
    assert "3 connected pieces at turn 0" in text
    assert "<= 3 (3 before, 3 at turn 0)" in text
    assert "so every state is one piece" in text_of(replaced())


def test_modes_say_what_was_accepted() -> None:
    """Strict, pull with its length, baseline with what it adds."""
    assert "strict: overlap below 0.02 where it was fitted" in text_of(replaced())
    assert "pull: overlap below 0.02 after pulling out by 0.031 D" in text_of(replaced(mode="pull", pull_rel=0.031))
    assert "baseline: overlap up to 0.02 more than the old part's" in text_of(replaced(mode="baseline"))


def test_visible_change_is_shown_with_what_it_covers() -> None:
    """Too small a share of the object, or of the covered pixels, is marked; foreign logs show neither."""
    for visible, covered, broken in (
        (0.05, 0.06, []),
        (0.004, 0.006, ["visible change"]),
        (0.006, 0.06, ["changed of covered"]),
    ):
        chain = chain_of(retexture("leg"))
        turn = chain.turns[0].model_copy(update={"visible": visible, "covered": covered})
        values = explain_turn(chain, turn).values
        assert [value.name for value in values if not value.holds] == broken
        assert [value.name for value in values] == ["visible change", "pixels covered", "changed of covered"]
    assert explain_turn(chain_of(retexture("leg")), chain_of(retexture("leg")).turns[0]).values == ()


def test_the_mate_and_its_residuals_are_told() -> None:
    """Which mate was solved, how the part was turned, and how far from exact it came to lie."""
    residuals = (
        Residual(name="radius", value=0.98, unit="ratio"),
        Residual(name="centre", value=0.0021, unit="rel"),
    )
    text = text_of(replaced(mate="axial", residuals=residuals, yaw_deg=180, tilt_deg=12.0))
    assert "axial, turned by 180 deg, tilted by 12 deg" in text
    assert "radius at 0.98 (1 is exact); centre off by 0.0021 D" in text
    assert "mate" not in text_of(replaced())


def test_a_replacement_may_rest_on_nearly_as_much_as_the_old_part() -> None:
    """Half its base, or 0.7 of the old part's share where that is less."""
    assert broken_values(support=0.3, support_before=0.4) == []
    assert broken_values(support=0.3, support_before=0.9) == ["support share"]
    assert broken_values(support=0.3) == ["support share"]
