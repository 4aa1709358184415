"""What a slot registry must hold before chains are built from it: people edit these files by hand."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from library_index.library import Library
from schemas.errors import InputError
from schemas.operation import GROUND
from schemas.part import Host, Slot, SlotRegistry


def check_registry(registry: SlotRegistry, library: Library) -> None:
    """Refuse a registry that is not of this library or whose slots are no tree over the parts of their hosts.

    Raises InputError naming host and slot, PartNotFoundError for an unknown part, PartHashError for another content.
    """
    twice = _find_twice(entry.host.object_id for entry in registry.hosts)
    if twice:
        raise InputError(f"host {twice} is defined twice")
    for entry in registry.hosts:
        check_host(entry.host)
        for slot in entry.host.slots:
            for ref in slot.parts:
                library.find(ref)


def check_host(host: Host) -> None:
    """Refuse slots that are no tree from one core, or parts that are another object's or in two slots."""
    where = f"host {host.object_id}"
    twice = _find_twice(slot.id for slot in host.slots)
    if twice:
        raise InputError(f"{where}: slot {twice!r} is defined twice")
    cores = [slot.id for slot in host.slots if slot.core]
    if len(cores) != 1:
        raise InputError(f"{where}: {len(cores)} slots are the core ({', '.join(cores) or 'none'}), one must be")
    by_id = {slot.id: slot for slot in host.slots}
    for slot in host.slots:
        _check_slot(where, slot, by_id)
    shared = _find_twice(str(ref) for slot in host.slots for ref in slot.parts)
    if shared:
        raise InputError(f"{where}: part {shared} is in two slots")
    foreign = [ref for slot in host.slots for ref in slot.parts if ref.object_id != host.object_id]
    if foreign:
        raise InputError(f"{where}: part {foreign[0]} belongs to another object")


def _check_slot(where: str, slot: Slot, by_id: dict[str, Slot]) -> None:
    """Refuse a slot that does not lead to the core, or that has no name or size."""
    if slot.id == GROUND:
        raise InputError(f"{where}: {GROUND!r} means the floor and cannot be a slot")
    if not slot.label.strip():
        raise InputError(f"{where}: slot {slot.id!r} has no label")
    if not slot.diagonal > 0:
        raise InputError(f"{where}: slot {slot.id!r} has diagonal {slot.diagonal:g}, it must be positive")
    seen: set[str] = set()
    at = slot
    while not at.core:
        if at.id in seen:
            raise InputError(f"{where}: slot {slot.id!r} hangs in a circle ({', '.join(sorted(seen))})")
        seen.add(at.id)
        if at.hangs_from is None or at.hangs_from not in by_id:
            raise InputError(f"{where}: slot {at.id!r} hangs from {at.hangs_from!r}, which is no slot of the host")
        at = by_id[at.hangs_from]
    if at.hangs_from is not None:
        raise InputError(f"{where}: slot {at.id!r} is the core and cannot hang from {at.hangs_from!r}")


def _find_twice(names: Iterable[str]) -> str | None:
    return next((name for name, count in Counter(names).items() if count > 1), None)
