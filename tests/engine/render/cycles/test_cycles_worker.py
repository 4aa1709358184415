"""The worker itself: it ends with its parent, hears no Ctrl-C, keeps its answers clean, and says what it refuses."""

from __future__ import annotations

import importlib.util
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from cycles_states import FRONT, make_cube, unlit

from engine.render.cycles.client import CyclesRenderer
from schemas.errors import RenderError
from schemas.pictures import CyclesSettings

pytestmark = [
    pytest.mark.bpy,
    pytest.mark.skipif(importlib.util.find_spec("bpy") is None, reason="the blender extra is not installed"),
]
WORKER = [sys.executable, "-m", "engine.render.cycles.worker"]


@pytest.fixture
def worker() -> Iterator[subprocess.Popen[bytes]]:
    """A bare worker, without its client."""
    with subprocess.Popen(WORKER, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as process:
        yield process
        process.kill()


def wait_for_end(pid: int) -> None:
    """Fail unless a process is gone within ten seconds."""
    deadline = time.monotonic() + 10.0
    while Path(f"/proc/{pid}").exists():
        assert time.monotonic() < deadline, f"process {pid} lives on"
        time.sleep(0.05)


def test_answers_are_all_there_is_on_the_output(worker: subprocess.Popen[bytes], tmp_path: Path) -> None:
    """Ctrl-C is not heard, a malformed request is refused, a sound one rendered; nothing else is on the output."""
    assert worker.stdin is not None
    assert worker.stdout is not None
    assert json.loads(worker.stdout.readline())["kind"] == "ready"
    worker.send_signal(signal.SIGINT)
    (tmp_path / "state.glb").write_bytes(make_cube(unlit(1, 0, 0, 1)))
    camera = {name: getattr(FRONT, name) for name in ("position", "right", "up", "forward", "tan_half")}
    request = {
        "id": 7,
        "state": str(tmp_path / "state.glb"),
        "views": [{"path": str(tmp_path / "view.png"), "camera": camera}],
        "size_px": 16,
        "settings": {"samples": 1, "denoise": False},
        "threads": 1,
    }
    worker.stdin.write(b'{"id": 3}\n' + json.dumps(request).encode() + b"\n")
    worker.stdin.close()
    refused, rendered = (json.loads(line) for line in worker.stdout.read().splitlines())
    assert refused["kind"] == "refused"
    assert "views" in refused["what"]
    assert (rendered["kind"], rendered["id"], len(rendered["view_s"])) == ("rendered", 7, 1)
    assert rendered["rss_mib"] > 100.0
    assert sorted(path.name for path in tmp_path.iterdir()) == ["state.glb", "view.png"]
    assert worker.wait(10.0) == 0


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux ends a process with its parent")
def test_a_worker_ends_with_its_parent(tmp_path: Path) -> None:
    """A parent that is shot takes the worker with it."""
    program = (
        "import sys, time\nfrom pathlib import Path\nfrom cycles_states import FRONT, make_cube\n"
        "from engine.render.cycles.client import CyclesRenderer\nrenderer = CyclesRenderer()\n"
        f"renderer.render(make_cube(None), [FRONT], 8, [Path({str(tmp_path / 'view.png')!r})])\n"
        "print(renderer.worker_pid, flush=True)\ntime.sleep(600)"
    )
    path = os.pathsep.join([str(Path(__file__).parent), str(Path(__file__).resolve().parents[4])])
    command = ["env", f"PYTHONPATH={path}", f"TMPDIR={tmp_path}", sys.executable, "-c", program]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as parent:
        assert parent.stdout is not None
        pid = int(parent.stdout.readline())
        assert Path(f"/proc/{pid}").exists()
        parent.kill()
    wait_for_end(pid)


def test_a_worker_shot_at_work_is_replaced(tmp_path: Path) -> None:
    """A worker killed after its first state is replaced, and the next picture is the same as ever."""
    glb = make_cube(unlit(0.2, 0.4, 0.6, 1))
    with CyclesRenderer(CyclesSettings(samples=2)) as renderer:
        (first,) = renderer.render(glb, [FRONT], 24, [tmp_path / "a.png"])
        pid = renderer.worker_pid
        assert pid is not None
        os.kill(pid, signal.SIGKILL)
        (second,) = renderer.render(glb, [FRONT], 24, [tmp_path / "b.png"])
        assert renderer.worker_pid not in {None, pid}
    assert first.sha256 == second.sha256


def test_another_blender_is_refused(tmp_path: Path) -> None:
    """Settings that name another release are not met with this one's pictures."""
    with (
        CyclesRenderer(CyclesSettings(blender="4.2.0")) as renderer,
        pytest.raises(RenderError, match=r"bpy is \d+\.\d+\.\d+, the settings say 4\.2\.0"),
    ):
        renderer.render(make_cube(None), [FRONT], 8, [tmp_path / "view.png"])
