"""The packages import one another only downwards, and heavy libraries stay where they belong."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
PACKAGES = ("schemas", "chains", "library_index", "engine", "evaluator", "review_tool")
HEAVY = ("numpy", "scipy", "trimesh", "numba", "igl", "PIL", "bpy", "torch")
LINT = "import sys; from importlinter.cli import lint_imports; sys.exit(lint_imports(no_cache=True, no_logo=True))"


def _lint(folder: Path) -> subprocess.CompletedProcess[str]:
    """Check the contracts of the packages that lie in a folder."""
    return subprocess.run([sys.executable, "-c", LINT], cwd=folder, capture_output=True, text=True, check=False)


def test_contracts_are_kept() -> None:
    """All import contracts of the project hold."""
    done = _lint(ROOT)
    assert done.returncode == 0, done.stdout


@pytest.mark.parametrize(
    ("module", "line", "contract"),
    [
        ("chains/files.py", "import engine.cli", "layers"),
        ("review_tool/__init__.py", "import evaluator", "layers"),
        ("schemas/base.py", "import numpy", "the record needs no numerics"),
        ("engine/cli.py", "import bpy", "bpy stays in worker processes"),
        ("evaluator/rollout/contract.py", "import evaluator.metrics", "methods never see scores"),
        ("evaluator/metrics/voxel.py", "import evaluator.rollout", "scores see folders, never methods"),
    ],
)
def test_violations_are_seen(tmp_path: Path, module: str, line: str, contract: str) -> None:
    """A copy of the packages with one wrong import breaks exactly that contract."""
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    for package in PACKAGES:
        shutil.copytree(ROOT / package, tmp_path / package, ignore=shutil.ignore_patterns("__pycache__"))
    with (tmp_path / module).open("a", encoding="utf-8") as file:
        file.write(f"\n{line}\n")
    done = _lint(tmp_path)
    assert done.returncode == 1
    assert [row.split(" BROKEN")[0] for row in done.stdout.splitlines() if " BROKEN" in row] == [contract]


def test_help_loads_no_numerics() -> None:
    """`engine --help`, which looks at every command, loads no numeric library."""
    program = (
        "import sys\nfrom click.testing import CliRunner\nfrom engine.cli import engine\n"
        "assert CliRunner().invoke(engine, ['--help']).exit_code == 0\n"
        f"print(sorted(set(sys.modules) & set({HEAVY!r})))"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True, cwd=ROOT)
    assert done.stdout.strip() == "[]"
