"""Rows about scores: one turn in space, one turn on pictures, two workers against one."""

from __future__ import annotations

import shutil
import time
from pathlib import Path

import numpy as np

from chains.files import list_chains, read_chain
from chains.state import states_of
from engine.replay import Replayer
from evaluator.metrics.turn_pictures import score_turn_pictures
from evaluator.outputs import output_path, read_rollout
from evaluator.own import DeliveredStates
from evaluator.pictures import ChainPictures, collect_views
from evaluator.protocol import PictureOptions, Protocol
from evaluator.score import score_turn
from evaluator.scoring import ScoreOrder, score_run
from evaluator.truth import ChainTruth
from library_index.library import Library, open_library
from schemas.errors import InputError
from tools.glb_bytes import place_glb
from tools.timing import Row, alternate, time_spin

TRIANGLES = 100_000
"""Of the state that is scored, as near as the chains have it."""
SHIFT_REL = 0.01
"""Outputs are the targets moved by this share of the frame's side: every cell, sample and pixel has to be compared."""
PASSES = 5
WORKER_CHAINS = 16
RUNS = 2


def bench_score(library: Path, chains: Path, folder: Path) -> list[Row]:
    """All scores in space of every turn of one chain, outputs read from files; opening the chain has a row of its own.

    The first pass is not timed: it loads what is compiled.
    """
    path, triangles = find_chain_of_size(open_library(library), chains, TRIANGLES)
    write_moved_outputs(path, library, folder / "run")
    opened, turns, sides = [], [], set()
    for number in range(PASSES + 1):
        start = time.perf_counter()
        truth = ChainTruth(path, library, Protocol())
        own = DeliveredStates(folder / "run", read_rollout(folder / "run", truth.chain), truth)
        # Read so that the frame's boxes are measured here and not in the first turn.
        sides.add(truth.frame.side)
        seconds = time.perf_counter() - start
        if number:
            opened.append(seconds)
        for turn in range(1, len(truth.chain.turns) + 1):
            start = time.perf_counter()
            score_turn(truth, turn, own.state(turn - 1), own.state(turn))
            if number:
                turns.append(time.perf_counter() - start)
    return [
        Row(f"score one turn in space, state of {triangles} triangles", turns, None, "<= 1 s"),
        Row("open that chain to score it: log, outputs checked, frame of all states", opened, None, "-"),
    ]


def bench_score_pictures(library: Path, chains: Path, folder: Path) -> list[Row]:
    """PSNR, SSIM, silhouettes and drift of four views of 512 px that lie there, decoding them or not."""
    path, _ = find_chain_of_size(open_library(library), chains, TRIANGLES)
    write_moved_outputs(path, library, folder / "run")
    options = PictureOptions()
    truth = ChainTruth(path, library, Protocol(pictures=options))
    own = DeliveredStates(folder / "run", read_rollout(folder / "run", truth.chain), truth)
    pictures = ChainPictures(truth, folder / "pictures", options)
    regions = pictures.edit_regions(1)
    given = collect_views(
        own.views(1, pictures), own.views(0, pictures), pictures.of_truth(1), pictures.of_truth(0), regions
    )
    op = truth.chain.turns[0].operation.op

    def measure() -> object:
        return score_turn_pictures(op, given)

    def decode() -> object:
        return pictures.of_truth(1), pictures.of_truth(0)

    times, decoding = alternate(measure, decode, 15)
    name = f"PSNR, SSIM, silhouettes, drift of 4 views of {options.res} px, {op}"
    return [
        Row(name, times, None, "<= 0.5 s"),
        Row("read these views of two states from their files", decoding or [], None, "-"),
    ]


def bench_score_workers(library: Path, chains: Path, folder: Path) -> list[Row]:
    """Two workers over one on `engine score` without pictures, references scored too, beside pure arithmetic."""
    paths = list_chains(chains)[:WORKER_CHAINS]

    def score(workers: int, count: int = WORKER_CHAINS) -> float:
        out = folder / f"scores{workers}"
        shutil.rmtree(out, ignore_errors=True)
        order = ScoreOrder(folder / "nothing", library, out, Protocol(), workers=workers)
        start = time.perf_counter()
        failures = [done.failure for done in score_run(paths[:count], order) if done.failure]
        if failures:
            raise InputError(failures[0])
        return time.perf_counter() - start

    score(2, 2)
    rows = []
    named = f"score of {len(paths)} chains without pictures"
    for name, job in ((named, score), ("spin calibrator", time_spin)):
        times = [(job(2), job(1)) for _ in range(RUNS)]
        twos, ones = [two for two, _ in times], [one for _, one in times]
        rows.append(Row(f"{name}: two workers over one", twos, ones, "<= 0.56 x or 0.9 of the spin"))
    return rows


def find_chain_of_size(library: Library, chains: Path, triangles: int) -> tuple[Path, int]:
    """The chain with the state whose triangles come nearest to a number, and how many they are."""
    found = []
    for path in list_chains(chains):
        for _, state in states_of(read_chain(path)):
            count = sum(library.find(ref).triangles for piece in state.pieces for ref in piece.parts)
            found.append((abs(count - triangles), str(path), count))
    _, name, count = min(found)
    return Path(name), count


def write_moved_outputs(path: Path, library: Path, run: Path) -> None:
    """Deliver the targets of a chain, moved a little."""
    replayer = Replayer(path, library)
    frame = ChainTruth(path, library, Protocol()).frame
    matrix = np.eye(4)
    matrix[:3, 3] = SHIFT_REL * frame.side
    for turn in replayer.chain.turns:
        target = output_path(run, replayer.chain.id, turn.index)
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(place_glb(replayer.turn(turn.index).glb, matrix))
