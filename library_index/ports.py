"""What the library asks of others: embedding captions, and measuring parts and objects."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from schemas.base import Bounds, Value
from schemas.part import Contact, MountRecord, RestingFace, Shape, Symmetry


class ModelChoice(NamedTuple):
    """The model a user asks for; an embedder class with the attribute `takes_model` is made from one."""

    name: str | None = None
    """Name or path."""
    sha256: str | None = None
    """Hash its weights must have; None takes any."""


class Embedder(Protocol):
    """Turns texts into unit vectors, quantised to int8."""

    @property
    def name(self) -> str:
        """Name under which it is installed."""
        ...

    @property
    def model(self) -> str | None:
        """Name of the model; None for an embedder without weights."""
        ...

    @property
    def dimensions(self) -> int:
        """Length of a vector, at most 1040."""
        ...

    @property
    def sha256(self) -> str:
        """Hash of the weights or, without weights, of the definition."""
        ...

    def embed(self, texts: Sequence[str]) -> NDArray[np.int8]:
        """(N, dimensions) int8: rint(127 x) of unit vectors; a row does not depend on the other rows."""
        ...


@dataclass(frozen=True, slots=True)
class PartFile:
    """A part on disk as a layout finds it."""

    part_id: str
    path: Path
    node: str | None
    """Node id inside the file (engine.gltf part id) or None when the whole default scene is the part."""


class PartSurvey(Value):
    """What measuring one part gives; fields as in schemas.part.PartRecord."""

    part_id: str
    sha256: str
    files: tuple[str, ...] = ()
    """Absolute paths of further files the part needs."""
    size_bytes: int
    bounds: Bounds
    triangles: int
    materials: int
    textured: bool
    closed: bool
    area: float
    volume: float
    loose_gap: float
    visible: float
    symmetry: Symmetry | None
    shape: Shape | None = None
    resting: RestingFace | None = None
    mounts: tuple[MountRecord, ...]
    warnings: tuple[str, ...] = ()


class ObjectSurvey(Value):
    """What measuring one object gives: its parts, their contacts, and the parts that were refused with the reason."""

    parts: tuple[PartSurvey, ...]
    refused: tuple[tuple[str, str], ...]
    """(part id, reason)."""
    bounds: Bounds
    diagonal: float
    contacts: tuple[Contact, ...]
    connected_pieces: int


class Surveyor(Protocol):
    """Measures the parts of one object; implemented by engine.placement.survey, injected by the command line."""

    @property
    def version(self) -> str:
        """Changes when any measured value could change: an incremental build re-measures then."""
        ...

    def survey(self, parts: Sequence[PartFile], root: Path) -> ObjectSurvey:
        """Measure one object. Never raises for a bad part file: such a part is listed in `refused`."""
        ...

    def list_nodes(self, path: Path, root: Path) -> Sequence[tuple[str, str]]:
        """(node id, name) of each mesh-bearing node of the default scene. Raises GltfError."""
        ...
