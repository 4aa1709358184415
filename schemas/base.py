"""The common base of all records and the scalar types they share."""

from __future__ import annotations

import re
from typing import Annotated

from pydantic import AfterValidator, BaseModel, ConfigDict, Field

SCHEMA_VERSION = "1.0"
"""Version of every record written by this release: major.minor."""


class Value(BaseModel):
    """An immutable record. Unknown fields, wrong types, NaN and infinities are refused."""

    model_config = ConfigDict(
        frozen=True, extra="forbid", allow_inf_nan=False, strict=True, ser_json_inf_nan="constants"
    )


_UNSAFE_SEGMENT = re.compile(r"[\\\x00-\x1f:]")


def _check_identifier(text: str) -> str:
    """Refuse an id that could be read as a path out of its folder."""
    segments = text.split("/")
    if not text or any(part in {"", ".", ".."} or _UNSAFE_SEGMENT.search(part) for part in segments):
        message = f"invalid id {text!r}: empty, '.', '..', absolute or control characters are not allowed"
        raise ValueError(message)
    return text


Sha256 = Annotated[str, Field(pattern=r"^[0-9a-f]{64}$", description="SHA-256, 64 lower-case hex digits")]
SlotId = Annotated[
    str, Field(pattern=r"^[a-z0-9][a-z0-9_]{0,63}$", description="slot name for machines: a-z, 0-9 and _")
]
Identifier = Annotated[
    str,
    Field(min_length=1, max_length=500, description="object or part id; '/' separates folders, '..' is refused"),
    AfterValidator(_check_identifier),
]
Finite = Annotated[float, Field(allow_inf_nan=False, strict=True)]
"""A finite float; integers are accepted and widened, since canonical JSON writes 1.0 as 1. Texts are not."""
Vec3 = Annotated[tuple[Finite, Finite, Finite], Field(strict=False)]
Bounds = Annotated[tuple[Vec3, Vec3], Field(strict=False, description="[min xyz, max xyz]")]
Matrix4 = Annotated[
    tuple[
        Finite, Finite, Finite, Finite,
        Finite, Finite, Finite, Finite,
        Finite, Finite, Finite, Finite,
        Finite, Finite, Finite, Finite,
    ],
    Field(strict=False, description="4x4 matrix, row by row"),
]  # fmt: skip
IDENTITY_POSE: Matrix4 = (1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0)
"""The pose of everything that stands where its own file puts it."""

SIMILARITY_TOLERANCE = 1e-6


def check_similarity(matrix: tuple[float, ...]) -> tuple[float, ...]:
    """Return `matrix` (16 numbers, row-major) if it is rotation, uniform positive scale and shift.

    Raises ValueError when max|RᵀR - s²I| > 1e-6 s², det ≤ 0, or the last row is not 0 0 0 1.
    """
    rows = [matrix[0:3], matrix[4:7], matrix[8:11]]
    columns = list(zip(*rows, strict=True))
    gram = [[sum(a * b for a, b in zip(ci, cj, strict=True)) for cj in columns] for ci in columns]
    scale_squared = (gram[0][0] + gram[1][1] + gram[2][2]) / 3.0
    if tuple(matrix[12:16]) != (0.0, 0.0, 0.0, 1.0):
        raise ValueError(f"pose is not a similarity: last row is {matrix[12:16]}, must be 0 0 0 1")
    determinant = (
        rows[0][0] * (rows[1][1] * rows[2][2] - rows[1][2] * rows[2][1])
        - rows[0][1] * (rows[1][0] * rows[2][2] - rows[1][2] * rows[2][0])
        + rows[0][2] * (rows[1][0] * rows[2][1] - rows[1][1] * rows[2][0])
    )
    if not determinant > 0.0 or not scale_squared > 0.0:
        raise ValueError(f"pose is singular or mirrored: determinant {determinant:g} must be positive")
    worst = max(abs(gram[i][j] - (scale_squared if i == j else 0.0)) for i in range(3) for j in range(3))
    if worst > SIMILARITY_TOLERANCE * scale_squared:
        raise ValueError(
            f"pose is sheared or scaled unevenly: max|RtR - s2 I| / s2 is {worst / scale_squared:g}, "
            f"limit {SIMILARITY_TOLERANCE:g}; a pose is rotation, uniform scale and shift"
        )
    return matrix


Similarity = Annotated[Matrix4, AfterValidator(check_similarity)]
