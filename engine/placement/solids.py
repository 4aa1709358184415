"""Make a part ready for measuring; a volume known from the manifest is not estimated again."""

from __future__ import annotations

import numpy as np

from engine.geometry.bvh import build_bvh
from engine.geometry.clean import clean_mesh
from engine.geometry.overlap import Solid, sobol_points
from engine.geometry.winding import INSIDE, WindingTree, build_winding
from engine.surfaces import FloatArray, IntArray

COARSE_BITS, FINE_BITS = 13, 16
ENOUGH_HITS = 1024
"""Points inside the part from which its volume is known to about 1 %."""


def make_solid(vertices: FloatArray, faces: IntArray, volume: float | None = None) -> Solid:
    """Clean a part (V, 3), (F, 3) and build its trees.

    `volume` is the manifest's, in part coordinates. Without it: the signed volume of a closed part, else the volume
    of the points with winding above one half by Sobol points of the part's box, 2^13 of them, or 2^16 when fewer
    than 1,024 of these lie inside.

    Raises:
        GeometryError: the part cannot be measured.

    """
    mesh = clean_mesh(vertices, faces)
    bvh = build_bvh(mesh.vertices, mesh.faces)
    tree = build_winding(mesh.vertices, mesh.faces)
    if volume is None:
        volume = mesh.volume if mesh.closed else _estimate_volume(tree, bvh.bounds)
    return Solid(mesh=mesh, bvh=bvh, winding=tree, volume=volume, bounds=bvh.bounds)


def _estimate_volume(tree: WindingTree, bounds: FloatArray) -> float:
    box = float(np.prod(bounds[1] - bounds[0]))
    if box <= 0.0:
        return 0.0
    hits = asked = 0
    for bits in (COARSE_BITS, FINE_BITS):
        count = 1 << bits
        fresh = sobol_points(count, bounds)[asked:]
        hits += int(np.count_nonzero(tree.winding(fresh) > INSIDE))
        asked = count
        if hits >= ENOUGH_HITS or hits == 0:
            break
    return hits / asked * box
