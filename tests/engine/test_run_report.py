"""The run report: its numbers counted again by hand, its page read as a browser would, its bytes compared."""

from __future__ import annotations

import json
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from html.parser import HTMLParser
from itertools import takewhile
from pathlib import Path
from statistics import median
from typing import Any, get_args
from xml.etree import ElementTree as ET

import pytest

from chains.files import RUN_FILE, chain_path, list_chains, write_chain
from chains.plan import SHARES
from engine.building import BuildOrder, BuildSettings, build_chains, open_shared_parts
from engine.cli import engine
from engine.report.gather import asked_chains, choose_sheets
from engine.report.meanings import MEANINGS
from engine.report.page import write_page
from engine.report.svg import GRID
from engine.report.writing import PAGE_FILE, ReportMaker, ReportOrder
from engine.run_log import RunLog
from engine.slots.propose import propose_registry
from library_index.library import open_library
from schemas.chain import FAMILIES, Chain
from schemas.codec import read_record
from schemas.errors import InputError, SettingsError
from schemas.events import ChainAbandoned
from schemas.operation import OPS
from schemas.placement import CheckName, Limits
from schemas.report import CategoryCount, RunReport, SheetFile
from schemas.run import RunRecord
from tests.box_chains import index_boxes
from tests.chain_examples import add, chain_of, remove, replace, retexture

ROOT = Path(__file__).resolve().parents[2]
SVG = "{http://www.w3.org/2000/svg}"
ODD = '<script>alert("desk")</script> & co'
VOID = {"meta", "img", "br"}


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The index of four hosts made of boxes."""
    return index_boxes(tmp_path_factory.mktemp("boxes"))


def order_of(index: Path, out: Path) -> BuildOrder:
    """Removals, new looks and additions on the table: two chains and one that is abandoned."""
    hosts = [entry.host for entry in propose_registry(open_library(index)).hosts if entry.host.object_id == "table"]
    return BuildOrder(index, out, hosts, ("A", "R", "M"), 3, Limits())


@pytest.fixture(scope="module")
def built(index: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of chains, built in two sessions: the first ends after one chain."""
    out = tmp_path_factory.mktemp("chains")
    session = build_chains(order_of(index, out), RunLog(out, 1))
    events = list(takewhile(lambda event: isinstance(event, ChainAbandoned), session))
    session.close()
    report, page = write_report(out, tmp_path_factory.mktemp("unfinished"))
    assert report["run"]["ended_utc"] is None
    assert (report["chains"], report["abandoned"], sum(row["abandoned"] for row in report["families"])) == (
        1,
        None,
        len(events),
    )
    assert "had not ended" in page
    assert "written when the build is complete" in page
    for _ in build_chains(order_of(index, out), RunLog(out, 1)):
        pass
    open_shared_parts.cache_clear()
    return out


@pytest.fixture(scope="module")
def made(index: Path, built: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The report of that folder with a contact sheet."""
    out = tmp_path_factory.mktemp("report")
    engine.main(
        ["report", str(built), "--library", str(index), "--out", str(out), "--sheets", "1"], standalone_mode=False
    )
    return out


def raw_chains(folder: Path) -> list[dict[str, Any]]:
    """Chain files as plain JSON."""
    return [json.loads(path.read_bytes()) for path in sorted(folder.glob("?/*.json"))]


def write_report(folder: Path, out: Path) -> tuple[dict[str, Any], str]:
    """Report on a folder without sheets; the JSON and the page."""
    maker = ReportMaker(ReportOrder(folder, list_chains(folder), out, None, 0))
    assert list(maker.draw()) == []
    maker.write()
    return json.loads((out / "report.json").read_bytes()), (out / PAGE_FILE).read_text("utf-8")


def foreign_chain() -> Chain:
    """A chain without anything that may be missing, on a host with a name that HTML would misread."""
    chain = chain_of(add("cup", "top"), remove("cup"), replace("leg"), retexture("top"))
    host = chain.host.model_copy(update={"name": ODD})
    return chain.model_copy(update={"host": host})


@pytest.fixture
def foreign(tmp_path: Path) -> Path:
    """A folder with that chain alone."""
    chain = foreign_chain()
    write_chain(chain_path(tmp_path / "foreign", chain.id), chain)
    return tmp_path / "foreign"


def test_the_record_counts_what_the_files_hold(built: Path, made: Path) -> None:
    """Every count equals one made again from the plain JSON of the chains and the summary."""
    report = json.loads((made / "report.json").read_bytes())
    chains = raw_chains(built)
    turns = [turn for chain in chains for turn in chain["turns"]]
    assert {chain["family"] for chain in chains} == {"R", "M"}
    assert (report["chains"], report["edits"], report["hosts"]) == (len(chains), len(turns), 1)
    by_op = Counter(turn["operation"]["op"] for turn in turns)
    assert {row["op"]: row["count"] for row in report["ops"]} == {op: by_op[op] for op in OPS}
    for family in report["families"]:
        own = [chain for chain in chains if chain["family"] == family["family"]]
        assert (family["asked"], family["chains"], family["missing"]) == (1, len(own), 1 - len(own))
        for row in family["turns"]:
            ops = [c["turns"][row["turn"] - 1]["operation"]["op"] for c in own if len(c["turns"]) >= row["turn"]]
            assert row["chains"] == len(ops)
            targets = dict(zip(OPS, SHARES[family["family"]], strict=True))
            assert row["ops"] == [
                {
                    "op": op,
                    "count": ops.count(op),
                    "share": ops.count(op) / len(ops),
                    "target": targets[op],
                    "within": abs(ops.count(op) / len(ops) - targets[op]) <= 0.05,
                }
                for op in OPS
            ]
    words = [len(turn["instruction"].split()) for turn in turns]
    for name, values in (("words", words), ("length", [len(chain["turns"]) for chain in chains])):
        assert report[name]["spread"] == {"min": min(values), "median": median(values), "max": max(values)}
        assert {row["low"]: row["count"] for row in report[name]["bins"] if row["count"]} == Counter(values)


def test_the_record_counts_rejections_where_they_were_recorded(built: Path, made: Path) -> None:
    """Those of turns that were made and those of the failing turn of abandoned chains, by check, most first."""
    report = json.loads((made / "report.json").read_bytes())
    summary = json.loads((built / "summary.json").read_bytes())
    before: Counter[str] = Counter()
    for chain in raw_chains(built):
        for turn in chain["turns"]:
            before.update({row["check"]: row["count"] for row in turn["rejected"]})
    given_up: Counter[str] = Counter()
    for entry in summary["abandoned"]:
        given_up.update({row["check"]: row["count"] for row in entry["rejected"]})
    rows = report["rejections"]
    assert {row["check"]: row["before_turns"] for row in rows if row["before_turns"]} == before
    assert {row["check"]: row["at_abandoned"] for row in rows if row["at_abandoned"]} == given_up
    at_ends: Counter[str] = Counter()
    for chain in raw_chains(built):
        at_ends.update({row["check"]: row["count"] for row in chain["ended_by"]})
    assert at_ends
    assert {row["check"]: row["at_ends"] for row in rows if row["at_ends"]} == at_ends
    early = Counter(chain["family"] for chain in raw_chains(built) if len(chain["turns"]) < chain["aimed_turns"])
    assert {row["family"]: row["ended_early"] for row in report["families"] if row["ended_early"]} == early
    totals = [row["before_turns"] + row["at_ends"] + row["at_abandoned"] for row in rows]
    assert totals == sorted(totals, reverse=True)
    assert given_up
    assert [(row["family"], row["host"], row["name"]) for row in report["abandoned"]] == [("A", "table", "table")]


def test_times_are_those_of_the_build(built: Path, made: Path) -> None:
    """Two sessions, each chain once in the order of the schedule, and the report repeats what was recorded."""
    run = read_record(RunRecord, built / RUN_FILE)
    assert (run.sessions, run.ended_utc is not None) == (2, True)
    outcomes = {row.chain[0]: row.outcome for row in run.chains}
    assert outcomes == {"A": "abandoned", "R": "accepted", "M": "accepted"}
    assert run.turns == sum(len(chain["turns"]) for chain in raw_chains(built))
    assert 0.0 < sum(row.seconds for row in run.chains) <= run.wall_s
    facts = read_record(RunReport, made / "report.json").run
    assert facts is not None
    assert (facts.wall_s, facts.started_utc, facts.tried) == (run.wall_s, run.started_utc, 3)
    assert facts.turns_per_minute == pytest.approx(60 * run.turns / run.wall_s, abs=0.01)


def test_sessions_change_no_chain(index: Path, built: Path, tmp_path: Path) -> None:
    """A build without interruption gives the same bytes, but for the times."""
    for _ in build_chains(order_of(index, tmp_path), RunLog(tmp_path, 1)):
        pass
    names = [path.relative_to(built) for path in sorted(built.rglob("*.*")) if path.is_file()]
    assert {str(name) for name in names if (tmp_path / name).read_bytes() != (built / name).read_bytes()} == {RUN_FILE}
    open_shared_parts.cache_clear()


class PageReader(HTMLParser):
    """Reads a page: whether elements close in order, what it refers to, and its words."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tags: Counter[str] = Counter()
        self.references: list[str] = []
        self.words: list[str] = []
        self.feed(page)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note an element."""
        self.tags[tag] += 1
        self.references.extend(value or "" for name, value in attrs if name in {"src", "href", "xlink:href"})
        assert not [name for name, _ in attrs if name.startswith("on")]
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note an element that holds nothing."""
        self.handle_starttag(tag, attrs)
        if tag not in VOID:
            self.handle_endtag(tag)

    def handle_endtag(self, tag: str) -> None:
        """Close what was opened last."""
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        """Keep the words."""
        self.words.append(data)


def drawings(page: str) -> list[ET.Element]:
    """The pictures in a page, parsed strictly."""
    found = [part.partition("</svg>")[0] for part in page.split("<svg")[1:]]
    return [ET.fromstring(f"<svg{part}</svg>") for part in found]  # noqa: S314  # our own page


def marks(page: str) -> Iterator[tuple[ET.Element, str, str]]:
    """Every mark of every plot with the place of its number and the number."""
    for drawing in drawings(page):
        for entry in drawing.iter():
            if "data-json" in entry.attrib:
                yield entry, entry.attrib["data-json"], entry.attrib["data-value"]


def resolve(document: Any, pointer: str) -> Any:
    """What a JSON pointer points at."""
    for word in pointer.removeprefix("/").split("/"):
        document = document[int(word)] if isinstance(document, list) else document[word]
    return document


def test_the_page_stands_alone(made: Path) -> None:
    """Well-formed, without scripts, and nothing is loaded but the contact sheets beside it."""
    reader = PageReader((made / PAGE_FILE).read_text("utf-8"))
    assert reader.open == []
    assert not {"script", "link", "iframe", "object", "embed", "use", "image"} & set(reader.tags)
    assert set(reader.references) == {"sheets/R_0d4fc4a7_s3.png"}
    assert (made / "sheets" / "R_0d4fc4a7_s3.png").read_bytes().startswith(b"\x89PNG")
    assert read_record(RunReport, made / "report.json").sheets[0].file == "sheets/R_0d4fc4a7_s3.png"


@pytest.mark.parametrize("source", ["built", "foreign"])
def test_every_plotted_number_is_in_the_json(source: str, request: pytest.FixtureRequest, tmp_path: Path) -> None:
    """Each mark names the place of its number, which is there and the same; all counts that plots promise are drawn."""
    report, page = write_report(request.getfixturevalue(source), tmp_path / "out")
    drawn = {pointer: value for _, pointer, value in marks(page)}
    assert {pointer: float(value) for pointer, value in drawn.items()} == {
        pointer: resolve(report, pointer) for pointer in drawn
    }
    promised = [
        f"/{name}/bins/{i}/count" for name in ("length", "words", "visible") for i in _places(report[name]["bins"])
    ]
    promised += [f"/families/{i}/chains" for i in _places(report["families"])]
    promised += [f"/ops/{i}/count" for i in _places(report["ops"])]
    promised += [f"/rejections/{i}/before_turns" for i in _places(report["rejections"])]
    promised += [f"/categories/{i}/hosts" for i in _places(report["categories"])]
    assert set(promised) <= set(drawn)


def _places(rows: list[Any]) -> range:
    return range(len(rows))


@pytest.mark.parametrize(
    ("title", "size"),
    [
        ("Length of chains", "height"),
        ("Words of instructions", "height"),
        ("Visible change", "height"),
        ("Turns by operation", "width"),
        ("Candidates rejected by check", "width"),
    ],
)
def test_bars_are_as_long_as_their_numbers(built: Path, tmp_path: Path, title: str, size: str) -> None:
    """In each plot length over number is the same for all bars, and all of them lie within their picture."""
    _, page = write_report(built, tmp_path)
    drawing = next(entry for entry in drawings(page) if entry.findtext(f"{SVG}title") == title)
    _, _, width, height = (float(word) for word in drawing.attrib["viewBox"].split())
    bars = [entry.attrib for entry in drawing.iter(f"{SVG}rect") if "data-json" in entry.attrib]
    for bar in bars:
        assert 0.0 <= float(bar["x"]) <= float(bar["x"]) + float(bar["width"]) <= width
        assert 0.0 <= float(bar["y"]) <= float(bar["y"]) + float(bar["height"]) <= height
    values = [(float(bar[size]), float(bar["data-value"])) for bar in bars]
    longest, most = max(values, key=lambda entry: entry[1])
    assert most > 0.0
    assert longest > 50.0
    assert [length for length, _ in values] == pytest.approx([longest * value / most for _, value in values], abs=0.03)


def test_shares_stand_where_the_axis_says(foreign: Path, tmp_path: Path) -> None:
    """Marks of a share of 1 lie on the top grid line and those of 0 on the lowest; what is off target is a diamond."""
    report, page = write_report(foreign, tmp_path / "out")
    drawing = next(entry for entry in drawings(page) if (entry.findtext(f"{SVG}title") or "").startswith("Family G"))
    for panel in drawing.iter(f"{SVG}g"):
        grid = sorted({float(line.attrib["y1"]) for line in panel.iter(f"{SVG}line") if line.attrib["stroke"] == GRID})
        points = [entry for entry in panel if "data-json" in entry.attrib]
        assert len(points) == 4
        for entry in points:
            within = resolve(report, f"{entry.attrib['data-json'].removesuffix('share')}within")
            assert entry.tag == (f"{SVG}circle" if within else f"{SVG}polygon")
            if within:
                continue
            corners = [float(pair.split(",")[1]) for pair in entry.attrib["points"].split()]
            middle = (min(corners) + max(corners)) / 2
            assert middle == pytest.approx(grid[0] if entry.attrib["data-value"] == "1" else grid[-1], abs=0.02)


def test_foreign_chains_are_reported_as_far_as_they_say(foreign: Path, tmp_path: Path) -> None:
    """Without settings, summary, times, categories and reports the page says what is missing and invents nothing."""
    report, page = write_report(foreign, tmp_path / "out")
    assert (report["build"], report["run"], report["abandoned"], report["rejections"]) == (None, None, None, [])
    assert (report["visible"]["unrecorded"], report["visible"]["spread"]) == (4, None)
    assert report["categories"] == [{"category": None, "hosts": 1, "chains": 1}]
    assert [row["unrecorded"] for row in report["interpenetration"]] == [1, 1]
    assert [(row["family"], row["asked"], row["missing"]) for row in report["families"]] == [("G", None, None)]
    words = " ".join(PageReader(page).words)
    assert "without the settings of a build" in words
    assert "Not on record here." in words
    assert "wall time" not in words


def test_names_are_words_and_not_markup(foreign: Path, tmp_path: Path) -> None:
    """Names that look like a script are printed, not run: of hosts, of categories, of files, of folders."""
    maker = ReportMaker(ReportOrder(foreign, list_chains(foreign), tmp_path, None, 0))
    sheet = SheetFile(chain="G/desk_s1", host=ODD, turns=4, file='sheets/"><b>.png')
    category = CategoryCount(category=ODD, hosts=1, chains=1)
    report = maker.write().model_copy(update={"sheets": (sheet,), "categories": (category,)})
    page = write_page(report, ODD)
    reader = PageReader(page)
    assert "script" not in reader.tags
    assert reader.tags["b"] == page.count('<div class="tile"><b>')
    assert reader.words.count(ODD) == 2
    assert any(word.startswith(f"{ODD}: G/desk_s1") for word in reader.words)
    assert set(reader.references) == {'sheets/"><b>.png'}


@pytest.mark.parametrize("seed", ["0", "77"])
def test_the_same_folder_gives_the_same_bytes(built: Path, tmp_path: Path, seed: str) -> None:
    """Other processes with other hash seeds write the same report."""
    here = tmp_path / "here"
    write_report(built, here)
    words = ["report", str(built), "--out", str(tmp_path / "there"), "--sheets", "0"]
    subprocess.run(
        [sys.executable, "-m", "engine.cli", *words],
        env={"PYTHONPATH": str(ROOT), "PYTHONHASHSEED": seed, "HOME": str(tmp_path)},
        cwd=tmp_path,
        check=True,
        capture_output=True,
        timeout=120,
    )
    for name in ("report.json", PAGE_FILE):
        assert (tmp_path / "there" / name).read_bytes() == (here / name).read_bytes()


def test_folders_that_cannot_be_reported_are_refused(tmp_path: Path, foreign: Path) -> None:
    """An empty folder, a missing one, and sheets without a library; nothing is written."""
    (tmp_path / "empty").mkdir()
    out = str(tmp_path / "out")
    with pytest.raises(InputError, match="no chain files"):
        engine.main(["report", str(tmp_path / "empty"), "--out", out], standalone_mode=False)
    with pytest.raises(InputError, match="no such file or folder"):
        engine.main(["report", str(tmp_path / "absent"), "--out", out], standalone_mode=False)
    with pytest.raises(SettingsError, match="no library"):
        engine.main(["report", str(foreign), "--out", out], standalone_mode=False)
    assert not Path(out).exists()


def test_a_report_beside_the_chains_is_no_chain(foreign: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Written into the folder itself it can be written again, and `--json` prints what the file holds."""
    command = ["report", str(foreign), "--out", str(foreign), "--sheets", "0", "--json"]
    engine.main(command, standalone_mode=False)
    first = capsys.readouterr().out
    engine.main(command, standalone_mode=False)
    assert capsys.readouterr().out == first
    assert json.loads(first) == json.loads((foreign / "report.json").read_bytes())


def test_sheets_take_families_in_turn() -> None:
    """Six sheets of many chains show all six families; never more than there are; the same ones again."""
    families = {Path(f"{family}/{number}.json"): family for family in FAMILIES for number in range(9)}
    chosen = choose_sheets(families, 6, seed=1)
    assert sorted(families[path] for path in chosen) == sorted(FAMILIES)
    assert chosen == choose_sheets(dict(reversed(families.items())), 6, seed=1)
    assert chosen != choose_sheets(families, 6, seed=2)
    assert len(choose_sheets(families, 99, seed=1)) == len(families)


def test_what_was_asked_for_follows_the_settings() -> None:
    """A number is spread as the build spreads it; without one each family is asked for on each host."""
    settings = BuildSettings(
        library_sha256="0" * 64,
        hosts_sha256="1" * 64,
        families=("A", "R", "M"),
        hosts=("chair", "lamp"),
        seed=7,
        limits=Limits(),
        chains=5,
    )
    assert asked_chains(settings) == {"A": 2, "R": 2, "M": 1}
    assert asked_chains(settings.model_copy(update={"chains": None})) == {"A": 2, "R": 2, "M": 2}


def test_every_check_has_a_meaning() -> None:
    """No check of the engine is left unexplained in a report."""
    assert set(get_args(CheckName)) | {"wording"} == set(MEANINGS)
