"""Fresh views of a delivered scene: its GLB through the cameras of the truth, drawn as the truth is."""

from __future__ import annotations

from pathlib import Path

from engine.framing import Camera
from engine.render.passes import render_passes
from engine.render.raycast import render
from engine.render.scene import RenderPiece, RenderScene, build_scene
from evaluator.outputs import read_output
from evaluator.suites.pictures import Backdrop, flatten_alpha
from evaluator.suites.readouts import view_depth
from evaluator.suites.scene_views import OwnView
from schemas.errors import InputError
from schemas.pictures import MetricSettings
from schemas.readout import CameraReadout, Readout
from schemas.score import Undefined

OUTPUT_SLOT = "output"


def draw_own_views(glb: Path, truth: Readout, backdrop: Backdrop) -> list[OwnView]:
    """Depth and metric image of a GLB in each view of the truth; undefined for a file that cannot be drawn.

    Raises InputError when a camera of the truth is not one that `engine render` has: square, looking through the
    middle of the picture.
    """
    cameras = [_camera_of(view.camera, truth) for view in truth.views]
    try:
        scene = build_scene([RenderPiece(OUTPUT_SLOT, read_output(glb).model.surfaces)])
        return [_draw(scene, camera, truth.resolution_px, backdrop) for camera in cameras]
    except InputError as error:  # the file, or a texture that is decoded when it is first seen
        reason = str(error).replace(str(glb), glb.name) if glb.is_file() else f"{glb.name}: no such file"
        none = Undefined(reason=reason if glb.parent.is_dir() else "missing")
        return [OwnView(none, none)] * len(cameras)


def _draw(scene: RenderScene, camera: Camera, size: int, backdrop: Backdrop) -> OwnView:
    picture = render(scene, camera, size, MetricSettings().supersample)
    passes = render_passes(scene, camera, size, picture[..., 3])
    return OwnView(view_depth(passes, camera), flatten_alpha(picture, backdrop))


def _camera_of(camera: CameraReadout, truth: Readout) -> Camera:
    middle = truth.resolution_px * 0.5
    if not (camera.fx == camera.fy > 0.0 and camera.cx == camera.cy == middle):
        raise InputError(
            f"{truth.chain} turn {truth.turn}: a camera with focal lengths {camera.fx:g}, {camera.fy:g} and middle "
            f"{camera.cx:g}, {camera.cy:g} cannot be drawn, needs one length and the middle at {middle:g}"
        )
    return Camera(camera.position, camera.right, camera.up, camera.forward, middle / camera.fx)
