"""What a replacement must keep of the old piece's hold: its frame, its ends, what it held, how far it stood out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from engine.geometry.distance import closest_points
from engine.geometry.overlap import Placed
from engine.geometry.sampling import sample_surface
from engine.geometry.similarity import transform_points, transform_vectors
from engine.geometry.stability import BASE_SHARE
from engine.placement import checks
from engine.placement.contact import FLOOR_REL, PairContact, build_frame, classify_direction, measure_pair
from engine.placement.contact_memory import known_pair
from engine.placement.evidence import find_ends
from engine.placement.mounts import SlotMount, find_held, is_wheel, measure_round_axis
from engine.placement.state import PartKey, StateGeometry, box_of, find_nearest
from engine.surfaces import FloatArray
from schemas.part import ContactFrame
from schemas.placement import Limits, Rejection, least_support

SLAT_RATIO = 1.1
"""What is held at both ends of its longest side is a bar for those who look, however short."""
STILL_HELD = 0.5
VERTICAL_AXIS = 1
FLAT_HEIGHT = 0.4
"""Things at most this high for their width must have a foot and not a tip."""
LEAST_FOOT = 0.34
TWIN_HEIGHT = 0.7
"""Legs are of one set when the shorter has at least this share of the other's height."""
SUPPORT_REL = 0.01
SUPPORT_SAMPLES, SUPPORT_SEED = 2048, 5_381


def measure_new_frame(placed: Placed, mount: SlotMount, diagonal: float) -> ContactFrame | Rejection:
    """Check 1: the contact frame of the placed part on the slot's parent; a resting part keeps resting."""
    old = mount.frame
    if not mount.parent:
        return old
    contact = measure_pair(placed, mount.parent[0], diagonal)
    if contact is None:
        return Rejection(check="frame", measured=None, limit=None, detail="the part does not meet its parent")
    frame = build_frame(contact, placed, old.parent, carried=old.kind == "rest")
    if frame.direction == old.direction:
        return frame
    # The pose was made along the old normal; a small new contact may look elsewhere.
    return frame.model_copy(update={"normal": old.normal, "direction": classify_direction(np.array(old.normal))})


def check_ends(placed: Placed, mount: SlotMount, diagonal: float, limits: Limits) -> Rejection | None:
    """A bar that was held at both ends must be held at both ends."""
    if mount.ends is None:
        return None
    for holders in (mount.ends.low, mount.ends.high):
        nearest = find_nearest(placed, holders)
        gap = float("inf") if nearest is None else nearest.gap / diagonal
        rejection = checks.check_below("primary", gap, limits.gap_rel, "one end of a bar hangs free")
        if rejection is not None:
            return rejection
    return None


def check_held(before: StateGeometry, after: StateGeometry, slot: str) -> Rejection | None:
    """What the old piece held must still touch the new one, though it may be connected some other way."""
    touching = {edge[1][0] if edge[0][0] == slot else edge[0][0] for edge in after.edges if slot in _slots_of(edge)}
    lost = [name for name in find_held(before, slot) if name not in touching]
    detail = f"{lost[0]} loses its hold" if lost else ""
    return checks.check_at_most("connected", float(len(lost)), 0.0, detail)


def find_loose_bar(state: StateGeometry, slot: str) -> str | None:
    """A bar, rail or slat that would end in the air if `slot` went: what holds one of its two ends is in that slot.

    Another contact at that end holds it too only when it is at least half as large: crossbars that meet in a leg do not
    hold each other. What stands upright is held by gravity, and what the core stands on is judged by its balance: both
    are left out.
    """
    going = state.piece(slot)
    for name in find_touching(state, slot):
        for index, bar in enumerate(state.piece(name)):
            around = _contacts_of(state, name, index)
            ends = find_ends(bar.bounds, around, SLAT_RATIO)
            for end in () if ends is None or ends.axis == VERTICAL_AXIS else (ends.low, ends.high):
                sizes = [(placed in going, contact.size) for placed, contact in around if placed in end]
                lost = max((size for goes, size in sizes if goes), default=0.0)
                kept = max((size for goes, size in sizes if not goes), default=0.0)
                if lost > 0.0 and kept < STILL_HELD * lost:
                    return name
    return None


def find_loose_wheel(state: StateGeometry, slot: str) -> str | None:
    """A wheel that would be left without its axle or mount if `slot` went: half its hold or more is in that slot."""
    going = state.piece(slot)
    for name in find_touching(state, slot):
        for index, wheel in enumerate(state.piece(name)):
            around = _contacts_of(state, name, index)
            lost = max((contact.size for placed, contact in around if placed in going), default=0.0)
            largest = max((contact.size for _, contact in around), default=0.0)
            if lost >= STILL_HELD * largest > 0.0 and is_wheel(measure_round_axis(wheel)):
                return name
    return None


def find_touching(state: StateGeometry, slot: str, *, with_core: bool = False) -> list[str]:
    """Slots that touch `slot`, ascending; the core only if it is asked for."""
    found = {other[0] for edge in state.edges for mine, other in (edge, edge[::-1]) if mine[0] == slot}
    return sorted(found - {slot} - (set() if with_core else {state.core}))


def _contacts_of(state: StateGeometry, name: str, index: int) -> list[tuple[Placed, PairContact]]:
    """Contacts of one part of a piece with parts of other slots."""
    part = state.piece(name)[index]
    others = [state.piece(key[0])[key[1]] for key in _neighbours(state, (name, index)) if key[0] != name]
    measured = [(placed, known_pair(part, placed, state.diagonal)) for placed in others]
    return [(placed, contact) for placed, contact in measured if contact is not None]


def _neighbours(state: StateGeometry, key: PartKey) -> list[PartKey]:
    return [b if a == key else a for a, b in state.edges if key in {a, b}]


def _slots_of(edge: tuple[PartKey, PartKey]) -> tuple[str, str]:
    return edge[0][0], edge[1][0]


def measure_protrusion_ratio(new: FloatArray, mount: SlotMount, diagonal: float) -> float:
    """Factor between how far the new and the old part stand out from the contact, along the mount's main axis.

    A part that was sunk into its parent on purpose (a label, an eye) and is now pulled out to its full depth touches
    and fits its box, and still looks wrong. Lengths below 0.01 D count as 0.01 D.
    """
    normal = np.array(mount.frame.normal)
    axis = int(np.argmax(np.abs(normal)))
    sign = 1.0 if normal[axis] > 0.0 else -1.0
    outer = 1 if sign > 0.0 else 0
    thin = checks.PLACE_PAD_REL * diagonal
    reach = [max(sign * (float(box[outer, axis]) - mount.frame.origin[axis]), thin) for box in (new, mount.anchor)]
    return max(reach[0] / reach[1], reach[1] / reach[0])


def measure_overhang(part: FloatArray, below: FloatArray) -> float:
    """How far a (2, 3) box reaches sideways beyond the one below it, at its worst side; 0 when it does not."""
    beyond = [max(float(below[0, k] - part[0, k]), float(part[1, k] - below[1, k])) for k in (0, 2)]
    return max(*beyond, 0.0)


def measure_thickness_ratio(new: FloatArray, old: FloatArray, diagonal: float) -> float:
    """Factor between the thicknesses of two legs: root of the area of their (2, 3) boxes seen from above.

    Sides below 0.01 D count as 0.01 D.
    """
    thin = checks.PLACE_PAD_REL * diagonal
    areas = [float(max(box[1, 0] - box[0, 0], thin) * max(box[1, 2] - box[0, 2], thin)) for box in (new, old)]
    return float(np.sqrt(max(areas[0] / areas[1], areas[1] / areas[0])))


def find_twin_legs(state: StateGeometry, slot: str, leg: FloatArray) -> list[FloatArray]:
    """(2, 3) boxes of the other pieces that stand on the floor, higher than wide, about as high as the leg's box."""
    height = float(leg[1, VERTICAL_AXIS] - leg[0, VERTICAL_AXIS])
    twins = []
    for name, piece in state.pieces.items():
        box = box_of(piece)
        wide, high, deep = box[1] - box[0]
        stands = box[0, VERTICAL_AXIS] <= state.floor + FLOOR_REL * state.diagonal
        alike = TWIN_HEIGHT * height <= high <= height / TWIN_HEIGHT and high > max(wide, deep)
        if name not in {slot, state.core, *state.grounded} and stands and alike:
            twins.append(box)
    return twins


def measure_support(placed: Placed, below: Placed, host_diagonal: float) -> float:
    """Share of the samples on the part's base (lowest 3 % of its height) that lie within 0.01 D above `below`."""
    low, high = placed.bounds
    mesh = placed.solid.mesh
    samples = sample_surface(mesh.vertices, mesh.faces, SUPPORT_SAMPLES, SUPPORT_SEED)
    points = transform_points(placed.matrix, samples.points)
    down = transform_vectors(placed.matrix, samples.normals)[:, 1] < 0.0
    base = points[(points[:, 1] <= low[1] + BASE_SHARE * (high[1] - low[1])) & down]
    if not len(base):
        corners = placed.bvh.corners.reshape(-1, 3)
        base = corners[corners[:, 1] <= low[1] + BASE_SHARE * (high[1] - low[1])]
    reach = SUPPORT_REL * host_diagonal
    return float((closest_points(below.bvh, base, reach).distance <= reach).sum()) / len(base)


def check_foot(placed: Placed) -> Rejection | None:
    """A flat thing must not balance on a tip: its foot reaches at least a third as far out as it does itself.

    Plates from the middle of a stack are often modelled as cones, since nobody sees their underside there.
    """
    low, high = placed.bounds
    width, height = max(float(high[0] - low[0]), float(high[2] - low[2])), float(high[1] - low[1])
    if height > FLAT_HEIGHT * width:
        return None
    corners = placed.bvh.corners.reshape(-1, 3)
    away = corners[:, [0, 2]] - 0.5 * (low + high)[[0, 2]]
    reach = np.sqrt((away * away).sum(axis=1))
    foot = reach[corners[:, 1] <= low[1] + BASE_SHARE * height]
    share = float(foot.max()) / float(reach.max())
    return checks.check_at_least("support", share, LEAST_FOOT, "reach of the foot over that of the whole")


@dataclass(frozen=True, slots=True)
class Supports:
    """Share of the base that rests on the parent: of the new part, and of the old."""

    new: float
    old: float

    def check(self) -> Rejection | None:
        """A part rests on at least half its base, or on nearly as much of it as the old one did."""
        return checks.check_at_least(
            "support", self.new, least_support(self.old), "share of the base that rests on the parent"
        )


def measure_supports(placed: Placed, old: Sequence[Placed], parent: Placed, diagonal: float) -> Supports:
    """Supports of a replacement and of the piece it replaces on one parent part."""
    before = max(measure_support(part, parent, diagonal) for part in old)
    return Supports(measure_support(placed, parent, diagonal), before)
