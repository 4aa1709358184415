"""Object suite: a reconstruction against its target, and figures over many cases."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Literal, NamedTuple

import numpy as np
from scipy.optimize import linear_sum_assignment

from engine.surfaces import FloatArray, IntArray
from evaluator.suites.chamfer import OWN_CHAMFER_RULES, ChamferRules, ChamferScores, measure_chamfer
from evaluator.suites.measures import list_numbers, mean_of, median_of, number_of
from evaluator.suites.topology import BettiNumbers, TopologyErrors, compare_betti, measure_betti
from schemas.base import Finite, Value
from schemas.errors import GeometryError, InputError
from schemas.score import Measure, Undefined

WORST_FACTOR: Final = 1.5
EMPTY_TOPOLOGY_ERROR: Final = 1.0
"""What an empty surface scores against any target: every number is missed."""


class ObjectRules(Value):
    """How objects are compared and their figures averaged."""

    chamfer: ChamferRules = OWN_CHAMFER_RULES
    headline: Literal["identity", "upright", "best"] = "best"
    """Which rotations the headline distance may choose from."""
    distance_penalty: Literal["fixed", "worst_of_run"] = "fixed"
    """What a case without a distance counts: `failed_distance`, or 1.5 times the worst valid distance of the run."""
    failed_distance: Finite = 1.0
    """Squared unit radii; a cube against a sphere has 0.15."""
    missing_views: Literal["zero", "left_out"] = "zero"
    """A picture missing of a reconstruction counts 0 in its mean over the target's views, or is not asked for."""
    topology_failures: Literal["empty", "left_out"] = "empty"
    """A reconstruction without a surface enters the median as an empty one, error 1, or does not enter."""


OWN_OBJECT_RULES: Final = ObjectRules()


class ObjectScores(NamedTuple):
    """Geometry of one case; similarities of pictures and point encoders stand in columns of their own."""

    chamfer: ChamferScores | Undefined
    betti: BettiNumbers | Undefined
    target_betti: BettiNumbers
    topology: TopologyErrors | Undefined


@dataclass(frozen=True, slots=True)
class Mean:
    """A mean over attempted cases with a penalty for those without a value, and over those with one."""

    penalized: Measure
    conditional: Measure
    attempted: int
    defined: int
    penalty: float | None
    """What a missing value counted; None when no value sets it."""


class ObjectSummary(NamedTuple):
    """Figures of a run over its attempted cases."""

    distance: Mean
    floor: Measure
    """Mean noise floor of the cases with a distance: no reconstruction gets below."""
    topology: Measure
    """Median of the total errors."""
    topology_each: tuple[Measure, Measure, Measure]
    """Median of each number's error over the cases that define it."""
    topology_cases: int
    """Cases in the median."""


class ViewSimilarity(NamedTuple):
    """Cosines between views of a reconstruction and of its target, put together."""

    paired: Measure
    """Mean of view i with view i; undefined where the own views are not those of the target."""
    best_assignment: Measure
    """Mean over the one-to-one matching of largest sum: forgives a turned object, as the peers publish it."""
    views: int
    """Own views that were matched."""


def measure_object(
    target: tuple[FloatArray, IntArray],
    reconstruction: tuple[FloatArray, IntArray],
    rules: ObjectRules = OWN_OBJECT_RULES,
) -> ObjectScores:
    """Score one reconstruction, vertices (V, 3) and faces (F, 3); what cannot be measured of it says why.

    Raises:
        GeometryError: the target is empty, not finite or without area.

    """
    target_betti = measure_betti(*target)
    try:
        betti = measure_betti(*reconstruction)
    except GeometryError as error:
        reason = Undefined(reason=str(error))
        return ObjectScores(reason, reason, target_betti, reason)
    chamfer = measure_chamfer(target, reconstruction, rules.chamfer)
    return ObjectScores(chamfer, betti, target_betti, compare_betti(betti, target_betti))


def summarize_objects(cases: Sequence[ObjectScores], rules: ObjectRules = OWN_OBJECT_RULES) -> ObjectSummary:
    """Average the cases of a run, all attempted ones, in their order."""
    chamfers = [case.chamfer for case in cases]
    distances = [c if isinstance(c, Undefined) else _headline(c, rules) for c in chamfers]
    topologies = [case.topology for case in cases]
    totals = [e if isinstance(e, Undefined) else e.total for e in topologies]
    if rules.topology_failures == "empty":
        totals = [EMPTY_TOPOLOGY_ERROR if isinstance(total, Undefined) else total for total in totals]
    first, second, third = (
        median_of([e.each[k] for e in topologies if not isinstance(e, Undefined)]) for k in range(3)
    )
    return ObjectSummary(
        distance=mean_with_penalty(distances, rules.distance_penalty, rules.failed_distance),
        floor=mean_of([c.floor for c in chamfers if not isinstance(c, Undefined)], "distance"),
        topology=median_of(totals),
        topology_each=(first, second, third),
        topology_cases=len(list_numbers(totals)),
    )


def mean_with_penalty(
    values: Sequence[Measure], penalty: Literal["fixed", "worst_of_run"] = "fixed", failed: float = 0.0
) -> Mean:
    """Average a column over all attempted cases, in their order; a value that is not a number counts the penalty.

    penalty: `fixed` charges `failed`; `worst_of_run` charges 1.5 times the largest value of this column, which makes a
        method's mean depend on which of its own cases went worst.
    """
    numbers = [number_of(value) for value in values]
    defined = [number for number in numbers if number is not None]
    charge: float | None = failed
    if penalty == "worst_of_run":
        charge = WORST_FACTOR * max(defined) if defined else None
    penalized: Measure = Undefined(reason="no case has a value to set the penalty by" if values else "no case")
    if values and charge is not None:
        penalized = mean_of([charge if number is None else number for number in numbers])
    return Mean(penalized, mean_of(values), len(values), len(defined), charge)


def match_views(cosines: FloatArray, rules: ObjectRules = OWN_OBJECT_RULES) -> ViewSimilarity:
    """Put together cosines (own views, target views), each in [-1, 1].

    Raises:
        InputError: the table is not two-dimensional or holds a number that is not finite.

    """
    table = np.asarray(cosines, dtype=np.float64)
    if table.ndim != 2 or not np.isfinite(table).all():
        raise InputError(f"view similarity: cosines of shape {table.shape}, needs two dimensions, all finite")
    own, wanted = table.shape
    if own == 0 or wanted == 0:
        missing = Undefined(reason=f"{own} own views and {wanted} of the target")
        return ViewSimilarity(missing, missing, 0)
    rows, columns = linear_sum_assignment(table, maximize=True)
    counted = wanted if rules.missing_views == "zero" else len(rows)
    paired: Measure = Undefined(reason=f"{own} own views, the target has {wanted}")
    if own == wanted:
        paired = mean_of([float(value) for value in np.diagonal(table)])
    return ViewSimilarity(paired, float(np.sum(table[rows, columns])) / counted, len(rows))


def _headline(scores: ChamferScores, rules: ObjectRules) -> float:
    return {"identity": scores.identity, "upright": scores.upright, "best": scores.best}[rules.headline]
