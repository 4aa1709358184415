"""The process that opens a scene file in Blender: one path as argument, one JSON record on standard output.

Blender's licence, crashes and words stay in here. Scripts inside the file are not run. Start it as
`python -m evaluator.suites.blend_worker FILE`.
"""

from __future__ import annotations

import json
import os
import sys
from typing import Any

SURFACES = frozenset({"MESH", "CURVE", "SURFACE", "FONT", "META"})


def main() -> None:
    """Answer for the file that the first argument names."""
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)  # whatever else is printed, also by C code, goes to the error stream
    try:
        import bpy  # an extra, and only this process pays for it
    except ImportError as error:
        answers.write(json.dumps({"unavailable": str(error)}))
    else:
        answers.write(json.dumps(_inspect(bpy, sys.argv[1])))
    answers.flush()
    # Blender's own shutdown may crash after all is said.
    os._exit(0)


def _inspect(bpy: Any, path: str) -> dict[str, object]:
    try:
        bpy.ops.wm.open_mainfile(filepath=path, load_ui=False, use_scripts=False)
    except RuntimeError as error:
        return {"problem": str(error).strip()}
    scene = bpy.context.scene
    return {
        "triangles": _count_triangles(bpy.context.evaluated_depsgraph_get()),
        "has_camera": scene.camera is not None,
    }


def _count_triangles(graph: Any) -> int:
    """Triangles of all instances with a surface, modifiers applied."""
    total = 0
    for instance in graph.object_instances:
        if instance.object.type in SURFACES:
            mesh = instance.object.to_mesh()
            if mesh is not None:
                mesh.calc_loop_triangles()
                total += len(mesh.loop_triangles)
            instance.object.to_mesh_clear()
    return total


if __name__ == "__main__":
    main()
