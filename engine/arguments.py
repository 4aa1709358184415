"""Paths given on the command line."""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

from schemas.errors import InputError


class PathArgument(click.Path):
    """A path that may or may not be there yet.

    An empty one is refused: it would mean the working folder, and is nearly always a variable that was never set. So is
    one that no file can have (a name too long, links in a circle).
    """

    def __init__(self) -> None:
        super().__init__(path_type=Path)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Path:
        """The path. Raises a usage error for an empty one, InputError for an impossible one."""
        if not os.fspath(value):
            self.fail("the path is empty", param, ctx)
        path = Path(value)
        check_possible(path)
        return path


def check_possible(path: Path) -> None:
    """Raise InputError when no file could lie there, whatever the folders hold."""
    try:
        path.stat()
    except (FileNotFoundError, NotADirectoryError, PermissionError):
        return
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else str(error)
        raise InputError(f"{_shortened(path)}: cannot be a file or folder: {reason}") from error


def _shortened(path: Path) -> str:
    text = str(path)
    return text if len(text) <= 200 else f"{text[:100]}...{text[-60:]}"


PATH = PathArgument()


def model_options(command: Callable[..., None]) -> Callable[..., None]:
    """Add the options that choose an embedder and its model."""
    for option in (
        click.option("--model-sha256", default=None, help="Hash the model's weights must have."),
        click.option("--model", default=None, help="Name or path of the model, for `sentence` and `onnx`."),
        click.option("--embedder", default=None, help="Installed embedder: hashing, sentence, onnx."),
    ):
        command = option(command)
    return command


def executor_options(command: Callable[..., None]) -> Callable[..., None]:
    """Add the options that choose where workers run."""
    for option in (
        click.option("--address", help="Ray cluster to work on, as host:port or `auto`; default: one of our own."),
        click.option(
            "--executor",
            type=click.Choice(["local", "ray"]),
            default="local",
            show_default=True,
            help="Worker processes of this machine, or of a Ray cluster (extra `ray`); the results are the same.",
        ),
    ):
        command = option(command)
    return command


def parse_numbers(option: str, text: str, most: int) -> tuple[int, ...]:
    """Numbers of a text as `0-3` or `0,2`: ascending, each once, `most` at most. Raises InputError for any other."""
    numbers: set[int] = set()
    for part in text.split(","):
        match = re.fullmatch(r"\s*([0-9]{1,5})(?:-([0-9]{1,5}))?\s*", part)
        if match is None:
            raise InputError(f"{option} must be numbers and ranges as 0-3 or 0,2, found {text!r:.100}")
        first, last = int(match[1]), int(match[2] or match[1])
        if last < first:
            raise InputError(f"{option} has a range that runs backwards: {part.strip()!r}")
        numbers.update(range(first, last + 1))
    if len(numbers) > most:
        raise InputError(f"{option} names {len(numbers)} numbers, must be 1 to {most}: {text!r:.100}")
    return tuple(sorted(numbers))
