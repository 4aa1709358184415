"""Pictures that a readout names, read from the folder it lies in: what cannot be read says why.

Reasons name files without their folder: a score is the same wherever its files lie.
"""

from __future__ import annotations

import contextlib
import io
from pathlib import Path

import numpy as np
from PIL import Image

from engine.surfaces import FloatArray, IntArray
from evaluator.suites.artefacts import LARGEST_PICTURE
from evaluator.suites.scenes import DepthView, Pinhole
from schemas.readout import ViewReadout
from schemas.score import Undefined

DEPTH_CHANNEL = "Z"


def read_depth(folder: Path, name: str) -> FloatArray | Undefined:
    """The depth picture (H, W) float64 of that name in a folder, world units, infinite where nothing is."""
    import OpenEXR  # noqa: PLC0415  # few commands need it

    path = find_named(folder, name)
    if isinstance(path, Undefined):
        return path
    # The library reports a cut file on standard output too, where a command's own answer stands.
    with contextlib.redirect_stdout(io.StringIO()):
        try:
            low, high = OpenEXR.File(str(path), separate_channels=True, header_only=True).header()["dataWindow"]
            width, height = (int(size) for size in np.asarray(high, dtype=np.int64) - low + 1)
            if width * height > LARGEST_PICTURE:
                return Undefined(reason=f"{name}: {width} x {height} pixels")
            channels = OpenEXR.File(str(path), separate_channels=True).channels()
        except (KeyError, OSError, RuntimeError, ValueError) as error:
            return Undefined(reason=f"{name}: not a readable EXR: {_without_folder(error, path)}")
    if DEPTH_CHANNEL not in channels:
        return Undefined(reason=f"{name}: has no channel {DEPTH_CHANNEL}, only {', '.join(sorted(channels)) or 'none'}")
    pixels = np.asarray(channels[DEPTH_CHANNEL].pixels)
    if pixels.ndim != 2 or pixels.dtype.kind != "f":
        return Undefined(reason=f"{name}: channel {DEPTH_CHANNEL} is {pixels.ndim}-dimensional {pixels.dtype}")
    return pixels.astype(np.float64)


def read_ids(folder: Path, name: str) -> IntArray | Undefined:
    """The id picture (H, W) int64 of that name in a folder: numbers of slots, 0 where nothing is."""
    path = find_named(folder, name)
    if isinstance(path, Undefined):
        return path
    try:
        with Image.open(path, formats=("PNG",)) as picture:
            if picture.width * picture.height > LARGEST_PICTURE:
                return Undefined(reason=f"{name}: {picture.width} x {picture.height} pixels")
            pixels = np.asarray(picture)
    except (Image.DecompressionBombError, OSError, SyntaxError, ValueError) as error:
        return Undefined(reason=f"{name}: {_without_folder(error, path)}")
    if pixels.ndim != 2:
        return Undefined(reason=f"{name}: has colours, ids are greyscale")
    return pixels.astype(np.int64)


def read_depth_view(folder: Path, view: ViewReadout) -> DepthView | Undefined:
    """What a view's camera sees, with the pinhole of its record."""
    camera = view.camera
    if not (camera.fx > 0.0 and camera.fy > 0.0):
        return Undefined(reason=f"view {view.view}: focal lengths {camera.fx:g} and {camera.fy:g} must be positive")
    depth = read_depth(folder, view.depth_exr)
    if isinstance(depth, Undefined):
        return depth
    return DepthView(depth, Pinhole(camera.fx, camera.fy, camera.cx, camera.cy))


def find_named(folder: Path, name: str) -> Path | Undefined:
    """The regular file of that name in a folder itself: a record cannot name files elsewhere."""
    if Path(name).name != name:
        return Undefined(reason=f"{name!r} is not the name of a file beside its record")
    if not folder.is_dir():
        return Undefined(reason="missing")
    path = folder / name
    return path if path.is_file() else Undefined(reason=f"{name}: no such file")


def _without_folder(error: Exception, path: Path) -> str:
    return str(error).replace(str(path), path.name)
