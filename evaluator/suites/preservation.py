"""What an edit left alone outside a region that is given as a mesh: the task of Edit3D-Bench.

There is no target: the output is compared with the source, in the source's own frame and units.
"""

from __future__ import annotations

from typing import Annotated, Final, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray
from pydantic import Field

from engine.geometry.clean import check_soup, clean_mesh
from engine.geometry.point_tree import build_point_tree, find_nearest
from engine.geometry.winding import INSIDE, build_winding
from engine.surfaces import BoolArray, FloatArray, IntArray
from evaluator.suites.chamfer import Sampling, Stream, draw_points
from schemas.base import Finite, Value
from schemas.errors import GeometryError, InputError
from schemas.score import Measure, Undefined

REGION_POINTS: Final = 20_480
_FARTHEST_CELL: Final = 2**20


class PreservationRules(Value):
    """How the untouched outside is compared."""

    points: Annotated[int, Field(ge=1)] = REGION_POINTS
    """Samples of each mesh before those inside the region are left out."""
    sampling: Sampling = "stratified"
    thinning_cell: Annotated[Finite, Field(gt=0.0)] | None = None
    """Edge of cells, in file units, in which points are replaced by their mean; depends on the size of the object."""
    identical_views: Literal["inf", "skipped"] = "inf"
    """A view without any difference has PSNR `inf`, or is left out of everything without being counted."""


OWN_PRESERVATION_RULES: Final = PreservationRules()


class PreservedSurface(NamedTuple):
    """Mean of the two mean nearest distances outside the region, not squared, in file units."""

    chamfer: Measure
    source_points: int
    own_points: int


def measure_preserved_surface(
    source: tuple[FloatArray, IntArray],
    own: tuple[FloatArray, IntArray],
    region: tuple[FloatArray, IntArray],
    rules: PreservationRules = OWN_PRESERVATION_RULES,
) -> PreservedSurface:
    """Compare source and own output, soups (V, 3) and (F, 3), outside the region mesh.

    Raises:
        GeometryError: a mesh is empty, not finite or without area.

    """
    bounds = clean_mesh(*region)
    tree = build_winding(bounds.vertices, bounds.faces)
    clouds = []
    sides: tuple[tuple[tuple[FloatArray, IntArray], Stream], ...] = ((source, "target"), (own, "reconstruction"))
    for (vertices, faces), stream in sides:
        check_soup(vertices, faces)
        points = draw_points(vertices, faces, stream, rules.points, rules.sampling)
        points = points[tree.winding(points) <= INSIDE]
        clouds.append(points if rules.thinning_cell is None else thin_by_cells(points, rules.thinning_cell))
    counts = [len(cloud) for cloud in clouds]
    if min(counts) == 0:
        none = Undefined(reason=f"{counts[0]} source and {counts[1]} own points lie outside the region")
        return PreservedSurface(none, *counts)
    there, back = (
        float(np.sum(np.sqrt(find_nearest(build_point_tree(b), a).squared))) / len(a) for a, b in (clouds, clouds[::-1])
    )
    return PreservedSurface((there + back) / 2.0, *counts)


def thin_by_cells(points: FloatArray, cell: float) -> FloatArray:
    """The mean of the points (N, 3) in each cell of a lattice that begins half a cell below the lowest corner.

    Raises:
        GeometryError: the cell is not positive, or so small that the points span over a million of them.

    """
    if not cell > 0.0:
        raise GeometryError(f"thinning: the cell is {cell}, needs more than 0")
    if len(points) == 0:
        return points
    cells = np.floor((points - points.min(axis=0)) / cell + 0.5)
    if cells.max() > _FARTHEST_CELL:
        raise GeometryError(f"thinning: points span {cells.max():g} cells of {cell}, limit {_FARTHEST_CELL}")
    whole = cells.astype(np.int64)
    keys = (whole[:, 0] << 42) | (whole[:, 1] << 21) | whole[:, 2]
    _, inverse, counts = np.unique(keys, return_inverse=True, return_counts=True)
    sums = [np.bincount(inverse, weights=points[:, k], minlength=len(counts)) for k in range(3)]
    return np.asarray(np.stack(sums, axis=1) / counts[:, None])


def measure_preserved_psnr(
    source: NDArray[np.uint8],
    own: NDArray[np.uint8],
    is_edited: BoolArray,
    rules: PreservationRules = OWN_PRESERVATION_RULES,
) -> Measure:
    """PSNR in dB of an own view against the source's, RGB (H, W, 3), over pixels that the region's mask leaves out.

    Raises:
        InputError: pictures of different sizes.

    """
    if source.shape != own.shape or source.shape[:2] != is_edited.shape or source.shape[2:] != (3,):
        raise InputError(
            f"preserved PSNR: pictures of shapes {source.shape} and {own.shape} with a mask {is_edited.shape}"
        )
    kept = ~is_edited
    pixels = int(np.count_nonzero(kept))
    if pixels == 0:
        return Undefined(reason="the region covers the whole view")
    difference = source[kept].astype(np.int64) - own[kept].astype(np.int64)
    squares = int((difference * difference).sum())
    if squares == 0:
        return "inf" if rules.identical_views == "inf" else Undefined(reason="no pixel differs; such views are skipped")
    return float(-10.0 * np.log10(squares / (255.0 * 255.0 * 3.0 * pixels)))
