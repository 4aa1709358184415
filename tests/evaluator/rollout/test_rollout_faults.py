"""Methods that go wrong in every way, and a runner that is killed: each ends as it must, with nothing lost."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from chains.files import read_chain
from evaluator.protocol import Protocol
from evaluator.rollout.status import read_status
from evaluator.scoring import ScoreOrder, score_run, scores_path
from schemas.codec import read_record
from schemas.method import MethodManifest
from schemas.rollout import RolloutRecord
from schemas.score import ChainScores
from tests.evaluator.rollout.rollout_programs import read_outputs, read_records, run_program, write_program

ON_SECOND = """
marker = Path(options["marker"])
is_second = marker.exists()
marker.touch()
"""
"""Tells the second turn from the first; no method is told its turn."""
FAULTS = {
    "hangs": ("time.sleep(3600)", "time limit: 3 s"),
    "hangs deaf": ("signal.signal(signal.SIGTERM, signal.SIG_IGN)\nwhile True: pass", "time limit: 3 s"),
    "crashes": ("raise RuntimeError('oh no')", "crashed: exit code 1"),
    "aborts": ("os.abort()", "crashed: signal 6"),
    "writes nothing": ("pass", "missing: output.glb"),
    "writes garbage": ("(folder / 'output.glb').write_bytes(b'not a mesh' * 99)", "unloadable"),
    "writes an empty file": ("(folder / 'output.glb').touch()", "unloadable"),
    "leaves a link": ("(folder / 'output.glb').symlink_to(folder / 'input.glb')", "missing: output.glb"),
    "leaves a pipe": ("os.mkfifo(folder / 'output.glb')", "missing: output.glb is not a regular file"),
    "leaves a folder": ("(folder / 'output.glb').mkdir()", "missing: output.glb"),
    "fills memory": ("data = []\nwhile True: data.append(bytearray(1 << 24))", "memory limit: 200 MiB"),
    "writes elsewhere": ("shutil.copyfile(folder / 'input.glb', Path(options['marker'] + '.glb'))", "missing"),
    "fails with an output": ("keep()\nsys.exit(4)", "crashed: exit code 4"),
}


def _method(tmp_path: Path, fault: str) -> MethodManifest:
    body = ON_SECOND + "if not is_second:\n    keep()\n    sys.exit(0)\n" + fault
    options = {"marker": str(tmp_path / "marker")}
    return write_program(tmp_path / "method", body, options=options, seconds=3.0, memory_mib=200)


@pytest.mark.parametrize("name", FAULTS)
def test_a_bad_turn_fails_alone_and_blocks_the_rest(index: Path, one_chain: Path, tmp_path: Path, name: str) -> None:
    """The first turn stays delivered, the second failed for its reason, the others are blocked."""
    fault, reason = FAULTS[name]
    (done,) = run_program(_method(tmp_path, fault), index, one_chain, tmp_path / "run")
    assert done.record is not None
    turns = done.record.turns
    assert [turn.status for turn in turns] == ["delivered", "failed", *["blocked"] * (len(turns) - 2)]
    assert turns[1].reason.startswith(reason)
    assert str(tmp_path) not in turns[1].reason
    assert done.record.reruns == 0
    status = read_status(tmp_path / "run")
    assert (status.completed, status.ended, status.delivered, status.failed) == (0, 1, 1, 1)


def test_children_of_a_method_do_not_outlive_its_turn(index: Path, one_chain: Path, tmp_path: Path) -> None:
    """A child that detached itself and would write for ever has ended when the turn is over."""
    body = f"""
keep()
alive = {str(tmp_path / "alive")!r}
child = f"import time\\nwhile True:\\n    open({{alive!r}}, 'w').write(str(time.time()))\\n    time.sleep(0.02)"
quiet = dict(stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
subprocess.Popen([sys.executable, "-c", child], start_new_session=True, **quiet)
while not Path(alive).exists():
    time.sleep(0.01)
"""
    (done,) = run_program(write_program(tmp_path / "method", body), index, one_chain, tmp_path / "run")
    assert done.record is not None
    assert all(turn.status == "delivered" for turn in done.record.turns)
    before = (tmp_path / "alive").read_text()
    time.sleep(0.3)
    assert (tmp_path / "alive").read_text() == before


def test_an_output_of_another_size_is_delivered_as_it_is(index: Path, one_chain: Path, tmp_path: Path) -> None:
    """A scene ten times as large is scored where it lies, with a warning."""
    body = ON_SECOND + "keep() if is_second else keep(scale=[10.0, 10.0, 10.0])"
    manifest = write_program(tmp_path / "method", body, options={"marker": str(tmp_path / "marker")})
    run_program(manifest, index, one_chain, tmp_path / "run")
    list(score_run([one_chain], ScoreOrder(tmp_path / "run", index, tmp_path / "scores", Protocol(), references=False)))
    record = read_record(ChainScores, scores_path(tmp_path / "scores", "mine", read_chain(one_chain).id))
    assert [turn.status for turn in record.turns] == ["delivered"] * len(record.turns)
    assert any(warning.startswith("size:") for warning in record.turns[0].warnings)


def test_geometry_that_is_not_a_number_is_no_output(index: Path, one_chain: Path, tmp_path: Path) -> None:
    """NaN in every vertex leaves no triangle with an area."""
    body = """
import struct
data = bytearray((folder / "input.glb").read_bytes())
size, = struct.unpack_from("<I", data, 12)
document = json.loads(data[20:20 + size])
start = 28 + size
for mesh in document["meshes"]:
    for primitive in mesh["primitives"]:
        accessor = document["accessors"][primitive["attributes"]["POSITION"]]
        view = document["bufferViews"][accessor["bufferView"]]
        at = start + view.get("byteOffset", 0) + accessor.get("byteOffset", 0)
        data[at:at + 12 * accessor["count"]] = struct.pack("<f", float("nan")) * (3 * accessor["count"])
(folder / "output.glb").write_bytes(data)
"""
    (done,) = run_program(write_program(tmp_path / "method", body), index, one_chain, tmp_path / "run")
    assert done.record is not None
    assert done.record.turns[0].status == "failed"
    assert done.record.turns[0].reason.partition(":")[0] in {"empty", "unloadable"}


def test_an_output_too_far_to_be_measured_is_a_failed_turn(index: Path, one_chain: Path, tmp_path: Path) -> None:
    """It does not keep its chain from being scored: the turn has failed, and the row is complete."""
    body = """
import struct
points = struct.pack("<9f", -3e38, 0, 0, 3e38, 0, 0, 0, 3e38, 0)
document = {"asset": {"version": "2.0"}, "scene": 0, "scenes": [{"nodes": [0]}], "nodes": [{"mesh": 0}],
            "meshes": [{"primitives": [{"attributes": {"POSITION": 0}}]}], "buffers": [{"byteLength": 36}],
            "accessors": [{"bufferView": 0, "componentType": 5126, "count": 3, "type": "VEC3",
                           "min": [-3e38, 0, 0], "max": [3e38, 3e38, 0]}],
            "bufferViews": [{"buffer": 0, "byteLength": 36}]}
text = json.dumps(document).encode()
text += b" " * (-len(text) % 4)
whole = struct.pack("<4sIIII", b"glTF", 2, 64 + len(text), len(text), 0x4E4F534A) + text
(folder / "output.glb").write_bytes(whole + struct.pack("<II", 36, 0x004E4942) + points)
"""
    (done,) = run_program(write_program(tmp_path / "method", body), index, one_chain, tmp_path / "run")
    assert done.record is not None
    reason = done.record.turns[0].reason
    assert reason.startswith("unloadable: turn_001.glb: a triangle reaches 3e+38 from the origin, limit 1e+30")
    order = ScoreOrder(tmp_path / "run", index, tmp_path / "scores", Protocol(), references=False)
    assert [row.failure for row in score_run([one_chain], order)] == [""]


def test_a_method_ended_from_outside_is_run_again_and_then_unresolved(
    index: Path, one_chain: Path, tmp_path: Path
) -> None:
    """Once is a rerun that leaves the record of an undisturbed run; four times leave the chain unresolved."""
    counted = """
count = Path(options["marker"])
count.write_text(str(int(count.read_text() or 0) + 1) if count.exists() else "1")
"""
    for name, when, reruns in (("once", "== 2", 1), ("always", ">= 2", 3)):
        body = counted + f"if int(count.read_text()) {when}:\n    os.kill(os.getpid(), signal.SIGKILL)\nkeep()"
        manifest = write_program(tmp_path / name, body, options={"marker": str(tmp_path / f"{name}.count")})
        (done,) = run_program(manifest, index, one_chain, tmp_path / f"run-{name}")
        assert done.record is not None
        assert (done.record.reruns, done.record.unresolved) == (reruns, name == "always")
        assert len(done.notes) == (1 if name == "once" else 4)
        assert all(turn.status == "delivered" for turn in done.record.turns)
    (again,) = run_program(manifest, index, one_chain, tmp_path / "run-always")
    assert again.kept
    assert read_status(tmp_path / "run-always").unresolved == 1


def test_a_method_that_changes_its_earlier_outputs_is_caught(index: Path, one_chain: Path, tmp_path: Path) -> None:
    """What it wrote into the run is not taken for what it delivered: the chain is an error, not a result."""
    body = (
        ON_SECOND
        + f"""
keep()
if is_second:
    for path in Path({str(tmp_path / "run")!r}).rglob("turn_001.glb"):
        path.write_bytes(b"better")
"""
    )
    manifest = write_program(tmp_path / "method", body, options={"marker": str(tmp_path / "marker")})
    run = tmp_path / "run"
    run_program(manifest, index, one_chain, run)
    (row,) = score_run([one_chain], ScoreOrder(run, index, tmp_path / "scores", Protocol(), references=False))
    assert "turn_001.glb" in row.failure or "turn 1" in row.failure


def test_wrong_usage_is_unknown_and_said(index: Path, one_chain: Path, tmp_path: Path) -> None:
    """Tokens that are no number cost nobody a turn; right ones are in the record."""
    body = (
        ON_SECOND
        + """
keep()
(folder / "usage.json").write_text(json.dumps({"calls": 2, "input_tokens": -5 if is_second else 70}))
"""
    )
    manifest = write_program(tmp_path / "method", body, options={"marker": str(tmp_path / "marker")})
    (done,) = run_program(manifest, index, one_chain, tmp_path / "run")
    assert done.record is not None
    usages = [turn.usage for turn in done.record.turns]
    assert usages[0] is not None
    assert usages[1] is not None
    assert (usages[0].calls, usages[0].input_tokens, usages[0].output_tokens) == (2, 70, None)
    assert (usages[1].calls, usages[1].input_tokens) == (None, None)
    assert "its cost is unknown" in done.notes[0]


@pytest.mark.parametrize(
    "left",
    ["os.mkfifo(usage)", "usage.symlink_to('/etc/passwd')", "usage.mkdir()", "usage.write_text('{\"calls\": 1e99}')"],
)
def test_usage_that_is_no_file_holds_up_nobody(index: Path, one_chain: Path, tmp_path: Path, left: str) -> None:
    """A pipe that nobody writes into is not waited for; what a link names is not read."""
    body = f"keep()\nusage = folder / 'usage.json'\n{left}"
    (done,) = run_program(write_program(tmp_path / "method", body), index, one_chain, tmp_path / "run")
    assert done.record is not None
    assert [turn.status for turn in done.record.turns] == ["delivered"] * len(done.record.turns)
    assert all(turn.usage is not None and turn.usage.calls is None for turn in done.record.turns)
    assert all("usage.json" in note for note in done.notes)
    assert len(done.notes) == len(done.record.turns)


def test_an_output_of_an_earlier_turn_is_not_taken_again(index: Path, one_chain: Path, tmp_path: Path) -> None:
    """A program that makes its folder a link to another finds nothing there next turn, nor does the runner."""
    body = (
        ON_SECOND
        + f"""
if not is_second:
    keep()
    folder.rename({str(tmp_path / "elsewhere")!r})
    folder.symlink_to({str(tmp_path / "elsewhere")!r})
"""
    )
    manifest = write_program(tmp_path / "method", body, options={"marker": str(tmp_path / "marker")})
    (done,) = run_program(manifest, index, one_chain, tmp_path / "run")
    assert done.record is not None
    assert [turn.status for turn in done.record.turns][:2] == ["delivered", "failed"]
    assert done.record.turns[1].reason == "missing: output.glb"


def test_a_killed_runner_goes_on_and_leaves_the_records_of_an_undisturbed_run(
    index: Path, chains: Path, tmp_path: Path
) -> None:
    """SIGKILL in the middle of turns, several times: the same records and outputs, but for measured seconds."""
    manifest = write_program(tmp_path / "method", "time.sleep(0.05)\nkeep()")
    run_program(manifest, index, chains, tmp_path / "whole")
    program = tmp_path / "run.py"
    program.write_text(
        "import sys\nfrom pathlib import Path\n"
        "from tests.evaluator.rollout.rollout_programs import run_program\n"
        "from schemas.codec import read_record\nfrom schemas.method import MethodManifest\n"
        "index, chains, out, method = map(Path, sys.argv[1:])\n"
        "if __name__ == '__main__':\n"
        "    run_program(read_record(MethodManifest, method), index, chains, out, workers=2)\n"
    )
    (tmp_path / "method.json").write_text(manifest.model_dump_json())
    command = [
        sys.executable,
        str(program),
        str(index),
        str(chains),
        str(tmp_path / "cut"),
        str(tmp_path / "method.json"),
    ]
    root = Path(__file__).resolve().parents[3]
    kills = 0
    for outputs in (1, 4, 9):
        process = subprocess.Popen(command, cwd=root, env={**os.environ, "PYTHONPATH": str(root)})  # noqa: TID251
        while process.poll() is None and len(list((tmp_path / "cut").rglob("turn_*.glb"))) < outputs:
            time.sleep(0.01)
        if process.poll() is None:
            process.send_signal(signal.SIGKILL)
            kills += 1
        process.wait()
    done = subprocess.run(command, cwd=root, env={**os.environ, "PYTHONPATH": str(root)}, check=False)  # noqa: TID251
    assert done.returncode == 0
    assert kills >= 2
    assert read_records(tmp_path / "cut") == read_records(tmp_path / "whole")
    assert read_outputs(tmp_path / "cut") == read_outputs(tmp_path / "whole")
    assert read_status(tmp_path / "cut").sessions == kills + 1
    records = [read_record(RolloutRecord, path) for path in (tmp_path / "cut").glob("*/*/rollout.json")]
    assert all(record.reruns == 0 for record in records)
