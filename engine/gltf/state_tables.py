"""The growing tables of a state file; equal entries are written once."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence

from engine.gltf.fields import Json
from engine.gltf.fragments import (
    AccessorSource,
    ImageSource,
    MaterialSource,
    PrimitiveSource,
    TextureSource,
    ViewSource,
)

ALIGNMENT = 4
ENDS = 64
_Shape = tuple[int, int, int, bytes]


class StateTables:
    """Collects nodes, meshes, accessors, views, materials, textures, images and samplers of one state.

    Indices are given in order of first use, so equal input in equal order gives equal tables.
    """

    def __init__(self) -> None:
        self.rows: dict[str, list[Json]] = {}
        self.chunks: list[bytes | memoryview] = []
        self.size = 0
        self._known: dict[Hashable, list[tuple[int, Json | None]]] = {}
        self._placed: dict[ViewSource, int] = {}
        self._first: dict[_Shape, ViewSource] = {}
        self._hashed: dict[tuple[_Shape, bytes], int] = {}
        self._used: set[str] = set()
        self._required: set[str] = set()

    def add_node(self, node: Json, parent: int | None = None) -> int:
        """Append a node, as the last child of `parent` if given."""
        index = self._append("nodes", node)
        if parent is not None:
            self.rows["nodes"][parent].setdefault("children", []).append(index)
        return index

    def note_extensions(self, used: Sequence[str], required: Sequence[str] = ()) -> None:
        """Remember extensions; what is required counts only if it is used."""
        self._used.update(used)
        self._required.update(required)

    def mesh(self, primitives: Sequence[PrimitiveSource]) -> int:
        """Index of the mesh with these primitives."""
        rows = [self._primitive(primitive) for primitive in primitives]
        key = tuple(
            (*row["attributes"].items(), row.get("indices"), row.get("mode"), row.get("material")) for row in rows
        )
        return self._intern("meshes", key, None, lambda: {"primitives": rows})

    def document(self, slots: Sequence[int]) -> Json:
        """The JSON of the state, with the given nodes as the scene's roots."""
        scene: Json = {"nodes": list(slots)} if slots else {}
        document: Json = {"asset": {"version": "2.0"}, "scene": 0, "scenes": [scene], **self.rows}
        if self.size:
            document["buffers"] = [{"byteLength": self.size}]
        if self._used:
            document["extensionsUsed"] = sorted(self._used)
        if self._used & self._required:
            document["extensionsRequired"] = sorted(self._used & self._required)
        return document

    def _append(self, table: str, row: Json) -> int:
        rows = self.rows.setdefault(table, [])
        rows.append(row)
        return len(rows) - 1

    def _intern(self, table: str, key: Hashable, source: Json | None, build: Callable[[], Json]) -> int:
        """Index of the row with this key and an equal source, built when it is new."""
        bucket = self._known.setdefault((table, key), [])
        for index, other in bucket:
            if other is source or other == source:
                return index
        index = self._append(table, build())
        bucket.append((index, source))
        return index

    def _primitive(self, source: PrimitiveSource) -> Json:
        row: Json = {"attributes": {name: self._accessor(accessor) for name, accessor in source.attributes}}
        if source.indices is not None:
            row["indices"] = self._accessor(source.indices)
        if source.mode != 4:  # TRIANGLES is the default
            row["mode"] = source.mode
        if source.material is not None:
            row["material"] = self._material(source.material)
        return row

    def _accessor(self, source: AccessorSource) -> int:
        views = [(keys, self._view(view)) for keys, view in source.views]
        key = tuple(index for _, index in views)
        return self._intern("accessors", key, source.template, lambda: _with_views(source.template, views))

    def _view(self, source: ViewSource) -> int:
        """Index of the view with these bytes.

        Views of one length and equal ends are compared with the first of their kind, which costs a tenth of a hash;
        only where that differs do hashes decide.
        """
        known = self._placed.get(source)
        if known is not None:
            return known
        ends = bytes(source.data[:ENDS]) + bytes(source.data[-ENDS:])
        shape = (len(source.data), source.stride, source.target, ends)
        first = self._first.setdefault(shape, source)
        if first is source:
            return self._append_view(source)
        if bytes(first.data).startswith(source.data):
            index = self._placed[first]
        else:
            key = (shape, source.sha256)
            index = self._hashed[key] if key in self._hashed else self._append_view(source)
            self._hashed[key] = index
        self._placed[source] = index
        return index

    def _append_view(self, source: ViewSource) -> int:
        size = len(source.data)
        row: Json = {"buffer": 0, "byteLength": size}
        if self.size:
            row["byteOffset"] = self.size
        row |= {"byteStride": source.stride} if source.stride else {}
        row |= {"target": source.target} if source.target else {}
        padding = -size % ALIGNMENT
        self.chunks += [source.data, b"\x00" * padding] if padding else [source.data]
        self.size += size + padding
        self._placed[source] = self._append("bufferViews", row)
        return self._placed[source]

    def _material(self, source: MaterialSource) -> int:
        textures = [(keys, self._texture(texture)) for keys, texture in source.textures]
        self.note_extensions(source.extensions)
        key = tuple(index for _, index in textures)
        return self._intern("materials", key, source.template, lambda: _with_textures(source.template, textures))

    def _texture(self, source: TextureSource) -> int:
        row: Json = {}
        if source.sampler is not None:
            row["sampler"] = self._intern("samplers", (), source.sampler, lambda: dict(source.sampler or {}))
        if source.image is not None:
            row["source"] = self._image(source.image)
        if source.webp is not None:
            row["extensions"] = {"EXT_texture_webp": {"source": self._image(source.webp)}}
            if source.image is None:
                self._required.add("EXT_texture_webp")
        return self._intern("textures", row.get("source"), row, lambda: row)

    def _image(self, source: ImageSource) -> int:
        view = self._view(source.view)
        row: Json = {"bufferView": view, "mimeType": source.mime}
        named = {"name": source.name, **row} if source.name else row
        return self._intern("images", (view, source.mime), None, lambda: named)


def _with_views(template: Json, views: Sequence[tuple[tuple[str, ...], int]]) -> Json:
    """A copy of an accessor with buffer view indices put in."""
    row = dict(template)
    if "sparse" in row:
        row["sparse"] = {key: dict(value) if isinstance(value, dict) else value for key, value in row["sparse"].items()}
    for keys, index in views:
        holder = row
        for key in keys:
            holder = holder[key]
        holder["bufferView"] = index
    return row


def _with_textures(template: Json, textures: Sequence[tuple[tuple[str, ...], int]]) -> Json:
    """A copy of a material with texture indices put in; only the path to an index is copied."""
    row = dict(template)
    for keys, index in textures:
        holder = row
        for key in keys:
            holder[key] = dict(holder[key])
            holder = holder[key]
        holder["index"] = index
    return row
