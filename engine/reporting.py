"""How commands talk: results on stdout, progress and messages on stderr."""

from __future__ import annotations

import json
import sys
from typing import Any

import click


def print_json(document: Any) -> None:
    """One JSON document on stdout."""
    click.echo(json.dumps(document, indent=2, ensure_ascii=False, sort_keys=False))


def say_on_stderr(text: str) -> None:
    """One line on stderr; what a terminal could take for a command is written out."""
    click.echo("engine: " + "".join(c if c.isprintable() else repr(c)[1:-1] for c in text), err=True)


class Progress:
    """A counter line on stderr: rewritten on a terminal, one line in twenty otherwise."""

    def __init__(self, what: str, total: int) -> None:
        self._what = what
        self._total = total
        self._done = 0
        self._terminal = sys.stderr.isatty()

    def advance(self, note: str = "", units: int = 1) -> None:
        """Some more units are done."""
        step, before = max(1, self._total // 20), self._done
        self._done += units
        if self._terminal:
            click.echo(f"\r{self._what}: {self._done}/{self._total} {note:<60.60}", nl=False, err=True)
        elif self._done == self._total or self._done // step > before // step:
            click.echo(f"{self._what}: {self._done}/{self._total} {note}".rstrip(), err=True)

    def close(self) -> None:
        """End the line on a terminal."""
        if self._terminal and self._done:
            click.echo(err=True)
