"""The report as one HTML page: no script, no file from elsewhere; pictures of chains lie beside it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape

from engine.report import plots
from engine.report.meanings import MEANINGS
from engine.report.share_chart import FEW
from schemas.operation import OpName
from schemas.report import FamilyReport, RunFacts, RunReport, Spread

STYLE = """
body{margin:0;background:#f4f5f7;color:#1f232a;font:15px/1.5 system-ui,Helvetica,Arial,sans-serif}
main{max-width:1120px;margin:0 auto;padding:28px 24px 60px}
h1{font-size:26px;margin:0 0 4px}h2{font-size:19px;margin:36px 0 10px}h3{font-size:15px;margin:14px 0 6px}
p{margin:6px 0 12px;max-width:80ch}.soft{color:#59616d}
.tiles{display:flex;flex-wrap:wrap;gap:12px;margin:18px 0}
.tile{background:#fff;border:1px solid #dfe2e7;border-radius:8px;padding:10px 16px;min-width:104px}
.tile b{display:block;font-size:24px;line-height:1.25}.tile span{color:#59616d;font-size:13px}
.cards{display:grid;grid-template-columns:repeat(auto-fit,minmax(500px,1fr));gap:14px;margin-bottom:14px;align-items:start}
figure{background:#fff;border:1px solid #dfe2e7;border-radius:8px;margin:0 0 14px;padding:12px 14px;overflow-x:auto}
.cards figure{margin:0}figcaption{font-weight:600;margin-bottom:6px}figcaption span{font-weight:400;color:#59616d}
svg,img{max-width:100%;height:auto;display:block}
table{border-collapse:collapse;background:#fff;border:1px solid #dfe2e7;border-radius:8px;font-size:14px}
th,td{padding:5px 9px;text-align:left;border-bottom:1px solid #eceef1;vertical-align:top}
th{color:#59616d;font-weight:600}td.n,th.n{text-align:right;font-variant-numeric:tabular-nums}
code{font-size:13px;overflow-wrap:anywhere}.wide{overflow-x:auto;margin:0 0 14px}
th{white-space:nowrap}details{margin:14px 0}summary{font-weight:600;cursor:pointer;margin-bottom:8px}
@media print{body{background:#fff}figure,tr{break-inside:avoid}}
@media (max-width:560px){.cards{grid-template-columns:1fr}}
"""


ROWS_OPEN = 20
"""A longer table is folded until someone asks for it."""


def write_page(report: RunReport, title: str) -> str:
    """Write the whole page."""
    body = [
        *_head(report, title),
        *_families(report),
        *_shares(report),
        *_chains_and_turns(report),
        *_placing(report),
        *_sheets(report),
        *_rejected(report),
        *_abandoned(report),
    ]
    return "\n".join(
        [
            "<!DOCTYPE html>",
            '<html lang="en"><head><meta charset="utf-8">',
            '<meta name="viewport" content="width=device-width, initial-scale=1">',
            f"<title>{escape(title)}</title><style>{STYLE}</style></head><body><main>",
            *body,
            "</main></body></html>",
            "",
        ]
    )


def _head(report: RunReport, title: str) -> Iterator[str]:
    yield f"<h1>{escape(title)}</h1>"
    facts = []
    if report.build:
        facts.append(f"library <code>{report.build.library_sha256[:12]}</code>, seed {report.build.seed}")
        facts.append(f"{report.build.hosts} hosts offered, interpenetration {escape(report.build.interpenetration)}")
        if report.build.screener:
            facts.append(f"screened by {escape(report.build.screener)}")
    yield f'<p class="soft">{"; ".join(facts) or "These chains come without the settings of a build."}.</p>'
    tiles = [
        (f"{report.chains}", _of_asked(report)),
        (f"{report.edits:,}", "turns"),
        (f"{report.hosts}", "hosts"),
        (f"{report.parts.different}", f"parts placed, each at most {report.parts.most} times"),
    ]
    given_up = [family.abandoned for family in report.families if family.abandoned is not None]
    if given_up:
        tiles.append((f"{sum(given_up)}", "chains abandoned"))
    if report.run:
        tiles.append((_span(report.run.wall_s), "wall time"))
        tiles.append((f"{report.run.turns_per_minute:.1f}", "turns a minute"))
    yield '<div class="tiles">'
    for value, name in tiles:
        yield f'<div class="tile"><b>{escape(value)}</b><span>{escape(name)}</span></div>'
    yield "</div>"
    if report.run:
        yield _describe_run(report.run)


def _of_asked(report: RunReport) -> str:
    asked = [family.asked for family in report.families if family.asked is not None]
    return f"chains of {sum(asked)} asked for" if asked else "chains"


def _describe_run(run: RunFacts) -> str:
    ended = f"to {_moment(run.ended_utc)}" if run.ended_utc else "and had not ended when it was last saved"
    resumed = "without interruption" if run.sessions == 1 else f"in {run.sessions} sessions"
    words = f"Built from {_moment(run.started_utc)} {ended}, {resumed}, {_count(run.workers, 'worker')}. "
    words += f"{_count(run.tried, 'chain')} begun"
    words += f", {run.surplus} of them beyond what was asked for." if run.surplus else "."
    if run.chain_seconds:
        spread = run.chain_seconds
        words += (
            f" An accepted chain took {spread.min:.1f} to {spread.max:.1f} s of a worker, median {spread.median:.1f} s"
        )
        words += f"; the slowest was {run.slowest_chain}."
    return f'<p class="soft">{escape(words)}</p>'


def _families(report: RunReport) -> Iterator[str]:
    yield "<h2>Families and operations</h2>"
    rows = []
    for family in report.families:
        known = [family.asked, family.chains, family.missing, family.abandoned, family.ended_early, family.edits]
        shares = [f"{100 * row.share:.1f}" if row.share is not None else "" for row in family.ops]
        length = [f"{value:g}" for value in _values(family.length)]
        rows.append([family.family, *("" if value is None else str(value) for value in known), *length, *shares])
    names = ["asked", "reached", "missing", "abandoned", "ended early", "turns", "shortest", "median", "longest"]
    ops = [f"{row.op} %" for row in report.ops]
    yield from _table(["family", *names, *ops], rows, first_number=1)
    yield '<div class="cards">'
    yield _figure("Chains by family", plots.plot_families(report))
    yield _figure("Turns by operation", plots.plot_ops(report))
    yield "</div>"


def _shares(report: RunReport) -> Iterator[str]:
    drawn = plots.plot_shares(report)
    pure = [family for family in report.families if family.turns and family.family not in {name for name, _ in drawn}]
    yield "<h2>Operation shares, turn by turn</h2>"
    yield (
        f"<p>Dashed: the family's target; band: {100 * report.share_band:g} points to either side. "
        "Blue discs lie within it, orange diamonds outside. "
        f"Hollow marks stand for fewer than {FEW} chains, of which a single one counts more than five points. "
        "Below each turn: how many chains reach it.</p>"
    )
    for name, drawing in drawn:
        family = next(entry for entry in report.families if entry.family == name)
        yield _figure(f"Family {name}", drawing, _describe_within(family))
    alone = [f"{family.family}, {_count(family.edits, 'turn')}: all {_only_op(family)}" for family in pure]
    if alone:
        yield f"<p>Families with one operation: {'; '.join(alone)}.</p>"


def _only_op(family: FamilyReport) -> OpName:
    return next(row.op for row in family.ops if row.count)


def _describe_within(family: FamilyReport) -> str:
    """How many points lie in the band where there are enough chains to say."""
    points = [op for row in family.turns if row.chains >= FEW for op in row.ops if op.target > 0.0 or op.count]
    within = sum(bool(op.within) for op in points)
    return f"{within} of {len(points)} shares within the band at turns that {FEW} chains or more reach"


def _chains_and_turns(report: RunReport) -> Iterator[str]:
    yield '<h2>Chains, instructions, change</h2><div class="cards">'
    yield _figure("Length of chains", plots.plot_lengths(report), _describe(report.length.spread, "turns"))
    yield _figure("Words of instructions", plots.plot_words(report), _describe(report.words.spread, "words"))
    change = report.visible.spread
    said = f"{100 * change.min:.1f} to {100 * change.max:.1f} %, median {100 * change.median:.1f} %" if change else ""
    if report.visible.unrecorded:
        said += f"{'; ' if said else ''}{_count(report.visible.unrecorded, 'turn')} without a record"
    yield _figure("Visible change of a turn", plots.plot_visible(report), said)
    shown = f"the {plots.ROWS_SHOWN} most frequent" if len(report.categories) > plots.ROWS_SHOWN else ""
    yield _figure("Hosts by category", plots.plot_categories(report), shown)
    yield "</div>"


def _placing(report: RunReport) -> Iterator[str]:
    yield '<h2>Parts and placements</h2><div class="cards">'
    unrecorded = sum(row.unrecorded for row in report.interpenetration)
    said = f"{unrecorded} without a report" if unrecorded else ""
    yield _figure("Placements by interpenetration mode", plots.plot_modes(report), said)
    yield _figure("How often parts were used", plots.plot_uses(report))
    yield "</div>"
    yield (
        "<p>Strict: within the limit of interpenetration where the mate puts the part; pull: drawn back along the "
        "contact until it is; baseline: reaches into its neighbours as far as the part that was there.</p>"
    )
    supports = report.supports
    yield (
        f"<p>Supports: {_count(supports.detach, 'turn')} took an attachment off so that its support could be edited, "
        f"{supports.reattach} put one back, {supports.returned} brought back what the chain had added and taken away; "
        f"in {_count(supports.chains, 'chain')}.</p>"
    )
    if report.parts.most_used:
        yield "<h3>Parts used most</h3>"
        rows = [[str(row.uses), row.label, row.part] for row in report.parts.most_used]
        yield from _table(["uses", "called", "part"], rows, first_number=0, numbers=1)


def _rejected(report: RunReport) -> Iterator[str]:
    yield "<h2>Rejected candidates</h2>"
    if not report.rejections:
        yield "<p>None is on record.</p>"
        return
    total = sum(row.total for row in report.rejections)
    a_turn = f"{total:,} in all, {total / report.edits:.1f} for each accepted turn" if report.edits else f"{total:,}"
    yield _figure("By check", plots.plot_rejections(report), a_turn)
    yield "<details><summary>What the checks ask</summary>"
    yield from _table(
        ["check", "turned away because"], [[r.check, MEANINGS.get(r.check, "")] for r in report.rejections]
    )
    yield "</details>"


def _abandoned(report: RunReport) -> Iterator[str]:
    yield "<h2>Abandoned chains</h2>"
    if report.abandoned is None:
        waits = report.run is not None and report.run.ended_utc is None
        said = "The reasons are written when the build is complete." if waits else "Not on record here."
        yield f"<p>{said}</p>"
    elif not report.abandoned:
        yield "<p>None.</p>"
    else:
        opened = " open" if len(report.abandoned) <= ROWS_OPEN else ""
        yield f"<details{opened}><summary>{_count(len(report.abandoned), 'chain')}, with the reasons</summary>"
        rows = [[entry.family, entry.name or "", entry.host, entry.reason] for entry in report.abandoned]
        yield from _table(["family", "on", "host", "why"], rows)
        yield "</details>"


def _sheets(report: RunReport) -> Iterator[str]:
    if not report.sheets:
        return
    yield "<h2>Some of the chains</h2><p>Each opens in full size.</p>"
    for sheet in report.sheets:
        where = escape(sheet.file)
        words = escape(f"{sheet.host}: {sheet.chain}, {sheet.turns} turns")
        picture = f'<a href="{where}"><img src="{where}" alt="Contact sheet of {words}" loading="lazy"></a>'
        yield f"<figure><figcaption>{words}</figcaption>{picture}</figure>"


def _figure(title: str, drawing: str, said: str = "") -> str:
    below = f" <span>{escape(said)}</span>" if said else ""
    return f"<figure><figcaption>{escape(title)}{below}</figcaption>{drawing}</figure>"


def _table(
    head: Sequence[str], rows: Sequence[Sequence[str]], first_number: int | None = None, numbers: int | None = None
) -> Iterator[str]:
    """A table whose columns from `first_number` on, `numbers` of them or all, are set as numbers."""
    last = len(head) if numbers is None else (first_number or 0) + numbers
    numeric = range(first_number, last) if first_number is not None else range(0)
    yield '<div class="wide"><table><tr>'
    yield "".join(
        f'<th class="n">{escape(c)}</th>' if i in numeric else f"<th>{escape(c)}</th>" for i, c in enumerate(head)
    )
    yield "</tr>"
    for row in rows:
        cells = "".join(
            f'<td class="n">{escape(c)}</td>' if i in numeric else f"<td>{escape(c)}</td>" for i, c in enumerate(row)
        )
        yield f"<tr>{cells}</tr>"
    yield "</table></div>"


def _values(spread: Spread | None) -> tuple[float, ...]:
    return (spread.min, spread.median, spread.max) if spread else ()


def _describe(spread: Spread | None, unit: str) -> str:
    return f"{spread.min:g} to {spread.max:g} {unit}, median {spread.median:g}" if spread else ""


def _count(number: int, noun: str) -> str:
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def _moment(utc: str) -> str:
    """`2026-01-31T12:00:00Z` as `2026-01-31 12:00:00 UTC`."""
    return utc.replace("T", " ").replace("Z", " UTC")


def _span(seconds: float) -> str:
    """Seconds as people say them: `48 s`, `12 min 30 s`, `3 h 5 min`."""
    whole = round(seconds)
    if whole < 60:
        return f"{whole} s"
    if whole < 3600:
        return f"{whole // 60} min {whole % 60} s"
    return f"{whole // 3600} h {whole % 3600 // 60} min"
