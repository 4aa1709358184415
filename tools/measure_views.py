"""What pictures are claimed to do, measured over chains: `python -m tools.measure_views CHAINS --library LIB`.

1. Spearman's rank correlation between the share of the frame in which an edit is estimated to show and the share of
   pixels that change in previews (one ray a pixel), over all turns and candidate directions.
2. Pixels of the metric image that change outside the visible region of an edit, for random turns.

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
from chains.files import list_chains
from chains.state import state_at, states_of
from engine.framing import camera_of, orbit_camera
from engine.render.raycast import Picture, render
from engine.render.regions import find_edit_region
from engine.render.scene import PieceCache, build_scene
from engine.replay import Replayer
from engine.state_pieces import StatePieces
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
    if chain.rig is None:
        raise InputError(f"{path}: has no rig, see `engine frame`")
    pieces = StatePieces(replayer.assembler, str(path))
    # Each state from nothing, so that no picture is an update of the other.
    old, new = (build_scene(pieces.of(k, state_at(chain, k))) for k in (number - 1, number))
    slot = chain.turns[number - 1].operation.slot
    inside = outside = 0
    for view in range(len(chain.rig.azimuths_deg)):
        camera = camera_of(chain.rig, view)
        changed = (render(old, camera, METRIC_PX, 4) != render(new, camera, METRIC_PX, 4)).any(axis=-1)
        region = find_edit_region(old, new, {slot}, camera, METRIC_PX).visible
        inside += int((changed & region).sum())
        outside += int((changed & ~region).sum())
    return inside, outside


def main() -> None:
    """Measure both, print one document."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("chains", type=Path)
    parser.add_argument("--library", type=Path, required=True)
    parser.add_argument("--edits", type=int, default=50, help="random removals whose pixels are compared")
    parser.add_argument("--seed", type=int, default=0)
    asked = parser.parse_args()
    paths = list_chains(asked.chains)
    shown = [turn for path in paths for turn in measure_turns(path, asked.library)]
    estimated, measured = (np.array([turn[k] for turn in shown], dtype=np.float64) for k in (1, 2))
    ops = np.array([turn.op for turn in shown])
    removals = [
        (path, turn.index)
        for path in paths
        for turn in Replayer(path, asked.library).chain.turns
        if turn.operation.op == "remove"
    ]
    drawn = Draws(asked.seed, "strays").shuffled(removals)[: asked.edits]
    counts = [count_strays(path, asked.library, number) for path, number in drawn]
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
    }
    print(json.dumps(document, indent=2))


if __name__ == "__main__":
    main()
