"""Readouts of a view: its record and the pictures beside it."""

from __future__ import annotations

import io
from collections.abc import Mapping, Sequence
from math import sqrt

import numpy as np
from numpy.typing import NDArray

from engine.framing import Camera
from engine.geometry.angles import degrees_between
from engine.render.passes import ViewPasses
from engine.render.png import encode_png
from engine.render.run_lengths import encode_mask, find_box
from engine.surfaces import BoolArray
from schemas.readout import CameraReadout, MaskReadout, SlotView, ViewReadout


def name_view_files(view: int) -> tuple[str, str, str, str]:
    """Names of a view's pictures: ids, alpha, depth, normals."""
    return f"ids_{view}.png", f"alpha_{view}.png", f"depth_{view}.exr", f"normals_{view}.exr"


def measure_view(passes: ViewPasses, camera: Camera, view: int, numbers: Sequence[int]) -> ViewReadout:
    """The record of one view; `numbers[i]`, from 1, stands for slot i of the passes in records and pictures."""
    slots = [_measure_slot(passes, index, number) for index, number in enumerate(numbers)]
    ids, alpha, depth, normals = name_view_files(view)
    return ViewReadout(
        view=view,
        camera=measure_camera(camera, passes.size),
        slots=tuple(sorted(slots, key=lambda slot: slot.id)),
        ids_png=ids,
        alpha_png=alpha,
        depth_exr=depth,
        normals_exr=normals,
    )


def draw_view_files(passes: ViewPasses, record: ViewReadout, numbers: Sequence[int]) -> dict[str, bytes]:
    """The pictures that a view's record names, encoded, by file name."""
    # NOTHING is -1, so that it reads the last entry.
    table = np.array([*numbers, 0], dtype=np.uint16)
    normals = passes.normals.astype(np.float32)
    return {
        record.ids_png: encode_png(table[passes.ids]),
        record.alpha_png: encode_png(passes.alpha),
        record.depth_exr: _encode_exr({"Z": passes.depth.astype(np.float32)}),
        record.normals_exr: _encode_exr({f"N.{axis}": normals[..., i].copy() for i, axis in enumerate("XYZ")}),
    }


def measure_camera(camera: Camera, size: int) -> CameraReadout:
    """Describe a camera for pictures of `size` pixels on a side."""
    tangent = camera.tan_half
    length = sqrt(1.0 + tangent * tangent)
    half = degrees_between(np.array([0.0, 0.0, 1.0]), np.array([tangent / length, 0.0, 1.0 / length]))
    focal = size * 0.5 / tangent
    return CameraReadout(
        position=camera.position,
        right=camera.right,
        up=camera.up,
        forward=camera.forward,
        fov_deg=2.0 * half,
        fx=focal,
        fy=focal,
        cx=size * 0.5,
        cy=size * 0.5,
    )


def _measure_slot(passes: ViewPasses, index: int, number: int) -> SlotView:
    visible = passes.visible(index)
    depth = passes.depth[visible]
    return SlotView(
        id=number,
        visible=_measure_mask(visible),
        amodal=_measure_mask(passes.amodal[index].expand(passes.size)),
        nearest=float(depth.min()) if len(depth) else None,
        farthest=float(depth.max()) if len(depth) else None,
    )


def _measure_mask(mask: BoolArray) -> MaskReadout:
    return MaskReadout(pixels=int(np.count_nonzero(mask)), box=find_box(mask), mask=encode_mask(mask))


def _encode_exr(channels: Mapping[str, NDArray[np.float32]]) -> bytes:
    """Losslessly compressed float32 channels; the header holds sizes only, so equal pictures give equal bytes."""
    import OpenEXR  # noqa: PLC0415  # one command needs it

    buffer = io.BytesIO()
    header = {"compression": OpenEXR.ZIP_COMPRESSION, "type": OpenEXR.scanlineimage}
    OpenEXR.File(header, dict(channels), 1).write(buffer)
    return buffer.getvalue()
