"""Where the source folder of an index lies; not hashed, so that an index is the same wherever its source is."""

from __future__ import annotations

import os
from pathlib import Path

from chains.storage import write_atomic
from schemas.codec import canonical, parse_json
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
    try:
        document = parse_json(path.read_bytes(), path)
    except OSError as error:
        raise InputError(f"{path}: cannot be read: {error.strerror}") from error
    places = document.get("places") if isinstance(document, dict) else None
    if not isinstance(places, list) or not places or not all(isinstance(place, str) for place in places):
        raise SchemaError(path, "$.places", "must be a list of folder names")
    for place in places:
        folder = Path(os.path.normpath(library / place))
        if folder.is_dir():
            return folder.resolve()
    raise InputError(f"{path}: the source folder is not there any more: {', '.join(places)}")
