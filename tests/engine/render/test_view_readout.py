"""Readouts of a view: run lengths, boxes, cameras, and pictures that say what the record says."""

from __future__ import annotations

import hashlib
import io
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import OpenEXR
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image
from pydantic import ValidationError
from render_shapes import card, front_camera, piece
from test_passes import busy_scene

from engine.framing import camera_of
from engine.render.passes import render_passes
from engine.render.readout import draw_view_files, measure_camera, measure_view
from engine.render.run_lengths import decode_mask, encode_mask, find_box
from engine.render.scene import build_scene
from schemas.chain import Rig
from schemas.codec import encode
from schemas.readout import MaskReadout, PixelBox, RunLengths, SlotView


@settings(max_examples=80, deadline=None)
@given(height=st.integers(0, 9), width=st.integers(0, 9), seed=st.integers(0, 2**81 - 1))
def test_run_lengths_round_trip_and_count_columns(height: int, width: int, seed: int) -> None:
    """Decoding gives the mask back; the runs are those of walking down each column in turn."""
    mask = np.array([seed >> n & 1 for n in range(height * width)], dtype=bool).reshape(height, width)
    runs = encode_mask(mask)
    assert (decode_mask(runs) == mask).all()
    counts, value = [0], False
    for x in range(width):
        for y in range(height):
            if bool(mask[y, x]) != value:
                counts.append(0)
                value = not value
            counts[-1] += 1
    assert list(runs.counts) == counts
    box = find_box(mask)
    inside = [(x, y) for y in range(height) for x in range(width) if mask[y, x]]
    if not inside:
        assert box is None
    else:
        columns, rows = zip(*inside, strict=True)
        assert box == PixelBox(
            x=min(columns), y=min(rows), width=max(columns) - min(columns) + 1, height=max(rows) - min(rows) + 1
        )


def test_known_run_lengths() -> None:
    """A hand-made mask: rows 1 and 2 of column 1 of three by three, then one that begins inside."""
    mask = np.zeros((3, 3), dtype=bool)
    mask[1:, 1] = True
    assert encode_mask(mask) == RunLengths(size=(3, 3), counts=(4, 2, 3))
    assert encode_mask(~mask) == RunLengths(size=(3, 3), counts=(0, 4, 2, 3))


@pytest.mark.parametrize("counts", [(4, 2, 2), (4, 0, 5), (4, -2, 7)])
def test_run_lengths_that_are_no_mask_are_refused(counts: tuple[int, ...]) -> None:
    """A wrong sum, an empty run in the middle, a negative one."""
    with pytest.raises(ValidationError):
        RunLengths(size=(3, 3), counts=counts)


def test_mask_records_do_not_contradict_themselves() -> None:
    """The pixel count and the box are the mask's."""
    runs = RunLengths(size=(3, 3), counts=(4, 2, 3))
    box = PixelBox(x=1, y=1, width=1, height=2)
    assert MaskReadout(pixels=2, box=box, mask=runs).pixels == 2
    for pixels, given_box in ((3, box), (2, None)):
        with pytest.raises(ValidationError, match="the mask has 2"):
            MaskReadout(pixels=pixels, box=given_box, mask=runs)


def test_camera_projects_as_the_passes_see() -> None:
    """A card's corner falls where its box ends, by fx, cx and the axes; the field of view is the published one."""
    rig = Rig(center=(0.0, 0.0, 0.0), radius=1.0)
    assert measure_camera(camera_of(rig, 0), 512).fov_deg == pytest.approx(39.5977527, abs=1e-7)
    camera = measure_camera(front_camera(), 64)
    offset = np.array([0.5, 0.25, 0.0]) - np.array(camera.position)
    x, y, depth = (float((offset * np.array(axis)).sum()) for axis in (camera.right, camera.up, camera.forward))
    assert (camera.fx * x / depth + camera.cx, camera.cy - camera.fy * y / depth) == (48.0, 24.0)
    scene = build_scene([piece("s", card(low=-0.5, high=0.5))])
    view = measure_view(render_passes(scene, front_camera(), 64), front_camera(), 0, (1,))
    assert view.slots[0].visible.box == PixelBox(x=16, y=16, width=32, height=32)


def test_a_view_says_what_its_passes_say() -> None:
    """Counts, boxes, masks and depths of every slot, by number; slots that are hidden have no box and no depth."""
    scene, camera = busy_scene()
    passes = render_passes(scene, camera, 64)
    numbers = [len(scene.slots) - index for index in range(len(scene.slots))]
    view = measure_view(passes, camera, 3, numbers)
    assert [slot.id for slot in view.slots] == sorted(numbers)
    assert (view.view, view.ids_png, view.normals_exr) == (3, "ids_3.png", "normals_3.exr")
    for index, number in enumerate(numbers):
        slot, seen = view.slots[number - 1], passes.visible(index)
        assert (decode_mask(slot.visible.mask) == seen).all()
        assert (decode_mask(slot.amodal.mask) == passes.amodal[index].expand(64)).all()
        assert slot.visible.pixels == seen.sum() <= slot.amodal.pixels
        if seen.any():
            assert (slot.nearest, slot.farthest) == (passes.depth[seen].min(), passes.depth[seen].max())
    hidden = measure_view(
        render_passes(build_scene([piece("a", card()), piece("b", card(z=-1.0))]), front_camera(), 8),
        front_camera(),
        0,
        (1, 2),
    ).slots[1]
    assert hidden == SlotView(
        id=2,
        visible=MaskReadout(pixels=0, mask=RunLengths(size=(8, 8), counts=(64,))),
        amodal=hidden.amodal,
    )
    assert hidden.amodal.pixels == 64 - 28


def test_files_hold_the_passes() -> None:
    """Ids in 16 bits, depth with infinities, normals and coverage come back from the files; equal bytes each time."""
    scene, camera = busy_scene()
    passes = render_passes(scene, camera, 48)
    numbers = [300 + index for index in range(len(scene.slots))]
    view = measure_view(passes, camera, 0, numbers)
    files = draw_view_files(passes, view, numbers)
    assert sorted(files) == ["alpha_0.png", "depth_0.exr", "ids_0.png", "normals_0.exr"]
    ids = np.asarray(Image.open(io.BytesIO(files["ids_0.png"])))
    assert (ids == np.where(passes.ids >= 0, passes.ids + 300, 0)).all()
    assert (np.asarray(Image.open(io.BytesIO(files["alpha_0.png"]))) == passes.alpha).all()
    depth = _channels(files["depth_0.exr"])
    assert list(depth) == ["Z"]
    assert (depth["Z"] == passes.depth.astype(np.float32)).all()
    assert np.isinf(depth["Z"]).any()
    normals = _channels(files["normals_0.exr"])
    assert (np.stack([normals[f"N.{axis}"] for axis in "XYZ"], axis=-1) == passes.normals.astype(np.float32)).all()
    again = render_passes(busy_scene(reverse=True)[0], camera, 48)
    assert draw_view_files(again, view, numbers) == files
    assert encode(measure_view(again, camera, 0, numbers)) == encode(view)


def digest_of_files() -> str:
    """SHA-256 of a view's record and pictures."""
    scene, camera = busy_scene()
    passes = render_passes(scene, camera, 48)
    numbers = range(1, len(scene.slots) + 1)
    view = measure_view(passes, camera, 0, numbers)
    files = draw_view_files(passes, view, numbers)
    return hashlib.sha256(encode(view) + b"".join(files[name] for name in sorted(files))).hexdigest()


PROGRAM = (
    "import sys; sys.path[:0] = sys.argv[1:]; import test_view_readout; print(test_view_readout.digest_of_files())"
)


def test_processes_agree_on_records_and_pictures() -> None:
    """Other hash seeds, thread counts and BLAS kernels give the same bytes."""
    expected = digest_of_files()
    for seed, threads, core in (("1", "1", "Prescott"), ("77", "2", "Haswell")):
        environment = {
            **os.environ,  # noqa: TID251  # the child needs the parent's paths
            "PYTHONHASHSEED": seed,
            "OMP_NUM_THREADS": threads,
            "OPENBLAS_CORETYPE": core,
        }
        command = [sys.executable, "-c", PROGRAM, str(Path(__file__).parent)]
        done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
        assert done.stdout.strip() == expected


def _channels(data: bytes) -> dict[str, np.ndarray]:
    """The channels of an EXR file by name."""
    file = OpenEXR.File(io.BytesIO(data), True)  # noqa: FBT003 - the argument for separate channels has no other form
    return {name: channel.pixels for name, channel in file.channels().items()}
