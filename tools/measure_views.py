"""What pictures are claimed to do, measured over chains: `python -m tools.measure_views CHAINS --library LIB`.

1. Spearman's rank correlation between the share of the frame in which an edit is estimated to show and the share of
   pixels that change in previews (one ray a pixel), over all turns and candidate directions.
2. Pixels of the metric image that change outside the visible region of an edit, for random removals.
3. Samples at which ids, depths and masks differ from independent rays, for random states.

Prints one JSON document.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import numpy as np
from scipy.stats import spearmanr

from chains.draws import Draws
from chains.files import list_chains, read_chain
from chains.state import state_at, states_of
from engine.framing import camera_of, orbit_camera
from engine.pictures.pieces import StatePieces
from engine.render.mask_check import choose_samples, find_disagreements
from engine.render.passes import render_passes
from engine.render.raycast import Picture, render
from engine.render.regions import find_edit_region
from engine.render.scene import PieceCache, build_scene
from engine.render.witness import build_witness
from engine.replay import Replayer
from schemas.chain import Chain, Rig
from schemas.errors import InputError
from schemas.operation import OpName

PREVIEW_PX, METRIC_PX = 192, 512


class Shown(NamedTuple):
    """One turn from one direction."""

    op: OpName
    estimated: float
    measured: float


def measure_turns(path: Path, library: Path) -> Iterator[Shown]:
    """Each turn of a chain from each direction its camera search looked from."""
    replayer = Replayer(path, library)
    chain = replayer.chain
    if chain.rig is None or chain.rig.search is None:
        raise InputError(f"{path}: has no camera search, see `engine frame`")
    pieces, cache = StatePieces(replayer.assembler, str(path)), PieceCache()
    cameras = [
        orbit_camera(chain.rig, found.azimuth_deg, chain.rig.elevation_deg) for found in chain.rig.search.directions
    ]
    before: list[Picture] = []
    for number, state in states_of(chain):
        scene = build_scene(pieces.of(number, state), cache)
        pictures = [render(scene, camera, PREVIEW_PX, 1) for camera in cameras]
        for old, new, found in zip(before, pictures, chain.rig.search.directions, strict=False):
            changed = float((old != new).any(axis=-1).mean())
            yield Shown(chain.turns[number - 1].operation.op, found.turns[number - 1], changed)
        before = pictures


def count_strays(path: Path, library: Path, number: int) -> tuple[int, int]:
    """Pixels of a turn's four metric images that change inside and outside the visible region of its edit."""
    replayer = Replayer(path, library)
    chain = replayer.chain
    rig = _rig_of(chain, path)
    pieces = StatePieces(replayer.assembler, str(path))
    # Each state from nothing, so that no picture is an update of the other.
    old, new = (build_scene(pieces.of(k, state_at(chain, k))) for k in (number - 1, number))
    slot = chain.turns[number - 1].operation.slot
    inside = outside = 0
    for view in range(len(rig.azimuths_deg)):
        camera = camera_of(rig, view)
        changed = (render(old, camera, METRIC_PX, 4) != render(new, camera, METRIC_PX, 4)).any(axis=-1)
        region = find_edit_region(old, new, {slot}, camera, METRIC_PX).visible
        inside += int((changed & region).sum())
        outside += int((changed & ~region).sum())
    return inside, outside


class Doubts(NamedTuple):
    """Samples of a state's views: asked, different, and different without an excuse."""

    asked: int
    different: int
    counted: int


def count_doubts(path: Path, library: Path, number: int) -> Doubts:
    """Samples of the passes of a state's four views that independent rays contradict."""
    replayer = Replayer(path, library)
    chain = replayer.chain
    scene = build_scene(StatePieces(replayer.assembler, str(path)).of(number, state_at(chain, number)))
    witness = build_witness(scene)
    asked = different = counted = 0
    for view in range(4):
        camera = camera_of(_rig_of(chain, path), view)
        passes = render_passes(scene, camera, METRIC_PX)
        asked += len(choose_samples(passes, scene, camera))
        found = find_disagreements(passes, scene, camera, witness)
        different += len(found)
        counted += sum(not entry.excused for entry in found)
    return Doubts(asked, different, counted)


def _rig_of(chain: Chain, path: Path) -> Rig:
    if chain.rig is None:
        raise InputError(f"{path}: has no rig, see `engine frame`")
    return chain.rig


def main() -> None:
    """Measure all three, print one document."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("chains", type=Path)
    parser.add_argument("--library", type=Path, required=True)
    parser.add_argument("--edits", type=int, default=50, help="random removals whose pixels are compared")
    parser.add_argument("--states", type=int, default=60, help="random states whose passes are looked at again")
    parser.add_argument("--seed", type=int, default=0)
    asked = parser.parse_args()
    paths = list_chains(asked.chains)
    shown = [turn for path in paths for turn in measure_turns(path, asked.library)]
    estimated, measured = (np.array([turn[k] for turn in shown], dtype=np.float64) for k in (1, 2))
    ops = np.array([turn.op for turn in shown])
    removals = [
        (path, turn.index) for path in paths for turn in read_chain(path).turns if turn.operation.op == "remove"
    ]
    drawn = Draws(asked.seed, "strays").shuffled(removals)[: asked.edits]
    counts = [count_strays(path, asked.library, number) for path, number in drawn]
    states = [(path, number) for path in paths for number in range(len(read_chain(path).turns) + 1)]
    looked = Draws(asked.seed, "masks").shuffled(states)[: asked.states]
    doubts = [count_doubts(path, asked.library, number) for path, number in looked]
    document = {
        "chains": len(paths),
        "turns_and_directions": len(shown),
        "spearman": round(float(spearmanr(estimated, measured)[0]), 4),
        "spearman_by_operation": {
            op: round(float(spearmanr(estimated[ops == op], measured[ops == op])[0]), 4) for op in sorted(set(ops))
        },
        "removals": len(drawn),
        "changed_inside": sum(inside for inside, _ in counts),
        "changed_outside": sum(outside for _, outside in counts),
        "states": len(looked),
        "samples": sum(entry.asked for entry in doubts),
        "samples_that_differ": sum(entry.different for entry in doubts),
        "samples_counted": sum(entry.counted for entry in doubts),
    }
    print(json.dumps(document, indent=2))


if __name__ == "__main__":
    main()
