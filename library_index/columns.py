"""The columns filters look at, as arrays: one value a part, in the order of the index."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from typing import Any, get_args

import numpy as np
from numpy.typing import NDArray

from schemas.part import DirectionClass, Kind

RowMask = NDArray[np.bool_]
DIRECTIONS: tuple[str, ...] = get_args(DirectionClass)
KINDS: tuple[str, ...] = get_args(Kind)
ABSENT = -1


@dataclass(frozen=True, slots=True)
class PartColumns:
    """All arrays are (parts,). Codes index the tuple beside them; -1 and NaN stand for what a part does not have."""

    object_ids: tuple[str, ...]
    objects: NDArray[np.int64]
    datasets: tuple[str, ...]
    dataset_codes: NDArray[np.int64]
    licences: tuple[str, ...]
    licence_codes: NDArray[np.int64]
    triangles: NDArray[np.int64]
    directions: NDArray[np.int64]
    """Of the best mount: index into DIRECTIONS."""
    kinds: NDArray[np.int64]
    """Of the best mount: index into KINDS."""
    shares: NDArray[np.float64]
    """Of the best mount: diagonal of the part over that of its object."""


class _Codes:
    """Numbers texts in the order of their first appearance."""

    def __init__(self) -> None:
        self.numbers: dict[str, int] = {}

    def __call__(self, text: str | None) -> int:
        return ABSENT if text is None else self.numbers.setdefault(text, len(self.numbers))


def read_columns(part_lines: Iterable[bytes], object_lines: Iterable[bytes]) -> PartColumns:
    """Read the columns from the lines of an index whose hashes were checked."""
    objects, datasets, licences = _Codes(), _Codes(), _Codes()
    dataset_of = [datasets(entry["dataset"]) for entry in _parse(object_lines, objects)]
    rows: list[tuple[int, int, int, int, int]] = []
    shares: list[float] = []
    for line in part_lines:
        row = json.loads(line)
        mount: dict[str, Any] | None = row["mounts"][0] if row["mounts"] else None
        frame: dict[str, str] = mount["frame"] if mount else {}
        rows.append(
            (
                objects.numbers[row["ref"]["object_id"]],
                licences(row["licence"]),
                row["triangles"],
                DIRECTIONS.index(frame["direction"]) if frame else ABSENT,
                KINDS.index(frame["kind"]) if frame else ABSENT,
            )
        )
        shares.append(mount["object_share"] if mount else np.nan)
    table = np.array(rows, dtype=np.int64).reshape(-1, 5)
    return PartColumns(
        object_ids=tuple(objects.numbers),
        objects=table[:, 0],
        datasets=tuple(datasets.numbers),
        dataset_codes=np.array(dataset_of, dtype=np.int64)[table[:, 0]],
        licences=tuple(licences.numbers),
        licence_codes=table[:, 1],
        triangles=table[:, 2],
        directions=table[:, 3],
        kinds=table[:, 4],
        shares=np.array(shares, dtype=np.float64),
    )


def _parse(lines: Iterable[bytes], objects: _Codes) -> Iterable[dict[str, Any]]:
    for line in lines:
        entry = json.loads(line)
        objects(entry["object_id"])
        yield entry


@dataclass(frozen=True, slots=True)
class PartFilter:
    """Conditions on parts; None leaves one open. Conditions on mounts concern a part's best mount."""

    datasets: Collection[str] | None = None
    licences: Collection[str] | None = None
    """A part without a licence passes only when this is None."""
    max_triangles: int | None = None
    exclude_objects: Collection[str] = ()
    exclude_rows: Collection[int] = ()
    """Rows of parts already used: `library.parts.find_row`."""
    directions: Collection[DirectionClass] | None = None
    kinds: Collection[Kind] | None = None
    min_share: float | None = None
    """Least diagonal of the part over that of its object."""
    max_share: float | None = None

    def mask(self, columns: PartColumns) -> RowMask:
        """(parts,) bool: which rows meet all conditions."""
        mask = np.ones(len(columns.objects), dtype=np.bool_)
        for wanted, names, codes in (
            (self.datasets, columns.datasets, columns.dataset_codes),
            (self.licences, columns.licences, columns.licence_codes),
            (self.directions, DIRECTIONS, columns.directions),
            (self.kinds, KINDS, columns.kinds),
        ):
            if wanted is not None:
                mask &= np.isin(codes, [code for code, name in enumerate(names) if name in wanted])
        if self.max_triangles is not None:
            mask &= columns.triangles <= self.max_triangles
        if self.min_share is not None:
            mask &= columns.shares >= self.min_share
        if self.max_share is not None:
            mask &= columns.shares <= self.max_share
        if self.exclude_objects:
            dropped = [code for code, name in enumerate(columns.object_ids) if name in self.exclude_objects]
            mask &= ~np.isin(columns.objects, dropped)
        mask[list(self.exclude_rows)] = False
        return mask
