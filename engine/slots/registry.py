"""Changes people make to proposed slots: accept, rename, merge, split. Each gives a new registry."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from engine.slots.boxes import diagonal_of, merge_boxes
from engine.slots.naming import make_ids
from schemas.errors import InputError
from schemas.part import Host, HostDefinition, PartRecord, Slot, SlotRegistry

PartRows = Mapping[str, PartRecord]
"""Manifest rows of one object by part id."""


def find_host(registry: SlotRegistry, object_id: str) -> HostDefinition:
    """The definition of one host. Raises InputError with the reason when the object was rejected."""
    for entry in registry.hosts:
        if entry.host.object_id == object_id:
            return entry
    reasons = {entry.object_id: entry.reason for entry in registry.rejected}
    raise InputError(f"{object_id!r} is not a host of this registry ({reasons.get(object_id, 'not in it')})")


def accept_host(registry: SlotRegistry, object_id: str) -> SlotRegistry:
    """Mark the slots of one host as accepted by a person."""
    return _change(registry, object_id, lambda host: host, accepted=True)


def rename_slot(registry: SlotRegistry, object_id: str, slot: str, label: str) -> SlotRegistry:
    """Give a slot another label; its id stays. Raises InputError when the label is empty or another slot's."""
    text = " ".join(label.split())

    def rename(host: Host) -> Host:
        _find_slot(host, slot)
        if not text or any(other.label == text for other in host.slots if other.id != slot):
            raise InputError(f"{object_id}: label {text!r} is empty or names another slot")
        return _with_slots(host, [s.model_copy(update={"label": text}) if s.id == slot else s for s in host.slots])

    return _change(registry, object_id, rename)


def merge_slots(registry: SlotRegistry, object_id: str, slots: Sequence[str], rows: PartRows) -> SlotRegistry:
    """Make one slot of several; it keeps id and label of the first, or of the core when that is among them."""

    def merge(host: Host) -> Host:
        chosen = [_find_slot(host, name) for name in dict.fromkeys(slots)]
        if len(chosen) < 2:
            raise InputError(f"{object_id}: merging needs at least two slots")
        kept = next((slot for slot in chosen if slot.core), chosen[0])
        names = {slot.id for slot in chosen}
        refs = tuple(ref for slot in host.slots if slot.id in names for ref in slot.parts)
        outside = [slot.hangs_from for slot in chosen if slot.hangs_from not in names]
        merged = kept.model_copy(
            update={
                "parts": refs,
                "hangs_from": None if kept.core else outside[0],
                "diagonal": _diagonal([rows[ref.part_id] for ref in refs]),
            }
        )
        kept_slots = [merged if s.id == kept.id else s for s in host.slots if s.id == kept.id or s.id not in names]
        return _with_slots(
            host, [s.model_copy(update={"hangs_from": kept.id}) if s.hangs_from in names else s for s in kept_slots]
        )

    return _change(registry, object_id, merge)


def split_slot(
    registry: SlotRegistry, object_id: str, slot: str, parts: Sequence[str], label: str, rows: PartRows
) -> SlotRegistry:
    """Take parts out of a slot into a new one that hangs from it. Raises InputError when nothing would be left."""
    text = " ".join(label.split())

    def split(host: Host) -> Host:
        old = _find_slot(host, slot)
        moved = [ref for ref in old.parts if ref.part_id in set(parts)]
        left = [ref for ref in old.parts if ref.part_id not in set(parts)]
        if len(moved) != len(set(parts)) or not moved or not left:
            known = ", ".join(ref.part_id for ref in old.parts)
            raise InputError(f"{object_id}: {slot!r} holds {known}; a split names some of these, not all")
        if not text or any(other.label == text for other in host.slots):
            raise InputError(f"{object_id}: label {text!r} is empty or names another slot")
        taken = [entry.id for entry in host.slots]
        name = make_ids([*taken, text])[-1]
        rest = old.model_copy(update={"parts": tuple(left), "diagonal": _diagonal([rows[ref.part_id] for ref in left])})
        fresh = Slot(
            id=name,
            label=text,
            parts=tuple(moved),
            hangs_from=slot,
            diagonal=_diagonal([rows[ref.part_id] for ref in moved]),
        )
        return _with_slots(host, [*(rest if entry.id == slot else entry for entry in host.slots), fresh])

    return _change(registry, object_id, split)


def _change(
    registry: SlotRegistry, object_id: str, edit: Callable[[Host], Host], *, accepted: bool = False
) -> SlotRegistry:
    """The registry with one host edited; a changed host is a person's and therefore accepted only when they say so."""
    target = find_host(registry, object_id)
    status = "accepted" if accepted else target.status
    changed = HostDefinition(host=edit(target.host), status=status)
    hosts = tuple(changed if entry is target else entry for entry in registry.hosts)
    return registry.model_copy(update={"hosts": hosts})


def _find_slot(host: Host, slot: str) -> Slot:
    for entry in host.slots:
        if entry.id == slot:
            return entry
    raise InputError(f"{host.object_id}: has no slot {slot!r}; it has {', '.join(entry.id for entry in host.slots)}")


def _with_slots(host: Host, slots: Sequence[Slot]) -> Host:
    return host.model_copy(update={"slots": tuple(slots)})


def _diagonal(parts: Sequence[PartRecord]) -> float:
    """Diagonal of the box around several parts."""
    return diagonal_of(merge_boxes([part.bounds for part in parts]))
