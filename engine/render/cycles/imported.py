"""A state in Blender: reading it, and putting right what the importer leaves. Functions of a loaded `bpy` module.

The rules are those of docs/gltf.md: lights, cameras and animations of a file are ignored, hidden nodes are parts too,
faces without a material have the format's default one, and an image nobody can decode counts as absent.
"""

from __future__ import annotations

import json
from math import sqrt
from pathlib import Path
from typing import Any

import numpy as np

from engine.render.cycles.stage import StateError

LONGEST_REASON = 600
MAX_SHEAR = 1e-4
"""Largest cosine between two axes of a node's matrix."""
FLAT_NORMAL, WHITE = (0.5, 0.5, 1.0, 1.0), (1.0, 1.0, 1.0, 1.0)
SPECULAR_GLOSSINESS_IOR = 100.0
"""The importer gives materials of KHR_materials_pbrSpecularGlossiness an index of refraction far above this."""
PLAIN_IOR = 1.5


def read_state(bpy: Any, path: Path, *, non_metallic: bool) -> list[str]:
    """Replace the open scene by a GLB's meshes; return what could not be shown as it is. Raises StateError."""
    _refuse_shear(path)
    bpy.ops.wm.read_factory_settings(use_empty=True)
    try:
        bpy.ops.import_scene.gltf(
            filepath=str(path),
            import_pack_images=True,
            merge_vertices=False,
            import_shading="NORMALS",
            import_webp_texture=True,
            disable_bone_shape=True,
            import_select_created_objects=False,
            import_scene_extras=False,
        )
    except RuntimeError as error:  # what Blender makes of any exception in an operator
        raise StateError("reading", _last_words(str(error))) from error
    _keep_meshes(bpy)
    _fill_materials(bpy)
    notes = _replace_unreadable_images(bpy)
    if non_metallic:
        _remove_metal(bpy)
    return notes


def _refuse_shear(path: Path) -> None:
    """The importer splits a node's matrix into shift, rotation and scale: shear would be lost without a word."""
    data = path.read_bytes()
    text = data if data.startswith(b"{") else data[20 : 20 + int.from_bytes(data[12:16], "little")]
    try:
        nodes = json.loads(text)["nodes"]
        axes = [(index, np.array(node["matrix"], dtype=float)) for index, node in enumerate(nodes) if "matrix" in node]
    except (ValueError, KeyError, TypeError):
        return  # broken in a way that the importer has better words for
    for index, matrix in axes:
        if matrix.shape != (16,):
            continue
        x, y, z = matrix[0:3], matrix[4:7], matrix[8:11]
        for a, b in ((x, y), (y, z), (z, x)):
            together, alone = float((a * b).sum()), float((a * a).sum() * (b * b).sum())
            if together * together > MAX_SHEAR * MAX_SHEAR * alone:
                what = f"the matrix of nodes[{index}] is sheared: a cosine of {together / sqrt(alone):.6f} between axes"
                raise StateError("reading", f"{what}, limit {MAX_SHEAR}; bake the state")


def _last_words(message: str) -> str:
    """The end of a message, where a traceback names the error."""
    lines = [line.strip() for line in message.splitlines() if line.strip()]
    return " | ".join(lines)[-LONGEST_REASON:] if lines else "the importer gives no reason"


def _keep_meshes(bpy: Any) -> None:
    for action in list(bpy.data.actions):
        bpy.data.actions.remove(action)
    for thing in list(bpy.data.objects):
        if thing.type in {"LIGHT", "CAMERA"}:
            bpy.data.objects.remove(thing)
        else:
            thing.hide_render = False
    shown = [thing for thing in bpy.context.scene.objects if thing.type == "MESH"]
    if not any(len(thing.data.polygons) for thing in shown):
        raise StateError("reading", "the file holds no triangle that can be seen")
    # Matrices of new objects are worked out on demand.
    bpy.context.view_layer.update()


def _fill_materials(bpy: Any) -> None:
    """Give the format's default material to polygons that have none, and its values to the importer's own default."""
    plain = None
    for mesh in bpy.data.meshes:
        if not mesh.polygons:
            continue
        if any(slot is None for slot in mesh.materials) or not mesh.materials:
            plain = plain or _default_material(bpy)
        if not mesh.materials:
            mesh.materials.append(plain)
        for place, slot in enumerate(mesh.materials):
            if slot is None:
                mesh.materials[place] = plain
        places = np.zeros(len(mesh.polygons), dtype=np.int32)
        mesh.polygons.foreach_get("material_index", places)
        if places.max() >= len(mesh.materials):
            what = f"mesh {mesh.name:.100} asks for material {places.max()} of {len(mesh.materials)}"
            raise StateError("materials", what)
    for material in bpy.data.materials:
        if material.name.startswith("DefaultMaterial") and material is not plain:
            _set_defaults(material)


def _default_material(bpy: Any) -> Any:
    material = bpy.data.materials.new("glTF default")
    nodes, links = material.node_tree.nodes, material.node_tree.links
    nodes.clear()
    shader, out = nodes.new("ShaderNodeBsdfPrincipled"), nodes.new("ShaderNodeOutputMaterial")
    links.new(out.inputs["Surface"], shader.outputs["BSDF"])
    shader.inputs["Base Color"].default_value = WHITE
    _set_defaults(material)
    return material


def _set_defaults(material: Any) -> None:
    for shader in _shaders(material):
        shader.inputs["Metallic"].default_value = 1.0
        shader.inputs["Roughness"].default_value = 1.0


def _shaders(material: Any) -> list[Any]:
    return [node for node in material.node_tree.nodes if node.type == "BSDF_PRINCIPLED"]


def _replace_unreadable_images(bpy: Any) -> list[str]:
    """Images that cannot be decoded would be drawn magenta: their textures are left out, as in every other picture."""
    notes: dict[str, None] = {}
    for material in bpy.data.materials:
        for node in material.node_tree.nodes:
            if node.type != "TEX_IMAGE" or (node.image is not None and min(node.image.size) > 0):
                continue
            what = "a texture without an image" if node.image is None else f"image {node.image.name:.100}"
            notes[f"material {material.name:.100}: {what} cannot be decoded and is left out"] = None
            bends = any(link.to_node.type == "NORMAL_MAP" for link in node.outputs["Color"].links)
            node.image = _plain_image(bpy, "flat normal" if bends else "white", FLAT_NORMAL if bends else WHITE)
    return list(notes)


def _plain_image(bpy: Any, name: str, color: tuple[float, float, float, float]) -> Any:
    found = bpy.data.images.get(name)
    if found is None:
        found = bpy.data.images.new(name, 1, 1, alpha=True, float_buffer=True, is_data=True)
        found.pixels.foreach_set(color)
        found.pack()
    return found


def _remove_metal(bpy: Any) -> None:
    for material in bpy.data.materials:
        for shader in _shaders(material):
            _set_plain(material, shader.inputs["Metallic"], 0.0)
            if shader.inputs["IOR"].default_value > SPECULAR_GLOSSINESS_IOR:
                _set_plain(material, shader.inputs["IOR"], PLAIN_IOR)
                _set_plain(material, shader.inputs["Specular Tint"], WHITE)


def _set_plain(material: Any, socket: Any, value: object) -> None:
    for link in list(socket.links):
        material.node_tree.links.remove(link)
    socket.default_value = value
