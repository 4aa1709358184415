"""Ticks of judges read against the key of their pages, and summed up.

```
PAGES/judge_001.png   what a judge sees
PAGES/turns.json      which turn each number is
PAGES/ticks.json      the template each judge fills in a copy of
```
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path
from typing import Any

from chains.files import TICKS_FILE, TURNS_FILE
from chains.storage import write_atomic
from schemas.base import SCHEMA_VERSION
from schemas.codec import encode, read_record
from schemas.errors import InputError, OutputError
from schemas.judgement import RIGHT, VERDICTS, DrawnTurn, DrawnTurns, Tick, Ticks
from schemas.operation import OPS

_PAGE = re.compile(r"judge_\d{3,}\.png")
NAMED = 10
"""At most so many numbers are listed in an error."""


@dataclass(frozen=True, slots=True)
class Judgement:
    """The key of a folder of pages and what each judge said, in the order of the key."""

    drawn: DrawnTurns
    judges: tuple[Ticks, ...]


@dataclass(frozen=True, slots=True)
class Agreement:
    """How two judges agree on right and not right, over the same turns."""

    judges: tuple[str, str]
    both_right: int
    only_first: int
    """Right to the first judge alone."""
    only_second: int
    both_wrong: int
    kappa: float | None
    """Cohen's kappa; None when both called every turn the same, where it is not defined."""


def write_key(folder: Path, drawn: DrawnTurns) -> None:
    """Write the key of judging pages and an empty template for ticks.

    Raises OutputError, before anything is written, when the folder's template was filled in: ticks are never lost.
    """
    check_template(folder)
    write_atomic(folder / TURNS_FILE, encode(drawn))
    write_atomic(folder / TICKS_FILE, _template([turn.number for turn in drawn.turns]))


def clear_pages(folder: Path) -> None:
    """Take away pages, key and template of an earlier draw, so that none of them stands beside those of another.

    Raises OutputError, before anything is gone, as write_key does.
    """
    check_template(folder)
    pages = [path for path in sorted(folder.iterdir()) if _PAGE.fullmatch(path.name)]
    for path in (folder / TURNS_FILE, folder / TICKS_FILE, *pages):
        path.unlink(missing_ok=True)


def check_template(folder: Path) -> None:
    """Raise OutputError when the ticks file of a folder of pages already holds verdicts or notes."""
    path = folder / TICKS_FILE
    if path.exists() and any(tick.verdicts or tick.note for tick in read_record(Ticks, path).ticks):
        raise OutputError(f"{path} holds ticks; move it away before drawing other pages there")


def read_judgement(files: Sequence[Path], pages: Path | None = None) -> Judgement:
    """Read ticks files and the key they belong to, in `pages` or beside the first file.

    Raises InputError or SchemaError when a file names unknown numbers, misses or repeats some, has unknown verdicts
    or no judge, or when two files are by one judge.
    """
    if not files:
        raise InputError("no ticks file is given")
    drawn = read_record(DrawnTurns, (pages or files[0].parent) / TURNS_FILE)
    judges: list[Ticks] = []
    for path in files:
        ticks = read_record(Ticks, path)
        _check_ticks(path, ticks, drawn)
        if any(ticks.judge == other.judge for other in judges):
            raise InputError(f"{path}: judge {ticks.judge!r} has given ticks already; judges are told apart by name")
        ordered = tuple(sorted(ticks.ticks, key=lambda tick: tick.number))
        judges.append(ticks.model_copy(update={"ticks": ordered}))
    return Judgement(drawn, tuple(judges))


def measure_agreement(one: Ticks, two: Ticks) -> Agreement:
    """Count right and not right of two judges of the same turns in the same order, and Cohen's kappa of it."""
    pairs = Counter((is_right(a), is_right(b)) for a, b in zip(one.ticks, two.ticks, strict=True))
    both, first, second, neither = (pairs[key] for key in ((True, True), (True, False), (False, True), (False, False)))
    count = len(one.ticks)
    # Times count squared, so that all but the last step are integers.
    by_chance = (both + first) * (both + second) + (neither + first) * (neither + second)
    room = count * count - by_chance
    kappa = ((both + neither) * count - by_chance) / room if room else None
    return Agreement((one.judge, two.judge), both, first, second, neither, kappa)


def is_right(tick: Tick) -> bool:
    """Whether a judge found nothing wrong."""
    return tick.verdicts == (RIGHT,)


def summarise_judgement(judgement: Judgement) -> dict[str, Any]:
    """Right of judged per judge, by operation and kind, what was not right, and how the judges agree."""
    turns = judgement.drawn.turns
    return {
        "schema_version": SCHEMA_VERSION,
        "seed": judgement.drawn.seed,
        "judged": len(turns),
        "judges": [_summarise_judge(turns, ticks) for ticks in judgement.judges],
        "right_to_all": sum(
            all(is_right(ticks.ticks[row]) for ticks in judgement.judges) for row, _ in enumerate(turns)
        ),
        "not_right": _list_not_right(judgement),
        "agreement": [
            {
                "judges": list(found.judges),
                "both_right": found.both_right,
                "only_first_right": found.only_first,
                "only_second_right": found.only_second,
                "both_not_right": found.both_wrong,
                "kappa": None if found.kappa is None else round(found.kappa, 6),
            }
            for found in (measure_agreement(a, b) for a, b in combinations(judgement.judges, 2))
        ],
    }


def _summarise_judge(turns: Sequence[DrawnTurn], ticks: Ticks) -> dict[str, Any]:
    judged, right = Counter(turn.op for turn in turns), Counter[str]()
    kinds: Counter[str] = Counter()
    for turn, tick in zip(turns, ticks.ticks, strict=True):
        right[turn.op] += is_right(tick)
        kinds.update(tick.verdicts)
    return {
        "judge": ticks.judge,
        "right": right.total(),
        "by_op": {op: {"right": right[op], "judged": judged[op]} for op in OPS if judged[op]},
        "by_verdict": {verdict: kinds[verdict] for verdict in VERDICTS if kinds[verdict]},
    }


def _list_not_right(judgement: Judgement) -> list[dict[str, Any]]:
    """Turns that at least one judge found wrong, in the order of the pages."""
    rows = []
    for row, turn in enumerate(judgement.drawn.turns):
        said = [(ticks.judge, ticks.ticks[row]) for ticks in judgement.judges]
        if not all(is_right(tick) for _, tick in said):
            verdicts = [{"judge": judge, "verdicts": list(tick.verdicts), "note": tick.note} for judge, tick in said]
            rows.append({**turn.model_dump(mode="json"), "said": verdicts})
    return rows


def _check_ticks(path: Path, ticks: Ticks, drawn: DrawnTurns) -> None:
    """Every drawn number judged, once, by someone with a name."""
    if not ticks.judge.strip():
        raise InputError(f"{path}: $.judge is empty: write who judged")
    known, given = {turn.number for turn in drawn.turns}, Counter(tick.number for tick in ticks.ticks)
    judged = {tick.number for tick in ticks.ticks if tick.verdicts}
    for numbers, problem in (
        (set(given) - known, f"are not on these pages, which hold 1 to {len(known)}"),
        ({number for number, count in given.items() if count > 1}, "are given more than once"),
        (known - set(given), "are missing"),
        (set(given) - judged, "have no verdict yet"),
    ):
        if numbers:
            listed = ", ".join(map(str, sorted(numbers)[:NAMED])) + (" ..." if len(numbers) > NAMED else "")
            raise InputError(f"{path}: $.ticks: {len(numbers)} of its numbers {problem}: {listed}")


def _template(numbers: Sequence[int]) -> bytes:
    """One tick a line: this file is written on by people."""
    rows = ",\n".join(f'    {{"number": {number}, "verdicts": [], "note": ""}}' for number in numbers)
    head = f'{{\n  "schema_version": "{SCHEMA_VERSION}",\n  "judge": "",\n  "ticks": [\n'
    return f"{head}{rows}\n  ]\n}}\n".encode()
