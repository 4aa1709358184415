"""An edit must be seen: in enough of the object, and in enough of what it covers."""

from __future__ import annotations

import pytest

from engine.operations.watching import check_change
from engine.render.difference import ViewChange
from schemas.placement import Limits


@pytest.mark.parametrize(
    ("change", "measured", "limit"),
    [
        (ViewChange(0.006, 0.002), 0.002, 0.005),
        (ViewChange(0.08, 0.0072), 0.0072 / 0.08, 0.25),
        (ViewChange(0.0, 0.0), 0.0, 0.005),
    ],
)
def test_what_nobody_sees_is_refused(change: ViewChange, measured: float, limit: float) -> None:
    """A black eye for a black eye, a panel for its lookalike, and what is hidden, each with its value and limit."""
    refused = check_change(change, Limits())
    assert refused is not None
    assert (refused.check, refused.measured, refused.limit) == ("visible", measured, limit)


def test_limits_hold_at_equality() -> None:
    """Half a percent of the object and a quarter of what is covered are enough."""
    assert check_change(ViewChange(0.02, 0.005), Limits()) is None
    assert check_change(ViewChange(0.5, 0.125), Limits()) is None
    assert check_change(ViewChange(0.5, 0.1249), Limits()) is not None
