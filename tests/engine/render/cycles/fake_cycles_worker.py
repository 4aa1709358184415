"""A worker that loads no Blender and misbehaves as told: `python fake_cycles_worker.py MODE [COUNTER]`.

COUNTER is a file that counts the starts; a mode ending in `-once` misbehaves in the first process only.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from pathlib import Path

from PIL import Image


def main() -> None:
    """Speak the protocol, with the fault that the mode names."""
    mode, counter = sys.argv[1], Path(sys.argv[2]) if len(sys.argv) > 2 else None
    starts = 1
    if counter is not None:
        starts = int(counter.read_text() or 0) + 1 if counter.exists() else 1
        counter.write_text(str(starts))
    if mode.endswith("-once"):
        mode = mode.removesuffix("-once") if starts == 1 else "sound"
    sys.stderr.write("fake worker speaking\n" + "x" * 100_000 + "\nits last line\n")
    sys.stderr.flush()
    if mode == "unavailable":
        say({"kind": "unavailable", "reason": "libXi.so.6: cannot open shared object file"})
        return
    if mode == "dead-on-arrival":
        sys.exit(3)
    if mode == "never-ready":
        time.sleep(600)
    say({"kind": "ready", "blender": "0"})
    for number, line in enumerate(sys.stdin, start=1):
        answer(mode, json.loads(line), number, starts)


def answer(mode: str, request: dict[str, object], number: int, starts: int) -> None:
    """Answer one request, or fail to."""
    if mode == "garbage":
        sys.stdout.write("Fra:1 Mem:20M\n")
        sys.stdout.flush()
    elif mode == "exit":
        sys.exit(7)
    elif mode == "hang":
        child = subprocess.Popen(["sleep", "600"])
        Path(request["state"]).parent.joinpath("child").write_text(str(child.pid))  # type: ignore[arg-type]
        sys.stderr.write(f"child {child.pid}\n")
        sys.stderr.flush()
        time.sleep(600)
    elif mode == "refuse":
        say({"kind": "refused", "id": request["id"], "what": "no triangle", "where": "reading"})
    else:
        draw(mode, request)
        rss = 2000.0 if mode == "fat" else 10.0
        known = 99 if mode == "other-id" else request["id"]
        times = [0.5 for _ in request["views"]]  # type: ignore[attr-defined]
        note = f"process {os.getpid()}, start {starts}, state {number}, folder {os.environ['TMPDIR']}"  # noqa: TID251  # what it was given
        say({"kind": "rendered", "id": known, "import_s": 0.1, "view_s": times, "rss_mib": rss, "notes": [note]})


def draw(mode: str, request: dict[str, object]) -> None:
    """Write the pictures: of the wrong size, not at all, or as asked."""
    size = request["size_px"]
    assert isinstance(size, int)
    for view in request["views"]:  # type: ignore[attr-defined]
        if mode == "wrong-size":
            Image.new("RGBA", (size + 1, size)).save(view["path"])
        elif mode == "no-picture":
            continue
        else:
            Image.new("RGBA", (size, size), (1, 2, 3, 4)).save(view["path"])


def say(record: dict[str, object]) -> None:
    """Write one answer."""
    sys.stdout.write(json.dumps(record) + "\n")
    sys.stdout.flush()


main()
