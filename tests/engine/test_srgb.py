"""The sRGB tables."""

from __future__ import annotations

import numpy as np

from engine.srgb import decode_table, encode_srgb


def test_decoding_agrees_with_the_formula() -> None:
    """All 256 codes, against the library's power function."""
    code = np.arange(256) / 255
    expected = np.where(code <= 0.04045, code / 12.92, ((code + 0.055) / 1.055) ** 2.4)
    assert np.abs(decode_table() - expected).max() < 1e-15
    assert (decode_table()[0], decode_table()[255]) == (0.0, 1.0)


def test_every_code_survives_a_round_trip() -> None:
    """Decoding and encoding gives the code back."""
    assert encode_srgb(decode_table()).tolist() == list(range(256))


def test_encoding_is_monotone_and_within_half_a_code() -> None:
    """Between codes the nearest one is chosen, up to the step of the table; outside [0, 1] is clipped."""
    light = np.linspace(0, 1, 50001)
    exact = 255 * np.where(light <= 0.0031308, light * 12.92, 1.055 * light ** (1 / 2.4) - 0.055)
    found = encode_srgb(light).astype(np.float64)
    assert (np.diff(found) >= 0).all()
    assert np.abs(found - exact).max() < 0.5 + 12.92 * 255 / 16384
    assert encode_srgb(np.array([-3.0, 7.0])).tolist() == [0, 255]
