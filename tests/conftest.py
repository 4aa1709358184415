"""Folders of shared data: from `CASES_DIR` and `DATA_DIR`, else beside the checkout; tests skip where absent."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.ray_units import RayCluster

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


@pytest.fixture(scope="session")
def carried_model() -> Path:
    """Folder of the real sentence model, known by the hash of its weights and by nothing else."""
    from tools.starter_vectors import WEIGHTS_SHA256, find_carried_model  # noqa: PLC0415  # loads the engine

    folder = find_carried_model()
    assert hashlib.sha256((folder / "model.safetensors").read_bytes()).hexdigest() == WEIGHTS_SHA256
    return folder


@pytest.fixture(scope="session")
def exported_model(carried_model: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The real model as `engine embedder export` writes it."""
    from library_index.embedders.export import export_model  # noqa: PLC0415  # loads torch
    from library_index.ports import ModelChoice  # noqa: PLC0415

    folder = tmp_path_factory.mktemp("exported")
    export_model(ModelChoice(str(carried_model)), folder, "all-MiniLM-L6-v2")
    return folder


@pytest.fixture(scope="session")
def ray_cluster() -> Iterator[RayCluster]:
    """A Ray cluster of two nodes with one processor each."""
    from tests.ray_units import start_cluster  # noqa: PLC0415  # few tests need Ray

    with start_cluster() as cluster:
        yield cluster


@pytest.fixture
def ray_address(ray_cluster: RayCluster) -> str:
    """Its address."""
    return ray_cluster.address
