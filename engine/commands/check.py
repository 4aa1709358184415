"""`engine check`: judge one pose of one part on one host."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from engine.arguments import PATH
from schemas.errors import InputError

if TYPE_CHECKING:
    from engine.placement.verdict import PoseVerdict
    from schemas.base import Matrix4
    from schemas.placement import Limits

POSE_KEYS = ("world_from_part", "pose_row_major")
LIMIT_KEYS = {
    "gap_over_diagonal_below": "gap_rel",
    "penetration_below": "interpenetration",
    "scale_from": "scale_min",
    "scale_to": "scale_max",
}
"""Plain words for limits that a pose file may use besides the names of the record."""


@click.command()
@click.argument("host", type=PATH)
@click.argument("part", type=PATH)
@click.option("--pose", type=PATH, required=True, help="JSON: world_from_part, limits.")
@click.option("--attach-to", default=None, help="Part of the host that carries it; default: the pose file's, or any.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
def check(host: Path, part: Path, *, pose: Path, attach_to: str | None, as_json: bool) -> None:
    """Judge a pose of PART on HOST by the four checks and the scale limits.

    Each mesh-bearing node of HOST is one part of it. Exit code 0 whatever the verdict; 2 when a file cannot be used.
    """
    matrix, limits, named = _read_pose(pose)
    from engine.placement.verdict import judge_pose

    verdict = judge_pose(host, part, matrix, attach_to or named, limits)
    if as_json:
        click.echo(json.dumps(_as_json(verdict), ensure_ascii=False, allow_nan=False, indent=1))
        return
    click.echo(verdict.verdict + (f": {verdict.reason}" if verdict.reason else ""))
    for name, value, limit in _rows(verdict, limits):
        click.echo(f"  {name:<28} {value:<24} {limit}")


def _read_pose(path: Path) -> tuple[Matrix4, Limits, str | None]:
    """Pose, limits and attach_to of a pose file. Raises InputError naming the file and the key."""
    from schemas.base import check_similarity
    from schemas.codec import parse_json, read_json_bytes
    from schemas.placement import Limits

    content = parse_json(read_json_bytes(path), path)
    if not isinstance(content, dict):
        raise InputError(f"{path}: must be a JSON object")
    key = next((name for name in POSE_KEYS if name in content), None)
    if key is None:
        raise InputError(f"{path}: has no {' or '.join(POSE_KEYS)}")
    try:
        matrix = check_similarity(_sixteen(content[key]))
        limits = Limits(**{LIMIT_KEYS.get(name, name): value for name, value in content.get("limits", {}).items()})
    except (ValueError, TypeError, AttributeError) as error:
        first = str(error).splitlines()[0]
        raise InputError(f"{path}: {key} or limits: {first}") from error
    named = content.get("attach_to")
    r = [float(value) for value in matrix]
    pose = (r[0], r[1], r[2], r[3], r[4], r[5], r[6], r[7], r[8], r[9], r[10], r[11], r[12], r[13], r[14], r[15])
    return pose, limits, named if isinstance(named, str) else None


def _sixteen(values: object) -> tuple[float, ...]:
    """Sixteen finite numbers. Raises ValueError."""
    if not isinstance(values, Sequence) or isinstance(values, str) or len(values) != 16:
        raise ValueError("must be 16 numbers, row by row")
    numbers = tuple(float(value) for value in values if isinstance(value, int | float) and not isinstance(value, bool))
    if len(numbers) != 16 or not all(abs(value) < float("inf") for value in numbers):
        raise ValueError("must be 16 finite numbers, row by row")
    return numbers


def _as_json(verdict: PoseVerdict) -> dict[str, Any]:
    """The verdict as plain values; what could not be measured is null."""
    return {name: getattr(verdict, name) for name in verdict.__dataclass_fields__}


def _rows(verdict: PoseVerdict, limits: Limits) -> list[tuple[str, str, str]]:
    """Name, value and limit of each measured quantity."""
    return [
        ("gap", f"{verdict.gap:.9g}", ""),
        ("gap / D", f"{verdict.gap_over_host_diagonal:.9g}", f"below {limits.gap_rel:g}"),
        ("part volume inside others", f"{verdict.fraction_of_part_volume:.6g}", f"below {limits.interpenetration:g}"),
        ("measured by", verdict.measure, ""),
        ("connected pieces", f"{verdict.connected_pieces_before} -> {verdict.connected_pieces_after}", "not more"),
        ("scale", f"{verdict.scale:.6g}", f"{limits.scale_min:g} to {limits.scale_max:g}"),
    ]
