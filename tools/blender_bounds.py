"""World bounds of glTF files as Blender shows them: one request and one answer per line, as JSON.

    {"file": PATH}  ->  {"low": [x, y, z], "high": [x, y, z]}  or  {"error": WHY}

Bounds are those of vertices that polygons use, in glTF axes (Y up). Runs in a process of its own: bpy holds one scene
for the whole process, and a file that brings it down brings down nothing else.
"""

from __future__ import annotations

import json
import logging
import os
import sys
from typing import TextIO

import numpy as np
from numpy.typing import NDArray

Answer = dict[str, object]


def claim_stdout() -> TextIO:
    """Keep stdout for answers: what Blender itself prints goes to stderr from now on."""
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    return answers


def measure_file(file: str) -> Answer:
    """Import one file into an empty scene and measure it."""
    import bpy

    bpy.ops.wm.read_factory_settings(use_empty=True)
    try:
        bpy.ops.import_scene.gltf(filepath=file, loglevel=logging.ERROR)
    except RuntimeError as error:  # what every failed operator raises
        return {"error": str(error).strip()}
    bpy.context.view_layer.update()
    points = [_used_points(entry) for entry in bpy.context.scene.objects if entry.type == "MESH"]
    used = np.concatenate([np.zeros((0, 3)), *points])
    if not len(used):
        return {"error": "no polygon was imported"}
    upright = np.stack([used[:, 0], used[:, 2], -used[:, 1]], axis=1)
    return {"low": upright.min(axis=0).tolist(), "high": upright.max(axis=0).tolist()}


def _used_points(entry: object) -> NDArray[np.float64]:
    """World positions (N, 3) of the vertices that polygons of a mesh object use, in Blender's axes."""
    mesh = entry.data  # type: ignore[attr-defined]  # bpy has no types
    coordinates = np.zeros(3 * len(mesh.vertices), dtype=np.float32)
    mesh.vertices.foreach_get("co", coordinates)
    corners = np.zeros(len(mesh.loops), dtype=np.int32)
    mesh.loops.foreach_get("vertex_index", corners)
    local = coordinates.reshape(-1, 3)[np.unique(corners)].astype(np.float64)
    matrix = np.array(entry.matrix_world, dtype=np.float64)  # type: ignore[attr-defined]
    return np.asarray((local[:, None, :] * matrix[None, :3, :3]).sum(axis=2) + matrix[:3, 3])


def main() -> None:
    """Answer requests until stdin ends."""
    answers = claim_stdout()
    for line in sys.stdin:
        answers.write(json.dumps(measure_file(json.loads(line)["file"])) + "\n")
        answers.flush()


if __name__ == "__main__":
    main()
