"""Propose the slots of an object from its manifest rows (PLACEMENT 6). No mesh is loaded."""

from __future__ import annotations

from collections.abc import Sequence

from engine.placement.graph import LEAST_VISIBLE, Edge, Node
from engine.slots.boxes import centre_of, diagonal_of, merge_boxes
from engine.slots.group_names import GroupName, name_groups
from engine.slots.grouping import GroupingPart, PartGroup, find_groups
from engine.slots.naming import Named, make_ids, make_labels
from engine.slots.phrasing import Saying, say_phrase
from library_index.captions import PartPhrase, clean_caption
from library_index.library import Library
from schemas.part import Host, HostDefinition, ObjectRecord, PartRecord, RejectedHost, Slot, SlotRegistry

MAX_PIECES = 3
TRUNK_NOUNS = frozenset({"body", "chassis", "frame", "hull", "torso", "trunk"})
"""Head nouns of parts that others hang from; a mild preference among near equals."""
MAX_TRIANGLES = 1_000_000


def propose_host(
    record: ObjectRecord,
    parts: Sequence[PartRecord],
    *,
    max_triangles: int = MAX_TRIANGLES,
    max_pieces: int = MAX_PIECES,
) -> HostDefinition | RejectedHost:
    """Group the parts of one object into slots, or say why it cannot carry chains.

    Args:
        record: the object with its contact graph.
        parts: the rows of all its imported parts, in any order.
        max_triangles: most triangles of the whole object.
        max_pieces: most connected pieces under a gap of 0.01 D.

    """
    by_id = {part.ref.part_id: part for part in parts}
    ordered = [by_id[name] for name in record.parts if name in by_id]
    reason = _why_rejected(record, ordered, max_triangles, max_pieces)
    if reason is not None:
        return RejectedHost(object_id=record.object_id, reason=reason)
    phrases = [clean_caption(part.caption, record.name) for part in ordered]
    grouping = [
        GroupingPart(
            Node(part.area, part.bounds, part.visible >= LEAST_VISIBLE, phrase.head in TRUNK_NOUNS),
            part.visible,
            phrase.noun,
            phrase.head,
        )
        for part, phrase in zip(ordered, phrases, strict=True)
    ]
    position = {part.ref.part_id: i for i, part in enumerate(ordered)}
    edges = [
        Edge(min(position[c.a], position[c.b]), max(position[c.a], position[c.b]), c.size)
        for c in record.contacts
        if c.a in position and c.b in position
    ]
    groups = find_groups(grouping, edges)
    if len(groups) < 2:
        reason = "no part but the core is big enough to be seen (0.5 % of the pixels)"
        return RejectedHost(object_id=record.object_id, reason=reason)
    slots = _name_slots(ordered, phrases, grouping, groups, record.name)
    host = Host(
        object_id=record.object_id,
        dataset=record.dataset,
        name=record.name,
        category=record.category,
        category_source=record.category_source,
        diagonal=record.diagonal,
        floor=record.bounds[0][1],
        connected_pieces=record.connected_pieces,
        slots=slots,
    )
    return HostDefinition(host=host)


def propose_registry(library: Library, *, only: str | None = None) -> SlotRegistry:
    """Propose slots for every object of an opened library, in the order of ids; or for the object `only`.

    Objects of one part are no hosts and are left out; the others that cannot carry chains are listed with the reason.
    Raises PartNotFoundError when `only` is not in the library.
    """
    hosts: list[HostDefinition] = []
    rejected: list[RejectedHost] = []
    for object_id in sorted(library.objects) if only is None else [only]:
        parts = library.records_of(object_id)
        if len(parts) < 2 and only is None:
            continue
        proposed = propose_host(library.objects[object_id], parts)
        if isinstance(proposed, HostDefinition):
            hosts.append(proposed)
        else:
            rejected.append(proposed)
    return SlotRegistry(
        library=library.manifest.library,
        library_sha256=library.manifest.library_sha256,
        hosts=tuple(hosts),
        rejected=tuple(rejected),
    )


def _why_rejected(record: ObjectRecord, parts: Sequence[PartRecord], max_triangles: int, max_pieces: int) -> str | None:
    """Why an object is no host, or None."""
    missing = len(record.parts) - len(parts)
    if missing > 0:
        return f"{missing} of its {len(record.parts)} parts could not be read"
    if len(parts) < 2:
        return f"it has {len(parts)} part, a host needs at least 2"
    if record.triangles > max_triangles:
        return f"{record.triangles} triangles, limit {max_triangles}"
    if record.connected_pieces > max_pieces:
        return f"not connected: {record.connected_pieces} pieces at a gap of 0.01 D, limit {max_pieces}"
    return None


def _name_slots(
    parts: Sequence[PartRecord],
    phrases: Sequence[PartPhrase],
    grouping: Sequence[GroupingPart],
    groups: Sequence[PartGroup],
    object_name: str,
) -> tuple[Slot, ...]:
    """Slots with unique ids and labels; members of a slot in the object's order."""
    boxes = [merge_boxes([parts[i].bounds for i in group.members]) for group in groups]
    sayings = [say_phrase(phrase) for phrase in phrases]
    names = name_groups(grouping, sayings, groups, clean_caption(object_name).head)
    labels = make_labels(
        [
            Named(phrases[name.face], centre_of(box), name.noun, _find_twins(sayings, group, name))
            for group, name, box in zip(groups, names, boxes, strict=True)
        ]
    )
    ids = make_ids(labels)
    return tuple(
        Slot(
            id=ids[k],
            label=labels[k],
            parts=tuple(parts[i].ref for i in group.members),
            core=group.hangs_from is None,
            hangs_from=None if group.hangs_from is None else ids[group.hangs_from],
            diagonal=diagonal_of(boxes[k]),
        )
        for k, group in enumerate(groups)
    )


def _find_twins(sayings: Sequence[Saying], group: PartGroup, name: GroupName) -> tuple[Saying, ...]:
    """Parts outside a group that are called what the group is called."""
    noun = name.noun or sayings[name.face].noun
    return tuple(saying for i, saying in enumerate(sayings) if i not in group.members and saying.noun == noun)
