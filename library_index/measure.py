"""Measuring one object, with a cache file per object so that an unchanged object is never measured twice."""

from __future__ import annotations

import hashlib
import os
from dataclasses import dataclass
from pathlib import Path

from pydantic import ValidationError

from chains.storage import write_atomic
from library_index.captions import printable
from library_index.content import digest_path
from library_index.layout import SourceObject, find_name_problem
from library_index.ports import ObjectSurvey, PartFile, Surveyor
from schemas.base import Value
from schemas.codec import canonical, encode
from schemas.errors import EngineError, GltfError, InputError

CACHE_VERSION = 1


class MeasuredObject(Value):
    """A cache file: what measuring one object gave, and the inputs it holds for. Paths are relative to the root."""

    key: str
    """SHA-256 over surveyor version, ids and hashes of the part files."""
    others: tuple[tuple[str, str], ...]
    """(path, SHA-256) of the further files the parts need."""
    files: tuple[tuple[str, str, str | None], ...]
    """(part id, path, node)."""
    names: tuple[tuple[str, str], ...]
    """(part id, name in the file) of the parts that the dataset gives no caption."""
    survey: ObjectSurvey | None
    """Null when no part could be read."""
    refused: tuple[tuple[str, str], ...]
    """(file, reason)."""


@dataclass(frozen=True, slots=True)
class MeasureTask:
    """One object to measure."""

    found: SourceObject
    nameless: tuple[str, ...]
    """Part ids for which the file's own names are wanted; all of them for a container."""


@dataclass(frozen=True, slots=True)
class ObjectMeasurer:
    """Measures objects of one source folder into one cache folder; sent to worker processes."""

    root: Path
    cache: Path
    surveyor: Surveyor

    def __call__(self, task: MeasureTask) -> bool:
        """Measure one object unless its cache file still holds; return whether it was measured.

        Raises OutputError when the cache cannot be written.
        """
        path = cache_path(self.cache, task.found.object_id)
        paths = [part.path for part in task.found.parts] if task.found.container is None else [task.found.container]
        hashes, unreadable = self._hash(paths)
        key = self._key(task, hashes)
        known = read_cached(path)
        if known is not None and known.key == key and self._still_holds(known):
            return False
        write_atomic(path, encode(self._measure(task, key, unreadable)), durable=False)
        return True

    def _hash(self, paths: list[Path]) -> tuple[list[list[str]], dict[Path, str]]:
        hashes: list[list[str]] = []
        unreadable: dict[Path, str] = {}
        for path in paths:
            try:
                hashes.append([self._relative(path), digest_path(path)])
            except InputError as error:
                unreadable[path] = self._reason(error)
        return hashes, unreadable

    def _key(self, task: MeasureTask, hashes: list[list[str]]) -> str:
        content = [CACHE_VERSION, self.surveyor.version, task.found.object_id, hashes, list(task.nameless)]
        return hashlib.sha256(canonical(content)).hexdigest()

    def _still_holds(self, known: MeasuredObject) -> bool:
        """Tell whether the further files are unchanged. A refused part is looked at again: its file may be mended."""
        if known.refused:
            return False
        try:
            return all(digest_path(self.root / name) == sha256 for name, sha256 in known.others)
        except InputError:
            return False

    def _measure(self, task: MeasureTask, key: str, unreadable: dict[Path, str]) -> MeasuredObject:
        refused = [(self._relative(path), reason) for path, reason in unreadable.items()]
        parts, names = self._parts(task, unreadable, refused)
        survey = self._survey(parts, refused) if parts else None
        others: dict[str, str] = {}
        if survey is not None:
            places = {part.part_id: self._place(part) for part in parts}
            refused += [(places[part_id], self._clean(reason)) for part_id, reason in survey.refused]
            relative = [
                part.model_copy(update={"files": tuple(self._relative(Path(name)) for name in part.files)})
                for part in survey.parts
            ]
            survey = survey.model_copy(update={"parts": tuple(relative), "refused": ()})
            wanted = sorted({name for part in survey.parts for name in part.files})
            others = {name: digest_path(self.root / name) for name in wanted}
        return MeasuredObject(
            key=key,
            others=tuple(others.items()),
            files=tuple((part.part_id, self._relative(part.path), part.node) for part in parts),
            names=tuple(names),
            survey=survey,
            refused=tuple(refused),
        )

    def _survey(self, parts: list[PartFile], refused: list[tuple[str, str]]) -> ObjectSurvey | None:
        """Measure the object; should it be refused as a whole, every part is, with that reason."""
        try:
            return self.surveyor.survey(parts, self.root)
        except EngineError as error:
            refused += [(self._place(part), self._reason(error)) for part in parts]
            return None

    def _parts(
        self, task: MeasureTask, unreadable: dict[Path, str], refused: list[tuple[str, str]]
    ) -> tuple[list[PartFile], list[tuple[str, str]]]:
        """List the parts that can be opened, and the names of those without a caption."""
        container = task.found.container
        if container is not None:
            if container in unreadable:
                return [], []
            try:
                nodes = list(self.surveyor.list_nodes(container, self.root))
            except (GltfError, InputError) as error:
                refused.append((self._relative(container), self._reason(error)))
                return [], []
            if not nodes:
                refused.append((self._relative(container), "no node of the default scene has a mesh"))
            problems = [(node, find_name_problem(node)) for node, _ in nodes]
            refused += [(f"{self._relative(container)}#{printable(node)}", why) for node, why in problems if why]
            named = [(node, printable(name)) for node, name in nodes if find_name_problem(node) is None]
            return [PartFile(node, container, node) for node, _ in named], named
        parts = [part for part in task.found.parts if part.path not in unreadable]
        return parts, [(part.part_id, self._name(part)) for part in parts if part.part_id in task.nameless]

    def _name(self, part: PartFile) -> str:
        """Names of the nodes of a part file, or nothing when it cannot be opened: the survey then says why."""
        try:
            return " ".join(printable(name) for _, name in self.surveyor.list_nodes(part.path, self.root))
        except (GltfError, InputError):
            return ""

    def _place(self, part: PartFile) -> str:
        name = self._relative(part.path)
        return name if part.node is None else f"{name}#{part.node}"

    def _relative(self, path: Path) -> str:
        return os.fsencode(Path(os.path.normpath(path)).relative_to(self.root).as_posix()).decode("utf-8")

    def _reason(self, error: EngineError) -> str:
        return self._clean(error.reason if isinstance(error, GltfError) else str(error))

    def _clean(self, reason: str) -> str:
        """Take the source folder's place out of a message: an index does not depend on where its source lies."""
        return printable(reason.replace(f"{self.root}/", ""))


def cache_path(cache: Path, object_id: str) -> Path:
    """Place of the cache file of one object, spread over 256 folders."""
    name = hashlib.sha256(object_id.encode("utf-8")).hexdigest()
    return cache / name[:2] / f"{name[2:40]}.json"


def read_cached(path: Path) -> MeasuredObject | None:
    """Read a cache file; None when there is none or it is not complete."""
    try:
        return MeasuredObject.model_validate_json(path.read_bytes())
    except (FileNotFoundError, ValidationError):
        return None
