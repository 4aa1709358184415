"""Rows about pictures: a preview, a metric image and an update against a conditioning image, memory, workers."""

from __future__ import annotations

import shutil
import time
from collections.abc import Sequence
from pathlib import Path

from chains.files import list_chains
from chains.state import states_of
from engine.framing import Camera, camera_of
from engine.pictures.pieces import StatePieces
from engine.pictures.runs import RenderOrder, plan_runs, render_runs
from engine.pictures.states import PictureChoice
from engine.render.cycles.client import CyclesRenderer, WorkerLimits
from engine.render.passes import render_passes
from engine.render.raycast import render, update_picture
from engine.render.scene import PieceCache, RenderScene, build_scene
from engine.replay import Replayer
from schemas.chain import Rig
from schemas.errors import InputError
from schemas.pictures import CyclesSettings
from tools.timing import Row, alternate

SIZE = 512
MEMORY_STATES = 300
RUNS = 2


def bench_pictures(library: Path, chains: Path, folder: Path) -> list[Row]:
    """One view of a state of the chain with the largest log, drawn in every way, each beside Cycles."""
    path = max(list_chains(chains), key=lambda entry: entry.stat().st_size)
    replayer = Replayer(path, library)
    scenes, camera = _open_scenes(replayer, path)
    glb = replayer.turn(0, bake=True).glb
    whole, after = scenes[0], scenes[1]
    picture = render(whole, camera, SIZE, 4)
    rows = []
    with CyclesRenderer() as cycles:

        def with_cycles() -> object:
            return cycles.render(glb, [camera], SIZE, [folder / "view.png"])

        jobs = {
            "preview, 1 ray a pixel": lambda: render(whole, camera, SIZE, 1),
            "metric image, 16 rays a pixel": lambda: render(whole, camera, SIZE, 4),
            "metric image of the next state": lambda: update_picture(picture, whole, after, camera, 4),
            "ids, depth, normals, masks": lambda: render_passes(whole, camera, SIZE, picture[..., 3]),
        }
        for name, job in jobs.items():
            mine, theirs = alternate(job, with_cycles, 5)
            target = "<= 0.05 x (20 times faster)" if name.startswith("preview") else "-"
            rows.append(Row(f"{name}, one view of {SIZE} px, against a conditioning image", mine, theirs, target))
        four = [camera_of(_rig(replayer, path), view) for view in range(4)]
        files = [folder / f"view{view}.png" for view in range(4)]
        mine, _ = alternate(lambda: cycles.render(glb, four, SIZE, files), None, 5)
        rows.append(Row("conditioning images of one state, 4 views", mine, None, "-"))
    return rows


def bench_picture_memory(library: Path, chains: Path, folder: Path) -> list[Row]:
    """Seconds of 300 states in a row, small and with few paths; the most memory a worker held is in the name."""
    blobs: list[bytes] = []
    paths = list_chains(chains)
    for path in paths:
        blobs.extend(state.glb for state in Replayer(path, library).turns(bake=True))
        if len(blobs) >= MEMORY_STATES:
            break
    camera = camera_of(_rig(Replayer(paths[0], library), paths[0]), 0)
    seconds, held, pids = [], [], set()
    with CyclesRenderer(CyclesSettings(samples=1, denoise=False), WorkerLimits()) as cycles:
        for number in range(MEMORY_STATES):
            start = time.perf_counter()
            cycles.render(blobs[number % len(blobs)], [camera], 64, [folder / "small.png"])
            seconds.append(time.perf_counter() - start)
            held.append(cycles.rss_mib)
            pids.add(cycles.worker_pid)
    name = f"{MEMORY_STATES} small states in a row: {len(pids - {None})} workers, at most {max(held):.0f} of 1536 MiB"
    return [Row(name, seconds, None, "-")]


def bench_picture_workers(library: Path, chains: Path, folder: Path) -> list[Row]:
    """Two workers over one: metric images of eight chains, conditioning images of four states."""
    rows = []
    for name, kind, count, turns in (
        ("metric images of 8 chains", "metric", 8, None),
        ("conditioning images of 4 hosts, one Cycles thread a worker", "conditioning", 4, (0,)),
    ):
        paths = list_chains(chains)[:count]
        choice = PictureChoice(frozenset({kind}), (0, 1, 2, 3), SIZE)  # type: ignore[arg-type]  # one of two kinds
        times: dict[int, list[float]] = {1: [], 2: []}
        for workers in (1, 2) * RUNS:
            out = folder / f"{kind}{workers}"
            shutil.rmtree(out, ignore_errors=True)
            order = RenderOrder(library, out, choice, turns, workers, cycles_threads=1)
            start = time.perf_counter()
            done = list(render_runs(plan_runs(paths, turns), order))
            times[workers].append(time.perf_counter() - start)
            failures = [failure for run in done for failure in run.failures]
            if failures:
                raise InputError(f"{failures[0].chain}: {failures[0].message}")
        rows.append(
            Row(f"{name}: two workers over one", times[2], times[1], "<= 0.56 x or 0.9 of the spin (`workers`)")
        )
    return rows


def _open_scenes(replayer: Replayer, path: Path) -> tuple[Sequence[RenderScene], Camera]:
    """The first two states of a chain, from one cache, and its conditioning camera."""
    pieces, cache = StatePieces(replayer.assembler, str(path)), PieceCache()
    states = [state for _, state in states_of(replayer.chain)][:2]
    scenes = [build_scene(pieces.of(number, state), cache) for number, state in enumerate(states)]
    return scenes, camera_of(_rig(replayer, path), 0)


def _rig(replayer: Replayer, path: Path) -> Rig:
    rig = replayer.chain.rig
    if rig is None:
        raise InputError(f"{path}: has no rig, see `engine frame`")
    return rig
