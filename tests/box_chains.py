"""Chains on furniture made of boxes: an index and short chains in seconds."""

from __future__ import annotations

from pathlib import Path

from engine.building import BuildOrder, build_chains, open_shared_parts
from engine.placement.survey import PlacementSurveyor
from engine.slots.propose import propose_registry
from library_index.build import build_library
from library_index.embedding import load_embedder
from library_index.library import open_library
from schemas.chain import Family
from schemas.placement import Limits
from tests.box_library import write_box_library


def index_boxes(folder: Path) -> Path:
    """Index the hosts made of boxes into `folder/index`, their files in `folder/source`; the index."""
    source = write_box_library(folder / "source")
    build_library(source, folder / "index", surveyor=PlacementSurveyor(), embedder=load_embedder(), workers=0)
    return folder / "index"


def build_on_table(index: Path, out: Path, families: tuple[Family, ...]) -> Path:
    """Build one chain of each family on the table into `out`."""
    hosts = [entry.host for entry in propose_registry(open_library(index)).hosts if entry.host.object_id == "table"]
    for _ in build_chains(BuildOrder(index, out, hosts, families, 3, Limits())):
        pass
    open_shared_parts.cache_clear()
    return out
