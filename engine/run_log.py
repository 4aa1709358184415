"""Times of a build: `CHAINS/run.json`, kept where it is asked for, which no hash covers and no chain depends on."""

from __future__ import annotations

import json
import time
from collections import Counter
from datetime import UTC, datetime
from pathlib import Path

from chains.files import RUN_FILE
from chains.storage import write_atomic
from schemas.codec import encode, parse_json, read_json_bytes, read_record
from schemas.errors import SchemaError
from schemas.run import Outcome, RunChain, RunRecord

SAVE_EVERY_S = 15.0
"""A kill loses at most this much of the recorded wall time, and no chain's."""


class UnitClock:
    """Time spent on one chain by the workers of all sessions, kept beside the chain in progress."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._before = read_seconds(path)
        self._start = time.monotonic()

    def save(self) -> None:
        """Write the seconds so far."""
        seconds = self._before + time.monotonic() - self._start
        write_atomic(self._path, json.dumps(round(seconds, 3)).encode())


def read_seconds(path: Path) -> float:
    """Seconds that a unit's clock has saved; 0 when there are none. Raises SchemaError when it is no number."""
    if not path.is_file():
        return 0.0
    seconds = parse_json(read_json_bytes(path), path)
    if not isinstance(seconds, int | float) or isinstance(seconds, bool) or seconds < 0:
        raise SchemaError(path, "$", f"expected seconds, found {seconds!r:.100}")
    return float(seconds)


class RunLog:
    """Records the sessions of a build; goes on in what an earlier session left.

    The record is written only where it is `kept`: times differ from run to run, and all else in the folder does not.
    """

    def __init__(self, folder: Path, workers: int, *, kept: bool = True) -> None:
        self._kept = kept
        self._path = folder / RUN_FILE
        self._workers = workers
        self._earlier = read_record(RunRecord, self._path) if self._path.is_file() else None
        self._passed: dict[str, RunChain] = {}
        self._ahead = {row.chain: row for row in self._earlier.chains} if self._earlier else {}
        self._outcomes: Counter[Outcome] = Counter(row.outcome for row in self._ahead.values())
        self._turns = sum(row.turns for row in self._ahead.values())
        self._start = self._saved = time.monotonic()
        self._started_utc = self._earlier.started_utc if self._earlier else _now()

    @property
    def wall_s(self) -> float:
        """Seconds of all sessions so far; those of a build that has ended stand still."""
        if self._earlier is None:
            return time.monotonic() - self._start
        if self._earlier.ended_utc is not None:
            return self._earlier.wall_s
        return self._earlier.wall_s + time.monotonic() - self._start

    @property
    def turns(self) -> int:
        """Accepted turns over all sessions."""
        return self._turns

    @property
    def turns_per_minute(self) -> float:
        """Accepted turns a minute over all sessions."""
        return 60.0 * self._turns / max(self.wall_s, 1e-3)

    def count(self, outcome: Outcome) -> int:
        """Chains that ended so, over all sessions."""
        return self._outcomes[outcome]

    def note(self, chain: str, outcome: Outcome, turns: int, seconds: float) -> None:
        """One chain is decided, in the order of the schedule; what an earlier session said of it is replaced."""
        before = self._ahead.pop(chain, None)
        if before is not None:
            self._outcomes[before.outcome] -= 1
            self._turns -= before.turns
        self._passed[chain] = RunChain(chain=chain, outcome=outcome, turns=turns, seconds=seconds)
        self._outcomes[outcome] += 1
        self._turns += turns
        if time.monotonic() - self._saved >= SAVE_EVERY_S:
            self.save()

    def save(self, *, ended: bool = False) -> None:
        """Write the record; `ended` says that the build is complete.

        A session that is cut off while it goes over earlier chains again keeps what was known of the others.
        """
        self._saved = time.monotonic()
        record = RunRecord(
            started_utc=self._started_utc,
            ended_utc=_now() if ended else None,
            sessions=(self._earlier.sessions if self._earlier else 0) + 1,
            wall_s=round(self.wall_s, 3),
            workers=self._workers,
            turns=self._turns,
            chains=(*self._passed.values(), *self._ahead.values()),
        )
        if self._kept:
            write_atomic(self._path, encode(record))


def _now() -> str:
    return datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
