"""Renders under awkward conditions: damaged folders, strange rigs, options out of bounds, two chains of one name."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click import BadParameter

from chains.files import PICTURES_FILE, READOUT_FILE, list_chains
from chains.storage import writer_lock
from engine.cli import engine
from engine.pictures import runs as rendering
from engine.pictures.runs import RenderOrder, plan_runs, render_runs
from engine.pictures.states import PictureChoice
from schemas.errors import InputError, LockedError, MissingExtraError, OutputError, SchemaError
from schemas.pictures import MetricSettings
from tests.box_chains import build_on_table, index_boxes

CHOICE = PictureChoice(frozenset({"metric"}), (0, 2), 24, readout=True, metric=MetricSettings(supersample=2))
BARE = PictureChoice(frozenset({"metric"}), (0,), 32, metric=MetricSettings(supersample=2))


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The index of four hosts made of boxes."""
    return index_boxes(tmp_path_factory.mktemp("awkward"))


@pytest.fixture(scope="module")
def chain(index: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A chain of adds and removals on the table."""
    (path,) = list_chains(build_on_table(index, tmp_path_factory.mktemp("chains"), ("R",)))
    return path


@pytest.fixture(scope="module")
def drawn(chain: Path, index: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two states with all that can be drawn of them without Blender."""
    out = tmp_path_factory.mktemp("drawn")
    assert draw(chain, index, out).drawn == 2
    return out


@pytest.fixture
def out(drawn: Path, tmp_path: Path) -> Path:
    """A copy of the drawn folder to damage."""
    shutil.copytree(drawn, tmp_path / "out")
    return tmp_path / "out"


def draw(chain: Path, index: Path, out: Path, choice: PictureChoice = CHOICE) -> rendering.DrawnRun:
    """Draw the first two states of a chain."""
    (run,) = render_runs(plan_runs([chain], (0, 1)), RenderOrder(index, out, choice))
    return run


def files(folder: Path) -> dict[str, bytes]:
    """Every file that people see."""
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file() and not path.name.startswith(".")
    }


def turn_one(out: Path) -> Path:
    """The folder of the state after turn 1."""
    (folder,) = out.glob("R/*/turn_001")
    return folder


def rewrite(path: Path, change: Callable[[dict[str, Any]], None]) -> None:
    """Change a JSON file by hand."""
    document = json.loads(path.read_bytes())
    change(document)
    path.write_text(json.dumps(document))


@pytest.mark.parametrize("name", ["ids_2.png", "alpha_0.png", "depth_0.exr", "normals_2.exr", READOUT_FILE])
def test_a_readout_that_lost_a_file_is_read_out_again(
    chain: Path, index: Path, drawn: Path, out: Path, name: str
) -> None:
    """A state with half a readout does not count as drawn, and comes back byte for byte."""
    (turn_one(out) / name).unlink()
    run = draw(chain, index, out)
    assert (run.drawn, run.kept, run.failures) == (1, 1, ())
    assert files(out) == files(drawn)


def test_pictures_with_other_pixels_are_drawn_again(chain: Path, index: Path, drawn: Path, out: Path) -> None:
    """A picture that is cut short, empty, or that of another view is not the one whose hash is recorded."""
    path = turn_one(out) / "metric_0.png"
    for data in (path.read_bytes()[:60], b"", (turn_one(out) / "metric_2.png").read_bytes()):
        path.write_bytes(data)
        assert draw(chain, index, out).drawn == 1
        assert files(out) == files(drawn)


def test_a_readout_of_another_size_is_read_out_again(chain: Path, index: Path, drawn: Path, out: Path) -> None:
    """What `engine readout` writes into a folder of pictures does not pass for the readout that belongs there."""
    words = ["readout", str(chain), "--library", str(index), "--turn", "1", "--res", "16", "--views", "0,2"]
    engine.main([*words, "--out", str(turn_one(out))], standalone_mode=False)
    assert draw(chain, index, out).drawn == 1
    assert files(out) == files(drawn)


@pytest.mark.parametrize(
    "change",
    [
        lambda record: record.update(metric=None, regions=None, readout=None),
        lambda record: record["regions"]["images"].pop(),
        lambda record: record["metric"]["images"][0].update(file="metric_2.png"),
        lambda record: record["metric"]["images"][0].update(file="m" * 5000),
    ],
    ids=["nothing", "a region less", "one file twice", "an impossible name"],
)
def test_a_record_that_names_other_files_is_not_believed(
    chain: Path, index: Path, drawn: Path, out: Path, change: Callable[[dict[str, Any]], None]
) -> None:
    """Only a record that names just the pictures that were asked for says that they are there."""
    rewrite(turn_one(out) / PICTURES_FILE, change)
    assert draw(chain, index, out).drawn == 1
    assert files(out) == files(drawn)


def test_pictures_of_another_size_do_not_stay(chain: Path, index: Path, out: Path, tmp_path: Path) -> None:
    """Drawing fewer views at another size leaves what a fresh folder would hold, nothing of before."""
    draw(chain, index, out, BARE)
    draw(chain, index, tmp_path / "fresh", BARE)
    assert files(out) == files(tmp_path / "fresh")


def test_pictures_of_the_same_state_stay(chain: Path, index: Path, drawn: Path, out: Path) -> None:
    """Drawing less of a state at the same size deletes nothing that is still true."""
    draw(chain, index, out, PictureChoice(frozenset({"metric"}), (0,), 24, metric=MetricSettings(supersample=2)))
    assert files(out).keys() == files(drawn).keys()


@pytest.mark.parametrize("name", [PICTURES_FILE, READOUT_FILE, "ids_9.png", "metric_2.png"])
def test_a_folder_in_the_place_of_a_file_costs_its_state_alone(chain: Path, index: Path, out: Path, name: str) -> None:
    """What cannot be written is one state's failure with the path in it, whatever kind of error the system gives."""
    (turn_one(out) / name).unlink(missing_ok=True)
    (turn_one(out) / PICTURES_FILE).unlink(missing_ok=True)
    (turn_one(out) / name).mkdir()
    run = draw(chain, index, out)
    assert [(failure.turn, failure.exit_code) for failure in run.failures] == [(1, OutputError.exit_code)]
    assert f"cannot write {turn_one(out)}/{name}" in run.failures[0].message
    assert run.kept == 1


def test_a_file_in_the_place_of_a_states_folder_costs_it_alone(chain: Path, index: Path, out: Path) -> None:
    """The same for the folder itself."""
    folder = turn_one(out)
    shutil.rmtree(folder)
    folder.write_text("mine")
    run = draw(chain, index, out)
    assert [failure.turn for failure in run.failures] == [1]
    assert run.kept == 1
    assert folder.read_text() == "mine"


def test_a_foreign_scratch_folder_stays(chain: Path, index: Path, out: Path) -> None:
    """Only what a render made itself is cleared away, and a file in its place is an error."""
    (out / ".scratch").mkdir()
    (out / ".scratch" / "notes").write_text("mine")
    draw(chain, index, out)
    assert (out / ".scratch" / "notes").read_text() == "mine"
    assert not (out / rendering.SCRATCH).exists()
    (out / rendering.SCRATCH).write_text("mine")
    with pytest.raises(OutputError, match="cannot write into"):
        draw(chain, index, out)


def test_two_chains_of_one_name_are_refused(chain: Path, tmp_path: Path) -> None:
    """Their pictures would lie in the same folder."""
    copies = [tmp_path / name / "R" / chain.name for name in ("one", "two")]
    for copy in copies:
        copy.parent.mkdir(parents=True)
        shutil.copy(chain, copy)
    with pytest.raises(InputError, match=rf"two/R/{chain.name}: .* is also the chain of .*one/R/{chain.name}"):
        plan_runs(list_chains(tmp_path), None)


@pytest.mark.parametrize("below", [".", "R"])
def test_chains_are_not_framed_while_they_are_built(chain: Path, index: Path, tmp_path: Path, below: str) -> None:
    """Framing takes the builder's lock, whatever it is given, so that it writes no chain back that was built anew."""
    copy = tmp_path / "chains"
    shutil.copytree(chain.parent.parent, copy)
    words = ["frame", str(copy / below), "--library", str(index), "--directions", "dense"]
    before = files(copy)
    with writer_lock(copy):
        engine.main([*words, "--dry-run"], standalone_mode=False)
        with pytest.raises(LockedError):
            engine.main(words, standalone_mode=False)
    assert files(copy) == before
    engine.main(words, standalone_mode=False)
    assert files(copy) != before


def test_what_every_state_needs_is_asked_for_once(
    chain: Path, index: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without an index, or without Blender where it is needed, nothing is begun."""
    with pytest.raises(InputError, match="is not a library index"):
        draw(chain, tmp_path / "nothing", tmp_path / "out")

    def refuse() -> None:
        raise MissingExtraError("no Blender here")

    monkeypatch.setattr(rendering, "find_bpy", refuse)
    with pytest.raises(MissingExtraError, match="no Blender here"):
        draw(chain, index, tmp_path / "out", PictureChoice(frozenset({"conditioning"}), (0,), 16))
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("limit", ["nan", "inf", "1e300", "0", "1000000"])
def test_a_limit_out_of_bounds_is_a_usage_error(chain: Path, index: Path, tmp_path: Path, limit: str) -> None:
    """A time that no clock can count is refused before anything is drawn."""
    words = ["render", str(chain), "--library", str(index), "--out", str(tmp_path / "out"), "--limit-s", limit]
    with pytest.raises(BadParameter, match=r"integer|range"):
        engine.main(words, standalone_mode=False)
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("radius", -1.0),
        ("focal_mm", 0.0),
        ("focal_mm", -50.0),
        ("sensor_mm", 0.0),
        ("resolution_px", 0),
        ("resolution_px", 10**9),
        ("azimuths_deg", []),
    ],
)
def test_a_rig_that_is_no_camera_is_refused_with_its_field(
    chain: Path, index: Path, tmp_path: Path, field: str, value: object
) -> None:
    """Edited by hand, a chain with an impossible rig is refused when it is read."""
    path = tmp_path / "chain.json"
    shutil.copy(chain, path)
    rewrite(path, lambda document: document["rig"].update({field: value}))
    with pytest.raises(SchemaError, match=rf"\$\.rig\.{field}: "):
        draw(path, index, tmp_path / "out")


@pytest.mark.parametrize(
    "rig",
    [{"radius": 1e308}, {"center": [1e308, 0.0, 0.0]}, {"sensor_mm": 1e300}, {"focal_mm": 1e-320}, {"focal_mm": 1e300}],
)
def test_a_rig_whose_camera_no_number_holds_is_refused(
    chain: Path, index: Path, tmp_path: Path, rig: dict[str, object]
) -> None:
    """Finite fields may still make a camera that is not: its states are refused, none is drawn."""
    path = tmp_path / "chain.json"
    shutil.copy(chain, path)
    rewrite(path, lambda document: document["rig"].update(rig))
    run = draw(path, index, tmp_path / "out")
    assert [failure.exit_code for failure in run.failures] == [2, 2]
    assert "framing: the camera" in run.failures[0].message
