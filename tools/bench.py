"""Measured ratios, side by side in one run: `python -m tools.bench [NAME ...] [--json FILE]`.

Every row times two ways of doing a job alternately in one process and reports both medians and their ratio. Nothing is
asserted here: figures belong to a machine, they are copied into docs/benchmarks.md with its name.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import statistics
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np

Job = Callable[[], object]


@dataclass(frozen=True, slots=True)
class Row:
    """One comparison: seconds of ours and of the other way, and what the ratio means."""

    name: str
    ours: list[float]
    other: list[float] | None
    target: str

    def document(self) -> dict[str, object]:
        """Medians in milliseconds, the ratio, the target."""
        ours = statistics.median(self.ours) * 1e3
        other = statistics.median(self.other) * 1e3 if self.other else None
        return {
            "job": self.name,
            "ours_ms": round(ours, 3),
            "p90_ms": round(float(np.quantile(self.ours, 0.9)) * 1e3, 3),
            "other_ms": round(other, 3) if other is not None else None,
            "ours_over_other": round(ours / other, 4) if other else None,
            "runs": len(self.ours),
            "target": self.target,
        }


def alternate(ours: Job, other: Job | None, runs: int) -> tuple[list[float], list[float] | None]:
    """Time both jobs in turn, after one untimed run of each."""
    ours()
    if other:
        other()
    times: tuple[list[float], list[float]] = ([], [])
    for _ in range(runs):
        for job, bucket in ((ours, times[0]), (other, times[1])):
            if job is None:
                continue
            start = time.perf_counter()
            job()
            bucket.append(time.perf_counter() - start)
    return times[0], times[1] if other else None


def write_durably(path: Path, data: bytes) -> None:
    """Write and fsync, as replay does."""
    with path.open("wb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())


def bench_replay(library: Path, chains: Path, folder: Path) -> list[Row]:
    """Replay one state against reading its parts and writing its bytes, and against loading and exporting it."""
    import trimesh

    from chains.files import list_chains
    from chains.storage import write_atomic
    from engine.replay import Replayer

    rows = []
    largest = max(list_chains(chains), key=lambda path: path.stat().st_size)
    replayer = Replayer(largest, library)
    turn = len(replayer.chain.turns)
    state = replayer.turn(turn).state
    paths = [replayer.part_path(ref) for piece in state.pieces for ref in piece.parts]
    poses = [piece.world_from_part for piece in state.pieces for _ in piece.parts]

    def ours() -> object:
        fresh = Replayer(largest, library)
        result = fresh.turn(turn)
        write_atomic(folder / "ours.glb", result.glb)
        return hashlib.sha256(result.glb).hexdigest()

    size = len(replayer.turn(turn).glb)
    blob = replayer.turn(turn).glb

    def copy() -> object:
        digests = [hashlib.sha256(path.read_bytes()).hexdigest() for path in paths]
        write_durably(folder / "copy.glb", blob)
        return digests, hashlib.sha256(blob).hexdigest()

    def with_trimesh() -> object:
        scene = trimesh.Scene()
        for path, pose in zip(paths, poses, strict=True):
            loaded = trimesh.load(path, process=False)
            loaded.apply_transform(np.array(pose).reshape(4, 4))
            meshes = loaded.geometry.values() if isinstance(loaded, trimesh.Scene) else [loaded]
            for mesh in meshes:
                scene.add_geometry(mesh)
        data = scene.export(file_type="glb")
        write_durably(folder / "trimesh.glb", data)
        return hashlib.sha256(data).hexdigest()

    label = f"{len(paths)} parts, {size / 1e6:.2f} MB"
    mine, copied = alternate(ours, copy, 21)
    rows.append(Row(f"replay one state against copying ({label})", mine, copied, "<= 2 x"))
    mine, theirs = alternate(ours, with_trimesh, 7)
    rows.append(Row(f"replay one state against trimesh ({label})", mine, theirs, "<= 0.05 x (20 times faster)"))
    return rows
