"""Numbers of slots: the host's first, added ones by turn, the same whatever comes and goes."""

from __future__ import annotations

from chains.slot_numbers import number_slots
from tests.chain_examples import add, chain_of, remove, replace


def test_numbers_are_the_hosts_order_then_turns() -> None:
    """A slot that is taken off and put back keeps its number; replacements take none."""
    log = chain_of(add("vase", "top"), remove("shade"), replace("leg"), add("shade", "lamp"), add("book", "top"))
    assert number_slots(log) == {"top": 1, "leg": 2, "lamp": 3, "shade": 4, "vase": 5, "book": 6}
    assert number_slots(chain_of()) == {"top": 1, "leg": 2, "lamp": 3, "shade": 4}
