"""Folders of shared test data, given by the environment."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

REPOSITORY = Path(__file__).resolve().parent.parent


def _folder(variable: str, name: str) -> Path:
    folder = Path(os.environ.get(variable, REPOSITORY.parent / "shared" / name))  # noqa: TID251 - where tests find data
    if not folder.is_dir():
        reason = f"{variable} names no folder: {folder}"
        if os.environ.get("REQUIRE_ALL") == "1":  # noqa: TID251 - where tests find data
            pytest.fail(reason)
        pytest.skip(reason)
    return folder


@pytest.fixture(scope="session")
def cases_dir() -> Path:
    """Find the folder of test cases, each with its expected.json."""
    return _folder("CASES_DIR", "cases")


@pytest.fixture(scope="session")
def data_dir() -> Path:
    """Find the folder of real hosts and awkward files."""
    return _folder("DATA_DIR", "data")
