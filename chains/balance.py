"""Which operation a turn of a chain should be, so that every turn has its family's shares over all chains.

Chains of one family in one wave take places on a circle, evenly apart, and go round it turn by turn; the circle is
divided in the family's shares. So each operation has its share among the first turns, among the second turns and so on,
and within each chain as well. What could not be done as wanted is made up for by later waves: their circle is divided
by what is missing. Where a turn cannot be what it should, it may only be something that is not ahead of its own share
there: a chain ends rather than tip the balance.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import NamedTuple

from chains.draws import Draws
from chains.plan import MIN_TURNS, SHARES, Wish
from schemas.chain import Chain, Family
from schemas.operation import OPS, OpName

STEPS: dict[Family, float] = {"A": 0.7, "R": 0.0, "P": 0.0, "M": 0.0, "G": 0.6180339887, "X": 0.6180339887}
"""How far a chain goes round the circle each turn. A comes to what is no add every third or fourth turn."""
MOST_MADE_UP = 3.0
"""A wave divides its circle by at most this many times a share, however much is missing."""

AHEAD = (1.0, 0.5)
"""An operation may run ahead of its share by this many chains, at the first turns and where a chain may end instead."""
AHEAD_SHARE = 0.015
"""And by this share of the chains there are: three operations so far ahead leave the fourth within five points."""


class Place(NamedTuple):
    """Where a chain stands among those of its family in its wave."""

    rank: int
    peers: int
    offset: float
    """In [0, 1): where the first of them stands on the circle."""


class TurnLedger:
    """How often each turn of a family's chains was which operation."""

    def __init__(self, chains: Iterable[Chain] = ()) -> None:
        self._counts: Counter[tuple[Family, int, OpName]] = Counter()
        self.take(chains)

    def take(self, chains: Iterable[Chain]) -> None:
        """Count more chains."""
        self._counts.update((chain.family, turn.index, turn.operation.op) for chain in chains for turn in chain.turns)

    def is_behind(self, family: Family, turn: int, op: OpName) -> bool:
        """Whether one more chain may do an operation at a turn although another was wanted there."""
        after = sum(self._counts[family, turn, each] for each in OPS) + 1
        share = SHARES[family][OPS.index(op)]
        return (
            share > 0.0
            and self._counts[family, turn, op] + 1 <= (share + AHEAD_SHARE) * after + AHEAD[turn > MIN_TURNS]
        )

    def divide(self, family: Family, turn: int, peers: int) -> tuple[float, ...]:
        """Shares of the operations for one turn of `peers` more chains, in the order of OPS: what is missing first."""
        shares = SHARES[family]
        done = [self._counts[family, turn, op] for op in OPS]
        after = sum(done) + peers
        missing = [
            min(max(share * after - count, 0.0), MOST_MADE_UP * share * peers)
            for share, count in zip(shares, done, strict=True)
        ]
        total = sum(missing)
        return tuple(part / total for part in missing) if total > 0.0 else shares


def find_place(seed: int, family: Family, wave: int, rank: int, peers: int) -> Place:
    """The place of the chain with this rank among `peers` of its family in a wave."""
    return Place(rank, peers, Draws(seed, family, "wave", wave).uniform())


def choose_op(place: Place, family: Family, turn: int, ledger: TurnLedger | None = None) -> OpName:
    """The operation that a chain's turn should be; without a ledger by the family's shares alone."""
    around = place.offset + (place.rank + 0.5) / place.peers + turn * STEPS[family]
    at = around - int(around)
    shares = ledger.divide(family, turn, place.peers) if ledger else SHARES[family]
    for op, share in zip(OPS, shares, strict=True):
        at -= share
        if at < 0.0:
            return op
    return max(zip(shares, OPS, strict=True))[1]


def find_wish(place: Place, family: Family, turn: int, ledger: TurnLedger) -> Wish:
    """What a chain's turn should be and what it may be instead."""
    op = choose_op(place, family, turn, ledger)
    return Wish(op, tuple(other for other in OPS if other != op and ledger.is_behind(family, turn, other)))
