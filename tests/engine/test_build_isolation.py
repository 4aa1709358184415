"""A chain that no worker survives is given up; the others come out as if it had never been asked for."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from pathlib import Path

import pytest

from engine import building
from engine.building import BuildOrder, BuildUnit, build_chains, open_shared_parts, run_unit
from engine.slots.propose import propose_registry
from library_index.library import open_library
from library_index.pool import UnitResult, WorkerPool
from schemas.events import ChainAbandoned, ChainBuilt
from schemas.placement import Limits
from tests.box_chains import index_boxes


class DeadlyPool(WorkerPool[BuildUnit, "Path | ChainAbandoned"]):
    """Runs units in this process, but every worker dies of chains of family M."""

    def run(self, units: Sequence[BuildUnit]) -> Generator[UnitResult[Path | ChainAbandoned]]:
        """Yield results, failures for family M."""
        for result in super().run(units):
            deadly = units[result.index].job.family == "M"
            yield UnitResult(result.index, None, "its worker died (exit code -9), 2 times") if deadly else result


def test_a_deadly_chain_costs_no_other_chain(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is reported with the reason; the chains of the other families have the bytes of a build without trouble."""
    index = index_boxes(tmp_path / "library")
    hosts = [entry.host for entry in propose_registry(open_library(index)).hosts if entry.host.object_id == "table"]

    def build(out: str) -> list[ChainBuilt | ChainAbandoned]:
        return list(build_chains(BuildOrder(index, tmp_path / out, hosts, ("G", "M", "X"), 3, Limits())))

    undisturbed = build("calm")
    monkeypatch.setattr(building, "open_pool", lambda *_, **__: DeadlyPool(run_unit, 0))
    events = build("deadly")
    open_shared_parts.cache_clear()
    lost = [event for event in events if isinstance(event, ChainAbandoned) and event.family == "M"]
    assert [event.reason for event in lost] == ["no worker made it: its worker died (exit code -9), 2 times"]
    kept = [event for event in undisturbed if not (isinstance(event, ChainBuilt) and event.chain.startswith("M/"))]
    assert [event for event in events if event not in lost] == kept
    built = [event.chain for event in kept if isinstance(event, ChainBuilt)]
    assert built
    for chain in built:
        name = f"{chain}.json"
        assert (tmp_path / "deadly" / name).read_bytes() == (tmp_path / "calm" / name).read_bytes()
