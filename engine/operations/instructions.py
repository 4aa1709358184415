"""The gate every drafted sentence passes: nothing may be held against it by `chains.lint`."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from chains.lint import lint_sentence, read_context, read_history
from chains.references import Reference, find_references, read_edits
from chains.state import State
from engine.operations.proposal import Proposal
from engine.workbench import Workbench
from schemas.base import SlotId
from schemas.operation import Operation
from schemas.part import Host

REFERENCE_SHARE = 3
"""One in so many turns that may speak of an earlier one does."""


class Draft(NamedTuple):
    """A sentence, the slots it speaks of, the edited one first, and the earlier turn it speaks of."""

    sentence: str
    named_slots: tuple[SlotId, ...]
    refers_to: int | None = None


def is_well_said(host: Host, state: State, proposal: Proposal, operations: Iterable[Operation]) -> bool:
    """Whether the sentence of a proposal may stand; `operations` are those that led from the host to `state`."""
    draft = Draft(proposal.instruction, proposal.named_slots)
    return _is_sound(host, state, proposal.operation, draft, operations)


def choose_draft(bench: Workbench, state: State, operation: Operation, drafts: Sequence[Draft]) -> Draft:
    """The first draft against which nothing can be held; the last one, the plainest, where there is none."""
    done = bench.operations()
    sound = (draft for draft in drafts if _is_sound(bench.host, state, operation, draft, done))
    return next(sound, drafts[-1])


def draw_reference(bench: Workbench, state: State, slot: SlotId, turn: int) -> Reference | None:
    """A way to speak of a piece by the turn that edited it, in one of three turns that have one.

    None in a rehearsal: what was done just before is not in the log yet.
    """
    done = bench.operations()
    found = find_references(state, read_edits(bench.host, done), slot) if len(done) == turn - 1 else ()
    draws = bench.draws(turn, "reference", slot)
    return draws.choice(found) if found and draws.below(REFERENCE_SHARE) == 0 else None


def _is_sound(host: Host, state: State, operation: Operation, draft: Draft, operations: Iterable[Operation]) -> bool:
    history = read_history(host, state, operations)
    context = read_context(host, state, operation, draft.named_slots, history)
    return not lint_sentence(draft.sentence, context)
