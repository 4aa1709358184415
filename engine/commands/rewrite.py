"""`engine rewrite`: say the instructions of chains as a person would."""

from __future__ import annotations

import re
import sys
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from engine.arguments import PATH, executor_options
from schemas.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from engine.rewriting.run import FailedChain, RewriterChoice, RewrittenChain
    from library_index.executors import ExecutorKind


@click.command()
@click.argument("path", type=PATH)
@click.option("--rewriter", default="openai", show_default=True, help="Installed rewriter that is asked.")
@click.option("--base-url", help="Its address, as http://127.0.0.1:8000/v1; the key is ENGINE_REWRITE_KEY.")
@click.option("--model", required=True, help="The model it is to ask; it signs what it changes.")
@click.option("--recorded", type=PATH, help="Take answers from this folder alone, and ask no server.")
@click.option("--zh", is_flag=True, help="Ask for a Chinese sentence too.")
@click.option("--workers", type=int, help="Worker processes.")
@executor_options
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
def rewrite(
    path: Path,
    rewriter: str,
    base_url: str | None,
    model: str,
    recorded: Path | None,
    workers: int | None,
    executor: ExecutorKind,
    address: str | None,
    *,
    zh: bool,
    as_json: bool,
) -> None:
    """Have the drafted instructions of every chain below PATH said better, in place; the drafts are kept.

    A sentence that fails the lint or says something else than its draft is refused, and told why, up to three times;
    then the draft stays. Answers lie in rewriting/ beside the chains: nothing is asked twice. States do not change.
    """
    from chains.files import list_chains
    from engine.reporting import Progress, print_json
    from engine.rewriting.run import FailedChain, RewriterChoice, rewrite_files
    from engine.settings import read_settings
    from library_index.executors import ExecutorChoice

    choice = RewriterChoice(
        model=model, name=rewriter, url=base_url or "", recorded=recorded and recorded.absolute(), chinese=zh
    )
    _check_choice(choice)
    found = list_chains(path)
    progress = Progress("rewritten", len(found))
    done: list[RewrittenChain] = []
    failed: list[FailedChain] = []
    count = read_settings(workers=workers).workers
    for result in rewrite_files(found, choice, workers=count, executor=ExecutorChoice(executor, address)):
        progress.advance(result.chain)
        if isinstance(result, FailedChain):
            failed.append(result)
            click.echo(f"engine: {result.message}", err=True)
        else:
            done.append(result)
    progress.close()
    summary = _summarise(done, failed)
    if as_json:
        print_json(summary)
    else:
        for name, value in summary.items():
            if name not in {"by_reason", "failed"}:
                click.echo(f"{name:<14}{value}")
        for reason, times in summary["by_reason"].items():
            click.echo(f"  {reason:<24}{times}")
    if failed:
        codes = {entry.exit_code for entry in failed}
        sys.exit(4 if 4 in codes else max(codes))


def _check_choice(choice: RewriterChoice) -> None:
    """Try the choice out as far as that goes without a question."""
    from engine.rewriting.run import open_rewriter

    if (choice.recorded is None) == (not choice.url):
        raise InputError("give either --base-url, to ask a server, or --recorded, to ask none")
    if re.match(r"[/~.]|[A-Za-z]:\\|\w+://", choice.model):
        raise InputError(f"--model {choice.model!r:.100} is a place; chains hold none: let the server give it a name")
    if choice.recorded is not None and not choice.recorded.is_dir():
        raise InputError(f"--recorded {choice.recorded}: no such folder")
    open_rewriter(choice, Path())


def _summarise(done: Sequence[RewrittenChain], failed: Sequence[FailedChain]) -> dict[str, Any]:
    """Counts over all chains; reasons by their kind, the most frequent first."""
    reasons = Counter(reason.partition(":")[0] for row in done for reason in row.reasons)
    return {
        "chains": len(done),
        "changed": sum(row.changed for row in done),
        "turns": sum(row.fates.total() for row in done),
        "taken": sum(row.fates["taken"] for row in done),
        "refused": sum(row.fates["refused"] for row in done),
        "asked_before": sum(row.fates["asked before"] for row in done),
        "not_drafts": sum(row.fates["not a draft"] for row in done),
        "chinese": sum(row.chinese for row in done),
        "by_reason": dict(sorted(reasons.items(), key=lambda entry: (-entry[1], entry[0]))),
        "failed": [{"chain": entry.chain, "message": entry.message} for entry in failed],
    }
