"""Registries that a person edited wrongly are refused by host and slot."""

from __future__ import annotations

from typing import Any

import pytest

from engine.slots.validity import check_host
from schemas.errors import InputError
from schemas.part import Host, PartRef, Slot


def slot(name: str, hangs_from: str | None, **changes: Any) -> Slot:
    """A slot with one part of its own."""
    ref = PartRef(library="lib", object_id="stool", part_id=name, sha256="0" * 64)
    values = {"id": name, "label": name, "parts": (ref,), "hangs_from": hangs_from, "diagonal": 1.0, **changes}
    return Slot(**values)


def host(*slots: Slot) -> Host:
    """A host of these slots."""
    return Host(
        object_id="stool", dataset="test", name="stool", diagonal=2.0, floor=0.0, connected_pieces=1, slots=slots
    )


SEAT, LEG = slot("seat", None, core=True), slot("leg", "seat")


def test_a_tree_from_one_core_is_taken() -> None:
    """A leg on a seat, a foot on the leg."""
    check_host(host(SEAT, LEG, slot("foot", "leg")))


@pytest.mark.parametrize(
    ("slots", "reason"),
    [
        ((LEG, slot("seat", None)), "0 slots are the core"),
        ((SEAT, slot("leg", None, core=True)), "2 slots are the core"),
        ((SEAT, LEG, LEG), "slot 'leg' is defined twice"),
        ((SEAT, slot("leg", "leg")), "hangs in a circle"),
        ((SEAT, slot("a", "b"), slot("b", "a")), "hangs in a circle"),
        ((SEAT, slot("leg", "nowhere")), "hangs from 'nowhere'"),
        ((SEAT, slot("leg", None)), "hangs from None"),
        ((slot("seat", "leg", core=True), LEG), "is the core and cannot hang"),
        ((SEAT, slot("ground", "seat")), "means the floor"),
        ((SEAT, slot("leg", "seat", label=" ")), "has no label"),
        ((SEAT, slot("leg", "seat", diagonal=0.0)), "must be positive"),
        ((SEAT, slot("leg", "seat", parts=SEAT.parts)), "is in two slots"),
        (
            (SEAT, slot("leg", "seat", parts=(LEG.parts[0].model_copy(update={"object_id": "chair"}),))),
            "belongs to another object",
        ),
    ],
)
def test_what_is_no_tree_is_refused(slots: tuple[Slot, ...], reason: str) -> None:
    """Each fault by its own message."""
    with pytest.raises(InputError, match=reason):
        check_host(host(*slots))
