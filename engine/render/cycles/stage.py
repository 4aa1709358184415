"""The scene a state is drawn in: exact settings, studio light, cameras. Functions of a loaded `bpy` module.

Every setting that could move a pixel is stated, whatever Blender's default is: defaults change between releases.
"""

from __future__ import annotations

from math import frexp, ldexp
from typing import Any, NamedTuple

from engine.render.cycles.light import COLUMNS, ROWS, studio_light
from engine.render.cycles.protocol import CameraView, RenderRequest
from schemas.base import Vec3
from schemas.pictures import CyclesSettings

SENSOR_MM = 36.0
FAR = 16.0
"""Distance from the origin, in sizes of the scene, beyond which it is moved."""
SMALLEST, LARGEST = 1e-4, 1e8
"""Sizes of a scene, world units, beyond which it is scaled: Blender's cameras see nothing nearer than a millionth."""
HAIR = 1e-4
"""In sizes of the scene: far more than rounding, far less than a pixel."""
MARGIN = 1.01
"""How much farther than the object the camera sees, before and behind."""
NEAREST = 1e-5
"""The nearest thing a camera can see, as a share of the farthest: a camera may stand inside an object."""


class StateError(Exception):
    """A state that cannot be drawn; the worker stays sound."""

    def __init__(self, where: str, what: str) -> None:
        self.where = where
        self.what = what
        super().__init__(f"{where}: {what}")


def set_stage(bpy: Any, request: RenderRequest) -> None:
    """Put settings and light into the open scene."""
    scene = bpy.context.scene
    scene.render.engine = "CYCLES"
    _set_cycles(scene.cycles, request.settings)
    _set_output(scene, request)
    _set_light(bpy, scene)


def _set_cycles(cycles: Any, settings: CyclesSettings) -> None:
    cycles.device = "CPU"
    cycles.samples = settings.samples
    cycles.seed = 0
    cycles.use_animated_seed = False
    cycles.use_adaptive_sampling = False
    cycles.time_limit = 0.0
    cycles.use_light_tree = True
    cycles.use_guiding = False
    cycles.use_auto_tile = False
    cycles.sampling_pattern = "TABULATED_SOBOL"
    cycles.pixel_filter_type = "BLACKMAN_HARRIS"
    cycles.filter_width = 1.5
    cycles.max_bounces = 4
    cycles.diffuse_bounces = 2
    cycles.glossy_bounces = 2
    cycles.transmission_bounces = 4
    cycles.transparent_max_bounces = 8
    cycles.volume_bounces = 0
    cycles.caustics_reflective = False
    cycles.caustics_refractive = False
    cycles.min_light_bounces = cycles.min_transparent_bounces = 0
    cycles.sample_clamp_direct, cycles.sample_clamp_indirect = 0.0, 10.0
    cycles.light_sampling_threshold = 0.01
    cycles.blur_glossy = 1.0
    cycles.use_fast_gi = False
    cycles.scrambling_distance = 1.0
    cycles.film_exposure = 1.0
    cycles.film_transparent_glass = True
    cycles.film_transparent_roughness = 0.1
    cycles.use_denoising = settings.denoise
    if settings.denoise:
        cycles.denoiser = "OPENIMAGEDENOISE"
        cycles.denoising_input_passes = "RGB_ALBEDO_NORMAL"
        cycles.denoising_quality = "HIGH"
        cycles.denoising_prefilter = "FAST"
        cycles.denoising_use_gpu = False


def _set_output(scene: Any, request: RenderRequest) -> None:
    render = scene.render
    render.resolution_x = render.resolution_y = request.size_px
    render.resolution_percentage = 100
    render.pixel_aspect_x = render.pixel_aspect_y = 1.0
    render.use_border = False
    render.film_transparent = True
    render.dither_intensity = 0.0
    render.threads_mode = "FIXED"
    render.threads = request.threads
    # Sound only because the whole scene is thrown away before the next state.
    render.use_persistent_data = True
    render.use_motion_blur = False
    render.use_simplify = False
    render.use_compositing = False
    render.use_sequencer = False
    for name in dir(render):
        if name.startswith("use_stamp"):
            setattr(render, name, False)
    image = render.image_settings
    image.file_format = "PNG"
    image.color_mode = "RGBA"
    image.color_depth = "8"
    image.compression = 15
    scene.display_settings.display_device = "sRGB"
    view = scene.view_settings
    view.view_transform = "Standard"
    view.look = "None"
    view.exposure = 0.0
    view.gamma = 1.0
    view.use_curve_mapping = False


def _set_light(bpy: Any, scene: Any) -> None:
    image = bpy.data.images.new("studio", COLUMNS, ROWS, alpha=True, float_buffer=True)
    image.colorspace_settings.name = "Linear Rec.709"
    image.pixels.foreach_set(studio_light().reshape(-1))
    image.pack()
    world = bpy.data.worlds.new("studio")
    nodes, links = world.node_tree.nodes, world.node_tree.links
    nodes.clear()
    texture, background = nodes.new("ShaderNodeTexEnvironment"), nodes.new("ShaderNodeBackground")
    texture.image = image
    texture.interpolation = "Linear"
    links.new(background.inputs["Color"], texture.outputs["Color"])
    links.new(nodes.new("ShaderNodeOutputWorld").inputs["Surface"], background.outputs["Background"])
    # The automatic map costs a second and 350 MiB for each render.
    world.cycles.sampling_method = "MANUAL"
    world.cycles.sample_map_resolution = 256
    scene.world = world


class Home(NamedTuple):
    """How a scene was moved: a point p of the state lies at (p + shift) * scale."""

    shift: Vec3
    """glTF axes."""
    scale: float
    """A power of two."""

    def find(self, point: Vec3) -> Vec3:
        """Where a point of the state lies now, glTF axes."""
        x, y, z = (here + by for here, by in zip(point, self.shift, strict=True))
        return (x * self.scale, y * self.scale, z * self.scale)


def bring_home(bpy: Any) -> Home:
    """Move a scene that is far from the origin there, and scale a tiny or huge one, to where Blender is at its best.

    Others stay as they are, so that what an edit leaves alone is drawn from the same numbers as before.
    """
    low, high = _measure_box(bpy.context.scene)
    center = [(a + b) * 0.5 for a, b in zip(low, high, strict=True)]
    size = max(b - a for a, b in zip(low, high, strict=True))
    if max(map(abs, center)) <= FAR * size:
        center = [0.0, 0.0, 0.0]
    scale = 1.0 if size == 0.0 or SMALLEST <= size <= LARGEST else ldexp(1.0, -frexp(size)[1])
    if scale == 1.0 and not any(center):
        return Home((0.0, 0.0, 0.0), scale)
    for thing in bpy.context.scene.objects:
        if thing.parent is None:
            thing.location = [(here - shift) * scale for here, shift in zip(thing.location, center, strict=True)]
            thing.scale = [factor * scale for factor in thing.scale]
    bpy.context.view_layer.update()
    return Home((-center[0], -center[2], center[1]), scale)


def set_camera(bpy: Any, view: CameraView, home: Home) -> None:
    """Look through a camera that moves with the scene; raises StateError when all of it lies behind the camera."""
    scene = bpy.context.scene
    moved = home.find(view.position)
    near, far = _measure_depths(scene, moved, view.forward)
    if far <= 0.0:
        raise StateError("camera", f"the whole object lies behind it, the farthest point at depth {far:.6g}")
    if scene.camera is None:
        scene.camera = bpy.data.objects.new("camera", bpy.data.cameras.new("camera"))
        scene.collection.objects.link(scene.camera)
    lens = scene.camera.data
    lens.type = "PERSP"
    lens.sensor_fit = "VERTICAL"
    lens.sensor_width = lens.sensor_height = SENSOR_MM
    # The focal length says the same as the angle and needs no arc tangent.
    lens.lens = SENSOR_MM * 0.5 / view.tan_half
    lens.shift_x = lens.shift_y = 0.0
    lens.clip_start = max(near / MARGIN, far * NEAREST)
    lens.clip_end = far * MARGIN
    back = (-view.forward[0], -view.forward[1], -view.forward[2])
    columns = [_to_z_up(axis) for axis in (view.right, view.up, back, moved)]
    # A list of lists would be taken for columns.
    pose = scene.camera.matrix_world.copy()
    for axis in range(3):
        pose[axis] = [column[axis] for column in columns]
    pose[3] = (0.0, 0.0, 0.0, 1.0)
    scene.camera.matrix_world = pose


def let_touching_faces_pass(bpy: Any) -> None:
    """Keep faces that lie on each other from shadowing each other black.

    A card with a back of its own, a part that is there twice, a cap folded over itself: light that leaves one such face
    would meet the other at once. So a face is not there for light that has come no farther than a hair's breadth; what
    the camera sees is not touched.
    """
    low, high = _measure_box(bpy.context.scene)
    reach = HAIR * max(b - a for a, b in zip(low, high, strict=True))
    for material in bpy.data.materials:
        nodes, links = material.node_tree.nodes, material.node_tree.links
        for out in [node for node in nodes if node.type == "OUTPUT_MATERIAL" and node.inputs["Surface"].links]:
            surface = out.inputs["Surface"].links[0].from_socket
            near, either = nodes.new("ShaderNodeMath"), nodes.new("ShaderNodeMixShader")
            near.operation = "LESS_THAN"
            near.inputs[1].default_value = reach
            links.new(near.inputs[0], nodes.new("ShaderNodeLightPath").outputs["Ray Length"])
            links.new(either.inputs[0], near.outputs[0])
            links.new(either.inputs[1], surface)
            links.new(either.inputs[2], nodes.new("ShaderNodeBsdfTransparent").outputs["BSDF"])
            links.new(out.inputs["Surface"], either.outputs["Shader"])


def _to_z_up(vector: Vec3) -> Vec3:
    """A vector of glTF axes in Blender's."""
    return (vector[0], -vector[2], vector[1])


def _measure_depths(scene: Any, position: Vec3, forward: Vec3) -> tuple[float, float]:
    """Least and greatest depth of the corners of all boxes along the camera's axis, world units."""
    origin, axis = _to_z_up(position), _to_z_up(forward)
    depths = [sum((c - o) * a for c, o, a in zip(corner, origin, axis, strict=True)) for corner in _box_corners(scene)]
    return min(depths), max(depths)


def _measure_box(scene: Any) -> tuple[list[float], list[float]]:
    """Least and greatest coordinates of the scene's boxes, Blender's axes."""
    corners = _box_corners(scene)
    low, high = ([pick(corner[axis] for corner in corners) for axis in range(3)] for pick in (min, max))
    return low, high


def _box_corners(scene: Any) -> list[Vec3]:
    """World places of the corners of all meshes' own boxes, Blender's axes."""
    corners = []
    for thing in scene.objects:
        if thing.type == "MESH" and thing.data.polygons:
            rows = [tuple(row) for row in thing.matrix_world]
            for x, y, z in thing.bound_box:
                place = [row[0] * x + row[1] * y + row[2] * z + row[3] for row in rows]
                corners.append((place[0], place[1], place[2]))
    return corners
