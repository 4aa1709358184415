"""Edit regions: what is seen of named parts in either state, and the margin around it."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from render_shapes import box, card, front_camera, piece, unlit
from test_passes import busy_scene

from engine.render.raycast import render
from engine.render.regions import dilate_mask, find_edit_region
from engine.render.scene import RenderScene, build_scene
from engine.render.visible import find_visible_pixels
from schemas.errors import InputError

WALL = piece("wall", card())
EMPTY = build_scene([])


def without(scene: RenderScene, slot: str) -> RenderScene:
    """The same scene less one piece."""
    return RenderScene(tuple(item for item in scene.pieces if item.slot != slot))


def test_known_extent_and_margin() -> None:
    """A card over the middle half: its pixels, and a margin of 2 pixels with round corners."""
    after = build_scene([WALL, piece("dot", card(z=1.0, low=-0.375, high=0.375))])
    found = find_edit_region(build_scene([WALL]), after, ["dot"], front_camera(), 16, dilate_px=64.0)
    square = np.zeros((16, 16), dtype=bool)
    square[4:12, 4:12] = True
    assert (found.visible == square).all()
    grown = np.zeros((16, 16), dtype=bool)
    grown[2:14, 4:12] = grown[4:12, 2:14] = grown[3:13, 3:13] = True
    assert (found.dilated == grown).all()


def test_a_pixel_that_one_ray_touches_belongs() -> None:
    """A card that reaches into the first sub-pixel of a column takes the whole column, and not at one ray a pixel."""
    scene = build_scene([piece("dot", card(low=-0.5, high=0.5 + 0.25 / 16))])
    for supersample, columns in ((4, 9), (1, 8)):
        found = find_edit_region(scene, EMPTY, ["dot"], front_camera(), 16, supersample=supersample, dilate_px=0.0)
        assert found.visible.any(axis=0).sum() == columns
        assert (found.dilated == found.visible).all()


def test_behind_glass_counts_and_behind_a_wall_does_not() -> None:
    """Every layer up to the first opaque one."""
    inner = piece("inner", card(z=-0.5))
    glass = piece("pane", card(unlit(1, 0, 0, 0.5, alpha_mode="BLEND")))
    through = find_edit_region(build_scene([glass, inner]), EMPTY, ["inner"], front_camera(), 32)
    hidden = find_edit_region(build_scene([WALL, inner]), EMPTY, ["inner"], front_camera(), 32)
    assert through.visible.sum() > 700
    assert not hidden.visible.any()
    assert not hidden.dilated.any()


def test_of_coincident_parts_each_has_its_region() -> None:
    """Two cards in one plane: both are seen, whichever is named."""
    twins = build_scene([piece("a", card()), piece("b", card())])
    for slot in twins.slots:
        assert find_edit_region(twins, EMPTY, [slot], front_camera(), 16).visible.all()


@pytest.mark.parametrize("slot", ["box2", "pane1", "leaf"])
def test_region_is_what_the_sub_pixels_show(slot: str) -> None:
    """The same pixels as casting every piece through every sub-pixel, in both states together."""
    scene, camera = busy_scene()
    other = RenderScene(tuple(item for item in scene.pieces if item.slot not in {slot, "box1"}))
    for before, after in ((scene, other), (other, scene), (without(scene, "box0"), scene)):
        found = find_edit_region(before, after, [slot], camera, 48)
        expected = np.zeros((48, 48), dtype=bool)
        for state in (before, after):
            fine = find_visible_pixels(state, slot, camera, 192)
            expected |= fine.reshape(48, 4, 48, 4).any(axis=(1, 3))
        assert (found.visible == expected).all()
        assert expected.sum() > 50


def test_outside_the_region_no_byte_of_the_scored_picture_moves() -> None:
    """Taking a piece away changes only pixels of its region; region and rest part the picture."""
    scene, camera = busy_scene()
    whole = render(scene, camera, 64, 4)
    for item in scene.pieces:
        less = without(scene, item.slot)
        found = find_edit_region(scene, less, [item.slot], camera, 64)
        changed = (render(less, camera, 64, 4) != whole).any(axis=-1)
        assert not (changed & ~found.visible).any()
        assert not (found.visible & ~found.dilated).any()
        rest = ~found.dilated
        assert int(rest.sum()) + int(found.dilated.sum()) == 64 * 64


def test_several_slots_are_the_union_in_any_order() -> None:
    """Naming two parts gives the pixels of either."""
    scene, camera = busy_scene()
    one, two = (find_edit_region(scene, scene, [slot], camera, 48) for slot in ("box1", "leaf"))
    both = find_edit_region(scene, scene, ["leaf", "box1"], camera, 48)
    assert (both.visible == (one.visible | two.visible)).all()
    assert (both.dilated == (one.dilated | two.dilated)).all()


def test_what_cannot_be_asked_is_refused() -> None:
    """A slot of neither state, a negative margin."""
    scene = build_scene([piece("s", box((-1, -1, -1), (1, 1, 1)))])
    with pytest.raises(InputError, match="slot 'hat' is in neither state"):
        find_edit_region(scene, scene, ["s", "hat"], front_camera(), 16)
    with pytest.raises(InputError, match="margin is -1 px"):
        find_edit_region(scene, scene, ["s"], front_camera(), 512, supersample=1, dilate_px=-1.0)


@settings(max_examples=60, deadline=None)
@given(
    height=st.integers(1, 14),
    width=st.integers(1, 14),
    radius=st.fractions(0, 9, max_denominator=64),
    seed=st.integers(0, 2**40 - 1),
)
def test_dilation_is_the_distance_of_pixel_centres(height: int, width: int, radius: Fraction, seed: int) -> None:
    """A pixel is in the margin when one of the mask's is at most the radius away, counted one by one."""
    bits = [(seed >> (n % 40)) & (seed >> (3 * n % 37)) & 1 for n in range(height * width)]
    mask = np.array(bits, dtype=bool).reshape(height, width)
    points = np.argwhere(mask)
    expected = np.zeros_like(mask)
    for y in range(height):
        for x in range(width):
            squares = (points[:, 0] - y) ** 2 + (points[:, 1] - x) ** 2
            expected[y, x] = any(Fraction(int(square)) <= radius * radius for square in squares)
    assert (dilate_mask(mask, radius) == expected).all()
