"""Hosts a Python method: `python -P -m evaluator.rollout.host PLUGIN`, a served program.

With `--describe` it says what the plugin needs and ends; with `--try` it makes the method with the options that stdin
holds, an array of pairs, and ends with exit code 2 and one line when they cannot be used.

It reads the path of a request a line from stdin and answers each with one line on stdout. What the plugin raises ends
it with a traceback and exit code 1: a failed turn. What the plugin or its libraries print goes to stderr.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import IO

from chains.storage import write_atomic
from evaluator.rollout.contract import DESCRIBE, GROUP, TRY, Method, PluginTraits, TurnInput
from schemas.codec import encode, read_record
from schemas.errors import InputError
from schemas.method import EditRequest
from schemas.plugins import find_plugin


def serve(plugin: type[Method], paths: Iterable[str], answers: IO[str]) -> None:
    """Make the method for the first request, with its options, and answer all of them.

    Raises InputError for a request or an option that cannot be used, OutputError when an output cannot be written, and
    whatever the method raises.
    """
    method: Method | None = None
    for line in paths:
        path = Path(line.removesuffix("\n"))
        request = read_record(EditRequest, path)
        if method is None:
            method = plugin(dict(request.options))
        output = method.edit(TurnInput(path.parent, request))
        write_atomic(path.parent / request.output, output.glb, durable=False)
        if output.usage is not None:
            write_atomic(path.parent / request.usage, encode(output.usage), durable=False)
        answers.write(json.dumps({"done": True}) + "\n")
        answers.flush()


def describe(plugin: type[Method]) -> PluginTraits:
    """What a plugin says of itself; what it does not say is as a plain method has it."""
    return PluginTraits.model_validate(
        {name: getattr(plugin, name) for name in PluginTraits.model_fields if hasattr(plugin, name)}
    )


def try_options(plugin: type[Method], options: dict[str, str]) -> None:
    """Make a method. Exits with 2 and the message of an InputError."""
    try:
        plugin(options)
    except InputError as error:
        sys.stderr.write(f"{error}\n")
        sys.exit(InputError.exit_code)


def main(arguments: list[str]) -> None:
    """Serve the named plugin on this process's own stdin and stdout, kept from it and from what it starts."""
    if not arguments or arguments[1:] not in ([], [DESCRIBE], [TRY]):
        raise InputError(f"usage: python -P -m evaluator.rollout.host PLUGIN [{DESCRIBE}|{TRY}]")
    requests, answers = os.dup(0), os.dup(1)
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    os.dup2(2, 1)
    sys.stdout = sys.stderr  # in order, and not lost with a process that is killed
    with (
        os.fdopen(requests, encoding="utf-8", errors="surrogateescape") as paths,
        os.fdopen(answers, "w", encoding="utf-8") as out,
    ):
        plugin = find_plugin(GROUP, arguments[0], "method")
        if arguments[1:] == [TRY]:
            try_options(plugin, dict(json.load(paths)))
        elif arguments[1:]:
            out.write(encode(describe(plugin)).decode("utf-8"))
        else:
            serve(plugin, paths, out)


if __name__ == "__main__":
    main(sys.argv[1:])
