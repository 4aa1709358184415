"""A shelf of boxes with things on it, other objects with vases and crates, and chains made turn by turn on it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from chains.plan import Intent
from chains.state import apply, state_at
from engine.building import open_shared_parts
from engine.operations.proposal import Proposal
from engine.operations.propose import propose
from engine.workbench import Workbench
from library_index.library import Library
from schemas.base import SlotId
from schemas.chain import Chain, Family, Turn
from schemas.part import Host
from schemas.placement import Limits, Rejection
from tests.box_chains import index_source
from tests.box_library import Box, write_box_library

LIMITS = Limits(visible_share=0.0)
"""Boxes without a look of their own hide one another: how different a change looks is not asked here."""
SHELF: tuple[Box, ...] = (
    ("stone base", (0.0, 0.0, 0.0), (1.2, 0.3, 0.6)),
    ("wooden crate", (0.1, 0.3, 0.1), (0.35, 0.3, 0.35)),
    ("white vase", (0.7, 0.3, 0.15), (0.24, 0.3, 0.24)),
    ("black lid", (0.74, 0.6, 0.19), (0.16, 0.1, 0.16)),
    ("grey bucket", (0.1, 0.6, 0.1), (0.2, 0.2, 0.2)),
    ("pink cup", (0.31, 0.6, 0.1), (0.14, 0.2, 0.2)),
)
SOURCES: dict[str, tuple[Box, ...]] = {
    "shelf": SHELF,
    "table": (
        ("wooden table top", (0.0, 0.7, 0.0), (1.0, 0.1, 0.8)),
        ("left table leg", (0.05, 0.0, 0.3), (0.15, 0.7, 0.15)),
        ("right table leg", (0.8, 0.0, 0.3), (0.15, 0.7, 0.15)),
        ("tall blue vase", (0.3, 0.8, 0.3), (0.22, 0.38, 0.2)),
    ),
    "stand": (
        ("iron stand", (0.0, 0.0, 0.0), (0.8, 0.5, 0.8)),
        ("green crate", (0.2, 0.5, 0.2), (0.3, 0.32, 0.36)),
        ("red vase", (0.55, 0.5, 0.55), (0.2, 0.34, 0.2)),
    ),
    "kiln": (
        ("brick kiln", (0.0, 0.0, 0.0), (1.0, 0.6, 0.5)),
        ("yellow vase", (0.1, 0.6, 0.1), (0.24, 0.42, 0.2)),
        ("brown vase", (0.6, 0.6, 0.1), (0.26, 0.31, 0.21)),
        ("clay jug", (0.4, 0.6, 0.1), (0.14, 0.22, 0.14)),
    ),
}


def index_shelf(folder: Path) -> Library:
    """The index of a shelf and of objects that have vases and crates too, below `folder`."""
    return index_source(write_box_library(folder / "source", SOURCES), folder / "index")


def bench_of(library: Library, host: Host, out: Path, family: Family = "G", seed: int = 1) -> Workbench:
    """A bench for one chain."""
    return Workbench(open_shared_parts(library.path, out), host, family, seed, LIMITS)


def slot_with(host: Host, word: str) -> SlotId:
    """The one slot whose label has this word."""
    (slot,) = (slot.id for slot in host.slots if word in slot.label)
    return slot


def proposals(bench: Workbench, chain: Chain, intent: Intent) -> Iterator[Proposal | Rejection]:
    """What an intent gives after the chain."""
    state = state_at(chain, len(chain.turns))
    bench.start_turn(chain, state)
    return propose(bench, state, intent, len(chain.turns) + 1)


def extended(bench: Workbench, chain: Chain, intent: Intent) -> Chain:
    """The chain with one more turn, which must succeed."""
    state, number = state_at(chain, len(chain.turns)), len(chain.turns) + 1
    answers = [*proposals(bench, chain, intent)]
    sound = [answer for answer in answers if isinstance(answer, Proposal)]
    assert sound, answers
    answer = sound[-1]
    after = apply(state, answer.operation, number)
    turn = Turn(
        index=number,
        operation=answer.operation,
        instruction=answer.instruction,
        named_slots=answer.named_slots,
        purpose=answer.purpose,
        returns=answer.returns,
        visible=answer.change.drawn,
        state_sha256=after.sha256,
        content_sha256=bench.digest(after),
    )
    return chain.model_copy(update={"turns": (*chain.turns, turn)})
