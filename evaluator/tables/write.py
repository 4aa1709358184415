"""Tables as Markdown and LaTeX."""

from __future__ import annotations

from evaluator.tables.table import Cell, Table

ARROWS = {"higher": "\u2191", "lower": "\u2193", "neither": ""}
LATEX_ARROWS = {"higher": r"$\uparrow$", "lower": r"$\downarrow$", "neither": ""}
_LATEX = str.maketrans(
    {
        "\\": r"\textbackslash{}",
        "&": r"\&",
        "%": r"\%",
        "$": r"\$",
        "#": r"\#",
        "_": r"\_",
        "{": r"\{",
        "}": r"\}",
        "~": r"\textasciitilde{}",
        "^": r"\textasciicircum{}",
        "<": r"\textless{}",
        ">": r"\textgreater{}",
        # At the head of a row these would be read as what `\\` of the row above takes.
        "[": "{[}",
        "]": "{]}",
        "*": "{*}",
    }
)


_MARKDOWN = str.maketrans({**{mark: f"\\{mark}" for mark in "\\|*`["}, "<": "&lt;", "&": "&amp;"})


def write_markdown(table: Table) -> str:
    """A table with its title and caption; best values in bold, references in italics."""
    heads = [table.first, *(_join(heading.text, ARROWS[heading.better]) for heading in table.headings)]
    lines = [
        f"### {table.title}",
        "",
        table.caption,
        "",
        _line(heads),
        _line(["---", *("---:" for _ in table.headings)]),
    ]
    for row in table.rows:
        name = f"*{_escape(row.name)}*" if row.reference else _escape(row.name)
        lines.append(_line([name, *map(_markdown_cell, row.cells)]))
    return "\n".join([*lines, ""])


def write_latex(table: Table) -> str:
    """A table environment for `booktabs`: numbers and intervals; what stands behind them is in the other formats."""
    heads = [
        _latex(table.first),
        *(_join(_latex(heading.text), LATEX_ARROWS[heading.better]) for heading in table.headings),
    ]
    body = []
    for row in table.rows:
        name = rf"\emph{{{_latex(row.name)}}}" if row.reference else _latex(row.name)
        cells = [rf"\textbf{{{_latex(cell.text)}}}" if cell.best else _latex(cell.text) for cell in row.cells]
        body.append(" & ".join([name, *cells]) + r" \\")
    label = table.name.replace("_", "-")
    return "\n".join(
        [
            r"\begin{table}",
            r"\centering",
            rf"\caption{{{_latex(table.title)}. {_latex(table.caption)}}}",
            rf"\label{{tab:{label}}}",
            rf"\begin{{tabular}}{{l{'r' * len(table.headings)}}}",
            r"\toprule",
            " & ".join(heads) + r" \\",
            r"\midrule",
            *body,
            r"\bottomrule",
            r"\end{tabular}",
            r"\end{table}",
            "",
        ]
    )


def _markdown_cell(cell: Cell) -> str:
    number = f"**{_escape(cell.text)}**" if cell.best else _escape(cell.text)
    return " ".join(part for part in (number, cell.interval, f"({cell.note})" if cell.note else "") if part)


def _line(cells: list[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _join(*words: str) -> str:
    return " ".join(word for word in words if word)


def _escape(text: str) -> str:
    return text.translate(_MARKDOWN)


def _latex(text: str) -> str:
    return text.translate(_LATEX)
