"""What a Python method is: one class, made once a chain, that turns a request into an edited state.

```python
class Recolor:
    access = ("operation",)

    def __init__(self, options: Mapping[str, str]) -> None: ...

    def edit(self, given: TurnInput) -> TurnOutput:
        return TurnOutput(glb=repaint(given.glb, given.request.instruction))
```

It is registered as an entry point of the group `evaluator.methods` and runs in a child process that never sees the
ground truth.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, ClassVar, Protocol

from pydantic import Field

from schemas.base import Value
from schemas.method import Access, EditRequest, MethodUsage

GROUP = "evaluator.methods"
DESCRIBE = "--describe"
"""Asks the host of a plugin for its traits."""
TRY = "--try"
"""Asks it to make the method with the options on stdin, and no more."""


class PluginTraits(Value):
    """What a Python method says of itself by attributes of its class, as a manifest says it of a program."""

    access: Annotated[tuple[Access, ...], Field(strict=False)] = ()
    non_metallic: bool = False
    aligns: bool = False
    remembers: bool = False


@dataclass(frozen=True, slots=True)
class TurnInput:
    """One request and the folder its files lie in. There is no field for the ground truth."""

    folder: Path
    request: EditRequest

    @property
    def glb(self) -> bytes:
        """The state to edit."""
        return (self.folder / self.request.input).read_bytes()


@dataclass(frozen=True, slots=True)
class TurnOutput:
    """What a method makes of it."""

    glb: bytes
    """The whole state after the edit, in the coordinates of the input."""
    usage: MethodUsage | None = None


class Method(Protocol):
    """A method in Python. Whatever `edit` raises is a failed turn."""

    access: ClassVar[tuple[Access, ...]]
    """What it needs besides the state and the instruction."""

    def __init__(self, options: Mapping[str, str]) -> None:
        """Make a method for one chain. Raises InputError for an option it does not know or cannot use."""
        ...

    def edit(self, given: TurnInput) -> TurnOutput:
        """Edit one state."""
        ...
