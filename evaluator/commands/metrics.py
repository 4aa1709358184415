"""`engine metrics`: what each score means."""

from __future__ import annotations

import textwrap

import click


@click.group()
def metrics() -> None:
    """List the scores, or explain one."""


@metrics.command("list")
def list_metrics() -> None:
    """Print every score: name, symbol, which way is better."""
    from evaluator.catalogue import METRICS

    for metric in METRICS:
        click.echo(f"{metric.name:<30} {metric.symbol:<10} {metric.better}")


@metrics.command()
@click.argument("name")
def explain(name: str) -> None:
    """Print definition, options and source of the score NAME, which is its name or symbol."""
    from evaluator.catalogue import find_metric

    metric = find_metric(name)
    click.echo(f"{metric.symbol} ({metric.name})")
    click.echo(textwrap.fill(metric.definition, 100))
    _print_way(name)
    click.echo(f"better   {metric.better}")
    click.echo(textwrap.fill(f"defined  {metric.defined}", 100, subsequent_indent="         "))
    if metric.options:
        click.echo(f"options  {', '.join(metric.options)}")
    if metric.source:
        click.echo(textwrap.fill(f"source   {metric.source}", 100, subsequent_indent="         "))


def _print_way(name: str) -> None:
    """Say how the column `chamfer_floor` was measured, where that is not as the score of its plain name."""
    from evaluator.catalogue import WAYS, split_way

    _, ending = split_way(name.strip().lower())
    if ending:
        click.echo(f"measured {WAYS[ending]}")
