"""`engine explain`: every value of a turn against its limit."""

from __future__ import annotations

from pathlib import Path

import click

from engine.arguments import PATH
from schemas.errors import InputError


@click.command()
@click.argument("chain", type=PATH)
@click.option("--turn", type=int, required=True, help="Turn number, from 1.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
def explain(chain: Path, turn: int, *, as_json: bool) -> None:
    """Print what a turn of CHAIN did, every measured value against its limit, and what was rejected on the way."""
    from chains.explain import explain_turn
    from chains.files import read_chain
    from chains.state import check_turn
    from engine.reporting import print_json

    record = read_chain(chain)
    entry = check_turn(record, turn)
    if entry is None:
        raise InputError(f"chain {record.id}: turn 0 is the host; give a turn from 1 to {len(record.turns)}")
    explanation = explain_turn(record, entry)
    if as_json:
        print_json(explanation.document())
    else:
        for line in explanation.lines():
            click.echo(line)
