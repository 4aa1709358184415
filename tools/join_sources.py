"""Join folders in PartVerse layout into one, so that chains of one library can use the parts of all of them.

`python -m tools.join_sources OUT SOURCE...` links the part files (copies them where links cannot be made) and joins the
captions and origins. An object that two sources have is refused.
"""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path
from typing import Any

from library_index.facts import CAPTIONS_FILE, PROVENANCE_FILE
from library_index.layout import PARTS_FOLDER
from schemas.codec import canonical, parse_json, read_json_bytes
from schemas.errors import InputError


def join_sources(out: Path, sources: list[Path]) -> int:
    """Write the joined folder; returns the number of objects. Raises InputError for an object that is there twice."""
    facts: dict[str, dict[str, Any]] = {CAPTIONS_FILE: {}, PROVENANCE_FILE: {}}
    owners: dict[str, Path] = {}
    for source in sources:
        for folder in sorted((source / PARTS_FOLDER).iterdir()):
            if folder.name in owners:
                raise InputError(f"object {folder.name} is in {owners[folder.name]} and in {source}")
            owners[folder.name] = source
            _link_files(folder, out / PARTS_FOLDER / folder.name)
        for name, joined in facts.items():
            if (source / name).is_file():
                joined.update(parse_json(read_json_bytes(source / name), source / name))
    for name, joined in facts.items():
        (out / name).write_bytes(canonical(joined) + b"\n")
    return len(owners)


def _link_files(folder: Path, target: Path) -> None:
    target.mkdir(parents=True, exist_ok=False)
    for file in sorted(folder.iterdir()):
        try:
            os.link(file, target / file.name)
        except OSError:
            shutil.copyfile(file, target / file.name)


if __name__ == "__main__":
    count = join_sources(Path(sys.argv[1]), [Path(name) for name in sys.argv[2:]])
    sys.stdout.write(f"{count} objects\n")
