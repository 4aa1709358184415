"""Host definitions from manifest rows, also of the real objects."""

from __future__ import annotations

import pytest
from slot_rows import object_rows

from engine.slots.propose import propose_host
from schemas.part import HostDefinition, RejectedHost


def test_a_chair_becomes_a_host_with_named_slots() -> None:
    """Core first, slots hang from it, diagonals at turn 0 are the boxes'."""
    record, parts = object_rows()
    proposed = propose_host(record, parts)
    assert isinstance(proposed, HostDefinition)
    assert proposed.status == "proposed"
    host = proposed.host
    assert [(s.id, s.label, s.core, s.hangs_from) for s in host.slots] == [
        ("seat", "seat", True, None),
        ("left_leg", "left leg", False, "seat"),
        ("right_leg", "right leg", False, "seat"),
        ("lamp", "lamp", False, "seat"),
    ]
    assert [ref.part_id for ref in host.slots[3].parts] == ["3", "4"]
    assert host.slots[1].diagonal == pytest.approx((0.01 + 1.0 + 0.01) ** 0.5)
    assert (host.floor, host.diagonal, host.connected_pieces) == (0.0, record.diagonal, 1)


def test_the_order_of_the_rows_does_not_matter() -> None:
    """The object's own order of parts decides."""
    record, parts = object_rows()
    assert propose_host(record, list(reversed(parts))) == propose_host(record, parts)


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"parts": ("0",), "contacts": ()}, "it has 1 part"),
        ({"connected_pieces": 4}, "not connected: 4 pieces"),
        ({"triangles": 2_000_000}, "2000000 triangles, limit 1000000"),
        ({"parts": ("0", "1", "2", "3", "4", "9")}, "1 of its 6 parts could not be read"),
    ],
)
def test_rejected_hosts_say_why(change: dict[str, object], reason: str) -> None:
    """Measured against the limit."""
    record, parts = object_rows()
    proposed = propose_host(record.model_copy(update=change), parts)
    assert isinstance(proposed, RejectedHost)
    assert reason in proposed.reason


def test_an_object_of_one_visible_part_is_no_host() -> None:
    """Everything else is too small to see."""
    record, parts = object_rows()
    hidden = [part if part.ref.part_id == "0" else part.model_copy(update={"visible": 0.0001}) for part in parts]
    proposed = propose_host(record, hidden)
    assert isinstance(proposed, RejectedHost)
    assert "big enough to be seen" in proposed.reason
