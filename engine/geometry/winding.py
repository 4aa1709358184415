"""Inside or outside by the fast generalised winding number.

The tree comes from libigl (Barill and others, 2018). It is built once in part coordinates; ask about world points by
moving them with the inverse pose. Only cleaned meshes belong here: a mesh turned inside out has winding -1 inside.
"""

from __future__ import annotations

import numpy as np
from igl import FastWindingNumberBVH

from engine.geometry.clean import check_soup
from engine.surfaces import FloatArray, IntArray
from schemas.errors import GeometryError

INSIDE = 0.5
_BATCH = 65_536


class WindingTree:
    """A tree of winding number expansions over one mesh."""

    def __init__(self, vertices: FloatArray, faces: IntArray) -> None:
        check_soup(vertices, faces)  # libigl crashes on no faces and reads out of bounds
        self._vertices = np.array(vertices, dtype=np.float64, order="C")
        self._faces = np.array(faces, dtype=np.int64, order="C")
        self._tree = FastWindingNumberBVH()
        self._tree.init(self._vertices, self._faces)

    def winding(self, points: FloatArray) -> FloatArray:
        """Return the winding number (N,) at points (N, 3).

        Raises:
            GeometryError: a point is not finite.

        """
        queries = np.array(points, dtype=np.float64, order="C").reshape(-1, 3)
        if not np.isfinite(queries).all():
            raise GeometryError("winding: a query point is not finite")
        if len(queries) == 0:
            return np.zeros(0)
        pieces = [self._tree.winding_number(queries[k : k + _BATCH]) for k in range(0, len(queries), _BATCH)]
        return np.concatenate([np.asarray(piece, dtype=np.float64).reshape(-1) for piece in pieces])


def build_winding(vertices: FloatArray, faces: IntArray) -> WindingTree:
    """Build the winding tree of a cleaned mesh (V, 3), (F, 3).

    Raises:
        GeometryError: no faces, an index out of range, or a used vertex that is not finite.

    """
    return WindingTree(vertices, faces)
