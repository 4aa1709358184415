"""Means over the views of a rig."""

from __future__ import annotations

import pytest

from evaluator.metrics.views import split_views
from schemas.errors import InputError
from schemas.score import Undefined

HIDDEN = Undefined(reason="hidden")


def test_views_are_averaged_three_ways() -> None:
    """All four, the conditioning view, and the three that were held out."""
    split = split_views([10.0, 20.0, 30.0, 44.0])
    assert (split.every.value, split.conditioning.value, split.held_out.value) == (26.0, 10.0, 94.0 / 3)
    assert (split.every.defined, split.conditioning.defined, split.held_out.defined) == (4, 1, 3)


def test_views_without_a_number_are_left_out_and_counted() -> None:
    """Infinite and undefined views are in no mean; a view that is infinite alone is `inf`, never a number."""
    split = split_views(["inf", 20.0, HIDDEN, 30.0])
    assert split.every == (25.0, 2, 1, 1)
    assert split.conditioning == ("inf", 0, 1, 0)
    assert split.held_out == (25.0, 2, 0, 1)
    assert split_views(["inf", HIDDEN, HIDDEN, HIDDEN]).every == ("inf", 0, 1, 3)


def test_no_value_at_all_gives_the_reasons() -> None:
    """Each once; a rig of one view has no held-out mean."""
    split = split_views([HIDDEN, HIDDEN, Undefined(reason="tiny")])
    assert split.every == (Undefined(reason="hidden; tiny"), 0, 0, 3)
    assert split_views([1.0]).held_out.value == Undefined(reason="there are no held-out views")
    with pytest.raises(InputError, match="there are none"):
        split_views([])
