"""Which operations chains make at each turn, against what their family aims at."""

from __future__ import annotations

from collections import Counter

from chains.plan import SHARES
from schemas.chain import FAMILIES, Chain, Family
from schemas.operation import OPS, OpName
from schemas.report import REPORTED_TURNS, SHARE_BAND, OpShare, TurnShares

_ROUNDING = 1e-9
"""A share exactly on the border of the band lies within it, whatever the last bit of a quotient says."""


class TurnCounts:
    """Counts operations by family and turn index; takes chains one by one."""

    def __init__(self) -> None:
        self._counts: dict[tuple[Family, int], Counter[OpName]] = {}

    def take(self, chain: Chain) -> None:
        """Count the turns of one chain."""
        for turn in chain.turns:
            self._counts.setdefault((chain.family, turn.index), Counter())[turn.operation.op] += 1

    def families(self) -> list[Family]:
        """Families with turns, in the usual order."""
        found = {family for family, _ in self._counts}
        return [family for family in FAMILIES if family in found]

    def shares_of(self, family: Family) -> tuple[OpShare, ...]:
        """Shares over all turns of a family, whatever their index."""
        counts = [self._counts[key] for key in sorted(self._counts) if key[0] == family]
        return measure_shares(sum(counts, Counter[OpName]()), family)

    def turns_of(self, family: Family, most: int = REPORTED_TURNS) -> tuple[TurnShares, ...]:
        """Shares at turns 1 to `most` of a family, as far as its chains reach."""
        rows = []
        for turn in range(1, most + 1):
            counts = self._counts.get((family, turn))
            if counts is None:
                break
            rows.append(TurnShares(turn=turn, chains=counts.total(), ops=measure_shares(counts, family)))
        return tuple(rows)


def measure_shares(counts: Counter[OpName], family: Family) -> tuple[OpShare, ...]:
    """Shares of the four operations, to four digits, and whether each lies within the band around its target."""
    total = counts.total()
    rows = []
    for op, target in zip(OPS, SHARES[family], strict=True):
        share = counts[op] / total if total else None
        rows.append(
            OpShare(
                op=op,
                count=counts[op],
                share=None if share is None else round(share, 4),
                target=target,
                within=None if share is None else abs(share - target) <= SHARE_BAND + _ROUNDING,
            )
        )
    return tuple(rows)
