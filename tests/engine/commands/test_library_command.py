"""`engine library` from the command line: reports, one-line errors, exit codes."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from types import ModuleType

import click
import pytest

from engine import cli

sys.path.insert(0, str(Path(__file__).parents[2] / "library_index"))
from header_surveyor import HeaderSurveyor
from tiny_library import make_glb, make_partverse

from tests.sentence_models import make_tiny_model


class Run:
    """Runs the command line in this process and keeps what it printed."""

    def __init__(self, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
        self._capsys = capsys
        self._monkeypatch = monkeypatch

    def __call__(self, *arguments: object, group: str = "library") -> tuple[int, str, str]:
        """Return exit code, stdout and stderr."""
        self._monkeypatch.setattr(sys, "argv", ["engine", group, *map(str, arguments)])
        code = 0
        try:
            cli.main()
        except SystemExit as stopped:
            code = int(stopped.code or 0)
        printed = self._capsys.readouterr()
        return code, printed.out, printed.err


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Run:
    """Give the command line the header surveyor."""
    module = ModuleType("engine.placement.survey")
    module.PlacementSurveyor = HeaderSurveyor  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "engine.placement.survey", module)
    return Run(capsys, monkeypatch)


@pytest.fixture
def index(tmp_path: Path, run: Run) -> Path:
    """Build the tiny library by the command."""
    code, _, _ = run("build", make_partverse(tmp_path / "source"), "--out", tmp_path / "lib")
    assert code == 0
    return tmp_path / "lib"


def test_build_reports_hosts_parts_and_skipped(tmp_path: Path, run: Run) -> None:
    """Standard output is one JSON document; progress is on standard error."""
    source = make_partverse(tmp_path / "source")
    (source / "textured_part_glbs" / "chair" / "1.glb").write_bytes(b"glTF")
    code, out, err = run("build", source, "--out", tmp_path / "lib", "--workers", 2, "--json")
    report = json.loads(out)
    assert (code, report["hosts"], report["parts"]) == (0, 2, 5)
    assert report["skipped"] == [{"file": "textured_part_glbs/chair/1.glb", "reason": "not a complete GLB"}]
    assert "library build: 3 of 3 objects" in err


def test_a_source_without_any_usable_part_is_bad_input(tmp_path: Path, run: Run) -> None:
    """The report is still printed, and the exit code says that nothing came in."""
    (tmp_path / "source").mkdir()
    (tmp_path / "source" / "bad.glb").write_bytes(b"glTF")
    code, out, err = run("build", tmp_path / "source", "--out", tmp_path / "lib", "--json")
    assert (code, json.loads(out)["parts"]) == (2, 0)
    assert "no part could be imported, 1 files were skipped" in err


def test_wrong_places_are_one_line_errors(tmp_path: Path, run: Run) -> None:
    """No source, an output that is a file, no index: a message, the right code, no traceback."""
    source = make_partverse(tmp_path / "source")
    (tmp_path / "file").write_text("")
    for expected, arguments in [
        (2, ("build", tmp_path / "nowhere", "--out", tmp_path / "lib")),
        (1, ("build", source, "--out", tmp_path / "file")),
        (2, ("info", source)),
        (2, ("search", source, "wheel")),
    ]:
        code, out, err = run(*arguments)
        assert (code, out, err.count("\n")) == (expected, "", 1), arguments
        assert err.startswith("engine: ")


def test_verify_tells_changed_from_missing(index: Path, tmp_path: Path, run: Run) -> None:
    """Exit 0 when all is well, 2 when a file is gone, 4 when one has changed, whatever else is wrong."""
    assert run("verify", index)[:2] == (0, "6 parts checked, 0 problems\n")
    base = tmp_path / "source" / "textured_part_glbs"
    (base / "rock" / "0.glb").unlink()
    code, out, err = run("verify", index)
    assert code == 2
    assert "missing rock/0" in out
    assert "files of 1 of 6 parts are missing" in err
    (base / "lamp" / "0.glb").write_bytes(make_glb(size=50.0))
    code, out, err = run("verify", index, "--json")
    assert code == 4
    assert [(row["part"], row["problem"]) for row in json.loads(out)["problems"]] == [
        ("lamp/0", "mismatch"),
        ("rock/0", "missing"),
    ]
    assert "1 of 6 parts have other content" in err


def test_search_prints_best_first(index: Path, run: Run) -> None:
    """Hits come with score, part and caption, as text and as JSON."""
    code, out, _ = run("search", index, "wooden seat", "--k", 2)
    assert code == 0
    assert out.splitlines()[0].endswith("chair/0  A brown wooden seat of the chair.")
    report = json.loads(run("search", index, "wooden seat", "--k", 1, "--distinct", "--json")[1])
    assert [hit["part"] for hit in report["hits"]] == ["chair/0"]


def test_a_model_from_export_to_shipped_vectors(tmp_path: Path, run: Run) -> None:
    """Export, index by the model, ship, index without it: the same vectors, and every step says what it used."""
    source, model = make_partverse(tmp_path / "source"), make_tiny_model(tmp_path)
    code, _, err = run("build", source, "--out", tmp_path / "lib", "--embedder", "onnx")
    assert (code, err.count("\n")) == (2, 1)
    assert "embedder 'onnx' needs a model: give --model NAME_OR_PATH" in err
    code, out, _ = run("export", model, "--out", tmp_path / "onnx", "--name", "tiny-words", "--json", group="embedder")
    head = json.loads(out)
    assert (code, head["model"], head["dimensions"]) == (0, "tiny-words", 32)
    chosen = ("--embedder", "onnx", "--model", tmp_path / "onnx")
    code, _, err = run("build", source, "--out", tmp_path / "lib", *chosen, "--model-sha256", head["weights_sha256"])
    assert code == 0
    assert f"captions by onnx, model 'tiny-words', weights {head['weights_sha256'][:12]}" in err
    code, out, _ = run("ship", tmp_path / "lib", group="embedder")
    assert (code, "texts by tiny-words: in" in out) == (0, True)
    code, out, err = run("build", source, "--out", tmp_path / "lib2", "--json")
    report = json.loads(out)
    assert (report["embedder"], report["model"]) == ("shipped", "tiny-words")
    assert report["embedder_sha256"] == head["weights_sha256"]
    assert "captions by vectors shipped with" in err
    for name in ("vectors.i8", "queries.i8"):
        assert (tmp_path / "lib" / name).read_bytes() == (tmp_path / "lib2" / name).read_bytes()
    code, out, err = run("search", tmp_path / "lib2", "wooden seat", "--k", 1)
    assert (code, "chair/0" in out) == (0, True)
    assert "the lexical embedder answers over the captions" in err
    code, out, err = run("search", tmp_path / "lib2", "brown wooden seat, chair", "--k", 1, "--json", *chosen)
    assert (code, err, json.loads(out)["embedder"]) == (0, "", "onnx")
    assert json.loads(out)["hits"][0]["part"] == "chair/0"
    assert run("search", tmp_path / "lib2", "seat", *chosen, "--model-sha256", "0" * 64)[0] == 4


def test_show_info_and_licences(index: Path, run: Run) -> None:
    """The record, the totals and the licences of the tiny library."""
    code, out, _ = run("show", index, "chair/10")
    assert code == 0
    assert out.startswith("chair/10  red cushion  [chair]\n")
    assert json.loads(run("show", index, "chair/10", "--json")[1])["ref"]["part_id"] == "10"
    code, _, err = run("show", index, "chair/99")
    assert (code, err.count("\n")) == (2, 1)
    info = json.loads(run("info", index, "--json")[1])
    assert (info["parts"], info["hosts"], info["caption_sources"]) == (6, 2, {"dataset": 6})
    assert info["categories"] == {"furniture": 1, "unknown": 2}
    assert "parts: 6" in run("info", index)[1]
    rows = json.loads(run("licences", index, "--json")[1])["licences"]
    assert rows == [
        {"author": "Ann", "licence": "CC0-1.0", "parts": 3},
        {"author": "unknown", "licence": "unknown", "parts": 3},
    ]
    assert len(run("licences", index)[1].splitlines()) == 2


def test_every_command_has_help() -> None:
    """The group lists the documented commands, each with a sentence of help."""
    from engine.commands.library import library  # noqa: PLC0415  # only this test needs the group itself

    assert sorted(library.commands) == ["build", "info", "licences", "search", "show", "verify"]
    assert all(isinstance(command, click.Command) and command.help for command in library.commands.values())
