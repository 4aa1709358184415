"""Generates the starter library: GLB files, captions and provenance in the PartVerse layout."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from chains.storage import write_atomic, writer_lock
from engine.starter.catalogue import list_models
from engine.starter.glb_writer import write_glb
from engine.starter.models import Model, ModelPart
from engine.starter.outlines import length_of
from engine.surfaces import FloatArray
from library_index.facts import CAPTIONS_FILE, PROVENANCE_FILE
from library_index.layout import PARTS_FOLDER
from library_index.shipped import SHIPPED_FILES, SHIPPED_FOLDER
from schemas.codec import canonical, parse_json
from schemas.errors import InputError, OutputError, PartHashError

LONGEST_SIDE = 1.998
"""Objects are centred on their bounding box and scaled to this longest side, as PartVerse does."""
LONE_DIAGONAL = 0.45
"""Diagonal of an object that is a single part. Such a part has no share of a host, so its size in the file counts as
its own size: this one fits the places of hosts whose longest side is LONGEST_SIDE without much scaling."""
DIGESTS = Path(__file__).with_name("digests.json")
VECTORS = Path(__file__).with_name(SHIPPED_FOLDER)
"""Caption vectors that go with the library, made by `make starter-vectors` after a change of any caption or support."""
AUTHOR = "Part Edit Chains"


class StarterReport(NamedTuple):
    """What was generated."""

    objects: int
    parts: int
    triangles_median: float
    textured_share: float
    bytes: int


class Frame(NamedTuple):
    """The normalisation of one object: file coordinates are (x - centre) * scale."""

    low: FloatArray
    high: FloatArray
    centre: FloatArray
    scale: float


def generate_starter_library(out: Path) -> StarterReport:
    """Write the library into `out`; files that already have the right bytes are left alone.

    Layout: textured_part_glbs/<object>/<label>.glb, text_captions.json, provenance.json and SHA256SUMS. Raises
    OutputError when the folder holds other objects or cannot be written, LockedError when another writer is at work.
    """
    with writer_lock(out):
        models = list_models()
        _refuse_foreign_objects(out, models)
        total = 0
        sums: list[str] = []
        for name, data in build_files(models):
            _write_if_changed(out / name, data)
            sums.append(f"{hashlib.sha256(data).hexdigest()}  {name}\n")
            total += len(data)
        _write_if_changed(out / "SHA256SUMS", "".join(sorted(sums, key=lambda line: line[66:])).encode())
    counts = [measure_triangles(part) for model in models for part in model.parts]
    textured = sum(bool(part.pieces) for model in models for part in model.parts)
    return StarterReport(len(models), len(counts), float(np.median(counts)), textured / len(counts), total)


def build_files(models: tuple[Model, ...]) -> Iterator[tuple[str, bytes]]:
    """Relative path and bytes of every file of the library except the list of sums."""
    captions: dict[str, dict[str, list[str]]] = {}
    provenance: dict[str, Any] = {}
    for model in models:
        frame = measure_frame(model)
        captions[model.object_id] = {str(k): write_captions(model, part, frame) for k, part in enumerate(model.parts)}
        provenance[model.object_id] = describe_provenance(model, frame)
        for label, part in enumerate(model.parts):
            name = f"{PARTS_FOLDER}/{model.object_id}/{label}.glb"
            yield name, write_glb(part.pieces, frame.scale, frame.centre, model.seat)
    for name in SHIPPED_FILES:
        if (VECTORS / name).is_file():
            yield f"{SHIPPED_FOLDER}/{name}", (VECTORS / name).read_bytes()
    yield CAPTIONS_FILE, canonical(captions) + b"\n"
    yield PROVENANCE_FILE, canonical(provenance) + b"\n"


def measure_frame(model: Model) -> Frame:
    """Bounds of all parts together and the normalisation that follows from them."""
    low, high = _bounds(model.parts)
    size = high - low
    lone = model.diagonal or LONE_DIAGONAL
    scale = LONGEST_SIDE / float(size.max()) if len(model.parts) > 1 else lone / float(length_of(size))
    return Frame(low, high, (low + high) / 2, scale)


def measure_triangles(part: ModelPart) -> int:
    """Triangles of a part, before those that rounding closes."""
    return sum(len(piece.shell.faces) for piece in part.pieces)


def write_captions(model: Model, part: ModelPart, frame: Frame) -> list[str]:
    """The brief and the detailed caption of a part."""
    sentence = part.phrase[:1].upper() + part.phrase[1:]
    brief = sentence if len(model.parts) == 1 else f"{sentence} of the {model.name}"
    materials = list(dict.fromkeys(piece.paint.name for piece in part.pieces))
    made_of = materials[0] if len(materials) == 1 else ", ".join(materials[:-1]) + " and " + materials[-1]
    detail = f"{brief}; it is made of {made_of}"
    if len(model.parts) > 1:
        low, high = _bounds((part,))
        shares = [round(float(s)) for s in 100 * (high - low) / (frame.high - frame.low)]
        detail += (
            f" and spans about {shares[0]}% of the width, {shares[1]}% of the height and {shares[2]}% of the depth "
            "of the object"
        )
    return [brief + ".", detail + "."]


def describe_provenance(model: Model, frame: Frame) -> dict[str, Any]:
    """The provenance entry of one object."""
    return {
        "host": model.name,
        "category": model.category,
        "author": AUTHOR,
        "licence": "CC0-1.0",
        "source_repo": "generated by the starter library",
        "textured": True,
        "n_parts": len(model.parts),
        "faces": sum(measure_triangles(part) for part in model.parts),
        "source_bounds": [frame.low.tolist(), frame.high.tolist()],
        "parts": {str(k): part.phrase for k, part in enumerate(model.parts)},
    }


def check_digests(out: Path) -> int:
    """Compare a generated library with the digests kept beside the generator; returns the number of files compared.

    Raises PartHashError for the first file that differs and InputError for one that is missing.
    """
    expected = parse_json(DIGESTS.read_bytes(), DIGESTS)
    for name, digest in sorted(expected.items()):
        try:
            actual = hashlib.sha256((out / name).read_bytes()).hexdigest()
        except OSError as error:
            raise InputError(f"{out / name}: cannot be read: {error.strerror}") from error
        if actual != digest:
            raise PartHashError(name, digest, actual)
    return len(expected)


def _bounds(parts: tuple[ModelPart, ...]) -> tuple[FloatArray, FloatArray]:
    vertices = np.concatenate([piece.shell.vertices for part in parts for piece in part.pieces])
    return vertices.min(axis=0), vertices.max(axis=0)


def _refuse_foreign_objects(out: Path, models: tuple[Model, ...]) -> None:
    folder = out / PARTS_FOLDER
    known = {model.object_id for model in models}
    found = sorted(path.name for path in folder.iterdir()) if folder.is_dir() else []
    foreign = [name for name in found if name not in known]
    if foreign:
        raise OutputError(
            f"{folder}: holds {len(foreign)} objects of another library, first {foreign[0]}; use a new folder"
        )


def _write_if_changed(path: Path, data: bytes) -> None:
    if path.is_file() and path.read_bytes() == data:
        return
    # not durable: a file lost with the power is found and written again by the next run
    write_atomic(path, data, durable=False)
