"""Which chains of a folder are run."""

from __future__ import annotations

from itertools import zip_longest
from pathlib import Path

from chains.files import list_chains


def choose_chains(path: Path, first: int | None) -> list[Path]:
    """All chain files below a path, or the first few: one of each folder in turn, as families lie in folders.

    Raises InputError when there is none.
    """
    found = list_chains(path)
    if first is None or first >= len(found):
        return found
    by_folder: dict[Path, list[Path]] = {}
    for entry in found:
        by_folder.setdefault(entry.parent, []).append(entry)
    dealt = [entry for row in zip_longest(*by_folder.values()) for entry in row if entry is not None]
    return sorted(dealt[:first])
