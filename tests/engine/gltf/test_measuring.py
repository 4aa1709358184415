"""Slow measurements and points of `engine inspect`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner
from gltf_samples import textured_cube

from engine.commands.inspect import MEASURE_NAMES, inspect
from engine.measuring import MEASURES
from schemas.errors import InputError


@pytest.fixture
def cube(tmp_path: Path) -> Path:
    """A textured unit cube on disk."""
    path = tmp_path / "cube.glb"
    path.write_bytes(textured_cube().glb())
    return path


def test_a_cube_measures_as_a_cube(cube: Path) -> None:
    """One piece, four-fold symmetry, its volume, and no other part to touch."""
    options = [word for name in MEASURE_NAMES for word in ("--measure", name)]
    result = CliRunner().invoke(inspect, [str(cube), *options, "--json"])
    report = json.loads(result.stdout)
    (part,) = report["parts"]
    sides = part["extents"]
    measured = report["measured"]
    assert measured["volume"][0]["solid_volume"] == pytest.approx(sides[0] * sides[1] * sides[2], rel=1e-3)
    assert measured["pieces"] == [{"id": part["id"], "pieces": 1, "largest_gap": 0.0}]
    assert measured["symmetry"] == [{"id": part["id"], "axis": [0.0, 1.0, 0.0], "order": 4}]
    assert (measured["contacts"]["touching_pairs"], measured["contacts"]["near_pairs"]) == (0, 0)
    assert measured["not_measured"] == []


def test_a_point_shows_the_nearest_surface(cube: Path) -> None:
    """The distance to the surface is exact and the coverage is that of the straight view down."""
    low, high = json.loads(CliRunner().invoke(inspect, [str(cube), "--json"]).stdout)["bounds"]
    middle = [(a + b) / 2 for a, b in zip(low, high, strict=True)]
    above = f"{middle[0]},{high[1] + 0.25},{middle[2]}"
    (probe,) = json.loads(CliRunner().invoke(inspect, [str(cube), "--probe", above, "--json"]).stdout)["probes"]
    assert probe["distance"] == pytest.approx(0.25)
    assert probe["coverage_from_above"] == 1.0


@pytest.mark.parametrize("text", ["1,2", "1,2,x", "1,2,nan", "1,2,inf", "1,2,3,4"])
def test_points_that_are_none_are_refused(cube: Path, text: str) -> None:
    """A point is three finite numbers."""
    with pytest.raises(InputError, match="--probe must be three"):
        CliRunner().invoke(inspect, [str(cube), "--probe", text], catch_exceptions=False)


def test_names_of_measures_agree() -> None:
    """The command offers what can be measured, without loading the kernels for its help."""
    assert set(MEASURES) == set(MEASURE_NAMES)
