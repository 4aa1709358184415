"""What becomes of a program that is run once for each request, whatever it does."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from evaluator.rollout.launch import Ending, Launch
from evaluator.rollout.process import MethodProcess
from schemas.errors import InputError
from tests.evaluator.rollout.method_launches import (
    find_alive,
    find_children,
    launch_fault,
    make_launch,
    noted,
    wait_until,
)


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """The folder of a method."""
    return tmp_path / "home"


def run(launch: Launch) -> Ending:
    """Have a program edit once; whatever it said of itself, nothing of it runs when that is over."""
    with MethodProcess(launch) as process:
        ending = process.edit(launch.home / "turn 1")
        assert find_alive(launch.home) == []
    return ending


@pytest.mark.parametrize(
    ("fault", "kind", "detail"),
    [
        (("exit", "0"), "done", ""),
        (("exit", "3"), "crashed", "exit code 3"),
        (("raise",), "crashed", "exit code 1"),
        (("segfault",), "crashed", "signal 11"),
        (("signal", "6"), "crashed", "signal 6"),
        (("signal", "15"), "killed", "signal 15"),
        (("signal", "9"), "killed", "signal 9"),
        (("write", "2"), "crashed", "exit code 1"),
    ],
)
def test_ends_are_told_apart(home: Path, fault: tuple[str, ...], kind: str, detail: str) -> None:
    """The method's own failures are no faults of the machine, and the other way round."""
    ending = run(launch_fault(home, *fault, file_mib=1))
    assert (ending.kind, ending.detail) == (kind, detail)
    assert 0.0 < ending.seconds < 60.0
    assert 1.0 < ending.peak_mib < 100.0


def test_a_large_file_ends_a_program_that_does_not_look(home: Path) -> None:
    """SIGXFSZ, which Python ignores, is not ignored in other programs, and the file is as long as was allowed."""
    ending = run(make_launch(home, "sh", "-c", "exec head -c 3000000 /dev/zero > large", file_mib=1))
    assert (ending.kind, ending.detail) == ("crashed", f"signal {signal.SIGXFSZ:d}")
    assert (home / "large").stat().st_size == 1 << 20


def test_the_last_words_are_kept(home: Path) -> None:
    """A traceback is in the log."""
    assert run(launch_fault(home, "raise")).log.rstrip().endswith("KeyError: 'no such part'")


@pytest.mark.parametrize("fault", ["sleep", "ignore"])
def test_a_program_that_hangs_is_late(home: Path, fault: str) -> None:
    """A limit is kept, whatever signals the program ignores."""
    ending = run(launch_fault(home, fault, seconds=0.5))
    assert (ending.kind, ending.detail) == ("late", "0.5 s")
    assert 0.5 <= ending.seconds < 10.0


def test_a_flood_of_output_blocks_nothing(home: Path) -> None:
    """Of 100 MiB the last 64 KiB are kept."""
    ending = run(launch_fault(home, "flood", "100"))
    assert ending.kind == "done"
    assert len(ending.log.encode()) == 1 << 16
    assert ending.log.endswith("x\nthe end: \N{SNOWMAN}\n")


def test_output_for_ever_is_late(home: Path) -> None:
    """A program that only prints is held to its time."""
    assert run(make_launch(home, "yes", seconds=0.5)).kind == "late"


@pytest.mark.parametrize("streams", ["open", "closed"])
def test_a_daemon_does_not_survive(home: Path, streams: str) -> None:
    """Two forks and a session of its own do not lead out, nor do open pipes keep the request from ending."""
    ending = run(launch_fault(home, "daemon", streams))
    assert ending.kind == "done"
    assert len(noted(home)) == 1
    written = (home / "written").stat().st_size
    assert written > 0
    time.sleep(0.05)
    assert (home / "written").stat().st_size == written


def test_children_do_not_survive(home: Path) -> None:
    """Nor do children and grandchildren that ignore signals."""
    ending = run(launch_fault(home, "children"))
    assert ending.kind == "done"
    assert len(noted(home)) == 3


def test_processes_that_multiply_end(home: Path) -> None:
    """Lines of processes that fork and are gone again end with the rest."""
    with MethodProcess(launch_fault(home, "multiply", seconds=0.5)) as process:
        assert process.edit(home / "turn 1").kind == "late"
        assert process.keeper_pid is not None
        (keeper,) = find_children(process.keeper_pid)
        assert find_children(keeper) == {}


@pytest.mark.parametrize(("parts", "mib"), [("1", "400"), ("3", "150")])
def test_too_much_memory_ends_a_method(home: Path, parts: str, mib: str) -> None:
    """In one process, or in several together that each hold less than is allowed."""
    ending = run(launch_fault(home, "fill", parts, mib, memory_mib=200))
    assert (ending.kind, ending.detail) == ("memory", "200 MiB")
    assert 200 < ending.peak_mib < 460


def test_shared_pages_count_once(home: Path) -> None:
    """Five processes that see the same 300 MiB hold 300 MiB."""
    ending = run(launch_fault(home, "share", "300", memory_mib=500))
    assert (ending.kind, ending.detail) == ("done", "")
    assert 300 < ending.peak_mib < 400
    assert len(noted(home)) == 4


@pytest.mark.parametrize(("limit", "kind"), [(205, "memory"), (400, "killed")])
def test_killed_near_the_limit_means_memory(home: Path, limit: int, kind: str) -> None:
    """A kill from outside is the method's fault only when it held nearly all that it may."""
    assert run(launch_fault(home, "die-full", "190", memory_mib=limit)).kind == kind


def test_a_method_sees_what_it_may_see(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its environment, arguments and descriptors hold nothing of the runner's; nor do those of its keeper."""
    monkeypatch.setenv("CANARY", "ground truth")
    with (home.parent / "canary").open("w") as canary:
        os.set_inheritable(canary.fileno(), True)  # noqa: FBT003
        run(launch_fault(home, "spy", file_mib=3))
    seen = json.loads((home / "seen.json").read_text())
    expected = {"PATH": "/usr/bin:/bin", "ASKED": "yes", "HOME": str(home), "TMPDIR": str(home / "tmp")}
    # Python adds LC_CTYPE to its own where no language is set.
    assert {name: value for name, value in seen["environment"].items() if name != "LC_CTYPE"} == expected
    assert seen["arguments"] == ["spy", str(home / "turn 1" / "request.json")]
    assert seen["open"] == [0, 1, 2]
    assert seen["streams"] == ["/dev/null", "pipe", "pipe"]
    assert seen["folder"] == str(home)
    assert (seen["core"], seen["file"]) == ([0, 0], [3 << 20, 3 << 20])
    assert (seen["session"], seen["blocked"]) == (True, [])
    assert (home / "tmp").is_dir()
    assert "evaluator.rollout.keeper" in seen["above"][1]
    assert [text for text in seen["above"] if re.search("canary|truth|turn", text, re.IGNORECASE)] == []


@pytest.mark.parametrize(
    ("command", "reason"),
    [
        ("no-such-program", "no-such-program: cannot be started: No such file or directory"),
        ("/etc/passwd", "/etc/passwd: cannot be started: Permission denied"),
        ("a\0b", "holds a zero byte"),
    ],
)
def test_a_program_that_cannot_be_started_is_refused(home: Path, command: str, reason: str) -> None:
    """It is the user's mistake, and no turn of the method has failed."""
    with pytest.raises(InputError, match=re.escape(reason)):
        run(make_launch(home, command))


def test_a_program_is_looked_for_on_its_own_path(home: Path) -> None:
    """Not on the runner's, where Python's folder may be."""
    launch = make_launch(home, "only-here")
    (home / "only-here").write_text("#!/bin/sh\necho found $1\n")
    (home / "only-here").chmod(0o755)
    here = Launch(launch.command, launch.mode, home, {"PATH": str(home)}, launch.limits)
    assert run(here).log == f"found {home / 'turn 1' / 'request.json'}\n"


def test_many_requests_leak_nothing(home: Path) -> None:
    """Neither descriptors nor zombies stay, here or in the keeper."""

    def count() -> tuple[int, ...]:
        pids = (os.getpid(), process.keeper_pid, *find_children(process.keeper_pid or 0))
        return tuple(len(list(Path(f"/proc/{pid}/fd").iterdir())) for pid in pids)

    with MethodProcess(make_launch(home, "true")) as process:
        process.edit(home)
        before = count()
        assert {process.edit(home / str(turn)).kind for turn in range(500)} == {"done"}
        # A look at /proc holds a descriptor for a moment; a leak would stay.
        deadline = time.monotonic() + 10.0
        while count() != before and time.monotonic() < deadline:
            time.sleep(0.01)
        assert count() == before
        (state,) = find_children(process.keeper_pid or 0).values()
        assert state in {"R", "S"}, "the keeper's one child is at work or waits, and is no zombie"
    assert process.keeper_pid is None
    assert [pid for pid, state in find_children(os.getpid()).items() if state == "Z"] == []


@pytest.mark.parametrize("victims", ["guard", "keeper", "both"])
def test_the_death_of_a_keeper_is_a_fault_of_the_machine(home: Path, victims: str) -> None:
    """The method's processes end with it; the next request has a keeper again."""
    launch = launch_fault(home, "children")
    script = f"{' '.join(launch.command)} x; exec sleep 600"
    process = MethodProcess(make_launch(home, "sh", "-c", script))

    def kill() -> None:
        wait_until(lambda: len(noted(home)) == 3)
        guard = process.keeper_pid or 0
        keepers = list(find_children(guard))
        for pid in {"guard": [guard], "keeper": keepers, "both": [guard, *keepers]}[victims]:
            os.kill(pid, signal.SIGKILL)

    killer = threading.Thread(target=kill)
    killer.start()
    with process:
        ending = process.edit(home / "turn 1")
        killer.join()
        assert (ending.kind, ending.detail) == ("killed", "the keeper is gone: it was ended from outside")
        assert find_alive(home) == []
        assert process.keeper_pid is None
    assert run(make_launch(home, "true")).kind == "done"


@pytest.mark.parametrize("program", ["/bin/false", "/no/such/python"])
def test_a_keeper_that_does_not_start_is_a_fault_of_the_machine(
    home: Path, program: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whether there is no process, or one that ends at once."""
    monkeypatch.setattr(sys, "executable", program)
    ending = run(make_launch(home, "true"))
    assert ending.kind == "killed"
    assert ending.detail.startswith("the keeper is gone: ")


def test_words_put_into_a_keepers_mouth_reach_nobody(home: Path) -> None:
    """A method that writes where its keeper does loses the keeper, and gains nothing."""
    ending = run(make_launch(home, "sh", "-c", 'echo "[1]" > /proc/$PPID/fd/1; exec sleep 600'))
    assert (ending.kind, ending.detail) == ("killed", "the keeper is gone: it says b'[1]\\n'")


def test_a_limit_of_months_is_a_limit(home: Path) -> None:
    """Longer than the system can wait at once."""
    assert run(make_launch(home, "true", seconds=1e9)).kind == "done"


def test_what_an_earlier_run_left_is_ended(home: Path) -> None:
    """A home is free of processes before a method starts in it, though nobody keeps them."""
    launch = launch_fault(home, "sleep")
    environment = {**launch.environment, "HOME": str(home), "TMPDIR": str(home / "tmp")}
    with subprocess.Popen([*launch.command, "x"], cwd=home, env=environment) as stray:
        wait_until(lambda: noted(home))
        with MethodProcess(launch):
            assert stray.wait() == -signal.SIGKILL
