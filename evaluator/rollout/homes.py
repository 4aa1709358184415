"""Folders that methods are let into: made afresh, and removed whatever a method has made of them."""

from __future__ import annotations

import contextlib
import os
import stat
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

from chains.storage import make_folder
from schemas.errors import InputError, OutputError

OPEN_MODE = 0o700
LEAST_ROOM_BYTES = 1 << 20
"""With less, a method that failed may have failed for that."""


@contextlib.contextmanager
def open_home(prefix: str) -> Iterator[Path]:
    """A folder among the system's temporary ones, which goes with the block. Raises OutputError without one."""
    try:
        home = Path(tempfile.mkdtemp(prefix=prefix))
    except OSError as error:
        raise OutputError(f"cannot make a folder for a method: {error}; TMPDIR may name another place") from error
    try:
        yield home
    finally:
        remove_tree(home)


def renew_folder(path: Path) -> None:
    """Make a folder that is empty, whatever was there.

    What cannot be removed, or is written anew all the time, is moved aside. Raises OutputError when that fails, too, or
    no folder can be made.
    """
    remove_tree(path)
    if os.path.lexists(path):
        try:
            path.rename(tempfile.mkdtemp(dir=path.parent))
        except OSError as error:
            raise OutputError(f"cannot empty {path}: {error.strerror or error}") from error
    make_folder(path)


def check_room(home: Path) -> None:
    """Raise OutputError when the disk that a method writes to is full, or has no room for another file."""
    with contextlib.suppress(FileNotFoundError):  # it may have deleted its home
        found = os.statvfs(home)
        # Some systems of files count no files.
        if found.f_bavail * found.f_frsize < LEAST_ROOM_BYTES or (found.f_files and not found.f_favail):
            raise OutputError(
                f"the disk of {home} is full, so no turn is held against the method; free some or set TMPDIR"
            )


def open_left(path: Path) -> BinaryIO:
    """Open a file that a method left to be read: a regular one, no link, and without waiting for a pipe.

    Raises InputError with its name and what is there instead.
    """
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
    except FileNotFoundError as error:
        raise InputError(path.name) from error
    except OSError as error:
        raise InputError(f"{path.name} cannot be opened: {error.strerror}") from error
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        os.close(descriptor)
        raise InputError(f"{path.name} is not a regular file")
    return os.fdopen(descriptor, "rb")


def remove_tree(path: Path) -> None:
    """Remove a file, a link but not what it names, or a folder of any depth, as far as the system lets us."""
    waiting = _sweep(path)
    for folder in waiting:
        for deeper in _sweep(folder):
            # Lifted, however deep it lies: no path grows too long, and nothing is called again and again.
            with contextlib.suppress(OSError):
                waiting.append(deeper.rename(tempfile.mkdtemp(dir=path)))
        with contextlib.suppress(OSError):
            folder.rmdir()
    with contextlib.suppress(OSError):
        path.rmdir()


def _sweep(path: Path) -> list[Path]:
    """Remove whatever is there but for folders; those in it, opened up."""
    if path.is_symlink() or not path.is_dir():
        with contextlib.suppress(OSError):
            path.unlink()
        return []
    folders = []
    with contextlib.suppress(OSError):
        path.chmod(OPEN_MODE)
        for entry in sorted(path.iterdir()):
            if entry.is_dir() and not entry.is_symlink():
                with contextlib.suppress(OSError):
                    entry.chmod(OPEN_MODE)
                folders.append(entry)
            else:
                with contextlib.suppress(OSError):
                    entry.unlink()
    return folders
