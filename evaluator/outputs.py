"""A method's outputs on disk: what was delivered for the turns of a chain, and the geometry of it."""

from __future__ import annotations

import hashlib
import os
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from engine.gltf.budget import DEFAULT_BUDGET
from engine.gltf.document import read_document
from engine.gltf.parts import read_part
from engine.gltf.uris import read_bounded
from engine.surfaces import FloatArray, IntArray, PartModel
from schemas.chain import Chain
from schemas.codec import digest, read_record
from schemas.errors import EmptyModelError, EngineError, GltfError, InputError
from schemas.rollout import OUTPUT_FILE, ROLLOUT_FILE, RUN_FILE, RolloutRecord, TurnOutcome

FARTHEST = 1e30
"""World units. Beyond, cells and squares of distances overflow in a state that could be scored otherwise."""
UNKNOWN_METHOD = "unnamed"
"""The method of a run that keeps no record."""


@dataclass(frozen=True, slots=True, eq=False)
class OutputState:
    """One delivered state, as the file has it: in the host's coordinates, never moved or resized."""

    sha256: str
    model: PartModel
    vertices: FloatArray
    """(V, 3) float64, world."""
    faces: IntArray
    """(F, 3) int64."""


def output_path(run: Path, chain_id: str, turn: int) -> Path:
    """Where the output of a turn lies in a run."""
    return run / chain_id / OUTPUT_FILE.format(turn=turn)


def read_output(path: Path) -> OutputState:
    """Read a delivered file.

    Raises GltfError when it does not load, needs other files or reaches too far to be measured, EmptyModelError when no
    triangle in it has an area.
    """
    data = read_bounded(path, DEFAULT_BUDGET.max_bytes, "", path)
    document = read_document(path, data=data)
    if document.files:
        raise GltfError(path, f"needs {document.files[0].name}: a delivered file stands alone, as its hash does")
    model = read_part(document, None)
    vertices, faces = model.merged()
    if not len(faces):
        raise EmptyModelError(path, "holds no triangles")
    corners = vertices[faces]
    reach = float(np.abs(corners).max())
    if not reach <= FARTHEST:
        raise GltfError(
            path, f"a triangle reaches {reach:.3g} from the origin, limit {FARTHEST:g}: nothing measures it"
        )
    first, second = corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]
    crossed = np.stack(
        [first[:, i] * second[:, j] - first[:, j] * second[:, i] for i, j in ((1, 2), (2, 0), (0, 1))], axis=1
    )
    if not (crossed != 0.0).any():
        raise EmptyModelError(path, f"none of its {len(faces)} triangles has an area")
    return OutputState(hashlib.sha256(data).hexdigest(), model, vertices, faces)


def read_rollout(run: Path, chain: Chain) -> RolloutRecord:
    """What became of a chain's turns: its record, or, in a run that keeps none, what the files themselves say.

    Raises InputError for a record of another chain or another version of it, or of fewer turns, when a delivered file
    is not the recorded one, and for a chain that a rollout has not finished.
    """
    path = run / chain.id / ROLLOUT_FILE
    if not os.path.lexists(path):
        if os.path.lexists(run / RUN_FILE):
            raise InputError(f"{path}: {chain.id} is not finished: the same `engine rollout` goes on with it")
        return find_outcomes(run, chain)
    if not path.is_file():
        raise InputError(f"{path} is {'a folder' if path.is_dir() else 'not a regular file'}")
    record = read_record(RolloutRecord, path)
    if record.chain != chain.id or record.chain_sha256 != digest(chain):
        raise InputError(f"{path}: is of {record.chain} {record.chain_sha256[:12]}, not of {digest(chain)[:12]}")
    if len(record.turns) != len(chain.turns) and not record.unresolved:
        raise InputError(f"{path}: has {len(record.turns)} turns, {chain.id} has {len(chain.turns)}")
    for entry in record.turns:
        if entry.output_sha256 is not None:
            output = output_path(run, chain.id, entry.turn)
            found = hashlib.sha256(read_bounded(output, DEFAULT_BUDGET.max_bytes, "", output)).hexdigest()
            if found != entry.output_sha256:
                raise InputError(
                    f"{path}: turn {entry.turn}: the output is {found[:12]}, not {entry.output_sha256[:12]}"
                )
    return record


def find_outcomes(run: Path, chain: Chain) -> RolloutRecord:
    """Judge the files of a run without a record: delivered, failed for the first that does not load, then blocked."""
    turns: list[TurnOutcome] = []
    failed = False
    for turn in chain.turns:
        if failed:
            turns.append(TurnOutcome(turn=turn.index, status="blocked"))
            continue
        outcome = judge_output(output_path(run, chain.id, turn.index), turn.index)
        failed = outcome.status == "failed"
        turns.append(outcome)
    return RolloutRecord(chain=chain.id, chain_sha256=digest(chain), method=UNKNOWN_METHOD, turns=tuple(turns))


def judge_output(path: Path, turn: int) -> TurnOutcome:
    """Whether a file counts as delivered: it exists, loads, and has a triangle with area."""
    try:
        state = read_output(path)
    except EngineError as error:
        kind = "empty" if isinstance(error, EmptyModelError) else "unloadable"
        # Scores of a run are the same wherever it lies: its folder is no part of a reason.
        reason = f"{kind}: {error}".replace(str(path), path.name) if os.path.lexists(path) else f"missing: {path.name}"
        return TurnOutcome(turn=turn, status="failed", reason=reason)
    return TurnOutcome(turn=turn, status="delivered", output_sha256=state.sha256)
