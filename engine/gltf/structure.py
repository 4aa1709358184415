"""Checks that every index, range and shape in a glTF JSON is sound, so that later readers need not."""

from __future__ import annotations

from collections.abc import Sequence

from engine.gltf.budget import Budget
from engine.gltf.fields import Fields, Json

COMPONENT_BYTES = {5120: 1, 5121: 1, 5122: 2, 5123: 2, 5125: 4, 5126: 4}
COMPONENTS = {"SCALAR": 1, "VEC2": 2, "VEC3": 3, "VEC4": 4, "MAT2": 4, "MAT3": 9, "MAT4": 16}
TRIANGLE_MODES = frozenset({4, 5, 6})
MAX_MODE = 6
MAX_STRIDE = 252
UNSIGNED = frozenset({5121, 5123, 5125})
FLOAT = 5126


def check_structure(fields: Fields, buffer_lengths: Sequence[int], budget: Budget) -> list[str]:
    """Check views, accessors, meshes, materials, textures, skins, nodes and scenes; return warnings.

    Raises GltfError naming the place.
    """
    _check_views(fields, buffer_lengths)
    _check_accessors(fields, budget)
    _check_textures(fields)
    _check_materials(fields)
    for index, mesh in enumerate(fields.table("meshes")):
        _check_mesh(fields, f"meshes[{index}]", mesh)
    for index, skin in enumerate(fields.table("skins")):
        _check_skin(fields, f"skins[{index}]", skin)
    _check_nodes(fields, budget)
    _check_scenes(fields)
    return ["animations are ignored: parts stand still"] if fields.table("animations") else []


def _check_views(fields: Fields, buffer_lengths: Sequence[int]) -> None:
    for index, view in enumerate(fields.table("bufferViews")):
        where = f"bufferViews[{index}]"
        buffer = fields.index(f"{where}.buffer", view.get("buffer"), "buffers")
        end = fields.whole(where, view, "byteOffset", 0) + fields.whole(where, view, "byteLength")
        if end > buffer_lengths[buffer]:
            fields.refuse(where, f"ends at byte {end}, buffer {buffer} has {buffer_lengths[buffer]}: out of range")
        fields.whole(where, view, "target", 0)
        stride = fields.whole(where, view, "byteStride", 0)
        if stride > MAX_STRIDE:
            fields.refuse(where, f"byteStride {stride} is above {MAX_STRIDE}")


def packed_bytes(kind: str, component: int) -> int:
    """Bytes of one element of `component`-byte numbers; columns of small matrices are padded to 4 bytes."""
    rows = {"MAT2": 2, "MAT3": 3}.get(kind)
    if rows is None:
        return COMPONENTS[kind] * component
    return rows * (-(-rows * component // 4) * 4)


def _check_accessors(fields: Fields, budget: Budget) -> None:
    for index, accessor in enumerate(fields.table("accessors")):
        where = f"accessor {index}"
        fields.choice(where, accessor, "componentType", COMPONENT_BYTES)
        fields.choice(where, accessor, "type", COMPONENTS)
        count = fields.whole(where, accessor, "count")
        if count > budget.max_elements:
            fields.refuse(where, f"{count} elements, the budget is {budget.max_elements}")
        fields.flag(where, accessor, "normalized")
        size = packed_bytes(accessor["type"], COMPONENT_BYTES[accessor["componentType"]])
        if "bufferView" in accessor:
            _check_range(fields, where, accessor, count, size)
        sparse = fields.child(where, accessor, "sparse")
        if sparse:
            _check_sparse(fields, f"{where}.sparse", sparse, count, size)


def _check_range(fields: Fields, where: str, holder: Json, count: int, size: int) -> None:
    """The elements must lie inside the buffer view."""
    view_index = fields.index(f"{where}.bufferView", holder.get("bufferView"), "bufferViews")
    view = fields.table("bufferViews")[view_index]
    stride = view.get("byteStride", 0) or size
    if stride < size:
        fields.refuse(where, f"byteStride {stride} of bufferView {view_index} is below the element size {size}")
    end = fields.whole(where, holder, "byteOffset", 0) + (stride * (count - 1) + size if count else 0)
    if end > view["byteLength"]:
        fields.refuse(where, f"ends at byte {end}, bufferView {view_index} has {view['byteLength']}: out of range")


def _check_sparse(fields: Fields, where: str, sparse: Json, count: int, size: int) -> None:
    rows = fields.whole(where, sparse, "count")
    if rows > count:
        fields.refuse(where, f"{rows} replaced elements of {count}")
    places, values = fields.child(where, sparse, "indices"), fields.child(where, sparse, "values")
    fields.choice(f"{where}.indices", places, "componentType", UNSIGNED)
    _check_range(fields, f"{where}.indices", places, rows, COMPONENT_BYTES[places["componentType"]])
    _check_range(fields, f"{where}.values", values, rows, size)


def _check_textures(fields: Fields) -> None:
    for index, image in enumerate(fields.table("images")):
        where = f"images[{index}]"
        if "uri" in image:
            fields.text(where, image, "uri")
        else:
            fields.index(f"{where}.bufferView", image.get("bufferView"), "bufferViews")
        fields.text(where, image, "mimeType")
        fields.text(where, image, "name")
    for index, sampler in enumerate(fields.table("samplers")):
        for key in ("magFilter", "minFilter", "wrapS", "wrapT"):
            fields.whole(f"samplers[{index}]", sampler, key, 0)
    for index, texture in enumerate(fields.table("textures")):
        where = f"textures[{index}]"
        fields.reference(where, texture, "sampler", "samplers")
        sources = [fields.reference(where, texture, "source", "images")]
        for name in ("EXT_texture_webp", "KHR_texture_basisu"):
            extension = fields.extension(where, texture, name)
            if extension is not None:
                source = fields.reference(f"{where}.{name}", extension, "source", "images")
                sources.append(source if name == "EXT_texture_webp" else None)
        if texture.get("extensions") and all(source is None for source in sources):
            names = ", ".join(sorted(fields.child(where, texture, "extensions")))
            fields.refuse(where, f"{names:.200} has no fallback image that could be used instead")


def texture_places(material: Json) -> list[tuple[tuple[str, ...], Json]]:
    """Every texture reference inside a material: (path of keys, the textureInfo object).

    Core and extensions alike name them `...Texture` and give them an integer `index`.
    """
    found: list[tuple[tuple[str, ...], Json]] = []
    stack: list[tuple[tuple[str, ...], Json]] = [((), material)]
    while stack:
        keys, holder = stack.pop()
        for key in sorted(holder):
            value = holder[key]
            if not isinstance(value, dict) or key == "extras":
                continue
            if key.endswith("Texture") and "index" in value:
                found.append(((*keys, key), value))
            elif key != "KHR_texture_transform":
                stack.append(((*keys, key), value))
    return sorted(found, key=lambda place: place[0])


def _check_materials(fields: Fields) -> None:
    for index, material in enumerate(fields.table("materials")):
        where = f"materials[{index}]"
        fields.child(where, material, "extensions")
        for keys, info in texture_places(material):
            fields.index(f"{where}.{'.'.join(keys)}.index", info["index"], "textures")
            fields.child(f"{where}.{'.'.join(keys)}", info, "extensions")


def _check_mesh(fields: Fields, where: str, mesh: Json) -> None:
    accessors = fields.table("accessors")
    for index, primitive in enumerate(fields.objects(where, mesh, "primitives")):
        place = f"{where}.primitives[{index}]"
        if fields.whole(place, primitive, "mode", 4) > MAX_MODE:
            fields.refuse(place, f"unknown mode {primitive['mode']}")
        fields.reference(place, primitive, "material", "materials")
        indices = fields.reference(place, primitive, "indices", "accessors")
        if indices is not None:
            accessor = accessors[indices]
            if accessor["type"] != "SCALAR" or accessor["componentType"] not in UNSIGNED:
                fields.refuse(place, f"indices accessor {indices} is not made of unsigned scalars")
        count = _check_attributes(fields, place, fields.child(place, primitive, "attributes"), None)
        for number, target in enumerate(fields.objects(place, primitive, "targets")):
            _check_attributes(fields, f"{place}.targets[{number}]", target, count)


_ATTRIBUTE_TYPES = {
    "POSITION": ("VEC3",),
    "NORMAL": ("VEC3",),
    "TANGENT": ("VEC4", "VEC3"),
    "TEXCOORD": ("VEC2",),
    "COLOR": ("VEC3", "VEC4"),
    "JOINTS": ("VEC4",),
    "WEIGHTS": ("VEC4",),
}


def _check_attributes(fields: Fields, where: str, attributes: Json, count: int | None) -> int | None:
    """All attributes exist, have the type of their name and one common length, which is returned."""
    accessors = fields.table("accessors")
    for name in sorted(attributes):
        index = fields.index(f"{where}.{name:.40}", attributes[name], "accessors")
        allowed = _ATTRIBUTE_TYPES.get(name.split("_")[0])
        if allowed is not None and accessors[index]["type"] not in allowed:
            fields.refuse(where, f"{name:.40} is accessor {index} of type {accessors[index]['type']}")
        if count is not None and accessors[index]["count"] != count:
            fields.refuse(where, f"{name:.40} has {accessors[index]['count']} elements, the others {count}")
        count = accessors[index]["count"]
    return count


def _check_skin(fields: Fields, where: str, skin: Json) -> None:
    joints = fields.indices(where, skin, "joints", "nodes")
    if not joints:
        fields.refuse(where, "has no joints")
    matrices = fields.reference(where, skin, "inverseBindMatrices", "accessors")
    if matrices is not None:
        accessor = fields.table("accessors")[matrices]
        if accessor["type"] != "MAT4" or accessor["componentType"] != FLOAT or accessor["count"] < len(joints):
            fields.refuse(where, f"inverseBindMatrices accessor {matrices} is not one float MAT4 per joint")


def _check_nodes(fields: Fields, budget: Budget) -> None:
    nodes = fields.table("nodes")
    if len(nodes) > budget.max_nodes:
        fields.refuse("nodes", f"{len(nodes)} nodes, the budget is {budget.max_nodes}")
    parents: list[int | None] = [None] * len(nodes)
    for index, node in enumerate(nodes):
        where = f"nodes[{index}]"
        fields.text(where, node, "name")
        fields.child(where, node, "extensions")
        fields.reference(where, node, "mesh", "meshes")
        fields.reference(where, node, "skin", "skins")
        for child in fields.indices(where, node, "children", "nodes"):
            if parents[child] is not None or child == index:
                fields.refuse(where, f"node {child} has two parents or is its own: the node graph is no tree (cycle)")
            parents[child] = index
        for key, size in (("matrix", 16), ("translation", 3), ("rotation", 4), ("scale", 3)):
            if key in node:
                fields.numbers(where, node, key, (0.0,) * size)
    _check_tree(fields, parents, budget.max_depth)


def _check_tree(fields: Fields, parents: Sequence[int | None], max_depth: int) -> None:
    """Every node hangs from a root within `max_depth` levels; what hangs from no root is a cycle."""
    nodes = fields.table("nodes")
    level = [index for index, parent in enumerate(parents) if parent is None]
    reached = depth = 0
    while level:
        depth += 1
        if depth > max_depth:
            fields.refuse("nodes", f"the hierarchy is deeper than {max_depth} levels")
        reached += len(level)
        level = [child for index in level for child in nodes[index].get("children", ())]
    if reached != len(nodes):
        fields.refuse("nodes", f"the node graph has a cycle: {len(nodes) - reached} nodes hang from no root")


def _check_scenes(fields: Fields) -> None:
    children = {child for node in fields.table("nodes") for child in node.get("children", ())}
    for index, scene in enumerate(fields.table("scenes")):
        roots = fields.indices(f"scenes[{index}]", scene, "nodes", "nodes")
        inner = next((root for root in roots if root in children), None)
        if inner is not None or len(set(roots)) != len(roots):
            fields.refuse(f"scenes[{index}]", f"lists node {inner} twice or below its root")
    fields.reference("$", fields.gltf, "scene", "scenes")
