"""The example programs do what they say, run as the documents tell."""

from __future__ import annotations

import json
from pathlib import Path

from click.testing import CliRunner

from chains.files import list_chains, read_chain
from engine.cli import engine
from evaluator.outputs import output_path, read_output

EXAMPLES = Path(__file__).resolve().parents[3] / "examples" / "methods"


def _run(index: Path, chain: Path, out: Path, *flags: str) -> dict[str, int]:
    arguments = ["rollout", "--chains", str(chain), "--library", str(index), "--out", str(out), "--json", *flags]
    done = CliRunner().invoke(engine, arguments, catch_exceptions=False)
    assert done.exit_code == 0, done.output
    counts: dict[str, int] = json.loads(done.stdout)
    return counts


def test_the_shell_example_gives_back_what_it_got(index: Path, one_chain: Path, tmp_path: Path) -> None:
    """All turns are delivered, each the same bytes as the first."""
    program = ["--method", "command", "--program", str(EXAMPLES / "keep.sh"), "--name", "keep", "--access", ""]
    counts = _run(index, one_chain, tmp_path, *program)
    chain = read_chain(one_chain)
    assert (counts["completed"], counts["delivered"]) == (1, len(chain.turns))
    assert len({output_path(tmp_path, chain.id, turn.index).read_bytes() for turn in chain.turns}) == 1


def test_the_python_example_paints_in_the_colour_that_was_named(index: Path, chains: Path, tmp_path: Path) -> None:
    """After a turn that names a colour all surfaces have it, and no picture; before, they are as they were."""
    paths = [path for path in list_chains(chains) if path.parent.name == "M"]
    path = next(path for path in paths if " blue " in read_chain(path).turns[1].instruction)
    counts = _run(index, path, tmp_path, "--method", str(EXAMPLES / "recolor.toml"))
    chain = read_chain(path)
    assert counts["delivered"] == len(chain.turns)
    named = [
        any(f" {color} " in turn.instruction for color in ("red", "green", "blue", "white")) for turn in chain.turns
    ]
    assert named[:2] == [False, True]
    painted = False
    for turn, is_named in zip(chain.turns, named, strict=True):
        painted = painted or is_named
        surfaces = read_output(output_path(tmp_path, chain.id, turn.index)).model.surfaces
        colors = {surface.material.base_color_factor for surface in surfaces}
        assert (len(colors) == 1) == painted
