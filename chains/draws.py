"""Seeded draws for planning: the same on every machine, and named by what they decide."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import TypeVar

T = TypeVar("T")


class Draws:
    """A stream of numbers that depends only on a seed and on names.

    Built on SHA-256 with a counter, so no library's generator can change a plan.
    """

    def __init__(self, seed: int, *names: str | int) -> None:
        self._key = "\x1f".join([str(seed), *map(str, names)]).encode()
        self._count = 0

    def uniform(self) -> float:
        """A number in [0, 1) with 53 random bits."""
        block = hashlib.sha256(self._key + self._count.to_bytes(8, "big")).digest()
        self._count += 1
        return (int.from_bytes(block[:8], "big") >> 11) / 2.0**53

    def below(self, limit: int) -> int:
        """An integer in [0, limit)."""
        return min(int(self.uniform() * limit), limit - 1)

    def choice(self, items: Sequence[T]) -> T:
        """One of `items`."""
        return items[self.below(len(items))]

    def weighted(self, items: Sequence[T], weights: Sequence[float]) -> T:
        """One of `items`, as often as its weight says; all weights zero means evenly."""
        total = sum(weights)
        if total <= 0.0:
            return self.choice(items)
        mark = self.uniform() * total
        for item, weight in zip(items, weights, strict=True):
            mark -= weight
            if mark < 0.0:
                return item
        return items[-1]

    def shuffled(self, items: Sequence[T]) -> list[T]:
        """All items in a drawn order."""
        pool = list(items)
        for last in range(len(pool) - 1, 0, -1):
            other = self.below(last + 1)
            pool[last], pool[other] = pool[other], pool[last]
        return pool
