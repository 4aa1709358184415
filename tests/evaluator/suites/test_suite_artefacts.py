"""Files of a scene: what loads is counted, what does not says why and stops nothing."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from evaluator.suites import artefacts
from evaluator.suites.artefacts import (
    BlendContents,
    check_scene_files,
    count_glb_triangles,
    read_blend,
    read_picture,
)
from evaluator.suites.scenes import Validity
from schemas.errors import WorkerError
from schemas.score import Undefined
from tests.outside_tools import need_blender

SCENES = """
import sys, bpy
folder = sys.argv[1]
bpy.ops.wm.read_factory_settings(use_empty=True)
bpy.ops.wm.save_as_mainfile(filepath=folder + "/empty.blend")
bpy.ops.mesh.primitive_cube_add()
bpy.context.object.modifiers.new("twice", "ARRAY").count = 2
bpy.ops.wm.save_as_mainfile(filepath=folder + "/blind.blend")
bpy.ops.object.camera_add()
bpy.context.scene.camera = bpy.context.object
bpy.ops.export_scene.gltf(filepath=folder + "/whole.glb", export_apply=True)
text = bpy.data.texts.new("run.py")
text.write("import pathlib; pathlib.Path(%r).write_text('run')" % (folder + "/script_has_run"))
text.use_module = True
bpy.ops.wm.save_as_mainfile(filepath=folder + "/whole.blend")
"""


@pytest.mark.bpy
def test_files_of_a_scene_are_judged_together(tmp_path: Path) -> None:
    """A whole set is valid; an empty or cameraless scene and damaged files are named; scripts in a file do not run."""
    need_blender()
    subprocess.run([sys.executable, "-c", SCENES, str(tmp_path)], check=True, capture_output=True, timeout=300)
    noise = np.random.default_rng(0).integers(0, 255, (9, 16, 3), dtype=np.uint8)
    Image.fromarray(noise).save(tmp_path / "render.png")
    render, glb = tmp_path / "render.png", tmp_path / "whole.glb"
    assert read_blend(tmp_path / "whole.blend") == BlendContents(24, has_camera=True)
    assert check_scene_files(tmp_path / "whole.blend", glb, render) == Validity()
    assert not (tmp_path / "script_has_run").exists()
    assert check_scene_files(tmp_path / "blind.blend", glb, render).problems == ("scene file has no active camera",)
    assert read_blend(tmp_path / "empty.blend") == BlendContents(0, has_camera=False)
    (tmp_path / "cut.blend").write_bytes((tmp_path / "whole.blend").read_bytes()[:200])
    damaged = check_scene_files(tmp_path / "cut.blend", tmp_path / "none.glb", tmp_path / "none.png")
    assert [problem.split(":")[0] for problem in damaged.problems] == [
        "scene file does not load",
        "GLB does not load",
        "scene file has no active camera",
        "render does not decode",
    ]
    assert "cut.blend" in damaged.problems[0]


def _stand_in(monkeypatch: pytest.MonkeyPatch, program: str) -> None:
    """Put another program in the worker's place."""
    monkeypatch.setattr(artefacts, "_WORKER", (sys.executable, "-c", program))
    monkeypatch.setattr(artefacts.importlib.util, "find_spec", lambda _name: object())


def test_a_process_that_hangs_crashes_or_is_killed(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A hang and a crash are failures of the file; a kill from outside is a fault of ours."""
    file = tmp_path / "a.blend"
    file.write_bytes(b"BLENDER")
    _stand_in(monkeypatch, "import time; time.sleep(60)")
    assert read_blend(file, seconds=0.5) == Undefined(reason="a.blend: loading took more than 0.5 s")
    _stand_in(monkeypatch, "import os, signal; os.kill(os.getpid(), signal.SIGSEGV)")
    crashed = read_blend(file)
    assert isinstance(crashed, Undefined)
    assert "ended with code -11" in crashed.reason
    _stand_in(monkeypatch, "import os, signal; os.kill(os.getpid(), signal.SIGKILL)")
    with pytest.raises(WorkerError, match="was killed"):
        read_blend(file)
    assert isinstance(read_blend(tmp_path / "none.blend"), Undefined)


def test_pictures_and_glbs(tmp_path: Path, cases_dir: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """RGB comes as it is stored; other files, cut files and huge pictures say why; triangles are counted."""
    pixels = np.random.default_rng(1).integers(0, 255, (5, 7, 4), dtype=np.uint8)
    Image.fromarray(pixels).save(tmp_path / "a.png")
    found = read_picture(tmp_path / "a.png")
    assert isinstance(found, np.ndarray)
    assert np.array_equal(found, pixels[..., :3])
    whole = (tmp_path / "a.png").read_bytes()
    (tmp_path / "cut.png").write_bytes(whole[:60])
    (tmp_path / "text.png").write_bytes(b"no picture")
    assert isinstance(read_picture(tmp_path / "cut.png"), Undefined)
    assert read_picture(tmp_path / "text.png") == Undefined(reason="text.png: not a picture of a known kind")
    monkeypatch.setattr(artefacts, "LARGEST_PICTURE", 30)
    assert read_picture(tmp_path / "a.png") == Undefined(reason="a.png: 7 x 5 pixels")
    assert count_glb_triangles(cases_dir / "E01-output-equals-target" / "output.glb") == 24
    refused = count_glb_triangles(cases_dir / "E03-unloadable-output" / "output" / "turn_01.glb")
    assert isinstance(refused, Undefined)
    assert "turn_01.glb" in refused.reason
