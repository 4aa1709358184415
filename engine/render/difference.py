"""How much of a picture an edit changes: where it draws something else, not only where it draws.

A black eye in place of a black button covers pixels and changes none of them. So the pixels in which the edited slot
shows, before or after, are shaded in both states (one ray each, without averaging) and compared.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from engine.framing import Camera, Sphere
from engine.render.casting import Raster
from engine.render.raycast import draw_pixels
from engine.render.scene import RenderPiece
from engine.render.visible import PieceDepths, VisibilityCache, default_cameras, find_nearest_solid, find_shown
from engine.surfaces import BoolArray, FloatArray, IntArray

LEAST_CONTRAST = 32
"""Difference of the most different channel, of 255, from which a pixel counts as changed: less is not seen at once.

On 252 replacements and 307 new looks of real objects this leaves an eighth of the range for shading that moves a
little; black eyes for black button eyes then change 0.2 % of the object's pixels, of the 0.6 % they cover.
"""
LEAST_COVERAGE = 0.1
"""Difference of coverage from which a pixel counts as changed whatever its colour: the outline moved."""


class ViewChange(NamedTuple):
    """What an edit does to one view, as shares of the object's pixels in either state."""

    covered: float
    """Pixels in which the edited slot shows before or after."""
    drawn: float
    """Those of them that look different."""

    @property
    def share(self) -> float:
        """Share of the covered pixels that look different; 0 when none is covered."""
        return self.drawn / self.covered if self.covered > 0.0 else 0.0


def measure_best_change(
    before: Sequence[RenderPiece],
    after: Sequence[RenderPiece],
    slot: str,
    sphere: Sphere,
    cache: VisibilityCache | None = None,
) -> ViewChange:
    """Compare two states in the default view in which most pixels look different.

    A view cannot look different in more pixels than the slot covers, so the views are taken in the order of what they
    cover (of equal ones the first), and only as long as the next could win. Raises InputError when a texture cannot
    be decoded.
    """
    cache = cache or VisibilityCache()
    views = [_compare_cover(before, after, slot, camera, cache) for camera in default_cameras(sphere)]
    best = ViewChange(0.0, 0.0)
    for view in sorted(views, key=lambda view: -view.covered):
        if view.covered <= best.drawn:
            break
        found = _compare_drawn(view, cache)
        if found.drawn > best.drawn or best.covered == 0.0:
            best = found
    return best


class _View(NamedTuple):
    """Two states through one camera, before anything is shaded."""

    camera: Camera
    states: tuple[_Look, _Look]
    edited: BoolArray
    """(size, size) where the slot shows before or after."""
    whole: int
    """Pixels of the object, at least 1."""
    covered: float


def _compare_cover(
    before: Sequence[RenderPiece], after: Sequence[RenderPiece], slot: str, camera: Camera, cache: VisibilityCache
) -> _View:
    one, two = (_look_at(state, slot, camera, cache) for state in (before, after))
    edited = one.edited | two.edited
    whole = max(int(np.count_nonzero(one.object | two.object)), 1)
    return _View(camera, (one, two), edited, whole, int(np.count_nonzero(edited)) / whole)


def _compare_drawn(view: _View, cache: VisibilityCache) -> ViewChange:
    pixel = np.flatnonzero(view.edited)
    raster = Raster(view.camera, cache.size)
    (one, one_share), (two, two_share) = (
        draw_pixels(
            [cache.prepare(piece) for piece, _ in state.seen],
            raster,
            pixel,
            [_places(depth, state, view.edited) for _, depth in state.seen],
        )
        for state in view.states
    )
    contrast = np.abs(one.astype(np.int64) - two.astype(np.int64)).max(axis=1, initial=0)
    differs = (contrast >= LEAST_CONTRAST) | (np.abs(one_share - two_share) >= LEAST_COVERAGE)
    return ViewChange(view.covered, int(np.count_nonzero(differs)) / view.whole)


class _Look(NamedTuple):
    """One state through one camera."""

    seen: tuple[tuple[RenderPiece, PieceDepths], ...]
    """Pieces that are in the picture, by slot."""
    solid: FloatArray
    """(size, size) depth of the nearest solid surface."""
    edited: BoolArray
    object: BoolArray


def _look_at(state: Sequence[RenderPiece], slot: str, camera: Camera, cache: VisibilityCache) -> _Look:
    ordered = sorted(state, key=lambda piece: piece.slot)
    found = [(piece, cache.depths(piece, camera)) for piece in ordered]
    seen = tuple((piece, depth) for piece, depth in found if depth is not None)
    solid, covered = find_nearest_solid([depth for _, depth in seen], cache.size)
    edited = np.zeros_like(covered)
    for piece, depth in seen:
        if piece.slot == slot:
            edited[depth.rows, depth.columns] |= find_shown(depth, solid)
    return _Look(seen, solid, edited, covered)


def _places(depth: PieceDepths, state: _Look, edited: BoolArray) -> IntArray:
    """Sub-pixels among the edited ones at which a piece is seen."""
    shown = find_shown(depth, state.solid) & edited[depth.rows, depth.columns]
    rows, columns = np.nonzero(shown)
    return np.asarray((rows + depth.rows.start) * edited.shape[1] + columns + depth.columns.start, dtype=np.int64)
