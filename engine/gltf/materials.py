"""Materials as renderers see them, and digests of what they say."""

from __future__ import annotations

import copy
import hashlib
from typing import Any, Literal, cast

import rfc8785

from engine.gltf.document import Document
from engine.gltf.extensions import KEPT_MATERIAL, kept_extensions
from engine.gltf.fields import Json
from engine.gltf.images import read_header
from engine.gltf.structure import texture_places
from engine.surfaces import ImageData, Material, TextureSlot
from schemas.codec import canonical

SPECULAR_GLOSSINESS = "KHR_materials_pbrSpecularGlossiness"
NEAREST_FILTERS = frozenset({9728, 9984, 9986})
_ALPHA_MODES = ("OPAQUE", "MASK", "BLEND")


def material_source(document: Document, index: int | None) -> Json:
    """The material object that goes into states: names, factors, textures, known extensions; {} for the default."""
    if index is None:
        return {}
    source = document.json["materials"][index]
    kept = {key: value for key, value in source.items() if key != "extensions"}
    extensions = kept_extensions(source, KEPT_MATERIAL)
    return {**kept, "extensions": extensions} if extensions else kept


def dropped_extensions(document: Document) -> tuple[str, ...]:
    """Warnings about material extensions that do not go into states."""
    found = {
        name
        for material in document.json.get("materials", ())
        for name in material.get("extensions", {})
        if name not in KEPT_MATERIAL
    }
    return tuple(f"material extension {name:.100} is unknown and left out" for name in sorted(found))


def texture_image(document: Document, texture: int) -> int | None:
    """Image of a texture: its WebP source where it has one, else its plain source."""
    holder = document.json["textures"][texture]
    webp = holder.get("extensions", {}).get("EXT_texture_webp", {}).get("source")
    source: int | None = webp if webp is not None else holder.get("source")
    return source


def image_data(document: Document, index: int) -> ImageData:
    """One encoded image with its hash, remembered with the document."""
    images: dict[int, ImageData] = document.memory.setdefault("images", {})
    if index not in images:
        data = bytes(document.image_bytes(index))
        header = read_header(data)
        mime = header.mime if header is not None else document.json["images"][index].get("mimeType", "")
        images[index] = ImageData(hashlib.sha256(data).hexdigest(), mime, data)
    return images[index]


def digest_material(document: Document, source: Json) -> str:
    """SHA-256 of a material's canonical JSON with image hashes and samplers in place of indices, without names."""
    stripped = copy.deepcopy({key: value for key, value in source.items() if key not in {"name", "extras"}})
    samplers = document.json.get("samplers", [])
    for _, info in texture_places(stripped):
        texture = info.pop("index")
        image = texture_image(document, texture)
        info["image"] = image_data(document, image).sha256 if image is not None else None
        sampler = document.json["textures"][texture].get("sampler")
        info["sampler"] = samplers[sampler] if sampler is not None else {}
    try:
        return digest_plain(stripped)
    except rfc8785.CanonicalizationError as error:
        document.fields.refuse("materials", f"has no canonical form: {error}")


def digest_plain(said: Json) -> str:
    """SHA-256 of the canonical JSON of what a material says."""
    return hashlib.sha256(canonical(said)).hexdigest()


class MaterialReader:
    """Decodes the materials of one document and collects warnings about what is not shown as it is."""

    def __init__(self, document: Document) -> None:
        self.document = document
        self.warnings: dict[str, None] = {}

    def read(self, index: int | None) -> Material:
        """A material by index, None for the format's default (white, metallic 1, roughness 1)."""
        materials: dict[int | None, Material] = self.document.memory.setdefault("materials", {})
        if index not in materials:
            materials[index] = self._decode(index)
        if index is not None:
            self._warn(index)
        return materials[index]

    def _warn(self, index: int) -> None:
        source = self.document.json["materials"][index]
        if SPECULAR_GLOSSINESS in source.get("extensions", {}):
            self.warnings[
                f"material {index}: {SPECULAR_GLOSSINESS} is shown with its diffuse colour as base colour"
            ] = None
        for keys, info in texture_places(source):
            image = texture_image(self.document, info["index"])
            if image is None:
                self.warnings[f"material {index}: {keys[-1]} has no image"] = None
            elif image_data(self.document, image).mime not in {"image/png", "image/jpeg", "image/webp"}:
                self.warnings[f"material {index}: {keys[-1]} is an image that cannot be shown"] = None
        textures = self.document.json.get("textures", [])
        if any("KHR_texture_basisu" in textures[i["index"]].get("extensions", {}) for _, i in texture_places(source)):
            self.warnings[f"material {index}: KHR_texture_basisu is not decoded, the fallback image is used"] = None

    def _decode(self, index: int | None) -> Material:
        fields, where = self.document.fields, f"materials[{index}]"
        source = material_source(self.document, index)
        digest = digest_material(self.document, source)
        if index is None:
            return Material(digest=digest)
        pbr = fields.child(where, source, "pbrMetallicRoughness")
        mode = fields.text(where, source, "alphaMode", "OPAQUE")
        if mode not in _ALPHA_MODES:
            fields.refuse(f"{where}.alphaMode", f"unknown mode {mode!r:.20}")
        emissive = fields.extension(where, source, "KHR_materials_emissive_strength") or {}
        strength = fields.number(where, emissive, "emissiveStrength", 1.0)
        glow = fields.numbers(where, source, "emissiveFactor", (0.0, 0.0, 0.0))
        specular = fields.extension(where, source, SPECULAR_GLOSSINESS)
        surface = self._metallic(where, pbr) if specular is None else self._specular(where, specular)
        return Material(
            name=fields.text(where, source, "name"),
            emissive=(glow[0] * strength, glow[1] * strength, glow[2] * strength),
            emissive_texture=self._slot(where, source, "emissiveTexture"),
            normal_texture=self._slot(where, source, "normalTexture"),
            occlusion_texture=self._slot(where, source, "occlusionTexture"),
            alpha_mode=cast(Literal["OPAQUE", "MASK", "BLEND"], mode),
            alpha_cutoff=fields.number(where, source, "alphaCutoff", 0.5),
            double_sided=fields.flag(where, source, "doubleSided"),
            unlit=fields.extension(where, source, "KHR_materials_unlit") is not None,
            digest=digest,
            **surface,
        )

    def _metallic(self, where: str, pbr: Json) -> dict[str, Any]:
        fields = self.document.fields
        return {
            "base_color_factor": fields.numbers(where, pbr, "baseColorFactor", (1.0, 1.0, 1.0, 1.0)),
            "metallic": fields.number(where, pbr, "metallicFactor", 1.0),
            "roughness": fields.number(where, pbr, "roughnessFactor", 1.0),
            "base_color": self._slot(where, pbr, "baseColorTexture"),
            "metallic_roughness": self._slot(where, pbr, "metallicRoughnessTexture"),
        }

    def _specular(self, where: str, specular: Json) -> dict[str, Any]:
        """Diffuse colour as base colour of a dielectric; roughness is what is not glossy."""
        fields = self.document.fields
        return {
            "base_color_factor": fields.numbers(where, specular, "diffuseFactor", (1.0, 1.0, 1.0, 1.0)),
            "metallic": 0.0,
            "roughness": 1.0 - fields.number(where, specular, "glossinessFactor", 1.0),
            "base_color": self._slot(where, specular, "diffuseTexture"),
        }

    def _slot(self, where: str, holder: Json, key: str) -> TextureSlot | None:
        if key not in holder:
            return None
        fields = self.document.fields
        info = fields.child(where, holder, key)
        texture = fields.index(f"{where}.{key}.index", info.get("index"), "textures")
        image = texture_image(self.document, texture)
        if image is None:
            return None
        data = image_data(self.document, image)
        if data.mime not in {"image/png", "image/jpeg", "image/webp"}:
            return None
        sampler_index = self.document.json["textures"][texture].get("sampler")
        sampler = self.document.json["samplers"][sampler_index] if sampler_index is not None else {}
        moved = fields.extension(f"{where}.{key}", info, "KHR_texture_transform") or {}
        place = f"{where}.{key}"
        uv_set = fields.whole(place, moved, "texCoord", fields.whole(place, info, "texCoord", 0))
        offset = fields.numbers(place, moved, "offset", (0.0, 0.0))
        scale = fields.numbers(place, moved, "scale", (1.0, 1.0))
        return TextureSlot(
            image=data,
            uv_set=uv_set,
            offset=(offset[0], offset[1]),
            rotation=fields.number(place, moved, "rotation", 0.0),
            scale=(scale[0], scale[1]),
            wrap_s=fields.whole("sampler", sampler, "wrapS", 10497),
            wrap_t=fields.whole("sampler", sampler, "wrapT", 10497),
            nearest=sampler.get("magFilter") in NEAREST_FILTERS,
        )
