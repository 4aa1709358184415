"""Atomic files and the single-writer lock: the only ways this project writes results."""

from __future__ import annotations

import contextlib
import fcntl
import os
import re
import stat
import tempfile
from collections.abc import Collection, Iterable, Iterator
from pathlib import Path
from typing import BinaryIO

from schemas.errors import InputError, LockedError, OutputError

LOCK_NAME = ".lock"
_TEMPORARY = re.compile(r"\..{1,40}\.[a-z0-9_]{8}\.tmp", re.DOTALL)
"""Names that `mkstemp` makes of ours."""


@contextlib.contextmanager
def open_atomic(path: Path, *, durable: bool = True) -> Iterator[BinaryIO]:
    """Write a file so that `path` appears only complete: temporary file, fsync when `durable`, rename.

    Its folder is made when missing. Only a regular file is ever replaced: a rename would put a file where a device, a
    pipe or a socket was. Raises OutputError naming the path.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        check_replaceable(path)
        descriptor, name = tempfile.mkstemp(prefix=f".{path.name[:40]}.", suffix=".tmp", dir=path.parent)
        try:
            with os.fdopen(descriptor, "wb") as file:
                yield file
                file.flush()
                if durable:
                    os.fsync(file.fileno())
            Path(name).chmod(0o644)
            Path(name).replace(path)
        except BaseException:
            with contextlib.suppress(OSError):
                Path(name).unlink()
            raise
    except OSError as error:
        raise OutputError(f"cannot write {path}: {error.strerror or error}") from error


def write_atomic(path: Path, data: bytes, *, durable: bool = True) -> None:
    """Write `data` so that `path` either does not exist or is complete. Raises OutputError naming the path."""
    with open_atomic(path, durable=durable) as file:
        file.write(data)


def write_once(path: Path, data: bytes) -> bool:
    """Write `data` to `path` unless something is there, complete or not at all; return whether it was written.

    Of several writers at once exactly one wins. Raises OutputError naming the path.
    """
    name = ""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        descriptor, name = tempfile.mkstemp(prefix=f".{path.name[:40]}.", suffix=".tmp", dir=path.parent)
        with os.fdopen(descriptor, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        Path(name).chmod(0o644)
        try:
            path.hardlink_to(name)
        except FileExistsError:
            return False
    except OSError as error:
        raise OutputError(f"cannot write {path}: {error.strerror or error}") from error
    finally:
        if name:
            Path(name).unlink(missing_ok=True)
    return True


def make_folder(path: Path) -> None:
    """Make a folder, and those above it, where it is missing. Raises OutputError naming the path."""
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise OutputError(f"cannot write into {path}: {error.strerror or error}") from error


def remove_others(folder: Path, ours: re.Pattern[str], kept: Collection[str]) -> None:
    """Take away the files of a folder whose whole name matches `ours` and is not among `kept`.

    Raises OutputError naming what cannot be taken away.
    """
    path = folder
    try:
        for path in sorted(folder.iterdir()):
            if ours.fullmatch(path.name) and path.name not in kept:
                path.unlink()
    except OSError as error:
        raise OutputError(f"cannot write {path}: {error.strerror or error}") from error


def check_replaceable(path: Path) -> None:
    """Raise OutputError when something other than a regular file, or a link to one, lies at `path`."""
    try:
        mode = path.stat().st_mode
    except FileNotFoundError:
        return
    if not stat.S_ISREG(mode):
        raise OutputError(f"cannot write {path}: it is {'a folder' if stat.S_ISDIR(mode) else 'not a regular file'}")


def check_regular(path: Path) -> None:
    """Raise InputError for a folder, and for a pipe or a device, which could be read for ever.

    Raises OSError when nothing is there.
    """
    mode = path.stat().st_mode
    if not stat.S_ISREG(mode):
        raise InputError(f"{path} is {'a folder' if stat.S_ISDIR(mode) else 'not a regular file'}")


def remove_leftovers(folder: Path) -> None:
    """Delete the temporary files of writers that were killed, and nobody else's. Call with the folder's lock held."""
    for path in folder.rglob(".*.tmp"):
        if _TEMPORARY.fullmatch(path.name) and path.is_file():
            path.unlink(missing_ok=True)


def find_locked(files: Iterable[Path]) -> list[Path]:
    """The folders that writers of chain files have locked before: their own or the one above."""
    folders = {folder for file in files for folder in file.absolute().parents[:2]}
    return sorted(folder for folder in folders if (folder / LOCK_NAME).is_file())


@contextlib.contextmanager
def writer_lock(folder: Path) -> Iterator[Path]:
    """Hold the single-writer lock of an output folder, creating the folder first.

    The lock is the kernel's (flock), so a killed writer leaves none behind. Raises LockedError when another process
    holds it and OutputError when the folder cannot be written.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
        handle = (folder / LOCK_NAME).open("a+b")
    except OSError as error:
        raise OutputError(f"cannot write into {folder}: {error.strerror or error}") from error
    with handle:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            raise LockedError(f"{folder} is in use by another writer (lock file {folder / LOCK_NAME})") from error
        remove_leftovers(folder)
        yield folder
