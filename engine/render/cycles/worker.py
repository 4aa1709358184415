"""The process that renders: requests on standard input, answers on standard output.

Blender's own words go to the error stream. Start it as `python -m engine.render.cycles.worker`; it ends with its input
or its parent.

The only module that imports `bpy`: its licence, its threads, its folders and its crashes stay in here.
"""

from __future__ import annotations

import ctypes
import os
import resource
import signal
import sys
import time
from itertools import pairwise
from pathlib import Path
from typing import Any, BinaryIO

from pydantic import ValidationError

from engine.render.cycles.imported import read_state
from engine.render.cycles.light import LIGHT_VERSION
from engine.render.cycles.protocol import (
    Ready,
    Refused,
    Rendered,
    RenderRequest,
    Unavailable,
    View,
    read_request,
    write_line,
)
from engine.render.cycles.stage import Home, StateError, bring_home, let_touching_faces_pass, set_camera, set_stage
from schemas.base import Value

PR_SET_PDEATHSIG = 1
FRESH = ".new.png"


def main() -> None:
    """Answer requests until the input ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    _end_with_parent(os.getppid())
    answers = _keep_output()
    try:
        import bpy  # an extra, and only this process pays for it
    except ImportError as error:
        _send(answers, Unavailable(reason=str(error)))
        return
    _send(answers, Ready(blender=bpy.app.version_string))
    for line in sys.stdin.buffer:
        _send(answers, _answer(bpy, line))


def _keep_output() -> BinaryIO:
    """Keep standard output for answers; whatever else is printed, also by C code, goes to the error stream."""
    answers = os.fdopen(os.dup(1), "wb", buffering=0)
    os.dup2(2, 1)
    return answers


def _end_with_parent(parent: int) -> None:
    """Have the kernel end this process when the thread that started it ends; Linux only."""
    if sys.platform != "linux":
        return
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != parent:  # it ended before the call
        sys.exit(1)


def _send(answers: BinaryIO, record: Value) -> None:
    answers.write(write_line(record))


def _answer(bpy: Any, line: bytes) -> Value:
    try:
        request = read_request(line)
    except ValidationError as error:
        return Refused(id=0, what=str(error)[:1000], where="the request")
    try:
        return _render(bpy, request)
    except StateError as error:
        return Refused(id=request.id, what=error.what, where=error.where)


def _render(bpy: Any, request: RenderRequest) -> Rendered:
    if bpy.app.version_string != request.settings.blender:
        what = f"bpy is {bpy.app.version_string}, the settings say {request.settings.blender}"
        raise StateError("settings", what)
    if request.settings.light != LIGHT_VERSION:
        raise StateError("settings", f"the light is {LIGHT_VERSION}, the settings say {request.settings.light}")
    start = time.monotonic()
    notes = read_state(bpy, Path(request.state), non_metallic=request.settings.non_metallic)
    home = bring_home(bpy)
    let_touching_faces_pass(bpy)
    set_stage(bpy, request)
    marks = [start, time.monotonic()]
    for view in request.views:
        _render_view(bpy, view, home)
        marks.append(time.monotonic())
    spent = [after - before for before, after in pairwise(marks)]
    return Rendered(
        id=request.id, import_s=spent[0], view_s=tuple(spent[1:]), rss_mib=_most_memory_mib(), notes=tuple(notes)
    )


def _render_view(bpy: Any, view: View, home: Home) -> None:
    set_camera(bpy, view.camera, home)
    fresh = Path(view.path + FRESH)
    bpy.context.scene.render.filepath = str(fresh)
    try:
        done = bpy.ops.render.render(write_still=True)
    except RuntimeError as error:
        raise StateError(view.path, str(error).strip()[:1000]) from error
    if done != {"FINISHED"} or not fresh.is_file():
        raise StateError(view.path, f"Blender ended with {sorted(done)} and wrote {fresh.is_file()}")
    fresh.replace(view.path)


def _most_memory_mib() -> float:
    """The most memory this process has held; `getrusage` alone would count what its parent held before it started."""
    status = Path("/proc/self/status")
    if status.is_file():
        for line in status.read_text("ascii").splitlines():
            if line.startswith("VmHWM:"):
                return int(line.split()[1]) / 1024.0
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak / (1024.0 if sys.platform == "linux" else 1024.0 * 1024.0)


if __name__ == "__main__":
    main()
