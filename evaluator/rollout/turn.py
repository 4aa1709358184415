"""One turn of a rollout: the request is laid out, the method edits, what it left is judged and kept.

```
state k-1 -> request folder -> the method's process -> output.glb -> judged -> turn_k.glb
```

The ground truth stays in this process: of it a method gets the instruction, and the mask and the operation's name where
it declared them.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

from chains.storage import write_atomic
from engine.gltf.budget import DEFAULT_BUDGET
from engine.gltf.moved import move_glb
from engine.gltf.unnamed import strip_names
from evaluator.outputs import judge_output, read_output
from evaluator.rollout.align import align_onto
from evaluator.rollout.editors import Editor
from evaluator.rollout.homes import check_room, open_left
from evaluator.rollout.launch import Ending
from evaluator.rollout.ledger import LOG_FILE, REFUSED_FILE, ChainLedger
from evaluator.rollout.requests import RequestWriter
from evaluator.states import ChainStates
from schemas.codec import decode
from schemas.errors import EngineError, InputError
from schemas.method import OUTPUT_FILE, USAGE_FILE, MethodLimits, MethodUsage
from schemas.rollout import OUTPUT_FILE as KEPT_FILE
from schemas.rollout import TurnOutcome, Usage
from schemas.rollout_run import RolloutSettings

REQUEST_FOLDER = "edit"
MOST_USAGE_BYTES = 1 << 20


class MachineFaultError(Exception):
    """A fault of the machine ended a turn; the method is not to blame."""


@dataclass(frozen=True, slots=True)
class TurnRunner:
    """Runs turn after turn of a chain with one editor."""

    ledger: ChainLedger
    """Tells the next turn and the method's states; its folder takes what a turn leaves."""
    states: ChainStates
    settings: RolloutSettings
    writer: RequestWriter
    editor: Editor
    home: Path
    """The editor's own folder."""
    notes: list[str]
    """Takes what the method's author should know and no record says."""

    def run(self) -> TurnOutcome:
        """Ask for the next edit and judge what came of it.

        Raises MachineFaultError when the method was ended from outside, EngineError for what is not its fault, as a
        full disk.
        """
        turn = len(self.ledger.turns) + 1
        folder = self.home / REQUEST_FOLDER
        self.writer.write(folder, turn, self._find_input(turn))
        ending = self.editor.edit(folder)
        if ending.kind == "killed":
            raise MachineFaultError(f"the method was ended from outside ({ending.detail})")
        if ending.log:
            write_atomic(self.ledger.folder / LOG_FILE.format(turn=turn), ending.log.encode("utf-8", "replace"))
        reason = describe_end(ending, self.settings.method.limits) or self._collect(folder / OUTPUT_FILE, turn)
        if reason:
            check_room(self.home)
        outcome = TurnOutcome(turn=turn, status="failed", reason=reason) if reason else self._judge(turn)
        return outcome.model_copy(update={"usage": self._read_usage(folder / USAGE_FILE, turn, ending.seconds)})

    def _find_input(self, turn: int) -> bytes:
        """The state to edit: the method's own, or the true one without what tells its parts."""
        if turn > 1 and self.settings.input == "own":
            return self.ledger.read_output(turn - 1)
        return strip_names(self.states.replayer.turn(turn - 1).glb)

    def _kept(self, turn: int) -> Path:
        return self.ledger.folder / KEPT_FILE.format(turn=turn)

    def _collect(self, path: Path, turn: int) -> str:
        """Take the output out of the method's folder; why there is none, or nothing."""
        try:
            file = open_left(path)
        except InputError as error:
            return f"missing: {error}"
        with file:
            size = os.fstat(file.fileno()).st_size
            if size > DEFAULT_BUDGET.max_bytes:
                return f"unloadable: {OUTPUT_FILE} has {size} bytes, limit {DEFAULT_BUDGET.max_bytes}"
            write_atomic(self._kept(turn), file.read())
        return ""

    def _judge(self, turn: int) -> TurnOutcome:
        """Judge what was collected, moved onto the target where the method asks for it; a bad one is put aside."""
        outcome = judge_output(self._kept(turn), turn)
        if outcome.status == "delivered" and self.settings.method.aligns:
            outcome = self._align(turn)
        if outcome.status == "failed":
            self._kept(turn).replace(self.ledger.folder / REFUSED_FILE.format(turn=turn))
        return outcome

    def _align(self, turn: int) -> TurnOutcome:
        """Move an output onto the target; of the ground truth nothing else enters it."""
        path = self._kept(turn)
        output = read_output(path)
        try:
            found = align_onto((output.vertices, output.faces), self.states.soup(turn))
        except EngineError as error:
            return TurnOutcome(turn=turn, status="failed", reason=f"unaligned: {error}")
        write_atomic(path, move_glb(path.read_bytes(), found.world_from_output))
        return judge_output(path, turn)

    def _read_usage(self, path: Path, turn: int, seconds: float) -> Usage:
        """Time as it was measured, and the rest as the method says; what it says wrongly is unknown."""
        said = MethodUsage()
        if os.path.lexists(path):
            try:
                with open_left(path) as file:
                    data = file.read(MOST_USAGE_BYTES + 1)
                if len(data) > MOST_USAGE_BYTES:
                    raise InputError(f"{path.name} is larger than {MOST_USAGE_BYTES} bytes")
                said = decode(MethodUsage, data, path.name)
            except (EngineError, OSError) as error:
                self.notes.append(f"turn {turn}: {error}; its cost is unknown")
        return Usage(seconds=round(seconds, 3), **said.model_dump())


def describe_end(ending: Ending, limits: MethodLimits) -> str:
    """Why a turn failed, as far as its process tells; nothing when it ended well."""
    if ending.kind == "late":
        return f"time limit: {limits.seconds:g} s"
    if ending.kind == "memory":
        return f"memory limit: {limits.memory_mib} MiB"
    return f"crashed: {ending.detail}" if ending.kind == "crashed" else ""
