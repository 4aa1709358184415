"""Cases in the neutral format: found by folder, run through the `engine` command, judged against what they expect.

Nothing here looks at a case's id. A case is told by its keys `action`, `outcome`, `checks` and `error`; expected values
are read after the command has answered.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import pytest

ENGINE = Path(sys.executable).parent / "engine"
ROOT = Path(__file__).resolve().parent.parent
SECONDS = 60.0
"""How long a refusal may take when the case does not say."""
LIMIT_SECONDS = 300.0

Json = dict[str, Any]
Check = Callable[[Any, Any, Json], None]
"""check(answer, expected value, all checks of the case): raises AssertionError."""


def cases_folder() -> Path:
    """Folder of cases: CASES_DIR, else beside the checkout."""
    return Path(os.environ.get("CASES_DIR", ROOT.parent / "shared" / "cases"))  # noqa: TID251  # documented variable


@dataclass(frozen=True, slots=True)
class Case:
    """One folder of a case."""

    folder: Path

    @property
    def inputs(self) -> Json:
        """What the command is given: everything but the answer."""
        document = self._read()
        keys = ("action", "entry", "inputs", "invocations")
        return {key: document[key] for key in keys if key in document}

    @property
    def expected(self) -> Json:
        """The answer: outcome, checks, error."""
        document = self._read()
        return {key: document[key] for key in ("outcome", "checks", "error") if key in document}

    @property
    def entry(self) -> Path:
        """The file to open: named by `entry`, else the first glTF file among the inputs."""
        inputs = self.inputs
        names = [name for name in inputs["inputs"] if name.endswith((".glb", ".gltf"))]
        return self.folder / str(inputs.get("entry", names[0] if names else ""))

    def _read(self) -> Json:
        document: Json = json.loads((self.folder / "expected.json").read_text("utf-8"))
        return document


def find_cases(*actions: str) -> list[Any]:
    """The cases of these actions in the folder of cases, as test parameters."""
    found = [Case(path.parent) for path in sorted(cases_folder().glob("*/expected.json"))]
    return [pytest.param(case, id=case.folder.name) for case in found if case.inputs.get("action") in actions]


@dataclass(frozen=True)
class Run:
    """How one command ended."""

    code: int
    out: str
    err: str
    seconds: float
    peak_bytes: int
    left: tuple[str, ...]
    """Names of files the command left in its working folder."""

    @cached_property
    def report(self) -> Any:
        """What it printed, as JSON without NaN."""
        return json.loads(self.out, parse_constant=_refuse_constant)


def run_engine(*arguments: object, cwd: Path, env: Mapping[str, str] | None = None) -> Run:
    """Run the installed `engine` as a user does, in the folder `cwd`."""
    before = _files(cwd)
    started = time.monotonic()
    with (cwd / ".out").open("w+b") as out, (cwd / ".err").open("w+b") as err:
        process = subprocess.Popen(
            [ENGINE, *map(str, arguments)], stdout=out, stderr=err, stdin=subprocess.DEVNULL, cwd=cwd, env=env
        )
        timer = threading.Timer(LIMIT_SECONDS, process.kill)
        timer.start()
        _, status, usage = os.wait4(process.pid, 0)
        timer.cancel()
        seconds = time.monotonic() - started
        process.returncode = os.waitstatus_to_exitcode(status)
        texts = [(file.seek(0), file.read().decode("utf-8"))[1] for file in (out, err)]
    for name in (".out", ".err"):
        (cwd / name).unlink()
    left = tuple(sorted(_files(cwd) - before))
    return Run(process.returncode, texts[0], texts[1], seconds, usage.ru_maxrss * 1024, left)


def judge(case: Case, run: Run, answer: Any, checks: Mapping[str, Check]) -> None:
    """Compare how a command ended with what the case expects: the right value or a clear refusal, nothing else.

    `answer` is handed to the checks when the command succeeded. A check that is not in `checks` fails the test.
    """
    expected = case.expected
    outcome = expected["outcome"]
    if run.code:
        assert outcome in {"error", "ok_or_error"}, f"refused: {run.err}"
        judge_refusal(expected["error"], run)
        return
    assert outcome in {"ok", "ok_or_error"}, f"accepted: {run.out[:400]}"
    assert "Traceback" not in run.err
    judge_values(expected["checks"], answer, checks)


def judge_values(expected: Json, answer: Any, checks: Mapping[str, Check]) -> None:
    """Compare every expected value. Fails for keys nobody knows."""
    unknown = sorted(set(expected) - set(checks) - MODIFIERS)
    assert not unknown, f"the adapter does not know the checks {unknown}"
    for key, value in expected.items():
        if key in checks:
            checks[key](answer, value, expected)


def judge_refusal(expected: Json, run: Run) -> None:
    """A refusal has its exit code, names what it must name, is one message and leaves no result behind."""
    known = {
        "exit", "no_traceback_shown", "no_final_output_written", "message_names", "message_has_one_of", "also_names",
        "max_seconds",
    }  # fmt: skip
    assert set(expected) <= known, f"the adapter does not know {sorted(set(expected) - known)}"
    assert run.code in {1, 2, 3, 4}, run.code
    assert "Traceback" not in run.err + run.out
    message = run.err.lower()
    for name in (*expected.get("message_names", []), *expected.get("also_names", [])):
        assert name.lower() in message, f"{name!r} is not named in: {run.err}"
    words = expected.get("message_has_one_of", [])
    assert not words or any(word.lower() in message for word in words), f"none of {words} in: {run.err}"
    assert any(line.startswith("engine: ") for line in run.err.splitlines()), run.err
    assert run.left == (), f"left behind: {run.left}"
    assert run.seconds <= expected.get("max_seconds", SECONDS)


MODIFIERS = {"tolerance", "volume_rel_tol", "alpha_tolerance", "colour_tolerance", "note", "max_memory_gib"}
"""Keys among the checks that say how to compare, not what."""


def near(actual: Any, expected: Any, absolute: float) -> None:
    """Assert that numbers, nested in lists alike, differ by at most `absolute`; null equals only null."""
    if expected is None or actual is None:
        assert actual == expected
    elif isinstance(expected, Sequence):
        assert len(actual) == len(expected), f"{actual} is not {expected}"
        for one, other in zip(actual, expected, strict=True):
            near(one, other, absolute)
    else:
        assert abs(actual - expected) <= absolute, f"{actual} is not {expected} within {absolute}"


def _files(folder: Path) -> set[str]:
    return {str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file()} - {".out", ".err"}


def _refuse_constant(name: str) -> Any:
    raise AssertionError(f"{name} in a report")
