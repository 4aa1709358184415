"""Which method is meant: an installed plugin by name, or a program by its manifest or its command line."""

from __future__ import annotations

import difflib
import hashlib
import json
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Mapping
from importlib.metadata import entry_points
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from evaluator.rollout.contract import DESCRIBE, GROUP, TRY, PluginTraits
from schemas.codec import decode
from schemas.errors import EngineError, InputError, UnknownPluginError, WorkerError
from schemas.method import MethodManifest
from schemas.rollout import GROUND_TRUTH_ENDING, MOST_BYTES, REFERENCES, ROLLED_BASELINES
from schemas.rollout_run import ProgramFile

ORACLE = "oracle"
"""Answers with the target; it is no plugin, since no method sees that."""
HOST = (sys.executable, "-P", "-m", "evaluator.rollout.host")
DESCRIBE_LIMIT_S = 120.0


def find_method(name: str) -> MethodManifest:
    """The method of a name: a manifest file (`*.toml`), an installed plugin, or the oracle.

    Raises InputError for a manifest that cannot be read, UnknownPluginError with the nearest name.
    """
    path = Path(name)
    if path.suffix == ".toml" or path.is_file():
        return read_manifest(path)
    return MethodManifest(name=ROLLED_BASELINES.get(name, name), plugin=name, mode="served", **_describe(name))


def read_manifest(path: Path) -> MethodManifest:
    """Read a method's TOML file; its command is made absolute, what lies beside the file is found there.

    Raises InputError naming the file and the field.
    """
    try:
        table = tomllib.loads(path.read_text("utf-8"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError, RecursionError) as error:
        raise InputError(f"{path}: cannot be read: {error}") from error
    options = table.get("options")
    if isinstance(options, dict):
        table["options"] = sorted([name, _as_text(path, name, value)] for name, value in options.items())
    plugin = table.get("plugin")
    if isinstance(plugin, str):
        table = {"mode": "served", **_describe(plugin), **table}
    manifest = check_manifest(table, str(path))
    if manifest.plugin is not None:
        if manifest.mode != "served":
            raise InputError(f"{path}: mode: a plugin is always served, found {manifest.mode!r}")
        return manifest
    return manifest.model_copy(update={"command": place_command(manifest.command or (), path.absolute().parent)})


def check_manifest(table: Mapping[str, Any], place: str) -> MethodManifest:
    """A method from its fields; `place` is where they were read.

    Raises InputError naming the field, and for the name of a row that is not the method's own.
    """
    try:
        manifest = MethodManifest.model_validate(table)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        field = ": ".join([place, *([".".join(map(str, first["loc"]))] if first["loc"] else [])])
        raise InputError(f"{field}: {first['msg'].removeprefix('Value error, ')}") from error
    name = manifest.name
    if name in REFERENCES or name.endswith(GROUND_TRUTH_ENDING):
        raise InputError(f"{place}: name: {name!r:.100} is the name of a row that is made otherwise: give another")
    if len(name.encode()) > MOST_BYTES - len(GROUND_TRUTH_ENDING):
        raise InputError(
            f"{place}: name: has {len(name.encode())} bytes, limit {MOST_BYTES - len(GROUND_TRUTH_ENDING)}"
        )
    return manifest


def place_command(command: tuple[str, ...], folder: Path) -> tuple[str, ...]:
    """A command that works from any folder: arguments that name files of `folder` become absolute.

    Raises InputError when there is no such program.
    """
    placed = [str(folder / word) if _is_file_of(folder, word) else word for word in command]
    program = shutil.which(placed[0])
    if program is None:
        raise InputError(f"method: there is no program {command[0]!r} that may be run")
    return (str(Path(program).absolute()), *placed[1:])


def hash_files(command: tuple[str, ...]) -> tuple[ProgramFile, ...]:
    """The files among the arguments of a command, with their hashes: a run does not go on with another program."""
    return tuple(
        ProgramFile(path=word, sha256=hashlib.sha256(Path(word).read_bytes()).hexdigest())
        for word in command
        if Path(word).is_absolute() and Path(word).is_file()
    )


def check_plugin(name: str) -> None:
    """Check that a plugin is installed, without loading it: its code is run in processes of its own alone.

    Raises UnknownPluginError with the nearest name.
    """
    installed = sorted({ORACLE, *(point.name for point in entry_points(group=GROUP))})
    if name not in installed:
        near = difflib.get_close_matches(name, installed, n=1)
        hint = f"; did you mean {near[0]!r}?" if near else ""
        raise UnknownPluginError(
            f"no method {name!r}; installed are {', '.join(installed)}; a program is named by its .toml file{hint}"
        )


def describe_plugin(name: str) -> PluginTraits:
    """Ask a plugin, in a process of its own, what it needs. Raises WorkerError when it cannot be loaded."""
    done = _ask_host(name, DESCRIBE, b"")
    try:
        if done.returncode == 0:
            return decode(PluginTraits, done.stdout, Path(f"{name} --describe"))
    except EngineError as error:
        raise WorkerError(f"method {name!r} cannot be loaded: {error}") from error
    raise WorkerError(f"method {name!r} cannot be loaded: {_last_words(done)}")


def check_options(method: MethodManifest) -> None:
    """Have a plugin made with its options in a process of its own, before any chain is touched; programs are not tried.

    Raises InputError with what the method says of them, WorkerError when it cannot be made for other reasons.
    """
    if method.plugin is None or method.plugin == ORACLE:
        return
    done = _ask_host(method.plugin, TRY, json.dumps(method.options).encode())
    if done.returncode == InputError.exit_code:
        raise InputError(_last_words(done))
    if done.returncode != 0:
        raise WorkerError(f"method {method.plugin!r} cannot be made: {_last_words(done)}")


def _ask_host(plugin: str, question: str, given: bytes) -> subprocess.CompletedProcess[bytes]:
    try:
        return subprocess.run(  # noqa: S603  # our own module
            [*HOST, plugin, question], input=given, capture_output=True, timeout=DESCRIBE_LIMIT_S, check=False
        )
    except subprocess.TimeoutExpired as error:
        raise WorkerError(f"method {plugin!r} did not load within {DESCRIBE_LIMIT_S:g} s") from error


def _last_words(done: subprocess.CompletedProcess[bytes]) -> str:
    last = done.stderr.decode("utf-8", "replace").strip().splitlines()[-1:]
    return last[0] if last else "it says nothing"


def _describe(plugin: str) -> dict[str, Any]:
    """What a plugin says of itself, as fields of a manifest; the oracle wants nothing."""
    if plugin == ORACLE:
        return {"access": ()}
    check_plugin(plugin)
    return describe_plugin(plugin).model_dump()


def _is_file_of(folder: Path, word: str) -> bool:
    return bool(word) and not Path(word).is_absolute() and not word.startswith("-") and (folder / word).is_file()


def _as_text(path: Path, name: str, value: Any) -> str:
    if not isinstance(value, str | int | float):
        raise InputError(f"{path}: options.{name} must be a text or a number, found {value!r:.100}")
    return value if isinstance(value, str) else str(value).lower() if isinstance(value, bool) else str(value)
