"""Methods: what an editing program declares, is asked for, and answers.

A program is run in a folder of its own that holds nothing but what it declared access to:

```
request.json    EditRequest: the instruction, and the names of the files beside it
input.glb       the state to edit, in the host's coordinates
picture.png     how the conditioning view sees it (access: picture)
mask.glb ...    where the edit may change something (access: edit_mask)
output.glb      what the program writes: the whole edited state, in the same coordinates
usage.json      what it may write: MethodUsage
```
"""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, model_validator

from schemas.base import SCHEMA_VERSION, Finite, Matrix4, Value, Vec3
from schemas.operation import OpName
from schemas.rollout import MethodName

Access = Literal["picture", "operation", "camera", "edit_mask"]
"""What a method is given besides the state and the instruction.

Picture: an image of the state it is to edit. Operation: add, remove, replace or retexture. Camera: where the
conditioning view stands. Edit mask: the region that the target may change, the only file that follows from the target.
"""
Mode = Literal["once", "served"]
"""Once: the program is started for every turn, with the path of the request as its last argument. Served: it is started
for every chain, reads one path a line and answers each with one line."""
REQUEST_FILE, INPUT_FILE, OUTPUT_FILE, USAGE_FILE = "request.json", "input.glb", "output.glb", "usage.json"
PICTURE_FILE, MASK_MESH_FILE, MASK_GRID_FILE, MASK_PICTURE_FILE = "picture.png", "mask.glb", "mask.npy", "mask.png"

Option = Annotated[tuple[str, str], Field(strict=False)]
"""Name and value."""
Options = Annotated[tuple[Option, ...], Field(strict=False)]


class CameraView(Value):
    """The conditioning view: a pinhole camera with a square picture. World coordinates, glTF axes."""

    position: Vec3
    right: Vec3
    up: Vec3
    forward: Vec3
    tan_half: Finite
    """Tangent of half the field of view."""
    resolution_px: int
    """Side of `picture.png` and `mask.png`."""


class EditMask(Value):
    """Where the target may differ from the state before: the edited parts before and after, grown by a cell."""

    mesh: str = MASK_MESH_FILE
    """Boundary of the region as closed triangles, world coordinates."""
    grid: str = MASK_GRID_FILE
    """The same cells: (64, 64, 64) bool in x, y, z, an array of NumPy's format 1.0."""
    picture: str = MASK_PICTURE_FILE
    """The region as the conditioning view sees it: 255 inside, 0 outside, 8 bits."""
    cells_from_world: Matrix4
    """From world coordinates to cells of the grid: cell (i, j, k) spans i to i + 1 and so on."""


class EditRequest(Value):
    """One edit, as a program reads it from `request.json`; files are named relative to the folder it lies in."""

    schema_version: str = SCHEMA_VERSION
    instruction: str
    input: str = INPUT_FILE
    output: str = OUTPUT_FILE
    """Where the edited state is to be written."""
    usage: str = USAGE_FILE
    """Where the program may write what the edit cost."""
    picture: str | None = None
    operation: OpName | None = None
    camera: CameraView | None = None
    edit_mask: EditMask | None = None
    options: Options = ()
    """The method's own options, as its manifest and the command line gave them."""


MOST = 2**53 - 1
"""The largest whole number that JSON carries everywhere."""
MOST_MIB = 2**40
"""More bytes than this many MiB no system counts."""


class MethodUsage(Value):
    """What an edit cost besides time; null or left out where a program does not know."""

    calls: int | None = Field(default=None, ge=0, le=MOST)
    input_tokens: int | None = Field(default=None, ge=0, le=MOST)
    cached_input_tokens: int | None = Field(default=None, ge=0, le=MOST)
    cache_write_tokens: int | None = Field(default=None, ge=0, le=MOST)
    output_tokens: int | None = Field(default=None, ge=0, le=MOST)
    reasoning_tokens: int | None = Field(default=None, ge=0, le=MOST)
    image_tokens: int | None = Field(default=None, ge=0, le=MOST)


class MethodLimits(Value):
    """What a method may take for one turn; more is a failed turn."""

    seconds: Finite = Field(default=600.0, gt=0.0)
    """Wall time; a served program's start counts for its first turn."""
    memory_mib: int = Field(default=8192, ge=16, le=MOST_MIB)
    """Of all its processes together."""
    file_mib: int = Field(default=2048, ge=1, le=MOST_MIB)
    """Of any one file it writes."""


class MethodManifest(Value):
    """A method as its author declares it, in TOML: a program, or an installed Python plugin."""

    name: MethodName
    """Of its row in every table."""
    command: Annotated[tuple[str, ...], Field(strict=False)] | None = None
    """Program and arguments; relative programs with a folder in their name lie beside the manifest."""
    plugin: str | None = None
    """Name of an entry point of `evaluator.methods`."""
    mode: Mode = "once"
    remembers: bool = False
    """Whether a served program keeps anything from one turn to the next: a chain that was cut off then starts again."""
    access: Annotated[tuple[Access, ...], Field(strict=False)] = ("picture",)
    non_metallic: bool = False
    """Whether its outputs carry no metallic materials and ask to be drawn so."""
    aligns: bool = False
    """Whether its outputs lie anywhere, in any size, and are moved onto the target before they are kept."""
    environment: Annotated[tuple[str, ...], Field(strict=False)] = ()
    """Names of variables that the program inherits, besides those that every program needs."""
    limits: MethodLimits = MethodLimits()
    options: Options = ()

    @model_validator(mode="after")
    def _check_kind(self) -> MethodManifest:
        if (self.command is None) == (self.plugin is None):
            raise ValueError("a method is a command or a plugin: give one of the two")
        if self.command is not None and not self.command:
            raise ValueError("the command is empty")
        if len({name for name, _ in self.options}) < len(self.options):
            raise ValueError("an option is given twice")
        return self
