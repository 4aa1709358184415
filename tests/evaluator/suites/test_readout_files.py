"""Average precision of readouts in folders."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner
from scene_folders import Slab, write_scene

from chains.files import READOUT_FILE
from engine.cli import engine
from evaluator.suites.readout_files import ReadoutReport, score_readout_files
from schemas.base import Vec3
from schemas.codec import encode, read_record
from schemas.errors import InputError
from schemas.readout import CameraReadout, MaskReadout, PixelBox, Readout, RunLengths, SlotLabel, SlotView, ViewReadout
from schemas.score import Undefined

SIZE = 20
AXIS: tuple[Vec3, Vec3, Vec3] = ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, -1.0))


def _mask(left: int, width: int) -> MaskReadout:
    """Whole columns of the picture."""
    counts = [left * SIZE, width * SIZE, (SIZE - left - width) * SIZE]
    box = PixelBox(x=left, y=0, width=width, height=SIZE)
    return MaskReadout(pixels=width * SIZE, box=box, mask=RunLengths(size=(SIZE, SIZE), counts=tuple(counts)))


def _readout(columns: dict[str, tuple[int, int]], views: tuple[int, ...] = (0, 1)) -> Readout:
    """A readout in which each label covers some columns of every view."""
    camera = CameraReadout(
        position=(0.0, 0.0, 1.0),
        right=AXIS[0],
        up=AXIS[1],
        forward=AXIS[2],
        fov_deg=40.0,
        fx=27.0,
        fy=27.0,
        cx=10.0,
        cy=10.0,
    )
    slots = tuple(SlotLabel(id=number, slot=label, label=label) for number, label in enumerate(columns, start=1))
    seen = tuple(
        SlotView(id=number, visible=_mask(*place), amodal=_mask(*place), nearest=1.0, farthest=1.0)
        for number, place in enumerate(columns.values(), start=1)
    )
    return Readout(
        chain="G/one",
        turn=0,
        state_sha256="a" * 64,
        resolution_px=SIZE,
        slots=slots,
        views=tuple(
            ViewReadout(
                view=view, camera=camera, slots=seen, ids_png="i", alpha_png="a", depth_exr="d", normals_exr="n"
            )
            for view in views
        ),
    )


def _write(folder: Path, place: str, readout: Readout) -> None:
    (folder / place).mkdir(parents=True, exist_ok=True)
    (folder / place / READOUT_FILE).write_bytes(encode(readout))


def test_what_is_found_missing_and_elsewhere(tmp_path: Path) -> None:
    """The truth finds itself; a missing readout halves the recall; an overlap of 3/5 counts up to that threshold."""
    true, own = tmp_path / "true", tmp_path / "own"
    for place in ("G/one/turn_001", "G/one/turn_002"):
        _write(true, place, _readout({"leg": (0, 4), "top": (8, 8)}))
    same = score_readout_files(true, true)
    assert (same.box.ap, same.mask.ap, same.box.recall, same.missing) == (1.0, 1.0, 1.0, ())
    assert (same.readouts, same.images, same.truths, same.detections) == (2, 4, 8, 8)
    _write(own, "G/one/turn_002", _readout({"leg": (0, 4), "top": (10, 8)}))
    half = score_readout_files(true, own)
    assert half.missing == ("G/one/turn_001",)
    assert (half.images, half.truths, half.detections) == (4, 8, 4)
    # legs: 2 of 4 at all ten thresholds; tops overlap by 6 / 10: 2 of 4 at three of ten
    assert half.box.recall == pytest.approx((0.5 + 0.5 * 0.3) / 2)
    assert half.mask.recall == half.box.recall


def test_readouts_of_other_views_are_refused(tmp_path: Path) -> None:
    """Views that do not correspond, a missing folder and one without readouts are named."""
    true, own = tmp_path / "true", tmp_path / "own"
    _write(true, "turn", _readout({"leg": (0, 4)}))
    _write(own, "turn", _readout({"leg": (0, 4)}, views=(0, 2)))
    with pytest.raises(InputError, match=r"has views \[0, 2\] of 20 px, the true readout \[0, 1\]"):
        score_readout_files(true, own)
    with pytest.raises(InputError, match="no such folder"):
        score_readout_files(true, tmp_path / "nowhere")
    (tmp_path / "empty").mkdir()
    with pytest.raises(InputError, match=r"no readout\.json below"):
        score_readout_files(tmp_path / "empty", own)


def test_the_command_prints_and_keeps_the_figures(tmp_path: Path) -> None:
    """The file reads back; the summary says how many readouts there were."""
    _write(tmp_path / "true", "turn", _readout({"leg": (0, 4)}))
    words = ["suite", "readouts", str(tmp_path / "true"), str(tmp_path / "true"), "--out", str(tmp_path / "ap.json")]
    done = CliRunner().invoke(engine, words)
    assert done.exit_code == 0, done.output
    assert "AP 1.0000" in done.output
    assert read_record(ReadoutReport, tmp_path / "ap.json").truths == 2


def test_depth_is_compared_where_the_true_one_is_there(tmp_path: Path) -> None:
    """Half and shifted depth is exact after alignment; a bump costs its share; what is missing or cut is counted."""
    true, own = tmp_path / "true", tmp_path / "own"
    for name in ("bump", "cut", "gone", "scaled"):
        write_scene(true / name, (Slab("lid", 0, 10, depth=2.0), Slab("leg", 10, 20, depth=4.0)), ("lid", "leg"))
    write_scene(own / "scaled", (Slab("lid", 0, 10, depth=2.0), Slab("leg", 10, 20, depth=3.0)), ("lid", "leg"))
    slabs = (Slab("lid", 0, 10, depth=2.0), Slab("leg", 10, 15, depth=3.0), Slab("leg", 15, 20, depth=5.0))
    write_scene(own / "bump", slabs, ("lid", "leg"))
    write_scene(own / "cut", (Slab("lid", 0, 10),), ("lid", "leg"))
    (own / "cut" / "depth_0.exr").write_bytes((own / "cut" / "depth_0.exr").read_bytes()[:50])
    (own / "cut" / "depth_1.exr").unlink()
    report = score_readout_files(true, own).depth
    # bump: scale 2/3, shift 1; off by 1/3 of 2 on a half, by 1 of 4 and by 1/3 of 4 on a quarter each: 1/6
    assert report.abs_rel == pytest.approx(1 / 12)
    assert (report.defined, report.views, len(report.missing)) == (4, 8, 4)
    assert report.covered == pytest.approx(0.5)
    assert report.missing[0].startswith("cut: view 0: depth_0.exr: not a readable EXR")
    assert report.missing[1:3] == ("cut: view 1: depth_1.exr: no such file", "gone: view 0: missing")
    same = score_readout_files(true, true).depth
    assert (same.abs_rel, same.covered, same.missing) == (0.0, 1.0, ())


def test_depth_that_is_not_there_is_not_asked_for(tmp_path: Path) -> None:
    """Without true depth pictures the figure is undefined; one that is there and cannot be read is refused."""
    _write(tmp_path / "true", "turn", _readout({"leg": (0, 4)}))
    report = score_readout_files(tmp_path / "true", tmp_path / "true").depth
    assert (report.views, report.abs_rel) == (0, Undefined(reason="no true depth is there"))
    (tmp_path / "true" / "turn" / "d").write_bytes(b"no picture")
    with pytest.raises(InputError, match="turn: a true depth cannot be read: d: not a readable EXR"):
        score_readout_files(tmp_path / "true", tmp_path / "true")
