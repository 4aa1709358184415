"""Plans of many chains: made from a schedule, checked when they come back from an editor."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from chains.balance import choose_op
from chains.plan import SHARES, plan_length
from chains.schedule import ChainJob, Quota, schedule_jobs, waves
from schemas.base import Sha256
from schemas.errors import InputError
from schemas.operation import OPS
from schemas.part import Host
from schemas.plan import BuildPlan, PlannedChain


def make_plan(hosts: Sequence[Host], seed: int, quota: Quota, library_sha256: Sha256) -> BuildPlan:
    """What a build would aim at if every chain came about as planned.

    Raises InputError when there is nothing to plan.
    """
    entries = []
    for wave in waves(schedule_jobs(hosts, quota.families, seed, quota.seeds), quota):
        for job in wave:
            if job.place is not None and quota.wants(job.family):
                quota.take(job.family)
                length = plan_length(job.seed, job.family, job.host.object_id)
                ops = tuple(choose_op(job.place, job.family, turn) for turn in range(1, length + 1))
                entries.append(
                    PlannedChain(
                        chain=job.chain_id,
                        host=job.host.object_id,
                        name=job.host.name,
                        family=job.family,
                        seed=job.seed,
                        ops=ops,
                    )
                )
    if not entries:
        raise InputError("nothing to plan: no host or no family")
    return BuildPlan(library_sha256=library_sha256, chains=tuple(entries))


def jobs_of_plan(plan: BuildPlan, hosts: Sequence[Host], library_sha256: Sha256) -> Iterator[ChainJob]:
    """The chains of a plan as jobs, in its order.

    Raises InputError when the plan is of another library, names a host twice in a family or one that is not there, or
    asks a family for an operation that is none of its.
    """
    if plan.library_sha256 != library_sha256:
        raise InputError(f"the plan is of library {plan.library_sha256[:12]}, this one is {library_sha256[:12]}")
    known = {host.object_id: host for host in hosts}
    seen: set[str] = set()
    for entry in plan.chains:
        if entry.host not in known:
            raise InputError(f"plan: {entry.chain}: no host {entry.host!r} among those to build on")
        if entry.chain in seen:
            raise InputError(f"plan: {entry.chain} is there twice")
        if entry.chain.partition("/")[0] != entry.family:
            raise InputError(f"plan: {entry.chain} is not the name of a chain of family {entry.family}")
        foreign = next((op for op in entry.ops if SHARES[entry.family][OPS.index(op)] == 0.0), None)
        if foreign is not None:
            raise InputError(f"plan: {entry.chain}: family {entry.family} has no {foreign}")
        seen.add(entry.chain)
        yield ChainJob(entry.chain, known[entry.host], entry.family, entry.seed, ops=entry.ops)
