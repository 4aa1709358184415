"""The scene suite from folders: counts worked out by hand, failures counted, real states against themselves."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner
from PIL import Image
from scene_folders import SIZE, Slab, write_depth, write_scene

from chains.files import READOUT_FILE, list_chains
from engine.cli import engine
from evaluator.suites.compat import COMPAT
from evaluator.suites.scene_files import SceneChoice, score_scene_files
from evaluator.suites.scene_records import SceneReport
from schemas.codec import encode, read_record
from schemas.errors import InputError, MissingExtraError
from schemas.readout import Readout
from schemas.score import Undefined
from tests.box_chains import build_on_table, index_boxes
from tests.outside_tools import need_blender

GLB = SceneChoice(validity="glb")
SLOTS = ("lid", "leg", "knob")
"""The knob is inside: no view shows it."""
STANDING = (Slab("lid", 0, 10), Slab("leg", 10, 15, grey=120))
MOVED = (Slab("lid", 0, 10), Slab("leg", 10, 13, grey=120), Slab("leg", 13, 15, depth=4.0, grey=160))
"""Two of five columns of the leg stand a unit farther away and look another grey."""


@pytest.fixture
def folders(tmp_path: Path) -> tuple[Path, Path]:
    """Two true scenes, one delivered as it is and one with a part moved."""
    truths, outputs = tmp_path / "truths", tmp_path / "outputs"
    for name in ("moved", "set/same"):
        write_scene(truths / name, STANDING, SLOTS)
    write_scene(outputs / "moved", MOVED, SLOTS)
    write_scene(outputs / "set" / "same", STANDING, SLOTS)
    return truths, outputs


def _score(folders: tuple[Path, Path]) -> SceneReport:
    return score_scene_files(*folders, choice=GLB)


def test_a_moved_part_costs_what_its_pixels_say(folders: tuple[Path, Path]) -> None:
    """The same scene is exactly 1; two of five columns away are F 0.6 for the leg and a tenth of the pixels."""
    report = _score(folders)
    moved, same = report.cases
    assert (same.name, same.reconstruction, same.appearance, same.overall) == ("set/same", 1.0, 1.0, 1.0)
    assert (moved.reconstruction, moved.appearance) == (0.8, 0.9)
    assert moved.overall == pytest.approx(0.85)
    lid, leg = moved.views[0].objects
    assert (lid.slot, lid.f_score, leg.slot) == ("lid", 1.0, "leg")
    assert leg.f_score == pytest.approx(0.6)
    assert (leg.own_matched, leg.own, leg.target_matched, leg.target) == (60, 100, 60, 100)
    assert (moved.views[1].hits, moved.views[1].pixels, moved.views[1].unseen) == (360, 400, ("knob",))
    assert (report.attempted, report.valid, report.reconstruction_cases) == (2, 2, 2)
    assert report.overall == pytest.approx((0.85 + 1.0) / 2)
    assert moved.truth_sha256 == same.truth_sha256
    assert moved.output_sha256 != same.output_sha256


def test_a_preset_counts_what_nobody_can_see(folders: tuple[Path, Path]) -> None:
    """Under the peer's rules the unseen knob is a third object with 0, in the truth against itself too."""
    report = score_scene_files(*folders, COMPAT["lego"], "lego", choice=GLB)
    moved, same = report.cases
    assert same.reconstruction == pytest.approx(2 / 3)
    assert moved.reconstruction == pytest.approx(1.6 / 3)
    assert report.rules == COMPAT["lego"].scenes


def test_every_attempted_case_stays_in_the_denominator(folders: tuple[Path, Path]) -> None:
    """What is missing, cut off, of another size or of one colour is named in its case and costs what it must."""
    truths, outputs = folders
    broken = ("a_gone", "b_no_glb", "c_no_readout", "d_no_depth", "e_small", "f_blank", "g_cut")
    for name in broken:
        write_scene(truths / name, STANDING, SLOTS)
        if name != "a_gone":
            write_scene(outputs / name, STANDING, SLOTS, size=16 if name == "e_small" else SIZE)
    write_scene(outputs / "z_more", STANDING, SLOTS)
    (outputs / "b_no_glb" / "scene.glb").unlink()
    (outputs / "c_no_readout" / READOUT_FILE).unlink()
    (outputs / "d_no_depth" / "depth_1.exr").unlink()
    Image.new("RGB", (SIZE, SIZE)).save(outputs / "f_blank" / "metric_1.png")
    for name in ("depth_0.exr", "depth_1.exr", "metric_0.png"):
        (outputs / "g_cut" / name).write_bytes((outputs / "g_cut" / name).read_bytes()[:-60])
    report = _score(folders)
    cases = {case.name: case for case in report.cases}
    assert [cases[name].overall for name in broken] == [0.0, 0.0, 0.5, 0.75, 0.0, 0.0, 0.0]
    assert report.overall == pytest.approx((0.85 + 1.0 + 0.5 + 0.75) / 9)
    assert (report.attempted, report.valid, report.without_truth) == (9, 5, ("z_more",))
    assert (report.reconstruction_cases, report.appearance_cases) == (3, 4)
    assert report.reconstruction == pytest.approx((0.8 + 1.0 + 0.5) / 5)
    assert isinstance(report.appearance, float)
    assert report.overall == pytest.approx(5 / 9 * ((0.8 + 1.0 + 0.5) / 5 + report.appearance) / 2)
    assert cases["a_gone"].problems == ("missing",)
    assert cases["a_gone"].reconstruction == cases["a_gone"].appearance == Undefined(reason="missing")
    assert cases["a_gone"].output_sha256 is None
    assert cases["b_no_glb"].problems[0].startswith("GLB does not load: scene.glb")
    assert cases["c_no_readout"].reconstruction == Undefined(reason="readout.json: no such file")
    assert cases["d_no_depth"].reconstruction == 0.5
    assert cases["d_no_depth"].views[1].reconstruction == Undefined(reason="depth_1.exr: no such file")
    assert cases["e_small"].reconstruction == Undefined(reason="depth: 16 x 16 pixels, the truth has 20 x 20")
    assert cases["f_blank"].problems == ("view 1: render shows one colour only",)
    assert cases["g_cut"].problems[0].startswith("render does not decode: metric_0.png")
    assert "depth_0.exr: not a readable EXR" in str(cases["g_cut"].reconstruction)


def test_no_reason_names_a_place_and_workers_change_no_byte(folders: tuple[Path, Path], tmp_path: Path) -> None:
    """Two workers, and the same folders elsewhere, give the same bytes; a record cannot name files elsewhere."""
    truths, outputs = folders
    for name in ("cut", "away"):
        write_scene(truths / name, STANDING, SLOTS)
        write_scene(outputs / name, STANDING, SLOTS)
    (outputs / "cut" / "scene.glb").write_bytes(b"glTF")
    record = read_record(Readout, outputs / "away" / READOUT_FILE)
    away = tuple(view.model_copy(update={"depth_exr": "../moved/depth_0.exr"}) for view in record.views)
    (outputs / "away" / READOUT_FILE).write_bytes(encode(record.model_copy(update={"views": away})))
    expected = encode(_score(folders))
    assert encode(score_scene_files(*folders, workers=2, choice=GLB)) == expected
    shutil.copytree(tmp_path / "outputs", tmp_path / "elsewhere" / "outputs")
    assert encode(_score((truths, tmp_path / "elsewhere" / "outputs"))) == expected
    assert str(tmp_path).encode() not in expected
    assert b"'../moved/depth_0.exr' is not the name of a file beside its record" in expected


def test_scene_files_need_blender_unless_left_out(folders: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch) -> None:
    """Without the extra the run is refused at once; without scene files the report says they were not asked for."""
    monkeypatch.setattr("evaluator.suites.artefacts.importlib.util.find_spec", lambda _name: None)
    with pytest.raises(MissingExtraError, match="extra 'blender'"):
        score_scene_files(*folders)
    assert _score(folders).validity_asked == "glb"


def test_an_absent_scene_file_is_invalid(folders: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch) -> None:
    """Where scene files are asked for, a case without one counts 0, whatever its pictures score."""
    monkeypatch.setattr("evaluator.suites.artefacts.importlib.util.find_spec", lambda _name: object())
    report = score_scene_files(*folders)
    assert (report.valid, report.overall) == (0, 0.0)
    assert report.cases[1].problems == (
        "scene file does not load: scene.blend: no such file",
        "scene file has no active camera",
    )
    assert report.cases[1].reconstruction == 1.0
    assert isinstance(report.reconstruction, Undefined)


@pytest.mark.bpy
def test_a_whole_delivery_is_valid(folders: tuple[Path, Path]) -> None:
    """With a scene file that Blender loads, the same scene is exactly 1 and the other case stays invalid."""
    need_blender()
    program = (
        "import bpy, sys; bpy.ops.wm.read_factory_settings(use_empty=True); bpy.ops.mesh.primitive_cube_add();"
        "bpy.ops.object.camera_add(); bpy.context.scene.camera = bpy.context.object;"
        "bpy.ops.wm.save_as_mainfile(filepath=sys.argv[1])"
    )
    blend = folders[1] / "set" / "same" / "scene.blend"
    subprocess.run([sys.executable, "-c", program, str(blend)], check=True, capture_output=True, timeout=300)
    report = score_scene_files(*folders)
    assert [case.overall for case in report.cases] == [0.0, 1.0]
    assert (report.overall, report.valid, report.cases[1].problems) == (0.5, 1, ())


def test_truths_must_be_whole(folders: tuple[Path, Path], tmp_path: Path) -> None:
    """A truth without picture, with a cut depth, or that shows nothing is the caller's mistake, not the method's."""
    truths, outputs = folders
    with pytest.raises(InputError, match="no such folder"):
        score_scene_files(truths, tmp_path / "nowhere")
    (tmp_path / "empty").mkdir()
    with pytest.raises(InputError, match=r"no readout\.json below"):
        score_scene_files(tmp_path / "empty", outputs)
    (truths / "moved" / "metric_1.png").unlink()
    with pytest.raises(InputError, match=r"moved: a true scene cannot be read: metric_1\.png: no such file"):
        _score(folders)
    write_scene(truths / "moved", STANDING, SLOTS)
    write_depth(truths / "moved" / "depth_0.exr", np.full((SIZE, SIZE), 3.0), channel="Y")
    with pytest.raises(InputError, match=r"depth_0\.exr: has no channel Z, only Y"):
        _score(folders)
    write_scene(truths / "moved", (), SLOTS)
    with pytest.raises(InputError, match="no view of this true scene shows a slot"):
        _score(folders)
    write_scene(truths / "moved", STANDING, SLOTS)
    write_depth(truths / "moved" / "depth_1.exr", np.full((SIZE, SIZE + 1), 3.0))
    with pytest.raises(InputError, match="view 1: depth, ids and picture have sizes"):
        _score(folders)


def test_the_command_writes_both_reports(folders: tuple[Path, Path], tmp_path: Path) -> None:
    """The record reads back, the table has a row a case and the reasons, a preset names each switch it turns."""
    (folders[1] / "moved" / "depth_1.exr").unlink()
    words = ["suite", "scenes", *map(str, folders), "--validity", "glb", "--out"]
    done = CliRunner().invoke(engine, [*words, str(tmp_path / "own"), "--json"])
    assert done.exit_code == 0, done.output
    assert json.loads(done.stdout)["attempted"] == 2
    assert read_record(SceneReport, tmp_path / "own" / "scenes.json") == _score(folders)
    text = (tmp_path / "own" / "scenes.md").read_text("utf-8")
    assert "| set/same | 1.0000 | 1.0000 | 1.0000 | yes | 2 of 2 | 2 of 3 |" in text
    assert "| moved | 0.6500 | 0.4000 | 0.9000 | yes | 1 of 2 | 2 of 3 |" in text
    assert "- moved: view 1: depth_1.exr: no such file" in text
    assert "scene files were not asked for" in text
    assert "`scenes." not in text
    assert CliRunner().invoke(engine, [*words, str(tmp_path / "lego"), "--compat", "lego"]).exit_code == 0
    text = (tmp_path / "lego" / "scenes.md").read_text("utf-8")
    assert "lego: `scenes.unseen_objects` is zero, ours skipped" in text


@pytest.fixture(scope="module")
def states(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """The host of a chain as two truths; delivered for them: the host itself and the state after a removal."""
    folder = tmp_path_factory.mktemp("states")
    index = index_boxes(folder)
    chain = list_chains(build_on_table(index, folder / "chains", ("R",)))[0]
    words = ["render", chain, "--library", index, "--turns", "0,1", "--views", "0,2", "--res", 48, "--readouts"]
    engine.main([*map(str, words), "--out", str(folder / "pictures")], standalone_mode=False)
    drawn = sorted(path.parent for path in (folder / "pictures").rglob(READOUT_FILE))
    truths, outputs = folder / "truths", folder / "outputs"
    for turn, name in enumerate(("host", "later")):
        shutil.copytree(drawn[0], truths / name)
        shutil.copytree(drawn[turn], outputs / name)
        words = ["replay", chain, "--library", index, "--turn", turn, "--out", outputs / name / "scene.glb"]
        engine.main([*map(str, words)], standalone_mode=False)
    return truths, outputs


def test_states_of_a_chain_are_cases(states: tuple[Path, Path]) -> None:
    """What `engine render --readouts` leaves is a truth that scores exactly 1 against itself, less against others."""
    same, moved = _score(states).cases
    assert (same.reconstruction, same.appearance, same.overall, same.problems) == (1.0, 1.0, 1.0, ())
    assert moved.problems == ()
    assert isinstance(moved.reconstruction, float)
    assert moved.reconstruction < 1.0
    assert 0.0 < moved.overall < 1.0


def test_drawing_a_file_scores_as_its_readout_does(states: tuple[Path, Path], tmp_path: Path) -> None:
    """From the GLB alone come the figures of the readout; a missing or cut file is the method's failure."""
    truths, outputs = tmp_path / "truths", tmp_path / "outputs"
    for name in ("cut", "gone", "host", "later"):
        shutil.copytree(states[0] / "host", truths / name)
        if name != "gone":
            (outputs / name).mkdir(parents=True)
            shutil.copy(states[1] / ("later" if name == "later" else "host") / "scene.glb", outputs / name)
    (outputs / "cut" / "scene.glb").write_bytes((outputs / "cut" / "scene.glb").read_bytes()[:-20])
    shutil.copytree(outputs / "host", outputs / "more")
    drawing = SceneChoice(draw=True, validity="glb")
    report = score_scene_files(truths, outputs, choice=drawing)
    cut, gone, *whole = report.cases
    assert [(case.reconstruction, case.appearance, case.overall) for case in whole] == [
        (case.reconstruction, case.appearance, case.overall) for case in _score(states).cases
    ]
    assert (report.drawn, report.attempted, report.valid, report.without_truth) == (True, 4, 2, ("more",))
    assert (cut.overall, gone.overall, gone.problems) == (0.0, 0.0, ("missing",))
    assert gone.appearance == Undefined(reason="missing")
    assert cut.problems[0].startswith("GLB does not load: scene.glb")
    assert "scene.glb" in str(cut.reconstruction)
    assert str(tmp_path) not in encode(report).decode()
    record = read_record(Readout, truths / "cut" / READOUT_FILE)
    camera = record.views[0].camera.model_copy(update={"cx": 20.0})
    aside = (record.views[0].model_copy(update={"camera": camera}), *record.views[1:])
    (truths / "cut" / READOUT_FILE).write_bytes(encode(record.model_copy(update={"views": aside})))
    with pytest.raises(InputError, match="cannot be drawn, needs one length and the middle at 24"):
        score_scene_files(truths, outputs, choice=drawing)
