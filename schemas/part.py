"""Parts, slots and hosts."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from schemas.base import SCHEMA_VERSION, Bounds, Finite, Identifier, Sha256, SlotId, Value, Vec3

Kind = Literal["rest", "planar", "socket", "axial", "through", "point", "near"]
"""How two parts meet: the published three mates, and what real assets add."""

DirectionClass = Literal["up", "down", "side"]
"""Where a part sits on its parent: on top (normal.y > 0.7), hanging below (< -0.7), or at a side."""


class PartRef(Value):
    """One part of a library, by identity and content."""

    library: Identifier
    object_id: Identifier
    part_id: Identifier
    sha256: Sha256
    """SHA-256 of the part file's bytes; with external buffers, of the canonical list of all its files' hashes."""

    @property
    def key(self) -> tuple[str, str, str]:
        """The order in which ties between parts are broken."""
        return (self.library, self.object_id, self.part_id)

    def __str__(self) -> str:
        return f"{self.object_id}/{self.part_id}"


class ContactFrame(Value):
    """Where and how a part meets its one parent part."""

    kind: Kind
    parent: str
    """Slot (in a chain) or part id (in a library) of the parent; `ground` for the floor."""
    direction: DirectionClass
    origin: Vec3
    """Centre of the contact, in the coordinates of the object the frame was measured in."""
    normal: Vec3
    """Unit vector from the parent to the part."""
    radius: Finite
    """95 % quantile of the contact's distance from the axis through `origin` along `normal`."""
    embed: Finite
    """How deep the part reaches behind the contact against the normal; never negative."""
    residual: Finite = 0.0
    """Kind-specific confidence: |v|/A of the ejection vector, or the smallest eigenvalue ratio; 0 is exact."""


class Symmetry(Value):
    """What turns and mirrorings leave a part as it is."""

    axis: Vec3
    """Axis of the highest rotational order, one of the box's, through the surface's centroid."""
    order: int = Field(ge=1)
    """1: none; k: equal after a turn by 360/k degrees; 0 is never used. Continuous symmetry is written as 360."""
    mirror: Vec3 = (1.0, 1.0, 1.0)
    """How far the part differs from its mirror image along X, Y and Z through its box centre: the 90 % quantile of the
    distance between the surfaces over the diagonal. 0: mirror symmetric; 1: not measured."""


class Shape(Value):
    """The principal axes of a part's surface and its extents along them, whatever way its box is turned."""

    axis: Vec3
    """Unit vector of the largest spread; its largest component is positive."""
    thin: Vec3
    """Unit vector of the smallest spread, across `axis`; its largest component is positive."""
    extents: Vec3
    """Extents along the principal axes, largest spread first, in the part's units."""


class RestingFace(Value):
    """The face on which a part lies most firmly, wherever it sat in its own object."""

    down: Vec3
    """Unit vector out of that face, in part coordinates: it points down when the part lies on it."""
    extents: Vec3
    """Box of the part after the shortest turn that brings `down` to -Y."""
    stability: Finite
    """As in MountRecord, on this face."""


class Opening(Value):
    """The ring on which a hat, a hoop or a shade surrounds its parent."""

    origin: Vec3
    """Centre of the ring, in the coordinates of the object; of a cap, where its parent ends inside it."""
    radius: Finite
    """Mean distance of the ring from its axis."""


class MountRecord(Value):
    """How a part sits in the object it came from: one record for each neighbour worth it, the parent's first."""

    frame: ContactFrame
    extents: Vec3
    """Box of the part, in the coordinates of its object."""
    support: Bounds | None = None
    """Box of the contact's surface or curve, in the coordinates of the object: the support rectangle of a part that
    rests, the outline of a socket. Null on the ground."""
    opening: Opening | None = None
    """Only where the part surrounds its parent."""
    ends: Annotated[tuple[Vec3, Vec3], Field(strict=False)] | None = None
    """For a bar held at both ends: the middles of the contacts at its low and its high end."""
    reaches_floor: bool
    """The part's lowest point is within 0.01 D of its object's floor."""
    stability: Finite
    """Margin of the centroid inside the hull of the resting face, divided by the height; negative: it tips over."""
    object_share: Finite
    """Diagonal of the part divided by the diagonal of its object."""


class Slot(Value):
    """A named sub-assembly of a host, big enough to be seen."""

    id: SlotId
    label: str
    """For people: `front left leg`."""
    parts: tuple[PartRef, ...] = Field(strict=False, min_length=1)
    core: bool = False
    """The core is never removed or replaced by the builder; it may be retextured."""
    hangs_from: SlotId | None = None
    """The slot this one hangs from (immediate dominator at turn 0); null for the core."""
    diagonal: Finite
    """Diagonal of the slot's box at turn 0: the anchor of every later size decision."""


class Host(Value):
    """An object whose parts are grouped into slots."""

    object_id: Identifier
    dataset: str
    name: str
    category: str | None = None
    category_source: str | None = None
    diagonal: Finite = Field(gt=0)
    """Diagonal of the host's box at turn 0, `D`: all relative lengths of a chain refer to it."""
    floor: Finite
    """Lowest Y of the host at turn 0."""
    connected_pieces: int = Field(ge=0)
    """Connected pieces under the gap limit at turn 0."""
    slots: tuple[Slot, ...] = Field(strict=False, min_length=1)


class HostDefinition(Value):
    """One host of a slot registry."""

    host: Host
    status: Literal["proposed", "accepted"] = "proposed"


class RejectedHost(Value):
    """A host that cannot carry chains, and why."""

    object_id: Identifier
    reason: str


class SlotRegistry(Value):
    """The slots of the hosts of one library."""

    schema_version: str = SCHEMA_VERSION
    library: Identifier
    library_sha256: Sha256
    hosts: tuple[HostDefinition, ...] = Field(strict=False)
    rejected: tuple[RejectedHost, ...] = Field(strict=False, default=())


class PartRecord(Value):
    """One row of a library manifest."""

    ref: PartRef
    file: str
    """Path of the part file, relative to the library's source folder, with `/`."""
    node: str | None = None
    """The node that is the part; null when the whole default scene of the file is the part."""
    files: tuple[str, ...] = Field(strict=False, default=())
    """Other files the part needs (buffers, images), relative to the source folder."""
    size_bytes: int
    bounds: Bounds
    """World space of the object, only vertices that faces use."""
    triangles: int
    materials: int
    textured: bool
    closed: bool
    """Every shell is closed after merging by position."""
    area: Finite
    volume: Finite
    """|signed volume| of the cleaned part when closed, else the winding-number volume."""
    loose_gap: Finite = 0.0
    """Largest gap between loose pieces of the part, divided by its diagonal (debris)."""
    visible: Finite = 1.0
    """Share of the object's pixels that show this part, best of the default views."""
    caption: str
    caption_detail: str = ""
    caption_source: Literal["dataset", "names", "captioner", "generated"]
    licence: str | None = None
    author: str | None = None
    source: str | None = None
    symmetry: Annotated[Symmetry | None, Field()] = None
    shape: Shape | None = None
    resting: RestingFace | None = None
    """Null where the part stands nowhere by itself."""
    mounts: tuple[MountRecord, ...] = Field(strict=False, default=())
    """Best first: the mount on the part's parent, then others. Empty: could not be measured."""
    warnings: tuple[str, ...] = Field(strict=False, default=())


class Contact(Value):
    """Two parts of one object that meet (gap at most 0.01 D)."""

    a: Identifier
    b: Identifier
    gap_rel: Finite
    size: Finite
    """Square root of the mating area, or a quarter of the intersection curve's length; at least 0.01 D."""
    kind: Kind


class ObjectRecord(Value):
    """One object of a library: its parts' common frame and contact graph."""

    object_id: Identifier
    dataset: str
    name: str
    category: str | None = None
    category_source: str | None = None
    bounds: Bounds
    diagonal: Finite
    parts: tuple[Identifier, ...] = Field(strict=False)
    contacts: tuple[Contact, ...] = Field(strict=False, default=())
    connected_pieces: int = 1
    triangles: int = 0


class SkippedFile(Value):
    """A file that was not imported, and why."""

    file: str
    reason: str


class LibraryManifest(Value):
    """Head of a library index; the rows lie beside it in `parts.jsonl` and `objects.jsonl`."""

    schema_version: str = SCHEMA_VERSION
    library: Identifier
    layout: str
    hosts: int
    """Objects with at least two parts."""
    objects: int
    parts: int
    parts_sha256: Sha256
    objects_sha256: Sha256
    vectors_sha256: Sha256
    embedder: str
    embedder_sha256: Sha256
    """Hash of the embedder's definition or weights."""
    model: str | None = None
    """Name of the model that made the vectors; null for an embedder without weights."""
    queries_sha256: Sha256 | None = None
    """Hash of `queries.jsonl`: what belongs in the place of each part, on it, and beside each object."""
    query_vectors_sha256: Sha256 | None = None
    """Hash of `queries.i8`, the vectors of these texts; null in an index of an earlier release."""
    dimensions: int
    library_sha256: Sha256
    """Hash over all parts' identities and hashes: what a chain records."""
    skipped: tuple[SkippedFile, ...] = Field(strict=False, default=())
