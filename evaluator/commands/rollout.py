"""`engine rollout`: run a method on chains, on its own outputs."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path
from typing import TYPE_CHECKING, get_args

import click

from engine.arguments import PATH, executor_options
from schemas.errors import InputError
from schemas.method import Access, MethodManifest

if TYPE_CHECKING:
    from collections.abc import Sequence

    from evaluator.rollout.order import RolledChain
    from evaluator.rollout.status import RolloutStatus
    from library_index.executors import ExecutorKind
    from schemas.rollout import InputKind
    from schemas.rollout_run import PictureKind, RolloutSettings

PROGRAMS = ("command", "regenerate")
FLAGS = "the command line"


@click.group(invoke_without_command=True)
@click.option("--method", help="A plugin, a manifest as my_method.toml, or `command` or `regenerate` with --program.")
@click.option("--program", help="With `command` and `regenerate`: program and arguments, in one text.")
@click.option("--name", help="Of the method's row in every table; needed with --program.")
@click.option("--access", help="With --program: comma-separated, of picture, operation, camera, edit_mask.")
@click.option("--set", "options", multiple=True, help="An option of the method, as library=PATH; may be repeated.")
@click.option("--chains", type=PATH, help="The chains to run it on: a folder, or one file.")
@click.option("--first", type=click.IntRange(min=1), help="Only so many chains, from each family evenly.")
@click.option("--out", type=PATH, help="Folder for the outputs.")
@click.option("--library", type=PATH, help="Library index of the chains; else ENGINE_LIBRARY or engine.toml.")
@click.option(
    "--input",
    "given",
    type=click.Choice(["own", "ground-truth"]),
    default="own",
    show_default=True,
    help="What it edits: its own last output, or, for diagnosis, the true state before each turn.",
)
@click.option(
    "--picture",
    type=click.Choice(["conditioning", "metric"]),
    default="conditioning",
    show_default=True,
    help="How pictures for it are drawn: by Cycles (extra `blender`), or by rays.",
)
@click.option("--res", type=click.IntRange(16, 4096), help="Their side in pixels; else the rig's.")
@click.option("--seconds", type=click.FloatRange(min=0.1), help="Limit of a turn; else the manifest's, else 600.")
@click.option("--memory-mib", type=click.IntRange(min=16), help="Limit of all its processes; else 8192.")
@click.option("--fresh", is_flag=True, help="Put outputs that are there aside and begin anew.")
@click.option("--workers", type=int, help="Chains at a time; the outputs do not depend on it.")
@executor_options
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
@click.pass_context
def rollout(
    context: click.Context,
    method: str | None,
    program: str | None,
    name: str | None,
    access: str | None,
    options: tuple[str, ...],
    chains: Path | None,
    first: int | None,
    out: Path | None,
    library: Path | None,
    given: InputKind,
    picture: PictureKind,
    res: int | None,
    seconds: float | None,
    memory_mib: int | None,
    workers: int | None,
    executor: ExecutorKind,
    address: str | None,
    *,
    fresh: bool,
    as_json: bool,
) -> None:
    """Run METHOD on chains: each turn's input is its own last output.

    It runs as a child process in a folder of its own, with what it declared access to and nothing of the ground truth
    besides. The same command goes on after an interruption. A turn without an output fails and blocks the rest of its
    chain: that is a result, not an error. Exit 1 or more when a chain could not be run for other reasons.
    """
    if context.invoked_subcommand is not None:
        return
    from engine.reporting import Progress
    from engine.settings import need_library, read_settings
    from evaluator.rollout.chain_choice import choose_chains
    from evaluator.rollout.method_choice import check_options
    from evaluator.rollout.order import RolloutOrder
    from evaluator.rollout.run import roll_out
    from library_index.executors import ExecutorChoice

    if method is None or chains is None or out is None:
        raise click.UsageError("--method, --chains and --out are needed")
    manifest = _limit(_choose_method(method, program, name, access, options), seconds, memory_mib)
    check_options(manifest)
    index = need_library(library).resolve()
    order = RolloutOrder(
        library=index,
        out=out.resolve(),
        settings=_settle(manifest, index, given, picture, res),
        workers=read_settings(workers=workers).workers,
        executor=ExecutorChoice(executor, address),
    )
    paths = choose_chains(chains, first)
    progress = Progress("rolled out", len(paths))
    results = []
    for result in roll_out(paths, order, fresh=fresh):
        progress.advance(result.chain)
        results.append(result)
    progress.close()
    _report(sorted(results, key=lambda result: result.chain), as_json=as_json)


@rollout.command()
@click.argument("run", type=PATH)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
def status(run: Path, *, as_json: bool) -> None:
    """How the rollout in folder RUN stands: chains, turns, failures and cost so far."""
    from engine.reporting import print_json
    from evaluator.rollout.status import read_status

    found = read_status(run)
    if as_json:
        print_json(found.model_dump(mode="json"))
    else:
        for line in _format_status(found):
            click.echo(line)


def _choose_method(
    method: str, program: str | None, name: str | None, access: str | None, options: tuple[str, ...]
) -> MethodManifest:
    """The method that the flags mean."""
    from evaluator.rollout.method_choice import check_manifest, find_method, place_command

    if method in PROGRAMS:
        if not program or not name:
            raise InputError(f"--method {method} needs --program and --name")
        words = _split("--program", program)
        wanted = (
            tuple(part.strip() for part in access.split(",") if part.strip()) if access is not None else ("picture",)
        )
        unknown = [entry for entry in wanted if entry not in get_args(Access)]
        if unknown:
            raise InputError(f"--access: unknown {unknown[0]!r}; known are {', '.join(get_args(Access))}")
        found = check_manifest(
            {
                "name": name,
                "command": place_command(words, Path.cwd()),
                "access": wanted,
                "aligns": method == "regenerate",
            },
            FLAGS,
        )
    else:
        if program is not None or access is not None:
            raise InputError(f"--program and --access go with --method {' or '.join(PROGRAMS)}")
        found = find_method(method)
        found = found.model_copy(update={"name": name}) if name else found
    given = dict(found.options)
    for option in options:
        key, equals, value = option.partition("=")
        if not key or not equals:
            raise InputError(f"--set needs NAME=VALUE, found {option!r:.100}")
        given[key] = value
    return check_manifest({**found.model_dump(), "options": sorted(given.items())}, FLAGS)


def _split(option: str, text: str) -> tuple[str, ...]:
    """The words of a command line, as a shell takes them apart. Raises InputError when there are none."""
    try:
        words = tuple(shlex.split(text))
    except ValueError as error:
        raise InputError(f"{option}: {error}: {text!r:.100}") from error
    if not words:
        raise InputError(f"{option} is empty")
    return words


def _limit(manifest: MethodManifest, seconds: float | None, memory_mib: int | None) -> MethodManifest:
    """The method with the limits of the command line, where there are some."""
    from evaluator.rollout.method_choice import check_manifest

    changed = {"seconds": seconds, "memory_mib": memory_mib}
    limits = {**manifest.limits.model_dump(), **{name: value for name, value in changed.items() if value is not None}}
    return check_manifest({**manifest.model_dump(), "limits": limits}, FLAGS)


def _settle(
    manifest: MethodManifest, index: Path, given: InputKind, picture: PictureKind, res: int | None
) -> RolloutSettings:
    """What decides the outputs; a method that wants no pictures has no settings of them."""
    from evaluator.rollout.method_choice import hash_files
    from library_index.library import open_library
    from schemas.rollout_run import RolloutSettings

    wants_picture = "picture" in manifest.access
    return RolloutSettings(
        method=manifest,
        files=hash_files(manifest.command or ()),
        input=given,
        picture=picture if wants_picture else None,
        picture_px=res if wants_picture else None,
        library_sha256=open_library(index).manifest.library_sha256,
    )


def _report(results: Sequence[RolledChain], *, as_json: bool) -> None:
    """Say what became of the chains; exit with the gravest code when one could not be run."""
    from engine.reporting import print_json, say_on_stderr

    records = [result.record for result in results if result.record is not None]
    turns = [turn for record in records for turn in record.turns]
    counts = {
        "chains": len(records),
        "kept": sum(result.kept for result in results),
        "completed": sum(not r.unresolved and all(t.status == "delivered" for t in r.turns) for r in records),
        "unresolved": sum(record.unresolved for record in records),
        **{status: sum(turn.status == status for turn in turns) for status in ("delivered", "failed", "blocked")},
    }
    failures = [result for result in results if result.failure]
    if as_json:
        rows = [{"chain": entry.chain, "message": entry.failure} for entry in failures]
        print_json({**counts, "failures": rows})
    else:
        click.echo(", ".join(f"{name} {count}" for name, count in counts.items()))
    for result in results:
        for note in result.notes:
            say_on_stderr(f"{result.chain}: {note}")
    for entry in failures:
        say_on_stderr(entry.failure)
    if failures:
        sys.exit(max(entry.exit_code for entry in failures))


def _format_status(found: RolloutStatus) -> list[str]:
    """A rollout in a few lines of text."""
    chains = ("asked", "completed", "ended", "unresolved", "under_way", "not_begun", "reruns")
    lines = [
        f"{found.method} (input {found.input}), {found.sessions} sessions",
        "chains  " + ", ".join(f"{getattr(found, name)} {name.replace('_', ' ')}" for name in chains),
        f"turns   {found.delivered} delivered, {found.failed} failed, {found.blocked} blocked",
    ]
    lines += [f"        {count} {reason}" for reason, count in found.reasons]
    if found.seconds_median is not None and found.seconds_p90 is not None:
        lines.append(f"seconds median {found.seconds_median:.3g}, p90 {found.seconds_p90:.3g}")
    lines += [
        f"{entry.kind.replace('_', ' ')}: {entry.total:g} over {entry.turns} turns"
        for entry in found.spent
        if entry.turns
    ]
    return lines
