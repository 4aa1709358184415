"""Awkward glTF files from public repositories: each loads with the facts written beside it, or is refused by name."""

from __future__ import annotations

import json
import os
import re
from pathlib import Path
from typing import Any

import pytest

from tests.cases_adapter import ROOT, Run, near, run_engine

FOLDER = Path(os.environ.get("DATA_DIR", ROOT.parent / "shared" / "data")) / "raw_glb"  # noqa: TID251  # documented
MANIFEST = FOLDER / "MANIFEST.json"
FACTS: dict[str, Any] = json.loads(MANIFEST.read_text("utf-8")) if MANIFEST.is_file() else {}
TRIMESH, BLENDER = "trimesh_5.2", "bpy_5.0.1"
NUMBER = r"(\d+(?:\.\d+)?(?:e-?\d+)?)"


def test_every_file_is_listed(data_dir: Path) -> None:
    """The facts speak of all files that can be opened and of no other."""
    found = {path.relative_to(data_dir / "raw_glb").as_posix() for path in (data_dir / "raw_glb").rglob("*.gl[bt]*")}
    assert found
    assert found == set(FACTS)


@pytest.mark.parametrize("name", sorted(FACTS))
def test_raw_file(name: str, tmp_path: Path) -> None:
    """Triangles, extents, parts and features are those that other readers found; what is not shown is said."""
    run = run_engine("inspect", FOLDER / name, "--json", cwd=tmp_path)
    facts = FACTS[name]
    if run.code:
        _judge_refusal(run, name, facts)
        return
    assert "Traceback" not in run.err
    assert len(run.err.splitlines()) == len(run.report["warnings"])
    _judge_geometry(run, facts)
    _judge_features(run.report, facts["measured"])


def _judge_refusal(run: Run, name: str, facts: Any) -> None:
    assert (run.code, run.out, run.left) == (2, "", ())
    (line,) = run.err.splitlines()
    assert Path(name).name in line
    assert any(extension in line for extension in facts["measured"]["ext"])


def _judge_geometry(run: Run, facts: Any) -> None:
    measured, report = facts["measured"], run.report
    (triangles,) = re.findall(r"faces (\d+)", facts[TRIMESH])
    (objects, in_blender), *_ = re.findall(r"OBJ (\d+) tris (\d+)", facts[BLENDER])
    true_extents = re.findall(rf"true {NUMBER} x {NUMBER} x {NUMBER}", facts.get("warning", ""))
    if "warning" in facts and not true_extents:
        # The other reader left something out: here it is shown, or a warning names what hides it.
        is_named = any(extension in run.err for extension in measured["ext"])
        assert report["triangles"] == int(in_blender) or is_named
        return
    assert report["triangles"] == int(triangles)
    if "skins" not in measured:  # the other reader counts the shapes of bones
        assert report["n_parts"] == int(objects)
    if "morph" in measured:  # the other readers leave out the weights that a file gives its shapes
        return
    extents = true_extents[0] if true_extents else re.findall(r"extent \[(.*)\]", facts[TRIMESH])[0].split(",")
    expected = [float(number) for number in extents]
    near(report["extents"], expected, max(expected) * (5e-3 if true_extents else 5e-4))


def _judge_features(report: Any, measured: Any) -> None:
    materials = [material for part in report["parts"] for material in part["materials"]]
    sets = sum(name.startswith("TEXCOORD_") for name in measured["attrs"])
    assert max(part["uv_sets"] for part in report["parts"]) == sets
    assert any(part["vertex_colors"] for part in report["parts"]) is ("COLOR_0" in measured["attrs"])
    assert {material["alpha_mode"] for material in materials} >= set(measured.get("alpha", []))
    assert any(material["double_sided"] for material in materials) is bool(measured.get("dbl"))
