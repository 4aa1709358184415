"""Composed states hold no error, by the Khronos validator, that their sources do not have."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.awkward_states import write_awkward_states
from tests.outside_tools import validate_states

REFUSED_BY_US = "barnlamp_ktx2"
"""Holds KTX2 images without the extension: an error of the source that has another code there."""


@pytest.mark.node
def test_states_of_awkward_files_are_valid(tmp_path: Path, data_dir: Path) -> None:
    """Whole scenes, single parts and baked scenes of all raw files bring no error of their own."""
    sources = data_dir / "raw_glb"
    states = write_awkward_states(sources, tmp_path / "states", without=(REFUSED_BY_US,))
    report = validate_states(states, sources)
    assert report["new_errors"] == {}
    assert report["states"] >= 60
