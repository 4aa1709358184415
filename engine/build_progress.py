"""What a build says while it runs: chains, rate, what was given up, and what was most often in the way."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import click

from chains.files import chain_path, read_chain
from chains.report import rank_rejections
from engine.reporting import Progress
from engine.run_log import RunLog
from schemas.events import ChainAbandoned, ChainBuilt

REASONS = 3


class BuildProgress:
    """Prints the events of a build on stderr."""

    def __init__(self, out: Path, total: int, log: RunLog) -> None:
        self._out = out
        self._log = log
        self._line = Progress("built", total)
        self._rejected: Counter[str] = Counter()
        self._at_ends: Counter[str] = Counter()
        self.built: list[str] = []
        self.abandoned: list[ChainAbandoned] = []

    def take(self, event: ChainBuilt | ChainAbandoned) -> None:
        """Print one event."""
        if isinstance(event, ChainAbandoned):
            self.abandoned.append(event)
            click.echo(f"abandoned {event.family} on {event.host}: {event.reason}", err=True)
            return
        self.built.append(event.chain)
        chain = read_chain(chain_path(self._out, event.chain))
        self._at_ends.update({entry.check: entry.count for entry in chain.ended_by})
        for turn in chain.turns:
            for entry in turn.rejected:
                self._rejected[entry.check] += entry.count
        self._line.advance(f"{event.chain} {event.turns} turns, {describe_rate(self._log)}")

    def close(self) -> None:
        """Print the rate of the whole build and the most frequent reasons of rejection."""
        self._line.close()
        log = self._log
        click.echo(
            f"built {len(self.built)} chains with {log.turns} turns in {log.wall_s:.0f} s: {describe_rate(log)}",
            err=True,
        )
        line = describe_rejections(self._rejected, self._at_ends, self.abandoned)
        if line:
            click.echo(line, err=True)


def describe_rate(log: RunLog) -> str:
    """Turns a minute over all sessions of a build."""
    return f"{log.turns_per_minute:.1f} turns/min, {log.count('abandoned')} abandoned"


def describe_rejections(before_turns: Counter[str], at_ends: Counter[str], abandoned: Sequence[ChainAbandoned]) -> str:
    """The checks that turned away most candidates, as one line; empty when nothing was turned away."""
    rows = rank_rejections(before_turns, at_ends, abandoned)
    total = sum(row.total for row in rows)
    named = [f"{row.check} {row.total} ({row.total / total:.0%})" for row in rows[:REASONS]]
    return f"{total} candidates rejected, most often by {', '.join(named)}" if named else ""
