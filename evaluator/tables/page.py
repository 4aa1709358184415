"""The tables and plots as one HTML page: no script, no file from elsewhere but the grids beside it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape

from engine.report.page import STYLE
from evaluator.tables.table import Cell, Table
from evaluator.tables.write import ARROWS

MORE_STYLE = """
td small{display:block;color:#59616d;font-size:11px;white-space:nowrap}tr.reference td{color:#59616d;font-style:italic}
figure img{width:100%}
"""


def write_page(
    title: str,
    facts: Sequence[str],
    tables: Sequence[Table],
    plots: Sequence[tuple[str, str]],
    grids: Sequence[tuple[str, str]] = (),
) -> str:
    """Write the page; `facts` are lines for its head, `plots` captions and SVG texts, `grids` captions and paths."""
    body = [f"<h1>{escape(title)}</h1>", *(f'<p class="soft">{escape(fact)}</p>' for fact in facts)]
    for table in tables:
        body.extend(_table(table))
    if plots:
        body.append('<h2>Curves</h2><div class="cards">')
        body.extend(f"<figure><figcaption>{escape(words)}</figcaption>{svg}</figure>" for words, svg in plots)
        body.append("</div>")
    if grids:
        body.append("<h2>Grids</h2>")
    for words, path in grids:
        picture = f'<a href="{escape(path)}"><img loading="lazy" src="{escape(path)}" alt="{escape(words)}"></a>'
        body.append(f"<figure><figcaption>{escape(words)}</figcaption>{picture}</figure>")
    head = f'<meta charset="utf-8"><title>{escape(title)}</title><style>{STYLE}{MORE_STYLE}</style>'
    joined = "\n".join(body)
    return f'<!doctype html>\n<html lang="en"><head>{head}</head><body><main>\n{joined}\n</main></body></html>\n'


def _table(table: Table) -> Iterator[str]:
    yield f'<h2 id="{escape(table.name)}">{escape(table.title)}</h2><p class="soft">{escape(table.caption)}</p>'
    heads = "".join(f'<th class="n">{escape(heading.text)} {ARROWS[heading.better]}</th>' for heading in table.headings)
    yield f'<div class="wide"><table><tr><th>{escape(table.first)}</th>{heads}</tr>'
    for row in table.rows:
        kind = ' class="reference"' if row.reference else ""
        cells = "".join(f'<td class="n">{_cell(cell)}</td>' for cell in row.cells)
        yield f"<tr{kind}><td>{escape(row.name)}</td>{cells}</tr>"
    yield "</table></div>"


def _cell(cell: Cell) -> str:
    number = f"<b>{escape(cell.text)}</b>" if cell.best else escape(cell.text)
    return number + "".join(f"<small>{escape(part)}</small>" for part in (cell.interval, cell.note) if part)
