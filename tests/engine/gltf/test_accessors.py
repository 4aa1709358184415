"""Accessors decode as the format says, against values unpacked one by one."""

from __future__ import annotations

import struct
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from gltf_samples import KINDS, Sample
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.gltf.accessors import assemble_triangles, read_faces, read_raw, read_values
from engine.gltf.document import Document, read_document
from schemas.errors import GltfError

LETTERS = {5120: "b", 5121: "B", 5122: "h", 5123: "H", 5125: "I", 5126: "f"}
DIVISORS = {5120: 127, 5121: 255, 5122: 32767, 5123: 65535}


def read(sample: Sample) -> Document:
    """Read a sample from memory."""
    return read_document(Path("memory.glb"), data=sample.glb())


@st.composite
def stored(draw: st.DrawFn) -> tuple[int, int, list[list[float]], int, int, bool]:
    """Component type, components, rows of values, stride padding, byte offset, normalised."""
    code = draw(st.sampled_from(sorted(LETTERS)))
    width = draw(st.sampled_from([1, 2, 3, 4, 16]))
    size = struct.calcsize(LETTERS[code])
    limit = 8 * size
    number: st.SearchStrategy[Any] = st.floats(width=32, allow_nan=False, allow_infinity=False)
    if code != 5126:
        low = -(1 << (limit - 1)) if LETTERS[code].islower() else 0
        number = st.integers(low, low + (1 << limit) - 1)
    rows = draw(st.lists(st.lists(number, min_size=width, max_size=width), min_size=1, max_size=6))
    return (
        code,
        width,
        rows,
        draw(st.integers(0, 3)) * 4,
        draw(st.integers(0, 5)) * size,
        code in DIVISORS and draw(st.booleans()),
    )


@settings(max_examples=150, deadline=None)
@given(stored())
def test_any_layout_decodes_to_the_packed_numbers(case: tuple[int, int, list[list[float]], int, int, bool]) -> None:
    """Every component type, width, stride and offset gives back what struct packed; normalised as the format says."""
    code, width, rows, gap, offset, scaled = case
    letter = LETTERS[code]
    body = b"".join(struct.pack(f"<{width}{letter}", *row) + b"\xee" * gap for row in rows)
    sample = Sample()
    stride = width * struct.calcsize(letter) + gap
    view = sample.view(b"\xee" * offset + body, **({"byteStride": stride} if gap else {}))
    accessor = {
        "bufferView": view,
        "byteOffset": offset,
        "componentType": code,
        "count": len(rows),
        "type": KINDS[width],
    }
    sample.append("accessors", {**accessor, "normalized": scaled})
    document = read(sample)
    assert read_raw(document, 0).tolist() == rows
    expected = [[max(value / DIVISORS[code], -1.0) for value in row] for row in rows] if scaled else rows
    assert read_values(document, 0).tolist() == expected


@settings(max_examples=60, deadline=None)
@given(st.data())
def test_sparse_accessors_replace_rows(data: st.DataObject) -> None:
    """Sparse rows override the base, or zeros where there is no base view."""
    count = data.draw(st.integers(1, 20))
    places = sorted(data.draw(st.sets(st.integers(0, count - 1), min_size=1)))
    code, letter = data.draw(st.sampled_from([(5121, "B"), (5123, "H"), (5125, "I")]))
    based = data.draw(st.booleans())
    sample = Sample()
    base = np.arange(3 * count, dtype="<f4").reshape(count, 3)
    values = -1.0 - np.arange(3 * len(places), dtype="<f4").reshape(-1, 3)
    accessor: dict[str, Any] = {"componentType": 5126, "count": count, "type": "VEC3"}
    if based:
        accessor["bufferView"] = sample.view(base.tobytes())
    accessor["sparse"] = {
        "count": len(places),
        "indices": {"bufferView": sample.view(struct.pack(f"<{len(places)}{letter}", *places)), "componentType": code},
        "values": {"bufferView": sample.view(values.tobytes())},
    }
    sample.append("accessors", accessor)
    expected = base.tolist() if based else [[0.0] * 3 for _ in range(count)]
    for place, row in zip(places, values.tolist(), strict=True):
        expected[place] = row
    assert read_raw(read(sample), 0).tolist() == expected


def test_sparse_index_out_of_range_is_refused() -> None:
    """A sparse index beyond the count is refused when decoded."""
    sample = Sample()
    indices = {"bufferView": sample.view(b"\x05"), "componentType": 5121}
    sparse = {"count": 1, "indices": indices, "values": {"bufferView": sample.view(bytes(12))}}
    sample.append("accessors", {"componentType": 5126, "count": 5, "type": "VEC3", "sparse": sparse})
    with pytest.raises(GltfError, match="index 5 is out of range 5"):
        read_raw(read(sample), 0)


@pytest.mark.parametrize(("kind", "code", "size"), [("MAT2", 5121, 8), ("MAT3", 5121, 12), ("MAT3", 5123, 24)])
def test_small_matrices_have_padded_columns(kind: str, code: int, size: int) -> None:
    """Columns of small integer matrices start at multiples of four bytes."""
    order = int(kind[-1])
    letter, width = LETTERS[code], struct.calcsize(LETTERS[code])
    columns = [[10 * column + row for row in range(order)] for column in range(order)]
    data = b"".join(
        struct.pack(f"<{order}{letter}", *column).ljust(-(-order * width // 4) * 4, b"\xee") for column in columns
    )
    sample = Sample()
    assert len(data) == size
    sample.append("accessors", {"bufferView": sample.view(data), "componentType": code, "count": 1, "type": kind})
    assert read_raw(read(sample), 0)[0].tolist() == [value for column in columns for value in column]


@given(st.integers(4, 6), st.integers(0, 12))
def test_strips_and_fans_follow_the_definition(mode: int, count: int) -> None:
    """Lists, strips and fans give the triangles of the glTF text, facing included."""
    corners = np.arange(100, 100 + count)
    v = corners.tolist()
    if mode == 4:
        expected = [v[3 * i : 3 * i + 3] for i in range(count // 3)]
    elif mode == 5:
        expected = [[v[i], v[i + 1 + i % 2], v[i + 2 - i % 2]] for i in range(max(count - 2, 0))]
    else:
        expected = [[v[i + 1], v[i + 2], v[0]] for i in range(max(count - 2, 0))]
    assert assemble_triangles(corners, mode).tolist() == expected


@pytest.mark.parametrize("dtype", ["|u1", "<u2", "<u4"])
def test_index_widths_and_no_indices(dtype: str) -> None:
    """8, 16 and 32-bit indices mean the same; without indices the vertices are taken in order."""
    sample = Sample()
    index = sample.accessor(np.array([2, 1, 0], dtype))
    document = read(sample)
    assert read_faces(document, {"indices": index}, 3, "part").tolist() == [[2, 1, 0]]
    assert read_faces(document, {}, 6, "part").tolist() == [[0, 1, 2], [3, 4, 5]]
    with pytest.raises(GltfError, match="vertex index 2"):
        read_faces(document, {"indices": index}, 2, "part")
