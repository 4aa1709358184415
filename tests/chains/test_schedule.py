"""Which chains a build makes and how often parts may be used."""

from __future__ import annotations

from collections import Counter

from chains.schedule import PART_USE_CAP, WAVE, Quota, chain_ids, count_uses, may_use, schedule_jobs, waves
from schemas.chain import FAMILIES
from schemas.part import Host
from tests.chain_examples import add, chain_of, desk, remove, replace


def hosts(count: int) -> list[Host]:
    """Hosts with different ids."""
    return [desk().model_copy(update={"object_id": f"{index:08x}ff"}) for index in range(count)]


def test_every_host_meets_every_family_once_and_rounds_are_even() -> None:
    """Over all rounds each pair comes once; the first round has each host once and families evenly."""
    jobs = list(schedule_jobs(hosts(12), FAMILIES, 3))
    assert len({(job.host.object_id, job.family) for job in jobs}) == len(jobs) == 72
    first = jobs[:12]
    assert len({job.host.object_id for job in first}) == 12
    assert set(Counter(job.family for job in first).values()) == {2}


def test_the_schedule_does_not_depend_on_the_order_of_hosts() -> None:
    """Shuffled hosts give the same jobs."""
    forward = [job.chain_id for job in schedule_jobs(hosts(9), FAMILIES, 3)]
    assert forward == [job.chain_id for job in schedule_jobs(hosts(9)[::-1], FAMILIES, 3)]


def test_a_part_is_offered_at_most_cap_times() -> None:
    """However greedy the chains of all waves are, no part is used more than ten times."""
    uses: Counter[str] = Counter()
    parts = [f"object/{index}" for index in range(40)]
    for wave in waves(schedule_jobs(hosts(40), FAMILIES, 1), Quota(FAMILIES, None)):
        taken = [part for job in wave for part in parts if may_use(part, job, uses)]
        uses.update(taken)
    assert max(uses.values()) == PART_USE_CAP
    assert min(uses.values()) == PART_USE_CAP


def test_waves_hold_all_jobs_in_order() -> None:
    """Without a quota nothing is lost between waves, and each job knows its place."""
    jobs = list(schedule_jobs(hosts(7), FAMILIES, 1))
    groups = list(waves(jobs, Quota(FAMILIES, None)))
    assert [job.chain_id for group in groups for job in group] == [job.chain_id for job in jobs]
    assert [len(group) for group in groups] == [WAVE, WAVE, 10]
    assert [job.position for job in groups[0]] == list(range(WAVE))


def test_a_quota_spreads_families_and_skips_filled_ones() -> None:
    """Twenty chains over six families: four each for the first two, three for the others; then nothing more."""
    quota = Quota(FAMILIES, 20)
    accepted: Counter[str] = Counter()
    for group in waves(schedule_jobs(hosts(30), FAMILIES, 1), quota):
        for job in group:
            if job.family != "P" and quota.wants(job.family):
                quota.take(job.family)
                accepted[job.family] += 1
    assert accepted == {"A": 4, "R": 4, "M": 3, "G": 3, "X": 3}


def test_ids_stay_apart_when_names_begin_alike() -> None:
    """Hosts whose first eight characters agree, or are not plain, get hashed names."""
    alike = [desk().model_copy(update={"object_id": name}) for name in ("samestart_a", "samestart_b", "tischölampe")]
    names = chain_ids(alike)
    assert len(set(names.values())) == 3
    assert all(len(name) == 8 and name.isalnum() and name.isascii() for name in names.values())


def test_uses_count_adds_and_replaces_only() -> None:
    """Removals use no part."""
    chain = chain_of(add("cup", "top"), replace("leg"), remove("cup"))
    assert count_uses([chain, chain]) == {"shop/9": 2, "shop/8": 2}
