"""The renderer's side of the pipe: what it does about workers that die, hang, lie or grow."""

from __future__ import annotations

import importlib.machinery
import importlib.util
import logging
import os
import re
import signal
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import pytest
from cycles_states import FRONT

from engine.render.cycles.client import CyclesRenderer, WorkerLimits
from schemas.errors import InputError, MissingExtraError, OutputError, RenderError, WorkerError

FAKE = Path(__file__).with_name("fake_cycles_worker.py")
SHORT = WorkerLimits(start_s=20.0, state_s=20.0)


def fake(mode: str, counter: Path | None = None, limits: WorkerLimits = SHORT) -> CyclesRenderer:
    """A renderer whose worker misbehaves."""
    command = [sys.executable, str(FAKE), mode, *([str(counter)] if counter else [])]
    return CyclesRenderer(limits=limits, command=command)


def notes(caplog: pytest.LogCaptureFixture) -> list[dict[str, str]]:
    """What the fake worker said of each picture, in order."""
    pattern = re.compile(
        r"process (?P<process>\d+), start (?P<start>\d+), state (?P<state>\d+), folder (?P<folder>\S+)"
    )
    return [found.groupdict() for found in map(pattern.search, caplog.messages) if found]


def is_alive(pid: int) -> bool:
    """Whether a process runs; one that waits for its parent to notice its end does not."""
    status = Path(f"/proc/{pid}/stat")
    try:
        return status.read_text().rpartition(")")[2].split()[0] != "Z"
    except (FileNotFoundError, ProcessLookupError):
        return False


def test_a_worker_serves_many_states(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    """One process renders state after state; its folder is gone with it, and files are complete where asked."""
    with fake("sound") as renderer:
        for name in ("a", "b"):
            out = [tmp_path / name / f"{view}.png" for view in range(2)]
            images = renderer.render(b"glb", [FRONT, FRONT], 8, out)
            assert [image.path for image in images] == out
            assert [image.seconds for image in images] == [0.5, 0.5]
            assert images[0].sha256 == images[1].sha256
        pid = renderer.worker_pid
        assert pid is not None
        assert is_alive(pid)
    said = notes(caplog)
    assert [note["state"] for note in said] == ["1", "2"]
    assert {note["process"] for note in said} == {str(pid)}
    assert not is_alive(pid)
    assert not Path(said[0]["folder"]).exists()
    assert sorted(path.name for path in tmp_path.rglob("*.*")) == ["0.png", "0.png", "1.png", "1.png"]


@pytest.mark.parametrize("mode", ["garbage", "exit", "dead-on-arrival", "other-id", "no-picture", "wrong-size"])
def test_a_broken_worker_is_replaced_once(tmp_path: Path, mode: str, caplog: pytest.LogCaptureFixture) -> None:
    """A fault in the first process costs a second one, and the state is there."""
    counter = tmp_path / "starts"
    with fake(f"{mode}-once", counter) as renderer:
        renderer.render(b"glb", [FRONT], 8, [tmp_path / "view.png"])
    assert counter.read_text() == "2"
    assert (tmp_path / "view.png").is_file()
    assert "trying once more" in caplog.text


@pytest.mark.parametrize(
    ("mode", "message"),
    [
        ("garbage", r"printed b'Fra:1 Mem:20M\\n' in place of an answer; 2 times"),
        ("exit", r"died \(exit code 7\); its last words: .*its last line; 2 times"),
        ("dead-on-arrival", r"died \(exit code 3\); its last words: .*its last line; 2 times"),
        ("other-id", r"answered request 2 with .*id=99.*; 2 times"),
        ("no-picture", r"left no picture at view0\.png: .*; 2 times"),
        ("wrong-size", r"left a picture of shape \(8, 9, 4\) instead of 8 x 8 RGBA; 2 times"),
    ],
)
def test_a_fault_that_stays_is_reported(tmp_path: Path, mode: str, message: str) -> None:
    """After two workers the error names the picture, the fault and the last words; no file appears."""
    counter = tmp_path / "starts"
    with fake(mode, counter) as renderer, pytest.raises(WorkerError, match=message) as caught:
        renderer.render(b"glb", [FRONT], 8, [tmp_path / "view.png"])
    assert str(caught.value).startswith(f"{tmp_path / 'view.png'}: Cycles worker ")
    assert len(str(caught.value)) < 8000
    assert counter.read_text() == "2"
    assert not (tmp_path / "view.png").exists()
    assert renderer.worker_pid is None


def test_a_time_out_kills_the_whole_group(tmp_path: Path) -> None:
    """A worker that hangs is killed with the process it started, is not tried again, and leaves no folder."""
    counter = tmp_path / "starts"
    with fake("hang", counter, replace(SHORT, state_s=3.0)) as renderer:
        with pytest.raises(WorkerError, match=r"a state timed out after 3 s; its last words: .*child \d+") as caught:
            renderer.render(b"glb", [FRONT], 8, [tmp_path / "view.png"])
        assert renderer.worker_pid is None
    found = re.search(r"child (\d+)", str(caught.value))
    assert found is not None
    deadline = time.monotonic() + 5.0
    while is_alive(int(found[1])) and time.monotonic() < deadline:
        time.sleep(0.02)
    assert not is_alive(int(found[1]))
    assert counter.read_text() == "1"


def test_a_worker_that_never_gets_ready_times_out(tmp_path: Path) -> None:
    """The start has a limit of its own, which the error names."""
    with (
        fake("never-ready", limits=replace(SHORT, start_s=1.0)) as renderer,
        pytest.raises(WorkerError, match="starting timed out after 1 s"),
    ):
        renderer.render(b"glb", [FRONT], 8, [tmp_path / "view.png"])


def test_a_killed_worker_is_replaced(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    """A worker shot between two states is noticed and the second state rendered by another."""
    with fake("sound", tmp_path / "starts") as renderer:
        renderer.render(b"glb", [FRONT], 8, [tmp_path / "a.png"])
        first = renderer.worker_pid
        assert first is not None
        os.kill(first, signal.SIGKILL)
        renderer.render(b"glb", [FRONT], 8, [tmp_path / "b.png"])
        assert renderer.worker_pid not in {None, first}
    assert [note["start"] for note in notes(caplog)] == ["1", "2"]
    assert "died (exit code -9)" in caplog.text
    assert not any(Path(note["folder"]).exists() for note in notes(caplog))


@pytest.mark.parametrize(
    ("mode", "limits", "starts"),
    [
        ("sound", replace(SHORT, states=2), ["1", "1", "2", "2", "3"]),
        ("fat", SHORT, ["1", "2", "3", "4", "5"]),
        ("fat", replace(SHORT, rss_mib=2000.0), ["1", "1", "1", "1", "1"]),
    ],
)
def test_workers_are_recycled(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, mode: str, limits: WorkerLimits, starts: list[str]
) -> None:
    """After so many states, or more memory than the limit, the next state gets a fresh process."""
    with fake(mode, tmp_path / "starts", limits) as renderer:
        for _ in range(5):
            renderer.render(b"glb", [FRONT], 8, [tmp_path / "view.png"])
    assert [note["start"] for note in notes(caplog)] == starts


def test_a_refusal_is_the_states_fault(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    """A state that the worker refuses raises at once, and the same process serves the next."""
    with fake("refuse", tmp_path / "starts") as renderer, caplog.at_level(logging.WARNING):
        for _ in range(2):
            with pytest.raises(RenderError, match=r"view\.png: reading: no triangle"):
                renderer.render(b"glb", [FRONT], 8, [tmp_path / "view.png"])
    assert (tmp_path / "starts").read_text() == "1"
    assert not caplog.messages


def test_a_library_that_is_missing_is_named(tmp_path: Path) -> None:
    """When Blender cannot be loaded the message names the library and where libraries are listed."""
    with fake("unavailable") as renderer, pytest.raises(MissingExtraError, match=r"libXi\.so\.6: .*packages\.txt"):
        renderer.render(b"glb", [FRONT], 8, [tmp_path / "view.png"])
    assert renderer.worker_pid is None


def test_a_blender_that_cannot_be_loaded_is_told_by_the_real_worker(tmp_path: Path) -> None:
    """The worker itself passes on the linker's words at once, instead of a traceback or a long silence."""
    (tmp_path / "bpy.py").write_text("raise ImportError('libSM.so.6: cannot open shared object file')")
    path = os.pathsep.join([str(tmp_path), str(Path(__file__).resolve().parents[4])])
    command = ["env", f"PYTHONPATH={path}", sys.executable, "-m", "engine.render.cycles.worker"]
    with (
        CyclesRenderer(limits=SHORT, command=command) as renderer,
        pytest.raises(MissingExtraError, match=r"bpy cannot be loaded: libSM\.so\.6: cannot open shared object file; "),
    ):
        renderer.render(b"glb", [FRONT], 8, [tmp_path / "view.png"])


def test_without_the_extra_the_remedy_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    """A missing extra is an error before any process starts, and says what to install."""

    def find_nothing(name: str) -> importlib.machinery.ModuleSpec | None:
        assert name == "bpy"
        return None

    monkeypatch.setattr(importlib.util, "find_spec", find_nothing)
    with pytest.raises(MissingExtraError, match=re.escape("pip install 'part-edit-chains[blender]'")):
        CyclesRenderer()


def test_the_remedy_is_an_extra_of_this_project() -> None:
    """The extra that the message tells to install exists."""
    import tomllib  # noqa: PLC0415

    root = Path(__file__).resolve().parents[4]
    project = tomllib.loads((root / "pyproject.toml").read_text("utf-8"))["project"]
    assert project["name"] == "part-edit-chains"
    assert any(name.startswith("bpy==") for name in project["optional-dependencies"]["blender"])


def test_a_program_that_does_not_exist_is_an_error(tmp_path: Path) -> None:
    """A worker that cannot even be started is a WorkerError with the program's name."""
    with (
        CyclesRenderer(command=[str(tmp_path / "absent")]) as renderer,
        pytest.raises(WorkerError, match=r"cannot be started: .*absent"),
    ):
        renderer.render(b"glb", [FRONT], 8, [tmp_path / "view.png"])


def test_wrong_calls_are_refused(tmp_path: Path) -> None:
    """Cameras and files must pair up, cameras and sizes be usable, and places writable."""
    (tmp_path / "file").touch()
    with fake("sound") as renderer:
        with pytest.raises(ValueError, match="1 cameras for 2 files"):
            renderer.render(b"glb", [FRONT], 8, [tmp_path / "a.png", tmp_path / "b.png"])
        with pytest.raises(ValueError, match="0 cameras for 0 files"):
            renderer.render(b"glb", [], 8, [])
        for size in (0, 3, 8193):
            with pytest.raises(InputError, match=rf"size_px: Input should be .* \(found {size}\)$"):
                renderer.render(b"glb", [FRONT], size, [tmp_path / "a.png"])
        with pytest.raises(InputError, match="tan_half"):
            renderer.render(b"glb", [replace(FRONT, tan_half=float("nan"))], 8, [tmp_path / "a.png"])
        with pytest.raises(OutputError, match="file"):
            renderer.render(b"glb", [FRONT], 8, [tmp_path / "file" / "a.png"])
    command = [sys.executable, str(FAKE), "sound"]
    renderer = CyclesRenderer(command=command, folder=tmp_path / "gone")
    with renderer, pytest.raises(OutputError, match=r"cannot write into .*gone"):
        renderer.render(b"glb", [FRONT], 8, [tmp_path / "a.png"])


def test_no_variable_can_meddle(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What would have Blender run other scripts or use other kernels or colours does not reach the worker."""
    meddling = ("BLENDER_SYSTEM_SCRIPTS", "CYCLES_CPU_NO_AVX2", "OIDN_DEFAULT_DEVICE", "OCIO", "PYTHONOPTIMIZE")
    for name in (*meddling, "PYTHONOPTIMIZED", "MY_OCIO"):
        monkeypatch.setenv(name, "1")
    code = "import json, os; print(json.dumps({'kind': 'unavailable', 'reason': ' '.join(sorted(os.environ))}))"
    renderer = CyclesRenderer(command=[sys.executable, "-c", code])
    with renderer, pytest.raises(MissingExtraError) as told:
        renderer.render(b"glb", [FRONT], 8, [tmp_path / "a.png"])
    said = str(told.value).split()
    assert not set(meddling) & set(said)
    assert {"PYTHONOPTIMIZED", "MY_OCIO", "TMPDIR", "BLENDER_USER_RESOURCES"} <= set(said)


def test_a_worker_may_take_for_ever(tmp_path: Path) -> None:
    """A limit longer than any clock counts is none."""
    with fake("sound", limits=replace(SHORT, state_s=float("inf"))) as renderer:
        renderer.render(b"glb", [FRONT], 8, [tmp_path / "a.png"])
    assert (tmp_path / "a.png").is_file()


def test_the_parent_never_loads_blender() -> None:
    """Importing the client loads no Blender."""
    program = "import sys, engine.render.cycles.client\nprint('bpy' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"
