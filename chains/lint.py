"""What a reader would hold against an instruction: the builder's gate and `engine lint`."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from chains.lint_context import Finding, LintContext, Reading, Rule, RuleId
from chains.lint_form import check_articles, check_sentence
from chains.lint_names import check_ambiguous_twins, check_source_scenes, check_stale_names, check_unneeded_sides
from chains.lint_past import check_past
from chains.lint_words import (
    check_axis_words,
    check_coverage_claims,
    check_invisible_facts,
    check_library_words,
    check_slot_ids,
    check_vague_or,
)
from chains.references import PastEdit, read_edits
from chains.state import State, check_turn, states_of
from schemas.base import SlotId
from schemas.chain import Chain, Provenance, Turn
from schemas.operation import Add, Operation, Remove, Replace, Retexture
from schemas.part import Host


def _check_stale(reading: Reading) -> Iterator[Finding]:
    """Names and references to earlier turns, both true now."""
    yield from check_stale_names(reading)
    yield from check_past(reading)


RULES: dict[RuleId, Rule] = {
    "axis-word": check_axis_words,
    "slot-id": check_slot_ids,
    "library-word": check_library_words,
    "source-scene": check_source_scenes,
    "invisible-fact": check_invisible_facts,
    "vague-or": check_vague_or,
    "coverage-claim": check_coverage_claims,
    "stale-name": _check_stale,
    "ambiguous-twin": check_ambiguous_twins,
    "unneeded-side": check_unneeded_sides,
    "not-a-sentence": check_sentence,
    "article": check_articles,
}
"""Every rule, in the order of reports."""


class TurnFinding(NamedTuple):
    """A finding and the turn whose instruction it is about."""

    turn: int
    finding: Finding


class History(NamedTuple):
    """What earlier turns left behind that a state does not tell."""

    past: tuple[str, ...] = ()
    """Labels that standing pieces had and have no longer."""
    worn: tuple[tuple[SlotId, str], ...] = ()
    """Slot and material of every look that is still worn."""
    edits: tuple[PastEdit, ...] | None = None
    """What every turn did; null where that is not known."""


def lint_sentence(sentence: str, context: LintContext) -> tuple[Finding, ...]:
    """Everything the rules find in one instruction, by rule, each finding once. Empty when it may stand."""
    reading = Reading(sentence, context)
    return tuple(dict.fromkeys(finding for rule in RULES.values() for finding in rule(reading)))


def lint_turn(chain: Chain, turn_index: int) -> tuple[Finding, ...]:
    """The findings on the instruction of one turn, counted from 1. Raises InputError with the valid range."""
    check_turn(chain, turn_index)
    return tuple(entry.finding for entry in _lint_turns(chain, chain.turns[:turn_index]) if entry.turn == turn_index)


def lint_chain(chain: Chain) -> tuple[TurnFinding, ...]:
    """The findings on all instructions of a chain, in order of turns."""
    return tuple(_lint_turns(chain, chain.turns))


def _lint_turns(chain: Chain, turns: Sequence[Turn]) -> Iterator[TurnFinding]:
    sources = find_source_names(chain.host.object_id, chain.provenance)
    done: list[Operation] = []
    for turn, (_, state) in zip(turns, states_of(chain), strict=False):
        context = read_context(
            chain.host, state, turn.operation, turn.named_slots, read_history(chain.host, state, done), sources
        )
        for finding in lint_sentence(turn.instruction, context):
            yield TurnFinding(turn.index, finding)
        done.append(turn.operation)


def read_context(
    host: Host,
    state: State,
    operation: Operation,
    named_slots: Sequence[SlotId],
    history: History,
    sources: Sequence[str] = (),
) -> LintContext:
    """What the instruction of `operation` is judged by; `state` is the one before the turn."""
    slots = sorted({*state.by_slot, *(slot.id for slot in host.slots), *(gone.piece.slot for gone in state.removed)})
    parts = [ref for piece in state.pieces for ref in piece.parts]
    labels = {piece.slot: piece.label for piece in state.pieces}
    away = {gone.piece.label for gone in state.removed} - set(labels.values())
    return LintContext(
        op=operation.op,
        labels=labels,
        named_slots=tuple(named_slots),
        new_label=None if isinstance(operation, Remove) else operation.label,
        ids=tuple(
            sorted(
                {
                    *slots,
                    *(ref.part_id for ref in parts),
                    *(ref.object_id for ref in parts),
                    *(r.library for r in parts),
                }
            )
        ),
        host=host.name,
        sources=tuple(sources),
        worn=dict(history.worn),
        gone=tuple(sorted(away)),
        past=history.past,
        edits=history.edits,
    )


def read_history(host: Host, state: State, operations: Iterable[Operation]) -> History:
    """What `operations`, which led from the host to `state`, left behind."""
    operations = tuple(operations)
    labels = {slot.id: slot.label for slot in host.slots}
    past: set[str] = set()
    worn: dict[SlotId, str] = {}
    for operation in operations:
        if not isinstance(operation, Retexture):
            worn.pop(operation.slot, None)
        else:
            worn[operation.slot] = operation.material
        if isinstance(operation, Add | Replace) or (isinstance(operation, Retexture) and operation.label):
            old = labels.get(operation.slot)
            if old is not None and old != operation.label:
                past.add(old)
            labels[operation.slot] = str(operation.label)
    return History(
        tuple(sorted(past - {piece.label for piece in state.pieces})),
        tuple(sorted((slot, material) for slot, material in worn.items() if slot in state.by_slot)),
        read_edits(host, operations),
    )


def find_source_names(host_id: str, provenance: Iterable[Provenance]) -> tuple[str, ...]:
    """What the files of parts from elsewhere say that these were: `table small` of `Assets/table_small_B.gltf.glb`."""
    names = set()
    for entry in provenance:
        if entry.object_id == host_id:
            continue
        stem = re.split(r"[/:\\]", entry.source or entry.object_id)[-1].split(".")[0]
        words = [word for word in re.findall(r"[A-Za-z][a-z]+", stem) if len(word) > 2]
        if not re.fullmatch(r"[0-9a-f]{8,}", stem) and words:
            names.add(" ".join(words).lower())
    return tuple(sorted(names))


__all__ = [
    "RULES",
    "Finding",
    "History",
    "LintContext",
    "TurnFinding",
    "find_source_names",
    "lint_chain",
    "lint_sentence",
    "lint_turn",
    "read_context",
    "read_history",
]
