"""The pictures a turn is judged from: before, after, and three close-ups of the place of the edit.

Everything stands on a drawn ground, and creases are shaded, so that what floats or is sunk in shows.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw

from engine.framing import Camera, Sphere, orbit_camera, rig_of_sphere
from engine.geometry.angles import turn_of_degrees
from engine.render.close_up import aim_at_mask
from engine.render.contour import draw_contour
from engine.render.creases import shade_creases
from engine.render.page import CARD, HOST_COLOR, lay_on_stage, type_of
from engine.render.raycast import render, render_ids
from engine.render.scene import RenderPiece, build_scene, world_points
from engine.render.sheet import SUPERSAMPLE, SheetFrame, Studio, frame_sphere, stroke_of
from engine.render.visible import find_visible_pixels
from engine.surfaces import BoolArray, Material, Surface

LOW_DEG = 8.0
"""Elevation of the second close-up where it sees the part: almost level, a gap above a face shows best."""
LOW_SHARE = 0.5
"""The low view is taken when it shows at least this share of what the best view shows."""
GROUND_REACH = 1.25
"""Radius of the drawn ground over that of the object."""
GROUND_LOOK = Material(base_color_factor=(0.64, 0.66, 0.70, 1.0), unlit=True)
GROUND_CORNERS = 48
COMPASS_PX = 40
"""Length of the arrow to the object's front when it lies across the view."""
COMPASS_TILT = 0.6
"""How much of its length it keeps when it points towards the eye."""
COMPASS_AT = 34
"""Its middle, from the left and lower edge."""
_GROUND = "~ground"
"""No slot has this name: a slot begins with a letter or a digit."""


@dataclass(frozen=True, slots=True, eq=False)
class JudgeCase:
    """One turn to judge."""

    before: tuple[RenderPiece, ...]
    frame: SheetFrame


class JudgeViews(NamedTuple):
    """(size, size, 3) uint8 pictures of one turn, in the order in which they stand on a page."""

    before: NDArray[np.uint8]
    after: NDArray[np.uint8]
    """With the edited part outlined; a removed one dashed, where it was."""
    close_before: NDArray[np.uint8]
    close_after: NDArray[np.uint8]
    close_aside: NDArray[np.uint8]
    """The state after, from another side and lower down; before a removal, what is about to go."""


def draw_views(case: JudgeCase, size: int) -> JudgeViews:
    """Draw the pictures of a turn. Raises InputError without geometry or when a texture cannot be decoded."""
    frame = case.frame
    stage = _Stage(Studio(frame_sphere([case.before, frame.pieces]), size), _ground(case))
    camera = stage.studio.camera(stage.studio.choose_view(case.before, frame))
    before, after = stage.draw(case.before, camera), stage.draw(frame.pieces, camera)
    mask = stage.find_place(case, camera)
    if frame.op is None or not mask.any():
        return JudgeViews(before, after, before, after, after)
    edited = stage.studio.find_edit(case.before, frame, camera)
    outlined = after if edited is None else draw_contour(after, edited, stroke_of(frame.op))
    near = aim_at_mask(camera, mask)
    aside = stage.find_aside(case, camera)
    shown = case.before if frame.op == "remove" else frame.pieces
    return JudgeViews(
        before=draw_compass(before, camera),
        after=draw_compass(outlined, camera),
        close_before=stage.draw(case.before, near),
        close_after=stage.draw(frame.pieces, near),
        close_aside=draw_compass(stage.draw(shown, aside), aside),
    )


@dataclass(frozen=True, slots=True, eq=False)
class _Stage:
    """A studio with a ground to stand on."""

    studio: Studio
    ground: RenderPiece

    def draw(self, pieces: tuple[RenderPiece, ...], camera: Camera) -> NDArray[np.uint8]:
        """Draw pieces on the ground with shaded creases."""
        scene = build_scene([*pieces, self.ground], self.studio.prepared)
        size = self.studio.size
        picture = lay_on_stage(render(scene, camera, size, SUPERSAMPLE))
        ids = render_ids(scene, camera, size)
        distance = _distance(camera, self.studio.sphere)
        return shade_creases(picture, ids.depth, 2.0 * camera.tan_half * distance / size)

    def find_place(self, case: JudgeCase, camera: Camera) -> BoolArray:
        """Where the edited slot shows before or after."""
        slot, fine = case.frame.edited or "", self.studio.size * SUPERSAMPLE
        masks = [
            find_visible_pixels(build_scene(state, self.studio.prepared), slot, camera, fine)
            for state in (case.before, case.frame.pieces)
        ]
        return np.asarray(masks[0] | masks[1])

    def find_aside(self, case: JudgeCase, camera: Camera) -> Camera:
        """Find the close camera that shows the edited part best from another side, the lower one if it sees enough."""
        rig = rig_of_sphere(self.studio.sphere)
        best: list[tuple[int, Camera, BoolArray]] = []
        for elevation in (LOW_DEG, rig.elevation_deg):
            found = []
            for azimuth in rig.azimuths_deg:
                other = orbit_camera(rig, azimuth, elevation)
                if _same_side(other, camera):
                    continue
                mask = self.find_place(case, other)
                found.append((int(np.count_nonzero(mask)), other, mask))
            best.append(max(found, key=lambda entry: entry[0]))
        low, high = best
        _, other, mask = low if low[0] >= LOW_SHARE * high[0] else high
        return aim_at_mask(other, mask) if mask.any() else other


def _same_side(one: Camera, other: Camera) -> bool:
    return all(abs(a - b) < 1e-9 for a, b in zip(one.right, other.right, strict=True))


def _distance(camera: Camera, sphere: Sphere) -> float:
    offset = [c - p for c, p in zip(sphere.center, camera.position, strict=True)]
    return sum(o * f for o, f in zip(offset, camera.forward, strict=True))


def _ground(case: JudgeCase) -> RenderPiece:
    """Make a disc under the lowest point of the state before; of the state after when there is nothing before."""
    sphere = frame_sphere([case.before, case.frame.pieces])
    points = [points for piece in case.before or case.frame.pieces for points in world_points(piece)]
    height = min(float(cloud[:, 1].min()) for cloud in points)
    positions = np.zeros((GROUND_CORNERS + 1, 3))
    reach = sphere.radius * GROUND_REACH
    for corner in range(GROUND_CORNERS):
        turn = turn_of_degrees(corner * 360.0 / GROUND_CORNERS)
        positions[corner + 1] = (turn.cos * reach, 0.0, turn.sin * reach)
    # A hair lower, so that a flat base lies on it without flicker.
    positions += np.array([sphere.center[0], height - 1e-4 * sphere.radius, sphere.center[2]])
    rim = np.arange(GROUND_CORNERS)
    faces = np.stack([np.zeros_like(rim), 1 + (rim + 1) % GROUND_CORNERS, 1 + rim], axis=1)
    return RenderPiece(_GROUND, (Surface(positions, faces, None, (), None, GROUND_LOOK),))


def draw_compass(picture: NDArray[np.uint8], camera: Camera) -> NDArray[np.uint8]:
    """Draw an arrow that lies level and points to the object's front (+Z) on a card in the lower left corner."""
    image = Image.fromarray(picture)
    draw = ImageDraw.Draw(image)
    x, y = COMPASS_AT, picture.shape[0] - COMPASS_AT
    draw.rounded_rectangle((x - 26, y - 20, x + 26, y + 26), radius=8, fill=CARD)
    draw.text((x, y + 24), "front", fill=HOST_COLOR, font=type_of(11), anchor="mb")
    # The direction across the view says how the camera is turned; the tilt is drawn the same for all elevations.
    sine, cosine = camera.right[2], camera.right[0]
    ahead = (sine * COMPASS_PX * 0.5, cosine * COMPASS_PX * 0.5 * COMPASS_TILT)
    aside = (cosine * COMPASS_PX * 0.3, -sine * COMPASS_PX * 0.3 * COMPASS_TILT)
    tip, neck = (x + ahead[0], y + ahead[1]), (x + ahead[0] * 0.2, y + ahead[1] * 0.2)
    draw.line((x - ahead[0], y - ahead[1], *neck), fill=HOST_COLOR, width=3)
    wings = [(neck[0] + sign * aside[0], neck[1] + sign * aside[1]) for sign in (1, -1)]
    draw.polygon([tip, *wings], fill=HOST_COLOR)
    return np.asarray(image)
