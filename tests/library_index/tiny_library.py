"""Small part libraries on disk for tests: GLBs of one box each, in either layout."""

from __future__ import annotations

import json
import struct
from pathlib import Path

BOX_FACES = (0, 1, 2, 1, 3, 2, 4, 6, 5, 5, 6, 7, 0, 4, 1, 1, 4, 5, 2, 3, 6, 3, 7, 6, 0, 2, 4, 2, 6, 4, 1, 5, 3, 3, 5, 7)


def make_glb(names: tuple[str, ...] = ("box",), size: float = 1.0) -> bytes:
    """Make a GLB with one box per node name, side by side."""
    low, high = [0.0, 0.0, 0.0], [size, size, size]
    corners = [(x, y, z) for z in (0.0, size) for y in (0.0, size) for x in (0.0, size)]
    blob = b"".join(struct.pack("<3f", *corner) for corner in corners) + struct.pack(f"<{len(BOX_FACES)}H", *BOX_FACES)
    blob += b"\0" * (-len(blob) % 4)
    document = {
        "asset": {"version": "2.0"},
        "scene": 0,
        "scenes": [{"nodes": list(range(len(names)))}],
        "nodes": [{"name": name, "mesh": 0, "translation": [2.0 * i, 0, 0]} for i, name in enumerate(names)],
        "meshes": [{"primitives": [{"attributes": {"POSITION": 0}, "indices": 1}]}],
        "accessors": [
            {"bufferView": 0, "componentType": 5126, "count": 8, "type": "VEC3", "min": low, "max": high},
            {"bufferView": 1, "componentType": 5123, "count": len(BOX_FACES), "type": "SCALAR"},
        ],
        "bufferViews": [
            {"buffer": 0, "byteOffset": 0, "byteLength": 96},
            {"buffer": 0, "byteOffset": 96, "byteLength": 2 * len(BOX_FACES)},
        ],
        "buffers": [{"byteLength": len(blob)}],
    }
    text = json.dumps(document).encode()
    text += b" " * (-len(text) % 4)
    total = 12 + 8 + len(text) + 8 + len(blob)
    head = struct.pack("<4sII", b"glTF", 2, total)
    return head + struct.pack("<I4s", len(text), b"JSON") + text + struct.pack("<I4s", len(blob), b"BIN\0") + blob


CAPTIONS = {
    "chair": {"0": "A brown wooden seat of the chair.", "1": "A round grey leg.", "10": "A red cushion."},
    "lamp": {"0": "A white lamp shade.", "1": "A black iron stand with a foot."},
    "rock": {"0": "A grey stone."},
}


def make_partverse(root: Path) -> Path:
    """Write a PartVerse-like source: objects chair (3 parts), lamp (2 parts) and rock (1 part)."""
    for number, (object_id, captions) in enumerate(CAPTIONS.items()):
        folder = root / "textured_part_glbs" / object_id
        folder.mkdir(parents=True)
        for label in captions:
            (folder / f"{label}.glb").write_bytes(make_glb(("Mesh_0",), 1.0 + number + int(label)))
    pairs = {uid: {label: [text, f"{text} In detail."] for label, text in row.items()} for uid, row in CAPTIONS.items()}
    (root / "text_captions.json").write_text(json.dumps(pairs))
    origin = {"host": "chair", "category": "furniture", "author": "Ann", "licence": "CC0-1.0"}
    provenance = {"chair": {**origin, "source_repo": "example:models", "source_path": "a/chair.glb"}}
    (root / "provenance.json").write_text(json.dumps(provenance))
    return root
