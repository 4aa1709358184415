"""What a method delivered: loaded as it is, or failed with the reason and everything after it blocked."""

from __future__ import annotations

import json
import os
import struct
from pathlib import Path

import numpy as np
import pytest

from engine.gltf.container import split_container
from evaluator.outputs import find_outcomes, output_path, read_output, read_rollout
from schemas.codec import decode, digest, encode
from schemas.errors import GltfError, InputError, SchemaError
from schemas.rollout import ROLLOUT_FILE, RolloutRecord, TurnOutcome
from tests.box_library import make_boxes
from tests.chain_examples import add, chain_of, remove

CHAIN = chain_of(add("cup", "top"), remove("cup"), add("jar", "top"))
BOX = make_boxes([("crate", (0.0, 0.0, 0.0), (1.0, 2.0, 3.0))])
FLAT = make_boxes([("line", (0.0, 0.0, 0.0), (1.0, 0.0, 0.0))])


def _write(run: Path, *files: bytes | None) -> None:
    for turn, data in enumerate(files, start=1):
        if data is not None:
            path = output_path(run, CHAIN.id, turn)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data)


def test_an_output_is_read_where_it_stands(tmp_path: Path) -> None:
    """Nothing is moved or resized."""
    _write(tmp_path, BOX)
    state = read_output(output_path(tmp_path, CHAIN.id, 1))
    assert np.array_equal(state.vertices.min(axis=0), [0.0, 0.0, 0.0])
    assert np.array_equal(state.vertices.max(axis=0), [1.0, 2.0, 3.0])
    assert len(state.faces) == 12


@pytest.mark.parametrize(
    ("second", "word"),
    [(None, "missing"), (b"", "unloadable"), (BOX[:-40], "unloadable"), (FLAT, "empty"), (b"hello", "unloadable")],
)
def test_the_first_turn_that_does_not_load_fails_and_blocks_the_rest(
    tmp_path: Path, second: bytes | None, word: str
) -> None:
    """Not there, cut off, no glTF or no area: failed with the file's name; a later file is not even looked at."""
    _write(tmp_path, BOX, second, BOX)
    record = find_outcomes(tmp_path, CHAIN)
    assert [entry.status for entry in record.turns] == ["delivered", "failed", "blocked"]
    assert record.turns[1].reason.startswith(f"{word}: ")
    assert "turn_002.glb" in record.turns[1].reason


def test_a_record_is_held_to_its_chain_and_its_files(tmp_path: Path) -> None:
    """A record of another version of the chain, and a file that is not the recorded one, are refused."""
    _write(tmp_path, BOX, BOX, BOX)
    found = find_outcomes(tmp_path, CHAIN)
    record = found.model_copy(update={"method": "painter"})
    path = tmp_path / CHAIN.id / ROLLOUT_FILE
    path.write_bytes(encode(record))
    assert read_rollout(tmp_path, CHAIN) == record
    other = CHAIN.model_copy(update={"seed": 2})
    assert digest(other) != digest(CHAIN)
    with pytest.raises(InputError, match="is of G/desk_s1"):
        read_rollout(tmp_path, other)
    output_path(tmp_path, CHAIN.id, 2).write_bytes(BOX + b"\0\0\0\0")
    with pytest.raises(InputError, match="turn 2: the output is"):
        read_rollout(tmp_path, CHAIN)


def test_records_that_contradict_themselves_are_refused() -> None:
    """A delivered turn after a failed one, a failure without a reason, a gap in the turns."""
    done = TurnOutcome(turn=1, status="delivered", output_sha256="a" * 64)
    failed = TurnOutcome(turn=2, status="failed", reason="missing: turn_002.glb")
    blocked = TurnOutcome(turn=3, status="blocked")
    record = RolloutRecord(chain="G/a", chain_sha256="b" * 64, method="m", turns=(done, failed, blocked))
    assert decode(RolloutRecord, encode(record), "record") == record
    late = failed.model_copy(update={"turn": 3})
    for turns, message in (
        ((done, failed, late), "turn 3 is failed: all turns after a failed one are blocked"),
        ((done, failed, blocked.model_copy(update={"turn": 4})), "must be turn 3, found 4"),
        ((done, failed.model_copy(update={"reason": ""}), blocked), "says why"),
        ((done.model_copy(update={"output_sha256": None}), failed, blocked), "a delivered turn has a hash"),
    ):
        wrong = record.model_copy(update={"turns": turns})
        with pytest.raises(SchemaError, match=message):
            decode(RolloutRecord, encode(wrong), "record")


def test_a_file_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    """Reading an output names the file."""
    with pytest.raises(InputError, match=r"turn_001\.glb"):
        read_output(output_path(tmp_path, CHAIN.id, 1))
    _write(tmp_path, FLAT)
    with pytest.raises(GltfError, match="none of its 12 triangles has an area"):
        read_output(output_path(tmp_path, CHAIN.id, 1))


@pytest.mark.parametrize("kind", ["folder", "pipe", "device", "loop"])
def test_what_is_no_file_fails_its_turn_and_nobody_waits_for_it(tmp_path: Path, kind: str) -> None:
    """A folder, a pipe, an endless device and a link to itself are no outputs, whoever put them there."""
    _write(tmp_path, BOX, None, BOX)
    path = output_path(tmp_path, CHAIN.id, 2)
    if kind == "folder":
        path.mkdir()
    elif kind == "pipe":
        os.mkfifo(path)
    else:
        path.symlink_to("/dev/zero" if kind == "device" else path.name)
    record = find_outcomes(tmp_path, CHAIN)
    assert [entry.status for entry in record.turns] == ["delivered", "failed", "blocked"]
    assert record.turns[1].reason.startswith("unloadable: turn_002.glb: ")


def test_a_reason_does_not_tell_where_a_run_lies(tmp_path: Path) -> None:
    """The same files in two folders are the same outcomes, to the byte of their record."""
    found = []
    for name in ("here", "there"):
        _write(tmp_path / name, BOX, BOX[:-40])
        found.append(encode(find_outcomes(tmp_path / name, CHAIN)))
    assert found[0] == found[1]
    assert str(tmp_path).encode() not in found[0]


def test_a_record_that_is_no_file_is_refused(tmp_path: Path) -> None:
    """A folder or a dead link in place of the record is a fault, not a run without one."""
    _write(tmp_path, BOX, BOX, BOX)
    path = tmp_path / CHAIN.id / ROLLOUT_FILE
    path.mkdir()
    with pytest.raises(InputError, match=r"rollout\.json is a folder"):
        read_rollout(tmp_path, CHAIN)
    path.rmdir()
    path.symlink_to("nowhere")
    with pytest.raises(InputError, match="is not a regular file"):
        read_rollout(tmp_path, CHAIN)


def test_an_output_that_needs_other_files_is_refused(tmp_path: Path) -> None:
    """Its hash could not say what is in them, so scores would be kept that are of other geometry."""
    container = split_container(BOX, Path("box"))
    gltf = json.loads(bytes(container.json_text))
    gltf["buffers"][0]["uri"] = "shape.bin"
    text = json.dumps(gltf).encode()
    text += b" " * (-len(text) % 4)
    data = struct.pack("<4sIII4s", b"glTF", 2, 20 + len(text), len(text), b"JSON") + text
    _write(tmp_path, data)
    path = output_path(tmp_path, CHAIN.id, 1)
    assert container.binary is not None
    (path.parent / "shape.bin").write_bytes(container.binary)
    with pytest.raises(GltfError, match=r"needs shape\.bin: a delivered file stands alone"):
        read_output(path)
