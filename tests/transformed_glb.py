"""GLB files rewritten: the same parts moved, turned, scaled or mirrored, or stored in another order."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from tools.glb_bytes import BlobWriter, place_glb, read_rows, split_glb

FloatArray = NDArray[np.float64]

__all__ = ["FloatArray", "place_glb", "shuffle_glb"]


def shuffle_glb(data: bytes, seed: int) -> bytes:
    """The same surface with nodes, triangles, their corners and vertices stored in another order."""
    document, blob = split_glb(data)
    random = np.random.Generator(np.random.PCG64(seed))
    scene = document["scenes"][document.get("scene", 0)]
    scene["nodes"] = [scene["nodes"][k] for k in random.permutation(len(scene["nodes"]))]
    writer = BlobWriter(document, blob)
    for mesh in document["meshes"]:
        for primitive in mesh["primitives"]:
            order = random.permutation(document["accessors"][primitive["attributes"]["POSITION"]]["count"])
            place = np.argsort(order)
            for name, number in sorted(primitive["attributes"].items()):
                primitive["attributes"][name] = writer.replace(number, read_rows(document, blob, number)[order])
            faces = place[read_rows(document, blob, primitive["indices"]).reshape(-1, 3)]
            faces = np.stack([np.roll(face, random.integers(3)) for face in faces[random.permutation(len(faces))]])
            primitive["indices"] = writer.replace(primitive["indices"], faces.astype(np.uint32))
    return writer.pack()
