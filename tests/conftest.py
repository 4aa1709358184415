"""Folders of shared data: from `CASES_DIR` and `DATA_DIR`, else beside the checkout; tests skip where absent."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent


def _folder(variable: str, default: Path) -> Path:
    folder = Path(os.environ.get(variable, default))  # noqa: TID251  # documented variables of the tests
    if not folder.is_dir():
        reason = f"{folder} is absent (set {variable})"
        if os.environ.get("REQUIRE_ALL") == "1":  # noqa: TID251
            pytest.fail(reason)
        pytest.skip(reason)
    return folder


@pytest.fixture(scope="session")
def cases_dir() -> Path:
    """Folder of small inputs with the right answer."""
    return _folder("CASES_DIR", ROOT.parent / "shared" / "cases")


@pytest.fixture(scope="session")
def data_dir() -> Path:
    """Folder of real part-segmented objects."""
    return _folder("DATA_DIR", ROOT.parent / "shared" / "data")
