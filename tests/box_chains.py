"""Chains on furniture made of boxes: an index and short chains in seconds."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from chains.state import State, initial_state
from engine.build import new_chain
from engine.building import BuildOrder, build_chains, open_shared_parts
from engine.placement.survey import PlacementSurveyor
from engine.replay import Replayer
from engine.slots.propose import propose_registry
from engine.workbench import Workbench
from evaluator.outputs import output_path
from library_index.build import build_library
from library_index.embedding import load_embedder
from library_index.library import Library, open_library
from schemas.chain import Chain, Family
from schemas.part import Host
from schemas.placement import Limits
from tests.box_library import write_box_library


def index_boxes(folder: Path) -> Path:
    """Index the hosts made of boxes into `folder/index`, their files in `folder/source`; the index."""
    return index_source(write_box_library(folder / "source"), folder / "index").path


def index_source(source: Path, index: Path) -> Library:
    """Index a folder of GLB files with all that placing parts needs; the library, opened."""
    build_library(source, index, surveyor=PlacementSurveyor(), embedder=load_embedder(), workers=0)
    return open_library(index)


def find_host(library: Library, object_id: str) -> Host:
    """The host of a library that has this name, its slots proposed."""
    return next(entry.host for entry in propose_registry(library).hosts if entry.host.object_id == object_id)


def open_bench(
    library: Library, name: str, out: Path, seed: int = 1, family: Family = "G", called: str = ""
) -> tuple[Workbench, Host, State]:
    """A bench for one host, at turn 1; `called` gives the host another name in words."""
    host = find_host(library, name)
    host = host.model_copy(update={"name": called or host.name})
    bench = Workbench(open_shared_parts(library.path, out), host, family, seed, Limits())
    state = initial_state(host)
    bench.start_turn(new_chain(bench, f"{family}/{name}_s{seed}"), state)
    return bench, host, state


def build_on_table(index: Path, out: Path, families: tuple[Family, ...]) -> Path:
    """Build one chain of each family on the table into `out`."""
    host = find_host(open_library(index), "table")
    for _ in build_chains(BuildOrder(index, out, [host], families, 3, Limits())):
        pass
    open_shared_parts.cache_clear()
    return out


def build_short_chains(index: Path, out: Path) -> Path:
    """Build five chains of three families on all hosts into `out`; the first by name edits geometry."""
    hosts = [entry.host for entry in propose_registry(open_library(index)).hosts]
    for _ in build_chains(BuildOrder(index, out, hosts, ("G", "M", "X"), 3, Limits(visible_share=0.0), chains=5)):
        pass
    open_shared_parts.cache_clear()
    return out


def deliver_states(index: Path, path: Path, run: Path, choose: Callable[[int], int]) -> Chain:
    """Write true states of a chain as a method's outputs: after each turn the state that `choose` names."""
    replayer = Replayer(path, index)
    for turn in replayer.chain.turns:
        target = output_path(run, replayer.chain.id, turn.index)
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(replayer.turn(choose(turn.index)).glb)
    return replayer.chain
