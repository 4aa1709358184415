"""Edits of proposed slots by people."""

from __future__ import annotations

import pytest
from slot_rows import object_rows

from engine.slots.propose import propose_host
from engine.slots.registry import accept_host, find_host, merge_slots, rename_slot, split_slot
from schemas.errors import InputError
from schemas.part import HostDefinition, PartRecord, RejectedHost, Slot, SlotRegistry


def registry() -> tuple[SlotRegistry, dict[str, PartRecord]]:
    """A registry with the chair and a rejected object."""
    record, parts = object_rows()
    proposed = propose_host(record, parts)
    assert isinstance(proposed, HostDefinition)
    rejected = RejectedHost(object_id="stone", reason="it has 1 part")
    rows = {part.ref.part_id: part for part in parts}
    return SlotRegistry(library="lib", library_sha256="0" * 64, hosts=(proposed,), rejected=(rejected,)), rows


def slots(value: SlotRegistry) -> dict[str, Slot]:
    """Slots of the chair by id."""
    return {slot.id: slot for slot in find_host(value, "chair").host.slots}


def test_merging_joins_parts_box_and_children() -> None:
    """Legs become one slot; what hung from either hangs from it; the core swallows what is merged into it."""
    before, rows = registry()
    after = merge_slots(before, "chair", ["left_leg", "right_leg"], rows)
    assert list(slots(after)) == ["seat", "left_leg", "lamp"]
    assert [ref.part_id for ref in slots(after)["left_leg"].parts] == ["1", "2"]
    assert slots(after)["left_leg"].diagonal == pytest.approx((1.8**2 + 1.0 + 0.01) ** 0.5)
    core = slots(merge_slots(before, "chair", ["lamp", "seat"], rows))
    assert (core["seat"].core, core["seat"].hangs_from) == (True, None)
    assert [ref.part_id for ref in core["seat"].parts] == ["0", "3", "4"]


def test_splitting_gives_a_new_slot_that_hangs_from_the_old_one() -> None:
    """Parts move, nothing is lost; merging them back restores the parts."""
    before, rows = registry()
    after = split_slot(before, "chair", "lamp", ["4"], "glass bulb", rows)
    fresh = slots(after)["glass_bulb"]
    assert (fresh.hangs_from, fresh.label, [ref.part_id for ref in fresh.parts]) == ("lamp", "glass bulb", ["4"])
    again = merge_slots(after, "chair", ["lamp", "glass_bulb"], rows)
    assert slots(again) == slots(before)


def test_renaming_and_accepting_change_nothing_else() -> None:
    """Ids stay; the status is a person's word."""
    before, _ = registry()
    renamed = rename_slot(before, "chair", "lamp", "  reading   lamp ")
    assert slots(renamed)["lamp"].label == "reading lamp"
    assert find_host(accept_host(renamed, "chair"), "chair").status == "accepted"
    assert find_host(renamed, "chair").status == "proposed"


def test_edits_that_make_no_sense_are_refused_by_name() -> None:
    """Unknown hosts and slots, taken labels, empty splits."""
    before, rows = registry()
    with pytest.raises(InputError, match="'stone' is not a host of this registry \\(it has 1 part\\)"):
        accept_host(before, "stone")
    with pytest.raises(InputError, match="has no slot 'roof'"):
        rename_slot(before, "chair", "roof", "roof")
    with pytest.raises(InputError, match="names another slot"):
        rename_slot(before, "chair", "lamp", "seat")
    with pytest.raises(InputError, match="names some of these, not all"):
        split_slot(before, "chair", "lamp", ["3", "4"], "bulb", rows)
    with pytest.raises(InputError, match="at least two"):
        merge_slots(before, "chair", ["lamp", "lamp"], rows)
