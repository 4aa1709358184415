"""`engine readout` on chains of a small library: what it writes, that it repeats, and what it refuses."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from chains.files import list_chains, read_chain, write_chain
from chains.slot_numbers import number_slots
from chains.state import state_at
from engine.arguments import parse_numbers
from engine.cli import engine
from engine.framing import Camera
from engine.pictures import readout
from engine.render.passes import ViewPasses, render_passes
from engine.render.run_lengths import decode_mask
from engine.render.scene import RenderScene
from schemas.codec import read_record
from schemas.errors import InputError, LockedError, MaskMismatchError, ReplayError
from schemas.readout import Readout
from tests.box_chains import build_on_table, index_boxes


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The index of four hosts made of boxes (`index`) and chains of removals and additions on one of them."""
    folder = tmp_path_factory.mktemp("boxes")
    build_on_table(index_boxes(folder), folder / "chains", ("R", "G"))
    return folder


@pytest.fixture
def chain(folder: Path) -> Path:
    """One of the chains."""
    return list_chains(folder / "chains")[0]


def run(folder: Path, chain: Path, out: Path, *words: object) -> None:
    """`engine readout` in this process at 64 pixels; raises what the command line would print."""
    fixed = [chain, "--library", folder / "index", "--out", out, "--res", 64, *words]
    engine.main(["readout", *map(str, fixed)], standalone_mode=False)


def contents(folder: Path) -> dict[str, bytes]:
    """Files of a folder that people see."""
    return {path.name: path.read_bytes() for path in sorted(folder.iterdir()) if not path.name.startswith(".")}


def test_record_and_pictures_agree_in_every_state(folder: Path, tmp_path: Path) -> None:
    """Slots are those of the state, numbers are the chain's in each turn, masks are those of the id pictures."""
    for path in list_chains(folder / "chains"):
        log = read_chain(path)
        numbers = number_slots(log)
        for turn in (0, len(log.turns)):
            out = tmp_path / log.id / str(turn)
            run(folder, path, out, "--turn", turn, "--views", "0,2")
            record, state = read_record(Readout, out / "readout.json"), state_at(log, turn)
            assert (record.chain, record.turn, record.state_sha256) == (log.id, turn, state.sha256)
            assert {label.slot: label.label for label in record.slots} == {p.slot: p.label for p in state.pieces}
            assert {label.slot: label.id for label in record.slots} == {p.slot: numbers[p.slot] for p in state.pieces}
            assert [view.view for view in record.views] == [0, 2]
            for view in record.views:
                ids = np.asarray(Image.open(out / view.ids_png))
                for slot in view.slots:
                    assert (decode_mask(slot.visible.mask) == (ids == slot.id)).all()
                assert (ids > 0).sum() == sum(slot.visible.pixels for slot in view.slots) > 100


def test_the_same_bytes_again_and_nothing_of_an_earlier_readout(
    folder: Path, chain: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A second run writes the same files; fewer views in the same folder leave no picture of the others."""
    run(folder, chain, tmp_path / "a", "--turn", 1)
    run(folder, chain, tmp_path / "b", "--turn", 1)
    first = contents(tmp_path / "a")
    assert contents(tmp_path / "b") == first
    assert len(first) == 1 + 4 * 4
    (tmp_path / "b" / "ids_notes.png").write_bytes(b"mine")
    capsys.readouterr()
    run(folder, chain, tmp_path / "b", "--turn", 1, "--views", "3", "--json")
    printed = json.loads(capsys.readouterr().out)
    assert printed["views"] == [3]
    kept = {name: data for name, data in first.items() if "_3." in name}
    assert {**kept, "ids_notes.png": b"mine"} == {
        name: data for name, data in contents(tmp_path / "b").items() if name != "readout.json"
    }
    assert sorted(printed["pictures"]) == sorted(str(tmp_path / "b" / name) for name in kept)


def test_a_chain_without_a_rig_is_framed_by_all_its_states(folder: Path, chain: Path, tmp_path: Path) -> None:
    """With the fitted rig written into the chain the readout is the same; another rig moves the camera."""
    log = read_chain(chain)
    bare = tmp_path / "R" / "bare.json"
    write_chain(bare, log.model_copy(update={"rig": None}))
    run(folder, bare, tmp_path / "bare", "--turn", 1)
    found = read_record(Readout, tmp_path / "bare" / "readout.json")
    rig = log.rig
    assert rig is not None
    for name, radius in (("same", rig.radius), ("far", rig.radius * 2.0)):
        path = tmp_path / "R" / f"{name}.json"
        write_chain(path, log.model_copy(update={"rig": rig.model_copy(update={"radius": radius})}))
        run(folder, path, tmp_path / name, "--turn", 1)
        again = read_record(Readout, tmp_path / name / "readout.json")
        assert (again == found) == (name == "same")


def test_a_view_that_rays_contradict_fails_the_state(
    folder: Path, chain: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """When the last view is wrong nothing is written at all, not even the folder."""
    made: list[ViewPasses] = []

    def wrong_at_last(scene: RenderScene, camera: Camera, size: int, _: object) -> ViewPasses:
        made.append(render_passes(scene, camera, size))
        return made[-1] if len(made) < 4 else replace(made[-1], ids=np.roll(made[-1].ids, 2, axis=0))

    monkeypatch.setattr(readout, "render_passes", wrong_at_last)
    with pytest.raises(MaskMismatchError, match="turn 1: view 3: slot"):
        run(folder, chain, tmp_path / "out", "--turn", 1)
    assert len(made) == 4
    assert not (tmp_path / "out").exists()


def test_refusals(folder: Path, chain: Path, tmp_path: Path) -> None:
    """Turns and views that do not exist, a state that is not the logged one, a folder in use."""
    with pytest.raises(InputError, match="turn 99 is out of range"):
        run(folder, chain, tmp_path, "--turn", 99)
    with pytest.raises(InputError, match="view 4 does not exist"):
        run(folder, chain, tmp_path, "--turn", 1, "--views", "4")
    log = read_chain(chain)
    other = log.turns[0].model_copy(update={"state_sha256": "0" * 64})
    write_chain(tmp_path / "R" / "x.json", log.model_copy(update={"turns": (other, *log.turns[1:])}))
    with pytest.raises(ReplayError, match="turn 1: state hash"):
        run(folder, tmp_path / "R" / "x.json", tmp_path, "--turn", 1)
    found = readout.read_out_state(chain, folder / "index", 1, (0,), 32)
    with readout.writer_lock(tmp_path / "used"), pytest.raises(LockedError):
        found.write(tmp_path / "used")


def test_views_of_a_text() -> None:
    """Ranges and lists, sorted, each once."""
    assert parse_numbers("--views", "0-3", 64) == (0, 1, 2, 3)
    assert parse_numbers("--views", "3, 0-1,1", 64) == (0, 1, 3)
    for text in ("", "a", "1-", "-1", "3-1", "0,3-1", "0-9999", "1,,2", "1.5"):
        with pytest.raises(InputError, match="--views"):
            parse_numbers("--views", text, 64)
