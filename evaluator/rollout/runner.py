"""Self-rollout of one chain: each turn's input is the method's own last output.

```
state k-1 -> request folder -> the method's process -> output.glb -> judged -> turn_k.glb and the ledger
```

A turn that is not delivered blocks the rest; a fault of the machine starts the whole chain again. The ground truth
stays in this process: of it a method gets the instruction, and the mask and the operation's name where it declared
them.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from chains.storage import write_atomic
from engine.gltf.budget import DEFAULT_BUDGET
from engine.gltf.moved import move_glb
from engine.gltf.unnamed import strip_names
from engine.render.cycles.client import CyclesRenderer
from evaluator.outputs import judge_output, read_output
from evaluator.protocol import VoxelOptions
from evaluator.rollout.align import align_onto
from evaluator.rollout.homes import check_room, open_home, open_left
from evaluator.rollout.launch import Ending, Launch
from evaluator.rollout.ledger import LOG_FILE, REFUSED_FILE, ChainLedger, ChainRun
from evaluator.rollout.process import MethodProcess
from evaluator.rollout.programs import ORACLE, choose_environment, find_command
from evaluator.rollout.requests import CyclesPainter, MetricPainter, PicturePainter, RequestWriter
from evaluator.states import ChainStates
from library_index.executors import LOCAL, ExecutorChoice
from schemas.codec import decode
from schemas.errors import EngineError, InputError
from schemas.method import OUTPUT_FILE, USAGE_FILE, MethodLimits, MethodUsage
from schemas.rollout import OUTPUT_FILE as KEPT_FILE
from schemas.rollout import RolloutRecord, TurnOutcome, Usage
from schemas.rollout_run import RolloutSettings

SCRATCH_PREFIX = "engine-rollout-"
REQUEST_FOLDER = "edit"
MOST_USAGE_BYTES = 1 << 20


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


class Editor(Protocol):
    """Whoever answers requests: a method's process, or the oracle."""

    def edit(self, folder: Path) -> Ending:
        """Answer the request in a folder."""
        ...


class MachineFault(Exception):  # noqa: N818  # the word of the protocol
    """A fault of the machine ended a turn; the method is not to blame."""


def roll_chain(unit: RolloutUnit) -> RolledChain:
    """Run a method on one chain, or go on with it. Raises EngineError for what is no fault of the method."""
    order, settings = unit.order, unit.order.settings
    states = ChainStates(unit.path, order.library, VoxelOptions())
    chain = states.chain
    ledger = ChainLedger(order.out / chain.id, describe_run(order, chain.id, states.chain_sha256, len(chain.turns)))
    found = ledger.find_record()
    if found is not None:
        return RolledChain(chain.id, found, kept=True)
    notes: list[str] = []
    goes_on = ledger.begin()
    with ExitStack() as stack:
        painter = stack.enter_context(_open_painter(settings))
        writer = RequestWriter(states, settings.method, painter, settings.picture_px)
        while goes_on and len(ledger.turns) < len(chain.turns) and not ledger.is_failed:
            try:
                with _open_editor(order, states, len(ledger.turns) + 1) as (editor, home):
                    while len(ledger.turns) < len(chain.turns) and not ledger.is_failed:
                        ledger.add(_Turn(ledger, states, settings, home, notes).run(writer, editor))
            except MachineFault as fault:
                notes.append(f"turn {len(ledger.turns) + 1}: {fault}; the chain begins again")
                goes_on = ledger.restart()
    return RolledChain(chain.id, ledger.finish(unresolved=not goes_on), notes=tuple(notes))


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


@dataclass(frozen=True, slots=True)
class _Turn:
    """The next turn of a chain."""

    ledger: ChainLedger
    states: ChainStates
    settings: RolloutSettings
    home: Path
    notes: list[str]

    def run(self, writer: RequestWriter, editor: Editor) -> TurnOutcome:
        """Ask for the edit and judge what came of it. Raises MachineFault, and OutputError when a disk is full."""
        turn = len(self.ledger.turns) + 1
        folder = self.home / REQUEST_FOLDER
        writer.write(folder, turn, self._find_input(turn))
        ending = editor.edit(folder)
        if ending.kind == "killed":
            raise MachineFault(f"the method was ended from outside ({ending.detail})")
        if ending.log:
            write_atomic(self.ledger.folder / LOG_FILE.format(turn=turn), ending.log.encode("utf-8", "replace"))
        limits = self.settings.method.limits
        reason = describe_end(ending, limits) or self._collect(folder / OUTPUT_FILE, turn)
        if not reason:
            outcome = judge_output(self._kept(turn), turn)
            if outcome.status == "delivered" and self.settings.method.aligns:
                outcome = self._align(turn)
            if outcome.status == "failed":
                self._kept(turn).replace(self.ledger.folder / REFUSED_FILE.format(turn=turn))
        else:
            check_room(self.home)
            outcome = TurnOutcome(turn=turn, status="failed", reason=reason)
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


class OracleEditor:
    """Answers with the true states, from a turn on; for tests of everything around it."""

    def __init__(self, states: ChainStates, turn: int) -> None:
        self._states = states
        self._turn = turn

    def edit(self, folder: Path) -> Ending:
        """Write the target of the next turn."""
        (folder / OUTPUT_FILE).write_bytes(self._states.replayer.turn(self._turn).glb)
        self._turn += 1
        return Ending("done", "", 0.0, 0.0, "")


@contextmanager
def _open_editor(order: RolloutOrder, states: ChainStates, turn: int) -> Iterator[tuple[Editor, Path]]:
    """A fresh editor for a chain from a turn on, and its home: a folder of its own that goes with it."""
    method = order.settings.method
    with open_home(order.scratch) as home:
        if method.plugin == ORACLE:
            yield OracleEditor(states, turn), home
            return
        launch = Launch(find_command(method), method.mode, home, choose_environment(method), method.limits)
        with MethodProcess(launch) as process:
            yield process, home


@contextmanager
def _open_painter(settings: RolloutSettings) -> Iterator[PicturePainter | None]:
    """Whoever draws what the method is shown; None when it wants no pictures."""
    if settings.picture is None:
        yield None
    elif settings.picture == "metric":
        yield MetricPainter()
    else:
        with CyclesRenderer() as renderer:
            yield CyclesPainter(renderer)
