"""Loads every .glb below a folder with our reader, trimesh and Blender and compares their bounds.

    python -m tools.compare_loaders STATES [--loaders trimesh,blender]

Prints one JSON document. Bounds are world bounds of vertices that faces use, compared to 1e-6 of our diagonal. Blender
drops degenerate and repeated faces on import, so a vertex that only such faces use is missing there: a file whose
Blender bounds equal ours without those faces is listed under `dropped_faces`, not under `mismatches`. Exit 1 on a
mismatch, 2 when there is nothing to compare.
"""

from __future__ import annotations

import argparse
import json
import math
import selectors
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import trimesh
from numpy.typing import NDArray

from engine.gltf.document import read_document
from engine.gltf.parts import read_part
from engine.surfaces import Surface
from schemas.errors import EngineError

TOLERANCE = 1e-6
"""Largest allowed difference of a bound, as a share of our diagonal."""
LOADERS = ("trimesh", "blender")
FILE_SECONDS = 120.0
WORKER = Path(__file__).with_name("blender_bounds.py")


class Bounds(NamedTuple):
    """A box in glTF axes and the units of the file."""

    low: tuple[float, ...]
    high: tuple[float, ...]


Measure = Callable[[Path], "Bounds | str"]
"""Bounds of a file, or why there are none."""


def measure_ours(file: Path) -> tuple[Bounds, Bounds] | str:
    """Our bounds of a file: of all faces, and without degenerate and repeated ones."""
    try:
        model = read_part(read_document(file), None)
    except EngineError as error:
        return str(error)
    every = [surface.positions[np.unique(surface.faces)] for surface in model.surfaces]
    plain = [surface.positions[np.unique(_plain_faces(surface))] for surface in model.surfaces]
    if not any(map(len, plain)):
        return "no face with three different vertices"
    return _box(np.concatenate(every)), _box(np.concatenate(plain))


def measure_trimesh(file: Path) -> Bounds | str:
    """Bounds of a file as trimesh loads it."""
    scene = trimesh.load(file, process=False)
    if not isinstance(scene, trimesh.Scene):
        return f"loaded as {type(scene).__name__}"
    points = []
    for node in sorted(scene.graph.nodes_geometry):
        matrix, name = scene.graph[node]
        mesh = scene.geometry[name]
        if isinstance(mesh, trimesh.Trimesh):
            used = mesh.vertices[np.unique(mesh.faces)]
            points.append((used[:, None, :] * matrix[None, :3, :3]).sum(axis=2) + matrix[:3, 3])
    return _box(np.concatenate(points)) if points else "no triangle mesh was loaded"


class Blender:
    """Blender in one worker process, started again after a file that ended it."""

    def __init__(self) -> None:
        self._process: subprocess.Popen[str] | None = None

    def measure(self, file: Path) -> Bounds | str:
        """Bounds of a file as Blender imports it."""
        process = self._process or self._start()
        assert process.stdin is not None  # noqa: S101  # both are pipes
        assert process.stdout is not None  # noqa: S101
        process.stdin.write(json.dumps({"file": str(file.resolve())}) + "\n")
        process.stdin.flush()
        with selectors.DefaultSelector() as selector:
            selector.register(process.stdout, selectors.EVENT_READ)
            line = process.stdout.readline() if selector.select(FILE_SECONDS) else None
        if not line:
            self.close()
            return f"no answer within {FILE_SECONDS:.0f} s" if line is None else "the worker died"
        answer = json.loads(line)
        return answer["error"] if "error" in answer else Bounds(tuple(answer["low"]), tuple(answer["high"]))

    def close(self) -> None:
        """End the worker."""
        if self._process is not None:
            self._process.kill()
            self._process.communicate()
            self._process = None

    def _start(self) -> subprocess.Popen[str]:
        self._process = subprocess.Popen(
            [sys.executable, str(WORKER)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )
        return self._process


@contextmanager
def open_loaders(names: tuple[str, ...]) -> Iterator[dict[str, Measure]]:
    """The named loaders, ready to measure files one after the other."""
    blender = Blender()
    known: dict[str, Measure] = {"trimesh": measure_trimesh, "blender": blender.measure}
    try:
        yield {name: known[name] for name in names}
    finally:
        blender.close()


def compare_folder(folder: Path, names: tuple[str, ...] = LOADERS) -> dict[str, Any]:
    """Compare every .glb below a folder; the report that `main` prints."""
    files = sorted(folder.rglob("*.glb"))
    mismatches: list[dict[str, Any]] = []
    dropped: list[dict[str, Any]] = []
    compared = dict.fromkeys(names, 0)
    worst = dict.fromkeys(names, 0.0)
    seconds = dict.fromkeys(names, 0.0)
    with open_loaders(names) as loaders:
        for file in files:
            label = file.relative_to(folder).as_posix()
            ours = measure_ours(file)
            if isinstance(ours, str):
                mismatches.append({"file": label, "loader": "ours", "problem": ours})
                continue
            for name, measure in loaders.items():
                started = time.perf_counter()
                theirs = measure(file)
                seconds[name] += time.perf_counter() - started
                if isinstance(theirs, str):
                    mismatches.append({"file": label, "loader": name, "problem": theirs})
                    continue
                compared[name] += 1
                row = _compare(label, name, ours[0], theirs)
                if row["difference_rel"] <= TOLERANCE:
                    worst[name] = max(worst[name], row["difference_rel"])
                elif name == "blender" and _compare(label, name, ours[1], theirs)["difference_rel"] <= TOLERANCE:
                    dropped.append({**row, "reason": "only degenerate or repeated faces use the outermost vertex"})
                else:
                    mismatches.append(row)
    return {
        "files": len(files),
        "compared": compared,
        "largest_accepted_difference_rel": worst,
        "seconds": {name: round(value, 1) for name, value in seconds.items()},
        "dropped_faces": dropped,
        "mismatches": mismatches,
    }


def _compare(file: str, loader: str, ours: Bounds, theirs: Bounds) -> dict[str, Any]:
    pairs = zip((*ours.low, *ours.high), (*theirs.low, *theirs.high), strict=True)
    diagonal = math.dist(ours.low, ours.high)
    difference = max(abs(a - b) for a, b in pairs)
    return {
        "file": file,
        "loader": loader,
        "difference_rel": difference / diagonal if diagonal else difference,
        "ours": [ours.low, ours.high],
        "theirs": [theirs.low, theirs.high],
    }


def _plain_faces(surface: Surface) -> NDArray[np.int64]:
    """Faces (F, 3) with three different vertices, each set of vertices once."""
    ordered = np.sort(surface.faces, axis=1)
    kept = ordered[(ordered[:, 0] != ordered[:, 1]) & (ordered[:, 1] != ordered[:, 2])]
    return np.asarray(np.unique(kept, axis=0), dtype=np.int64)


def _box(points: NDArray[np.float64]) -> Bounds:
    return Bounds(tuple(points.min(axis=0).tolist()), tuple(points.max(axis=0).tolist()))


def main() -> None:
    """Compare the loaders on the command line's folder."""
    parser = argparse.ArgumentParser(prog="compare_loaders", description="Compare bounds of .glb files over loaders.")
    parser.add_argument("states", type=Path, help="folder of .glb files")
    parser.add_argument("--loaders", default=",".join(LOADERS), help="which of trimesh,blender (default: both)")
    given = parser.parse_args()
    names = tuple(name for name in given.loaders.split(",") if name)
    if not names or not set(names) <= set(LOADERS):
        parser.error(f"--loaders: found {given.loaders!r}; known are {','.join(LOADERS)}")
    report = compare_folder(given.states, names)
    print(json.dumps(report, indent=1))
    if not report["files"]:
        sys.exit(2)
    sys.exit(1 if report["mismatches"] else 0)


if __name__ == "__main__":
    main()
