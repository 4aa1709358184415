"""UV assets are deterministic bytes that read back exactly or are refused."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.gltf.unwrap_asset import PrimitiveUv, UvAsset
from schemas.errors import InputError


@st.composite
def assets(draw: st.DrawFn) -> UvAsset:
    """Any valid asset, empty ones included."""
    primitives = []
    for _ in range(draw(st.integers(0, 3))):
        count = draw(st.integers(0, 6))
        faces = draw(st.lists(st.tuples(*[st.integers(0, count - 1)] * 3), max_size=5)) if count else []
        numbers = st.floats(width=32, allow_nan=False, allow_infinity=False)
        uv = draw(st.lists(st.tuples(numbers, numbers), min_size=count, max_size=count))
        mapped = draw(st.lists(st.integers(0, 2**32 - 1), min_size=count, max_size=count))
        primitives.append(
            PrimitiveUv(
                np.array(mapped, np.uint32),
                np.array(faces, np.uint32).reshape(-1, 3),
                np.array(uv, np.float32).reshape(-1, 2),
            )
        )
    return UvAsset(tuple(primitives))


@settings(max_examples=80, deadline=None)
@given(assets(), st.data())
def test_round_trip_and_truncation(asset: UvAsset, data: st.DataObject) -> None:
    """Bytes read back into the same arrays; any prefix and any trailing byte is refused."""
    encoded = asset.encode()
    again = UvAsset.decode(encoded)
    assert again.encode() == encoded
    for one, other in zip(asset.primitives, again.primitives, strict=True):
        assert (one.vertex_map == other.vertex_map).all()
        assert (one.faces == other.faces).all()
        assert one.uv.tobytes() == other.uv.tobytes()
    with pytest.raises(InputError, match="UV asset"):
        UvAsset.decode(encoded[: data.draw(st.integers(0, len(encoded) - 1))])
    with pytest.raises(InputError, match="1 bytes after"):
        UvAsset.decode(encoded + b"\0")


@settings(max_examples=100, deadline=None)
@given(assets(), st.data())
def test_a_changed_byte_is_read_or_refused(asset: UvAsset, data: st.DataObject) -> None:
    """No single changed byte raises anything but a refusal."""
    encoded = bytearray(asset.encode())
    encoded[data.draw(st.integers(0, len(encoded) - 1))] ^= data.draw(st.integers(1, 255))
    try:
        assert UvAsset.decode(bytes(encoded)).encode() == bytes(encoded)
    except InputError as error:
        assert "UV asset" in str(error)  # noqa: PT017  # both outcomes are right


def test_shapes_are_checked_when_made() -> None:
    """A face beyond the vertices, or coordinates of another length, cannot be made."""
    one = np.zeros(1, np.uint32)
    with pytest.raises(InputError, match="face corner 1 of 1"):
        PrimitiveUv(one, np.ones((1, 3), np.uint32), np.zeros((1, 2), np.float32))
    with pytest.raises(InputError, match=r"expected uv \(1, 2\)"):
        PrimitiveUv(one, np.zeros((1, 3), np.uint32), np.zeros((2, 2), np.float32))
    with pytest.raises(InputError, match="not finite"):
        PrimitiveUv(one, np.zeros((1, 3), np.uint32), np.full((1, 2), np.nan, np.float32))
