"""Manifest rows of a small chair: seat, two legs, a lamp with an unseen bulb."""

from __future__ import annotations

from schemas.base import Bounds
from schemas.part import Contact, ObjectRecord, PartRecord, PartRef

PARTS: tuple[tuple[str, str, Bounds, float, float], ...] = (
    ("0", "A red seat of the chair.", ((-1.0, 1.0, -1.0), (1.0, 1.2, 1.0)), 9.6, 0.6),
    ("1", "A wooden leg on the left side of the chair.", ((0.8, 0.0, 0.0), (0.9, 1.0, 0.1)), 0.42, 0.1),
    ("2", "A wooden leg on the right side of the chair.", ((-0.9, 0.0, 0.0), (-0.8, 1.0, 0.1)), 0.42, 0.1),
    ("3", "A tall lamp of the chair.", ((0.0, 1.2, 0.0), (0.4, 2.0, 0.4)), 1.6, 0.2),
    ("4", "A glass bulb of the chair.", ((0.1, 1.9, 0.1), (0.2, 2.0, 0.2)), 0.06, 0.001),
)
CONTACTS = (("0", "1", 0.1), ("0", "2", 0.1), ("0", "3", 0.4), ("3", "4", 0.1))


def object_rows() -> tuple[ObjectRecord, list[PartRecord]]:
    """The object's record and its parts' rows."""
    rows = [
        PartRecord(
            ref=PartRef(library="lib", object_id="chair", part_id=name, sha256=name * 64),
            file=f"{name}.glb",
            size_bytes=1,
            bounds=bounds,
            triangles=12,
            materials=1,
            textured=False,
            closed=True,
            area=area,
            volume=0.1,
            visible=visible,
            caption=caption,
            caption_source="dataset",
        )
        for name, caption, bounds, area, visible in PARTS
    ]
    record = ObjectRecord(
        object_id="chair",
        dataset="test",
        name="chair",
        bounds=((-1.0, 0.0, -1.0), (1.0, 2.0, 1.0)),
        diagonal=12.0**0.5,
        parts=tuple(name for name, *_ in PARTS),
        contacts=tuple(Contact(a=a, b=b, gap_rel=0.0, size=size, kind="planar") for a, b, size in CONTACTS),
        connected_pieces=1,
        triangles=60,
    )
    return record, rows
