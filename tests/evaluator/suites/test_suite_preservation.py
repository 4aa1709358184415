"""Outside a region mesh: scipy as oracle, thinning, and pictures under a mask."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.spatial import cKDTree
from suite_shapes import ball, block, join

from evaluator.suites.chamfer import draw_points
from evaluator.suites.compat import COMPAT
from evaluator.suites.pictures import flatten_alpha
from evaluator.suites.preservation import (
    PreservationRules,
    measure_preserved_psnr,
    measure_preserved_surface,
    thin_by_cells,
)
from schemas.errors import GeometryError, InputError
from schemas.score import Undefined

TABLE = block((0, 0, 0), (2, 1, 2))
HAT = block((0.5, 1.0, 0.5), (1.5, 2.0, 1.5))
REGION = block((0.4, 0.9, 0.4), (1.6, 2.1, 1.6))
PEER = COMPAT["edit3d"].preservation


def test_changes_inside_the_region_cost_nothing() -> None:
    """A hat that goes leaves the outside at its noise; a table that moves costs about its way."""
    worn = join(TABLE, HAT)
    same = measure_preserved_surface(worn, worn, REGION)
    gone = measure_preserved_surface(worn, TABLE, REGION)
    moved = measure_preserved_surface(worn, (TABLE[0] + [0.0, 0.0, 0.3], TABLE[1]), REGION)
    assert isinstance(same.chamfer, float)
    assert isinstance(gone.chamfer, float)
    assert isinstance(moved.chamfer, float)
    assert gone.chamfer == pytest.approx(same.chamfer, rel=0.25)
    assert moved.chamfer > 5 * same.chamfer
    assert same.source_points < 20_480


@pytest.mark.parametrize("rules", [PreservationRules(), PEER])
def test_distance_equals_an_oracle(rules: PreservationRules) -> None:
    """Points outside a box, by comparison with its bounds, thinned by a dictionary, measured by scipy's trees."""
    own = (ball(3)[0] * [1.2, 0.6, 1.0] + [1.0, 0.5, 1.0], ball(3)[1])
    found = measure_preserved_surface(TABLE, own, REGION, rules)
    clouds = []
    for soup, stream in ((TABLE, "target"), (own, "reconstruction")):
        points = draw_points(*soup, stream, 20_480, rules.sampling)
        inside = ((points > [0.4, 0.9, 0.4]) & (points < [1.6, 2.1, 1.6])).all(axis=1)
        points = points[~inside]
        if rules.thinning_cell is not None:
            cells: dict[tuple[int, ...], list[np.ndarray]] = {}
            low = points.min(axis=0) - rules.thinning_cell / 2
            for point in points:
                key = tuple(np.floor((point - low) / rules.thinning_cell).astype(int).tolist())
                cells.setdefault(key, []).append(point)
            points = np.array([np.mean(group, axis=0) for group in cells.values()])
        clouds.append(points)
    a, b = clouds
    wanted = (cKDTree(b).query(a)[0].mean() + cKDTree(a).query(b)[0].mean()) / 2
    assert found.chamfer == pytest.approx(wanted, rel=1e-6)
    assert abs(found.source_points - len(a)) <= 3
    assert abs(found.own_points - len(b)) <= 3


def test_a_region_around_everything_leaves_nothing_to_compare() -> None:
    """No point outside: undefined, with the counts."""
    found = measure_preserved_surface(TABLE, TABLE, block((-1, -1, -1), (3, 3, 3)))
    assert isinstance(found.chamfer, Undefined)
    assert (found.source_points, found.own_points) == (0, 0)


def test_thinning_takes_means_and_refuses_dust() -> None:
    """Points in one cell become their mean; a cell that cuts the object into millions is refused."""
    points = np.array([[0.0, 0, 0], [0.2, 0, 0], [3.0, 0, 0]])
    assert thin_by_cells(points, 1.0).tolist() == [[0.1, 0.0, 0.0], [3.0, 0.0, 0.0]]
    with pytest.raises(GeometryError, match="limit 1048576"):
        thin_by_cells(points, 1e-7)
    with pytest.raises(GeometryError, match="needs more than 0"):
        thin_by_cells(points, 0.0)
    assert len(thin_by_cells(points[:0], 1.0)) == 0


def test_psnr_outside_the_mask() -> None:
    """An offset of 10 levels is 28.13 dB; what changes under the mask does not count; no change has no bound."""
    source = np.full((6, 8, 3), 100, dtype=np.uint8)
    own = source + np.uint8(10)
    mask = np.zeros((6, 8), dtype=bool)
    assert measure_preserved_psnr(source, own, mask) == pytest.approx(28.130803608679106, rel=1e-14)
    mask[2:4] = True
    own[~mask] = 100
    assert measure_preserved_psnr(source, own, mask) == "inf"
    skipped = measure_preserved_psnr(source, own, mask, PEER)
    assert isinstance(skipped, Undefined)
    assert "skipped" in skipped.reason
    own[0, 0] = (101, 100, 100)
    wanted = 10 * np.log10(255.0**2 * 3 * 32)
    assert measure_preserved_psnr(source, own, mask) == pytest.approx(wanted)
    assert isinstance(measure_preserved_psnr(source, own, ~np.zeros_like(mask)), Undefined)
    with pytest.raises(InputError, match="preserved PSNR"):
        measure_preserved_psnr(source, own[1:], mask)


@pytest.mark.parametrize(("backdrop", "level"), [("black", 0), ("white", 255), ("grey", 127)])
def test_flattening_is_the_nearest_level(backdrop: str, level: int) -> None:
    """All colours under all alphas against exact fractions; `stored` shows what lies under the alpha."""
    colour, alpha = np.meshgrid(np.arange(256, dtype=np.uint8), np.arange(256, dtype=np.uint8))
    picture = np.stack([colour, colour, colour, alpha], axis=-1)
    exact = (colour.astype(int) * alpha + level * (255 - alpha.astype(int))) / 255
    flat = flatten_alpha(picture, backdrop)[..., 0]
    assert np.abs(flat - exact).max() <= 0.5
    assert np.array_equal(flatten_alpha(picture, "stored"), picture[..., :3])
    with pytest.raises(InputError, match="needs"):
        flatten_alpha(picture[..., :3], "black")
