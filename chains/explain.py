"""Why a turn stands: each measured value beside the limit it was held to."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from chains.edit_cells import ENOUGH_CELLS, LEAST_CELLS, find_shortage
from schemas.chain import Chain, EditCells, Turn
from schemas.operation import Add, OpName, Replace, Retexture
from schemas.placement import CheckReport, Limits, least_support


@dataclass(frozen=True, slots=True)
class CheckedValue:
    """One value, the limit as words, and whether it holds."""

    name: str
    value: float | str | None
    limit: str
    holds: bool


@dataclass(frozen=True, slots=True)
class Explanation:
    """A turn in words and numbers."""

    chain: str
    turn: int
    op: str
    slot: str
    instruction: str
    facts: tuple[tuple[str, str], ...]
    values: tuple[CheckedValue, ...]
    rejected: tuple[tuple[str, int], ...]

    def document(self) -> dict[str, Any]:
        """As a plain document."""
        return {
            "chain": self.chain,
            "turn": self.turn,
            "op": self.op,
            "slot": self.slot,
            "instruction": self.instruction,
            "facts": dict(self.facts),
            "values": [
                {"name": value.name, "value": value.value, "limit": value.limit, "holds": value.holds}
                for value in self.values
            ],
            "rejected": dict(self.rejected),
        }

    def lines(self) -> list[str]:
        """As lines of text."""
        rows = [f"{self.chain} turn {self.turn}: {self.op} {self.slot}", f'  "{self.instruction}"']
        wide = max((len(name) for name in (*(f[0] for f in self.facts), *(v.name for v in self.values))), default=0)
        rows.extend(f"  {name:<{wide}} {text}" for name, text in self.facts)
        for value in self.values:
            shown = f"{value.value:.6g}" if isinstance(value.value, float) else str(value.value)
            rows.append(f"  {value.name:<{wide}} {shown:>12}   {value.limit:<32} {'ok' if value.holds else 'BROKEN'}")
        if self.rejected:
            rows.append(
                f"  {'rejected before':<{wide}} " + ", ".join(f"{check} {count}" for check, count in self.rejected)
            )
        return rows


def explain_turn(chain: Chain, turn: Turn) -> Explanation:
    """Every value of one turn against the chain's limits."""
    operation = turn.operation
    facts: list[tuple[str, str]] = []
    facts.extend(_describe_words(turn))
    if turn.purpose is not None:
        taken = "" if turn.returns is None else f", taken away in turn {turn.returns}"
        facts.append(("purpose", f"{turn.purpose}{taken}"))
    values: list[CheckedValue] = []
    if isinstance(operation, Add | Replace):
        facts.append(("part", str(operation.part)))
        if isinstance(operation, Add):
            facts.append(("attach to", operation.attach_to))
            if operation.texture is not None:
                facts.append(("look", operation.texture.image))
        contact = operation.placement.contact
        if contact is not None:
            facts.append(("contact", f"{contact.kind} on {contact.parent}, {contact.direction}"))
        if operation.placement.report is not None:
            report = operation.placement.report
            facts.extend(_describe_mate(report))
            facts.append(("mode", _describe_mode(report, chain.limits)))
            facts.append(("host's own gaps", _describe_gaps(chain.host.connected_pieces)))
            values.extend(_placement_values(report, chain.limits, chain.host.connected_pieces))
    if isinstance(operation, Retexture):
        facts.append(("material", operation.material))
    if turn.cells is not None:
        facts.append(("cells", _describe_cells(operation.op, turn.cells)))
    if turn.screening is not None:
        facts.append((f"screened by {turn.screening.model}", f"{turn.screening.verdict}: {turn.screening.reason}"))
    if turn.visible is not None:
        values.append(_at_least("visible change", turn.visible, chain.limits.visible))
    if turn.visible is not None and turn.covered is not None:
        share = turn.visible / turn.covered if turn.covered > 0.0 else 0.0
        values.append(CheckedValue("pixels covered", turn.covered, "recorded", holds=True))
        values.append(_at_least("changed of covered", share, chain.limits.visible_share))
    return Explanation(
        chain=chain.id,
        turn=turn.index,
        op=operation.op,
        slot=operation.slot,
        instruction=turn.instruction,
        facts=tuple(facts),
        values=tuple(values),
        rejected=tuple((entry.check, entry.count) for entry in turn.rejected),
    )


def _describe_words(turn: Turn) -> list[tuple[str, str]]:
    """The other sentences of a turn, and what became of its draft."""
    facts = []
    if turn.instruction_zh is not None:
        facts.append(("in Chinese", turn.instruction_zh))
    if turn.instruction_draft is not None:
        facts.append(("draft", turn.instruction_draft))
    if turn.rewriting is not None:
        tries = f"{turn.rewriting.attempts} answer{'s' if turn.rewriting.attempts > 1 else ''}"
        why = f": {'; '.join(turn.rewriting.reasons)}" if turn.rewriting.reasons else ""
        facts.append((f"rewritten by {turn.rewriting.model}", f"{turn.rewriting.outcome} after {tries}{why}"))
        if turn.rewriting.zh_reason is not None:
            facts.append(("Chinese dropped", turn.rewriting.zh_reason))
    return facts


def _describe_cells(op: OpName, cells: EditCells) -> str:
    """What a turn changes in the chain's frame, and whether that can be scored."""
    said = f"{cells.gained} gained, {cells.lost} lost"
    match find_shortage(op, cells):
        case 2:
            return f"{said}: unscorable, fewer than {LEAST_CELLS}"
        case 1:
            return f"{said}: fewer than {ENOUGH_CELLS}"
        case 0:
            return said


def _describe_mode(report: CheckReport, limits: Limits) -> str:
    """How the overlap came to be accepted."""
    match report.mode:
        case "strict":
            return f"strict: overlap below {limits.interpenetration:g} where it was fitted"
        case "pull":
            return f"pull: overlap below {limits.interpenetration:g} after pulling out by {report.pull_rel:.4g} D"
        case "baseline":
            return f"baseline: overlap up to {limits.interpenetration:g} more than the old part's"


def _describe_mate(report: CheckReport) -> list[tuple[str, str]]:
    """The mate that was solved, how it turned the part, and how far from exact it is."""
    if report.mate is None:
        return []
    words = {"rel": "off by {:.3g} D", "deg": "off by {:.3g} deg", "ratio": "at {:.3g} (1 is exact)"}
    turned = [f"turned by {report.yaw_deg} deg"] if report.yaw_deg else []
    tilted = [f"tilted by {report.tilt_deg:.3g} deg"] if report.tilt_deg else []
    residuals = [f"{entry.name} {words[entry.unit].format(entry.value)}" for entry in report.residuals]
    return [("mate", ", ".join([report.mate, *turned, *tilted])), ("residuals", "; ".join(residuals) or "none")]


def _describe_gaps(pieces: int) -> str:
    """What the host's pieces at turn 0 allow later states."""
    if pieces <= 1:
        return "none at turn 0 (1 connected piece), so every state is one piece"
    return f"{pieces} connected pieces at turn 0, so a state may be in pieces, never in more than before the turn"


def _placement_values(report: CheckReport, limits: Limits, host_pieces: int) -> list[CheckedValue]:
    most = 1 if host_pieces <= 1 else report.connected_before
    overlap_limit = limits.interpenetration
    if report.mode == "baseline" and report.baseline is not None:
        overlap_limit = limits.allowed_overlap(report.baseline)
    values = [
        _below("gap / D", report.gap_rel, limits.gap_rel),
        _below("gap to parent / D", report.primary_gap_rel, limits.gap_rel),
        CheckedValue(
            "connected pieces",
            report.connected_after,
            f"<= {most} ({report.connected_before} before, {host_pieces} at turn 0)",
            report.connected_after <= most,
        ),
        _below(f"overlap ({report.measure})", report.interpenetration, overlap_limit),
        _within("own scale", report.own_scale, limits.scale_min, limits.scale_max),
        _at_most("below floor / D", report.floor_rel, limits.floor_rel),
        _at_most("debris / part", report.loose_gap, limits.debris_rel),
        _at_most("sweep / D", report.sweep_rel, limits.sweep_rel),
        _at_most("pull / D", report.pull_rel, limits.pull_rel),
    ]
    if report.baseline is not None:
        values.append(CheckedValue("overlap of old part", report.baseline, "recorded", holds=True))
    if report.slot_scale is not None:
        values.append(_within("slot scale", report.slot_scale, limits.slot_scale_min, limits.slot_scale_max))
    if report.place_iou is not None:
        values.append(_at_least("place (box IoU)", report.place_iou, limits.place_iou))
    if report.axis_ratio is not None:
        values.append(_at_most("axis ratio", report.axis_ratio, limits.axis_ratio))
    if report.support is not None:
        values.append(_at_least("support share", report.support, least_support(report.support_before)))
    if report.clearance_rel is not None:
        values.append(_at_least("clearance / D", report.clearance_rel, limits.clearance_rel))
    return values


def _below(name: str, value: float, limit: float) -> CheckedValue:
    return CheckedValue(name, value, f"< {limit:g}", value < limit)


def _at_most(name: str, value: float, limit: float) -> CheckedValue:
    return CheckedValue(name, value, f"<= {limit:g}", value <= limit)


def _at_least(name: str, value: float, limit: float) -> CheckedValue:
    return CheckedValue(name, value, f">= {limit:g}", value >= limit)


def _within(name: str, value: float, low: float, high: float) -> CheckedValue:
    return CheckedValue(name, value, f"{low:g} .. {high:g}", low <= value <= high)
