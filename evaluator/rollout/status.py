"""How a rollout stands: counted from what its folder holds, while it runs and afterwards."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from statistics import median

import numpy as np

from evaluator.rollout.sessions import read_run
from schemas.base import Finite, Value
from schemas.codec import read_record
from schemas.errors import InputError
from schemas.method import MethodUsage
from schemas.rollout import PROGRESS_FILE, ROLLOUT_FILE, RUN_FILE, RolloutProgress, RolloutRecord, TurnOutcome

COSTS = tuple(MethodUsage.model_fields)


class Spent(Value):
    """One kind of cost over the turns that say."""

    kind: str
    total: Finite
    turns: int
    """How many said it."""


class RolloutStatus(Value):
    """A rollout in numbers."""

    method: str
    input: str
    sessions: int
    asked: int
    """Chains of the last session."""
    completed: int
    """Every turn delivered."""
    ended: int
    """By a turn that failed."""
    unresolved: int
    under_way: int
    """Begun and not done: worked on now, or cut off."""
    not_begun: int
    reruns: int
    delivered: int
    """Turns, those of chains under way too."""
    failed: int
    blocked: int
    reasons: tuple[tuple[str, int], ...]
    """Why turns failed, the most frequent first."""
    seconds_median: Finite | None
    """Of delivered turns."""
    seconds_p90: Finite | None
    spent: tuple[Spent, ...]


def read_status(folder: Path) -> RolloutStatus:
    """Count what a folder of outputs holds. Raises InputError when no rollout was begun there."""
    run = read_run(folder)
    if run is None:
        raise InputError(f"{folder}: no rollout was begun here ({RUN_FILE} is missing)")
    records = [read_record(RolloutRecord, path) for path in sorted(folder.glob(f"*/*/{ROLLOUT_FILE}"))]
    open_paths = sorted(folder.glob(f"*/*/{PROGRESS_FILE}"))
    begun = [read_record(RolloutProgress, path) for path in open_paths if not (path.parent / ROLLOUT_FILE).is_file()]
    entries: list[RolloutRecord | RolloutProgress] = [*records, *begun]
    turns = [turn for entry in entries for turn in entry.turns]
    status = Counter(turn.status for turn in turns)
    asked = run.sessions[-1].chains if run.sessions else 0
    seconds = _list_seconds(turns)
    unresolved = sum(record.unresolved for record in records)
    ended = sum(any(turn.status == "failed" for turn in record.turns) for record in records)
    reasons = Counter(turn.reason.partition(":")[0] for turn in turns if turn.status == "failed")
    return RolloutStatus(
        method=run.settings.method.name,
        input=run.settings.input,
        sessions=len(run.sessions),
        asked=asked,
        completed=len(records) - unresolved - ended,
        ended=ended,
        unresolved=unresolved,
        under_way=len(begun),
        not_begun=max(0, asked - len(records) - len(begun)),
        reruns=sum(entry.reruns for entry in entries),
        delivered=status["delivered"],
        failed=status["failed"],
        blocked=status["blocked"],
        reasons=tuple(sorted(reasons.items(), key=lambda entry: (-entry[1], entry[0]))),
        seconds_median=median(seconds) if seconds else None,
        seconds_p90=float(np.quantile(seconds, 0.9)) if seconds else None,
        spent=tuple(_sum_up(kind, turns) for kind in COSTS),
    )


def _list_seconds(turns: list[TurnOutcome]) -> list[float]:
    return [
        turn.usage.seconds
        for turn in turns
        if turn.status == "delivered" and turn.usage and turn.usage.seconds is not None
    ]


def _sum_up(kind: str, turns: list[TurnOutcome]) -> Spent:
    known = [value for turn in turns if turn.usage and (value := getattr(turn.usage, kind)) is not None]
    return Spent(kind=kind, total=float(sum(known)), turns=len(known))
