"""Measured ratios, side by side in one run: `python -m tools.bench [NAME ...] [--json FILE]`.

Every row times two ways of doing a job alternately in one process and reports both medians and their ratio. Nothing is
asserted here: figures belong to a machine. The rows `turns` and `growth` need real parts (`--real`) and must be asked
for.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from tools.grown_hosts import Size
from tools.timing import Row, alternate, time_spin

GROWN = (Size(1, 100_000), Size(4, 300_000), Size(11, 990_000))
"""30 parts and 100 k triangles, and the same host 4 and 11 times as large."""


PICTURE_ROWS = {
    "pictures": "bench_pictures",
    "picture-memory": "bench_picture_memory",
    "picture-workers": "bench_picture_workers",
}
"""Names of rows, and the function of tools.bench_pictures that measures them; they need the extra `blender`."""

SCORE_ROWS = {
    "score": "bench_score",
    "score-pictures": "bench_score_pictures",
    "score-workers": "bench_score_workers",
}
"""Names of rows, and the function of tools.bench_scores that measures them."""

BUILT = 48
"""Chains of the build that is scaled: three waves."""


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
    paths = replayer.paths_of(state)
    poses = [piece.world_from_part for piece in state.pieces for _ in piece.parts]

    opened = iter([Replayer(largest, library) for _ in range(40)])

    def ours() -> object:
        result = next(opened).turn(turn)
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

    def all_states() -> object:
        fresh = Replayer(largest, library)
        for entry in fresh.turns():
            write_atomic(folder / f"state{entry.turn}.glb", entry.glb)
        return None

    blobs = [(entry.glb, replayer.paths_of(entry.state)) for entry in replayer.turns()]

    def copy_all() -> object:
        for number, (data, files) in enumerate(blobs):
            for path in files:
                hashlib.sha256(path.read_bytes()).hexdigest()
            write_durably(folder / f"copy{number}.glb", data)
        return None

    label = f"{len(paths)} parts, {size / 1e6:.2f} MB"
    mine, copied = alternate(all_states, copy_all, 9)
    rows.append(Row(f"replay all {len(blobs)} states of a chain against copying each", mine, copied, "<= 2 x"))
    mine, copied = alternate(ours, copy, 21)
    rows.append(Row(f"replay one cold state, log and index open, against copying ({label})", mine, copied, "<= 2 x"))
    mine, theirs = alternate(ours, with_trimesh, 7)
    rows.append(Row(f"replay one state against trimesh ({label})", mine, theirs, "<= 0.05 x (20 times faster)"))
    return rows


def bench_gap() -> list[Row]:
    """Exact gap of two parts of 50 k triangles, hierarchies included, against python-fcl."""
    import fcl
    import trimesh

    from engine.geometry.bvh import build_bvh
    from engine.geometry.distance import measure_gap

    one = trimesh.creation.uv_sphere(radius=1.0, count=[113, 112])
    vertices, faces = np.asarray(one.vertices, dtype=np.float64), np.asarray(one.faces, dtype=np.int64)
    moved = vertices + np.array([1.7, 1.3, 0.4])

    def ours() -> float:
        return float(measure_gap(build_bvh(vertices, faces), build_bvh(moved, faces)).distance)

    def with_fcl() -> float:
        objects = []
        for points in (vertices, moved):
            model = fcl.BVHModel()
            model.beginModel(len(points), len(faces))
            model.addSubModel(points, faces)
            model.endModel()
            objects.append(fcl.CollisionObject(model, fcl.Transform()))
        return float(fcl.distance(objects[0], objects[1], fcl.DistanceRequest(), fcl.DistanceResult()))

    mine, theirs = alternate(ours, with_fcl, 9)
    error = abs(ours() - with_fcl()) / float(np.sqrt(12.0))
    return [Row(f"gap of two parts of {len(faces)} triangles (difference {error:.1e} of D)", mine, theirs, "<= 100 ms")]


def bench_voxels() -> list[Row]:
    """64^3 surface voxels of 100 k triangles."""
    import trimesh

    from engine.geometry.voxels import voxelise_surface

    mesh = trimesh.creation.uv_sphere(radius=1.0, count=[159, 158])
    vertices, faces = np.asarray(mesh.vertices, dtype=np.float64), np.asarray(mesh.faces, dtype=np.int64)
    cell = 2.0 / 60.5
    origin = np.full(3, -32.0 * cell)
    mine, _ = alternate(lambda: voxelise_surface(vertices, faces, origin, cell, (64, 64, 64)), None, 21)
    return [Row(f"64^3 surface voxels of {len(faces)} triangles", mine, None, "<= 50 ms")]


def bench_build(library: Path, slots: Path, folder: Path) -> list[Row]:
    """Seconds per accepted turn of a build in one process, after one chain to warm up; peak memory in the name."""
    import resource

    from engine.building import BuildOrder, build_chains
    from schemas.codec import read_record
    from schemas.events import ChainBuilt
    from schemas.part import SlotRegistry
    from schemas.placement import Limits

    registry = read_record(SlotRegistry, slots)
    hosts = [entry.host for entry in registry.hosts]
    order = BuildOrder(library, folder / "chains", hosts, ("G",), 5, Limits(), chains=8, workers=1)
    times: list[float] = []
    start = time.perf_counter()
    for event in build_chains(order):
        seconds = time.perf_counter() - start
        if isinstance(event, ChainBuilt):
            times.extend([seconds / event.turns] * event.turns)
        start = time.perf_counter()
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    return [Row(f"build, per accepted turn (peak {peak:.0f} MiB)", times[3:], None, "median <= 1 s, p90 <= 3 s")]


def bench_contacts() -> list[Row]:
    """Contact pairs of 500 boxes on a grid with gaps of 0.2, by comparing all boxes."""
    from engine.geometry.contacts import contact_pairs
    from engine.geometry.overlap import build_solid, place_solid

    corners = np.array([[x, y, z] for x in (0.0, 0.8) for y in (0.0, 0.8) for z in (0.0, 0.8)])
    sides = [(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)]
    faces = np.array([[q[0], q[a], q[b]] for q in sides for a, b in ((1, 2), (2, 3))], dtype=np.int64)
    solid = build_solid(corners, faces)
    placed = []
    for index in range(500):
        pose = np.eye(4)
        pose[:3, 3] = (index % 10, index // 10 % 10, index // 100)
        placed.append(place_solid(solid, pose))
    mine, _ = alternate(lambda: contact_pairs(placed, 0.3), None, 5)
    return [Row(f"contact pairs of 500 parts ({len(contact_pairs(placed, 0.3))} found)", mine, None, "-")]


def bench_workers(library: Path, slots: Path, folder: Path) -> list[Row]:
    """Two workers against one, beside a calibrator that only spins: what this machine gives two processes."""
    import resource
    import shutil

    from chains.files import list_chains
    from engine.building import BuildOrder, build_chains
    from engine.verify import verify_files
    from schemas.codec import read_record
    from schemas.part import SlotRegistry
    from schemas.placement import Limits

    hosts = [entry.host for entry in read_record(SlotRegistry, slots).hosts]

    def build(workers: int) -> float:
        out = folder / f"build{workers}"
        shutil.rmtree(out, ignore_errors=True)
        start = time.perf_counter()
        order = BuildOrder(library, out, hosts, ("A", "M", "G", "X"), 5, Limits(), chains=BUILT, workers=workers)
        list(build_chains(order))
        return time.perf_counter() - start

    def verify(workers: int) -> float:
        paths = list_chains(folder / "build1") * 2
        start = time.perf_counter()
        list(verify_files(paths, library, workers=workers))
        return time.perf_counter() - start

    rows = []
    build(2)
    peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
    named = f"build of {BUILT} chains, at most {peak:.0f} MiB a worker"
    for name, job in ((named, build), ("verify", verify), ("spin calibrator", time_spin)):
        job(1)
        times = [(job(2), job(1)) for _ in range(3)]
        rows.append(
            Row(f"{name}: two workers over one", [two for two, _ in times], [one for _, one in times], "<= 0.56 x")
        )
    return rows


def bench_turns(real: Path, folder: Path, sizes: Sequence[Size]) -> list[Row]:
    """Seconds per accepted turn on a real host made larger, in a process of its own; peak memory in the name."""
    import subprocess
    import sys

    from engine.placement.survey import PlacementSurveyor
    from library_index.build import build_library
    from library_index.embedding import load_embedder
    from tools.grown_hosts import write_grown_library

    rows = []
    for size in sizes:
        place = folder / f"grown{size.copies}"
        host = write_grown_library(real, place / "source", size, others=12)
        index = place / "index"
        build_library(
            place / "source",
            index,
            surveyor=PlacementSurveyor(),
            embedder=load_embedder("hashing"),
            workers=1,
            library_id="grown",
        )
        command = [sys.executable, "-m", "tools.bench_turns", str(index), host, str(place / "out")]
        done = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
        name = f"turn on {done['parts']} parts, {done['triangles']} triangles (peak {done['peak_mib']:.0f} MiB)"
        target = "median <= 1 s, p90 <= 3 s, <= 1 GiB" if size.copies == 1 else "growth"
        rows.append(Row(name, done["seconds"], None, target))
    return rows


def main() -> None:
    """Run the asked rows, print a table, write JSON when asked."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "names",
        nargs="*",
        default=["replay", "gap", "voxels", "contacts", "build", "workers", *SCORE_ROWS, *PICTURE_ROWS],
    )
    parser.add_argument("--data", type=Path, default=Path("data"), help="folder that `make chains` filled")
    parser.add_argument(
        "--real", type=Path, default=Path("../shared/data/partverse_dev"), help="real parts: turns, growth"
    )
    parser.add_argument("--json", type=Path)
    asked = parser.parse_args()
    rows: list[Row] = []
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        data = asked.data.resolve()
        for job in asked.names:
            if job == "replay":
                rows.extend(bench_replay(data / "library", data / "chains", folder))
            elif job == "gap":
                rows.extend(bench_gap())
            elif job == "voxels":
                rows.extend(bench_voxels())
            elif job == "contacts":
                rows.extend(bench_contacts())
            elif job in PICTURE_ROWS:
                from tools import bench_pictures

                rows.extend(getattr(bench_pictures, PICTURE_ROWS[job])(data / "library", data / "chains", folder))
            elif job in SCORE_ROWS:
                from tools import bench_scores

                rows.extend(getattr(bench_scores, SCORE_ROWS[job])(data / "library", data / "chains", folder))
            elif job == "workers":
                rows.extend(bench_workers(data / "library", data / "slots.json", folder))
            elif job in {"turns", "growth"}:
                rows.extend(bench_turns(asked.real.resolve(), folder, GROWN if job == "growth" else GROWN[:1]))
            elif job == "build":
                rows.extend(bench_build(data / "library", data / "slots.json", folder))
            else:
                parser.error(f"unknown row {job!r}")
    for row in rows:
        print(json.dumps(row.document()))
    if asked.json:
        asked.json.write_text(json.dumps([row.document() for row in rows], indent=2) + "\n", "utf-8")


if __name__ == "__main__":
    main()
