"""The ledger of one chain of a rollout: what became of its turns, kept on disk so that nothing done is lost.

```
begin -> add, add, ... -> finish            an undisturbed run
begin -> add -> (killed) -> begin -> add    the next session goes on after the last turn that is done
begin -> add -> restart -> add ...          a fault of the machine: the whole chain again, at most 3 times
```
"""

from __future__ import annotations

import hashlib
import os
import re
from dataclasses import dataclass
from pathlib import Path

from chains.storage import remove_others, write_atomic
from engine.gltf.budget import DEFAULT_BUDGET
from engine.gltf.uris import read_bounded
from schemas.base import Identifier, Sha256
from schemas.codec import V, encode, read_record
from schemas.errors import InputError
from schemas.rollout import (
    OUTPUT_FILE,
    PROGRESS_FILE,
    ROLLOUT_FILE,
    InputKind,
    RolloutProgress,
    RolloutRecord,
    TurnOutcome,
)

MOST_RERUNS = 3
"""A chain that faults of the machine ended once more is unresolved."""
REFUSED_FILE = "turn_{turn:03d}.refused.glb"
"""What a method left on a turn that failed, for its author."""
LOG_FILE = "turn_{turn:03d}.log"
ANOTHER = "run it into another folder, or give --fresh"
_OURS = re.compile(r"turn_[0-9]{3,}(?:\.refused)?\.(?:glb|log)")


@dataclass(frozen=True, slots=True)
class ChainRun:
    """Which chain is run, by what, in which session."""

    chain: Identifier
    chain_sha256: Sha256
    turns: int
    method: str
    input: InputKind
    non_metallic: bool
    session: int
    remembers: bool = False
    """Whether a chain that was cut off must start again, since its program has lost what it knew."""


class ChainLedger:
    """The ledger in the folder of a chain; one writer at a time."""

    def __init__(self, folder: Path, run: ChainRun) -> None:
        self.folder = folder
        self._run = run
        self.reruns = 0
        self.turns: tuple[TurnOutcome, ...] = ()

    def find_record(self) -> RolloutRecord | None:
        """The record of a chain that is done; None before.

        Raises InputError when it is of another version of the chain or another method, or an output has gone.
        """
        path = self.folder / ROLLOUT_FILE
        if not os.path.lexists(path):
            return None
        record = self._read(RolloutRecord, path)
        self._check_version(path, record.chain, record.chain_sha256)
        if (record.method, record.input) != (self._run.method, self._run.input):
            raise InputError(
                f"{path}: is of method {record.method!r} with input {record.input}, not {self._run.method!r} with "
                f"{self._run.input}: {ANOTHER}"
            )
        for entry in record.turns:
            output = self.folder / OUTPUT_FILE.format(turn=entry.turn)
            if entry.output_sha256 is not None and not output.is_file():
                raise InputError(f"{output}: has gone since it was delivered: {self._again}")
        return record

    def begin(self) -> bool:
        """Go on where the chain stands: `turns` are those that are done. False when it is unresolved.

        Raises InputError when the outputs are of another version of the chain or not the recorded ones.
        """
        path = self.folder / PROGRESS_FILE
        if os.path.lexists(path):
            progress = self._read(RolloutProgress, path)
            self._check_version(path, progress.chain, progress.chain_sha256)
            if len(progress.turns) > self._run.turns:
                raise InputError(f"{path}: has {len(progress.turns)} turns, the chain {self._run.turns}: {self._again}")
            self.reruns, self.turns = progress.reruns, progress.turns
            is_lost = progress.session == self._run.session
            if is_lost or (self._run.remembers and self.turns):
                return self.restart()
            for entry in self.turns:
                if entry.output_sha256 is not None:
                    self.read_output(entry.turn)
        self._save()
        return True

    def read_output(self, turn: int) -> bytes:
        """The delivered state of a turn. Raises InputError when it is not what was delivered."""
        path = self.folder / OUTPUT_FILE.format(turn=turn)
        if not path.is_file():
            raise InputError(f"{path}: has gone since it was delivered: {self._again}")
        data = read_bounded(path, DEFAULT_BUDGET.max_bytes, "", path)
        found, expected = hashlib.sha256(data).hexdigest(), self.turns[turn - 1].output_sha256
        if found != expected:
            raise InputError(
                f"{path}: is {found[:12]}, {(expected or 'nothing')[:12]} was delivered, so somebody changed it: "
                f"{self._again}"
            )
        return data

    def add(self, outcome: TurnOutcome) -> None:
        """A turn is done."""
        self.turns = (*self.turns, outcome)
        self._save()

    def restart(self) -> bool:
        """Begin the whole chain again after a fault of the machine. False when it was tried often enough."""
        if self.reruns >= MOST_RERUNS:
            return False
        self.reruns += 1
        self.turns = ()
        remove_others(self.folder, _OURS, ())
        self._save()
        return True

    @property
    def is_failed(self) -> bool:
        """Whether the last turn that is done failed: the others are blocked."""
        return bool(self.turns) and self.turns[-1].status == "failed"

    @property
    def is_over(self) -> bool:
        """Whether no turn is left to be run."""
        return self.is_failed or len(self.turns) >= self._run.turns

    def finish(self, *, unresolved: bool = False) -> RolloutRecord:
        """Write the record: turns after a failed one are blocked, an unresolved chain has none."""
        run = self._run
        blocked = (TurnOutcome(turn=turn, status="blocked") for turn in range(len(self.turns) + 1, run.turns + 1))
        if unresolved:
            remove_others(self.folder, _OURS, ())
        record = RolloutRecord(
            chain=run.chain,
            chain_sha256=run.chain_sha256,
            method=run.method,
            input=run.input,
            non_metallic=run.non_metallic,
            reruns=self.reruns,
            unresolved=unresolved,
            turns=() if unresolved else (*self.turns, *blocked),
        )
        write_atomic(self.folder / ROLLOUT_FILE, encode(record))
        (self.folder / PROGRESS_FILE).unlink(missing_ok=True)
        return record

    def _save(self) -> None:
        progress = RolloutProgress(
            chain=self._run.chain,
            chain_sha256=self._run.chain_sha256,
            session=self._run.session,
            reruns=self.reruns,
            turns=self.turns,
        )
        write_atomic(self.folder / PROGRESS_FILE, encode(progress))

    @property
    def _again(self) -> str:
        return f"delete the folder {self.folder} to run the chain again"

    def _read(self, kind: type[V], path: Path) -> V:
        """A record of ours. Raises InputError that says what to do when it is damaged."""
        try:
            return read_record(kind, path)
        except InputError as error:
            raise InputError(f"{error}: {self._again}") from error

    def _check_version(self, path: Path, chain: str, sha256: str) -> None:
        run = self._run
        if chain != run.chain or sha256 != run.chain_sha256:
            raise InputError(
                f"{path}: is of {chain} {sha256[:12]}, the chain is {run.chain} {run.chain_sha256[:12]} now: {ANOTHER}"
            )
