"""Reading a glTF 2.0 file into a checked document: container, JSON, buffers, image files, budgets, containment."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Hashable
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

from engine.gltf.budget import DEFAULT_BUDGET, Budget
from engine.gltf.container import Container, split_container
from engine.gltf.extensions import check_extensions
from engine.gltf.fields import Fields, Json
from engine.gltf.images import read_header
from engine.gltf.structure import check_structure
from engine.gltf.uris import decode_data_uri, read_bounded, resolve_uri
from schemas.codec import canonical, parse_json
from schemas.errors import GltfError, SchemaError


@dataclass(frozen=True, eq=False)
class Document:
    """One glTF file whose structure has been checked; every index in `json` is in range, no buffer is short."""

    path: Path
    json: Json = field(repr=False)
    data: bytes = field(repr=False)
    """Bytes of the file itself."""
    buffers: tuple[memoryview, ...] = field(repr=False)
    """Bytes of each buffer, cut to its byteLength."""
    image_files: tuple[bytes | None, ...] = field(repr=False)
    """Bytes of each image given by URI; None for images in buffer views."""
    files: tuple[Path, ...] = ()
    """Every further file that was read, in order of first use."""
    file_hashes: tuple[tuple[str, str], ...] = ()
    """(relative URI as decoded, SHA-256) of `files`."""
    budget: Budget = DEFAULT_BUDGET
    warnings: tuple[str, ...] = ()
    known_sha256: str | None = None
    memory: dict[Hashable, Any] = field(default_factory=dict, repr=False, compare=False)
    """What has been derived from this document and is worth keeping while it lives (scene tables, fragments)."""

    @cached_property
    def sha256(self) -> str:
        """SHA-256 of the file when it is self-contained, else of the canonical list of [relative URI, SHA-256].

        The list holds the file itself and every file it reads, sorted.
        """
        own = self.known_sha256 or hashlib.sha256(self.data).hexdigest()
        if not self.files:
            return own
        entries = sorted([[self.path.name, own], *([name, digest] for name, digest in self.file_hashes)])
        return hashlib.sha256(canonical(entries)).hexdigest()

    @cached_property
    def fields(self) -> Fields:
        """Checked access to the JSON."""
        return Fields(self.json, self.path)

    def view(self, index: int) -> memoryview:
        """Bytes of one buffer view."""
        view = self.json["bufferViews"][index]
        start: int = view.get("byteOffset", 0)
        content: memoryview = self.buffers[view["buffer"]][start : start + view["byteLength"]]
        return content

    def image_bytes(self, index: int) -> bytes | memoryview:
        """Encoded bytes of one image."""
        given = self.image_files[index]
        return given if given is not None else self.view(self.json["images"][index]["bufferView"])


class _Files:
    """Reads the external files of one document inside the byte budget and remembers them."""

    def __init__(self, path: Path, root: Path, budget: Budget, used: int) -> None:
        self.path = path
        self.root = root
        self.budget = budget
        self.used = used
        self.found: dict[str, tuple[Path, bytes]] = {}

    def read(self, uri: str, where: str) -> bytes:
        """Bytes behind a URI."""
        if uri.startswith("data:"):
            return decode_data_uri(uri, where, self.path)
        file = resolve_uri(uri, where, self.path, self.root)
        name = file.relative_to(self.path.parent).as_posix()
        if name not in self.found:
            data = read_bounded(file, self.budget.max_bytes - self.used, f"{where}: file ", self.path)
            self.used += len(data)
            self.found[name] = (file, data)
        return self.found[name][1]


def read_document(
    path: Path,
    *,
    root: Path | None = None,
    data: bytes | None = None,
    sha256: str | None = None,
    sound: bool = False,
    budget: Budget = DEFAULT_BUDGET,
) -> Document:
    """Read and check one GLB or .gltf file.

    `root` confines external files (default: the file's folder). `data` gives the file's bytes when they are already
    in memory, `sha256` their hash when it is known. Values of accessors are not looked at: `read_part` does that.
    `sound` says that these very bytes passed all checks before, as those of a part did whose hash stands in an index:
    then structure and image headers are not checked again.
    Raises GltfError naming the file and the reason for everything that is not a sound document within `budget`.
    """
    if data is None:
        data = read_bounded(path, budget.max_bytes, "", path)
    elif len(data) > budget.max_bytes:
        raise GltfError(path, f"{len(data)} bytes, the budget is {budget.max_bytes}")
    container = split_container(data, path)
    fields = Fields(json.loads(bytes(container.json_text)) if sound else _parse(container, path, budget), path)
    _check_asset(fields)
    warnings = [*container.warnings, *check_extensions(fields)]
    files = _Files(path, root if root is not None else path.parent, budget, len(data))
    buffers = _read_buffers(fields, container, files)
    if not sound:
        warnings += check_structure(fields, [len(buffer) for buffer in buffers], budget)
    image_files = _read_image_files(fields, files)
    document = Document(
        path=path,
        json=fields.gltf,
        data=data,
        buffers=buffers,
        image_files=image_files,
        files=tuple(file for file, _ in files.found.values()),
        file_hashes=tuple((name, hashlib.sha256(content).hexdigest()) for name, (_, content) in files.found.items()),
        budget=budget,
        warnings=tuple(warnings),
        known_sha256=sha256,
    )
    image_warnings = [] if sound else _check_images(document)
    return document if not image_warnings else _with_warnings(document, image_warnings)


def _with_warnings(document: Document, more: list[str]) -> Document:
    values = {name: getattr(document, name) for name in Document.__dataclass_fields__}
    return Document(**{**values, "warnings": (*document.warnings, *more)})


def _parse(container: Container, path: Path, budget: Budget) -> Json:
    text = container.json_text
    if len(text) > budget.max_json_bytes:
        raise GltfError(path, f"the JSON has {len(text)} bytes, the budget is {budget.max_json_bytes}")
    try:
        document = parse_json(bytes(text).rstrip(b"\x00"), path)
    except SchemaError as error:
        raise GltfError(path, f"JSON {error.json_path}: {error.problem}") from error
    if not isinstance(document, dict):
        raise GltfError(path, f"the JSON must be an object, found {type(document).__name__}")
    if b"\\u" in bytes(text):
        _refuse_surrogates(document, path)
    return document


def _refuse_surrogates(document: Json, path: Path) -> None:
    """A lone surrogate could never be written again."""
    stack: list[Any] = [document]
    while stack:
        value = stack.pop()
        if isinstance(value, dict):
            stack += [*value.keys(), *value.values()]
        elif isinstance(value, list):
            stack += value
        elif isinstance(value, str) and any("\ud800" <= letter <= "\udfff" for letter in value):
            raise GltfError(path, f"a text holds a lone surrogate: {value[:40]!r}")


def _check_asset(fields: Fields) -> None:
    asset = fields.child("$", fields.gltf, "asset")
    for key in ("version", "minVersion"):
        version = fields.text("asset", asset, key, "2.0" if key == "minVersion" else "")
        if version.split(".")[0] != "2" or (key == "minVersion" and version != "2.0"):
            fields.refuse(f"asset.{key}", f"glTF version {version!r:.20} is not supported, only 2.0")


def _read_buffers(fields: Fields, container: Container, files: _Files) -> tuple[memoryview, ...]:
    buffers = []
    for index, buffer in enumerate(fields.table("buffers")):
        where = f"buffers[{index}]"
        length = fields.whole(where, buffer, "byteLength")
        if "uri" in buffer:
            content = memoryview(files.read(fields.text(where, buffer, "uri"), where))
        elif index == 0 and container.binary is not None:
            content = container.binary
        else:
            fields.refuse(where, "has no URI and the file has no binary chunk for it")
        if length > len(content):
            fields.refuse(where, f"truncated: byteLength is {length}, found {len(content)} bytes")
        buffers.append(content[:length])
    return tuple(buffers)


def _read_image_files(fields: Fields, files: _Files) -> tuple[bytes | None, ...]:
    images = fields.table("images")
    if len(images) > files.budget.max_images:
        fields.refuse("images", f"{len(images)} images, the budget is {files.budget.max_images}")
    return tuple(
        files.read(fields.text(f"images[{index}]", image, "uri"), f"images[{index}]") if "uri" in image else None
        for index, image in enumerate(images)
    )


def _check_images(document: Document) -> list[str]:
    """Refuse pixel bombs; name images that cannot be shown."""
    warnings = []
    for index in range(len(document.image_files)):
        header = read_header(document.image_bytes(index))
        if header is None or header.mime == "image/ktx2":
            kind = "neither PNG, JPEG nor WebP" if header is None else "KTX2 (KHR_texture_basisu)"
            label = document.json["images"][index].get("uri", document.json["images"][index].get("name", ""))
            name = label if isinstance(label, str) and not label.startswith("data:") else ""
            warnings.append(f"image {index} {name[:200]!r} is {kind}: it goes into states but is not shown")
        elif header.width * header.height > document.budget.max_image_pixels:
            size = f"{header.width} x {header.height}"
            limit = document.budget.max_image_pixels
            raise GltfError(document.path, f"image {index} has {size} pixels, the budget is {limit} pixels")
    return warnings
