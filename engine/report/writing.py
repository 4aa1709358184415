"""Making a report: count, draw contact sheets, write JSON and page."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from chains.files import REPORT_FILE, read_chain
from chains.report import count_report
from chains.storage import make_folder, remove_others, write_atomic
from engine.pictures.frames import draw_sheets
from engine.report.gather import choose_sheets, read_trace
from engine.report.page import write_page
from schemas.chain import Chain, Family
from schemas.codec import encode
from schemas.report import RunReport, SheetFile

PAGE_FILE = "report.html"
SHEETS_FOLDER = "sheets"
_OURS = re.compile(r"[A-Z]_.*\.png")


@dataclass(frozen=True, slots=True)
class ReportOrder:
    """One report."""

    chains: Path
    """The folder as it was named; its last part is the title."""
    files: Sequence[Path]
    out: Path
    library: Path | None
    """Needed for contact sheets."""
    sheets: int
    seed: int = 0
    workers: int = 1


class ReportMaker:
    """Counts at once; draws sheets one by one; writes at the end."""

    def __init__(self, order: ReportOrder) -> None:
        self._order = order
        families: dict[Path, Family] = {}
        self._counted = count_report(_reading(order.files, families), read_trace(order.chains))
        self.chosen = choose_sheets(families, order.sheets, order.seed) if order.library else []

    def draw(self) -> Iterator[Path]:
        """Draw the contact sheets, yielding each; take away those of an earlier report. Raises what drawing raises."""
        folder = self._order.out / SHEETS_FOLDER
        make_folder(folder)
        drawn = []
        if self._order.library is not None:
            for picture in draw_sheets(self.chosen, self._order.library, folder, self._order.workers):
                drawn.append(picture.name)
                yield picture
        remove_others(folder, _OURS, drawn)

    def write(self) -> RunReport:
        """Write `report.json` and `report.html`. Raises OutputError."""
        sheets = []
        for path in self.chosen:
            chain = read_chain(path)
            file = f"{SHEETS_FOLDER}/{chain.id.replace('/', '_')}.png"
            sheets.append(SheetFile(chain=chain.id, host=chain.host.name, turns=len(chain.turns), file=file))
        report = self._counted.model_copy(update={"sheets": tuple(sheets)})
        write_atomic(self._order.out / REPORT_FILE, encode(report))
        title = f"Chains in {self._order.chains.resolve().name}"
        write_atomic(self._order.out / PAGE_FILE, write_page(report, title).encode())
        return report


def _reading(files: Sequence[Path], families: dict[Path, Family]) -> Iterator[Chain]:
    """Read chains one by one, remembering the family of each."""
    for path in files:
        chain = read_chain(path)
        families[path] = chain.family
        yield chain
