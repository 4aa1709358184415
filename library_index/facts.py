"""What a dataset says about its objects and parts: captions, and where they came from."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from library_index.captions import printable
from schemas.codec import parse_json, read_json_bytes
from schemas.errors import InputError
from schemas.part import SkippedFile

CAPTIONS_FILE = "text_captions.json"
PROVENANCE_FILE = "provenance.json"


@dataclass(frozen=True, slots=True)
class ObjectFacts:
    """Name and origin of one object; None where the dataset is silent."""

    name: str | None = None
    category: str | None = None
    category_source: str | None = None
    author: str | None = None
    licence: str | None = None
    source: str | None = None


@dataclass(frozen=True, slots=True)
class DatasetFacts:
    """The side files of a dataset, as parsed; a file that cannot be used is reported and then missing."""

    captions: dict[str, Any] = field(default_factory=dict)
    provenance: dict[str, Any] = field(default_factory=dict)
    skipped: tuple[SkippedFile, ...] = ()

    def caption(self, object_id: str, part_id: str) -> tuple[str, str] | None:
        """Brief and detailed caption of a part, trimmed; None when missing, empty or not text."""
        entry = self.captions.get(object_id)
        pair = entry.get(part_id) if isinstance(entry, dict) else None
        texts = [pair] if isinstance(pair, str) else pair
        if not isinstance(texts, list) or not texts or not all(isinstance(text, str) for text in texts):
            return None
        brief, detail = texts[0].strip(), texts[1].strip() if len(texts) > 1 else ""
        return (brief, detail) if brief else None

    def of_object(self, object_id: str) -> ObjectFacts:
        """Origin of an object."""
        entry = self.provenance.get(object_id)
        if not isinstance(entry, dict):
            return ObjectFacts()
        texts = {key: printable(value) for key, value in entry.items() if isinstance(value, str) and value}
        category = texts.get("category")
        place = [texts[key] for key in ("source_repo", "source_path") if key in texts]
        return ObjectFacts(
            name=texts.get("host"),
            category=category,
            category_source="dataset provenance" if category else None,
            author=texts.get("author"),
            licence=texts.get("licence"),
            source=":".join(place) or None,
        )


def read_facts(root: Path) -> DatasetFacts:
    """Read captions and provenance beside the parts, where present."""
    skipped: list[SkippedFile] = []
    tables = [_read_table(root, name, skipped) for name in (CAPTIONS_FILE, PROVENANCE_FILE)]
    return DatasetFacts(tables[0], tables[1], tuple(skipped))


def _read_table(root: Path, name: str, skipped: list[SkippedFile]) -> dict[str, Any]:
    path = root / name
    reason = ""
    document: Any = {}
    try:
        if path.exists() and path.resolve().is_relative_to(root):
            document = parse_json(read_json_bytes(path), name)
        elif path.exists():
            reason = "a symbolic link that leads out of the source folder"
    except OSError as error:
        reason = f"cannot be read: {error.strerror}"
    except RuntimeError:
        reason = "a symbolic link that leads in a circle"
    except InputError as error:
        reason = str(error).removeprefix(f"{name}: ")
    if not isinstance(document, dict):
        reason = f"expected an object, found {type(document).__name__}"
        document = {}
    if reason:
        skipped.append(SkippedFile(file=name, reason=reason))
    table: dict[str, Any] = document
    return table
