"""A real host made larger: its parts subdivided, and copied side by side, as one more object of a small library."""

from __future__ import annotations

import json
import shutil
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from tools.glb_bytes import BlobWriter, place_glb, read_rows, split_glb

HOST = "46950e5cf40508af4050ffca8412393c"
"""A long tavern table with kegs: 28 parts, 3,499 triangles."""
PARTS = "textured_part_glbs"
CAPTIONS = "text_captions.json"
WORDS = ("red", "blue", "green", "yellow", "white", "black", "grey", "purple", "pink", "orange", "golden", "silver")
"""Tell the copies' parts apart."""
OVERLAP = 0.98
"""Copies stand this share of the width apart, so that neighbours meet."""


@dataclass(frozen=True, slots=True)
class Size:
    """How large a host is made."""

    copies: int
    triangles: int


def write_grown_library(data: Path, folder: Path, size: Size, others: int) -> str:
    """Write the grown host and the first `others` other objects of `data` as a library; the host's object id.

    Raises FileNotFoundError when `data` is not in the PartVerse layout with the host in it.
    """
    captions = json.loads((data / CAPTIONS).read_text("utf-8"))
    names = [path.name for path in sorted((data / PARTS).iterdir()) if path.name != HOST][:others]
    for name in names:
        shutil.copytree(data / PARTS / name, folder / PARTS / name)
    sources = sorted((data / PARTS / HOST).iterdir(), key=lambda path: int(path.stem))
    files = [path.read_bytes() for path in sources]
    counts = [_count_triangles(file) for file in files]
    splits = choose_splits(counts, size.triangles // size.copies)
    width = _width_of(files)
    said: dict[str, list[str]] = {}
    target = folder / PARTS / HOST
    target.mkdir(parents=True)
    for copy in range(size.copies):
        shift = np.eye(4)
        shift[0, 3] = copy * OVERLAP * width
        for source, file, split in zip(sources, files, splits, strict=True):
            part = str(len(said))
            (target / f"{part}.glb").write_bytes(place_glb(subdivide_glb(file, split), shift))
            said[part] = [_rename(text, copy) for text in captions[HOST][source.stem]]
    kept = {name: captions[name] for name in names} | {HOST: said}
    (folder / CAPTIONS).write_text(json.dumps(kept), "utf-8")
    return HOST


def choose_splits(counts: Sequence[int], wanted: int) -> list[int]:
    """Into how many pieces each edge of each part is split so that all parts together come near `wanted` triangles.

    The part that was split least goes first while it fits; the total never exceeds `wanted`.
    """
    splits = [1] * len(counts)
    total = sum(counts)
    while True:
        gains = [(2 * split + 1) * count for split, count in zip(splits, counts, strict=True)]
        fitting = [k for k, gain in enumerate(gains) if total + gain <= wanted]
        if not fitting:
            return splits
        chosen = min(fitting, key=lambda k: (splits[k], k))
        total += gains[chosen]
        splits[chosen] += 1


def subdivide_glb(data: bytes, pieces: int) -> bytes:
    """Every edge cut into equal pieces, every triangle into their square; the surface stays the same.

    Points on shared edges come out equal on both sides, so closed parts stay closed.
    """
    if pieces == 1:
        return data
    document, blob = split_glb(data)
    writer = BlobWriter(document, blob)
    weights, pattern = _grid(pieces)
    for mesh in document["meshes"]:
        for primitive in mesh["primitives"]:
            corners = read_rows(document, blob, primitive["indices"]).reshape(-1, 3).astype(np.int64)
            for name, number in sorted(primitive["attributes"].items()):
                rows = read_rows(document, blob, number).astype(np.float64)
                a, b, c = (rows[corners[:, k]][:, None, :] for k in range(3))
                mixed = weights[:, 0:1] * a + weights[:, 1:2] * b + weights[:, 2:3] * c
                if name == "NORMAL":
                    lengths = np.sqrt((mixed * mixed).sum(axis=2, keepdims=True))
                    mixed = mixed / np.where(lengths > 0.0, lengths, 1.0)
                primitive["attributes"][name] = writer.replace(
                    number, mixed.reshape(-1, rows.shape[1]).astype(np.float32)
                )
            faces = pattern[None] + (len(weights) * np.arange(len(corners)))[:, None, None]
            primitive["indices"] = writer.replace(primitive["indices"], faces.reshape(-1, 3).astype(np.uint32))
    return writer.pack()


def _grid(pieces: int) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """Weights (P, 3) of the points of a subdivided triangle, and its faces (pieces ** 2, 3)."""
    place: dict[tuple[int, int], int] = {}
    for i in range(pieces + 1):
        for j in range(pieces + 1 - i):
            place[i, j] = len(place)
    weights = np.array([[pieces - i - j, i, j] for i, j in place], dtype=np.float64) / pieces
    faces = []
    for (i, j), here in place.items():
        if i + j < pieces:
            faces.append([here, place[i + 1, j], place[i, j + 1]])
        if i + j < pieces - 1:
            faces.append([place[i + 1, j], place[i + 1, j + 1], place[i, j + 1]])
    return weights, np.array(faces, dtype=np.int64)


def _count_triangles(data: bytes) -> int:
    document, _ = split_glb(data)
    primitives = [primitive for mesh in document["meshes"] for primitive in mesh["primitives"]]
    return sum(document["accessors"][primitive["indices"]]["count"] // 3 for primitive in primitives)


def _width_of(files: Sequence[bytes]) -> float:
    boxes = [
        accessor
        for document, _ in map(split_glb, files)
        for accessor in document["accessors"]
        if accessor["type"] == "VEC3" and "min" in accessor
    ]
    return float(max(box["max"][0] for box in boxes) - min(box["min"][0] for box in boxes))


def _rename(caption: str, copy: int) -> str:
    """The caption of a copy: another colour word in front of the noun phrase."""
    first, _, rest = caption.partition(" ")
    return caption if copy == 0 else f"{first} {WORDS[copy % len(WORDS)]} {rest}"
