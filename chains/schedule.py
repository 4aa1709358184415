"""Which chains a build makes, and how often a part may be used over all of them.

Chains are made in waves of fixed size. Within a wave no chain knows of the others; between waves the uses of each part
are counted. A part that was used c times before a wave is offered to at most `cap - c` of its chains, chosen by a hash,
so that no part is used more than `cap` times, whatever the number of workers.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import count, islice

from chains.balance import Place, find_place
from chains.draws import Draws
from schemas.chain import Chain, Family
from schemas.operation import Add, OpName, Replace
from schemas.part import Host

WAVE = 16
"""Chains per wave. Part of the result: another size gives other chains."""
PART_USE_CAP = 10
MOST_SEEDS = 4
"""Where numbers by family are asked for, hosts are asked again with following seeds until there are enough."""


@dataclass(frozen=True, slots=True)
class ChainJob:
    """One chain to make."""

    chain_id: str
    host: Host
    family: Family
    seed: int
    position: int = 0
    """Place inside its wave."""
    place: Place | None = None
    """Place among the chains of its family in its wave; None outside of waves."""
    ops: tuple[OpName, ...] | None = None
    """What its turns are meant to be, by a plan; None: what the shares of its family ask for."""


def chain_ids(hosts: Sequence[Host]) -> dict[str, str]:
    """Object id → the eight characters a chain id uses for it.

    The first eight of the id; of its hash where those are not unique or not plain.
    """
    short = {host.object_id: host.object_id[:8] for host in hosts}
    counts = Counter(short.values())
    return {
        object_id: text
        if counts[text] == 1 and text.isalnum() and text.isascii() and len(text) == 8
        else hashlib.sha256(object_id.encode()).hexdigest()[:8]
        for object_id, text in short.items()
    }


def schedule_jobs(hosts: Sequence[Host], families: Sequence[Family], seed: int, seeds: int = 1) -> Iterator[ChainJob]:
    """All jobs in the order in which they are tried: every host once in a round, each round with its next family.

    A host meets every asked family once for each of `seeds` seeds, from `seed` on; families are spread evenly within a
    round.
    """
    for number in range(seed, seed + seeds):
        yield from _schedule_seed(hosts, families, number)


def _schedule_seed(hosts: Sequence[Host], families: Sequence[Family], seed: int) -> Iterator[ChainJob]:
    names = chain_ids(hosts)
    order = Draws(seed, "hosts").shuffled(sorted(hosts, key=lambda host: host.object_id))
    for round_number in range(len(families)):
        for place, host in enumerate(order):
            family = families[(place + round_number) % len(families)]
            chain_id = f"{family}/{names[host.object_id]}_s{seed}"
            yield ChainJob(chain_id, host, family, seed)


class Quota:
    """How many chains of each family a build still wants.

    `total` is spread as evenly as it goes, `counts` says it by family, neither wants all.
    """

    def __init__(
        self, families: Sequence[Family], total: int | None = None, counts: Mapping[Family, int] | None = None
    ) -> None:
        self.families = tuple(families)
        self.seeds = MOST_SEEDS if counts else 1
        """For how many seeds in a row hosts may be asked for a chain of the same family."""
        share, rest = divmod(total, len(families)) if total is not None else (0, 0)
        self._left: dict[Family, int] | None = None
        if total is not None:
            self._left = {family: share + (place < rest) for place, family in enumerate(families)}
        if counts is not None:
            self._left = dict(counts)

    def wants(self, family: Family) -> bool:
        """Whether one more chain of the family is wanted."""
        return self._left is None or self._left[family] > 0

    def take(self, family: Family) -> None:
        """One chain of the family was accepted."""
        if self._left is not None:
            self._left[family] -= 1

    def left(self, family: Family) -> int | None:
        """How many chains of a family are still wanted; None for all."""
        return None if self._left is None else self._left.get(family, 0)

    @property
    def is_filled(self) -> bool:
        """Whether nothing is wanted any more."""
        return self._left is not None and not any(self._left.values())


def waves(jobs: Iterable[ChainJob], quota: Quota) -> Iterator[list[ChainJob]]:
    """Jobs of families that are still wanted, in groups of `WAVE`, each with its place in the group.

    The quota is asked anew for every group, so take accepted chains from it between groups.
    """
    source = iter(jobs)
    for number in count():
        if quota.is_filled:
            return
        wanted = (job for job in source if quota.wants(job.family))
        group = list(islice(wanted, WAVE))
        if not group:
            return
        yield _place(group, number)


def _place(group: Sequence[ChainJob], wave: int) -> list[ChainJob]:
    """Give each chain of a wave its place in it, and among those of its family."""
    peers = Counter(job.family for job in group)
    ranks: Counter[Family] = Counter()
    placed = []
    for position, job in enumerate(group):
        place = find_place(job.seed, job.family, wave, ranks[job.family], peers[job.family])
        ranks[job.family] += 1
        placed.append(replace(job, position=position, place=place))
    return placed


def count_uses(chains: Iterable[Chain]) -> Counter[str]:
    """How often each part was added or put in, by `object/part`; a piece that only comes back does not count."""
    return Counter(
        str(turn.operation.part)
        for chain in chains
        for turn in chain.turns
        if isinstance(turn.operation, Add | Replace) and turn.returns is None
    )


def may_use(part: str, job: ChainJob, uses: Mapping[str, int], cap: int = PART_USE_CAP) -> bool:
    """Whether a chain may use a part that was used `uses[part]` times before its wave."""
    left = cap - uses.get(part, 0)
    if left >= WAVE:
        return True
    if left <= 0:
        return False
    digest = hashlib.sha256(part.encode()).digest()
    start = digest[0] % WAVE
    return (job.position - start) % WAVE < left
