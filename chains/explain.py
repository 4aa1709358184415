"""Why a turn stands: each measured value beside the limit it was held to."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from schemas.chain import Chain, Turn
from schemas.operation import Add, Replace, Retexture
from schemas.placement import LEAST_SUPPORT, CheckReport, Limits


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
        rows.extend(f"  {name:<18} {text}" for name, text in self.facts)
        for value in self.values:
            shown = f"{value.value:.6g}" if isinstance(value.value, float) else str(value.value)
            rows.append(f"  {value.name:<18} {shown:>12}   {value.limit:<28} {'ok' if value.holds else 'BROKEN'}")
        if self.rejected:
            rows.append("  rejected before   " + ", ".join(f"{check} {count}" for check, count in self.rejected))
        return rows


def explain_turn(chain: Chain, turn: Turn) -> Explanation:
    """Every value of one turn against the chain's limits."""
    operation = turn.operation
    facts: list[tuple[str, str]] = []
    values: list[CheckedValue] = []
    if isinstance(operation, Add | Replace):
        facts.append(("part", str(operation.part)))
        if isinstance(operation, Add):
            facts.append(("attach to", operation.attach_to))
        contact = operation.placement.contact
        if contact is not None:
            facts.append(("contact", f"{contact.kind} on {contact.parent}, {contact.direction}"))
        if operation.placement.report is not None:
            facts.append(("mode", operation.placement.report.mode))
            values.extend(_placement_values(operation.placement.report, chain.limits))
    if isinstance(operation, Retexture):
        facts.append(("material", operation.material))
    if turn.screening is not None:
        facts.append((f"screened by {turn.screening.model}", f"{turn.screening.verdict}: {turn.screening.reason}"))
    if turn.visible is not None:
        values.append(_at_least("visible change", turn.visible, chain.limits.visible))
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


def _placement_values(report: CheckReport, limits: Limits) -> list[CheckedValue]:
    overlap_limit = limits.interpenetration
    if report.mode == "baseline" and report.baseline is not None:
        overlap_limit = limits.allowed_overlap(report.baseline)
    values = [
        _below("gap / D", report.gap_rel, limits.gap_rel),
        _below("gap to parent / D", report.primary_gap_rel, limits.gap_rel),
        CheckedValue(
            "connected pieces",
            report.connected_after,
            f"<= {report.connected_before} (before)",
            report.connected_after <= report.connected_before,
        ),
        _below(f"overlap ({report.measure})", report.interpenetration, overlap_limit),
        _within("own scale", report.own_scale, limits.scale_min, limits.scale_max),
        _at_most("below floor / D", report.floor_rel, limits.floor_rel),
        _at_most("loose pieces", report.loose_gap, limits.debris_rel),
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
        values.append(_at_least("support share", report.support, LEAST_SUPPORT))
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
