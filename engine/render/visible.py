"""How much of an object an edit changes to the eye, and how much of it each part shows, without shading anything.

For each piece and view two depths are enough: its nearest visible surface and its nearest solid one. A piece shows in a
pixel when its nearest surface lies no deeper than the nearest solid surface of the whole state, so what is seen through
glass counts as seen. Both depths depend on the piece alone, hence a cache makes the next candidate cost one piece.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from engine.framing import Camera, Sphere, camera_of, enclosing_sphere, rig_of_sphere
from engine.render.casting import Raster, Window, cast_window, find_window, overlap_of
from engine.render.scene import PieceCache, PreparedPiece, RenderPiece, RenderScene, piece_key, world_points
from engine.surfaces import BoolArray, FloatArray

MEASURE_PX = 192


class PieceDepths(NamedTuple):
    """Depths of one piece inside its window of a picture; infinite where it is not."""

    rows: slice
    columns: slice
    near: FloatArray
    """(h, w) of the nearest surface that is not fully clear."""
    solid: FloatArray
    """(h, w) of the nearest surface that lets nothing through."""


class VisibilityCache:
    """Depths of pieces by place and camera, so that pieces which stay are cast once; least recently used go first."""

    def __init__(self, pieces: int = 128, size: int = MEASURE_PX) -> None:
        self.size = size
        self._prepared = PieceCache(pieces)
        self._limit = pieces * 4
        self._depths: OrderedDict[tuple[object, ...], tuple[RenderPiece, PieceDepths | None]] = OrderedDict()

    def prepare(self, piece: RenderPiece) -> PreparedPiece:
        """Prepare a piece, or find it prepared."""
        return self._prepared.prepare(piece)

    def depths(self, piece: RenderPiece, camera: Camera) -> PieceDepths | None:
        """Cast a piece, or find it cast; None when it is nowhere in the picture."""
        key = (camera, *piece_key(piece))
        found = self._depths.get(key)
        if found is None:
            # The piece is stored too: while it lives, no other surface can have its identity.
            found = (piece, measure_depths(self.prepare(piece), Raster(camera, self.size)))
            self._depths[key] = found
            if len(self._depths) > self._limit:
                self._depths.popitem(last=False)
        else:
            self._depths.move_to_end(key)
        return found[1]


def measure_depths(piece: PreparedPiece, raster: Raster, within: Window | None = None) -> PieceDepths | None:
    """Depths of a piece at the pixel centres of its window, or of what of it lies `within` another; None if nothing."""
    window = find_window(piece, raster)
    if window is not None and within is not None:
        window = overlap_of(window, within)
    if window is None:
        return None
    hits = cast_window(piece, raster, window)
    solid = np.full((raster.width, raster.width), np.inf)
    solid.reshape(-1)[hits.solid.pixel] = hits.solid.depth
    rows, columns = slice(window.top, window.bottom), slice(window.left, window.right)
    near = solid
    if len(hits.layers.pixel):
        near = solid.copy()
        np.minimum.at(near.reshape(-1), hits.layers.pixel, hits.layers.depth)
    kept = solid[rows, columns].copy()
    return PieceDepths(rows, columns, kept if near is solid else near[rows, columns].copy(), kept)


def measure_visible_change(
    before: Sequence[RenderPiece],
    after: Sequence[RenderPiece],
    slot: str,
    sphere: Sphere,
    cache: VisibilityCache | None = None,
) -> float:
    """Share of the object's pixels that the edit of `slot` changes, in the best of the four default views.

    The object's pixels are those of either state. A pixel changes when the slot shows in it before or after: that holds
    for add, remove, replace and retexture alike. `sphere` is what the cameras frame, normally around both states.
    """
    return max(measure_change_by_view(before, after, slot, sphere, cache))


def measure_change_by_view(
    before: Sequence[RenderPiece],
    after: Sequence[RenderPiece],
    slot: str,
    sphere: Sphere,
    cache: VisibilityCache | None = None,
) -> tuple[float, ...]:
    """measure_visible_change for each default view."""
    cache = cache or VisibilityCache()
    shares = []
    for camera in default_cameras(sphere):
        seen = [_composite(state, slot, camera, cache) for state in (before, after)]
        changed = int(np.count_nonzero(seen[0].slot | seen[1].slot))
        shares.append(changed / max(int(np.count_nonzero(seen[0].object | seen[1].object)), 1))
    return tuple(shares)


def measure_part_visibility(
    pieces: Sequence[RenderPiece], sphere: Sphere | None = None, cache: VisibilityCache | None = None
) -> dict[str, float]:
    """Share of the object's pixels in which each slot shows, in its best default view; keys sorted.

    Without `sphere` the cameras frame these pieces. Raises InputError when there is no geometry to frame.
    """
    cache = cache or VisibilityCache(max(len(pieces), 1))
    sphere = sphere or enclosing_sphere([points for piece in pieces for points in world_points(piece)])
    best = {piece.slot: 0.0 for piece in sorted(pieces, key=lambda piece: piece.slot)}
    for camera in default_cameras(sphere):
        depths = [(piece.slot, cache.depths(piece, camera)) for piece in pieces]
        solid, object_mask = find_nearest_solid([depth for _, depth in depths], cache.size)
        total = max(int(np.count_nonzero(object_mask)), 1)
        for slot, depth in depths:
            if depth is not None:
                best[slot] = max(best[slot], int(np.count_nonzero(find_shown(depth, solid))) / total)
    return best


def find_visible_pixels(scene: RenderScene, slot: str, camera: Camera, size: int) -> BoolArray:
    """(size, size) mask of the pixel centres at which a slot shows; all false when the scene lacks the slot."""
    raster = Raster(camera, size)
    mask = np.zeros((size, size), dtype=bool)
    own = next((find_window(piece, raster) for piece in scene.pieces if piece.slot == slot), None)
    if own is None:
        return mask
    depths = [measure_depths(piece, raster, own) for piece in scene.pieces]
    solid, _ = find_nearest_solid(depths, size)
    for piece, depth in zip(scene.pieces, depths, strict=True):
        if piece.slot == slot and depth is not None:
            mask[depth.rows, depth.columns] = find_shown(depth, solid)
    return mask


class _Seen(NamedTuple):
    slot: BoolArray
    object: BoolArray


def _composite(state: Sequence[RenderPiece], slot: str, camera: Camera, cache: VisibilityCache) -> _Seen:
    depths = [(piece.slot, cache.depths(piece, camera)) for piece in state]
    solid, object_mask = find_nearest_solid([depth for _, depth in depths], cache.size)
    mask = np.zeros_like(object_mask)
    for name, depth in depths:
        if name == slot and depth is not None:
            mask[depth.rows, depth.columns] |= find_shown(depth, solid)
    return _Seen(mask, object_mask)


def find_nearest_solid(depths: Sequence[PieceDepths | None], size: int) -> tuple[FloatArray, BoolArray]:
    """Depth of the nearest solid surface of all pieces, and where there is any surface at all."""
    solid, covered = np.full((size, size), np.inf), np.zeros((size, size), dtype=bool)
    for depth in depths:
        if depth is not None:
            window = solid[depth.rows, depth.columns]
            np.minimum(window, depth.solid, out=window)
            covered[depth.rows, depth.columns] |= np.isfinite(depth.near)
    return solid, covered


def find_shown(depth: PieceDepths, solid: FloatArray) -> BoolArray:
    """Where a piece shows inside its window, (h, w), before the nearest solid surfaces (size, size) of its state."""
    return np.asarray(np.isfinite(depth.near) & (depth.near <= solid[depth.rows, depth.columns]))


def default_cameras(sphere: Sphere) -> tuple[Camera, ...]:
    """Place the four default views around a sphere."""
    rig = rig_of_sphere(sphere)
    return tuple(camera_of(rig, view) for view in range(len(rig.azimuths_deg)))
