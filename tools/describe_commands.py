"""Writes docs/commands.md from the help texts of `engine` and all its subcommands.

python -m tools.describe_commands
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import click

from engine.cli import engine

TARGET = Path(__file__).resolve().parent.parent / "docs" / "commands.md"
INTRODUCTION = """# Commands

Written by `python -m tools.describe_commands` from what `engine COMMAND --help` says.

Results go to stdout, progress and errors to stderr. Exit codes: 0 done, 1 an error of the engine, 2 bad input or usage
or a missing part, 3 a worker failed, 4 a hash does not match.
"""


def walk_commands(command: click.Command = engine, name: str = "engine") -> Iterator[tuple[str, click.Command]]:
    """Every command below `engine` that does something, by its full name, in name order."""
    if not isinstance(command, click.Group):
        yield name, command
        return
    if command.invoke_without_command and name != "engine":
        yield name, command
    context = click.Context(command)
    for child in command.list_commands(context):
        found = command.get_command(context, child)
        if found is not None:
            yield from walk_commands(found, f"{name} {child}")


def describe_commands() -> str:
    """The whole document."""
    return "\n".join([INTRODUCTION, *(_describe(name, command) for name, command in walk_commands())])


def _describe(name: str, command: click.Command) -> str:
    context = click.Context(command)
    arguments = [entry.make_metavar(context) for entry in command.params if isinstance(entry, click.Argument)]
    options = [entry for entry in command.params if isinstance(entry, click.Option)]
    needed = [_signature(entry, context) for entry in options if entry.required]
    usage = " ".join([name, *arguments, *needed])
    lines = [f"## {name}", "", f"`{usage}`", "", *_paragraphs(command.help or ""), ""]
    if options:
        lines += ["| option | |", "|---|---|"]
        cells = [(_signature(entry, context), _explain(entry)) for entry in options]
        lines += [f"| `{_in_cell(signature)}` | {_in_cell(text)} |" for signature, text in cells]
        lines.append("")
    return "\n".join(lines)


def _in_cell(text: str) -> str:
    return text.replace("|", "\\|")


def _paragraphs(text: str) -> list[str]:
    return [line.strip() for line in text.strip().splitlines()]


def _signature(option: click.Option, context: click.Context) -> str:
    name = max(option.opts, key=len)
    if option.is_flag:
        return name
    kind = option.type
    value = "|".join(map(str, kind.choices)) if isinstance(kind, click.Choice) else option.make_metavar(context)
    return f"{name} {value.removesuffix(' RANGE')}"


def _explain(option: click.Option) -> str:
    shown = option.show_default and option.default is not None
    return f"{option.help} Default: `{option.default}`." if shown else option.help or ""


def main() -> None:
    """Write the document."""
    TARGET.write_text(describe_commands(), "utf-8")


if __name__ == "__main__":
    main()
