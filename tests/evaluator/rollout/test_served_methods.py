"""What becomes of a program that is started once and answers request after request, whatever it does."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from evaluator.rollout.process import MethodProcess
from schemas.errors import InputError, WorkerError
from tests.evaluator.rollout.method_launches import (
    find_alive,
    find_children,
    is_alive,
    launch_fault,
    launch_served,
    noted,
    wait_until,
)

RUNNER = """
import os, sys
from pathlib import Path
from method_launches import launch_fault, launch_served
from evaluator.rollout.process import MethodProcess

home = Path(sys.argv[1])
first, second = MethodProcess(launch_served(home, "forks")), MethodProcess(launch_fault(home, "fill", "3", "1"))
first.edit(home)
pid = os.fork()
if pid == 0:  # holds the pipe to the first keeper, as the processes of a pool do
    os.read(os.pipe()[0], 1)
(home / "child").write_text(str(pid))
second.edit(home)
"""


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """The folder of a method."""
    return tmp_path / "home"


@pytest.mark.parametrize("kind", ["sound", "garbage", "talks"])
def test_one_process_answers_all_requests(home: Path, kind: str) -> None:
    """What the answer says is nobody's business; the log of a request is what was printed for it."""
    with MethodProcess(launch_served(home, kind)) as process:
        for turn in range(1, 4):
            ending = process.edit(home / f"turn {turn}")
            assert (ending.kind, ending.detail) == ("done", "")
            assert f"request {turn}: {home}/turn {turn}/request.json\n" in ending.log
            assert f"request {turn - 1}" not in ending.log
            assert "done" not in ending.log
            assert 1.0 < ending.peak_mib < 100.0
        assert len(noted(home)) == 1
        assert find_alive(home) == noted(home)
    assert find_alive(home) == []


def test_processes_may_live_from_turn_to_turn(home: Path) -> None:
    """A served program may have helpers of its own, until it is closed."""
    with MethodProcess(launch_served(home, "forks")) as process:
        assert [process.edit(home).kind for _ in range(3)] == ["done"] * 3
        assert find_alive(home) == noted(home)
        assert len(noted(home)) == 2
    assert find_alive(home) == []


def test_a_crash_is_the_end(home: Path) -> None:
    """The request fails, nothing is left, and the program is not started again."""
    with MethodProcess(launch_served(home, "crashes")) as process:
        assert process.edit(home / "turn 1").kind == "done"
        ending = process.edit(home / "turn 2")
        assert (ending.kind, ending.detail) == ("crashed", "signal 6")
        assert ending.log.endswith("out of ideas\n")
        assert find_alive(home) == []
        with pytest.raises(WorkerError, match=r"has ended \(crashed: signal 6\)"):
            process.edit(home / "turn 3")
    assert len(noted(home)) == 1


def test_a_death_between_requests_is_told_with_the_next(home: Path) -> None:
    """An answer counts, though its program dies with it."""
    with MethodProcess(launch_served(home, "last words")) as process:
        assert process.edit(home / "turn 1").kind == "done"
        wait_until(lambda: not find_alive(home))
        ending = process.edit(home / "turn 2")
        assert (ending.kind, ending.detail) == ("crashed", "exit code 5")
        assert ending.seconds < 1.0


def test_an_end_without_an_answer_is_a_crash(home: Path) -> None:
    """A program that has nothing to say has not edited."""
    with MethodProcess(launch_served(home, "quits")) as process:
        ending = process.edit(home)
    assert (ending.kind, ending.detail) == ("crashed", "exit code 0, without an answer")


@pytest.mark.parametrize("fault", ["sleep", "half"])
def test_no_answer_is_late(home: Path, fault: str) -> None:
    """Whether the program never reads, or begins an answer and does not end it."""
    launch = launch_served(home, "half", seconds=0.5) if fault == "half" else None
    with MethodProcess(launch or launch_fault(home, "sleep", "x", mode="served", seconds=0.5)) as process:
        ending = process.edit(home)
        assert (ending.kind, ending.detail) == ("late", "0.5 s")
        assert find_alive(home) == []
        assert "xxx" not in ending.log


def test_answers_to_nothing_fill_no_pipe(home: Path) -> None:
    """A program that prints and never reads is not waited for, though 80 KiB of paths are more than a pipe holds."""
    with MethodProcess(launch_fault(home, "flood-lines", "x", mode="served", seconds=5.0)) as process:
        kinds = [process.edit(home.joinpath(*["long" * 50] * 5, str(turn))).kind for turn in range(80)]
    assert set(kinds) == {"done"}


def test_memory_is_watched_between_requests(home: Path) -> None:
    """A program that grows when nobody asks is told of with the next request."""
    with MethodProcess(launch_served(home, "grows", memory_mib=100)) as process:
        assert process.edit(home).kind == "done"
        wait_until(lambda: not find_alive(home))
        ending = process.edit(home)
        assert (ending.kind, ending.detail) == ("memory", "100 MiB")


def test_killed_from_outside(home: Path) -> None:
    """A served program that somebody kills between requests is a fault of the machine."""
    with MethodProcess(launch_served(home, "sound")) as process:
        process.edit(home)
        os.kill(noted(home)[0], signal.SIGKILL)
        wait_until(lambda: not find_alive(home))
        ending = process.edit(home)
        assert (ending.kind, ending.detail) == ("killed", "signal 9")


def test_a_request_is_one_line(home: Path) -> None:
    """A folder whose name would be read as two paths is refused."""
    with MethodProcess(launch_served(home, "sound")) as process, pytest.raises(InputError, match="in one line"):
        process.edit(home / "a\nb")


def test_nothing_survives_a_killed_runner(home: Path) -> None:
    """Kill -9 of the runner ends its methods, though a child of it keeps a pipe open."""
    path = os.pathsep.join([str(Path(__file__).parent), *sys.path])
    with subprocess.Popen([sys.executable, "-c", RUNNER, str(home)], env={"PYTHONPATH": path}) as runner:
        wait_until(lambda: len(noted(home)) == 5)
        child = int((home / "child").read_text())
        keepers = set(find_children(runner.pid)) - {child}
        runner.kill()
    try:
        assert len(keepers) == 2
        wait_until(lambda: not find_alive(home))
        wait_until(lambda: not any(is_alive(pid) for pid in keepers))
    finally:
        os.kill(child, signal.SIGKILL)
