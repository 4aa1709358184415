"""Where the source folder of an index lies; not hashed, so that an index is the same wherever its source is."""

from __future__ import annotations

import contextlib
import os
from pathlib import Path

from chains.storage import write_atomic
from schemas.codec import canonical, parse_json, read_json_bytes
from schemas.errors import InputError, SchemaError

SOURCE_FILE = "source.json"


def write_source(library: Path, root: Path) -> None:
    """Record the source folder: relative when it lies in or beside the index, or holds it; else also absolute."""
    relative = Path(os.path.relpath(root, library)).as_posix()
    near = root.is_relative_to(library.parent) or library.is_relative_to(root)
    places = [relative] if near else [relative, root.as_posix()]
    write_atomic(library / SOURCE_FILE, canonical({"places": places}) + b"\n")


def read_source(library: Path) -> Path:
    """Find the source folder of an index, the first recorded place that exists.

    Raises InputError when there is none.
    """
    path = library / SOURCE_FILE
    document = parse_json(read_json_bytes(path), path)
    places = document.get("places") if isinstance(document, dict) else None
    if not isinstance(places, list) or not places or not all(isinstance(place, str) for place in places):
        raise SchemaError(path, "$.places", "must be a list of folder names")
    for place in places:
        folder = Path(os.path.normpath(library / place))
        with contextlib.suppress(OSError, RuntimeError):  # a name no folder can have is a place that is not there
            if folder.is_dir():
                return folder.resolve()
    raise InputError(f"{path}: the source folder is not there any more: {', '.join(places):.300}")
