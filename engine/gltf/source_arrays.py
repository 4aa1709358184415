"""Decoding the accessors of fragments, which need not lie in a document."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine.gltf.accessors import DTYPES, normalise, strided
from engine.gltf.fragments import AccessorSource, PrimitiveSource, ViewSource
from engine.surfaces import FloatArray, IntArray


def source_raw(accessor: AccessorSource) -> NDArray[Any]:
    """(count, components) stored values of a fragment's accessor, sparse replacements applied."""
    template = accessor.template
    count, kind = template["count"], template["type"]
    dtype = np.dtype(DTYPES[template["componentType"]])
    views = dict(accessor.views)
    values = _read(views.get(()), template.get("byteOffset", 0), count, dtype, kind)
    if "sparse" not in template:
        return values
    sparse = template["sparse"]
    rows, places = sparse["count"], sparse["indices"]
    at = _read(
        views["sparse", "indices"],
        places.get("byteOffset", 0),
        rows,
        np.dtype(DTYPES[places["componentType"]]),
        "SCALAR",
    )
    values = values.copy()
    values[at[:, 0]] = _read(views["sparse", "values"], sparse["values"].get("byteOffset", 0), rows, dtype, kind)
    return values


def _read(view: ViewSource | None, start: int, count: int, dtype: np.dtype[Any], kind: str) -> NDArray[Any]:
    if view is None:
        return strided(None, 0, 0, count=count, dtype=dtype, kind=kind)
    return strided(view.data, start, view.stride, count=count, dtype=dtype, kind=kind)


def source_values(accessor: AccessorSource) -> FloatArray:
    """(count, components) float64 values, normalised integers as the format defines them."""
    template = accessor.template
    return normalise(source_raw(accessor), template["componentType"], scaled=template.get("normalized", False))


def source_indices(primitive: PrimitiveSource) -> IntArray:
    """(N,) vertex of each corner in drawing order, with or without an index accessor."""
    if primitive.indices is not None:
        return source_raw(primitive.indices)[:, 0].astype(np.int64)
    return np.arange(dict(primitive.attributes)["POSITION"].template["count"], dtype=np.int64)
