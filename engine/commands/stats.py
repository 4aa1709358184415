"""`engine stats`: what a folder of chains holds."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click

from engine.arguments import PATH
from schemas.operation import OPS


@click.command()
@click.argument("path", type=PATH)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
def stats(path: Path, *, as_json: bool) -> None:
    """Count chains, edits, families, operations, lengths, words, hosts and parts below PATH."""
    from chains.files import list_chains, read_chain
    from chains.summary import summarise
    from engine.reporting import print_json

    summary = summarise(read_chain(file) for file in list_chains(path))
    if as_json:
        print_json(summary)
    else:
        for line in format_summary(summary):
            click.echo(line)


def format_summary(summary: dict[str, Any]) -> list[str]:
    """The summary as aligned lines of text."""
    head = f"chains {summary['chains']}   edits {summary['edits']}   hosts {summary['hosts']}"
    parts = f"parts {summary['parts_used']} (most used {summary['part_uses_most']} times)"
    lines = [f"{head}   {parts}"]
    lines.append("families   " + "  ".join(f"{name} {count}" for name, count in summary["by_family"].items()))
    lines.append("operations " + "  ".join(f"{name} {count}" for name, count in summary["by_op"].items()))
    for family, shares in summary["shares"].items():
        lines.append(f"  {family}  " + "  ".join(f"{op} {share:.2f}" for op, share in shares.items()))
    lines.extend(_format_turns(summary["shares_by_turn"]))
    lines.append("supports   " + "  ".join(f"{name} {count}" for name, count in summary["by_purpose"].items()))
    modes = summary["by_interpenetration"]
    lines.append("interpenetration " + ("  ".join(f"{mode} {count}" for mode, count in modes.items()) or "-"))
    for op, shares in summary["interpenetration_shares"].items():
        lines.append(f"  {op:<9}" + "  ".join(f"{mode} {share:.3f}" for mode, share in shares.items()))
    for name, digits in (("length", 0), ("words", 0), ("visible", 3), ("coverage", 2)):
        spread = summary[name]
        if spread:
            lines.append(f"{name:<9}" + "  ".join(f"{key} {value:.{digits}f}" for key, value in spread.items()))
    for op, found in summary["cells"].items():
        below = "  ".join(f"{name.replace('_', ' ')} {count}" for name, count in found.items())
        lines.append(f"cells    {op:<9}{below}")
    lines.append(f"repeated {summary['repeated_edits']} turns edit a slot that was edited before")
    return lines


def _format_turns(by_turn: dict[str, list[dict[str, Any]]]) -> Iterator[str]:
    """Operation shares turn by turn, in percent, as one block a family; operations that never occur are left out."""
    for family, rows in by_turn.items():
        yield f"by turn {family}  " + "".join(f"{row['turn']:>5}" for row in rows)
        yield "    chains " + "".join(f"{row['chains']:>5}" for row in rows)
        for op in OPS:
            if any(row[op] for row in rows):
                yield f"  {op:<9}" + "".join(f"{100.0 * row[op]:>5.0f}" for row in rows)
