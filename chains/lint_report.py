"""The findings on a folder of chains, for `engine lint`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Any, NamedTuple

from chains.files import list_chains, read_chain
from chains.lint import RULES, Finding, lint_chain


class ChainFinding(NamedTuple):
    """A finding, the chain and the turn it is about."""

    chain: str
    turn: int
    finding: Finding


@dataclass(frozen=True, slots=True)
class LintReport:
    """What was read and what was found."""

    chains: int
    words: tuple[int, ...]
    """Length of every instruction in words."""
    findings: tuple[ChainFinding, ...]

    @property
    def by_rule(self) -> dict[str, int]:
        """Findings of each rule that found something, in the order of the rules."""
        counts = Counter(entry.finding.rule for entry in self.findings)
        return {rule: counts[rule] for rule in RULES if counts[rule]}

    def document(self) -> dict[str, Any]:
        """Everything as plain values."""
        return {
            "chains": self.chains,
            "turns": len(self.words),
            "words_median": median(self.words) if self.words else None,
            "by_rule": self.by_rule,
            "findings": [
                {
                    "chain": entry.chain,
                    "turn": entry.turn,
                    "rule": entry.finding.rule,
                    "words": entry.finding.words,
                    "message": entry.finding.message,
                }
                for entry in self.findings
            ],
        }

    def lines(self) -> Iterator[str]:
        """One line a finding, then the counts."""
        for chain, turn, finding in self.findings:
            yield f"{chain}: turn {turn}: {finding.rule}: {finding.words}: {finding.message}"
        for rule, count in self.by_rule.items():
            yield f"{rule:<15}{count}"
        middle = f", median {median(self.words):g} words" if self.words else ""
        yield f"{len(self.findings)} findings in {len(self.words)} instructions of {self.chains} chains{middle}"


def lint_files(path: Path) -> LintReport:
    """Read and judge every chain below `path`. Raises InputError when there is none."""
    words: list[int] = []
    findings: list[ChainFinding] = []
    files = list_chains(path)
    for file in files:
        chain = read_chain(file)
        words.extend(len(turn.instruction.split()) for turn in chain.turns)
        findings.extend(ChainFinding(chain.id, entry.turn, entry.finding) for entry in lint_chain(chain))
    return LintReport(len(files), tuple(words), tuple(findings))
