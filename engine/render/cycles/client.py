"""Conditioning images of states: the side that never loads Blender.

`CyclesRenderer` keeps one worker process. The same state, cameras, size and settings give the same bytes on one
machine, in any process, with any number of threads, after any other states; on another processor a few pixels may
differ.
"""

from __future__ import annotations

import io
import logging
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Self

import numpy as np
from PIL import Image
from pydantic import ValidationError

from chains.storage import write_atomic
from engine.framing import Camera
from engine.render.cycles.png_file import strip_png
from engine.render.cycles.protocol import CameraView, Refused, Rendered, RenderRequest, View
from engine.render.cycles.worker_process import WORKER, BrokenWorkerError, WorkerProcess, find_bpy
from engine.render.raycast import hash_picture
from schemas.errors import InputError, RenderError, WorkerError
from schemas.pictures import CyclesSettings

ATTEMPTS = 2
"""A state whose worker died is given to a fresh worker once."""

_LOG = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class WorkerLimits:
    """How a worker may live; nothing here changes a pixel."""

    threads: int = 1
    start_s: float = 120.0
    state_s: float = 600.0
    """For reading a state and all its views."""
    states: int = 200
    """A worker is replaced after as many,"""
    rss_mib: float = 1536.0
    """or once it has held as much memory."""


@dataclass(frozen=True, slots=True)
class RenderedImage:
    """One picture on disk."""

    path: Path
    sha256: str
    """Of the decoded pixels, as `engine.render.raycast.hash_picture` gives it."""
    seconds: float
    """Time of this view alone; for logs and benchmarks, never for records."""


class CyclesRenderer:
    """Renders states in a worker process that is started when needed and ends with the `with` block.

    Use it from the thread that made it: the worker ends when that thread does. Raises MissingExtraError when the
    extra is not installed. `command` puts another program in the worker's place; temporary files lie below `folder`,
    else where the system has them.
    """

    def __init__(
        self,
        settings: CyclesSettings | None = None,
        limits: WorkerLimits | None = None,
        *,
        command: Sequence[str] | None = None,
        folder: Path | None = None,
    ) -> None:
        if command is None:
            find_bpy()
        self.settings = settings or CyclesSettings()
        self.limits = limits or WorkerLimits()
        self.rss_mib = 0.0
        """The most memory the present or else the last worker has held."""
        self._command = tuple(command or WORKER)
        self._folder = folder
        self._worker: WorkerProcess | None = None
        self._states = 0
        self._asked = 0

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """End the worker; a later `render` starts another."""
        if self._worker is not None:
            self._worker.kill()
        self._worker = None
        self._states = 0

    @property
    def worker_pid(self) -> int | None:
        """Process id of the present worker; None before the first state and after a replacement is due."""
        return None if self._worker is None else self._worker.pid

    def render(
        self, glb: bytes, cameras: Sequence[Camera], size: int, out: Sequence[Path]
    ) -> tuple[RenderedImage, ...]:
        """Draw a state from each camera into the PNG file beside it: `size` x `size` RGBA, background all zero.

        `glb` is a file of the composer in glTF axes; one with sheared matrices is refused and must be baked
        (`bake_state`). Files appear only complete, and none appears unless all views succeed. Raises RenderError when
        the state cannot be drawn, WorkerError when a worker took too long or two died of it, OutputError when a file
        cannot be written, InputError for cameras and sizes out of bounds, and MissingExtraError when Blender cannot
        be loaded.
        """
        if not cameras or len(cameras) != len(out):
            raise ValueError(f"{len(cameras)} cameras for {len(out)} files")
        pictures: list[tuple[bytes, str]] = []
        for attempt in range(1, ATTEMPTS + 1):
            try:
                answer, pictures = self._ask(glb, cameras, size)
                break
            except BrokenWorkerError as error:
                self.close()
                if attempt == ATTEMPTS:
                    raise WorkerError(f"{_name(out)}: Cycles worker {error}; {ATTEMPTS} times") from error
                _LOG.warning("%s: Cycles worker %s; trying once more", _name(out), error)
            except BaseException:
                # An unread answer would be taken for the next one's.
                self.close()
                raise
        if isinstance(answer, Refused):
            raise RenderError(f"{_name(out)}: {answer.where}: {answer.what}")
        for note in answer.notes:
            _LOG.warning("%s: %s", _name(out), note)
        for path, (data, _) in zip(out, pictures, strict=True):
            write_atomic(path, data)
        return tuple(
            RenderedImage(path, sha256, seconds)
            for path, (_, sha256), seconds in zip(out, pictures, answer.view_s, strict=True)
        )

    def _ask(
        self, glb: bytes, cameras: Sequence[Camera], size: int
    ) -> tuple[Rendered | Refused, list[tuple[bytes, str]]]:
        """The worker's answer and the bytes and hashes of its pictures."""
        worker = self._need_worker()
        self._asked += 1
        state = worker.folder / "state.glb"
        write_atomic(state, glb, durable=False)
        drawn = [worker.folder / f"view{index}.png" for index in range(len(cameras))]
        try:
            request = RenderRequest(
                id=self._asked,
                state=str(state),
                views=tuple(
                    View(path=str(path), camera=_view_of(camera)) for path, camera in zip(drawn, cameras, strict=True)
                ),
                size_px=size,
                settings=self.settings,
                threads=self.limits.threads,
            )
        except ValidationError as error:
            first = error.errors(include_url=False)[0]
            place = ".".join(map(str, first["loc"]))
            what = f"{place}: {first['msg']} (found {first['input']!r:.100})"
            raise InputError(f"a camera or size that cannot be used: {what}") from error
        answer = worker.ask(request, self.limits.state_s)
        pictures = []
        if isinstance(answer, Rendered):
            if len(answer.view_s) != len(drawn):
                raise BrokenWorkerError(f"says it drew {len(answer.view_s)} of {len(drawn)} views")
            pictures = [_collect(path, size) for path in drawn]
            self.rss_mib = answer.rss_mib
        self._states += 1
        if self._states >= self.limits.states or self.rss_mib > self.limits.rss_mib:
            self.close()
        return answer, pictures

    def _need_worker(self) -> WorkerProcess:
        if self._worker is None:
            self._worker = WorkerProcess(self._command, self._folder)
            self.rss_mib = 0.0
            self._worker.wait_until_ready(self.limits.start_s)
        return self._worker


def _collect(path: Path, size: int) -> tuple[bytes, str]:
    """Read, check and delete a picture of the worker: its bytes and the hash of its pixels."""
    try:
        data = strip_png(path.read_bytes())
        path.unlink()
        with Image.open(io.BytesIO(data), formats=("PNG",)) as image:
            pixels = np.asarray(image)
    except (OSError, ValueError, SyntaxError) as error:
        raise BrokenWorkerError(f"left no picture at {path.name}: {error}") from error
    if pixels.shape != (size, size, 4) or pixels.dtype != np.uint8:
        raise BrokenWorkerError(f"left a picture of shape {pixels.shape} instead of {size} x {size} RGBA")
    return data, hash_picture(pixels)


def _view_of(camera: Camera) -> CameraView:
    return CameraView(
        position=camera.position,
        right=camera.right,
        up=camera.up,
        forward=camera.forward,
        tan_half=camera.tan_half,
    )


def _name(out: Sequence[Path]) -> str:
    return str(out[0])
