"""What the renderer and its worker say to each other: one JSON record a line, each with the number of its request."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, TypeAdapter

from schemas.base import Finite, Value, Vec3
from schemas.pictures import CyclesSettings


class CameraView(Value):
    """A camera as in `engine.framing.Camera`: world coordinates, glTF axes, unit directions, a square frame."""

    position: Vec3
    right: Vec3
    up: Vec3
    forward: Vec3
    tan_half: Finite = Field(gt=0.0, le=16.0)
    """Tangent of half the field of view."""


class View(Value):
    """One picture that is asked for."""

    path: str
    """PNG file to write."""
    camera: CameraView


class RenderRequest(Value):
    """Draw one state from some cameras."""

    id: int
    state: str
    """GLB file."""
    views: tuple[View, ...] = Field(min_length=1, strict=False)
    size_px: int = Field(ge=4, le=8192)
    """Blender draws no smaller pictures."""
    settings: CyclesSettings
    threads: int = Field(ge=1, le=1024)
    """Changes no pixel."""


class Ready(Value):
    """The worker's first words when it can render."""

    kind: Literal["ready"] = "ready"
    blender: str


class Unavailable(Value):
    """The worker's only words when it cannot."""

    kind: Literal["unavailable"] = "unavailable"
    reason: str


class Rendered(Value):
    """All pictures of a request are written."""

    kind: Literal["rendered"] = "rendered"
    id: int
    import_s: Finite
    """Time to read the state."""
    view_s: tuple[Finite, ...] = Field(strict=False)
    """Time of each view, in the order asked."""
    rss_mib: Finite
    """The most memory the worker has ever held."""
    notes: tuple[str, ...] = Field(default=(), strict=False)
    """What of the state could not be shown as it is."""


class Refused(Value):
    """A request that cannot be met; the worker lives on."""

    kind: Literal["refused"] = "refused"
    id: int
    what: str
    where: str
    """reading, materials, or the path of a view."""


Answer = Annotated[Ready | Unavailable | Rendered | Refused, Field(discriminator="kind")]
_ANSWERS: TypeAdapter[Ready | Unavailable | Rendered | Refused] = TypeAdapter(Answer)


def write_line(record: Value) -> bytes:
    """One line of UTF-8 JSON with its end."""
    return record.model_dump_json().encode() + b"\n"


def read_answer(line: bytes) -> Ready | Unavailable | Rendered | Refused:
    """An answer from its line. Raises pydantic.ValidationError."""
    return _ANSWERS.validate_json(line)


def read_request(line: bytes) -> RenderRequest:
    """A request from its line. Raises pydantic.ValidationError."""
    return RenderRequest.model_validate_json(line)
