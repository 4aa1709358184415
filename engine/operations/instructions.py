"""The gate every drafted sentence passes: nothing may be held against it by `chains.lint`."""

from __future__ import annotations

from collections.abc import Iterable

from chains.lint import lint_sentence, read_context, read_history
from chains.state import State
from engine.operations.proposal import Proposal
from schemas.operation import Operation
from schemas.part import Host


def is_well_said(host: Host, state: State, proposal: Proposal, operations: Iterable[Operation]) -> bool:
    """Whether the sentence of a proposal may stand; `operations` are those that led from the host to `state`."""
    history = read_history(host, state, operations)
    context = read_context(host, state, proposal.operation, proposal.named_slots, history)
    return not lint_sentence(proposal.instruction, context)
