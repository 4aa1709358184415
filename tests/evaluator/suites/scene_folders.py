"""Folders of scenes drawn by hand: columns of pixels at given depths and colours, as a readout has them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import OpenEXR
import trimesh
from PIL import Image
from suite_shapes import block

from chains.files import READOUT_FILE
from engine.render.run_lengths import encode_mask, find_box
from engine.surfaces import BoolArray, FloatArray, IntArray
from schemas.codec import encode
from schemas.readout import CameraReadout, MaskReadout, Readout, SlotLabel, SlotView, ViewReadout

SIZE = 20
FOCAL = 10.0
"""Neighbouring pixels lie a tenth of the depth apart, twice the tolerance: a point can only match its own pixel's."""


@dataclass(frozen=True)
class Slab:
    """Columns of a picture that show one slot at one depth in one colour."""

    slot: str
    left: int
    right: int
    depth: float = 3.0
    grey: int = 200


def write_scene(
    folder: Path, slabs: Sequence[Slab], slots: Sequence[str], views: Sequence[int] = (0, 1), size: int = SIZE
) -> None:
    """Write the readout of a scene that shows the slabs in every view, its pictures, and a GLB of one box."""
    folder.mkdir(parents=True, exist_ok=True)
    depth = np.full((size, size), np.inf)
    ids = np.zeros((size, size), dtype=np.int64)
    picture = np.zeros((size, size, 4), dtype=np.uint8)
    for slab in slabs:
        columns = slice(slab.left, slab.right)
        depth[:, columns] = slab.depth
        ids[:, columns] = slots.index(slab.slot) + 1
        picture[:, columns] = (slab.grey, slab.grey, slab.grey, 255)
    for view in views:
        write_depth(folder / f"depth_{view}.exr", depth)
        Image.fromarray(ids.astype(np.uint16)).save(folder / f"ids_{view}.png")
        Image.fromarray(picture).save(folder / f"metric_{view}.png")
    write_box(folder / "scene.glb")
    (folder / READOUT_FILE).write_bytes(encode(_record(ids, slots, views, size)))


def write_depth(path: Path, depth: FloatArray, channel: str = "Z") -> None:
    """A depth picture as readouts have it."""
    header = {"compression": OpenEXR.ZIP_COMPRESSION, "type": OpenEXR.scanlineimage}
    OpenEXR.File(header, {channel: depth.astype(np.float32)}).write(str(path))


def write_box(path: Path) -> None:
    """A GLB of one box."""
    path.write_bytes(trimesh.Trimesh(*block((0, 0, 0), (1, 1, 1)), process=False).export(file_type="glb"))


def _record(ids: IntArray, slots: Sequence[str], views: Sequence[int], size: int) -> Readout:
    camera = CameraReadout(
        position=(0.0, 0.0, 0.0),
        right=(1.0, 0.0, 0.0),
        up=(0.0, 1.0, 0.0),
        forward=(0.0, 0.0, -1.0),
        fov_deg=90.0,
        fx=FOCAL,
        fy=FOCAL,
        cx=size / 2,
        cy=size / 2,
    )
    seen = tuple(SlotView(id=k, visible=_mask(ids == k), amodal=_mask(ids == k)) for k in range(1, len(slots) + 1))
    return Readout(
        chain="G/one",
        turn=0,
        state_sha256="a" * 64,
        resolution_px=size,
        slots=tuple(SlotLabel(id=k, slot=slot, label=slot) for k, slot in enumerate(slots, start=1)),
        views=tuple(
            ViewReadout(
                view=view,
                camera=camera,
                slots=seen,
                ids_png=f"ids_{view}.png",
                alpha_png=f"alpha_{view}.png",
                depth_exr=f"depth_{view}.exr",
                normals_exr=f"normals_{view}.exr",
            )
            for view in views
        ),
    )


def _mask(mask: BoolArray) -> MaskReadout:
    return MaskReadout(pixels=int(mask.sum()), box=find_box(mask), mask=encode_mask(mask))
