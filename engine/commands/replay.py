"""`engine replay`: rebuild states of a chain to the byte."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from engine.arguments import PATH
from schemas.errors import InputError

if TYPE_CHECKING:
    from engine.replay import ReplayedState


@click.command()
@click.argument("chain", type=PATH)
@click.option("--turn", required=True, help="A turn number (0 is the host), or `all`.")
@click.option("--library", type=PATH, help="Library index; else ENGINE_LIBRARY or engine.toml.")
@click.option("--out", type=PATH, help="A .glb file, or a folder for turnNN.glb files.")
@click.option("--bake", is_flag=True, help="Write world-space vertices, for consumers that ignore node transforms.")
@click.option("--verify", is_flag=True, help="Check the content hash too.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
def replay(
    chain: Path, turn: str, library: Path | None, out: Path | None, *, bake: bool, verify: bool, as_json: bool
) -> None:
    """Rebuild the state after a turn of CHAIN and print its hash.

    Needs only the log, its assets and the parts that are alive then. Without --out nothing is written.
    """
    from engine.replay import Replayer
    from engine.reporting import print_json
    from engine.settings import need_library
    from schemas.codec import digest

    number = None if turn == "all" else _number(turn)
    if number is None and out is not None and out.suffix == ".glb":
        raise InputError("--turn all writes many files: give a folder as --out, not a .glb file")
    replayer = Replayer(chain, need_library(library))
    if number is None:
        states = replayer.turns(verify=verify, bake=bake)
    else:
        states = iter((replayer.turn(number, verify=verify, bake=bake),))
    rows = _write(states, out)
    if as_json:
        print_json({"chain": replayer.chain.id, "chain_sha256": digest(replayer.chain), "states": rows})
    else:
        for row in rows:
            click.echo(f"turn {row['turn']} {row['state_sha256']}")


def _number(text: str) -> int:
    try:
        return int(text)
    except ValueError as error:
        raise InputError(f"--turn must be a whole number or `all`, found {text!r}") from error


def _write(states: Iterator[ReplayedState], out: Path | None) -> list[dict[str, Any]]:
    """Write the states to a file or a folder, or nowhere; one row per state."""
    from chains.storage import write_atomic, writer_lock

    if out is None:
        return [_row(state, None) for state in states]
    rows = []
    if out.suffix == ".glb":
        for state in states:
            write_atomic(out, state.glb)
            rows.append(_row(state, out))
        return rows
    with writer_lock(out):
        for state in states:
            path = out / f"turn{state.turn:02d}.glb"
            write_atomic(path, state.glb)
            rows.append(_row(state, path))
    return rows


def _row(replayed: ReplayedState, path: Path | None) -> dict[str, Any]:
    return {
        "turn": replayed.turn,
        "state_sha256": replayed.state.sha256,
        "content_sha256": replayed.content_sha256,
        "bytes": len(replayed.glb),
        "file": str(path) if path else None,
        "pieces": [
            {
                "slot": piece.slot,
                "label": piece.label,
                "parts": [str(ref) for ref in piece.parts],
                "texture": piece.texture.image if piece.texture else None,
            }
            for piece in replayed.state.pieces
        ],
    }
