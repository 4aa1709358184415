"""The studio: one environment of soft lamps around the object, made from numbers alone.

It stands still in the world, as a studio around a turntable does: all views of a state show one and the same lighting.
A large key lamp hangs before and above the object on its right (the viewer's left), a fill on its left, a rim lamp
behind it; sky and floor are even. A diffuse white surface is nowhere brighter than 1.02, nowhere darker than 0.28, and
above 0.54 where it faces the horizon or the sky: nothing is blown out, and every side can be judged.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.geometry.angles import turn_of_degrees
from engine.surfaces import FloatArray

LIGHT_VERSION = "studio-1"
"""Changes with every number below."""
ROWS, COLUMNS = 128, 256
Color = tuple[float, float, float]

ZENITH: Color = (0.40, 0.42, 0.45)
HORIZON: Color = (0.37, 0.37, 0.38)
FLOOR: Color = (0.26, 0.25, 0.24)
"""Radiance straight up, at the horizon and straight down, linear RGB."""


class Lamp(NamedTuple):
    """A round soft lamp: full radiance within the inner circle, none outside the outer one."""

    azimuth_deg: float
    """0 is the object's front (+Z), 90 its +X side."""
    elevation_deg: float
    inner_deg: float
    outer_deg: float
    radiance: Color
    """Linear RGB, added to what is behind the lamp."""


LAMPS = (
    Lamp(-20.0, 42.0, 14.0, 34.0, (2.75, 2.68, 2.58)),
    Lamp(95.0, 20.0, 12.0, 36.0, (1.05, 1.08, 1.13)),
    Lamp(215.0, 35.0, 12.0, 32.0, (1.65, 1.67, 1.72)),
)


def studio_directions() -> FloatArray:
    """(ROWS, COLUMNS, 3) unit directions to the centres of the pixels, glTF axes; row 0 looks straight down.

    The middle of a row looks along +X, what is right of it towards +Z: the renderer's own mapping, turned to Y up.
    """
    rows = [turn_of_degrees((row + 0.5) * (180.0 / ROWS) - 90.0) for row in range(ROWS)]
    columns = [turn_of_degrees((column + 0.5) * (360.0 / COLUMNS) - 180.0) for column in range(COLUMNS)]
    level, height = np.array([turn.cos for turn in rows])[:, None], np.array([turn.sin for turn in rows])[:, None]
    x, z = np.array([turn.cos for turn in columns])[None, :], np.array([turn.sin for turn in columns])[None, :]
    return np.stack([level * x, np.broadcast_to(height, (ROWS, COLUMNS)), level * z], axis=-1)


def studio_light() -> NDArray[np.float32]:
    """(ROWS, COLUMNS, 4) float32 linear radiance, alpha 1; the same bits on every machine."""
    directions = studio_directions()
    up = np.clip(directions[..., 1:2], 0.0, 1.0)
    down = np.clip(-directions[..., 1:2], 0.0, 1.0)
    horizon = np.array(HORIZON)
    light = horizon + (np.array(ZENITH) - horizon) * up + (np.array(FLOOR) - horizon) * down
    for lamp in LAMPS:
        light = light + np.array(lamp.radiance) * _coverage(lamp, directions)[..., None]
    picture = np.ones((ROWS, COLUMNS, 4), dtype=np.float32)
    picture[..., :3] = light
    return picture


def _coverage(lamp: Lamp, directions: FloatArray) -> FloatArray:
    """(ROWS, COLUMNS) share of the lamp's radiance seen in each direction."""
    azimuth, elevation = turn_of_degrees(lamp.azimuth_deg), turn_of_degrees(lamp.elevation_deg)
    inner, outer = turn_of_degrees(lamp.inner_deg).cos, turn_of_degrees(lamp.outer_deg).cos
    along = (
        directions[..., 0] * (elevation.cos * azimuth.sin)
        + directions[..., 1] * elevation.sin
        + directions[..., 2] * (elevation.cos * azimuth.cos)
    )
    share = np.clip((along - outer) / (inner - outer), 0.0, 1.0)
    return np.asarray(share * share * (3.0 - 2.0 * share))
