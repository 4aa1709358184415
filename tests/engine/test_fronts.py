"""Which way fronts look, and when nothing is said of them."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from engine.geometry.overlap import Placed
from engine.operations.fronts import faces_alike, find_faced, has_front
from engine.placement.state import build_state
from library_index.library import Library
from schemas.part import PartRecord, Symmetry
from tests.box_chains import index_source
from tests.box_library import Box, make_boxes
from tests.engine.placement.placement_scenes import placed_box

BEAR = Symmetry(axis=(0.0, 1.0, 0.0), order=1, mirror=(0.0, 0.1, 0.08))


def write_tables(folder: Path, *, turned: int) -> Library:
    """An index of six tables with captioned legs, some facing -X, of one bear and of one vase."""
    source = folder / "source"
    source.mkdir()
    for number in range(6):
        boxes: list[Box] = [("wooden table top", (0.0, 0.7, 0.0), (1.6, 0.1, 1.0))]
        for name, x, z in (
            ("front left leg", 1.4, 0.8),
            ("front right leg", 0.1, 0.8),
            ("back left leg", 1.4, 0.1),
            ("back right leg", 0.1, 0.1),
        ):
            place = (1.5 - x, 0.0, 0.9 - z) if number < turned else (x, 0.0, z)
            boxes.append((name, place, (0.1, 0.7, 0.1)))
        (source / f"table{number}.glb").write_bytes(make_boxes(tuple(boxes)))
    (source / "bear.glb").write_bytes(make_boxes((("brown teddy bear", (0.0, 0.0, 0.0), (0.5, 0.7, 0.4)),)))
    (source / "vase.glb").write_bytes(make_boxes((("white vase", (0.0, 0.0, 0.0), (0.5, 0.7, 0.4)),)))
    return index_source(source, folder / "index")


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Library:
    """Six tables that face +Z."""
    return write_tables(tmp_path_factory.mktemp("tables"), turned=0)


def record_of(library: Library, object_id: str, symmetry: Symmetry | None) -> PartRecord:
    """The first part of an object, of another symmetry than the box has."""
    return library.records_of(object_id)[0].model_copy(update={"symmetry": symmetry})


def test_a_bear_has_a_front_where_the_captions_agree(library: Library) -> None:
    """Alike left and right, not front and back, whole, and of a kind that looks somewhere."""
    assert faces_alike(library)
    assert has_front(library, record_of(library, "bear", BEAR))


@pytest.mark.parametrize(
    ("object_id", "symmetry"),
    [
        ("vase", BEAR),
        ("table0", BEAR),
        ("bear", None),
        ("bear", BEAR.model_copy(update={"order": 2})),
        ("bear", BEAR.model_copy(update={"mirror": (0.0, 0.1, 0.0)})),
        ("bear", BEAR.model_copy(update={"mirror": (0.1, 0.1, 0.08)})),
    ],
    ids=["no kind with a front", "a part", "not measured", "turns onto itself", "back as front", "lopsided"],
)
def test_no_other_part_has_one(library: Library, object_id: str, symmetry: Symmetry | None) -> None:
    """Each condition alone is enough to say nothing."""
    assert not has_front(library, record_of(library, object_id, symmetry))


def test_nothing_is_known_where_objects_face_about(tmp_path: Path) -> None:
    """Two tables of six turned about, and nobody knows which way the bear was made."""
    mixed = write_tables(tmp_path, turned=2)
    assert not faces_alike(mixed)
    assert not has_front(mixed, record_of(mixed, "bear", BEAR))


@pytest.mark.parametrize("scale", [1.0, 0.01, 100.0])
def test_a_front_looks_at_the_nearest_thing_straight_ahead(scale: float) -> None:
    """Of two in a row the first, not what is behind, beside or far away."""

    def thing(x: float, z: float) -> tuple[Placed, ...]:
        return (placed_box((0.3 * scale, scale, 0.3 * scale), (x * scale, 0.5 * scale, z * scale)),)

    pieces = {"near": thing(0.0, 0.6), "next": thing(0.0, 1.1), "back": thing(0.0, -0.6), "side": thing(0.6, 0.0)}
    state = build_state(pieces, 4.0 * scale, 0.0, "near")
    bear = placed_box((0.4 * scale, 0.6 * scale, 0.4 * scale), (0.0, 0.3 * scale, 0.0))
    assert find_faced(state, bear, np.array([0.0, 0.0, 1.0])) == "near"
    assert find_faced(state, bear, np.array([1.0, 0.0, 0.0])) == "side"
    assert find_faced(state, bear, np.array([-1.0, 0.0, 0.0])) is None
    assert find_faced(state.without("near"), bear, np.array([0.0, 0.0, 1.0])) == "next"
    far = build_state({"far": thing(0.0, 1.6)}, 4.0 * scale, 0.0, "far")
    assert find_faced(far, bear, np.array([0.0, 0.0, 1.0])) is None
