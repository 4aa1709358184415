"""The records a build leaves in its folder read back as they were written."""

from __future__ import annotations

from engine.building import BuildSettings, BuildSummary
from schemas.codec import decode, encode
from schemas.events import ChainAbandoned
from schemas.placement import Limits


def test_settings_and_summary_read_back() -> None:
    """An interrupted build finds its own settings when it goes on."""
    settings = BuildSettings(
        library_sha256="0" * 64,
        hosts_sha256="1" * 64,
        families=("A", "R"),
        hosts=("chair", "lamp"),
        seed=7,
        limits=Limits(),
        chains=None,
    )
    summary = BuildSummary(
        chains=("A/chair_s7",), abandoned=(ChainAbandoned(host="lamp", family="R", reason="too few parts"),)
    )
    assert decode(BuildSettings, encode(settings), "settings.json") == settings
    assert decode(BuildSummary, encode(summary), "summary.json") == summary
