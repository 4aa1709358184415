"""Scores of single views put together: all of them, the conditioning view, and those the method never saw."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from schemas.errors import InputError
from schemas.score import Measure, Undefined

CONDITIONING_VIEW = 0
"""The view that methods are shown; the others are held out."""


class ViewMean(NamedTuple):
    """A mean over views with a finite value, and how many of them there are."""

    value: Measure
    """`inf` when no view has a finite value and one or more are infinite."""
    defined: int
    """Views in the mean."""
    infinite: int
    """Views left out of it because their pictures are the same."""
    undefined: int


class ViewSplit(NamedTuple):
    """A score over the views of a rig."""

    every: ViewMean
    conditioning: ViewMean
    """View 0, which the method was shown."""
    held_out: ViewMean
    """The other views."""


def split_views(values: Sequence[Measure]) -> ViewSplit:
    """Put the scores of views together, in the order of the views. Raises InputError without any."""
    if not values:
        raise InputError("view scores: there are none, needs the conditioning view at least")
    return ViewSplit(
        every=mean_of_views(values),
        conditioning=mean_of_views(values[CONDITIONING_VIEW : CONDITIONING_VIEW + 1]),
        held_out=mean_of_views(values[CONDITIONING_VIEW + 1 :]),
    )


def mean_of_views(values: Sequence[Measure]) -> ViewMean:
    """Mean of the finite values, summed in their order. Undefined views give their reason when no view has a value."""
    finite = [value for value in values if isinstance(value, float)]
    infinite = sum(value == "inf" for value in values)
    reasons = [value.reason for value in values if isinstance(value, Undefined)]
    if finite:
        total = 0.0
        for value in finite:
            total += value
        return ViewMean(total / len(finite), len(finite), infinite, len(reasons))
    if infinite:
        return ViewMean("inf", 0, infinite, len(reasons))
    reason = "; ".join(dict.fromkeys(reasons)) if reasons else "there are no held-out views"
    return ViewMean(Undefined(reason=reason), 0, 0, len(reasons))
