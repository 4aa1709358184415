"""The one reader of `engine.toml` and of the environment: paths, workers and keys.

Nothing here changes a result unrecorded: a build writes the hash of its rules beside its chains.
"""

from __future__ import annotations

import os
import tomllib
from dataclasses import dataclass, field
from pathlib import Path

from schemas.errors import SettingsError

SETTINGS_FILE = "engine.toml"
_KNOWN = {"library", "rules", "workers"}


@dataclass(frozen=True, slots=True)
class Settings:
    """Where things are and how many processes may work."""

    library: Path | None = None
    workers: int = 1
    rules: Path | None = None
    """Rules of suitability; None: those of the package."""
    screen_key: str = field(default="", repr=False)
    """Key of the screening server, from `ENGINE_SCREEN_KEY` alone: keys belong in no file."""


def read_settings(library: Path | None = None, workers: int | None = None) -> Settings:
    """Flags over environment (`ENGINE_LIBRARY`, `ENGINE_WORKERS`) over `engine.toml` in the working folder.

    The key of a screening server comes from `ENGINE_SCREEN_KEY` alone.
    """
    table = _read_file(Path(SETTINGS_FILE))
    env_library = os.environ.get("ENGINE_LIBRARY")  # noqa: TID251  # this module is the one reader
    env_workers = os.environ.get("ENGINE_WORKERS")  # noqa: TID251
    screen_key = os.environ.get("ENGINE_SCREEN_KEY", "")  # noqa: TID251
    found_library = library or (Path(env_library) if env_library else None)
    if found_library is None:
        found_library = _path(table, "library", "folder")
    asked = next((value for value in (workers, env_workers or None, table.get("workers")) if value is not None), 1)
    return Settings(
        library=found_library, workers=_count(asked), rules=_path(table, "rules", "file"), screen_key=screen_key
    )


def need_library(library: Path | None) -> Path:
    """The library path from flag, environment or file. Raises SettingsError when none gives it."""
    found = read_settings(library).library
    if found is None:
        raise SettingsError("no library: give --library, set ENGINE_LIBRARY, or name it in engine.toml")
    return found


def _read_file(path: Path) -> dict[str, object]:
    if not path.is_file():
        return {}
    try:
        table = tomllib.loads(path.read_text("utf-8"))
    except (OSError, tomllib.TOMLDecodeError, UnicodeDecodeError, RecursionError) as error:
        raise SettingsError(f"{path}: cannot be read: {error}") from error
    unknown = sorted(set(table) - _KNOWN)
    if unknown:
        raise SettingsError(f"{path}: unknown setting {unknown[0]!r}; known are {', '.join(sorted(_KNOWN))}")
    return table


def _path(table: dict[str, object], key: str, what: str) -> Path | None:
    named = table.get(key)
    if named is None:
        return None
    if not isinstance(named, str) or not named:
        raise SettingsError(f"{SETTINGS_FILE}: {key} must be the name of a {what}, found {named!r:.100}")
    return Path(named)


def _count(value: object) -> int:
    try:
        count = int(str(value))
    except ValueError as error:
        raise SettingsError(f"workers must be a whole number, found {value!r}") from error
    if not 1 <= count <= 1024:
        raise SettingsError(f"workers must be between 1 and 1024, found {count}")
    return count
