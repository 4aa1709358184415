"""Atomic writes and the lock."""

from __future__ import annotations

import multiprocessing
from pathlib import Path

import pytest

from chains.storage import open_atomic, write_atomic, write_once, writer_lock
from schemas.errors import LockedError, OutputError


def test_a_write_is_whole_and_leaves_nothing_beside_it(tmp_path: Path) -> None:
    """The file holds the new bytes and no temporary file is left."""
    target = tmp_path / "deep" / "file.json"
    write_atomic(target, b"one")
    write_atomic(target, b"two")
    assert target.read_bytes() == b"two"
    assert [path.name for path in target.parent.iterdir()] == ["file.json"]


def test_a_write_that_cannot_be_names_the_place(tmp_path: Path) -> None:
    """A file where a folder should be is an error naming the path."""
    (tmp_path / "file").write_bytes(b"")
    with pytest.raises(OutputError, match="file/x"):
        write_atomic(tmp_path / "file" / "x", b"")


def _try_lock(folder: Path) -> str:
    try:
        with writer_lock(folder):
            return "held"
    except LockedError as error:
        return str(error)


def test_a_second_writer_is_told_so(tmp_path: Path) -> None:
    """While one process holds a folder another one is refused; afterwards it is free."""
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        with writer_lock(tmp_path):
            (tmp_path / ".half.json.k3_9zq0a.tmp").write_bytes(b"")
            assert "in use by another writer" in pool.apply(_try_lock, (tmp_path,))
        assert pool.apply(_try_lock, (tmp_path,)) == "held"
    assert not (tmp_path / ".half.json.k3_9zq0a.tmp").exists()


def test_only_our_own_leftovers_are_cleared_away(tmp_path: Path) -> None:
    """A writer that is stopped leaves a file that the next one deletes; what others call temporary stays."""
    foreign = [tmp_path / name for name in (".mine.tmp", ".notes.2026-11.tmp", "half.json.k3_9zq0a.tmp")]
    for path in foreign:
        path.write_bytes(b"")
    (tmp_path / ".folder.k3_9zq0a.tmp").mkdir()
    with open_atomic(tmp_path / "below" / "whole.json"):
        (left,) = (tmp_path / "below").iterdir()
        (tmp_path / "below" / left.name.replace("whole", "half")).touch()
    with writer_lock(tmp_path):
        assert [path.name for path in (tmp_path / "below").iterdir()] == ["whole.json"]
    assert all(path.exists() for path in foreign)


def test_the_first_of_several_writers_wins(tmp_path: Path) -> None:
    """What is there stays, whole, and nothing else is left behind."""
    path = tmp_path / "new" / "answer.json"
    assert write_once(path, b"first")
    assert not write_once(path, b"second")
    assert path.read_bytes() == b"first"
    assert [entry.name for entry in path.parent.iterdir()] == ["answer.json"]


def test_what_cannot_be_written_once_is_named(tmp_path: Path) -> None:
    """A file where a folder should be is an error with the path."""
    (tmp_path / "file").write_bytes(b"")
    with pytest.raises(OutputError, match=r"answer\.json"):
        write_once(tmp_path / "file" / "answer.json", b"first")
