"""Qualitative grids: states of every method beside the truth, with the error of each pixel.

Nobody picks what is shown: chains, turns and the held-out view are drawn by a seed, which stands in the grid with them.

```
ScoreBook + runs + chains -> OUT/grids/<family>/<chain>.png
```
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from chains.files import read_chain
from chains.storage import write_atomic
from engine.seeds import generator_for
from evaluator.book import ORACLE, ScoreBook
from evaluator.outputs import read_rollout
from evaluator.own import DeliveredStates, OwnStates, ReferenceStates
from evaluator.pictures import VIEWS, ChainPictures
from evaluator.protocol import Protocol
from evaluator.scoring import PICTURES, name_row
from evaluator.tables.grid_page import GridColumn, GridRow, GridSheet, GridTurn, GridView, draw_grid
from evaluator.truth import ChainTruth
from schemas.chain import Chain
from schemas.errors import InputError
from schemas.rollout import REFERENCES, ReferenceName, RolloutRecord, TurnOutcome

GRIDS = "grids"
MOST_TURNS = 4
"""Turns of one grid: with two views each they fill a page."""
CONDITIONING = 0
"""The view that methods are shown."""
ROWS: dict[str, ReferenceName] = {name: name for name in REFERENCES if name != ORACLE}
"""Reference methods that have a row; the oracle's is the truth itself."""
NOTES = {
    "noop": "reference: returns the host",
    "regeneration": "reference: the host drawn anew from its cells, never edited",
}


@dataclass(frozen=True, slots=True)
class GridOrder:
    """What is drawn, and from where."""

    scores: Path
    """Folder of scores, with the pictures that were drawn for them."""
    runs: tuple[Path, ...]
    """Runs that hold the states of the methods."""
    library: Path
    protocol: Protocol
    count: int
    """Chains, at most."""
    seed: int = 0


@dataclass(frozen=True, slots=True)
class GridChoice:
    """What the seed drew for one chain."""

    turns: tuple[int, ...]
    """Ascending."""
    held_out: int
    """The view beside the conditioning one."""


@dataclass(frozen=True, slots=True)
class DrawnGrid:
    """One grid that was written."""

    chain: str
    path: Path
    caption: str


def draw_grids(
    out: Path, book: ScoreBook, cohort: Sequence[str], paths: Sequence[Path], order: GridOrder
) -> list[DrawnGrid]:
    """Draw grids of chains of a cohort, chosen by seed among those whose files are given; in the order of their ids.

    Pictures that lie with the scores are used, others are drawn and kept there. Raises InputError when the scores were
    made without pictures, the cohort has none of the chains, or a method's states of a chain are in no run or in two.
    """
    known = {read_chain(path).id: path for path in paths}
    shared = sorted(set(known) & set(cohort))
    if not shared:
        raise InputError(f"grids: none of the {len(known)} chains given is among the {len(cohort)} of the cohort")
    drawn = []
    for chain_id in choose_chains(shared, order.count, order.seed):
        sheet = compose_grid(known[chain_id], book, order)
        path = out / GRIDS / f"{chain_id}.png"
        write_atomic(path, draw_grid(sheet))
        drawn.append(DrawnGrid(chain_id, path, f"{sheet.title}: {sheet.subtitle}"))
    return drawn


def choose_chains(chains: Sequence[str], count: int, seed: int) -> list[str]:
    """Draw chains; each has a rank of its own, so further chains displace some and reshuffle none. Sorted."""
    ranked = sorted(chains, key=lambda chain: (int(generator_for(seed, "grid", chain).integers(2**62)), chain))
    return sorted(ranked[:count])


def choose_turns(chain_id: str, turns: int, seed: int) -> GridChoice:
    """Draw turns and the held-out view of a chain."""
    generator = generator_for(seed, "grid turns", chain_id)
    numbers = sorted(int(index) + 1 for index in generator.permutation(turns)[:MOST_TURNS])
    return GridChoice(tuple(numbers), int(generator.integers(1, len(VIEWS))))


def compose_grid(path: Path, book: ScoreBook, order: GridOrder) -> GridSheet:
    """Collect the pictures of one chain's grid. Raises InputError, and what ChainTruth raises."""
    if order.protocol.pictures is None:
        raise InputError(f"{order.scores}: was scored without pictures, so there is nothing to draw grids of")
    truth = ChainTruth(path, order.library, order.protocol)
    pictures = ChainPictures(truth, order.scores / PICTURES, order.protocol.pictures)
    chain = truth.chain
    choice = choose_turns(chain.id, len(chain.turns), order.seed)
    views = (CONDITIONING, choice.held_out)
    columns = []
    for number in choice.turns:
        turn, regions = chain.turns[number - 1], pictures.edit_regions(number)
        shown = tuple(regions[view] for view in views)
        columns.append(GridColumn(number, turn.operation.op, turn.instruction, shown))
    targets = [pictures.of_truth(number) for number in choice.turns]
    true_turns = tuple(GridTurn(tuple(GridView(target[view]) for view in views)) for target in targets)
    rows = [GridRow("truth", "the target of each turn", true_turns)]
    for own in _list_states(truth, book, order):
        turns = tuple(_show_turn(own, own.record.turns[number - 1], pictures, views) for number in choice.turns)
        rows.append(GridRow(own.method, _describe(own.record), turns))
    numbers = ", ".join(map(str, choice.turns))
    return GridSheet(
        title=f"{chain.id}, turn{'' if len(choice.turns) == 1 else 's'} {numbers} of {len(chain.turns)}",
        subtitle=f"chain, turns and held-out view drawn with seed {order.seed}; outlined: the edited region E; "
        "maps: error against the target",
        views=tuple(f"view {view}, {'held out' if view else 'conditioning'}" for view in views),
        host=pictures.of_truth(0)[CONDITIONING],
        columns=tuple(columns),
        rows=tuple(rows),
    )


def _list_states(truth: ChainTruth, book: ScoreBook, order: GridOrder) -> list[OwnStates]:
    """The states of every method that has scores of the chain, references last; the oracle is the truth's own row."""
    chain = truth.chain
    found = _find_records(chain, order.runs)
    states: list[OwnStates] = []
    for method in book.methods:
        scored = next(book.of(method, [chain.id]), None)
        if scored is None or method == ORACLE:
            continue
        if scored.chain_sha256 != truth.chain_sha256:
            raise InputError(f"{chain.id}: the scores of {method!r} are of another version of this chain")
        if method in ROWS:
            states.append(ReferenceStates(ROWS[method], truth))
        elif method in found:
            states.append(DeliveredStates(*found[method], truth))
        else:
            raise InputError(f"{chain.id}: the states of {method!r} are in none of {len(order.runs)} runs")
    return states


def _find_records(chain: Chain, runs: Sequence[Path]) -> dict[str, tuple[Path, RolloutRecord]]:
    """Which run has the states of a chain, by method.

    A run without a folder for the chain counts last: it says only that nothing was delivered.
    """
    found: dict[str, tuple[Path, RolloutRecord]] = {}
    for run in sorted(runs, key=lambda run: not (run / chain.id).is_dir()):
        record = name_row(read_rollout(run, chain))
        held = (run / chain.id).is_dir()
        if held and record.method in found:
            raise InputError(f"{run}: {record.method!r} on {chain.id} is also in {found[record.method][0]}")
        found.setdefault(record.method, (run, record))
    return found


def _show_turn(own: OwnStates, outcome: TurnOutcome, pictures: ChainPictures, views: Sequence[int]) -> GridTurn:
    """The views of a turn beside the target, as scores compare them, or what became of it."""
    if own.record.unresolved:
        return GridTurn(missing="unresolved: faults of the machine ended every try")
    if outcome.status != "delivered":
        words = f"failed: {outcome.reason}" if outcome.status == "failed" else "blocked by an earlier failure"
        return GridTurn(missing=words)
    shown = own.views(outcome.turn, pictures)
    target = pictures.of_truth(outcome.turn, non_metallic=own.record.non_metallic)
    return GridTurn(tuple(GridView(shown[view], target[view]) for view in views))


def _describe(record: RolloutRecord) -> str:
    if record.method in NOTES:
        return NOTES[record.method]
    notes = ["edits the true state before each turn"] if record.input == "ground-truth" else []
    if record.non_metallic:
        notes.append("compared without metal, output and target alike")
    return "; ".join(notes)
