"""Solids, outlines and angles against closed forms."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.starter.outlines import arch, deepest_inset, fillet, gear, inset, rectangle, smooth, star, triangulate
from engine.starter.shells import Shell, signed_volume
from engine.starter.solids import beam, box, ellipsoid, extrude, lathe, ring, tube
from engine.starter.trigonometry import cosine_sine


def is_closed(shell: Shell) -> bool:
    """Every directed edge has exactly one partner in the other direction."""
    edges = np.concatenate([shell.faces[:, (0, 1)], shell.faces[:, (1, 2)], shell.faces[:, (2, 0)]])
    keys = {tuple(edge) for edge in edges.tolist()}
    return len(keys) == len(edges) and all((b, a) in keys for a, b in keys)


def polygon_area(outline: np.ndarray) -> float:
    """Area by the shoelace formula."""
    x, y = outline.T
    return float((x * np.roll(y, -1) - y * np.roll(x, -1)).sum() / 2)


def test_angles_agree_with_the_math_library() -> None:
    """Cosine and sine are right to the step of their rounding, and exact at quarter turns."""
    turns = np.linspace(-2.3, 2.3, 2001)
    cosine, sine = cosine_sine(turns)
    assert np.abs(cosine - np.cos(2 * math.pi * turns)).max() < 2.0**-24
    assert np.abs(sine - np.sin(2 * math.pi * turns)).max() < 2.0**-24
    assert [v.tolist() for v in cosine_sine(np.arange(4) / 4.0)] == [[1, 0, -1, 0], [0, 1, 0, -1]]


def test_volumes_are_those_of_the_figures() -> None:
    """Fine lathes, tubes and rings come close to cylinder, sphere, torus; a plain box is exact."""
    plain = box(2.0, 3.0, 4.0)
    assert signed_volume(plain.vertices, plain.faces) == pytest.approx(24.0)
    cases = [
        (lathe([(1.0, 0.0), (1.0, 2.0)], 256), 2 * math.pi),
        (ellipsoid(2.0, 2.0, 2.0, 128, 64), 4 / 3 * math.pi),
        (ring(2.0, 1.0, 128, 64), 2 * math.pi**2 * 2.0 * 0.25),
        (tube([(0, 0, 0), (0, 0, 3)], 0.5, 128, rounded=False), 0.75 * math.pi),
        (beam((0, 0, 0), (3, 4, 0), 0.5), 5 * 0.25),
    ]
    for shell, volume in cases:
        assert is_closed(shell)
        assert signed_volume(shell.vertices, shell.faces) == pytest.approx(volume, rel=3e-3)


@pytest.mark.parametrize("axis", ["x", "y", "z"])
@pytest.mark.parametrize("bevel", [0.0, 0.05])
def test_plates_of_any_outline_are_closed(axis: str, bevel: float) -> None:
    """Stars, gears, arches and round-cornered boxes become closed plates of the expected depth and volume."""
    for outline in (star(1.0, 0.5, 5), gear(1.0, 0.8, 9), arch(1.0, 2.0), rectangle(2.0, 1.0, 0.2)):
        shell = extrude(outline, 0.4, bevel, axis)  # type: ignore[arg-type]
        assert is_closed(shell)
        area = polygon_area(outline)
        volume = signed_volume(shell.vertices, shell.faces)
        assert np.ptp(shell.vertices["xyz".index(axis)]) > 0
        assert volume == pytest.approx(0.4 * area) if bevel == 0 else 0.8 * 0.4 * area < volume < 0.4 * area


@given(st.integers(3, 12), st.floats(0.2, 0.9))
@settings(max_examples=40, deadline=None)
def test_triangulation_covers_the_polygon(tips: int, share: float) -> None:
    """Ears of a concave polygon are all turned the same way and add up to its area."""
    outline = star(1.0, share, tips)
    triangles = outline[triangulate(outline)]
    ab, ac = triangles[:, 1] - triangles[:, 0], triangles[:, 2] - triangles[:, 0]
    areas = (ab[:, 0] * ac[:, 1] - ab[:, 1] * ac[:, 0]) / 2
    assert len(triangles) == len(outline) - 2
    assert (areas >= -1e-12).all()
    assert areas.sum() == pytest.approx(polygon_area(outline))


def test_insets_move_every_edge_by_the_distance() -> None:
    """The inset of a rectangle is the smaller rectangle, and an inset too deep for a narrow shape is reduced."""
    assert np.allclose(inset(rectangle(4.0, 2.0), 0.25), rectangle(3.5, 1.5))
    assert deepest_inset(rectangle(4.0, 2.0), 0.25) == 0.25
    assert deepest_inset(rectangle(4.0, 0.2), 0.25) < 0.1


def test_curves_pass_through_their_points_and_fillets_stay_inside() -> None:
    """A smooth curve meets every given point; rounding a square's corners never leaves the square."""
    points = np.asarray([(0.0, 0.0), (1.0, 2.0), (3.0, 1.0), (4.0, 4.0)])
    assert np.allclose(smooth(points, 5)[::5], points)
    rounded = fillet(rectangle(2.0, 2.0), 0.5, 4, closed=True)
    assert np.abs(rounded).max() == 1.0
    assert 4 - 0.25 < polygon_area(rounded) < 4


def test_mirroring_keeps_shells_outward() -> None:
    """A mirrored shell has the same positive volume."""
    shell = tube(smooth([(0, 0, 0), (1, 1, 0), (2, 0, 1)], 3), [0.3, 0.1], 8)
    mirrored = shell.scaled(-1, 1, 1)
    volume = signed_volume(shell.vertices, shell.faces)
    assert volume > 0
    assert signed_volume(mirrored.vertices, mirrored.faces) == pytest.approx(volume)
