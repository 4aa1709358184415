"""A surveyor for tests that reads nothing but the JSON chunk of a GLB: bounds and counts from accessors."""

from __future__ import annotations

import hashlib
import json
import os
import struct
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from library_index.ports import ObjectSurvey, PartFile, PartSurvey
from schemas.errors import GltfError

Corner = tuple[float, float, float]


def read_header(path: Path) -> dict[str, Any]:
    """Read the JSON chunk of a GLB."""
    data = path.read_bytes()
    if data[:4] != b"glTF" or len(data) < 20 or struct.unpack("<I", data[8:12])[0] != len(data):
        raise GltfError(path, "not a complete GLB")
    length = struct.unpack("<I", data[12:16])[0]
    document: dict[str, Any] = json.loads(data[20 : 20 + length])
    return document


def enclose(lows: Sequence[Sequence[float]], highs: Sequence[Sequence[float]]) -> tuple[Corner, Corner]:
    """Find the box around boxes; a point at the origin when there are none."""
    low = [min((corner[axis] for corner in lows), default=0.0) for axis in range(3)]
    high = [max((corner[axis] for corner in highs), default=0.0) for axis in range(3)]
    return (low[0], low[1], low[2]), (high[0], high[1], high[2])


@dataclass(frozen=True)
class HeaderSurveyor:
    """See the module. `killer` names a part id whose measuring ends the process, `log` a file that counts calls."""

    version: str = "header-1"
    killer: str = ""
    log: Path | None = None

    def survey(self, parts: Sequence[PartFile], root: Path) -> ObjectSurvey:  # noqa: ARG002  # the port's signature
        """Measure one object."""
        if self.log is not None:
            with self.log.open("a") as file:
                file.write(f"{parts[0].path.name}\n")
        measured, refused = [], []
        for part in parts:
            if part.part_id == self.killer:
                os._exit(7)
            try:
                measured.append(self._measure(part))
            except GltfError as error:
                refused.append((part.part_id, error.reason))
        low, high = enclose([p.bounds[0] for p in measured], [p.bounds[1] for p in measured])
        return ObjectSurvey(
            parts=tuple(measured),
            refused=tuple(refused),
            bounds=(low, high),
            diagonal=sum((b - a) ** 2 for a, b in zip(low, high, strict=True)) ** 0.5,
            contacts=(),
            connected_pieces=1,
        )

    def list_nodes(self, path: Path, root: Path) -> Sequence[tuple[str, str]]:  # noqa: ARG002
        """Nodes with a mesh."""
        nodes = read_header(path).get("nodes", [])
        return [
            (node.get("extras", f"node{i}"), node.get("name", "")) for i, node in enumerate(nodes) if "mesh" in node
        ]

    def _measure(self, part: PartFile) -> PartSurvey:
        document = read_header(part.path)
        primitives = [p for mesh in document["meshes"] for p in mesh["primitives"]]
        accessors = document["accessors"]
        positions = [accessors[p["attributes"]["POSITION"]] for p in primitives]
        data = part.path.read_bytes()
        return PartSurvey(
            part_id=part.part_id,
            sha256=hashlib.sha256(data).hexdigest(),
            size_bytes=len(data),
            bounds=enclose([a["min"] for a in positions], [a["max"] for a in positions]),
            triangles=sum(accessors[p["indices"]]["count"] // 3 for p in primitives if "indices" in p),
            materials=len(document.get("materials", [])),
            textured=bool(document.get("textures")),
            closed=True,
            area=1.0,
            volume=0.5,
            loose_gap=0.0,
            visible=1.0,
            symmetry=None,
            shape=None,
            resting=None,
            mounts=(),
        )
