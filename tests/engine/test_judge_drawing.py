"""`engine sheet --judge` over several processes, and into a folder that holds an earlier draw."""

from __future__ import annotations

from pathlib import Path

import pytest

from chains.files import TICKS_FILE, TURNS_FILE, list_chains
from engine.cli import engine
from engine.pictures.frames import draw_judge_pages, draw_turns
from schemas.codec import read_record
from schemas.errors import OutputError
from schemas.judgement import DrawnTurns
from tests.box_chains import build_on_table, index_boxes


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The index of four hosts made of boxes (`index`) and a few short chains on one of them (`chains`)."""
    folder = tmp_path_factory.mktemp("boxes")
    build_on_table(index_boxes(folder), folder / "chains", ("R", "M"))
    return folder


def sheet(folder: Path, out: Path, count: int, workers: int) -> None:
    """`engine sheet --judge` in this process; raises what the command line would print."""
    words = [folder / "chains", "--library", folder / "index", "--out", out, "--judge", "--n", count]
    engine.main(["sheet", *map(str, words), "--workers", str(workers)], standalone_mode=False)


def test_an_earlier_longer_draw_leaves_no_page_and_workers_change_no_byte(folder: Path, tmp_path: Path) -> None:
    """Two processes draw the pages that one draws; then one turn in the same folder is one page beside its own key."""
    out, alone = tmp_path / "pages", tmp_path / "alone"
    alone.mkdir()
    sheet(folder, out, 5, workers=2)
    turns = draw_turns(list_chains(folder / "chains"), 5, 0)
    paths = list(draw_judge_pages(turns, folder / "index", alone))
    assert [path.name for path in paths] == ["judge_001.png", "judge_002.png"]
    assert [path.read_bytes() for path in paths] == [(out / path.name).read_bytes() for path in paths]
    (out / "judge_001_notes.png").write_bytes(b"mine")
    sheet(folder, out, 1, workers=1)
    seen = sorted(path.name for path in out.iterdir() if not path.name.startswith("."))
    assert seen == ["judge_001.png", "judge_001_notes.png", TICKS_FILE, TURNS_FILE]
    assert {turn.page for turn in read_record(DrawnTurns, out / TURNS_FILE).turns} == {"judge_001.png"}
    assert (out / "judge_001.png").read_bytes() != paths[0].read_bytes()
    ticks = out / TICKS_FILE
    ticks.write_text(ticks.read_text().replace('"note": ""', '"note": "odd"', 1))
    with pytest.raises(OutputError, match="holds ticks"):
        sheet(folder, out, 1, workers=1)
    assert (out / "judge_001.png").is_file()
