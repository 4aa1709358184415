"""The studio's light: its bits, its balance, and which way it hangs."""

from __future__ import annotations

import hashlib

import numpy as np

from engine.render.cycles.light import COLUMNS, LIGHT_VERSION, ROWS, studio_directions, studio_light
from schemas.pictures import CyclesSettings

LIGHT_SHA256 = "7db6e41b731824e79cd558ef6b18d995e11d97f2f7fcf58b1ea22c38e4ab2b22"


def lit_white() -> tuple[np.ndarray, np.ndarray]:
    """Normals in all directions, and the light that a diffuse white surface facing each sends back; (N, 3) both."""
    directions, light = studio_directions(), studio_light()[..., :3].astype(float)
    share = np.sqrt(1.0 - directions[..., 1] ** 2)
    share = share * (4.0 / share.sum())
    normals = directions[4::16, 4::16].reshape(-1, 3)
    facing = np.clip((directions[None] * normals[:, None, None]).sum(axis=-1), 0.0, None)
    return normals, (light[None] * (facing * share)[..., None]).sum(axis=(1, 2))


def test_the_light_is_the_same_bits_everywhere() -> None:
    """The environment has a known hash: no library function decides a bit of it."""
    assert hashlib.sha256(studio_light().tobytes()).hexdigest() == LIGHT_SHA256


def test_white_is_never_blown_out_and_never_lost() -> None:
    """Diffuse white stays within [0.28, 1.02], and above 0.54 where it faces the horizon or the sky."""
    normals, white = lit_white()
    assert white.max() < 1.02
    assert white.min() > 0.28
    assert white[normals[:, 1] > 0].min() > 0.54


def test_white_stays_white() -> None:
    """No side is tinted: the channels differ by a fifteenth of the light at most."""
    _, white = lit_white()
    assert ((white.max(axis=1) - white.min(axis=1)) / white.mean(axis=1)).max() < 1 / 15


def test_the_key_hangs_before_above_and_right() -> None:
    """The brightest direction is up, in front (+Z) and on the object's right (-X)."""
    light = studio_light()[..., :3].sum(axis=-1)
    x, y, z = studio_directions()[np.unravel_index(light.argmax(), (ROWS, COLUMNS))]
    assert x < 0
    assert min(y, z) > 0.3


def test_settings_speak_of_this_light() -> None:
    """A record made with the default settings names the light that the worker has."""
    assert CyclesSettings().light == LIGHT_VERSION
