"""How part libraries lie on disk: which objects there are, which files hold their parts, what is not usable."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, get_args

from pydantic import TypeAdapter, ValidationError

from library_index.ports import PartFile
from schemas.base import Identifier
from schemas.errors import InputError
from schemas.part import SkippedFile

LayoutName = Literal["partverse", "partverse-xl", "folder"]
LAYOUTS: tuple[str, ...] = get_args(LayoutName)
PARTS_FOLDER = "textured_part_glbs"
_XL_FILES = ("metadata.csv", "train.csv", "val.csv")
_SUFFIXES = (".glb", ".gltf")
_IDENTIFIER: TypeAdapter[str] = TypeAdapter(Identifier)
LINK_ESCAPES = "a symbolic link that leads out of the source folder"


@dataclass(frozen=True, slots=True)
class SourceObject:
    """One object as a layout finds it, before any of its files is opened."""

    object_id: str
    parts: tuple[PartFile, ...]
    """Part files in natural order; empty when `container` holds all parts as nodes."""
    container: Path | None
    size_bytes: int


@dataclass(frozen=True, slots=True)
class SourceScan:
    """A source folder as found: objects sorted by id, and files that cannot be used, with the reason."""

    root: Path
    layout: str
    objects: tuple[SourceObject, ...]
    skipped: tuple[SkippedFile, ...]


def detect_layout(root: Path) -> str:
    """Name the layout of a source folder: PartVerse when it has part folders, else a folder of glTF files."""
    if (root / PARTS_FOLDER).is_dir():
        return "partverse-xl" if any((root / name).is_file() for name in _XL_FILES) else "partverse"
    return "folder"


def scan_source(source: Path, layout: str = "auto") -> SourceScan:
    """List the objects and part files of a source folder. Nothing is opened or followed out of the folder.

    Raises InputError when the folder or its layout cannot be read or holds no glTF file at all.
    """
    try:
        root = source.resolve(strict=True)
        names = [path.name for path in root.iterdir()]
    except NotADirectoryError as error:
        raise InputError(f"{source}: is a file, a library source is a folder") from error
    except (OSError, RuntimeError) as error:
        raise InputError(f"{source}: cannot be read: {getattr(error, 'strerror', None) or error}") from error
    if layout == "auto":
        layout = detect_layout(root)
    if layout not in LAYOUTS:
        raise InputError(f"unknown layout {layout!r}; known are auto, {', '.join(LAYOUTS)}")
    if layout != "folder" and PARTS_FOLDER not in names:
        raise InputError(f"{source}: has no folder {PARTS_FOLDER}, so it is not of layout {layout}")
    objects, skipped = _scan_folder(root) if layout == "folder" else _scan_partverse(root)
    if not objects and not skipped:
        raise InputError(f"{source}: no .glb or .gltf file found")
    return SourceScan(
        root=root,
        layout=layout,
        objects=tuple(sorted(objects, key=lambda found: found.object_id)),
        skipped=tuple(sorted(skipped, key=lambda found: (found.file, found.reason))),
    )


def relative_name(path: Path, root: Path) -> str:
    """Path below the root with `/`, printable also when it is not UTF-8."""
    name = path.relative_to(root).as_posix()
    return os.fsencode(name).decode("utf-8", "backslashreplace")


def natural_key(name: str) -> tuple[int, int, str]:
    """Sort key that puts integer labels first, by value."""
    is_label = name.isascii() and name.isdigit()
    return (0, int(name), name) if is_label else (1, 0, name)


def _scan_partverse(root: Path) -> tuple[list[SourceObject], list[SkippedFile]]:
    objects: list[SourceObject] = []
    skipped: list[SkippedFile] = []
    base = root / PARTS_FOLDER
    if not _is_inside(base, root):
        raise InputError(f"{base}: {LINK_ESCAPES}")
    for folder in _list_sorted(base):
        reason = _refuse_folder(folder, root)
        if reason is not None:
            skipped.append(SkippedFile(file=relative_name(folder, root), reason=reason))
            continue
        try:
            entries = _list_sorted(folder)
        except InputError as error:
            skipped.append(SkippedFile(file=relative_name(folder, root), reason=str(error).split(": ", 1)[1]))
            continue
        parts = []
        for path in entries:
            reason = _refuse_file(path, root, path.stem)
            if reason is None:
                parts.append(PartFile(part_id=path.stem, path=path, node=None))
            elif not path.name.startswith("."):
                skipped.append(SkippedFile(file=relative_name(path, root), reason=reason))
        if parts:
            parts.sort(key=lambda part: natural_key(part.part_id))
            size = sum(part.path.stat().st_size for part in parts)
            objects.append(SourceObject(folder.name, tuple(parts), None, size))
        else:
            skipped.append(SkippedFile(file=relative_name(folder, root), reason="no usable part file in the folder"))
    return objects, skipped


def _scan_folder(root: Path) -> tuple[list[SourceObject], list[SkippedFile]]:
    skipped: list[SkippedFile] = []
    found: list[tuple[Path, str]] = []
    for path in _walk(root, root, skipped):
        name = path.relative_to(root).as_posix()
        reason = _refuse_file(path, root, name)
        if reason is None:
            found.append((path, name))
        else:
            skipped.append(SkippedFile(file=relative_name(path, root), reason=reason))
    ids = _object_ids([name for _, name in found])
    objects = [
        SourceObject(object_id, (), path, path.stat().st_size) for (path, _), object_id in zip(found, ids, strict=True)
    ]
    return objects, skipped


def _object_ids(names: list[str]) -> list[str]:
    """Name objects by path without suffix; those that would clash keep their suffix."""
    full = set[str]()
    while True:
        ids = [name if name in full else name.rsplit(".", 1)[0] for name in names]
        counts = Counter(ids)
        clashing = {name for name, object_id in zip(names, ids, strict=True) if counts[object_id] > 1} - full
        if not clashing:
            return ids
        full |= clashing


def _walk(folder: Path, root: Path, skipped: list[SkippedFile]) -> Iterator[Path]:
    """Yield glTF files below a folder in sorted order; links to folders are reported, hidden folders left out."""
    try:
        entries = _list_sorted(folder)
    except InputError as error:
        skipped.append(SkippedFile(file=relative_name(folder, root), reason=str(error).split(": ", 1)[1]))
        return
    for path in entries:
        if path.name.startswith("."):
            continue
        if path.suffix.lower() in _SUFFIXES and not (path.is_dir() and not path.is_symlink()):
            yield path
        elif path.is_dir():
            if path.is_symlink():
                reason = "a symbolic link to a folder is not followed"
                skipped.append(SkippedFile(file=relative_name(path, root), reason=reason))
            else:
                yield from _walk(path, root, skipped)


def _list_sorted(folder: Path) -> list[Path]:
    try:
        return sorted(folder.iterdir())
    except OSError as error:
        raise InputError(f"{folder}: cannot be read: {error.strerror}") from error


def _is_inside(path: Path, root: Path) -> bool:
    return path.resolve().is_relative_to(root)


def _refuse_link(path: Path, root: Path) -> str | None:
    """Say why a symbolic link is not followed; None for a good one and for what is no link."""
    if not path.is_symlink():
        return None
    try:
        return None if _is_inside(path, root) else LINK_ESCAPES
    except (OSError, RuntimeError):
        return "a symbolic link that leads in a circle"


def _refuse_folder(path: Path, root: Path) -> str | None:
    if problem := _refuse_link(path, root):
        return problem
    if not path.is_dir():
        return "not a folder of parts"
    return find_name_problem(path.name)


def _refuse_file(path: Path, root: Path, name: str) -> str | None:
    """Say why a file cannot be a source of parts, or None."""
    if path.suffix.lower() not in _SUFFIXES:
        return "not a .glb or .gltf file"
    if problem := _refuse_link(path, root):
        return problem
    if not path.is_file():
        return "a symbolic link that leads nowhere" if path.is_symlink() else "not a regular file"
    return find_name_problem(name)


def find_name_problem(name: str) -> str | None:
    """Say why a name cannot be the id of an object or a part, or None."""
    try:
        _IDENTIFIER.validate_python(name)
        name.encode("utf-8")
    except (ValidationError, UnicodeEncodeError):
        return "the name cannot be an id: control characters, ':', '\\', not UTF-8 or over 500 characters"
    return None
