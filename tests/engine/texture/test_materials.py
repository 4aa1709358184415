"""The table of materials and the choice from it."""

from __future__ import annotations

import numpy as np
import pytest
from texture_pieces import make_box, make_surface, mean_color

from engine.surfaces import Material
from engine.texture.bake import BakeTexturer
from engine.texture.materials import (
    CONTRAST,
    MATERIALS,
    choose_material,
    color_distance,
    find_material,
    measure_surface_color,
)
from schemas.errors import InputError


@pytest.mark.parametrize("name", list(MATERIALS))
def test_stated_mean_color_is_the_baked_one(name: str) -> None:
    """The colour the choice relies on is the one the texture has, on a shape it was not measured on."""
    image = BakeTexturer().texture((make_box((1.0, 0.7, 0.5)),), name, 11, 2.0).image_png
    assert color_distance(mean_color(image), MATERIALS[name].mean_color) < 0.13


def test_names_and_phrases_tell_materials_apart() -> None:
    """At least 24 materials; names and phrases are unique and both find their material."""
    assert len(MATERIALS) >= 24
    assert len({spec.phrase for spec in MATERIALS.values()}) == len(MATERIALS)
    for name, spec in MATERIALS.items():
        assert spec.name == name
        assert find_material(name) is spec
        assert find_material(spec.phrase.upper()) is spec
        assert spec.phrase == spec.phrase.lower().strip()
        assert 0.0 <= spec.metallic <= 1.0
        assert 0.0 <= spec.roughness <= 1.0


def test_unknown_material_names_its_neighbours() -> None:
    """A misspelt material is refused with the nearest ones."""
    with pytest.raises(InputError, match="dark walnut wood"):
        find_material("dark wallnut wood")


@pytest.mark.parametrize("current", [(0.0, 0.0, 0.0), (1.0, 1.0, 1.0), (0.4, 0.25, 0.12), (0.5, 0.5, 0.5)])
def test_choice_is_seen(current: tuple[float, float, float]) -> None:
    """Whatever the present colour, the drawn materials are far from it, varied, and never excluded."""
    drawn = [choose_material(np.random.default_rng(n), current, {"red_paint"}) for n in range(200)]
    assert min(color_distance(MATERIALS[name].mean_color, current) for name in drawn) >= CONTRAST
    assert "red_paint" not in drawn
    assert len({MATERIALS[name].family for name in drawn}) >= 8
    again = choose_material(np.random.default_rng(0), current, {"red_paint"})
    assert again == drawn[0]


def test_choice_from_nothing_is_refused() -> None:
    """Excluding every material raises; leaving one takes it even when it does not contrast."""
    names = list(MATERIALS)
    with pytest.raises(InputError, match="excluded"):
        choose_material(np.random.default_rng(0), None, names)
    last = MATERIALS[names[0]]
    assert choose_material(np.random.default_rng(0), last.mean_color, names[1:]) == last.name


def test_surface_color_weighs_by_area() -> None:
    """A white box beside a black one of a quarter of its area gives four fifths of white."""
    white = make_box()
    half = make_box((0.5, 0.5, 0.5))
    black = make_surface(half.positions, half.faces)
    object.__setattr__(black, "material", Material(base_color_factor=(0.0, 0.0, 0.0, 1.0)))
    color = measure_surface_color((white, black))
    assert color is not None
    assert color == pytest.approx((0.8, 0.8, 0.8))
