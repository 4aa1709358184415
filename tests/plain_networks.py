"""The networks of the evaluator written out in numpy, in double precision and without their libraries."""

from __future__ import annotations

from math import erf

import numpy as np
from numpy.typing import NDArray
from scipy.signal import correlate

from tests.tiny_networks import TRUNK, Tensors

Wide = NDArray[np.float64]


def plain_lpips(first: Wide, second: Wide, trunk: Tensors, heads: Tensors) -> Wide:
    """The map (H, W) of two pictures (H, W, 3) in [-1, 1]."""
    size = first.shape[:2]
    total = np.zeros(size)
    for layer, (a, b) in enumerate(zip(_features(first, trunk), _features(second, trunk), strict=True)):
        head = heads[f"lin{layer}.model.1.weight"][0, :, 0, 0].astype(np.float64)
        total += _stretch((head[:, None, None] * (a - b) ** 2).sum(axis=0), size)
    return total


def _features(picture: Wide, trunk: Tensors) -> list[Wide]:
    shift, scale = np.array([-0.030, -0.088, -0.188]), np.array([0.458, 0.448, 0.450])
    values = ((picture - shift) / scale).transpose(2, 0, 1)
    found = []
    for layer, (place, size) in enumerate(TRUNK):
        if layer in {1, 2}:
            windows = np.lib.stride_tricks.sliding_window_view(values, (3, 3), axis=(1, 2))
            values = windows[:, ::2, ::2].max(axis=(3, 4))
        padding = 1 if size == 3 else 2
        padded = np.pad(values, ((0, 0), (padding, padding), (padding, padding)))
        weight = trunk[f"features.{place}.weight"].astype(np.float64)
        bias = trunk[f"features.{place}.bias"].astype(np.float64)
        stride = 4 if layer == 0 else 1
        values = np.stack(
            [
                correlate(padded, kernel, mode="valid")[0, ::stride, ::stride] + b
                for kernel, b in zip(weight, bias, strict=True)
            ]
        )
        values = np.maximum(values, 0)
        found.append(values / (np.sqrt((values**2).sum(axis=0)) + 1e-10))
    return found


def _stretch(values: Wide, size: tuple[int, ...]) -> Wide:
    """Bilinear, pixel centres on half integers, border values kept beyond the outermost centres."""
    for axis, wanted in enumerate(size):
        count = values.shape[axis]
        place = np.clip((np.arange(wanted) + 0.5) * count / wanted - 0.5, 0, None)
        low = np.minimum(place.astype(int), count - 1)
        high = np.minimum(low + 1, count - 1)
        part = (place - low).reshape(-1, *([1] * (1 - axis)))
        values = np.take(values, low, axis) * (1 - part) + np.take(values, high, axis) * part
    return values


def plain_dinov2(picture: NDArray[np.uint8], tensors: Tensors, heads: int) -> Wide:
    """Features (1 + 256, D) of a picture (224, 224, 3) after the last normalisation, the whole picture's first."""
    wide = {name: value.astype(np.float64) for name, value in tensors.items()}
    values = (picture / 255.0 - [0.485, 0.456, 0.406]) / [0.229, 0.224, 0.225]
    patches = values.reshape(16, 14, 16, 14, 3).transpose(0, 2, 4, 1, 3).reshape(256, -1)
    kernel = wide["patch_embed.proj.weight"]
    hidden = patches @ kernel.reshape(len(kernel), -1).T + wide["patch_embed.proj.bias"]
    hidden = np.concatenate([wide["cls_token"][0], hidden]) + _shrink_positions(wide["pos_embed"][0])
    depth = sum(name.endswith("attn.qkv.weight") for name in tensors)
    for block in range(depth):
        stem = f"blocks.{block}."
        hidden = hidden + wide[f"{stem}ls1.gamma"] * _attend(hidden, wide, stem, heads)
        inner = _apply(_normalise(hidden, wide, f"{stem}norm2"), wide, f"{stem}mlp.fc1")
        inner = inner * 0.5 * (1 + np.vectorize(erf)(inner / np.sqrt(2)))
        hidden = hidden + wide[f"{stem}ls2.gamma"] * _apply(inner, wide, f"{stem}mlp.fc2")
    return _normalise(hidden, wide, "norm")


def _attend(hidden: Wide, wide: dict[str, Wide], stem: str, heads: int) -> Wide:
    joined = _apply(_normalise(hidden, wide, f"{stem}norm1"), wide, f"{stem}attn.qkv")
    query, key, value = joined.reshape(len(hidden), 3, heads, -1).transpose(1, 2, 0, 3)
    scores = query @ key.transpose(0, 2, 1) / np.sqrt(query.shape[-1])
    weights = np.exp(scores - scores.max(axis=-1, keepdims=True))
    weights /= weights.sum(axis=-1, keepdims=True)
    return _apply((weights @ value).transpose(1, 0, 2).reshape(len(hidden), -1), wide, f"{stem}attn.proj")


def _apply(values: Wide, wide: dict[str, Wide], name: str) -> Wide:
    return np.asarray(values @ wide[f"{name}.weight"].T + wide[f"{name}.bias"])


def _normalise(values: Wide, wide: dict[str, Wide], name: str) -> Wide:
    centred = values - values.mean(axis=1, keepdims=True)
    spread = np.sqrt((centred**2).mean(axis=1, keepdims=True) + 1e-6)
    return np.asarray(centred / spread * wide[f"{name}.weight"] + wide[f"{name}.bias"])


def _shrink_positions(table: Wide) -> Wide:
    """37 x 37 places to 16 x 16 by cubic convolution (-0.75) at the authors' scale of 16.1 / 37."""
    values = table[1:].reshape(37, 37, -1)
    for axis in (0, 1):
        place = (np.arange(16) + 0.5) * 37 / 16.1 - 0.5
        base = np.floor(place).astype(int)
        part = (place - base).reshape(-1, *([1] * (2 - axis)))
        values = sum(
            _cubic(np.abs(part - tap)) * np.take(values, np.clip(base + tap, 0, 36), axis) for tap in (-1, 0, 1, 2)
        )
    return np.concatenate([table[:1], np.asarray(values).reshape(256, -1)])


def _cubic(distance: Wide) -> Wide:
    a = -0.75
    near = (a + 2) * distance**3 - (a + 3) * distance**2 + 1
    far = a * distance**3 - 5 * a * distance**2 + 8 * a * distance - 4 * a
    return np.where(distance <= 1, near, far)


def shrink_with_triangles(values: Wide, wanted: int) -> Wide:
    """Bring (S, S, 3) to fewer pixels by a triangle as wide as two of the new ones."""
    for axis in (0, 1):
        count = values.shape[axis]
        ratio = count / wanted
        centre = (np.arange(wanted)[:, None] + 0.5) * ratio
        weights = np.maximum(0, 1 - np.abs(np.arange(count)[None] + 0.5 - centre) / ratio)
        weights /= weights.sum(axis=1, keepdims=True)
        values = np.moveaxis(np.tensordot(weights, values, axes=(1, axis)), 0, axis)
    return values
