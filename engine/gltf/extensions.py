"""Which glTF extensions are decoded, kept, or refused; docs/gltf.md holds the same table in words."""

from __future__ import annotations

from engine.gltf.fields import Fields, Json

DECODED = frozenset(
    {
        "EXT_texture_webp",
        "KHR_materials_emissive_strength",
        "KHR_materials_pbrSpecularGlossiness",
        "KHR_materials_unlit",
        "KHR_mesh_quantization",
        "KHR_texture_transform",
    }
)
"""Understood everywhere: in load, replay, bake and render."""

KEPT_MATERIAL = frozenset(
    {
        "KHR_materials_anisotropy",
        "KHR_materials_clearcoat",
        "KHR_materials_diffuse_transmission",
        "KHR_materials_dispersion",
        "KHR_materials_emissive_strength",
        "KHR_materials_ior",
        "KHR_materials_iridescence",
        "KHR_materials_pbrSpecularGlossiness",
        "KHR_materials_sheen",
        "KHR_materials_specular",
        "KHR_materials_transmission",
        "KHR_materials_unlit",
        "KHR_materials_volume",
    }
)
"""Material extensions that go untouched into states; those outside DECODED are not shown by our own renderers."""

WITHOUT_EFFECT = frozenset({"KHR_lights_punctual", "KHR_animation_pointer", "KHR_xmp_json_ld", "KHR_node_visibility"})
"""May be required: they do not change what geometry or materials a static part has, or are warned about."""

_WORDS = {
    "KHR_draco_mesh_compression": "Draco compressed geometry is not decoded",
    "EXT_meshopt_compression": "meshopt compressed buffers are not decoded",
    "KHR_meshopt_compression": "meshopt compressed buffers are not decoded",
    "KHR_texture_basisu": "KTX2 textures are not decoded",
    "EXT_mesh_gpu_instancing": "instanced meshes are not decoded",
}


def check_extensions(fields: Fields) -> tuple[str, ...]:
    """Refuse a required extension that is not supported, by name; return warnings about optional ones.

    Raises GltfError.
    """
    used = _names(fields, "extensionsUsed")
    accepted = DECODED | KEPT_MATERIAL | (WITHOUT_EFFECT - {"KHR_node_visibility"})
    for name in _names(fields, "extensionsRequired"):
        if name not in accepted:
            words = _WORDS.get(name, "this extension is not supported")
            fields.refuse("extensionsRequired", f"{name:.100} is required: {words}")
    return tuple(
        f"extension {name:.100} is optional and not supported; the file's fallback is used"
        for name in used
        if name not in accepted and name not in WITHOUT_EFFECT
    )


def _names(fields: Fields, key: str) -> tuple[str, ...]:
    names = fields.gltf.get(key, [])
    if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
        fields.refuse(key, "must be an array of names")
    return tuple(dict.fromkeys(names))


def kept_extensions(holder: Json, known: frozenset[str]) -> Json:
    """The extensions of `holder` that go into states, in name order."""
    extensions = holder.get("extensions", {})
    return {name: extensions[name] for name in sorted(extensions) if name in known}
