"""`engine replay`: rebuild states of a chain to the byte."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from schemas.errors import InputError

if TYPE_CHECKING:
    from engine.replay import ReplayedState


@click.command()
@click.argument("chain", type=click.Path(path_type=Path))
@click.option("--turn", required=True, help="A turn number (0 is the host), or `all`.")
@click.option("--library", type=click.Path(path_type=Path), help="Library index; else ENGINE_LIBRARY or engine.toml.")
@click.option("--out", type=click.Path(path_type=Path), help="A .glb file, or a folder for turnNN.glb files.")
@click.option("--bake", is_flag=True, help="Write world-space vertices, for consumers that ignore node transforms.")
@click.option("--verify", is_flag=True, help="Check the content hash too.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
def replay(
    chain: Path, turn: str, library: Path | None, out: Path | None, *, bake: bool, verify: bool, as_json: bool
) -> None:
    """Rebuild the state after a turn of CHAIN and print its hash.

    Needs only the log, its assets and the parts that are alive then. Without --out nothing is written.
    """
    from chains.files import read_chain
    from chains.state import check_turn
    from chains.storage import write_atomic, writer_lock
    from engine.replay import open_assembler, replay_all, replay_turn
    from engine.reporting import print_json
    from engine.settings import need_library

    record = read_chain(chain)
    number = None if turn == "all" else _number(turn)
    if number is not None:
        check_turn(record, number)
    assembler = open_assembler(need_library(library), chain)
    states = (
        replay_all(record, assembler, verify=verify, bake=bake)
        if number is None
        else iter((replay_turn(record, number, assembler, verify=verify, bake=bake),))
    )
    single_file = out is not None and out.suffix == ".glb"
    if single_file and number is None:
        raise InputError("--turn all writes many files: give a folder as --out, not a .glb file")
    rows = []
    if out is None:
        rows = [_row(state, None) for state in states]
    elif single_file:
        for state in states:
            write_atomic(out, state.glb)
            rows.append(_row(state, out))
    else:
        with writer_lock(out):
            for state in states:
                path = out / f"turn{state.turn:02d}.glb"
                write_atomic(path, state.glb)
                rows.append(_row(state, path))
    if as_json:
        print_json({"chain": record.id, "states": rows})
    else:
        for row in rows:
            click.echo(f"turn {row['turn']} {row['state_sha256']}")


def _number(text: str) -> int:
    try:
        return int(text)
    except ValueError as error:
        raise InputError(f"--turn must be a whole number or `all`, found {text!r}") from error


def _row(state: ReplayedState, path: Path | None) -> dict[str, object]:
    return {
        "turn": state.turn,
        "state_sha256": state.state_sha256,
        "content_sha256": state.content_sha256,
        "bytes": len(state.glb),
        "file": str(path) if path else None,
    }
