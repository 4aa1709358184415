"""Folders that methods have been in."""

from __future__ import annotations

import contextlib
import os
import tempfile
import types
from pathlib import Path

import pytest

from evaluator.rollout import homes
from evaluator.rollout.homes import check_room, open_home, remove_tree, renew_folder
from schemas.errors import OutputError

DEPTH = 3000
"""Deeper than a path may be long, and than calls may be nested."""


def _dig(folder: Path) -> None:
    here = Path.cwd()
    os.chdir(folder)
    for _ in range(DEPTH):
        Path("down").mkdir()
        Path("file").touch()
        os.chdir("down")
    os.chdir(here)


def test_a_folder_of_any_depth_is_removed(tmp_path: Path) -> None:
    """Nothing of it is left, nor is anything that links in it name gone."""
    (tmp_path / "kept").mkdir()
    (tmp_path / "kept" / "precious").touch()
    home = tmp_path / "home"
    home.mkdir()
    (home / "link").symlink_to(tmp_path / "kept")
    (home / "nowhere").symlink_to(tmp_path / "missing")
    os.mkfifo(home / "pipe")
    _dig(home)
    (home / "down" / "closed").mkdir()
    (home / "down" / "closed" / "file").touch()
    (home / "down" / "closed").chmod(0)
    remove_tree(home)
    assert sorted(path.name for path in tmp_path.rglob("*")) == ["kept", "precious"]


@pytest.mark.parametrize("left", ["link", "file", "closed folder"])
def test_a_renewed_folder_is_empty_whatever_was_there(tmp_path: Path, left: str) -> None:
    """A link is not followed: what it names keeps what it has, and the next request does not go there."""
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    (elsewhere / "output.glb").write_bytes(b"of an earlier turn")
    folder = tmp_path / "edit"
    if left == "link":
        folder.symlink_to(elsewhere)
    elif left == "file":
        folder.touch()
    else:
        folder.mkdir()
        (folder / "output.glb").touch()
        folder.chmod(0)
    renew_folder(folder)
    assert folder.is_dir()
    assert not folder.is_symlink()
    assert list(folder.iterdir()) == []
    assert (elsewhere / "output.glb").read_bytes() == b"of an earlier turn"


def test_a_home_that_a_method_replaced_by_a_link_goes_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The link is removed, and what it names stays."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "temporary"))
    with pytest.raises(OutputError, match="TMPDIR"), open_home("of-a-method-"):
        pass
    (tmp_path / "temporary").mkdir()
    (tmp_path / "kept").mkdir()
    with open_home("of-a-method-") as home:
        home.rmdir()
        home.symlink_to(tmp_path / "kept")
    assert list((tmp_path / "temporary").iterdir()) == []
    assert (tmp_path / "kept").is_dir()


def test_a_folder_that_fills_again_is_moved_aside(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A process that goes on writing, or a file that cannot be removed, stays out of the next request."""
    folder = tmp_path / "edit"
    folder.mkdir()
    (folder / "output.glb").touch()
    monkeypatch.setattr(homes, "remove_tree", lambda _path: None)
    renew_folder(folder)
    assert list(folder.iterdir()) == []
    assert len(list(tmp_path.glob("*/output.glb"))) == 1


@pytest.mark.parametrize(("blocks", "files", "is_full"), [(9, 5, True), (10**6, 0, True), (10**6, 5, False)])
def test_a_full_disk_is_not_held_against_a_method(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, blocks: int, files: int, *, is_full: bool
) -> None:
    """Neither want of bytes nor want of files is a failed turn."""
    room = types.SimpleNamespace(f_bavail=blocks, f_frsize=4096, f_files=9, f_favail=files)
    monkeypatch.setattr(os, "statvfs", lambda _path: room)
    with pytest.raises(OutputError, match="is full") if is_full else contextlib.nullcontext():
        check_room(tmp_path)
