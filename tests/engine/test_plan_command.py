"""Plans: printed, written, edited, followed, and refused when they do not fit."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from chains.files import list_chains, read_chain
from chains.plan import SHARES
from engine.building import open_shared_parts
from engine.cli import engine
from schemas.errors import InputError
from schemas.operation import OPS
from tests.box_chains import index_boxes


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The index of four hosts made of boxes."""
    return index_boxes(tmp_path_factory.mktemp("planned"))


def run(*words: object) -> None:
    """`engine` in this process; raises what the command line would print."""
    open_shared_parts.cache_clear()
    engine.main([*map(str, words)], standalone_mode=False)
    open_shared_parts.cache_clear()


def plan_of(index: Path, path: Path, *words: object) -> dict[str, Any]:
    """A plan as it is written to `path`."""
    run("plan", "--library", index, "--out", path, *words)
    document: dict[str, Any] = json.loads(path.read_bytes())
    return document


def test_a_plan_holds_what_was_asked_for(index: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Numbers by family, more than there are hosts by following seeds; operations of the family; a line a chain."""
    plan = plan_of(index, tmp_path / "plan.json", "--families", "A=6,R=2", "--seed", 7)
    assert [entry["family"] for entry in plan["chains"]].count("A") == 6
    assert [entry["family"] for entry in plan["chains"]].count("R") == 2
    assert {entry["seed"] for entry in plan["chains"]} == {7, 8}
    for entry in plan["chains"]:
        allowed = {op for op, share in zip(OPS, SHARES[entry["family"]], strict=True) if share}
        assert set(entry["ops"]) <= allowed
        assert 3 <= len(entry["ops"]) <= 30
    said = capsys.readouterr().out.splitlines()
    assert said[-1] == f"8 chains, {sum(len(entry['ops']) for entry in plan['chains'])} turns"
    assert len(said) == 9
    assert plan_of(index, tmp_path / "again.json", "--families", "A=6,R=2", "--seed", 7) == plan


def test_an_edited_plan_is_followed(index: Path, tmp_path: Path) -> None:
    """The chains of the file in its order, with the operations a person wrote into it, as long as they can be done."""
    path = tmp_path / "plan.json"
    plan = plan_of(index, path, "--families", "X", "--seed", 3)
    (entry,) = (entry for entry in plan["chains"] if entry["host"] == "table")
    plan["chains"] = [{**entry, "ops": ["retexture", "remove", "retexture", "remove"]}]
    path.write_text(json.dumps(plan))
    run("build", "--library", index, "--plan", path, "--out", tmp_path / "chains")
    (file,) = list_chains(tmp_path / "chains")
    chain = read_chain(file)
    assert chain.id == entry["chain"]
    assert [turn.operation.op for turn in chain.turns] == ["retexture", "remove", "retexture", "remove"]
    plan["chains"][0]["ops"] = ["retexture", "remove", "retexture"]
    path.write_text(json.dumps(plan))
    with pytest.raises(InputError, match="plan differ"):
        run("build", "--library", index, "--plan", path, "--out", tmp_path / "chains")


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda plan: plan.update(library_sha256="0" * 64), "the plan is of library 000000000000"),
        (lambda plan: plan["chains"][0].update(host="sofa"), "no host 'sofa'"),
        (lambda plan: plan["chains"].append(plan["chains"][0]), "is there twice"),
        (lambda plan: plan["chains"][0].update(ops=["remove", "add", "remove"]), "family R has no add"),
        (lambda plan: plan["chains"][0].update(family="G"), "not the name of a chain of family G"),
        (lambda plan: plan["chains"][0].update(ops=["remove"]), "ops"),
    ],
)
def test_a_plan_that_does_not_fit_is_refused(index: Path, tmp_path: Path, change: Any, said: str) -> None:
    """Another library, an unknown host, a chain twice, an operation of another family, too few turns."""
    path = tmp_path / "plan.json"
    plan = plan_of(index, path, "--families", "R")
    change(plan)
    path.write_text(json.dumps(plan))
    with pytest.raises(InputError, match=said):
        run("build", "--library", index, "--plan", path, "--out", tmp_path / "chains")


@pytest.mark.parametrize("families", ["A=0", "A=x", "A=2,G", "A=", "Q=3", "A=-1"])
def test_numbers_of_chains_are_whole_and_given_for_all(index: Path, tmp_path: Path, families: str) -> None:
    """Either every family has a number or none has."""
    with pytest.raises(InputError, match="--families"):
        run("build", "--library", index, "--out", tmp_path, "--families", families)


def test_two_ways_to_say_how_many_are_refused(index: Path, tmp_path: Path) -> None:
    """A total beside numbers by family, or beside a plan."""
    with pytest.raises(InputError, match="--chains and numbers"):
        run("build", "--library", index, "--out", tmp_path, "--families", "A=2", "--chains", 3)
    with pytest.raises(InputError, match="--chains and --plan"):
        run("build", "--library", index, "--out", tmp_path, "--plan", tmp_path / "p.json", "--chains", 3)
