"""`engine inspect`: what one glTF file holds."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import click

from engine.arguments import PATH
from schemas.errors import InputError

if TYPE_CHECKING:
    from engine.framing import Point
    from engine.gltf.document import Document
    from engine.gltf.inspection import Report

MEASURE_NAMES = ("contacts", "pieces", "symmetry", "volume")


@click.command()
@click.argument("file", type=PATH)
@click.option("--measure", "measures", type=click.Choice(MEASURE_NAMES), multiple=True, help="Slow; may be repeated.")
@click.option("--probe", "probes", metavar="X,Y,Z", multiple=True, help="Colour at a point; may be repeated.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document instead of a table.")
def inspect(file: Path, *, measures: tuple[str, ...], probes: tuple[str, ...], as_json: bool) -> None:
    """List parts, bounds, area and materials of one glTF FILE.

    Warnings go to stderr. Exit code 2 when the file is refused.
    """
    from engine.gltf.document import read_document
    from engine.gltf.inspection import inspect_document

    points = [_point(text) for text in probes]
    document = read_document(file)
    report = {**inspect_document(document), **_measure(document, measures, points)}
    for warning in report["warnings"]:
        click.echo(f"warning: {file.name}: {warning}", err=True)
    if as_json:
        click.echo(json.dumps(report, ensure_ascii=False, allow_nan=False, indent=1))
        return
    click.echo(f"{report['file']}  sha256 {report['sha256'][:16]}")
    click.echo(
        f"{report['n_parts']} parts, {report['triangles']} triangles, area {report['area']:.6g}, "
        f"extents {_numbers(report['extents'])}"
    )
    for part in report["parts"]:
        click.echo(_part_line(part))
        for material in part["materials"]:
            click.echo(_material_line(material))
    for node in report["ignored_nodes"]:
        click.echo(f"  ignored: {node['name']!r} {node['reason']}")
    for part in report["empty_parts"]:
        click.echo(f"  empty: {part['id']!r}, {part['triangles']} triangles without area")
    for name, value in report.get("measured", {}).items():
        for row in value if isinstance(value, list) else [value]:
            click.echo(f"  {name}: {_pairs(row)}")
    for row in report.get("probes", []):
        click.echo(f"  probe: {_pairs(row)}")


def _point(text: str) -> Point:
    """Three finite numbers. Raises InputError."""
    try:
        x, y, z = (float(word) for word in text.split(","))
    except ValueError as error:
        raise InputError(f"--probe must be three numbers X,Y,Z, found {text!r}") from error
    if not all(abs(value) < float("inf") for value in (x, y, z)):
        raise InputError(f"--probe must be three finite numbers, found {text!r}")
    return x, y, z


def _measure(document: Document, measures: tuple[str, ...], points: list[Point]) -> Report:
    """What was asked for beyond the plain report; the kernels are loaded only then."""
    if not measures and not points:
        return {}
    from engine.measuring import measure_document, probe_document

    report: Report = {}
    if measures:
        report["measured"] = measure_document(document, measures)
    if points:
        report["probes"] = probe_document(document, points)
    return report


def _pairs(row: Report) -> str:
    return ", ".join(
        f"{key} {value:.6g}" if isinstance(value, float) else f"{key} {value}" for key, value in row.items()
    )


def _numbers(values: list[float] | None) -> str:
    return "none" if values is None else " x ".join(f"{value:.6g}" for value in values)


def _part_line(part: Report) -> str:
    volume = (
        f"volume {part['signed_volume']:.6g}" if part["closed"] else f"open, {part['boundary_edges']} boundary edges"
    )
    return (
        f"  {part['id']}: {part['triangles']} triangles, extents {_numbers(part['extents'])}, area {part['area']:.6g}, "
        f"{volume}, {part['components']} components"
    )


def _material_line(material: Report) -> str:
    textures = ", ".join(material["textures"]) or "none"
    return (
        f"    material {material['name'] or '(unnamed)'}: {material['triangles']} triangles, "
        f"colour {_numbers(material['base_color_linear'])}, metallic {material['metallic']:g}, "
        f"roughness {material['roughness']:g}, {material['alpha_mode'].lower()}, textures {textures}"
    )
