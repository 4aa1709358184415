"""Whole commands on a real Ray cluster write what they write on this machine, byte for byte."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from engine.building import open_shared_parts
from engine.cli import engine
from schemas.errors import MissingExtraError
from tests.box_chains import index_boxes


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An index of furniture made of boxes."""
    return index_boxes(tmp_path_factory.mktemp("boxes"))


def run_engine(*words: str | Path) -> Result:
    """Run one command that must succeed."""
    done = CliRunner().invoke(engine, [str(word) for word in words], catch_exceptions=False)
    open_shared_parts.cache_clear()
    assert done.exit_code == 0, done.output
    return done


def read_tree(folder: Path) -> dict[str, bytes]:
    """Every file below a folder but dotfiles."""
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and not any(part.startswith(".") for part in path.relative_to(folder).parts)
    }


def test_a_cluster_writes_the_same_bytes(
    index: Path, ray_address: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Build, frame, render and verify on workers of a cluster and in this process: the same files, reports, order.

    The folder is called as one of the packages is, and given relative to the working folder.
    """
    monkeypatch.chdir(tmp_path)
    cluster = ("--executor", "ray", "--address", ray_address)
    places = {"chains": cluster, "here": ()}
    reports: dict[str, list[str]] = {}
    for out, where in places.items():
        library = ("--library", index)
        words = ("--families", "A,M,R", "--hosts", "table", "--seed", "3", "--json")
        build = run_engine("build", *library, "--out", out, *words, "--workers", "2", *where)
        frame = run_engine("frame", out, *library, "--json", "--res", "48", *where)
        render = run_engine("render", out, *library, "--out", f"{out}-pictures", "--views", "0", *where)
        verify = run_engine("verify", out, *library, "--json", *where)
        reports[out] = [build.stdout, frame.stdout, render.stdout, verify.stdout]
        assert json.loads(verify.stdout)["mismatches"] == []
    assert json.loads(reports["here"][0])["chains"] == 2
    assert read_tree(tmp_path / "chains") == read_tree(tmp_path / "here")
    assert len(read_tree(tmp_path / "here-pictures")) > 8
    assert read_tree(tmp_path / "chains-pictures") == read_tree(tmp_path / "here-pictures")
    assert reports["chains"] == reports["here"]


def test_a_missing_extra_is_named(index: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without Ray the command is refused before any chain is begun, as bad input."""
    monkeypatch.setitem(sys.modules, "ray", None)
    words = ["build", "--library", str(index), "--out", str(tmp_path / "out"), "--executor", "ray"]
    done = CliRunner().invoke(engine, words)
    assert isinstance(done.exception, MissingExtraError)
    assert done.exception.exit_code == 2
    assert "pip install 'part-edit-chains[ray]'" in str(done.exception)
