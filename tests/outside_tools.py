"""What tests need beyond Python packages: absent, the test skips with the reason, or fails under `REQUIRE_ALL=1`."""

from __future__ import annotations

import functools
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

TOOLS = Path(__file__).resolve().parent.parent / "tools"


def skip_or_fail(reason: str) -> None:
    """Skip, or fail where nothing may skip."""
    if os.environ.get("REQUIRE_ALL") == "1":  # noqa: TID251  # documented variable of the tests
        pytest.fail(reason)
    pytest.skip(reason)


def validate_states(states: Path, sources: Path) -> dict[str, Any]:
    """Report of the Khronos validator on a folder of states, against the errors of their sources."""
    node = shutil.which("node")
    if node is None:
        skip_or_fail("node is not installed")
    if not (TOOLS / "node_modules" / "gltf-validator").is_dir():
        skip_or_fail("the validator is not installed (npm ci --prefix tools)")
    command = [str(node), str(TOOLS / "validate_states.mjs"), str(states), "--sources", str(sources)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=300)
    assert done.returncode in {0, 1}, done.stderr
    report: dict[str, Any] = json.loads(done.stdout)
    assert done.returncode == (1 if report["new_errors"] else 0)
    return report


def need_blender() -> None:
    """Go on only where bpy can be imported."""
    problem = _blender_problem()
    if problem is not None:
        skip_or_fail(problem)


@functools.cache
def _blender_problem() -> str | None:
    """Why bpy cannot be imported, asked of a process of its own; None when it can."""
    done = subprocess.run(
        [sys.executable, "-c", "import bpy"], capture_output=True, text=True, check=False, timeout=300
    )
    said = (done.stderr.strip() or f"exit code {done.returncode}").splitlines()[-1]
    return None if done.returncode == 0 else f"bpy cannot be imported: {said}"
