"""Rewriting the instructions of many chain files, in place.

A chain is written when all its turns are decided, in one piece; answers are kept one by one. A run that is killed loses
the question under way, and the same command goes on from there.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from chains.files import REWRITING, chains_folder, read_chain, write_chain
from chains.storage import find_locked, writer_lock
from engine.chat.client import ServerSettings
from engine.rewriting.desk import RewritingDesk, TurnFate
from engine.rewriting.protocol import Rewriter, load_rewriter
from engine.rewriting.recorded import RecordedRewriter, ReplayedRewriter
from engine.settings import read_settings
from library_index.executors import LOCAL, ExecutorChoice, open_pool
from schemas.errors import EngineError, RewritingError

UNIT_LIMIT_S = 3600.0
"""A chain that takes longer is a fault: its worker is killed."""
FAILED_IN_A_ROW = 3
"""After so many chains whose rewriter gave no answer the server is taken for down."""


@dataclass(frozen=True, slots=True)
class RewriterChoice:
    """Which rewriter is asked, and how. Holds no key, since it crosses process borders."""

    model: str
    name: str = "openai"
    url: str = ""
    recorded: Path | None = None
    """Folder of answers that is asked instead of a server."""
    chinese: bool = False


@dataclass(frozen=True, slots=True)
class RewrittenChain:
    """What rewriting one file gave."""

    chain: str
    fates: Counter[TurnFate]
    changed: bool
    chinese: int = 0
    """Turns that have a Chinese sentence now."""
    reasons: tuple[str, ...] = ()
    """What was held against sentences of turns that were refused, and Chinese that was dropped."""


@dataclass(frozen=True, slots=True)
class FailedChain:
    """A file that is as it was before, and why."""

    chain: str
    message: str
    exit_code: int
    unanswered: bool
    """Whether the rewriter gave no answer."""


def rewrite_files(
    paths: Sequence[Path], choice: RewriterChoice, *, workers: int = 1, executor: ExecutorChoice = LOCAL
) -> Iterator[RewrittenChain | FailedChain]:
    """Rewrite chain files in order over `workers` processes, each by itself, whatever becomes of the others.

    Raises LockedError when a build or another rewriting works on the files, and RewritingError when several chains in
    a row got no answer.
    """
    folders = {chains_folder(path.absolute()) for path in paths} | set(find_locked(paths))
    unanswered = 0
    with ExitStack() as stack:
        for folder in sorted(folders):
            stack.enter_context(writer_lock(folder))
        task = partial(_rewrite_one, choice=choice)
        pool = stack.enter_context(open_pool(task, executor, workers, unit_limit_s=UNIT_LIMIT_S))
        for result in pool.run_in_order(paths):
            yield result
            unanswered = unanswered + 1 if isinstance(result, FailedChain) and result.unanswered else 0
            if isinstance(result, FailedChain) and unanswered == FAILED_IN_A_ROW:
                raise RewritingError(f"{unanswered} chains in a row got no answer, the last one: {result.message}")


def open_rewriter(choice: RewriterChoice, folder: Path) -> Rewriter:
    """A rewriter whose answers are kept in `folder`. Raises UnknownPluginError and SettingsError."""
    asked: Rewriter
    if choice.recorded is not None:
        asked = ReplayedRewriter(choice.recorded)
    else:
        key = read_settings().rewrite_key
        asked = load_rewriter(choice.name, ServerSettings(url=choice.url, model=choice.model, key=key))
    return RecordedRewriter(folder, asked)


def _rewrite_one(path: Path, choice: RewriterChoice) -> RewrittenChain | FailedChain:
    try:
        chain = read_chain(path)
        rewriter = open_rewriter(choice, chains_folder(path.absolute()) / REWRITING)
        revised, fates = RewritingDesk(choice.model, rewriter, choice.chinese).rewrite_chain(chain)
        if revised is not chain:
            write_chain(path, revised)
    except EngineError as error:
        return FailedChain(str(path), f"{path}: {error}", error.exit_code, isinstance(error, RewritingError))
    old = {turn.index: turn for turn in chain.turns}
    decided = [turn.rewriting for turn in revised.turns if turn.rewriting and turn != old[turn.index]]
    reasons = [reason for entry in decided for reason in entry.reasons]
    reasons.extend(f"chinese: {entry.zh_reason}" for entry in decided if entry.zh_reason)
    return RewrittenChain(
        chain=chain.id,
        fates=fates,
        changed=revised is not chain,
        chinese=sum(turn.instruction_zh is not None for turn in revised.turns),
        reasons=tuple(reasons),
    )
