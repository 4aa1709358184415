"""`engine lint` from the shell: what it prints and how it ends."""

from __future__ import annotations

import json
from pathlib import Path

from click.testing import CliRunner

from engine.commands.lint import lint
from schemas.codec import encode
from tests.chain_examples import chain_of, remove


def write(folder: Path, sentence: str) -> Path:
    """A chain of one removal with this instruction."""
    chain = chain_of(remove("shade"))
    turn = chain.turns[0].model_copy(update={"instruction": sentence})
    (folder / "chain.json").write_bytes(encode(chain.model_copy(update={"turns": (turn,)})))
    return folder


def test_finding_ends_with_one(tmp_path: Path) -> None:
    """Chain, turn, rule, words and message on one line; exit code 1."""
    done = CliRunner().invoke(lint, [str(write(tmp_path, "Remove every shade."))])
    assert done.exit_code == 1
    assert done.output.splitlines()[0] == "G/desk_s1: turn 1: coverage-claim: every: the turn edits one piece"


def test_nothing_found_ends_with_zero(tmp_path: Path) -> None:
    """Counts alone, as text and as a document."""
    path = str(write(tmp_path, "Remove the shade."))
    done = CliRunner().invoke(lint, [path])
    assert (done.exit_code, done.output) == (0, "0 findings in 1 instructions of 1 chains, median 3 words\n")
    document = json.loads(CliRunner().invoke(lint, [path, "--json"]).output)
    assert document == {"chains": 1, "turns": 1, "words_median": 3, "by_rule": {}, "findings": []}
