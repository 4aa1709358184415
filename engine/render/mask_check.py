"""A second opinion on the passes of a view, from rays that share nothing with those that made them.

The passes are cast by Embree in float32, piece by piece; engine.render.witness walks the project's own hierarchy in
float64. It is asked at pixels spread over the object and at some of every slot, so that neither a wrong picture nor a
wrong mask of a small slot goes unseen. At an edge both may be right: a disagreement counts only when no ray a quarter
of a pixel away sees what the passes say, and no coincident surface explains it. None may count.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from engine.framing import Camera
from engine.render.casting import Raster, find_window
from engine.render.passes import NOTHING, SlotMask, ViewPasses, crop_mask
from engine.render.scene import RenderScene
from engine.render.witness import Witness, build_witness
from engine.surfaces import BoolArray, FloatArray, IntArray
from schemas.errors import MaskMismatchError

SPREAD_SAMPLES = 8192
"""Pixels spread over the object's window."""
SLOT_SAMPLES = 16
"""Pixels of each slot and kind: inside and at the border of what is seen, and of what is alone, and on its faces."""
TIE_REL = 1e-6
"""Surfaces closer in depth than this share of the scene's radius are coincident."""
SHIFTS = ((-0.25, -0.25), (0.25, -0.25), (-0.25, 0.25), (0.25, 0.25))
"""Pixels by which the rays of the allowance are moved."""
SPREAD_STEPS = (0xC13FA9A902A6328F, 0x91E10DA5C79E7B1D)
"""Steps of the R2 sequence along both sides, as shares of 2^64."""


class Disagreement(NamedTuple):
    """A pixel at which passes and witness differ."""

    slot: int
    """Id of the slot whose mask, id or depth is in question."""
    column: int
    row: int
    problem: str
    """What each said."""
    excused: bool
    """An edge or coincident surfaces explain it."""


def check_passes(
    passes: ViewPasses, scene: RenderScene, camera: Camera, where: str = "view", witness: Witness | None = None
) -> None:
    """Raise MaskMismatchError, naming `where`, slot and pixel, when passes say what no independent ray confirms.

    `scene` is what they must show; `witness`, of the same scene, saves building it for each view. Raises InputError
    when a texture cannot be decoded.
    """
    if passes.slots != scene.slots:
        wrong = sorted(set(passes.slots) ^ set(scene.slots))
        raise MaskMismatchError(where, wrong[0], (0, 0), "it is not in both the passes and the state")
    found = find_disagreements(passes, scene, camera, witness)
    counted = [entry for entry in found if not entry.excused]
    if counted:
        first = counted[0]
        more = f"; {len(counted)} samples disagree, the limit is 0"
        raise MaskMismatchError(where, passes.slots[first.slot], (first.column, first.row), first.problem + more)


def find_disagreements(
    passes: ViewPasses, scene: RenderScene, camera: Camera, witness: Witness | None = None
) -> list[Disagreement]:
    """Every sample at which passes and witness differ, excused or not, by row, column and slot."""
    if not scene.pieces:
        return []
    witness = witness or build_witness(scene)
    tie = TIE_REL * witness.radius
    pixel = choose_samples(passes, scene, camera)
    said = _read_passes(passes, pixel)
    depths = witness.look(camera, passes.size, pixel)
    suspects = np.flatnonzero(_find_suspects(said, depths, tie))
    around = np.stack(
        [depths[suspects], *(witness.look(camera, passes.size, pixel[suspects], shift) for shift in SHIFTS)], axis=1
    )
    found = []
    for place, sample in enumerate(suspects.tolist()):
        row, column = divmod(int(pixel[sample]), passes.size)
        for slot, problem, excused in _judge_sample(passes.slots, said, sample, around[place], tie):
            found.append(Disagreement(slot, column, row, problem, excused))
    return found


def choose_samples(passes: ViewPasses, scene: RenderScene, camera: Camera) -> IntArray:
    """Pixels (N,) to ask about, row * size + column, ascending: always the same for the same passes."""
    masks = [crop_mask(passes.visible(slot)) for slot in range(len(passes.slots))]
    chosen = [_spread_pixels(scene, Raster(camera, passes.size)), _pixels_on_faces(scene, camera, passes.size)]
    chosen += [_pixels_of_mask(mask, passes.size) for mask in (*masks, *passes.amodal)]
    return np.unique(np.concatenate(chosen))


def _spread_pixels(scene: RenderScene, raster: Raster) -> IntArray:
    """Pixels spread evenly over the window of all pieces."""
    windows = [window for piece in scene.pieces if (window := find_window(piece, raster)) is not None]
    if not windows:
        return np.zeros(0, dtype=np.int64)
    left, right = min(window.left for window in windows), max(window.right for window in windows)
    top, bottom = min(window.top for window in windows), max(window.bottom for window in windows)
    number = np.arange(SPREAD_SAMPLES, dtype=np.uint64)
    # The product wraps at 2^64, which is what the sequence wants; its upper half is the share of a side.
    across, down = ((number * np.uint64(step)) >> np.uint64(32) for step in SPREAD_STEPS)
    column = left + ((across * np.uint64(right - left)) >> np.uint64(32)).astype(np.int64)
    row = top + ((down * np.uint64(bottom - top)) >> np.uint64(32)).astype(np.int64)
    return np.asarray(row * raster.width + column)


def _pixels_on_faces(scene: RenderScene, camera: Camera, size: int) -> IntArray:
    """Pixels into which centres of faces of every piece fall: a piece that the passes lack is looked for there."""
    centres = [np.zeros((0, 3))]
    for piece in scene.pieces:
        corners = piece.corners[piece.ray_triangles]
        some = corners[_evenly(len(corners))]
        centres.append((some[:, 0] + some[:, 1] + some[:, 2]) / 3.0)
    offset = np.concatenate(centres) - np.array(camera.position)
    depth = _along(offset, camera.forward)
    ahead = depth > 0.0
    half = depth[ahead] * camera.tan_half
    column = np.floor((_along(offset[ahead], camera.right) / half + 1.0) * (size * 0.5))
    row = np.floor((1.0 - _along(offset[ahead], camera.up) / half) * (size * 0.5))
    inside = (column >= 0) & (column < size) & (row >= 0) & (row < size)
    return np.asarray(row[inside].astype(np.int64) * size + column[inside].astype(np.int64))


def _along(offset: FloatArray, axis: tuple[float, float, float]) -> FloatArray:
    return np.asarray(offset[:, 0] * axis[0] + offset[:, 1] * axis[1] + offset[:, 2] * axis[2])


def _pixels_of_mask(mask: SlotMask, size: int) -> IntArray:
    """Some pixels inside a mask and some at its border, evenly by row."""
    padded = np.pad(mask.inside, 1)
    deep = padded[:-2, 1:-1] & padded[2:, 1:-1] & padded[1:-1, :-2] & padded[1:-1, 2:]
    chosen = []
    for picture in (mask.inside, mask.inside & ~deep):
        row, column = np.nonzero(picture)
        some = _evenly(len(row))
        chosen.append((row[some] + mask.top) * size + column[some] + mask.left)
    return np.concatenate(chosen)


def _evenly(count: int) -> IntArray:
    """Up to SLOT_SAMPLES places among `count`, evenly spaced."""
    asked = min(count, SLOT_SAMPLES)
    return np.asarray(np.arange(asked, dtype=np.int64) * count // max(asked, 1))


class _Said(NamedTuple):
    """What passes say at N samples."""

    ids: IntArray
    depth: FloatArray
    alone: BoolArray
    """(N, P) whether each piece would be seen there alone."""


def _read_passes(passes: ViewPasses, pixel: IntArray) -> _Said:
    alone = [mask.expand(passes.size).reshape(-1)[pixel] for mask in passes.amodal]
    ids = passes.ids.reshape(-1)[pixel].astype(np.int64)
    return _Said(ids, passes.depth.reshape(-1)[pixel], np.stack(alone, axis=1))


def _find_suspects(said: _Said, depths: FloatArray, tie: float) -> BoolArray:
    """(N,) whether anything that passes say is not what the witness, (N, P) depths, finds."""
    nearest = depths.min(axis=1)
    ids = np.where(np.isfinite(nearest), depths.argmin(axis=1), NOTHING)
    # Comparing from above lets two infinities agree.
    same_depth = (said.depth <= nearest + tie) & (nearest <= said.depth + tie)
    return np.asarray((ids != said.ids) | ~same_depth | (said.alone != np.isfinite(depths)).any(axis=1))


class _Verdict(NamedTuple):
    slot: int
    problem: str
    excused: bool


def _judge_sample(slots: Sequence[str], said: _Said, sample: int, around: FloatArray, tie: float) -> list[_Verdict]:
    """Judge one sample by what the witness sees at its centre and at the shifted places, (5, P) depths."""
    verdicts = []
    centre, own, depth = around[0], int(said.ids[sample]), float(said.depth[sample])
    nearest = [int(row.argmin()) if np.isfinite(row.min()) else NOTHING for row in around]
    found = nearest[0]
    if own != found:
        coincident = own != NOTHING and bool(centre[own] <= centre.min() + tie)
        problem = f"the id says {_name(slots, own)}, a ray finds {_name(slots, found)}"
        verdicts.append(_Verdict(found if own == NOTHING else own, problem, coincident or own in nearest[1:]))
    elif own != NOTHING and not abs(depth - float(centre[own])) <= tie:
        known = around[:, own][np.isfinite(around[:, own])]
        between = bool(known.min() - tie <= depth <= known.max() + tie)
        verdicts.append(_Verdict(own, f"the depth says {depth:.9g}, a ray finds {float(centre[own]):.9g}", between))
    elif own == NOTHING and depth != np.inf:
        verdicts.append(_Verdict(0, f"the depth says {depth:.9g} where the id says nothing", excused=False))
    alone = said.alone[sample]
    for slot in np.flatnonzero(alone != np.isfinite(centre)).tolist():
        said_and_found = ("yes", "misses") if alone[slot] else ("no", "meets")
        problem = "the unoccluded mask says {}, a ray {} it".format(*said_and_found)
        excused = bool((np.isfinite(around[1:, slot]) == alone[slot]).any())
        verdicts.append(_Verdict(slot, problem, excused))
    return verdicts


def _name(slots: Sequence[str], slot: int) -> str:
    return "nothing" if slot == NOTHING else repr(slots[slot])
