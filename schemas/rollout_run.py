"""What a folder of outputs says of itself: the method, all that decides what it is given, and when it ran."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from schemas.base import SCHEMA_VERSION, Sha256, Value
from schemas.method import MethodManifest
from schemas.rollout import InputKind

PictureKind = Literal["conditioning", "metric"]
"""Drawn by Cycles, or cast by rays as scores are."""
Version = Annotated[tuple[str, str | None], Field(strict=False)]
"""Package and version; null when it is not installed."""


class ProgramFile(Value):
    """A file that is part of a method's command."""

    path: str
    sha256: Sha256


class RolloutSettings(Value):
    """What decides the outputs besides the chains; a run with other settings may not go on in a folder."""

    method: MethodManifest
    """Paths in its command are absolute."""
    files: Annotated[tuple[ProgramFile, ...], Field(strict=False)] = ()
    """Files that its command names, as they were at the first session."""
    input: InputKind = "own"
    picture: PictureKind | None = None
    """How pictures for the method are drawn; null when it wants none."""
    picture_px: int | None = None
    """Their side; null: that of each chain's rig."""
    library_sha256: Sha256


class RolloutSession(Value):
    """One start of the runner."""

    started_utc: str
    """`2026-01-31T12:00:00Z`."""
    ended_utc: str | None = None
    """Null while it runs, and when it was cut off."""
    workers: int = Field(ge=1)
    chains: int = Field(ge=0)
    """Asked for."""
    versions: Annotated[tuple[Version, ...], Field(strict=False)] = ()


class RolloutRun(Value):
    """A folder of outputs, as `rollout_run.json`."""

    schema_version: str = SCHEMA_VERSION
    settings: RolloutSettings
    sessions: Annotated[tuple[RolloutSession, ...], Field(strict=False)] = ()
