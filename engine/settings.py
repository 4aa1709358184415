"""The one reader of `engine.toml` and of the environment: paths, workers, keys, and the model of captions.

Nothing here changes a result behind one's back: an index records the embedder and the model that made it, a build the
hash of its rules.
"""

from __future__ import annotations

import os
import re
import tomllib
from dataclasses import dataclass, field
from pathlib import Path

from schemas.errors import SettingsError

SETTINGS_FILE = "engine.toml"
_SHA256 = re.compile("[0-9a-f]{64}")
_TEXTS = ("embedder", "library", "model", "model_sha256", "rules")
_PATHS = {"library": "a folder", "rules": "a file"}
_KNOWN = {*_TEXTS, "workers"}


@dataclass(frozen=True, slots=True)
class Settings:
    """Where things are and how many processes may work."""

    library: Path | None = None
    workers: int = 1
    rules: Path | None = None
    """Rules of suitability; None: those of the package."""
    screen_key: str = field(default="", repr=False)
    """Key of the screening server, from `ENGINE_SCREEN_KEY` alone: keys belong in no file."""
    rewrite_key: str = field(default="", repr=False)
    """Key of the rewriting server, from `ENGINE_REWRITE_KEY` alone."""
    embedder: str | None = None
    model: str | None = None
    """Name or path of the model for embedders that take one."""
    model_sha256: str | None = None
    """Hash its weights must have."""


def read_settings(
    library: Path | None = None,
    workers: int | None = None,
    *,
    embedder: str | None = None,
    model: str | None = None,
    model_sha256: str | None = None,
) -> Settings:
    """Flags over environment over `engine.toml` in the working folder.

    A setting is called `model_sha256` in the file and `ENGINE_MODEL_SHA256` in the environment. The keys of
    servers come from `ENGINE_SCREEN_KEY` and `ENGINE_REWRITE_KEY` alone. Raises SettingsError for a file that cannot be
    read, an unknown setting, and a value of the wrong kind or out of range.
    """
    table = _read_file(Path(SETTINGS_FILE))
    flags = {
        "library": os.fspath(library) if library else None,
        "rules": None,
        "embedder": embedder,
        "model": model,
        "model_sha256": model_sha256,
    }
    texts = {name: flags[name] or _environment(name) or _text(table, name) for name in _TEXTS}
    sha256 = texts["model_sha256"]
    if sha256 is not None and not _SHA256.fullmatch(sha256):
        raise SettingsError(f"model_sha256 must be 64 lower-case hex digits, found {sha256!r:.100}")
    asked = next((value for value in (workers, _environment("workers"), table.get("workers")) if value is not None), 1)
    return Settings(
        library=Path(texts["library"]) if texts["library"] else None,
        workers=_count(asked),
        rules=Path(texts["rules"]) if texts["rules"] else None,
        screen_key=_environment("screen_key") or "",
        rewrite_key=_environment("rewrite_key") or "",
        embedder=texts["embedder"],
        model=texts["model"],
        model_sha256=sha256,
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


def _environment(name: str) -> str | None:
    """Value of `ENGINE_<NAME>`; an empty one is not set."""
    return os.environ.get(f"ENGINE_{name.upper()}") or None  # noqa: TID251  # this module is the one reader


def _text(table: dict[str, object], name: str) -> str | None:
    value = table.get(name)
    if value is not None and (not isinstance(value, str) or not value):
        what = f"the name of {_PATHS[name]}" if name in _PATHS else "a text"
        raise SettingsError(f"{SETTINGS_FILE}: {name} must be {what}, found {value!r:.100}")
    return value


def _count(value: object) -> int:
    try:
        count = int(str(value))
    except ValueError as error:
        raise SettingsError(f"workers must be a whole number, found {value!r}") from error
    if not 1 <= count <= 1024:
        raise SettingsError(f"workers must be between 1 and 1024, found {count}")
    return count
