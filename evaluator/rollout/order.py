"""What is asked of a rollout and what comes back: the values between a run and the workers that run its chains."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from evaluator.rollout.ledger import ChainRun
from library_index.executors import LOCAL, ExecutorChoice
from schemas.rollout import RolloutRecord
from schemas.rollout_run import RolloutSettings

SCRATCH_PREFIX = "engine-rollout-"


@dataclass(frozen=True, slots=True)
class RolloutOrder:
    """What is run, and where."""

    library: Path
    out: Path
    settings: RolloutSettings
    session: int = 1
    workers: int = 1
    executor: ExecutorChoice = LOCAL
    scratch: str = SCRATCH_PREFIX
    """How the names of the methods' own folders begin; they lie where the system has temporary files."""


@dataclass(frozen=True, slots=True)
class RolloutUnit:
    """One chain file of an order."""

    path: Path
    order: RolloutOrder

    def __str__(self) -> str:
        return str(self.path)


@dataclass(frozen=True, slots=True)
class RolledChain:
    """What became of one chain."""

    chain: str
    record: RolloutRecord | None
    kept: bool = False
    """Whether it was done already."""
    notes: tuple[str, ...] = ()
    """What its author should know and no record says."""
    failure: str = ""
    """Why there is no record: nothing to do with the method."""
    exit_code: int = 0


def describe_run(order: RolloutOrder, chain: str, chain_sha256: str, turns: int) -> ChainRun:
    """The run of one chain of an order, as its ledger knows it."""
    method = order.settings.method
    return ChainRun(
        chain=chain,
        chain_sha256=chain_sha256,
        turns=turns,
        method=method.name,
        input=order.settings.input,
        non_metallic=method.non_metallic,
        session=order.session,
        remembers=method.mode == "served" and method.remembers,
    )
