"""Building one chain: intents become operations, operations become turns.

```
Intent -> candidates -> fit -> Placement | Rejection -> Operation -> apply -> State -> screen -> digest -> Turn
```
The operation that is applied and hashed is the one decoded from its own canonical bytes: what was logged is what was
built.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

from chains.edit_cells import Shortage
from chains.plan import MIN_TURNS, Intent, Wish, cut_to_shares, plan_length, plan_turn
from chains.state import State, apply, state_at, states_of
from engine.cells.edits import count_turn_cells
from engine.operations.instructions import is_well_said
from engine.operations.proposal import Proposal
from engine.operations.propose import propose
from engine.pictures.camera_search import fit_rig
from engine.pictures.pieces import StatePieces
from engine.workbench import Workbench
from schemas.base import SlotId
from schemas.chain import Chain, Provenance, RejectionCount, Turn
from schemas.codec import decode, encode
from schemas.part import PartRef
from schemas.placement import Rejection

MAX_QUESTIONS = 12
"""Proposals of one turn that a screener is asked about; when it rejects them all the chain ends where it is."""

MOST_TRIED_SINCE = 4
"""Slots that are tried after an edit was found that changes too few cells, before it is taken after all."""


@dataclass(frozen=True, slots=True)
class Abandoned:
    """A host could not carry a chain of a family."""

    reason: str
    rejected: tuple[RejectionCount, ...] = ()
    """Candidates turned away in the turn that failed, the most frequent check first."""


def build_chain(
    bench: Workbench,
    chain: Chain,
    length: int | None = None,
    *,
    wishes: Callable[[int], Wish | None] = lambda _: None,
    keep: Callable[[Chain], None] = lambda _: None,
) -> Chain | Abandoned:
    """Extend `chain` (new, or what a killed run left) turn by turn until it is complete.

    `wishes` says which operation a turn should be and what else it may be. `keep` is called with the chain so far after
    every accepted turn. A turn for which no intent works ends the chain; one of family A then loses last turns until it
    mostly adds. Fewer than three turns abandon it with what was most often in the way.
    """
    wanted = length or plan_length(chain.seed, chain.family, chain.host.object_id)
    state = _last_state(chain)
    stopped: Counter[str] = Counter()
    if chain.initial_content_sha256 is None:
        chain = _with_start(bench, chain, state)
        keep(chain)
    while len(chain.turns) < wanted:
        built = _build_turn(bench, chain, state, stopped, wanted, wishes)
        if built is None:
            break
        turn, state = built
        chain = chain.model_copy(update={"turns": (*chain.turns, turn)})
        keep(chain)
    chain = cut_to_shares(chain)
    ranked = sorted(stopped.items(), key=lambda entry: (-entry[1], entry[0]))
    ended_by = tuple(RejectionCount(check=check, count=count) for check, count in ranked)
    if len(chain.turns) < MIN_TURNS:
        often = ", ".join(f"{row.check} {row.count}" for row in ended_by[:3])
        turns = f"{len(chain.turns)} turn{'' if len(chain.turns) == 1 else 's'}"
        return Abandoned(
            f"only {turns}, {MIN_TURNS} are needed ({often or 'nothing to edit'})",
            ended_by,
        )
    return _finish(bench, chain.model_copy(update={"aimed_turns": wanted, "ended_by": ended_by}))


def new_chain(bench: Workbench, chain_id: str) -> Chain:
    """A chain without turns."""
    return Chain(
        id=chain_id,
        family=bench.family,
        seed=bench.seed,
        host=bench.host,
        library_sha256=bench.library.manifest.library_sha256,
        limits=bench.limits,
        turns=(),
    )


def _build_turn(
    bench: Workbench,
    chain: Chain,
    state: State,
    stopped: Counter[str],
    length: int,
    wishes: Callable[[int], Wish | None],
) -> tuple[Turn, State] | None:
    """The next turn and the state after it; None when no intent works. `length` is what the chain aims at."""
    number = len(chain.turns) + 1
    bench.start_turn(chain, state)
    rejected: Counter[str] = Counter()
    left = length - len(chain.turns)

    def find_shortage(slot: SlotId) -> Shortage:
        return bench.cells.find_removal_shortage(bench.geometry(state), slot)

    intents = plan_turn(state, chain.turns, chain.family, chain.seed, left, wishes(number), find_shortage)
    for proposal in _find_proposals(bench, state, intents, number, rejected):
        turn, after = _log(state, proposal, number, rejected)
        screening = bench.screen(state, after, turn)
        if screening is None or screening.verdict == "fit":
            hashes = {"state_sha256": after.sha256, "content_sha256": bench.digest(after)}
            return turn.model_copy(update={**hashes, "screening": screening}), after
        rejected["screen"] += 1
        if rejected["screen"] >= MAX_QUESTIONS:
            break
    stopped.update(rejected)
    return None


def _find_proposals(
    bench: Workbench, state: State, intents: Sequence[Intent], number: int, rejected: Counter[str]
) -> Iterator[Proposal]:
    """Proposals with a sound sentence, best first; what was turned away on the way is counted in `rejected`.

    One that changes too few cells waits until some more slots were tried for the same operation; never for another.
    """
    for _, group in groupby(intents, key=lambda intent: intent.op):
        waiting: list[tuple[Proposal, Iterator[Proposal]]] = []
        tried_since = 0
        for intent in group:
            tried_since += bool(waiting)
            answers = _find_sound(bench, state, intent, number, rejected)
            for proposal in answers:
                if proposal.shortage and not (intent.purpose or intent.returns):
                    waiting.append((proposal, answers))
                    break
                yield proposal
            if tried_since == MOST_TRIED_SINCE:
                yield from _by_shortage(waiting)
                waiting, tried_since = [], 0
        yield from _by_shortage(waiting)


def _by_shortage(waiting: Sequence[tuple[Proposal, Iterator[Proposal]]]) -> Iterator[Proposal]:
    """What waited, each with what its intent offers besides, the least short first."""
    for proposal, others in sorted(waiting, key=lambda entry: entry[0].shortage):
        yield proposal
        yield from others


def _find_sound(
    bench: Workbench, state: State, intent: Intent, number: int, rejected: Counter[str]
) -> Iterator[Proposal]:
    """The proposals of one intent that have a sound sentence."""
    for answer in propose(bench, state, intent, number):
        if isinstance(answer, Rejection):
            rejected[answer.check] += 1
        elif is_well_said(bench.host, state, answer, bench.operations()):
            yield answer
        else:
            rejected["wording"] += 1


def _log(state: State, proposal: Proposal, number: int, rejected: Counter[str]) -> tuple[Turn, State]:
    """Turn and state of a proposal, through its own bytes; the hashes are still to come."""
    turn = Turn(
        index=number,
        operation=proposal.operation,
        instruction=proposal.instruction,
        instruction_draft=None,
        named_slots=proposal.named_slots,
        purpose=proposal.purpose,
        returns=proposal.returns,
        refers_to=proposal.refers_to,
        rejected=tuple(RejectionCount(check=check, count=count) for check, count in sorted(rejected.items())),
        visible=proposal.change.drawn,
        covered=proposal.change.covered,
        retrieval=proposal.retrieval,
    )
    logged = decode(Turn, encode(turn), f"turn {number}")
    return logged, apply(state, logged.operation, number)


def _last_state(chain: Chain) -> State:
    return state_at(chain, len(chain.turns))


def _with_start(bench: Workbench, chain: Chain, state: State) -> Chain:
    hashes = {"initial_state_sha256": state.sha256, "initial_content_sha256": bench.digest(state)}
    return chain.model_copy(update=hashes)


def _finish(bench: Workbench, chain: Chain) -> Chain:
    """Rig, cells and provenance: what can only be known when all states are."""
    rig = fit_rig(chain, StatePieces(bench.assembler, chain.id))
    chain = count_turn_cells(chain, bench.assembler)
    return chain.model_copy(update={"rig": rig, "provenance": tuple(_provenance(bench, chain))})


def _provenance(bench: Workbench, chain: Chain) -> Iterator[Provenance]:
    """One entry per source object, sorted."""
    refs = {ref for _, state in states_of(chain) for piece in state.pieces for ref in piece.parts}
    rows: dict[str, PartRef] = {}
    for ref in sorted(refs, key=lambda entry: entry.key):
        rows.setdefault(ref.object_id, ref)
    for object_id, ref in sorted(rows.items()):
        record = bench.library.find(ref)
        yield Provenance(object_id=object_id, licence=record.licence, author=record.author, source=record.source)


__all__ = ["Abandoned", "build_chain", "new_chain"]
