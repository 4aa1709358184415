"""Ticks: read against their key, refused with reasons, summed up."""

from __future__ import annotations

import json
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from chains.files import TICKS_FILE, TURNS_FILE, list_chains
from chains.judgement import measure_agreement, read_judgement, summarise_judgement, write_key
from chains.judgement_report import write_report
from schemas.codec import encode, read_record
from schemas.errors import InputError, OutputError, SchemaError
from schemas.judgement import VERDICTS, DrawnTurn, DrawnTurns, Tick, Ticks

OPS = ("add", "add", "remove", "replace", "retexture", "add")


def drawn() -> DrawnTurns:
    """Six turns on two pages."""
    return DrawnTurns(
        seed=5,
        turns=tuple(
            DrawnTurn(number=n, chain=f"A/c{n}_s1", turn=n + 1, op=op, page=f"judge_{(n - 1) // 4 + 1:03d}.png")
            for n, op in enumerate(OPS, start=1)
        ),
    )


def fill(folder: Path, name: str, faults: dict[int, list[str]], **changes: Any) -> Path:
    """Fill the template: right but for some numbers."""
    document = json.loads((folder / TICKS_FILE).read_text("utf-8"))
    document["judge"] = name
    for tick in document["ticks"]:
        tick["verdicts"] = faults.get(tick["number"], ["looks right"])
    path = folder / f"{name}.json"
    path.write_text(json.dumps({**document, **changes}), "utf-8")
    return path


def test_key_is_canonical_and_template_lists_every_number(tmp_path: Path) -> None:
    """The key reads back byte for byte; the template has one empty tick a line."""
    write_key(tmp_path, drawn())
    assert (tmp_path / TURNS_FILE).read_bytes() == encode(drawn())
    template = read_record(Ticks, tmp_path / TICKS_FILE)
    assert [(tick.number, tick.verdicts, tick.note) for tick in template.ticks] == [(n, (), "") for n in range(1, 7)]
    assert template.judge == ""
    assert len((tmp_path / TICKS_FILE).read_text("utf-8").splitlines()) == 6 + 6


def test_filled_ticks_are_never_written_over(tmp_path: Path) -> None:
    """A template with a verdict in it stays, and so does its key."""
    write_key(tmp_path, drawn())
    write_key(tmp_path, drawn())
    filled = Ticks(judge="", ticks=(Tick(number=1, verdicts=("scale",)),))
    (tmp_path / TICKS_FILE).write_bytes(encode(filled))
    (tmp_path / TURNS_FILE).unlink()
    with pytest.raises(OutputError, match=r"ticks\.json holds ticks"):
        write_key(tmp_path, drawn())
    assert [path.name for path in tmp_path.iterdir()] == [TICKS_FILE]


def test_two_judges_are_summed_up(tmp_path: Path) -> None:
    """Counts by judge, operation and kind; the turns at least one found wrong; kappa by hand: (5/6 - 2/3) / (1/3)."""
    write_key(tmp_path, drawn())
    files = [fill(tmp_path, "ann", {2: ["floating", "scale"]}), fill(tmp_path, "bob", {2: ["other"], 3: ["buried"]})]
    summary = summarise_judgement(read_judgement(files))
    ann, bob = summary["judges"]
    assert (summary["judged"], ann["right"], bob["right"], summary["right_to_all"]) == (6, 5, 4, 4)
    assert ann["by_op"]["add"] == {"right": 2, "judged": 3}
    assert ann["by_verdict"] == {"looks right": 5, "scale": 1, "floating": 1}
    assert [(row["number"], row["page"], row["chain"]) for row in summary["not_right"]] == [
        (2, "judge_001.png", "A/c2_s1"),
        (3, "judge_001.png", "A/c3_s1"),
    ]
    (agreement,) = summary["agreement"]
    # By chance: (5 * 4 + 1 * 2) / 36 = 22 / 36.
    assert agreement["kappa"] == round((5 / 6 - 22 / 36) / (14 / 36), 6)
    assert [agreement[name] for name in ("both_right", "only_first_right", "only_second_right", "both_not_right")] == [
        4,
        1,
        0,
        1,
    ]


def test_kappa_is_not_defined_when_nothing_varies() -> None:
    """All right to both: no chance agreement to correct for; opposite judges give -1."""
    right = Ticks(judge="a", ticks=tuple(Tick(number=n, verdicts=("looks right",)) for n in (1, 2)))
    assert measure_agreement(right, right).kappa is None
    one = Ticks(judge="b", ticks=(right.ticks[0], Tick(number=2, verdicts=("scale",))))
    two = Ticks(judge="c", ticks=(Tick(number=1, verdicts=("scale",)), right.ticks[1]))
    assert measure_agreement(one, two).kappa == -1.0
    assert measure_agreement(one, one).kappa == 1.0


def test_the_report_is_markdown_tables(tmp_path: Path) -> None:
    """Every row of a table has as many cells as its head, notes cannot break out, and one judge needs no kappa."""
    write_key(tmp_path, drawn())
    files = [fill(tmp_path, "ann", {2: ["floating"]}), fill(tmp_path, "bob", {})]
    document = json.loads(files[0].read_text("utf-8"))
    document["ticks"][1]["note"] = "hangs | in\nthe air"
    files[0].write_text(json.dumps(document), "utf-8")
    lines = write_report(summarise_judgement(read_judgement(files)))
    assert "| right | 5 of 6 (83.3 %) | 6 of 6 (100.0 %) | 5 of 6 (83.3 %) |" in lines
    wrong = "| 2 | judge_001.png | add | floating: hangs \\| in the air | looks right | A/c2_s1 turn 3 |"
    assert lines[-1] == wrong
    rows = [(line.startswith("|"), line.replace("\\|", "").count("|")) for line in lines]
    assert all(one == two for one, two in pairwise(rows) if one[0] and two[0])
    alone = write_report(summarise_judgement(read_judgement(files[1:])))
    assert not any("kappa" in line for line in alone)
    assert alone[-1] == "Nothing was found wrong."


@pytest.mark.parametrize(
    ("faults", "changes", "message"),
    [
        ({2: []}, {}, r"1 of its numbers have no verdict yet: 2"),
        ({}, {"ticks": [{"number": 9, "verdicts": ["other"]}]}, r"are not on these pages, which hold 1 to 6: 9"),
        ({}, {"ticks": [{"number": 1, "verdicts": ["other"]}]}, r"5 of its numbers are missing: 2, 3, 4, 5, 6"),
        ({}, {"ticks": [{"number": 1, "verdicts": ["other"]}] * 2}, r"given more than once: 1"),
        ({3: ["ugly"]}, {}, r"\$\.ticks\[2\]\.verdicts\[0\].*looks right"),
        ({3: ["looks right", "scale"]}, {}, r"stands alone"),
        ({3: ["scale", "scale"]}, {}, r"given twice"),
        ({}, {"judge": " "}, r"\$\.judge is empty"),
        ({}, {"mood": "good"}, r"unknown field 'mood'"),
    ],
)
def test_bad_ticks_are_refused(
    tmp_path: Path, faults: dict[int, list[str]], changes: dict[str, Any], message: str
) -> None:
    """Unknown, missing and repeated numbers, unknown verdicts and nameless judges are named with the file."""
    write_key(tmp_path, drawn())
    path = fill(tmp_path, "ann", faults, **changes)
    with pytest.raises(InputError, match=message) as caught:
        read_judgement([path])
    assert str(caught.value).startswith(str(path))


def test_judges_and_keys_are_checked(tmp_path: Path) -> None:
    """One name judges once; a key is found in the folder that is given, and must count from 1."""
    pages, elsewhere = tmp_path / "pages", tmp_path / "desk"
    write_key(pages, drawn())
    elsewhere.mkdir()
    path = fill(pages, "ann", {})
    with pytest.raises(InputError, match="'ann' has given ticks already"):
        read_judgement([path, path])
    moved = path.rename(elsewhere / "ann.json")
    assert read_judgement([moved], pages).judges[0].judge == "ann"
    with pytest.raises(InputError, match=r"turns\.json: cannot be read"):
        read_judgement([moved])
    document = json.loads(encode(drawn()))
    document["turns"][0]["number"] = 2
    (pages / TURNS_FILE).write_text(json.dumps(document), "utf-8")
    with pytest.raises(SchemaError, match="has number 2, must be 1"):
        read_judgement([moved], pages)


def test_pages_among_chains_are_no_chains(tmp_path: Path) -> None:
    """Key and ticks do not count as chain files."""
    write_key(tmp_path / "pages", drawn())
    with pytest.raises(InputError, match="no chain files"):
        list_chains(tmp_path)
    assert VERDICTS[0] == "looks right"
