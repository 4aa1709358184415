"""Small records that many tests build on."""

from __future__ import annotations

from schemas.base import IDENTITY_POSE
from schemas.chain import Chain, Turn
from schemas.operation import Add, Operation, Remove, Replace, Retexture, TextureRef
from schemas.part import Host, PartRef, Slot
from schemas.placement import CheckReport, Limits, Placement


def part_ref(part_id: str = "0", digit: str = "a", object_id: str = "desk") -> PartRef:
    """A reference whose hash is one repeated digit."""
    return PartRef(library="demo", object_id=object_id, part_id=part_id, sha256=digit * 64)


def placed() -> Placement:
    """A placement at the origin without a report."""
    return Placement(world_from_part=IDENTITY_POSE)


def report(**changes: object) -> CheckReport:
    """A report in which everything holds, with some values changed."""
    values: dict[str, object] = {
        "gap_rel": 0.0,
        "primary_gap_rel": 0.0,
        "interpenetration": 0.01,
        "measure": "volume",
        "baseline": 0.3,
        "mode": "strict",
        "connected_before": 1,
        "connected_after": 1,
        "slot_scale": 1.0,
        "own_scale": 1.0,
        "place_iou": 0.6,
        "floor_rel": 0.0,
        "axis_ratio": 1.2,
        "loose_gap": 0.0,
        "visible": 0.05,
    }
    return CheckReport.model_validate({**values, **changes})


def desk() -> Host:
    """A core with a leg and, on the core, a lamp with a shade hanging from it."""
    rows = (("top", None, True), ("leg", "top", False), ("lamp", "top", False), ("shade", "lamp", False))
    return Host(
        object_id="desk",
        dataset="demo",
        name="desk",
        diagonal=2.0,
        floor=0.0,
        connected_pieces=1,
        slots=tuple(
            Slot(id=name, label=name, parts=(part_ref(name),), core=core, hangs_from=parent, diagonal=1.0)
            for name, parent, core in rows
        ),
    )


def add(slot: str, support: str, digit: str = "b") -> Add:
    """An add of a part onto a slot."""
    return Add(slot=slot, label=slot, attach_to=support, part=part_ref("9", digit, "shop"), placement=placed())


def replace(slot: str, digit: str = "c") -> Replace:
    """A replacement of a slot's piece."""
    return Replace(slot=slot, label=f"new {slot}", part=part_ref("8", digit, "shop"), placement=placed())


def remove(slot: str) -> Remove:
    """A removal of a slot's piece."""
    return Remove(slot=slot)


def retexture(slot: str) -> Retexture:
    """A new look for a slot."""
    return Retexture(slot=slot, material="red brick", texture=TextureRef(image="d" * 64))


def chain_of(*operations: Operation) -> Chain:
    """A chain on the desk with these operations."""
    return Chain(
        id="G/desk_s1",
        family="G",
        seed=1,
        host=desk(),
        limits=Limits(),
        turns=tuple(
            Turn(index=index, operation=operation, instruction="Do it.")
            for index, operation in enumerate(operations, start=1)
        ),
    )
