"""`engine suite`: other tasks than chains, scored from files."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

import click

from engine.arguments import PATH

compat_option = click.option(
    "--compat",
    type=click.Choice(["3dharness", "edit3d", "lego"]),
    help="Rules of another benchmark; every switch that differs from ours is named in the report.",
)


@click.group()
def suite() -> None:
    """Score rebuilt objects and scenes, readouts and trajectories from files."""


@suite.command()
@click.argument("targets", type=PATH)
@click.argument("outputs", type=PATH)
@click.option("--out", type=PATH, required=True, help="Folder for objects.json and objects.md.")
@compat_option
@click.option("--workers", type=int, help="Worker processes; the scores do not depend on them.")
@click.option("--json", "as_json", is_flag=True, help="Print the figures of the run as one JSON document.")
def objects(targets: Path, outputs: Path, out: Path, compat: str | None, workers: int | None, *, as_json: bool) -> None:
    """Score the GLB files below OUTPUTS against those of the same names below TARGETS.

    Chamfer distance of clouds in the unit sphere under 24 rotations, and Betti numbers. Every target is a case: an
    output that is missing or broken counts the penalty.
    """
    from chains.storage import write_atomic
    from engine.reporting import print_json
    from engine.settings import read_settings
    from evaluator.suites.compat import find_rules, list_quirks
    from evaluator.suites.object_files import score_object_files
    from evaluator.tables.object_report import write_object_report
    from schemas.codec import encode

    rules = find_rules(compat)
    report = score_object_files(targets, outputs, rules.objects, compat, read_settings(workers=workers).workers)
    quirks = tuple(quirk for quirk in list_quirks(rules) if quirk.switch.startswith("objects."))
    write_atomic(out / "objects.json", encode(report))
    write_atomic(out / "objects.md", write_object_report(report, quirks).encode())
    if as_json:
        print_json(report.model_dump(mode="json", exclude={"cases", "rules"}))
    else:
        click.echo(f"{report.attempted} cases, {report.defined} with a distance: {out / 'objects.md'}")


@suite.command()
@click.argument("truths", type=PATH)
@click.argument("outputs", type=PATH)
@click.option("--out", type=PATH, required=True, help="Folder for scenes.json and scenes.md.")
@click.option("--compat", type=click.Choice(["lego"]), help="Rules of another benchmark, named in the report.")
@click.option(
    "--draw",
    is_flag=True,
    help="Draw depth and pictures of outputs from scene.glb through the true cameras; else they are read.",
)
@click.option(
    "--validity",
    type=click.Choice(["all", "glb"]),
    default="all",
    show_default=True,
    help="Files that must load; `glb` leaves scene.blend out, where the extra `blender` is not installed.",
)
@click.option("--workers", type=int, help="Worker processes; the scores do not depend on them.")
@click.option("--json", "as_json", is_flag=True, help="Print the figures of the run as one JSON document.")
def scenes(
    truths: Path,
    outputs: Path,
    out: Path,
    compat: str | None,
    validity: Literal["all", "glb"],
    workers: int | None,
    *,
    draw: bool,
    as_json: bool,
) -> None:
    """Score the scenes below OUTPUTS against those at the same places below TRUTHS.

    A case is a folder with readout.json, the pictures it names and metric_V.png, as `engine render --readouts` leaves
    them. An output has scene.blend and scene.glb and, without --draw, all of these too. Visible surfaces and looks are
    compared view by view; every truth is a case, and one that is missing or not valid counts 0.
    """
    from chains.storage import write_atomic
    from engine.reporting import print_json
    from engine.settings import read_settings
    from evaluator.suites.compat import find_rules, list_quirks
    from evaluator.suites.scene_files import SceneChoice, score_scene_files
    from evaluator.tables.scene_report import write_scene_report
    from schemas.codec import encode

    rules = find_rules(compat)
    count, choice = read_settings(workers=workers).workers, SceneChoice(draw, validity)
    report = score_scene_files(truths, outputs, rules, compat, count, choice)
    quirks = tuple(quirk for quirk in list_quirks(rules) if quirk.switch.startswith(("scenes.", "backdrop")))
    write_atomic(out / "scenes.json", encode(report))
    write_atomic(out / "scenes.md", write_scene_report(report, quirks).encode())
    if as_json:
        print_json(report.model_dump(mode="json", exclude={"cases", "rules"}))
    else:
        overall = f"{report.overall:.4f}" if isinstance(report.overall, float) else "-"
        click.echo(f"{report.attempted} cases, {report.valid} valid, overall {overall}: {out / 'scenes.md'}")


@suite.command()
@click.argument("truths", type=PATH)
@click.argument("outputs", type=PATH)
@click.option("--out", type=PATH, required=True, help="File for the figures, as JSON.")
def readouts(truths: Path, outputs: Path, out: Path) -> None:
    """Score the readouts below OUTPUTS against those at the same places below TRUTHS.

    COCO's average precision of boxes and masks, a slot's label its category, and AbsRel of the depth of views whose
    true depth is there. A missing readout finds nothing.
    """
    from chains.storage import write_atomic
    from evaluator.suites.readout_files import score_readout_files
    from schemas.codec import encode

    report = score_readout_files(truths, outputs)
    write_atomic(out, encode(report))
    for name, found in (("box", report.box), ("mask", report.mask)):
        values = [f"{value:.4f}" if isinstance(value, float) else "-" for value in (found.ap, found.ap50, found.ap75)]
        click.echo(f"{name:<5} AP {values[0]}  AP50 {values[1]}  AP75 {values[2]}")
    depth = report.depth
    if depth.views:
        value = f"{depth.abs_rel:.4f}" if isinstance(depth.abs_rel, float) else "-"
        click.echo(f"depth AbsRel {value} over {depth.defined} of {depth.views} views")
    click.echo(f"{report.readouts} readouts, {len(report.missing)} missing, {report.images} views: {out}")


@suite.command()
@click.argument("log", metavar="FILE", type=PATH)
@click.option("--out", type=PATH, required=True, help="File for the figures, as JSON.")
def trajectories(log: Path, out: Path) -> None:
    """Say how the cases of FILE came to their results: first evaluable version, versions that made it worse, regret.

    FILE holds the versions of each case with times and scores (schemas/json/trajectory_log.schema.json).
    """
    from chains.storage import write_atomic
    from evaluator.suites.trajectory_files import score_trajectory_file
    from schemas.codec import encode

    report = score_trajectory_file(log)
    write_atomic(out, encode(report))
    found = report.summary
    figures = (
        ("first evaluable, s", found.first_evaluable_seconds),
        ("share of budget", found.first_evaluable_share),
        ("versions that lower", found.lowered_share),
        ("regret", found.regret),
    )
    for name, value in figures:
        click.echo(f"{name:<19} {value:.4f}" if isinstance(value, float) else f"{name:<19} -")
    click.echo(f"{found.cases} cases, {found.without_evaluable} without an evaluable version: {out}")
