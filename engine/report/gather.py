"""What a build left in a folder of chains, as far as it is there."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TypeVar

from chains.draws import Draws
from chains.files import RUN_FILE, SUMMARY_FILE
from chains.report import BuildTrace
from chains.schedule import Quota
from engine.building import SETTINGS_FILE, BuildSettings, BuildSummary
from schemas.base import Value
from schemas.chain import FAMILIES, Family
from schemas.codec import read_record
from schemas.report import BuildFacts
from schemas.run import RunRecord

V = TypeVar("V", bound=Value)


def read_trace(folder: Path) -> BuildTrace:
    """Read the settings, the summary and the times of a build. Raises SchemaError for files that are not ours."""
    if not folder.is_dir():
        return BuildTrace()
    settings = _read(BuildSettings, folder / SETTINGS_FILE)
    summary = _read(BuildSummary, folder / SUMMARY_FILE)
    return BuildTrace(
        facts=_facts(settings) if settings else None,
        asked=asked_chains(settings) if settings else {},
        abandoned=summary.abandoned if summary else None,
        run=_read(RunRecord, folder / RUN_FILE),
    )


def asked_chains(settings: BuildSettings) -> dict[Family, int]:
    """How many chains of each family a build was to make; without a number, each family on each host."""
    counts = dict(zip(settings.families, settings.counts, strict=True)) if settings.counts else None
    quota = Quota(settings.families, settings.chains, counts)
    asked: dict[Family, int] = {}
    for family in FAMILIES:
        if family in settings.families:
            left = quota.left(family)
            asked[family] = len(settings.hosts) if left is None else left
    return asked


def choose_sheets(families: Mapping[Path, Family], count: int, seed: int) -> list[Path]:
    """`count` random chain files, the families in turn, in the order of the files; `families` says whose each is."""
    waiting: dict[Family, list[Path]] = {}
    for path in Draws(seed, "report sheets").shuffled(sorted(families)):
        waiting.setdefault(families[path], []).append(path)
    chosen: list[Path] = []
    while len(chosen) < min(count, len(families)):
        for family in FAMILIES:
            left = waiting.get(family)
            if left and len(chosen) < count:
                chosen.append(left.pop(0))
    return sorted(chosen)


def _facts(settings: BuildSettings) -> BuildFacts:
    return BuildFacts(
        library_sha256=settings.library_sha256,
        seed=settings.seed,
        hosts=len(settings.hosts),
        interpenetration=settings.limits.mode,
        screener=f"{settings.screener.name} {settings.screener.model}" if settings.screener else None,
    )


def _read(kind: type[V], path: Path) -> V | None:
    return read_record(kind, path) if path.is_file() else None
