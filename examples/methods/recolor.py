"""A method as a program: paints the whole object in the colour that the instruction names, if it names one.

The runner starts it with the path of a request; what it reads and writes lies beside that. Only the standard library
is needed to speak to it.
"""

import json
import struct
import sys
from pathlib import Path

COLORS = {"red": (0.6, 0.03, 0.03), "green": (0.05, 0.4, 0.08), "blue": (0.04, 0.1, 0.6), "white": (0.9, 0.9, 0.9)}


def paint(glb: bytes, color: tuple[float, float, float]) -> bytes:
    """The same GLB with every material in one plain colour."""
    (size,) = struct.unpack_from("<I", glb, 12)
    document = json.loads(glb[20 : 20 + size])
    for material in document.get("materials", []):
        surface = material.setdefault("pbrMetallicRoughness", {})
        surface.pop("baseColorTexture", None)
        surface["baseColorFactor"] = [*color, 1.0]
    text = json.dumps(document).encode()
    text += b" " * (-len(text) % 4)
    rest = glb[20 + size :]
    head = struct.pack("<4sIIII", b"glTF", 2, 20 + len(text) + len(rest), len(text), 0x4E4F534A)
    return head + text + rest


def main() -> None:
    """Answer the request that the last argument names."""
    path = Path(sys.argv[-1])
    request = json.loads(path.read_text("utf-8"))
    state = (path.parent / request["input"]).read_bytes()
    words = request["instruction"].lower().replace(".", " ").replace(",", " ").split()
    named = [COLORS[word] for word in words if word in COLORS]
    (path.parent / request["output"]).write_bytes(paint(state, named[0]) if named else state)
    (path.parent / request["usage"]).write_text(json.dumps({"calls": 0}))


if __name__ == "__main__":
    main()
