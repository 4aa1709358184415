"""Scoring runs: chains over worker processes, cached turn by turn, one bad chain costing itself alone.

```
SCORES/protocol.json                     the options
       <method>/<family>/<chain>.json    ChainScores
       pictures/                         what was drawn, by content
```
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from chains.files import read_chain
from chains.storage import make_folder, write_atomic, writer_lock
from evaluator.metrics.networks.weights import MissingWeights, find_weights, load_map_metric
from evaluator.outputs import read_rollout
from evaluator.own import DeliveredStates, OwnStates, ReferenceStates
from evaluator.pictures import ChainPictures
from evaluator.protocol import ImageOptions, Protocol
from evaluator.score import Networks, score_outcome, turn_key
from evaluator.truth import ChainTruth
from library_index.executors import LOCAL, ExecutorChoice, open_pool, run_as_done
from library_index.library import open_library
from library_index.pool import UnitResult
from schemas.codec import digest, encode, read_record
from schemas.errors import EngineError, InputError, WorkerError
from schemas.rollout import GROUND_TRUTH_ENDING, REFERENCES, RolloutRecord
from schemas.score import AbsentColumn, ChainScores, TurnScore

PROTOCOL_FILE = "protocol.json"
PICTURES = "pictures"
UNIT_LIMIT_S = 4 * 3600.0
"""A chain that takes longer is a fault: its worker is killed."""
NETWORKS = ("lpips_alex", "dinov2_vitb14")
"""Columns that need weights."""
PICTURE_COLUMNS = ("drift", "psnr", "silhouette_iou", "ssim", *NETWORKS)


@dataclass(frozen=True, slots=True)
class ScoreOrder:
    """What is scored, and where."""

    run: Path
    library: Path
    out: Path
    protocol: Protocol
    references: bool = True
    """Score the reference methods too."""
    weights: Path | None = None
    """Folder of network weights, by the names of their columns; None leaves these columns absent."""
    workers: int = 1
    executor: ExecutorChoice = LOCAL


@dataclass(frozen=True, slots=True)
class ScoreUnit:
    """One chain file of an order."""

    path: Path
    turns: int
    order: ScoreOrder

    def __str__(self) -> str:
        return str(self.path)


@dataclass(frozen=True, slots=True)
class ScoredChain:
    """What became of one chain."""

    chain: str
    methods: tuple[str, ...] = ()
    scored: int = 0
    """Turns that were measured now."""
    kept: int = 0
    """Turns whose scores were there already."""
    failure: str = ""
    exit_code: int = 0


def score_run(paths: Sequence[Path], order: ScoreOrder) -> Iterator[ScoredChain]:
    """Score the chains of a run, in order of completion; scores that are there already, made of the same, stay.

    Raises InputError when the folder holds scores made with other options, or two chains have one name, LockedError
    when another process writes there, OutputError when nobody can.
    """
    open_library(order.library)
    units = _list_units(paths, order)
    with writer_lock(order.out):
        _check_protocol(order)
        with open_pool(_score_chain, order.executor, order.workers, unit_limit_s=UNIT_LIMIT_S) as pool:
            costs = [float(unit.turns) for unit in units]
            for answer in run_as_done(pool, units, costs):
                yield answer.value or _give_up(units[answer.index], answer)


def scores_path(out: Path, method: str, chain_id: str) -> Path:
    """Where the scores of a method on a chain lie."""
    return out / method / f"{chain_id}.json"


def name_row(record: RolloutRecord) -> RolloutRecord:
    """The record under the name of its row: a method that was given the true states stands beside its own self."""
    if record.input == "own" or record.method.endswith(GROUND_TRUTH_ENDING):
        return record
    return record.model_copy(update={"method": record.method + GROUND_TRUTH_ENDING})


def list_scores(folder: Path) -> list[Path]:
    """All score files below a folder, sorted. Raises InputError when there is none."""
    found = sorted(path for path in folder.glob("*/*/*.json") if not path.name.startswith("."))
    if not found:
        raise InputError(f"{folder}: no scores below this folder")
    return found


def _list_units(paths: Sequence[Path], order: ScoreOrder) -> list[ScoreUnit]:
    known: dict[str, Path] = {}
    units = []
    for path in paths:
        try:
            chain = read_chain(path)
        except EngineError:
            units.append(ScoreUnit(path, 0, order))  # whoever scores it says why it cannot
            continue
        if chain.id in known:
            raise InputError(f"{path}: {chain.id} is also the chain of {known[chain.id]}")
        known[chain.id] = path
        units.append(ScoreUnit(path, len(chain.turns), order))
    return units


def _check_protocol(order: ScoreOrder) -> None:
    """Write the options of a new folder, or refuse to mix two sets of them in one."""
    path = order.out / PROTOCOL_FILE
    if path.is_file() and read_record(Protocol, path) != order.protocol:
        raise InputError(f"{order.out} holds scores made with other options: see {PROTOCOL_FILE}")
    make_folder(order.out)
    write_atomic(path, encode(order.protocol))


def _give_up(unit: ScoreUnit, answer: UnitResult[ScoredChain]) -> ScoredChain:
    """A chain that could not be read, or that no worker survived."""
    if answer.error is not None:
        return ScoredChain(str(unit.path), failure=str(answer.error), exit_code=answer.error.exit_code)
    return ScoredChain(str(unit.path), failure=f"{unit}: {answer.failure}", exit_code=WorkerError.exit_code)


def _score_chain(unit: ScoreUnit) -> ScoredChain:
    """Score one chain: the method's own states, and the reference methods."""
    order = unit.order
    truth = ChainTruth(unit.path, order.library, order.protocol)
    record = name_row(read_rollout(order.run, truth.chain))
    if record.method in REFERENCES:
        raise InputError(f"{unit.path}: a method cannot be called {record.method!r}, that is a reference row")
    rows: list[OwnStates] = [DeliveredStates(order.run, record, truth)]
    if order.references:
        rows.extend(ReferenceStates(name, truth) for name in REFERENCES)
    networks: Networks = {}
    pictures = None
    if order.protocol.pictures is not None:
        pictures = ChainPictures(truth, order.out / PICTURES, order.protocol.pictures)
        networks = open_networks(order.weights, order.protocol.pictures.measured)
    known = {row.method: _find_known(truth, row, order, networks) for row in rows}
    done: dict[str, list[TurnScore]] = {row.method: [] for row in rows}
    scored = kept = 0
    for turn in truth.chain.turns:
        for row in rows:
            if row.record.unresolved:
                continue
            found = known[row.method].get(turn.index)
            if found is None:
                found = score_outcome(truth, row, row.record.turns[turn.index - 1], pictures, networks)
                scored += found.status == "delivered"
            else:
                kept += 1
            done[row.method].append(found)
    for row in rows:
        write_atomic(
            scores_path(order.out, row.method, truth.chain.id),
            encode(_record_of(truth, row.record, done[row.method], networks)),
        )
    return ScoredChain(truth.chain.id, tuple(row.method for row in rows), scored, kept)


@lru_cache(maxsize=1)
def open_networks(weights: Path | None, options: ImageOptions) -> Networks:
    """Network columns of this process: loaded from a folder of weights, or why they are absent."""
    return {name: load_map_metric(name, find_weights(weights, name) if weights else None, options) for name in NETWORKS}


def _find_known(truth: ChainTruth, row: OwnStates, order: ScoreOrder, networks: Networks) -> dict[int, TurnScore]:
    """Scores of earlier sessions that were made of the same states, outputs and options, by turn."""
    if row.record.unresolved:
        return {}
    path = scores_path(order.out, row.method, truth.chain.id)
    try:
        earlier = read_record(ChainScores, path) if path.is_file() else None
    except EngineError:
        return {}  # cut off, or of another version: measured again
    if earlier is None:
        return {}
    return {
        entry.turn: entry.model_copy(update={"usage": row.record.turns[entry.turn - 1].usage})
        for entry in earlier.turns
        if entry.key is not None
        and entry.turn <= len(truth.chain.turns)
        and row.record.turns[entry.turn - 1].status == "delivered"
        and entry.key == turn_key(truth, row, entry.turn, networks)
    }


def _record_of(truth: ChainTruth, record: RolloutRecord, turns: Sequence[TurnScore], networks: Networks) -> ChainScores:
    chain = truth.chain
    absent = [
        AbsentColumn(metric=name, reason=network.reason)
        for name, network in sorted(networks.items())
        if isinstance(network, MissingWeights)
    ]
    if truth.protocol.pictures is None:
        absent = [AbsentColumn(metric=name, reason="no pictures were asked for") for name in PICTURE_COLUMNS]
    return ChainScores(
        method=record.method,
        chain=chain.id,
        family=chain.family,
        host=chain.host.object_id,
        input=record.input,
        chain_sha256=truth.chain_sha256,
        protocol_sha256=digest(truth.protocol),
        unresolved=record.unresolved,
        non_metallic=record.non_metallic,
        turns=tuple(turns),
        absent=tuple(absent),
    )
