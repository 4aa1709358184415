"""What a method handed in for a scene, loaded: the facts that validity is judged by.

A file that does not load is the method's failure and comes back as `Undefined`; a missing extra is ours and is raised.
"""

from __future__ import annotations

import importlib.util
import json
import os
import signal
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Final, NamedTuple

import numpy as np
from PIL import Image, UnidentifiedImageError

from engine.gltf.document import read_document
from engine.gltf.parts import read_part
from evaluator.suites.pictures import Backdrop, flatten_alpha
from evaluator.suites.scenes import ByteImage, Validity, check_validity
from schemas.errors import GltfError, MissingExtraError, WorkerError
from schemas.score import Undefined

LARGEST_PICTURE: Final = 64_000_000
"""Pixels; a picture that says it has more is not decoded."""
BLEND_SECONDS: Final = 120.0
_WORKER: Final = (sys.executable, "-m", "evaluator.suites.blend_worker")


class BlendContents(NamedTuple):
    """What a scene file holds once Blender has loaded it."""

    triangles: int
    """Of the active scene, modifiers applied, instances counted."""
    has_camera: bool


def check_scene_files(blend: Path, glb: Path, render: Path, seconds: float = BLEND_SECONDS) -> Validity:
    """Load the three files and judge them.

    Raises:
        MissingExtraError: Blender's module is not installed or cannot be loaded.
        WorkerError: the process that loads the scene file was killed from outside, perhaps for want of memory.

    """
    return check_scene(blend, glb, read_picture(render), seconds)


def check_scene(
    blend: Path | None, glb: Path, render: ByteImage | Undefined, seconds: float = BLEND_SECONDS
) -> Validity:
    """Load the files and judge them with a render (H, W, C); a `blend` that is None is not asked for, nor its camera.

    Raises what `check_scene_files` raises.
    """
    triangles = count_glb_triangles(glb)
    if blend is None:
        return check_validity(None, triangles, render, has_camera=True)
    contents = read_blend(blend, seconds)
    if isinstance(contents, Undefined):
        return check_validity(contents, triangles, render, has_camera=False)
    return check_validity(contents.triangles, triangles, render, has_camera=contents.has_camera)


def check_blender() -> None:
    """Raise MissingExtraError when Blender's module is not installed."""
    if importlib.util.find_spec("bpy") is None:
        raise MissingExtraError("scene files need the extra 'blender': pip install 'part-edit-chains[blender]'")


def count_glb_triangles(path: Path) -> int | Undefined:
    """Triangles of a GLB, or why it is refused, without the folder it lies in."""
    try:
        model = read_part(read_document(path), None)
    except (GltfError, OSError) as error:
        return Undefined(reason=str(error).replace(str(path), path.name))
    return sum(len(surface.faces) for surface in model.surfaces)


def read_picture(path: Path, backdrop: Backdrop = "stored") -> ByteImage | Undefined:
    """The RGB pixels (H, W, 3) of a picture, what is transparent over a backdrop, or why it does not decode."""
    if not path.is_file():
        return Undefined(reason=f"{path.name}: no such file")
    try:
        with Image.open(path, formats=("PNG", "JPEG", "WEBP")) as picture:
            if picture.width * picture.height > LARGEST_PICTURE:
                return Undefined(reason=f"{path.name}: {picture.width} x {picture.height} pixels")
            return flatten_alpha(np.asarray(picture.convert("RGBA")), backdrop)
    except UnidentifiedImageError:
        return Undefined(reason=f"{path.name}: not a picture of a known kind")
    except (Image.DecompressionBombError, OSError, SyntaxError, ValueError) as error:
        return Undefined(reason=f"{path.name}: {str(error).replace(str(path), path.name)}")


def read_blend(path: Path, seconds: float = BLEND_SECONDS) -> BlendContents | Undefined:
    """Load a scene file in a Blender process of its own, or say why it does not load.

    Blender that crashes on the file or needs more than `seconds` for it has not loaded it.

    Raises:
        MissingExtraError: Blender's module is not installed or cannot be loaded.
        WorkerError: the process was killed from outside, perhaps for want of memory.

    """
    check_blender()
    if not path.is_file():
        return Undefined(reason=f"{path.name}: no such file")
    with tempfile.TemporaryDirectory(prefix="engine-blend-") as folder:
        process = subprocess.Popen(  # noqa: S603  # our own module
            [*_WORKER, str(path.resolve())],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env={**os.environ, "TMPDIR": folder, "BLENDER_USER_RESOURCES": folder},  # noqa: TID251  # handed on, not read
            start_new_session=True,
        )
        try:
            answer, _ = process.communicate(timeout=seconds)
        except subprocess.TimeoutExpired:
            return Undefined(reason=f"{path.name}: loading took more than {seconds:g} s")
        finally:
            # Until it is waited for, its number cannot be given to a stranger.
            if process.returncode is None:
                os.killpg(process.pid, signal.SIGKILL)
                process.communicate()
    if process.returncode == -signal.SIGKILL:
        raise WorkerError(f"{path}: the process that loads it was killed")
    return _read_answer(path, answer, process.returncode)


def _read_answer(path: Path, answer: bytes, code: int) -> BlendContents | Undefined:
    try:
        said = json.loads(answer)
    except ValueError:
        return Undefined(reason=f"{path.name}: Blender ended with code {code} while loading it")
    if "unavailable" in said:
        raise MissingExtraError(f"bpy cannot be loaded: {said['unavailable']}")
    if "problem" in said:
        return Undefined(reason=f"{path.name}: {said['problem']}")
    return BlendContents(int(said["triangles"]), bool(said["has_camera"]))
