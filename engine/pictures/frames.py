"""Chains as pictures: the frames that sheets and judging pages are drawn from."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import NamedTuple

import numpy as np

from chains.draws import Draws
from chains.files import assets_folder, read_chain
from chains.state import states_of
from engine.assemble import Assembler, naming
from engine.pictures.pieces import StatePieces
from engine.render.judge import ROWS_PER_PAGE, draw_judge_page, page_name
from engine.render.judge_views import JudgeCase
from engine.render.mount_card import draw_mount_card
from engine.render.scene import RenderPiece
from engine.render.sheet import SheetFrame, draw_sheet
from library_index.library import Library, open_library
from library_index.pool import WorkerPool, own_processes
from library_index.store import PartStore
from schemas.chain import Chain
from schemas.judgement import DrawnTurn, DrawnTurns
from schemas.part import PartRecord


class Pictures:
    """Draws the chains of one library."""

    def __init__(self, library: Path) -> None:
        self._store = PartStore(open_library(library))

    def frames(self, path: Path, chain: Chain, turns: Sequence[int] | None = None) -> list[SheetFrame]:
        """One frame per state of a chain file, or only for the given turns (0 is the host)."""
        assembler = Assembler(self._store, assets_folder(path))
        pieces = StatePieces(assembler, str(path))
        frames = []
        for number, state in states_of(chain):
            if turns is not None and number not in turns:
                continue
            turn = chain.turns[number - 1] if number else None
            frames.append(
                SheetFrame(
                    pieces=pieces.of(number, state),
                    edited=turn.operation.slot if turn else None,
                    instruction=turn.instruction if turn else chain.host.name,
                    op=turn.operation.op if turn else None,
                    index=number,
                )
            )
        return frames

    def draw(self, path: Path, out: Path) -> Path:
        """Draw the sheet of one chain file into the folder `out`; return the picture's path."""
        chain = read_chain(path)
        picture = out / f"{chain.id.replace('/', '_')}.png"
        draw_sheet(
            self.frames(path, chain), chain.host.name, picture, subtitle=f"{chain.id}   {len(chain.turns)} turns"
        )
        return picture


def draw_part(library: Library, record: PartRecord, path: Path) -> None:
    """Draw the mount card of one part of a library into a PNG. Raises InputError or OutputError."""
    assembler = Assembler(PartStore(library), path.parent)
    owner = library.objects[record.ref.object_id]
    whole = []
    for part_id in owner.parts:
        ref = library.parts[owner.object_id, part_id].ref
        with naming(str(ref)):
            whole.append(RenderPiece(part_id, assembler.model(ref).surfaces, np.eye(4)))
    draw_mount_card(whole, record, path)


def draw_turns(paths: Sequence[Path], count: int, seed: int) -> list[tuple[Path, int]]:
    """`count` different random turns of all chains, in the order of files and turns."""
    every = [(path, turn.index) for path in paths for turn in read_chain(path).turns]
    return sorted(Draws(seed, "judge").shuffled(every)[:count])


def draw_sheets(paths: Sequence[Path], library: Path, out: Path, workers: int = 1) -> Iterator[Path]:
    """Draw one sheet per chain file into `out`, over `workers` processes; yield the pictures in order."""
    with WorkerPool(partial(_draw_one, library=library, out=out), own_processes(workers)) as pool:
        yield from pool.run_in_order(paths)


class JudgePage(NamedTuple):
    """What one page to judge shows: turns, numbered from `first`."""

    first: int
    title: str
    turns: tuple[tuple[Path, int], ...]


def draw_judge_pages(turns: Sequence[tuple[Path, int]], library: Path, out: Path, workers: int = 1) -> Iterator[Path]:
    """Draw pages of turns to judge into `out`, over `workers` processes; yield the pictures in the given order."""
    with WorkerPool(partial(_draw_judge_page, library=library, out=out), own_processes(workers)) as pool:
        yield from pool.run_in_order(share_pages(turns))


def share_pages(turns: Sequence[tuple[Path, int]]) -> list[JudgePage]:
    """The pages of turns to judge."""
    starts = range(0, len(turns), ROWS_PER_PAGE)
    return [
        JudgePage(
            start + 1, f"Turns to judge, page {page} of {len(starts)}", tuple(turns[start : start + ROWS_PER_PAGE])
        )
        for page, start in enumerate(starts, start=1)
    ]


def key_turns(turns: Sequence[tuple[Path, int]], seed: int) -> DrawnTurns:
    """Which turn stands where on the pages of `draw_judge_pages`."""
    drawn = []
    for number, (path, turn) in enumerate(turns, start=1):
        chain = read_chain(path)
        op = chain.turns[turn - 1].operation.op
        drawn.append(DrawnTurn(number=number, chain=chain.id, turn=turn, op=op, page=page_name(number)))
    return DrawnTurns(seed=seed, turns=tuple(drawn))


def _draw_judge_page(page: JudgePage, library: Path, out: Path) -> Path:
    pictures = Pictures(library)
    cases = []
    for path, turn in page.turns:
        before, after = pictures.frames(path, read_chain(path), (turn - 1, turn))
        cases.append(JudgeCase(before=before.pieces, frame=after))
    return draw_judge_page(cases, page.first, page.title, out)


def _draw_one(path: Path, library: Path, out: Path) -> Path:
    return Pictures(library).draw(path, out)
