"""Short chains that scores, rollouts and methods are tried on: built once, and only ever read."""

from __future__ import annotations

from pathlib import Path

import pytest

from chains.files import list_chains
from tests.box_chains import build_short_chains, index_boxes


@pytest.fixture(scope="session")
def index(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The index of furniture made of boxes."""
    return index_boxes(tmp_path_factory.mktemp("boxes"))


@pytest.fixture(scope="session")
def chains(index: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Five chains of three families."""
    return build_short_chains(index, tmp_path_factory.mktemp("chains"))


@pytest.fixture(scope="session")
def one_chain(chains: Path) -> Path:
    """The first of them, which edits geometry."""
    return list_chains(chains)[0]
