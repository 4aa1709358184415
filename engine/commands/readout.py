"""`engine readout`: boxes, masks, depth and normals of one state."""

from __future__ import annotations

from pathlib import Path

import click

from engine.arguments import PATH, parse_numbers


@click.command()
@click.argument("chain", type=PATH)
@click.option("--turn", type=int, required=True, help="A turn number; 0 is the host.")
@click.option("--views", default="0-3", show_default=True, help="Views of the rig, as 0-3 or 0,2.")
@click.option("--res", type=click.IntRange(16, 4096), help="Pixels on a side; else the rig's.")
@click.option("--out", type=PATH, required=True, help="Folder for the record and its pictures.")
@click.option("--library", type=PATH, help="Library index; else ENGINE_LIBRARY or engine.toml.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
def readout(
    chain: Path, turn: int, views: str, res: int | None, out: Path, library: Path | None, *, as_json: bool
) -> None:
    """Write boxes, masks, ids, depth and normals of the state after a turn of CHAIN.

    Every view is checked by independent rays first: a disagreement fails the state, and nothing is written.
    """
    from chains.files import READOUT_FILE
    from engine.pictures.readout import read_out_state
    from engine.reporting import print_json
    from engine.settings import need_library

    found = read_out_state(chain, need_library(library), turn, parse_numbers("--views", views, 64), res)
    found.write(out)
    record = found.record
    if as_json:
        print_json(
            {
                "chain": record.chain,
                "turn": record.turn,
                "state_sha256": record.state_sha256,
                "record": str(out / READOUT_FILE),
                "views": [view.view for view in record.views],
                "slots": [label.model_dump(mode="json") for label in record.slots],
                "pictures": [str(out / name) for name in sorted(found.pictures)],
            }
        )
    else:
        click.echo(f"turn {record.turn} {record.state_sha256}")
        click.echo(f"{len(record.slots)} slots in {len(record.views)} views: {out / READOUT_FILE}")
