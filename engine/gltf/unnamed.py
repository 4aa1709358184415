"""A scene without a word in it: what is given to a method must not say what its parts are called."""

from __future__ import annotations

import hashlib
import json
from typing import Any, Final

from engine.gltf.compose import join_state
from engine.gltf.fields import Json
from engine.gltf.fragments import (
    TRANSFORM_KEYS,
    AccessorSource,
    ImageSource,
    MaterialSource,
    NodeSource,
    PrimitiveSource,
    TextureSource,
    prepare_fragment,
)
from engine.gltf.moved import read_alone
from engine.gltf.state_tables import StateTables
from engine.gltf.structure import COMPONENTS

NEUTRAL_NAME: Final = "part_{:03d}"
WORDS: Final = frozenset(COMPONENTS) | {"OPAQUE", "MASK", "BLEND"}
"""The only texts that stay: they belong to the format."""
_NAMING: Final = frozenset({"name", "extras"})
"""Fields that go whatever they hold."""


def strip_names(data: bytes) -> bytes:
    """One GLB that looks the same and holds no text but the format's own; the same bytes give the same bytes.

    Composed anew: names, `extras`, attributes of applications, cameras, lights, animations, other scenes and extensions
    that states do not keep are gone, and skins and morph targets stand still (docs/gltf.md). The scene's roots are
    named `part_000` and so on, in the order of the digests of what they hold, and all tables follow: neither names nor
    places in the file tell in which order the slots were. Images keep their bytes, with any text inside them.

    Raises:
        GltfError: the bytes are no sound glTF file, or it needs other files.
        OutputError: the result is beyond the 4 GiB of the format.

    """
    fragment = prepare_fragment(read_alone(data), None)
    tables = StateTables()
    tables.note_extensions(fragment.extensions, fragment.required)
    roots = []
    for number, root in enumerate(sorted(fragment.roots, key=_digest_tree)):
        stack: list[tuple[int | None, NodeSource]] = [(None, root)]
        while stack:
            above, source = stack.pop()
            node = _describe_node(source)
            if source.primitives:
                node["mesh"] = tables.mesh([_strip_primitive(primitive) for primitive in source.primitives])
            if above is None:
                node["name"] = NEUTRAL_NAME.format(number)
            index = tables.add_node(node, above)
            roots += [index] if above is None else []
            stack += [(index, child) for child in reversed(source.children)]
    return join_state(tables, roots)


def _digest_tree(root: NodeSource) -> bytes:
    """SHA-256 of everything below and in a root: transforms, arrays, materials, images; not of names."""
    total = hashlib.sha256()
    stack = [(0, root)]
    while stack:
        depth, source = stack.pop()
        described = [
            depth,
            _describe_node(source),
            [_describe_primitive(_strip_primitive(each)) for each in source.primitives],
        ]
        total.update(json.dumps(described, sort_keys=True).encode())
        stack += [(depth + 1, child) for child in reversed(source.children)]
    return total.digest()


def _describe_node(source: NodeSource) -> Json:
    return {key: source.fields[key] for key in TRANSFORM_KEYS if key in source.fields}


def _describe_primitive(source: PrimitiveSource) -> list[Any]:
    arrays = [[name, *_describe_accessor(accessor)] for name, accessor in source.attributes]
    indices = _describe_accessor(source.indices) if source.indices is not None else None
    material = source.material
    if material is None:
        return [arrays, indices, source.mode]
    textures = [
        [keys, *(None if image is None else [image.mime, image.view.sha256.hex()] for image in (each.image, each.webp))]
        for keys, each in material.textures
    ]
    return [arrays, indices, source.mode, material.template, textures, [each.sampler for _, each in material.textures]]


def _describe_accessor(source: AccessorSource) -> list[Any]:
    return [source.template, [[keys, view.stride, view.sha256.hex()] for keys, view in source.views]]


def _strip_primitive(source: PrimitiveSource) -> PrimitiveSource:
    attributes = [(name, _strip_accessor(each)) for name, each in source.attributes if not name.startswith("_")]
    return source._replace(
        attributes=tuple(attributes),
        indices=_strip_accessor(source.indices) if source.indices is not None else None,
        material=_strip_material(source.material) if source.material is not None else None,
    )


def _strip_accessor(source: AccessorSource) -> AccessorSource:
    return source._replace(template=_strip_text(source.template))


def _strip_material(source: MaterialSource) -> MaterialSource:
    textures = tuple((keys, _strip_texture(texture)) for keys, texture in source.textures)
    return source._replace(template=_strip_text(source.template), textures=textures)


def _strip_texture(source: TextureSource) -> TextureSource:
    image, webp = (None if each is None else _strip_image(each) for each in (source.image, source.webp))
    return TextureSource(image, webp, None if source.sampler is None else _strip_text(source.sampler))


def _strip_image(source: ImageSource) -> ImageSource:
    return source._replace(name="")


def _strip_text(value: Any) -> Any:
    """JSON without names, extras and texts."""
    if isinstance(value, dict):
        return {key: _strip_text(each) for key, each in value.items() if key not in _NAMING and not _is_text(each)}
    if isinstance(value, list):
        return [_strip_text(each) for each in value if not _is_text(each)]
    return value


def _is_text(value: Any) -> bool:
    return isinstance(value, str) and value not in WORDS
