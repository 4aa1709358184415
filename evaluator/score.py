"""Scoring one turn: the regions and the target of the ground truth, the method's own last two states → numbers.

```
ChainTruth, OwnStates -> score_turn -> TurnScore ; a turn that was not delivered has none
```
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping

from engine.cells.lattice import Grid, measure_soup_box
from engine.cells.sizes import MARGIN_CELLS
from evaluator.beyond import measure_beyond
from evaluator.metrics.networks.weights import MapMetric, MissingWeights
from evaluator.metrics.surface import CellRegion, RegionFigures, SurfaceFigures, SurfaceScores, measure_surface
from evaluator.metrics.turn_pictures import PATCH_COSINE, score_turn_pictures
from evaluator.metrics.views import ViewMean, ViewSplit
from evaluator.metrics.voxel import TurnCells, VoxelScores, measure_truth, score_cells
from evaluator.own import OwnState, OwnStates
from evaluator.pictures import ChainPictures, collect_views
from evaluator.regions import dilate_cells
from evaluator.truth import ChainTruth
from schemas.codec import canonical, digest
from schemas.rollout import TurnOutcome
from schemas.score import REGIONS, Count, Measure, RegionName, Score, TurnScore, Undefined, ViewSet

SIZE_FACTOR = 2.0
"""An output this many times larger or smaller than its target is worth a warning: nothing is ever rescaled."""
Networks = Mapping[str, MapMetric | MissingWeights]
"""Network metrics by the names of their columns, as `load_map_metric` gives them."""
SCENE_WIDE = (
    "instruction_following",
    "if_plus",
    "if_minus",
    "if_net",
    "if_net_plus",
    "if_net_minus",
    "if_plus_jaccard",
    "keep_edit",
    "consistency_previous",
    "consistency_initial",
    "consistency_delta_previous",
)
"""Scores on cells that have one region each by their definition."""
WAYS = {"exact": "", "sampled": "_sampled", "floor": "_floor"}
"""Ends of the names of surface scores: exact ones bear the plain name."""


def turn_key(truth: ChainTruth, own: OwnStates, turn: int, networks: Networks | None = None) -> str:
    """Hash of everything that decides the scores of a turn: states so far, frame, the own last two states, options.

    The weights of `networks` are told by their hashes.
    """
    document = {
        "states": [state.sha256 for state in truth.states[: turn + 1]],
        "operations": [digest(entry.operation) for entry in truth.chain.turns[:turn]],
        "frame": [*truth.frame.center, truth.frame.side],
        "own": [_given_key(truth, own, turn), _own_key(truth, own, turn)],
        "protocol": digest(truth.protocol),
        "networks": {name: net.sha256 for name, net in (networks or {}).items() if not isinstance(net, MissingWeights)},
        "non_metallic": own.record.non_metallic,
        "rig": digest(truth.chain.rig) if truth.chain.rig and truth.protocol.pictures else None,
    }
    return hashlib.sha256(canonical(document)).hexdigest()


def _given_key(truth: ChainTruth, own: OwnStates, turn: int) -> str:
    return truth.states[turn - 1].sha256 if _is_given_truth(own) else _own_key(truth, own, turn - 1)


def _is_given_truth(own: OwnStates) -> bool:
    """Whether a method was given the true state before each turn: that is what its own previous state then is."""
    return own.record.input == "ground-truth"


def _given_state(truth: ChainTruth, own: OwnStates, turn: int) -> OwnState:
    if _is_given_truth(own):
        return OwnState(truth.soup(turn - 1), truth, truth.states[turn - 1].sha256)
    return own.state(turn - 1)


def _own_key(truth: ChainTruth, own: OwnStates, turn: int) -> str:
    if turn == 0:
        return truth.states[0].sha256
    return own.record.turns[turn - 1].output_sha256 or ""


def score_outcome(
    truth: ChainTruth,
    own: OwnStates,
    outcome: TurnOutcome,
    pictures: ChainPictures | None = None,
    networks: Networks | None = None,
) -> TurnScore:
    """Score a turn by what became of it: all numbers when it was delivered, else the reason and none.

    Without `pictures` what is measured on them is absent; so are the columns of `networks` that have no weights. Raises
    EngineError when a state cannot be read.
    """
    turn = outcome.turn
    op = truth.chain.turns[turn - 1].operation.op
    if outcome.status != "delivered":
        return TurnScore(turn=turn, op=op, status=outcome.status, reason=outcome.reason, usage=outcome.usage)
    scores, counts, warnings = score_turn(truth, turn, _given_state(truth, own, turn), own.state(turn))
    if pictures is not None:
        drawn = score_pictures(truth, turn, own, pictures, networks or {})
        scores = sort_scores([*scores, *drawn])
    return TurnScore(
        turn=turn,
        op=op,
        status="delivered",
        key=turn_key(truth, own, turn, networks),
        scores=scores,
        counts=counts,
        warnings=warnings,
        usage=outcome.usage,
    )


def score_turn(
    truth: ChainTruth, turn: int, own_before: OwnState, own: OwnState
) -> tuple[tuple[Score, ...], tuple[Count, ...], tuple[str, ...]]:
    """All scores in space of one turn, the counts behind them, and what a reader should know.

    Raises GeometryError when an own state cannot be measured, and what `ChainTruth` raises.
    """
    operation = truth.chain.turns[turn - 1].operation
    regions = truth.regions(turn)
    cells = score_cells(TurnCells(operation.op, regions, own_before.grid, own.grid), truth.protocol.voxel)
    frame = truth.frame

    def region_of(grid: Grid) -> CellRegion:
        return CellRegion(grid, frame.side / frame.pitch, frame.center_cell, MARGIN_CELLS)

    touched = dilate_cells(regions.initial ^ regions.target)
    surface = measure_surface(own.framed, truth.target(turn), region_of(regions.edit), region_of(touched))
    low, high = measure_soup_box(truth.soup(turn))
    beyond = measure_beyond(own.soup, frame, float((high - low).max()))
    rows = [
        *_cell_scores(cells),
        *_surface_scores(surface),
        Score(metric="beyond_frame", value=beyond.share),
        Score(metric="size_ratio", value=beyond.size_ratio),
        Score(metric="fragments_delta", value=float(surface.fragments_delta)),
    ]
    scores = sort_scores(rows)
    counts = (
        *(Count(name=name, count=count) for name, count in cells.counts._asdict().items()),
        *_sample_counts(surface),
    )
    return scores, counts, tuple(_list_warnings(truth, turn, surface, beyond.share, beyond.size_ratio))


def sort_scores(rows: Iterable[Score]) -> tuple[Score, ...]:
    """Scores by metric, region and views."""
    return tuple(sorted(rows, key=lambda row: (row.metric, REGIONS.index(row.region), row.views or "")))


def score_pictures(
    truth: ChainTruth,
    turn: int,
    own: OwnStates,
    pictures: ChainPictures,
    networks: Networks,
) -> Iterator[Score]:
    """All scores of one turn that are measured on pictures; columns of networks without weights are left out."""
    plain = own.record.non_metallic
    target_before = pictures.of_truth(turn - 1, non_metallic=plain)
    before = target_before if _is_given_truth(own) else own.views(turn - 1, pictures)
    views = collect_views(
        own.views(turn, pictures),
        before,
        pictures.of_truth(turn, non_metallic=plain),
        target_before,
        pictures.edit_regions(turn),
    )
    given = {name: network for name, network in networks.items() if not isinstance(network, MissingWeights)}
    options = truth.protocol.pictures
    found = score_turn_pictures(
        truth.chain.turns[turn - 1].operation.op, views, given, options.measured if options else None
    )
    regional = {"psnr": found.psnr, "ssim": found.ssim, "silhouette_iou": found.silhouette_iou, **found.networks}
    for metric, by_region in regional.items():
        for region in REGIONS:
            yield from _split_scores(metric, region, getattr(by_region, region))
    yield from _split_scores("drift", "unchanged", found.drift)
    yield from _split_scores("drift_foreground", "unchanged", found.drift_foreground)
    if truth.chain.turns[turn - 1].operation.op == "retexture":
        for metric, split in (
            ("retexture_change_ratio", found.change_ratio),
            ("retexture_residual", found.residual),
            ("retexture_residual_no_edit", found.residual_no_edit),
        ):
            yield from _split_scores(metric, "edit", split)
        if PATCH_COSINE in given:
            yield Score(
                metric="retexture_similarity", region="edit", views="conditioning", value=found.retexture_similarity
            )


def _split_scores(metric: str, region: RegionName, split: ViewSplit) -> Iterator[Score]:
    means: dict[ViewSet, ViewMean] = {
        "all": split.every,
        "conditioning": split.conditioning,
        "held_out": split.held_out,
    }
    for views, mean in means.items():
        yield Score(metric=metric, region=region, views=views, value=mean.value)


def _cell_scores(cells: VoxelScores) -> Iterator[Score]:
    for name in SCENE_WIDE:
        yield Score(metric=name, value=getattr(cells, name))
    overlaps: dict[RegionName, Measure] = {
        "edit": cells.iou_edit,
        "unchanged": cells.iou_unchanged,
        "whole": cells.iou_whole,
    }
    for region, value in overlaps.items():
        yield Score(metric="iou", region=region, value=value)


def _surface_scores(surface: SurfaceScores) -> Iterator[Score]:
    figures: dict[RegionName, RegionFigures] = {
        "edit": surface.edit,
        "unchanged": surface.unchanged,
        "whole": surface.whole,
    }
    for region, measured in figures.items():
        for way, ending in WAYS.items():
            values: SurfaceFigures = getattr(measured, way)
            for name, value in values._asdict().items():
                yield Score(metric=f"{name}{ending}", region=region, value=value)
        yield Score(metric="one_sided", region=region, value=float(measured.one_sided))
    if surface.untouched is not None:
        for name in ("hd95", "normal_consistency"):
            untouched: Measure = getattr(surface.untouched.exact, name)
            yield Score(metric=f"{name}_untouched", region="unchanged", value=untouched)


def _sample_counts(surface: SurfaceScores) -> Iterator[Count]:
    for region in REGIONS:
        measured: RegionFigures = getattr(surface, region)
        yield Count(name=f"samples_output_{region}", count=measured.samples_output)
        yield Count(name=f"samples_target_{region}", count=measured.samples_target)


def _list_warnings(
    truth: ChainTruth, turn: int, surface: SurfaceScores, beyond: float, size_ratio: float
) -> Iterator[str]:
    operation = truth.chain.turns[turn - 1].operation
    sides = measure_truth(operation.op, truth.regions(turn), truth.protocol.voxel)
    if sides.is_unscorable and isinstance(sides.score, Undefined):
        yield f"unscorable: even the ground truth has no IF on this turn: {sides.score.reason}"
    if not 1.0 / SIZE_FACTOR <= size_ratio <= SIZE_FACTOR:
        yield f"size: the output is {size_ratio:.6g} times as large as its target; nothing is rescaled"
    if beyond > 0.0:
        yield f"frame: {beyond:.1%} of the output's area lies beyond the work array and is in no cell"
    if surface.capped:
        thinned = surface.density_output / surface.density
        yield f"samples: the output is so large that it was sampled at {thinned:.1%} of the target's density"
