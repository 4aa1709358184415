"""Building the index of a part library: scan, measure in workers, describe, embed, write."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from chains.storage import write_atomic, writer_lock
from library_index.captions import caption_from_names, clean_caption, is_order_like, printable
from library_index.embedding import VectorFile
from library_index.facts import DatasetFacts, ObjectFacts, read_facts
from library_index.layout import PARTS_FOLDER, SourceObject, SourceScan, find_name_problem, natural_key, scan_source
from library_index.measure import MeasuredObject, MeasureTask, ObjectMeasurer, cache_path, read_cached
from library_index.pool import WorkerPool
from library_index.ports import Embedder, ObjectSurvey, PartSurvey, Surveyor
from library_index.queries import describe_part, write_queries
from library_index.rows import (
    MANIFEST_FILE,
    OBJECTS_FILE,
    PARTS_FILE,
    QUERIES_FILE,
    QUERY_VECTORS_FILE,
    VECTORS_FILE,
    HashedWriter,
    open_hashed,
)
from library_index.source import write_source
from schemas.codec import canonical, encode
from schemas.errors import InputError
from schemas.events import UnitDone
from schemas.part import LibraryManifest, ObjectRecord, PartRecord, PartRef, SkippedFile

CACHE_FOLDER = "cache"
EMBED_BATCH = 512


def build_library(
    source: Path,
    out: Path,
    *,
    layout: str = "auto",
    surveyor: Surveyor,
    embedder: Embedder,
    workers: int = 1,
    library_id: str | None = None,
    embed_batch: int = EMBED_BATCH,
    progress: Callable[[UnitDone], None] | None = None,
) -> LibraryManifest:
    """Index the parts below `source` into the folder `out`; the source is only read.

    Objects whose files and surveyor are unchanged are not measured again. The index is the same, byte for byte, for
    any number of workers (0 measures in this process), any `embed_batch` (captions embedded at a time) and after any
    interruption. A file that cannot be used is in
    the manifest's `skipped`, with the reason; it never ends the build.

    Raises InputError for a source that is not a library or an id that cannot be one, LockedError for a second writer,
    OutputError when `out` cannot be written.
    """
    scan = scan_source(source, layout)
    target = out.resolve()
    if target == scan.root or target.is_relative_to(scan.root / PARTS_FOLDER):
        raise InputError(f"{out}: is the source folder itself; an index needs a folder of its own")
    library = library_id or slug(scan.root.name)
    if problem := find_name_problem(library):
        raise InputError(f"library id {library!r}: {problem}")
    facts = read_facts(scan.root)
    with writer_lock(target):
        lost = _measure_all(scan, facts, target, surveyor, workers=workers, progress=progress)
        return _IndexWriter(scan, facts, target, library, embedder, lost, embed_batch).write()


def slug(name: str) -> str:
    """Make a library id of a folder name."""
    return re.sub(r"[^a-z0-9_.-]+", "-", name.lower()).strip("-.") or "library"


def _measure_all(
    scan: SourceScan,
    facts: DatasetFacts,
    target: Path,
    surveyor: Surveyor,
    *,
    workers: int,
    progress: Callable[[UnitDone], None] | None,
) -> dict[str, str]:
    """Fill the cache, largest objects first; return why objects were lost, by object id."""
    tasks = [MeasureTask(found, _nameless(found, facts)) for found in scan.objects]
    tasks.sort(key=lambda task: (-task.found.size_bytes, task.found.object_id))
    measurer = ObjectMeasurer(scan.root, target / CACHE_FOLDER, surveyor)
    lost: dict[str, str] = {}
    with WorkerPool(measurer, workers) as pool:
        for done, result in enumerate(pool.run(tasks), start=1):
            object_id = tasks[result.index].found.object_id
            if result.error is not None:
                raise result.error
            if result.failure is not None:
                lost[object_id] = result.failure
            if progress is not None:
                progress(UnitDone(job="library build", unit=object_id, done=done, total=len(tasks)))
    return lost


def _nameless(found: SourceObject, facts: DatasetFacts) -> tuple[str, ...]:
    return tuple(p.part_id for p in found.parts if facts.caption(found.object_id, p.part_id) is None)


@dataclass(slots=True)
class _IndexWriter:
    """Turns the cache into the index files, object by object in the order of ids, so that memory stays flat."""

    scan: SourceScan
    facts: DatasetFacts
    target: Path
    library: str
    embedder: Embedder
    lost: dict[str, str]
    embed_batch: int
    skipped: list[SkippedFile] = field(default_factory=list)
    hosts: int = 0
    objects: int = 0
    parts: int = 0

    def write(self) -> LibraryManifest:
        """Write rows, vectors and, last, the manifest that vouches for them."""
        identity = HashedWriter(None)
        with (
            open_hashed(self.target / PARTS_FILE) as parts,
            open_hashed(self.target / OBJECTS_FILE) as objects,
            open_hashed(self.target / VECTORS_FILE) as vectors,
            open_hashed(self.target / QUERIES_FILE) as queries,
            open_hashed(self.target / QUERY_VECTORS_FILE) as query_vectors,
        ):
            captions = VectorFile(self.embedder, vectors, self.embed_batch)
            asked = VectorFile(self.embedder, query_vectors, self.embed_batch)
            for record, rows in self._rows():
                objects.write(encode(record))
                for row in rows:
                    parts.write(encode(row))
                    identity.write(canonical([row.ref.object_id, row.ref.part_id, row.ref.sha256]) + b"\n")
                    captions.add(describe_part(row, record))
                for query in write_queries(record, rows):
                    queries.write(encode(query))
                    asked.add(query.text)
            captions.finish()
            asked.finish()
        skipped = [*self.scan.skipped, *self.facts.skipped, *self.skipped]
        manifest = LibraryManifest(
            library=self.library,
            layout=self.scan.layout,
            hosts=self.hosts,
            objects=self.objects,
            parts=self.parts,
            parts_sha256=parts.sha256,
            objects_sha256=objects.sha256,
            vectors_sha256=vectors.sha256,
            embedder=self.embedder.name,
            embedder_sha256=self.embedder.sha256,
            model=self.embedder.model,
            queries_sha256=queries.sha256,
            query_vectors_sha256=query_vectors.sha256,
            dimensions=self.embedder.dimensions,
            library_sha256=identity.sha256,
            skipped=tuple(sorted(skipped, key=lambda entry: (entry.file, entry.reason))),
        )
        write_source(self.target, self.scan.root)
        write_atomic(self.target / MANIFEST_FILE, encode(manifest))
        return manifest

    def _rows(self) -> Iterator[tuple[ObjectRecord, list[PartRecord]]]:
        for found in self.scan.objects:
            reason = self.lost.get(found.object_id)
            measured = None if reason else read_cached(cache_path(self.target / CACHE_FOLDER, found.object_id))
            if measured is None:
                self.skipped.append(SkippedFile(file=_place_of(found), reason=reason or "its measurement is missing"))
                continue
            self.skipped += [SkippedFile(file=file, reason=reason) for file, reason in measured.refused]
            if measured.survey is None or not measured.survey.parts:
                continue
            describer = _Describer(self, found, measured, measured.survey)
            record = describer.object_record()
            rows = [describer.part_record(part) for part in measured.survey.parts]
            rows.sort(key=lambda row: row.ref.key)
            self.objects += 1
            self.hosts += len(rows) >= 2
            self.parts += len(rows)
            yield record, rows


class _Describer:
    """Joins what was measured on an object with what its dataset says."""

    def __init__(
        self, index: _IndexWriter, found: SourceObject, measured: MeasuredObject, survey: ObjectSurvey
    ) -> None:
        self._library = index.library
        self._dataset = index.library if index.scan.layout == "folder" else index.scan.layout
        self._facts = index.facts
        self._found = found
        self._survey = survey
        self._origin: ObjectFacts = index.facts.of_object(found.object_id)
        self._places = {part_id: (path, node) for part_id, path, node in measured.files}
        self._names = dict(measured.names)
        self._name = self._origin.name or self._name_of_file()

    def _name_of_file(self) -> str:
        """Name of an object its dataset does not name: that of its file, else just `object`."""
        if self._found.container is None:
            return "object"
        return caption_from_names([self._found.container.stem]).strip(".").lower() or "object"

    def object_record(self) -> ObjectRecord:
        """Make the row of the object; parts in natural order."""
        return ObjectRecord(
            object_id=self._found.object_id,
            dataset=self._dataset,
            name=printable(self._name),
            category=self._origin.category,
            category_source=self._origin.category_source,
            bounds=self._survey.bounds,
            diagonal=self._survey.diagonal,
            parts=tuple(sorted((part.part_id for part in self._survey.parts), key=natural_key)),
            contacts=self._survey.contacts,
            connected_pieces=self._survey.connected_pieces,
            triangles=sum(part.triangles for part in self._survey.parts),
        )

    def part_record(self, part: PartSurvey) -> PartRecord:
        """Make the row of one part."""
        path, node = self._places[part.part_id]
        caption, detail, from_dataset, warnings = self._caption(part.part_id)
        return PartRecord(
            ref=PartRef(
                library=self._library, object_id=self._found.object_id, part_id=part.part_id, sha256=part.sha256
            ),
            file=path,
            node=node,
            files=part.files,
            size_bytes=part.size_bytes,
            bounds=part.bounds,
            triangles=part.triangles,
            materials=part.materials,
            textured=part.textured,
            closed=part.closed,
            area=part.area,
            volume=part.volume,
            loose_gap=part.loose_gap,
            visible=part.visible,
            caption=caption,
            caption_detail=detail,
            caption_source="dataset" if from_dataset else "names",
            licence=self._origin.licence,
            author=self._origin.author,
            source=self._origin.source,
            symmetry=part.symmetry,
            shape=part.shape,
            resting=part.resting,
            mounts=part.mounts,
            warnings=(*part.warnings, *warnings),
        )

    def _caption(self, part_id: str) -> tuple[str, str, bool, list[str]]:
        """Caption, detail, whether the dataset gave them, and warnings."""
        warnings: list[str] = []
        found = self._facts.caption(self._found.object_id, part_id)
        if found is None:
            names = [self._names.get(part_id, ""), self._name if self._found.container is not None else ""]
            caption, detail = printable(caption_from_names(names)) or "Part.", ""
            if self._found.container is None or caption == "Part.":
                warnings.append("no caption in the dataset; named after the file's own names")
        else:
            caption, detail = printable(found[0]), printable(found[1])
            if (caption, detail) != found:
                warnings.append("caption had characters that cannot be stored; they were replaced")
        if is_order_like(caption):
            warnings.append("caption reads like an order; it is text about a part and nothing else")
        if clean_caption(caption, self._name).junk:
            warnings.append("caption does not say what the part is")
        return caption, detail, found is not None, warnings


def _place_of(found: SourceObject) -> str:
    return found.object_id if found.container is None else found.container.name
