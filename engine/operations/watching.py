"""Visible change as the fits ask for it: a number, while what was measured is kept for the record."""

from __future__ import annotations

from dataclasses import dataclass, field

from engine.placement.state import StateGeometry
from engine.render.difference import ViewChange
from engine.surfaces import Surface
from engine.workbench import Workbench
from schemas.placement import Limits, Rejection


@dataclass(slots=True)
class ChangeWatch:
    """Measures the change of one slot between two states; remembers the last one."""

    bench: Workbench
    slot: str
    look: tuple[Surface, ...] | None = None
    """How the slot's piece looks afterwards, where it does not wear its parts' own look."""
    last: ViewChange = field(default=ViewChange(0.0, 0.0))

    def __call__(self, before: StateGeometry, after: StateGeometry) -> float:
        """Share of the object's pixels that look different, best of the default views."""
        self.last = self.bench.change(before, after, self.slot, self.look)
        return self.last.drawn


def check_change(change: ViewChange, limits: Limits) -> Rejection | None:
    """An edit must be seen: enough of the object's pixels, and enough of those in which the slot shows."""
    if change.drawn < limits.visible:
        detail = "share of the object's pixels that look different"
        return Rejection(check="visible", measured=change.drawn, limit=limits.visible, detail=detail)
    if change.share < limits.visible_share:
        detail = "share of the pixels it covers that look different"
        return Rejection(check="visible", measured=change.share, limit=limits.visible_share, detail=detail)
    return None
