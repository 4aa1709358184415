"""Verification of many chain files in parallel."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from engine.replay import Mismatch, verify_chain_file
from library_index.executors import LOCAL, ExecutorChoice, open_pool


@dataclass(frozen=True, slots=True)
class VerifiedChain:
    """What verifying one file gave."""

    chain: str
    turns: int
    mismatches: tuple[Mismatch, ...]


def verify_files(
    paths: Sequence[Path],
    library: Path,
    *,
    workers: int = 1,
    executor: ExecutorChoice = LOCAL,
    strict: bool = False,
) -> Iterator[VerifiedChain]:
    """Verify chain files, in order, over `workers` processes."""
    with open_pool(partial(_verify_one, library=library, strict=strict), executor, workers) as pool:
        yield from pool.run_in_order(paths)


def _verify_one(path: Path, library: Path, *, strict: bool) -> VerifiedChain:
    chain, mismatches = verify_chain_file(path, library, strict=strict)
    return VerifiedChain(chain.id if chain else str(path), len(chain.turns) if chain else 0, tuple(mismatches))
