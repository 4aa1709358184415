"""Forms of single parts, the lettering of signs, and the families of free-standing things."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

from engine.starter.forms import around, bent, coat, disc, fluted, lit, pair, puck, tint, vessel
from engine.starter.goods import SMALL_THINGS, list_goods
from engine.starter.library import LONE_DIAGONAL, measure_frame
from engine.starter.models import single
from engine.starter.shells import Shell, signed_volume
from engine.starter.signs import STROKES, write_letters
from engine.starter.solids import lathe
from engine.surfaces import FloatArray, IntArray


def is_closed(shell: Shell) -> bool:
    """Every edge is used once in each direction."""
    edges = Counter((int(f[k]), int(f[(k + 1) % 3])) for f in shell.faces for k in range(3))
    return set(edges.values()) == {1} and all((b, a) in edges for a, b in edges)


def test_a_vessel_is_open_and_closed_at_once() -> None:
    """Its surface is closed, yet it holds less than a sixth of what its outside encloses and is empty in the middle."""
    outer = [(0.3, 0.0), (0.4, 0.3), (0.35, 0.8)]
    shell = vessel(outer, wall=0.01, floor=0.02)
    assert is_closed(shell)
    assert 0 < 6 * signed_volume(*_of(shell)) < signed_volume(*_of(lathe(outer, 16)))
    inside = np.hypot(shell.vertices[:, 0], shell.vertices[:, 2]) < 0.2
    assert shell.vertices[inside, 1].max() == pytest.approx(0.02)


def _of(shell: Shell) -> tuple[FloatArray, IntArray]:
    return shell.vertices, shell.faces


def test_flutes_are_as_many_and_as_deep_as_asked() -> None:
    """Radii rise and fall `count` times around Y between 1 - depth and 1 + depth; heights stay."""
    plain = lathe([(1.0, 0.0), (1.0, 1.0)], 48)
    waved = fluted(plain, 6, 0.1)
    rim = waved.vertices[(plain.vertices[:, 1] == 0.0) & (np.hypot(plain.vertices[:, 0], plain.vertices[:, 2]) > 0.5)]
    radius = np.hypot(rim[:, 0], rim[:, 2])
    assert (radius.min(), radius.max()) == pytest.approx((0.9, 1.1))
    assert np.count_nonzero((radius > np.roll(radius, 1)) & (radius > np.roll(radius, -1))) == 6
    assert np.array_equal(waved.vertices[:, 1], plain.vertices[:, 1])


def test_flutes_leave_the_axis_alone() -> None:
    """Points on Y do not move."""
    cone = fluted(lathe([(1.0, 0.0), (0.0, 1.0)], 24), 8, 0.2)
    assert cone.vertices[np.argmax(cone.vertices[:, 1])].tolist() == [0.0, 1.0, 0.0]


@pytest.mark.parametrize("bevel", [0.0, 0.02])
def test_a_puck_stands_and_a_disc_faces_the_front(bevel: float) -> None:
    """The puck reaches from y = 0 to its height, the disc from z = 0 to its depth."""
    lying, standing = puck(0.5, 0.2, bevel), disc(0.5, 0.2, bevel)
    assert (lying.vertices[:, 1].min(), lying.vertices[:, 1].max()) == pytest.approx((0.0, 0.2))
    assert (standing.vertices[:, 2].min(), standing.vertices[:, 2].max()) == pytest.approx((0.0, 0.2))
    assert is_closed(lying)
    assert is_closed(standing)


def test_copies_lie_around_the_axis_and_across_the_middle() -> None:
    """`around` spreads its copies evenly; `pair` mirrors and stays outward."""
    shell = puck(0.1, 0.1).moved(1.0, 0.0, 0.0)
    centres = np.stack([s.vertices.mean(axis=0) for s in around(shell, 4)])
    assert np.abs(centres.sum(axis=0)[[0, 2]]).max() < 1e-6
    first, second = pair(shell)
    assert second.vertices[:, 0].max() == -first.vertices[:, 0].min()
    assert signed_volume(*_of(second)) == pytest.approx(signed_volume(*_of(first)))


def test_paints_shine_and_shrink() -> None:
    """A tint has a small texture; a lit paint keeps its pixels and shines."""
    paint = tint("grey", "888888", 0.5)
    assert paint.size == 32
    assert lit(paint, 0.5).png() == paint.png()
    assert lit(paint, 0.5).emissive == 0.5


@pytest.mark.parametrize("text", ["STOP", "OPEN", "CAFE", "P"])
def test_letters_are_centred_and_as_high_as_asked(text: str) -> None:
    """The bars lie about the origin, `height` and a pen wide, side by side without touching."""
    bars = np.concatenate([bar.vertices for bar in write_letters(text, 1.0, 0.1)])
    low, high = bars.min(axis=0), bars.max(axis=0)
    assert (low[1], high[1]) == pytest.approx((-0.5, 0.5), abs=0.06)
    assert abs(low[0] + high[0]) < 0.12
    assert high[0] - low[0] == pytest.approx(0.86 * (len(text) - 1) + 0.6, abs=0.15)


def test_letters_fit_their_box() -> None:
    """Strokes stay inside a box of one by 0.6, so that letters stand apart."""
    for strokes in STROKES.values():
        points = np.asarray([point for stroke in strokes for point in stroke])
        assert points.min() >= 0.0
        assert (points.max(axis=0) <= (0.6, 1.0)).all()


def test_families_hold_many_different_things() -> None:
    """Eight families, a hundred names said once, each part within the triangles asked for."""
    families = list_goods()
    names = [name for _, family in families for name in family]
    assert len(families) == 8
    assert len(names) == len(set(names)) >= 100
    triangles = {n: sum(len(p.shell.faces) for p in pieces) for _, f in families for n, pieces in f.items()}
    assert max(triangles.values()) <= 6000
    assert 1000 <= float(np.median(list(triangles.values()))) <= 2000


def test_small_things_are_small() -> None:
    """Sizes are given for known names only, and such a part has that size in its file instead of the common one."""
    pieces = {name: shells for _, family in list_goods() for name, shells in family.items()}
    assert set(SMALL_THINGS) <= set(pieces)
    assert max(SMALL_THINGS.values()) < LONE_DIAGONAL
    frame = measure_frame(single("walnut pepper mill", pieces["walnut pepper mill"], diagonal=0.3))
    assert float(np.linalg.norm(frame.high - frame.low)) * frame.scale == pytest.approx(0.3)


def test_ends_of_a_bent_bar_are_domed_when_asked() -> None:
    """A domed bar is longer by its radius at both ends and has more triangles."""
    flat, domed = (bent([(0, 0, 0), (0, 1, 0), (0, 2, 0)], 0.1, domed=d) for d in (False, True))
    assert np.ptp(flat.vertices[:, 1]) == pytest.approx(2.0)
    assert 2.1 < np.ptp(domed.vertices[:, 1]) <= 2.2
    assert len(domed.faces) > len(flat.faces)


def test_six_sided_bars_are_shaded_round() -> None:
    """The crease of `coat` is wider than a sixth of a turn and narrower than a fifth."""
    (piece,) = coat(tint("grey", "888888", 0.5), puck(0.1, 0.1))
    assert 0.309 < piece.crease < 0.5
