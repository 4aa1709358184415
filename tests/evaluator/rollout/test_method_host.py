"""Python methods in a process of their own: what they are given, and what becomes of what they do."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from evaluator.rollout.launch import Ending, Launch
from evaluator.rollout.process import MethodProcess
from schemas.codec import encode, read_record
from schemas.method import EditRequest, MethodLimits, MethodUsage
from tests.evaluator.rollout.method_launches import PATIENCE_S

PLUGIN = """
import os, subprocess, sys
from evaluator.rollout.contract import TurnOutput
from schemas.errors import InputError
from schemas.method import MethodUsage

print("loading")

class Echo:
    access = ("operation",)

    def __init__(self, options):
        if "wrong" in options:
            raise InputError("echo: unknown option 'wrong'")
        self.options, self.turns = options, 0

    def edit(self, given):
        self.turns += 1
        print("from Python")
        os.write(1, b"from below\\n")
        subprocess.run(["sh", "-c", "cat; echo from a child"], check=True)
        match given.request.instruction:
            case "fail":
                raise ValueError("cannot do that")
            case "leave":
                os._exit(0)
            case "text":
                return TurnOutput("no bytes")
        said = f"{self.options['tone']} {self.turns} {given.request.instruction} ".encode()
        usage = MethodUsage(calls=self.turns) if self.turns == 2 else None
        return TurnOutput(said + given.glb, usage)
"""


@pytest.fixture
def start(tmp_path: Path) -> Callable[[str], MethodProcess]:
    """Starts a method of a distribution that is installed in a folder, and there alone."""
    site = tmp_path / "site"
    facts = site / "echo-1.0.dist-info"
    facts.mkdir(parents=True)
    (facts / "METADATA").write_text("Metadata-Version: 2.1\nName: echo\nVersion: 1.0\n")
    (facts / "entry_points.txt").write_text("[evaluator.methods]\necho = echo_method:Echo\n")
    (site / "echo_method.py").write_text(PLUGIN)
    home = tmp_path / "home"
    home.mkdir()
    environment = {"PYTHONPATH": str(site), "PATH": "/usr/bin:/bin"}

    def make(name: str) -> MethodProcess:
        command = (sys.executable, "-P", "-m", "evaluator.rollout.host", name)
        return MethodProcess(Launch(command, "served", home, environment, MethodLimits(seconds=PATIENCE_S)))

    return make


def ask(process: MethodProcess, folder: Path, instruction: str, option: str = "tone") -> Ending:
    """Have a method edit once."""
    folder.mkdir()
    request = EditRequest(instruction=instruction, options=((option, "loud"),))
    (folder / "request.json").write_bytes(encode(request))
    (folder / request.input).write_bytes(b"glTF")
    return process.edit(folder)


def test_a_plugin_edits_turn_after_turn(start: Callable[[str], MethodProcess], tmp_path: Path) -> None:
    """One object for all turns, its options, outputs and usage; what it prints anywhere is log and no answer."""
    with start("echo") as process:
        for turn in (1, 2, 3):
            folder = tmp_path / "home" / str(turn)
            ending = ask(process, folder, "make it red")
            assert ending.kind == "done"
            assert (folder / "output.glb").read_bytes() == f"loud {turn} make it red glTF".encode()
            assert all(line in ending.log for line in ("from Python\nfrom below\n", "from a child\n"))
            assert (folder / "usage.json").exists() == (turn == 2)
    assert read_record(MethodUsage, tmp_path / "home" / "2" / "usage.json") == MethodUsage(calls=2)


@pytest.mark.parametrize(
    ("instruction", "option", "detail", "said"),
    [
        ("fail", "tone", "exit code 1", "ValueError: cannot do that"),
        ("text", "tone", "exit code 1", "TypeError: a bytes-like object is required, not 'str'"),
        ("leave", "tone", "exit code 0, without an answer", "from a child"),
        ("make it red", "wrong", "exit code 1", "InputError: echo: unknown option 'wrong'"),
    ],
)
def test_what_a_plugin_raises_is_a_crash(
    start: Callable[[str], MethodProcess], tmp_path: Path, instruction: str, option: str, detail: str, said: str
) -> None:
    """With the traceback in the log, and no output."""
    folder = tmp_path / "home" / "1"
    with start("echo") as process:
        ending = ask(process, folder, instruction, option)
    assert (ending.kind, ending.detail) == ("crashed", detail)
    assert ending.log.rstrip().endswith(said)
    assert not (folder / "output.glb").exists()


def test_a_plugin_that_is_not_installed_is_named(start: Callable[[str], MethodProcess], tmp_path: Path) -> None:
    """With the nearest one."""
    with start("ecco") as process:
        ending = ask(process, tmp_path / "home" / "1", "make it red")
    assert ending.kind == "crashed"
    assert "no method 'ecco'; installed are" in ending.log
    assert "did you mean 'echo'?" in ending.log
