"""Cases of action `index_and_query`: captions indexed by `engine library build`, asked by `engine library search`."""

from __future__ import annotations

import json
import shutil
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tests.cases_adapter import Case, Check, Json, Run, cases_folder, run_engine
from tests.cases_chain import Index

PART = "0"
"""Each captioned part is the only part of an object of its own name."""


@dataclass
class Asked:
    """The answer to a case's query, and what is needed to ask it again."""

    case: Case
    folder: Path
    run: Run
    seconds: float
    indexes: list[Index] = field(default_factory=list)

    @property
    def order(self) -> list[str]:
        """Part ids as found, best first."""
        return ids_of(self.run)

    def index(self, captions: list[Json], *options: str) -> Index:
        """An index over parts with these captions; after the first one no part is measured again."""
        source = self.folder / f"source{len(self.indexes)}"
        folder = self.folder / f"index{len(self.indexes)}"
        write_source(source, captions)
        if self.indexes:
            shutil.copytree(self.indexes[0].folder, folder)
        made = Index.build(source, folder, *options)
        self.indexes.append(made)
        return made

    def ask(self, index: Index) -> Run:
        """The case's query against an index."""
        query = json.loads((self.case.folder / "query.json").read_text("utf-8"))
        run = run_engine(
            "library", "search", index.folder, query["text"], "--k", query["top"], "--json", cwd=self.folder
        )
        assert run.code == 0, run.err
        return run


def index_and_query(case: Case, folder: Path) -> Asked:
    """Index the captions and ask the query."""
    blank = Run(0, "", "", 0.0, 0, ())
    asked = Asked(case, folder, blank, 0.0)
    started = time.monotonic()
    index = asked.index(read_captions(case.folder / "captions.jsonl"))
    asked.run = asked.ask(index)
    asked.seconds = time.monotonic() - started
    return asked


def read_captions(path: Path) -> list[Json]:
    """Rows of part and caption."""
    return [json.loads(line) for line in path.read_text("utf-8").splitlines() if line]


def write_source(folder: Path, captions: list[Json]) -> None:
    """A part library on disk whose parts have these captions; they all have one shape."""
    shape = min((cases_folder() / "_library" / "parts").glob("*.glb"))
    for row in captions:
        place = folder / "textured_part_glbs" / row["part"]
        place.mkdir(parents=True)
        shutil.copyfile(shape, place / f"{PART}.glb")
    pairs = {row["part"]: {PART: [row["caption"], row["caption"]]} for row in captions}
    (folder / "text_captions.json").write_text(json.dumps(pairs, ensure_ascii=False), "utf-8")


def ids_of(run: Run) -> list[str]:
    """Part ids of a search report."""
    return [hit["part"].removesuffix(f"/{PART}") for hit in run.report["hits"]]


def _check_first(asked: Asked, value: Any, _: Json) -> None:
    assert asked.order[0] == value


def _check_not_first(asked: Asked, value: Any, _: Json) -> None:
    assert asked.order[0] not in value


def _check_order(asked: Asked, value: Any, _: Json) -> None:
    assert asked.order == value


def _check_same_for(asked: Asked, value: Any, _: Json) -> None:
    orders = [ids_of(asked.ask(asked.index(read_captions(asked.case.folder / name)))) for name in value]
    assert len(orders) == len(value)
    assert all(order == asked.order for order in orders)


def _check_no_nan(asked: Asked, value: Any, _: Json) -> None:
    assert value is True
    assert all(isinstance(hit["score"], float | int) for hit in asked.run.report["hits"])


def _check_round_trip(asked: Asked, value: Any, _: Json) -> None:
    assert value is True
    for row in read_captions(asked.case.folder / "captions.jsonl"):
        name = f"{row['part']}/{PART}"
        shown = run_engine("library", "show", asked.indexes[0].folder, name, "--json", cwd=asked.folder)
        assert shown.report["caption"] == row["caption"]


def _check_only_text(asked: Asked, value: Any, _: Json) -> None:
    """With other captions every record says the same but for its text: no caption decides anything."""
    assert value is True
    plain = [{**row, "caption": "a part"} for row in read_captions(asked.case.folder / "captions.jsonl")]
    of_text = {"caption", "caption_detail", "warnings"}
    with_captions, without = (
        [{key: entry for key, entry in row.items() if key not in of_text} for row in index.parts]
        for index in (asked.indexes[0], asked.index(plain, "--name", asked.indexes[0].parts[0]["ref"]["library"]))
    )
    assert with_captions == without


def _check_batch_sizes(asked: Asked, value: Any, _: Json) -> None:
    assert value is True
    sizes = json.loads((asked.case.folder / "settings.json").read_text("utf-8"))["batch_sizes"]
    captions = read_captions(asked.case.folder / "captions.jsonl")
    orders = [ids_of(asked.ask(asked.index(captions, "--embed-batch", str(size)))) for size in sizes]
    assert len(orders) == len(sizes)
    assert all(order == asked.order for order in orders)


def _check_seconds(asked: Asked, value: Any, _: Json) -> None:
    assert asked.seconds <= value


CHECKS: dict[str, Check] = {
    "first": _check_first,
    "not_first": _check_not_first,
    "order": _check_order,
    "same_for": _check_same_for,
    "no_nan": _check_no_nan,
    "captions_round_trip": _check_round_trip,
    "acceptance_depends_only_on_geometry_and_screening": _check_only_text,
    "same_order_for_all_batch_sizes": _check_batch_sizes,
    "max_seconds": _check_seconds,
}
"""Every key that `checks` of a text case may have."""
