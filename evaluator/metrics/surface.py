"""How near an output's surface is to the target's: CD, F, HD95, NC and fragments, region by region.

Everything is measured three times from the same samples. The headline is exact, from samples of one mesh to the
surface of the other. Beside it stand the figure from samples to samples, as usually published, and its noise floor:
the target against a second, independent sampling of itself. All lengths are in units of the frame's longest side L.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, NamedTuple

import numpy as np

from engine.surfaces import BoolArray, FloatArray
from evaluator.metrics.fragments import count_fragments
from evaluator.metrics.nearest import (
    Links,
    SampledSurface,
    build_tree,
    link_exactly,
    link_to_samples,
    prepare_surface,
    select_links,
)
from evaluator.metrics.sampling import (
    SECOND,
    TARGET_SAMPLES,
    FramedSurface,
    SurfaceSamples,
    find_density,
    sample_framed,
)
from schemas.score import Measure, Undefined

NEAR: Final = 0.01
WIDE: Final = 0.02
"""Thresholds of the F-score: a sample matches when it is closer than this."""
PERCENTILE: Final = 95.0
CHAMFER_FACTOR: Final = 100.0

RegionTest = Callable[[FloatArray], BoolArray]
"""Which of (N, 3) points in frame units lie in a region: (N,) bool."""


@dataclass(frozen=True, slots=True, eq=False)
class CellRegion:
    """A region as cells of the chain's lattice: callable on points (N, 3) in frame units.

    A point belongs to the cell floor(cells_per_side * point + offset) + margin. Points beyond the array are outside.
    """

    cells: BoolArray
    """(n, n, n) work array, the margin included."""
    cells_per_side: float = 60.5
    offset: float = 31.5
    margin: int = 16

    def __call__(self, points: FloatArray) -> BoolArray:
        """Tell for each point whether its cell belongs to the region."""
        index = np.floor(points * self.cells_per_side + self.offset) + self.margin
        within = ((index >= 0) & (index < np.array(self.cells.shape))).all(axis=1)
        # Beyond the array the index may be too large for an integer.
        i, j, k = np.where(within[:, None], index, 0.0).astype(np.int64).T
        chosen: BoolArray = self.cells[i, j, k] & within
        return chosen


class SurfaceFigures(NamedTuple):
    """The figures of one region, measured one way."""

    chamfer: Measure
    """CD: mean over both directions of the mean distance, times 100."""
    f_score_001: Measure
    """F@0.01: harmonic mean of precision and recall."""
    precision_001: Measure
    """Share of the output's samples closer than the threshold to the target."""
    recall_001: Measure
    """Share of the target's samples closer than the threshold to the output."""
    f_score_002: Measure
    precision_002: Measure
    recall_002: Measure
    hd95: Measure
    """HD95: 95th percentile of the distances of both sides together, interpolated linearly."""
    normal_consistency: Measure
    """NC: mean |cos| of the normals, mean of the two sides."""


class RegionFigures(NamedTuple):
    """The figures of one region and the samples behind them."""

    exact: SurfaceFigures
    """Samples to surface: the headline."""
    sampled: SurfaceFigures
    """Samples to samples, as usually published."""
    floor: SurfaceFigures
    """The target's samples to a second sampling of the target: what `sampled` gives when nothing differs."""
    samples_output: int
    samples_target: int

    @property
    def one_sided(self) -> bool:
        """Samples on one side only: F is 0 and the distances are undefined."""
        return (self.samples_output == 0) != (self.samples_target == 0)


class SurfaceScores(NamedTuple):
    """Everything that is measured between the surfaces of an output and its target."""

    edit: RegionFigures
    """Region E."""
    unchanged: RegionFigures
    """Region U: everything else, without bound."""
    whole: RegionFigures
    untouched: RegionFigures | None
    """What no turn so far should have touched; its HD95 and NC are reported. None when not asked for."""
    density: float
    """Samples per L^2 of the target."""
    density_output: float
    capped: bool
    """The output is so large that it was sampled more thinly than the target."""
    fragments_output: int
    fragments_target: int

    @property
    def fragments_delta(self) -> int:
        """Delta frag: fragments of the output that the target has not."""
        return self.fragments_output - self.fragments_target


@dataclass(frozen=True, slots=True, eq=False)
class PreparedTarget:
    """A target with both samplings and their links, to be scored against any number of outputs."""

    sampled: SampledSurface
    second: SurfaceSamples
    floor_forth: Links
    """From the samples to the second ones."""
    floor_back: Links
    """From the second samples to the first."""
    fragments: int

    @property
    def density(self) -> float:
        """Samples per L^2, for both meshes of the turn."""
        return self.sampled.samples.density


class _Side(NamedTuple):
    """Samples of one surface, in regions, and their links to the other surface."""

    points: FloatArray
    exact: Links
    sampled: Links


def prepare_target(target: FramedSurface, samples: int = TARGET_SAMPLES) -> PreparedTarget:
    """Sample a target twice and measure its noise floor.

    Raises:
        GeometryError: the target has no area.

    """
    density = find_density(target, samples)
    sampled = prepare_surface(target, density)
    second = sample_framed(target, density, SECOND)
    return PreparedTarget(
        sampled=sampled,
        second=second,
        floor_forth=link_to_samples(sampled.samples, second, build_tree(second)),
        floor_back=link_to_samples(second, sampled.samples, sampled.tree),
        fragments=count_fragments(target),
    )


def measure_surface(
    output: FramedSurface, target: PreparedTarget, edit: RegionTest, touched: RegionTest | None = None
) -> SurfaceScores:
    """Measure an output against a prepared target of the same frame.

    `edit` tells the points of E_k. `touched` tells those of the dilated difference of V(S_0) and V(S_k), outside of
    which the untouched region lies. A sample belongs to the region of its place; what it is compared with is searched
    for everywhere.
    """
    own = prepare_surface(output, target.density)
    theirs = target.sampled
    forth = _Side(
        own.samples.points,
        link_exactly(own.samples, theirs),
        link_to_samples(own.samples, theirs.samples, theirs.tree),
    )
    back = _Side(
        theirs.samples.points,
        link_exactly(theirs.samples, own),
        link_to_samples(theirs.samples, own.samples, own.tree),
    )

    def measure_region(name: str, region: RegionTest) -> RegionFigures:
        return _measure_region(name, region, forth, back, target)

    return SurfaceScores(
        edit=measure_region("edit region", edit),
        unchanged=measure_region("unchanged region", lambda points: ~edit(points)),
        whole=measure_region("whole", lambda points: np.ones(len(points), dtype=np.bool_)),
        untouched=None if touched is None else measure_region("untouched region", lambda points: ~touched(points)),
        density=target.density,
        density_output=own.samples.density,
        capped=own.samples.capped,
        fragments_output=count_fragments(output),
        fragments_target=target.fragments,
    )


def _measure_region(name: str, region: RegionTest, forth: _Side, back: _Side, target: PreparedTarget) -> RegionFigures:
    in_output, in_target = region(forth.points), region(back.points)
    in_second = region(target.second.points)
    return RegionFigures(
        exact=_measure_figures(name, select_links(forth.exact, in_output), select_links(back.exact, in_target)),
        sampled=_measure_figures(name, select_links(forth.sampled, in_output), select_links(back.sampled, in_target)),
        floor=_measure_figures(
            f"noise floor, {name}",
            select_links(target.floor_back, in_second),
            select_links(target.floor_forth, in_target),
        ),
        samples_output=int(in_output.sum()),
        samples_target=int(in_target.sum()),
    )


def _measure_figures(name: str, forth: Links, back: Links) -> SurfaceFigures:
    """Measure one region; `forth` links the output's samples to the target, `back` the target's to the output."""
    near, wide = _measure_matches(name, forth, back, NEAR), _measure_matches(name, forth, back, WIDE)
    chamfer: Measure
    hd95: Measure
    consistency: Measure
    if len(forth.distance) and len(back.distance):
        chamfer = CHAMFER_FACTOR * (_mean(forth.distance) + _mean(back.distance)) / 2.0
        hd95 = float(np.percentile(np.concatenate([forth.distance, back.distance]), PERCENTILE))
        consistency = (_mean(forth.cosine) + _mean(back.cosine)) / 2.0
    else:
        chamfer = hd95 = consistency = Undefined(reason=_describe_missing(name, forth, back))
    return SurfaceFigures(chamfer, *near, *wide, hd95, consistency)


class _Matches(NamedTuple):
    f_score: Measure
    precision: Measure
    recall: Measure


def _measure_matches(name: str, forth: Links, back: Links, threshold: float) -> _Matches:
    precision, recall = _share_below(name, "output", forth, threshold), _share_below(name, "target", back, threshold)
    if isinstance(precision, float) and isinstance(recall, float):
        both = precision + recall
        return _Matches(2.0 * precision * recall / both if both > 0.0 else 0.0, precision, recall)
    if isinstance(precision, Undefined) and isinstance(recall, Undefined):
        return _Matches(Undefined(reason=_describe_missing(name, forth, back)), precision, recall)
    return _Matches(0.0, precision, recall)


def _share_below(name: str, side: str, links: Links, threshold: float) -> float | Undefined:
    count = len(links.distance)
    if not count:
        return Undefined(reason=f"{name}: no samples of the {side}")
    return int((links.distance < threshold).sum()) / count


def _describe_missing(name: str, forth: Links, back: Links) -> str:
    if len(forth.distance) == len(back.distance):
        return f"{name}: no samples on either side"
    return f"{name}: no samples of the {'target' if len(forth.distance) else 'output'}"


def _mean(values: FloatArray) -> float:
    return float(values.sum()) / len(values)
