"""Every command and option is explained where it is used and in the documents."""

from __future__ import annotations

import re
from pathlib import Path

import click
import pytest

from tools.describe_commands import TARGET, describe_commands, walk_commands

ROOT = Path(__file__).resolve().parent.parent
COMMANDS = dict(walk_commands())
DOCUMENTS = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]


def test_commands_are_found() -> None:
    """The walk sees groups and their subcommands, so that the tests below look at something."""
    assert {"engine build", "engine replay", "engine library search", "engine slots split"} <= set(COMMANDS)


@pytest.mark.parametrize("name", COMMANDS)
def test_command_and_options_have_help(name: str) -> None:
    """The command and each of its options say what they do."""
    command = COMMANDS[name]
    assert len((command.help or "").split()) >= 3
    silent = [entry.opts[0] for entry in command.params if isinstance(entry, click.Option) and not entry.help]
    assert silent == []


def test_every_argument_is_explained() -> None:
    """The help text of a command names each of its arguments."""
    unsaid = [
        f"{name}: {argument.name}"
        for name, command in COMMANDS.items()
        for argument in command.params
        if isinstance(argument, click.Argument)
        and (argument.make_metavar(click.Context(command)).strip("[].").removesuffix("...")) not in (command.help or "")
    ]
    assert unsaid == []


def test_command_reference_is_fresh() -> None:
    """`python -m tools.describe_commands` would change nothing."""
    assert TARGET.read_text("utf-8") == describe_commands()


def test_documents_name_only_commands_that_exist() -> None:
    """What README and documents tell people to run is installed, with these options."""
    known = {f"{name} {option}" for name, command in COMMANDS.items() for option in _options(command)}
    for document in DOCUMENTS:
        for line in re.findall(r"^(?:.*/bin/)?engine .*$", document.read_text("utf-8"), re.MULTILINE):
            words = line.partition("engine ")[2].split("#")[0].split()
            name = next(
                (f"engine {' '.join(words[:n])}" for n in (2, 1) if f"engine {' '.join(words[:n])}" in COMMANDS), None
            )
            assert name is not None, f"{document.name}: {line}"
            unknown = [word for word in words if word.startswith("--") and f"{name} {word.split('=')[0]}" not in known]
            assert unknown == [], f"{document.name}: {line}"


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.name)
def test_links_lead_somewhere(document: Path) -> None:
    """Files that a document names in a link or, from the project's root, in backticks exist."""
    text = document.read_text("utf-8")
    links = [target for target in re.findall(r"\]\(([^)#]+)\)", text) if "://" not in target]
    missing = [target for target in links if not (document.parent / target).exists()]
    named = re.findall(r"`((?:docs|schemas|chains|library_index|engine|tools|tests)/[\w/.-]+\.\w+)`", text)
    missing += [target for target in named if not (ROOT / target).exists()]
    assert missing == []


def _options(command: click.Command) -> list[str]:
    return [name for entry in command.params if isinstance(entry, click.Option) for name in entry.opts]
