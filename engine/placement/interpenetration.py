"""How much a placed part may reach into others: strict at once, after a bounded pull, or as far as the old part did."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Generic, Literal, Protocol, TypeVar

from engine.geometry.overlap import Overlap, Placed, measure_overlap
from engine.placement import checks
from schemas.placement import Limits, Rejection

PULL_STEPS = 8
"""The bounded pull goes out in this many equal steps."""


class Pose(Protocol):
    """A pose under test."""

    @property
    def placed(self) -> Placed:
        """The part where the pose puts it."""
        ...


AnyPose = TypeVar("AnyPose", bound=Pose)


@dataclass(frozen=True, slots=True)
class Accepted(Generic[AnyPose]):
    """A pose whose overlap is small enough, and how."""

    pose: AnyPose
    overlap: Overlap
    mode: Literal["strict", "pull", "baseline"]


def list_pulls(limits: Limits) -> Iterator[float]:
    """The lengths of the bounded pull over D, shortest first."""
    for step in range(1, PULL_STEPS + 1):
        yield limits.pull_rel * step / PULL_STEPS


def resolve_overlap(
    pose: AnyPose,
    pulls: Iterable[AnyPose],
    others: Sequence[Placed],
    limits: Limits,
    measure_baseline: Callable[[], float],
) -> Accepted[AnyPose] | Rejection:
    """Strict at once; else the first pull that gets there; else, in baseline mode, the unpulled pose.

    Args:
        pose: the pose as it was fitted.
        pulls: the same pulled out step by step, made only when it is needed, as far as it still holds.
        others: the parts it may reach into.
        limits: the chain's limits.
        measure_baseline: how much of the old part lay inside others; asked for in baseline mode alone.

    """
    overlap = measure_overlap(pose.placed, others, limits.interpenetration)
    if overlap.fraction < limits.interpenetration:
        return Accepted(pose, overlap, "strict")
    closest = overlap
    for pulled in pulls:
        measured = measure_overlap(pulled.placed, others, limits.interpenetration)
        closest = min(closest, measured, key=lambda one: one.fraction)
        if measured.fraction < limits.interpenetration:
            return Accepted(pulled, measured, "pull")
    if limits.mode == "baseline":
        old = measure_baseline()
        overlap = measure_overlap(pose.placed, others, limits.allowed_overlap(old))
        return checks.check_overlap(overlap, old, limits) or Accepted(pose, overlap, "baseline")
    return checks.check_overlap(closest, None, limits) or Accepted(pose, overlap, "strict")
