"""Rigs of many chain files: framed, searched, and recorded in the files."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from functools import partial
from pathlib import Path

from chains.files import assets_folder, read_chain, write_chain
from chains.storage import find_locked, writer_lock
from engine.assemble import Assembler
from engine.pictures.camera_search import fit_rig
from engine.pictures.pieces import StatePieces
from library_index.executors import LOCAL, ExecutorChoice, open_pool
from library_index.library import open_library
from library_index.store import PartStore
from schemas.base import Value
from schemas.chain import DEFAULT_RESOLUTION_PX, SearchMode


class FramedChain(Value):
    """What framing one chain gave."""

    chain: str
    radius: float
    azimuth_deg: float
    """Direction of view 0."""
    value: float
    """Share of the frame in which its worst turn shows from there."""
    default_deg: float
    default_value: float
    changed: bool
    """Whether the chain had another rig, or none."""


def frame_files(
    paths: Sequence[Path],
    library: Path,
    mode: SearchMode,
    resolution_px: int | None,
    *,
    write: bool,
    workers: int = 1,
    executor: ExecutorChoice = LOCAL,
) -> Iterator[FramedChain]:
    """Fit the rigs of chain files, in order, over `workers` processes; with `write` they replace those in the files.

    Raises InputError, PartHashError or PartNotFoundError when a state cannot be read, OutputError when a file cannot be
    written, and with `write` LockedError when a build or another framing works on the files.
    """
    task = partial(_frame_one, library=library, mode=mode, resolution_px=resolution_px, write=write)
    with ExitStack() as stack:
        for folder in find_locked(paths) if write else ():
            stack.enter_context(writer_lock(folder))
        pool = stack.enter_context(open_pool(task, executor, workers))
        yield from pool.run_in_order(paths)


def _frame_one(path: Path, library: Path, mode: SearchMode, resolution_px: int | None, *, write: bool) -> FramedChain:
    chain = read_chain(path)
    store = PartStore(open_library(library))
    size = resolution_px or (chain.rig.resolution_px if chain.rig else DEFAULT_RESOLUTION_PX)
    rig = fit_rig(chain, StatePieces(Assembler(store, assets_folder(path)), str(path)), mode, size)
    assert rig.search is not None  # noqa: S101  # fit_rig searches
    changed = rig != chain.rig
    if changed and write:
        write_chain(path, chain.model_copy(update={"rig": rig}))
    directions = rig.search.directions
    default, chosen = directions[0], next(d for d in directions if d.azimuth_deg == rig.azimuths_deg[0])
    return FramedChain(
        chain=chain.id,
        radius=rig.radius,
        azimuth_deg=chosen.azimuth_deg,
        value=chosen.value,
        default_deg=default.azimuth_deg,
        default_value=default.value,
        changed=changed,
    )
