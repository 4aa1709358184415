"""The object suite from folders: one case a target, failures counted, presets named."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
import trimesh
from click.testing import CliRunner
from suite_shapes import Soup, ball, block, three_bars

from engine.cli import engine
from evaluator.outputs import read_output
from evaluator.suites.chamfer import ChamferRules
from evaluator.suites.compat import COMPAT
from evaluator.suites.object_files import ObjectReport, score_object_files
from evaluator.suites.objects import ObjectRules, measure_object
from schemas.codec import encode, read_record
from schemas.errors import GltfError, InputError
from schemas.score import Undefined

QUICK = ObjectRules(chamfer=ChamferRules(points=512))


def _write(path: Path, soup: Soup) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(trimesh.Trimesh(*soup, process=False).export(file_type="glb"))


@pytest.fixture
def folders(tmp_path: Path) -> tuple[Path, Path]:
    """Four targets; outputs: one turned, one cut off, one missing, one of another shape, and one nobody asked for."""
    targets, outputs = tmp_path / "targets", tmp_path / "outputs"
    vertices, faces = three_bars()
    _write(targets / "bars.glb", (vertices, faces))
    _write(outputs / "bars.glb", (np.stack([vertices[:, 0], -vertices[:, 2], vertices[:, 1]], axis=1), faces))
    _write(targets / "set" / "ball.glb", ball(2))
    _write(outputs / "set" / "ball.glb", block((0, 0, 0), (1, 1, 1)))
    for name in ("cut.glb", "gone.glb"):
        _write(targets / name, ball(1))
    _write(outputs / "cut.glb", ball(1))
    (outputs / "cut.glb").write_bytes((outputs / "cut.glb").read_bytes()[:-20])
    _write(outputs / "more.glb", ball(1))
    return targets, outputs


def test_every_target_is_a_case(folders: tuple[Path, Path]) -> None:
    """Each case has the scores of its two files; missing and broken ones say so and count the penalty."""
    targets, outputs = folders
    report = score_object_files(targets, outputs, QUICK)
    cases = {case.name: case for case in report.cases}
    assert list(cases) == ["bars.glb", "cut.glb", "gone.glb", "set/ball.glb"]
    for name in ("bars.glb", "set/ball.glb"):
        target, output = read_output(targets / name), read_output(outputs / name)
        wanted = measure_object((target.vertices, target.faces), (output.vertices, output.faces), QUICK)
        assert not isinstance(wanted.chamfer, Undefined)
        assert (cases[name].best, cases[name].identity) == (wanted.chamfer.best, wanted.chamfer.identity)
        assert cases[name].output_sha256 == output.sha256
    turned = cases["bars.glb"]
    assert isinstance(turned.best, float)
    assert isinstance(turned.identity, float)
    assert turned.best < 0.2 * turned.identity
    assert turned.rotation == "+x-z+y"
    assert turned.betti == turned.target_betti
    assert cases["gone.glb"].best == Undefined(reason="missing")
    assert cases["gone.glb"].target_betti == (1, 0, 1)
    broken = cases["cut.glb"].best
    assert isinstance(broken, Undefined)
    assert "cut.glb" in broken.reason
    assert (report.attempted, report.defined, report.penalty) == (4, 2, 1.0)
    numbers = [case.best for case in report.cases if not isinstance(case.best, Undefined)]
    assert report.distance == pytest.approx((sum(map(float, numbers)) + 2.0) / 4)
    assert report.without_target == ("more.glb",)


def test_scores_do_not_depend_on_workers(folders: tuple[Path, Path]) -> None:
    """One and two workers make the same bytes."""
    assert encode(score_object_files(*folders, QUICK)) == encode(score_object_files(*folders, QUICK, workers=2))


def test_the_command_writes_both_reports(folders: tuple[Path, Path], tmp_path: Path) -> None:
    """The record reads back, the table has a row a case, and a preset names each switch it turns."""
    targets, outputs = folders
    words = ["suite", "objects", str(targets), str(outputs), "--out", str(tmp_path / "own"), "--json"]
    done = CliRunner().invoke(engine, words)
    assert done.exit_code == 0, done.output
    assert json.loads(done.stdout)["attempted"] == 4
    report = read_record(ObjectReport, tmp_path / "own" / "objects.json")
    assert len(report.cases) == 4
    text = (tmp_path / "own" / "objects.md").read_text("utf-8")
    assert "`objects." not in text
    assert "| set/ball.glb |" in text
    assert "more.glb" in text
    words = [*words[:4], "--out", str(tmp_path / "theirs"), "--compat", "3dharness"]
    assert CliRunner().invoke(engine, words).exit_code == 0
    theirs = read_record(ObjectReport, tmp_path / "theirs" / "objects.json")
    assert theirs.rules == COMPAT["3dharness"].objects
    assert theirs.compat == "3dharness"
    assert theirs.penalty == 1.5 * max(float(case.best) for case in theirs.cases if isinstance(case.best, float))
    text = (tmp_path / "theirs" / "objects.md").read_text("utf-8")
    assert "3dharness: `objects.distance_penalty` is worst_of_run, ours fixed" in text


def test_folders_and_targets_must_be_there(folders: tuple[Path, Path], tmp_path: Path) -> None:
    """A missing folder, one without targets, and a target that does not load are the caller's mistakes."""
    targets, outputs = folders
    with pytest.raises(InputError, match="no such folder"):
        score_object_files(targets, tmp_path / "nowhere", QUICK)
    empty = tmp_path / "empty"
    empty.mkdir()
    with pytest.raises(InputError, match=r"no \.glb files"):
        score_object_files(empty, outputs, QUICK)
    (targets / "bad.glb").write_bytes(b"glTF")
    with pytest.raises(GltfError, match=r"bad\.glb"):
        score_object_files(targets, outputs, QUICK)
