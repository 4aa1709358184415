"""`engine`: finds its subcommands by entry point and turns errors into exit codes."""

from __future__ import annotations

import importlib
import os
import sys
from importlib.metadata import EntryPoint, entry_points
from typing import NoReturn

import click

from engine.reporting import say_on_stderr
from schemas.errors import EngineError

GROUP = "engine.commands"


class PluginGroup(click.Group):
    """Subcommands from the entry-point group, imported only when used."""

    def _points(self) -> dict[str, EntryPoint]:
        return {point.name: point for point in entry_points(group=GROUP)}

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002  # click's signature
        """Names of all installed subcommands, sorted."""
        return sorted(self._points())

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002
        """Import and return one subcommand."""
        point = self._points().get(cmd_name)
        if point is None:
            return None
        command = getattr(importlib.import_module(point.module), point.attr)
        return command if isinstance(command, click.Command) else None


@click.group(cls=PluginGroup, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="part-edit-chains")
def engine() -> None:
    """Part-level 3D edit chains with an exact target after every turn."""


def main() -> None:
    """Run the command line; errors become one line on stderr and an exit code."""
    try:
        engine.main(standalone_mode=False)
    except EngineError as error:
        say_on_stderr(str(error))
        sys.exit(error.exit_code)
    except click.ClickException as error:
        error.show()
        sys.exit(error.exit_code)
    except click.exceptions.Exit as error:
        sys.exit(error.exit_code)
    except (click.exceptions.Abort, KeyboardInterrupt):
        click.echo("engine: interrupted", err=True)
        sys.exit(1)
    except BrokenPipeError:
        _leave_pipe()
    except OSError as error:
        click.echo(f"engine: {_describe(error)}", err=True)
        sys.exit(1)
    except MemoryError:
        click.echo("engine: out of memory", err=True)
        sys.exit(1)


def _leave_pipe() -> NoReturn:
    """End quietly when the reader of the output has gone, and give the interpreter nothing to flush into it."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    sys.exit(1)


def _describe(error: OSError) -> str:
    """What the system refused, and where: nothing below said it better."""
    reason = error.strerror or str(error) or type(error).__name__
    return f"{error.filename}: {reason}" if error.filename else reason


if __name__ == "__main__":
    main()
