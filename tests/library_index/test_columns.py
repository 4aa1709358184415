"""Filters on columns agree with the records they were read from."""

from __future__ import annotations

import numpy as np
import pytest
from header_surveyor import HeaderSurveyor
from tiny_library import make_partverse

from library_index.build import build_library
from library_index.columns import DIRECTIONS, KINDS, PartColumns, PartFilter
from library_index.embedders.hashing import HashingEmbedder
from library_index.library import Library, open_library


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Library:
    """Open the tiny library."""
    folder = tmp_path_factory.mktemp("columns")
    source = make_partverse(folder / "source")
    build_library(source, folder / "lib", surveyor=HeaderSurveyor(), embedder=HashingEmbedder(), workers=0)
    return open_library(folder / "lib")


def test_columns_are_the_records(library: Library) -> None:
    """Codes, triangles and objects of every row are those of its record."""
    columns = library.columns
    for row, record in enumerate(library.parts.values()):
        assert columns.object_ids[columns.objects[row]] == record.ref.object_id
        assert columns.datasets[columns.dataset_codes[row]] == "partverse"
        code = columns.licence_codes[row]
        assert (columns.licences[code] if code >= 0 else None) == record.licence
        assert columns.triangles[row] == record.triangles
        assert (columns.directions[row], columns.kinds[row]) == (-1, -1)
        assert np.isnan(columns.shares[row])


def test_filters_keep_what_they_say(library: Library) -> None:
    """Each condition alone on the tiny library; without mounts nothing passes a condition on mounts."""

    def kept(condition: PartFilter) -> list[str]:
        return [str(library.parts.at(int(row)).ref) for row in np.flatnonzero(condition.mask(library.columns))]

    row = library.parts.find_row(("rock", "0"))
    assert row is not None
    assert len(kept(PartFilter())) == 6
    assert kept(PartFilter(licences=["CC0-1.0"])) == ["chair/0", "chair/1", "chair/10"]
    assert kept(PartFilter(exclude_objects=["chair"], exclude_rows=[row])) == ["lamp/0", "lamp/1"]
    assert len(kept(PartFilter(max_triangles=12))) == 6
    assert kept(PartFilter(max_triangles=11)) == []
    assert kept(PartFilter(datasets=["folder"])) == []
    assert kept(PartFilter(directions=["up"])) == kept(PartFilter(min_share=0.0)) == []


def test_mounts_are_filtered_by_class_kind_and_share() -> None:
    """On random columns the mask is that of a row-by-row check."""
    generator = np.random.default_rng(5)
    count = 500
    shares = generator.random(count)
    shares[::7] = np.nan
    columns = PartColumns(
        object_ids=("a", "b", "c"),
        objects=generator.integers(0, 3, count),
        datasets=("x", "y"),
        dataset_codes=generator.integers(0, 2, count),
        licences=("CC0-1.0", "CC-BY-4.0"),
        licence_codes=generator.integers(-1, 2, count),
        triangles=generator.integers(0, 1000, count),
        directions=generator.integers(-1, 3, count),
        kinds=generator.integers(-1, 7, count),
        shares=shares,
    )
    condition = PartFilter(
        datasets=["y"], licences=["CC-BY-4.0", "CC0-1.0"], max_triangles=800, exclude_objects=["b"],
        directions=["up", "side"], kinds=["rest", "axial", "near"], min_share=0.2, max_share=0.9,
    )  # fmt: skip
    expected = [
        columns.dataset_codes[row] == 1
        and columns.licence_codes[row] >= 0
        and columns.triangles[row] <= 800
        and columns.objects[row] != 1
        and columns.directions[row] in {DIRECTIONS.index("up"), DIRECTIONS.index("side")}
        and columns.kinds[row] in {KINDS.index("rest"), KINDS.index("axial"), KINDS.index("near")}
        and bool(0.2 <= shares[row] <= 0.9)
        for row in range(count)
    ]
    assert 0 < sum(expected) < count
    assert condition.mask(columns).tolist() == expected
