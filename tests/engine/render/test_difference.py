"""What looks different after an edit, not only what it covers."""

from __future__ import annotations

import numpy as np
import pytest
from render_shapes import box, piece, unlit

from engine.framing import Sphere, camera_of, enclosing_sphere, rig_of_sphere
from engine.render.difference import LEAST_CONTRAST, ViewChange, measure_best_change
from engine.render.raycast import render
from engine.render.scene import RenderPiece, build_scene, world_points
from engine.render.visible import measure_change_by_view
from engine.surfaces import Material, Surface

BLACK = Material(base_color_factor=(0.01, 0.01, 0.01, 1), metallic=0.0)
RED = Material(base_color_factor=(0.6, 0.02, 0.02, 1), metallic=0.0)
SKIN = Material(base_color_factor=(0.8, 0.5, 0.35, 1), metallic=0.0)
FACE = piece("face", box((-1, -1, -1), (1, 1, 1), SKIN))


def eye(material: Material = BLACK, size: float = 0.3, depth: float = 1.1) -> RenderPiece:
    """A block on the front of the face."""
    return piece("eye", box((-size, -size, 1), (size, size, depth), material))


def block(middle: tuple[int, int, int], half: float, material: Material) -> RenderPiece:
    """An eye on any side of the face: a cube around the middle of that side."""
    x, y, z = middle
    return piece("eye", box((x - half, y - half, z - half), (x + half, y + half, z + half), material))


def sphere_of(*pieces: RenderPiece) -> Sphere:
    """Find the sphere around pieces."""
    return enclosing_sphere([points for item in pieces for points in world_points(item)])


def change(before: RenderPiece, after: RenderPiece) -> ViewChange:
    """Swap one eye for another."""
    return measure_best_change([FACE, before], [FACE, after], "eye", sphere_of(FACE, before, after))


def test_the_same_look_covers_pixels_and_changes_none() -> None:
    """An eye for an equal eye covers what it shows and draws nothing new."""
    same = change(eye(), eye())
    assert same.drawn == 0.0
    assert same.covered > 0.02
    assert same.share == 0.0


def test_a_little_thicker_black_eye_is_hardly_seen_and_a_red_one_is() -> None:
    """Of a black eye for a black eye only the rim changes; of a red one all pixels do."""
    black, red = change(eye(), eye(depth=1.13)), change(eye(), eye(RED))
    assert black.share < 0.2
    assert red.share > 0.9
    assert red.drawn == pytest.approx(red.covered, rel=0.1)


def test_shape_alone_is_seen() -> None:
    """A larger eye of the same colour changes the ring around the old one: 1 - (0.3 / 0.6)^2 of it."""
    grown = change(eye(), eye(size=0.6))
    assert grown.share == pytest.approx(0.75, abs=0.12)


def test_a_changed_outline_counts_whatever_the_colour() -> None:
    """Against the empty background a moved silhouette changes even when the piece's colour stays."""
    tall, low = (piece("face", box((-1, -1, -1), (1, top, 1), SKIN)) for top in (1.0, 0.5))
    found = measure_best_change([tall], [low], "face", sphere_of(tall))
    assert 0.1 < found.drawn < 0.6


@pytest.mark.parametrize("middle", [(0, 0, 1), (1, 0, 0), (0, 0, -1), (-1, 0, 0)])
def test_change_equals_what_pictures_show(middle: tuple[int, int, int]) -> None:
    """The drawn share is the count of pixels that differ between two whole pictures of one ray a pixel."""
    before, after = ([FACE, block(middle, half, look)] for half, look in ((0.3, BLACK), (0.5, RED)))
    sphere = sphere_of(*before, *after)
    shown = []
    for view in range(4):
        camera = camera_of(rig_of_sphere(sphere), view)
        one, two = (render(build_scene(state), camera, 192, supersample=1).astype(int) for state in (before, after))
        differs = np.abs(one - two).max(axis=2) >= LEAST_CONTRAST
        whole = int(((one[..., 3] > 0) | (two[..., 3] > 0)).sum())
        shown.append(int(differs.sum()) / whole)
    found = measure_best_change(before, after, "eye", sphere)
    assert found.drawn == max(shown) > 0.0
    assert found.covered == measure_change_by_view(before, after, "eye", sphere)[shown.index(max(shown))]


def test_behind_glass_the_tint_is_compared() -> None:
    """A black block behind clear glass changes the picture, behind nearly black glass it does not."""
    shares = []
    for alpha in (0.3, 0.97):
        glass = piece("pane", box((-1, -1, 1.5), (1, 1, 1.6), unlit(0, 0, 0, alpha, alpha_mode="BLEND")))
        before, after = [FACE, glass], [FACE, glass, eye()]
        shares.append(measure_best_change(before, after, "eye", sphere_of(FACE, glass)))
    assert shares[0].drawn > 0.01
    assert shares[1].drawn < 0.3 * shares[1].covered


def test_parts_of_one_slot_are_drawn_together() -> None:
    """A slot of two pieces changes where either does, and the order of the pieces is no matter."""
    left: Surface = box((-0.6, -0.2, 1), (-0.2, 0.2, 1.1), RED)
    right: Surface = box((0.2, -0.2, 1), (0.6, 0.2, 1.1), RED)
    both = [FACE, piece("eye", left), piece("eye", right)]
    sphere = sphere_of(*both)
    joined = measure_best_change([FACE], [FACE, piece("eye", left, right)], "eye", sphere)
    assert measure_best_change([FACE], both, "eye", sphere) == joined
    assert measure_best_change([FACE], both[::-1], "eye", sphere) == joined


def test_a_hidden_slot_changes_nothing() -> None:
    """Inside the face no pixel is covered."""
    inside = piece("eye", box((-0.2, -0.2, -0.2), (0.2, 0.2, 0.2), RED))
    found = measure_best_change([FACE], [FACE, inside], "eye", sphere_of(FACE))
    assert found == ViewChange(0.0, 0.0)
    assert found.share == 0.0
