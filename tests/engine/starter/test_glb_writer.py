"""GLB bytes: structure by the format's rules, and content through an independent loader."""

from __future__ import annotations

import io
import json
import struct
from typing import Any

import numpy as np
import pytest
import trimesh

from engine.starter.catalogue import list_models
from engine.starter.glb_writer import write_glb
from engine.starter.library import LONE_DIAGONAL, LONGEST_SIDE, measure_frame, measure_triangles
from engine.starter.models import Model

MODELS = {model.name: model for model in list_models()}
SAMPLES = [
    "tin robot",
    "wizard",
    "brick cottage",
    "checked toy drum",
    "oak treasure chest",
]


def parse(data: bytes) -> tuple[dict[str, Any], bytes]:
    """Split a GLB into its JSON document and its binary chunk, checking every length."""
    magic, version, total, json_length, json_kind = struct.unpack_from("<4sIIII", data)
    assert (magic, version, total, json_kind) == (b"glTF", 2, len(data), 0x4E4F534A)
    assert json_length % 4 == 0
    body_length, body_kind = struct.unpack_from("<II", data, 20 + json_length)
    assert body_kind == 0x004E4942
    assert body_length % 4 == 0
    assert 28 + json_length + body_length == len(data)
    return json.loads(data[20 : 20 + json_length]), data[28 + json_length :]


def files_of(model: Model) -> list[bytes]:
    """Bytes of every part of an object."""
    frame = measure_frame(model)
    return [write_glb(part.pieces, frame.scale, frame.centre) for part in model.parts]


@pytest.mark.parametrize("name", SAMPLES)
def test_accessors_fit_their_views(name: str) -> None:
    """Views are aligned and inside the buffer, accessors fit, bounds are the true ones, indices are in range."""
    for data in files_of(MODELS[name]):
        document, body = parse(data)
        assert document["buffers"] == [{"byteLength": len(body)}]
        arrays = []
        for accessor in document["accessors"]:
            view = document["bufferViews"][accessor["bufferView"]]
            kind = {5126: "<f4", 5123: "<u2", 5125: "<u4"}[accessor["componentType"]]
            width = {"SCALAR": 1, "VEC2": 2, "VEC3": 3}[accessor["type"]]
            assert view["byteOffset"] % 4 == 0
            assert view["byteLength"] == accessor["count"] * width * np.dtype(kind).itemsize
            array = np.frombuffer(body, kind, accessor["count"] * width, view["byteOffset"]).reshape(-1, width)
            assert np.isfinite(array.astype(np.float64)).all()
            if "min" in accessor:
                assert array.min(axis=0).tolist() == accessor["min"]
                assert array.max(axis=0).tolist() == accessor["max"]
            arrays.append(array)
        for primitive in document["meshes"][0]["primitives"]:
            counts = {len(arrays[k]) for k in primitive["attributes"].values()}
            indices = arrays[primitive["indices"]]
            assert counts == {int(indices.max()) + 1}
            assert len(indices) % 3 == 0


@pytest.mark.parametrize("name", SAMPLES)
def test_another_loader_sees_the_same_object(name: str) -> None:
    """Trimesh finds the triangles, a texture on every geometry, and the object centred at the documented size."""
    model = MODELS[name]
    lows, highs = [], []
    for part, data in zip(model.parts, files_of(model), strict=True):
        scene = trimesh.load_scene(io.BytesIO(data), file_type="glb", process=False)
        found = sum(len(mesh.faces) for mesh in scene.geometry.values())
        assert 0.97 * measure_triangles(part) <= found <= measure_triangles(part)
        assert all(mesh.visual.material.baseColorTexture is not None for mesh in scene.geometry.values())
        lows.append(scene.bounds[0])
        highs.append(scene.bounds[1])
    low, high = np.min(lows, axis=0), np.max(highs, axis=0)
    assert np.abs(low + high).max() < 1e-4
    if len(model.parts) > 1:
        assert (high - low).max() == pytest.approx(LONGEST_SIDE, abs=1e-4)
    else:
        assert np.linalg.norm(high - low) == pytest.approx(LONE_DIAGONAL, abs=1e-4)


def test_coordinates_are_multiples_of_the_step() -> None:
    """Written positions are exact multiples of 1/65536, so that a last bit of arithmetic cannot show."""
    document, body = parse(files_of(MODELS["tin robot"])[0])
    accessor = document["accessors"][document["meshes"][0]["primitives"][0]["attributes"]["POSITION"]]
    view = document["bufferViews"][accessor["bufferView"]]
    values = np.frombuffer(body, "<f4", 3 * accessor["count"], view["byteOffset"]).astype(np.float64) * 65536
    assert np.array_equal(values, np.rint(values))
