"""Pictures of whole chains: complete, the same however they are made, resumed, and failing state by state."""

from __future__ import annotations

import hashlib
import importlib.util
import json
import shutil
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from chains.files import PICTURES_FILE, READOUT_FILE, list_chains, read_chain, write_chain
from engine.cli import engine
from engine.pictures import states
from engine.pictures.runs import DrawnRun, RenderOrder, StateRun, draw_all, plan_runs, render_runs
from engine.pictures.states import PictureChoice, StatePainter
from engine.render.raycast import hash_picture, render
from engine.render.scene import build_scene
from library_index.pool import UnitResult
from schemas.codec import read_record
from schemas.errors import InputError
from schemas.pictures import CyclesSettings, MetricSettings, RegionSettings, TurnPictures
from schemas.readout import Readout
from tests.box_chains import build_on_table, index_boxes

METRIC = PictureChoice(frozenset({"metric"}), (0, 2), 48, metric=MetricSettings(supersample=2))


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The index of four hosts made of boxes."""
    return index_boxes(tmp_path_factory.mktemp("drawn"))


@pytest.fixture(scope="module")
def chains(index: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A chain of new looks and one of adds and removals on the table."""
    out = build_on_table(index, tmp_path_factory.mktemp("chains"), ("M", "R"))
    assert len(list_chains(out)) == 2
    return out


def draw(chains: Path, index: Path, out: Path, choice: PictureChoice = METRIC, workers: int = 1) -> list[DrawnRun]:
    """Draw all states of the chains; what became of each chain, by name."""
    order = RenderOrder(index, out, choice, workers=workers)
    found: dict[str, DrawnRun] = {}
    for run in render_runs(plan_runs(list_chains(chains), order.turns), order):
        past = found.get(run.chain, DrawnRun(run.chain, 0, 0, ()))
        counts = (past.drawn + run.drawn, past.kept + run.kept)
        found[run.chain] = DrawnRun(run.chain, *counts, (*past.failures, *run.failures))
    return [found[name] for name in sorted(found)]


def digests(folder: Path) -> dict[str, str]:
    """Digest of every file that people see."""
    return {
        str(path.relative_to(folder)): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and not path.name.startswith(".")
    }


def test_every_state_is_drawn_and_recorded(chains: Path, index: Path, tmp_path: Path) -> None:
    """Each picture is that of its state drawn alone, its hash is recorded, and each turn has its regions."""
    done = draw(chains, index, tmp_path)
    assert [run.failures for run in done] == [(), ()]
    for path in list_chains(chains):
        chain = read_chain(path)
        painter = StatePainter(path, index, tmp_path, METRIC, None)
        for number in range(len(chain.turns) + 1):
            folder = painter.folder(number)
            record = read_record(TurnPictures, folder / PICTURES_FILE)
            assert (record.chain, record.turn, record.resolution_px) == (chain.id, number, 48)
            assert (record.conditioning, record.readout, record.regions is None) == (None, None, number == 0)
            assert record.metric is not None
            assert [image.view for image in record.metric.images] == [0, 2]
            for image in record.metric.images:
                pixels = np.asarray(Image.open(folder / image.file))
                assert hash_picture(pixels) == image.pixels_sha256
                scene = build_scene(painter.pieces_of(number))
                assert (pixels == render(scene, painter.camera(image.view), 48, 2)).all()


def test_outside_its_region_a_turn_changes_no_pixel(chains: Path, index: Path, tmp_path: Path) -> None:
    """Between two states every pixel that differs lies in the visible region, which the grey picture holds."""
    draw(chains, index, tmp_path)
    changed = 0
    for path in list_chains(chains):
        chain = read_chain(path)
        for number in range(1, len(chain.turns) + 1):
            folder, before = (tmp_path / chain.id / f"turn_{k:03d}" for k in (number, number - 1))
            record = read_record(TurnPictures, folder / PICTURES_FILE)
            assert record.regions is not None
            for region in record.regions.images:
                grey = np.asarray(Image.open(folder / region.file))
                old, new = (np.asarray(Image.open(f / f"metric_{region.view}.png")) for f in (before, folder))
                differs = (old != new).any(axis=-1)
                assert not (differs & (grey != 255)).any()
                assert int((grey == 255).sum()) == region.visible_px
                assert int((grey > 0).sum()) == region.dilated_px
                changed += int(differs.sum())
    assert changed > 100


def test_workers_turns_and_order_change_no_byte(
    chains: Path, index: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One process or two, long runs or single states: the same files with the same bytes."""
    draw(chains, index, tmp_path / "one")
    draw(chains, index, tmp_path / "two", workers=2)
    monkeypatch.setattr("engine.pictures.runs.RUN_STATES", 1)
    draw(chains, index, tmp_path / "single")
    assert digests(tmp_path / "one") == digests(tmp_path / "two") == digests(tmp_path / "single")


def test_a_second_run_draws_only_what_is_missing(chains: Path, index: Path, tmp_path: Path) -> None:
    """Nothing when all is there; again what lost a picture or its record, or was drawn with other settings."""
    draw(chains, index, tmp_path)
    before = digests(tmp_path)
    assert [(run.drawn, run.failures) for run in draw(chains, index, tmp_path)] == [(0, ()), (0, ())]
    folder = tmp_path / read_chain(list_chains(chains)[0]).id
    (folder / "turn_001" / "metric_2.png").unlink()
    (folder / "turn_002" / PICTURES_FILE).write_text("{")
    assert [run.drawn for run in draw(chains, index, tmp_path)] == [2, 0]
    assert digests(tmp_path) == before
    finer = draw(chains, index, tmp_path, replace(METRIC, metric=MetricSettings(supersample=3)))
    assert [run.kept for run in finer] == [0, 0]
    wider = draw(chains, index, tmp_path, replace(METRIC, region=RegionSettings(dilate_px=9.0)))
    assert [run.kept for run in wider] == [0, 0]


def test_what_is_of_another_kind_stays_and_what_is_of_another_state_goes(
    chains: Path, index: Path, tmp_path: Path
) -> None:
    """A readout joins the images without touching them; a lost one is made again; fewer views, nothing left over."""
    draw(chains, index, tmp_path)
    images = digests(tmp_path)
    readouts = PictureChoice(frozenset(), METRIC.views, METRIC.resolution_px, readout=True)
    draw(chains, index, tmp_path, readouts)
    after = digests(tmp_path)
    assert {name: after[name] for name in images if name.endswith(".png")} == {
        name: digest for name, digest in images.items() if name.endswith(".png")
    }
    assert [run.drawn for run in draw(chains, index, tmp_path)] == [0, 0]
    folder = tmp_path / read_chain(list_chains(chains)[0]).id / "turn_001"
    (folder / "depth_2.exr").unlink()
    assert [run.drawn for run in draw(chains, index, tmp_path, readouts)] == [1, 0]
    assert digests(tmp_path) == after
    smaller = replace(METRIC, resolution_px=32)
    draw(chains, index, tmp_path, smaller)
    draw(chains, index, tmp_path / "alone", smaller)
    again = {name: digest for name, digest in digests(tmp_path).items() if not name.startswith("alone")}
    assert again == digests(tmp_path / "alone")


def test_another_search_for_the_same_cameras_draws_nothing(chains: Path, index: Path, tmp_path: Path) -> None:
    """The record holds where the cameras stand; how that was found may change."""
    copy = tmp_path / "chains"
    shutil.copytree(chains, copy)
    draw(copy, index, tmp_path / "out")
    path = list_chains(copy)[0]
    chain = read_chain(path)
    assert chain.rig is not None
    write_chain(path, chain.model_copy(update={"rig": chain.rig.model_copy(update={"search": None})}))
    assert [run.drawn for run in draw(copy, index, tmp_path / "out")] == [0, 0]


class _Pool:
    """A pool whose workers die of turn 2, whatever run it is in."""

    def run(self, units: Sequence[StateRun]) -> Iterator[UnitResult[DrawnRun]]:
        """Answer each run."""
        for place, unit in enumerate(units):
            if 2 in unit.turns:
                yield UnitResult(place, None, "its worker died (exit code -9), 2 times")
            else:
                yield UnitResult(place, DrawnRun(unit.chain, len(unit.turns), 0, ()), None)


def test_a_deadly_state_costs_itself_alone() -> None:
    """The states of the run whose worker died are tried one by one, and only the deadly one is lost."""
    runs = [StateRun(Path("a.json"), "A/a_s1", (0, 1, 2, 3)), StateRun(Path("b.json"), "A/b_s1", (0, 1))]
    done = list(draw_all(_Pool(), runs))  # type: ignore[arg-type]  # answers as a pool does
    assert sum(run.drawn for run in done) == 5
    failures = [failure for run in done for failure in run.failures]
    assert [(failure.chain, failure.turn, failure.exit_code) for failure in failures] == [("A/a_s1", 2, 3)]


def test_a_bad_state_costs_itself_alone(
    chains: Path, index: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A state that cannot be drawn is reported with its turn and leaves no record; the others are there."""

    def refuse(*_: object, **__: object) -> None:
        raise InputError("the third region is refused")

    calls = iter(range(100))
    real = states.find_edit_region
    monkeypatch.setattr(states, "find_edit_region", lambda *a, **k: refuse() if next(calls) == 2 else real(*a, **k))
    done = draw(chains, index, tmp_path)
    failures = [failure for run in done for failure in run.failures]
    assert [(failure.turn, failure.exit_code) for failure in failures] == [(2, 2)]
    assert "the third region is refused" in failures[0].message
    folder = tmp_path / failures[0].chain
    assert not (folder / "turn_002" / PICTURES_FILE).exists()
    assert (folder / "turn_003" / PICTURES_FILE).exists()


def test_readouts_lie_beside_the_pictures(chains: Path, index: Path, tmp_path: Path) -> None:
    """Each state's readout has the views that were asked for, and its slots keep their number over the chain."""
    draw(chains, index, tmp_path, replace(METRIC, readout=True))
    numbers: dict[str, int] = {}
    chain = read_chain(list_chains(chains)[0])
    for number in range(len(chain.turns) + 1):
        found = read_record(Readout, tmp_path / chain.id / f"turn_{number:03d}" / READOUT_FILE)
        assert [view.view for view in found.views] == [0, 2]
        for slot in found.slots:
            assert numbers.setdefault(slot.slot, slot.id) == slot.id


def test_a_chain_without_a_rig_is_framed(chains: Path, index: Path, tmp_path: Path) -> None:
    """The rig it would have been built with is used and recorded, whatever the picture's size."""
    chain = read_chain(list_chains(chains)[0])
    copy = tmp_path / "chains"
    shutil.copytree(chains, copy)
    bare = copy / f"{chain.id}.json"
    write_chain(bare, chain.model_copy(update={"rig": None}))
    draw(copy, index, tmp_path / "out")
    record = read_record(TurnPictures, tmp_path / "out" / chain.id / "turn_000" / PICTURES_FILE)
    assert chain.rig is not None
    assert record.rig == chain.rig.model_copy(update={"resolution_px": 48, "search": None})


def test_the_command_counts_and_refuses(
    chains: Path, index: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Turns and views are chosen by numbers; a turn that no chain has, or a view that no rig has, is an error."""
    words = ["render", str(chains), "--library", str(index), "--out", str(tmp_path), "--res", "16", "--json"]
    engine.main([*words, "--turns", "0,2", "--views", "1"], standalone_mode=False)
    assert json.loads(capsys.readouterr().out) == {"drawn": 4, "kept": 0, "failed": 0, "failures": []}
    assert sorted(path.name for path in (tmp_path / "R").glob("*/*")) == ["turn_000", "turn_002"]
    with pytest.raises(InputError, match="none of those asked for"):
        engine.main([*words, "--turns", "90"], standalone_mode=False)
    with pytest.raises(InputError, match="--views must be numbers"):
        engine.main([*words, "--views", "front"], standalone_mode=False)
    with pytest.raises(SystemExit) as stopped:
        engine.main([*words, "--views", "7"], standalone_mode=False)
    assert stopped.value.code == 2
    assert "view 7 does not exist" in capsys.readouterr().err


def test_framing_again_changes_nothing(
    chains: Path, index: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The builder's rigs are those `engine frame` finds; a lost one comes back, byte for byte."""
    copy = tmp_path / "chains"
    shutil.copytree(chains, copy)
    words = ["frame", str(copy), "--library", str(index), "--json"]
    engine.main([*words, "--dry-run"], standalone_mode=False)
    assert [row["changed"] for row in json.loads(capsys.readouterr().out)["chains"]] == [False, False]
    path = list_chains(copy)[0]
    write_chain(path, read_chain(path).model_copy(update={"rig": None}))
    engine.main(words, standalone_mode=False)
    assert [row["changed"] for row in json.loads(capsys.readouterr().out)["chains"]] == [True, False]
    assert digests(copy) == digests(chains)
    engine.main([*words, "--directions", "dense"], standalone_mode=False)
    rig = read_chain(path).rig
    assert rig is not None
    assert rig.search is not None
    assert len(rig.search.directions) == 24


@pytest.mark.bpy
def test_conditioning_images_lie_beside(chains: Path, index: Path, tmp_path: Path) -> None:
    """One image a view from one worker for all states; they are kept when metric images join them."""
    if importlib.util.find_spec("bpy") is None:
        pytest.skip("the extra blender is not installed")
    quick = PictureChoice(frozenset({"conditioning"}), (1,), 24, conditioning=CyclesSettings(samples=1, denoise=False))
    order = RenderOrder(index, tmp_path, quick, turns=(0, 1))
    path = list_chains(chains)[0]
    assert [(run.drawn, run.failures) for run in render_runs(plan_runs([path], (0, 1)), order)] == [(2, ())]
    folder = tmp_path / read_chain(path).id / "turn_001"
    record = read_record(TurnPictures, folder / PICTURES_FILE)
    assert record.conditioning is not None
    (image,) = record.conditioning.images
    pixels = np.asarray(Image.open(folder / image.file))
    assert pixels.shape == (24, 24, 4)
    assert hash_picture(pixels) == image.pixels_sha256
    both = replace(order, choice=replace(quick, kinds=frozenset({"metric", "conditioning"})))
    assert [(run.drawn, run.failures) for run in render_runs(plan_runs([path], (0, 1)), both)] == [(2, ())]
    assert read_record(TurnPictures, folder / PICTURES_FILE).conditioning == record.conditioning
    assert not (tmp_path / ".scratch").exists()
