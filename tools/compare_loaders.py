"""Loads every .glb below a folder with our reader, trimesh and Blender and compares their bounds.

    python -m tools.compare_loaders STATES [--loaders trimesh,blender]

Prints one JSON document. Bounds are world bounds of vertices that faces use, compared to 1e-6 of our diagonal. What a
loader is known not to do is listed under `excused` with its reason, not under `mismatches`: Blender drops degenerate
and repeated faces on import and holds poses in float32; trimesh reads no sparse accessors and does not scale normalized
integers. With both loaders, a file that no loader reads as we do is always a mismatch. Exit 1 on a mismatch, 2 when
there is nothing to compare.
"""

from __future__ import annotations

import argparse
import json
import math
import selectors
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import trimesh
from numpy.typing import NDArray

from engine.gltf.document import Document, read_document
from engine.gltf.parts import read_part
from engine.surfaces import Surface
from schemas.errors import EngineError

TOLERANCE = 1e-6
"""Largest allowed difference of a bound, as a share of our diagonal."""
LOADERS = ("trimesh", "blender")
FLOAT32_STEP = 2.0**-23
FILE_SECONDS = 120.0
WORKER = Path(__file__).with_name("blender_bounds.py")


class Bounds(NamedTuple):
    """A box in glTF axes and the units of the file."""

    low: tuple[float, ...]
    high: tuple[float, ...]


class Ours(NamedTuple):
    """What our reader says of a file."""

    bounds: Bounds
    plain: Bounds
    """Without degenerate and repeated faces."""
    beyond: dict[str, str]
    """Loaders that cannot read the file as it is meant, with the reason."""


Measure = Callable[[Path], "Bounds | str"]
"""Bounds of a file, or why there are none."""


def measure_ours(file: Path) -> Ours | str:
    """Bounds of a file by our reader, or why there are none."""
    try:
        document = read_document(file)
        model = read_part(document, None)
    except EngineError as error:
        return str(error)
    every = [surface.positions[np.unique(surface.faces)] for surface in model.surfaces]
    plain = [surface.positions[np.unique(_plain_faces(surface))] for surface in model.surfaces]
    if not any(map(len, plain)):
        return "no face with three different vertices"
    bounds = _box(np.concatenate(every))
    return Ours(bounds, _box(np.concatenate(plain)), _find_limits(document, bounds))


def _find_limits(document: Document, bounds: Bounds) -> dict[str, str]:
    """What is in a file that a loader is known not to read."""
    limits = {}
    accessors = document.json.get("accessors", [])
    if any(entry.get("normalized") and entry["type"] == "VEC3" for entry in accessors):
        limits["trimesh"] = "it does not scale normalized integers"
    if any("sparse" in entry for entry in accessors):
        limits["trimesh"] = "it reads no sparse accessors"
    rounding = FLOAT32_STEP * max(map(abs, (*bounds.low, *bounds.high)))
    if rounding > TOLERANCE * math.dist(bounds.low, bounds.high):
        limits["blender"] = "so small or far from the origin that float32 cannot hold it to the tolerance"
    return limits


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
    rows: list[dict[str, Any]] = []
    with open_loaders(names) as loaders:
        for file in files:
            rows += _compare_file(file, file.relative_to(folder).as_posix(), loaders)
    agreed = [row for row in rows if row["verdict"] == "agrees"]
    return {
        "files": len(files),
        "compared": {name: sum(row["loader"] == name and "theirs" in row for row in rows) for name in names},
        "largest_accepted_difference_rel": {
            name: max((row["difference_rel"] for row in agreed if row["loader"] == name), default=0.0) for name in names
        },
        "excused": [row for row in rows if row["verdict"] == "excused"],
        "mismatches": [row for row in rows if row["verdict"] == "differs"],
    }


def _compare_file(file: Path, label: str, loaders: dict[str, Measure]) -> list[dict[str, Any]]:
    """One row per loader; `verdict` is agrees, excused or differs."""
    ours = measure_ours(file)
    if isinstance(ours, str):
        return [{"file": label, "loader": "ours", "problem": ours, "verdict": "differs"}]
    rows: list[dict[str, Any]] = []
    for name, measure in loaders.items():
        theirs = measure(file)
        row: dict[str, Any] = {"file": label, "loader": name, "verdict": "differs"}
        if isinstance(theirs, str):
            rows.append({**row, "problem": theirs})
            continue
        row |= {"ours": ours.bounds, "theirs": theirs, "difference_rel": _difference(ours.bounds, theirs)}
        if row["difference_rel"] <= TOLERANCE:
            row["verdict"] = "agrees"
        elif name == "blender" and _difference(ours.plain, theirs) <= TOLERANCE:
            row |= {"verdict": "excused", "reason": "only degenerate or repeated faces use the outermost vertex"}
        elif name in ours.beyond:
            row |= {"verdict": "excused", "reason": ours.beyond[name]}
        rows.append(row)
    if len(rows) > 1 and not any(row["verdict"] == "agrees" for row in rows):
        return [{**row, "verdict": "differs"} for row in rows]
    return rows


def _difference(ours: Bounds, theirs: Bounds) -> float:
    """Largest difference of a bound, as a share of our diagonal."""
    pairs = zip((*ours.low, *ours.high), (*theirs.low, *theirs.high), strict=True)
    difference = max(abs(a - b) for a, b in pairs)
    diagonal = math.dist(ours.low, ours.high)
    return difference / diagonal if diagonal else difference


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
