"""Models of the library: pieces covered with paint, parts made of pieces, objects made of parts."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass, replace

from engine.starter.paints import Paint
from engine.starter.shells import Shell

SMOOTH = 0.7
"""Cosine of the default crease angle, about 45 degrees: chamfers are shaded smooth."""


@dataclass(frozen=True, slots=True)
class Piece:
    """One shell under one paint."""

    shell: Shell
    paint: Paint
    crease: float = SMOOTH


@dataclass(frozen=True, slots=True)
class ModelPart:
    """One part of an object: what it is called in captions, and its pieces in object coordinates."""

    phrase: str
    pieces: tuple[Piece, ...]


@dataclass(frozen=True, slots=True)
class Model:
    """An object. Y is up, +Z its front, +X its own left; units are the modeller's own."""

    name: str
    category: str
    parts: tuple[ModelPart, ...]
    seat: tuple[Shell, ...] = ()
    """What a single part is mounted on, in the same coordinates: not part of the object, only told to the survey."""
    diagonal: float | None = None
    """Diagonal in the file of an object that is a single part; None for the common one."""

    @property
    def object_id(self) -> str:
        """32 hex digits of the name's SHA-256."""
        return hashlib.sha256(self.name.encode()).hexdigest()[:32]


def cover(paint: Paint, *shells: Shell, crease: float = SMOOTH) -> tuple[Piece, ...]:
    """The shells as pieces under one paint."""
    return tuple(Piece(shell, paint, crease) for shell in shells)


def part(phrase: str, *groups: Iterable[Piece]) -> ModelPart:
    """A part from groups of pieces."""
    return ModelPart(phrase, tuple(piece for group in groups for piece in group))


def single(name: str, *groups: Iterable[Piece], category: str = "prop", diagonal: float | None = None) -> Model:
    """An object that is one part."""
    article = "an" if name[0] in "aeiou" else "a"
    return Model(name, category, (part(f"{article} {name}", *groups),), diagonal=diagonal)


def set_down(
    pieces: Iterable[Piece], scale: float, place: tuple[float, float, float], turns: float = 0.0
) -> tuple[Piece, ...]:
    """Pieces that stand on y = 0, turned about Y, resized with their textures and put somewhere else."""
    return tuple(replace(p, shell=p.shell.scaled(scale, scale, scale).turned("y", turns).moved(*place)) for p in pieces)
