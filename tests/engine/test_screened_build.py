"""Builds with a screener and with rules of one's own: what is rejected, recorded, and refused on resume."""

from __future__ import annotations

import hashlib
import json
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest

from chains.files import RUN_FILE
from engine.building import BuildOrder, build_chains, open_shared_parts
from engine.cli import engine
from engine.screening.desk import ScreenerChoice
from engine.slots.propose import propose_registry
from library_index.library import open_library
from library_index.rules import DEFAULT_RULES
from schemas.chain import Chain
from schemas.codec import read_record
from schemas.errors import InputError, ScreeningError
from schemas.placement import Limits
from tests.box_chains import index_boxes
from tests.fake_chat_server import FIT, REJECT, FakeChatServer, Reply, serving

EYE = ScreenerChoice(name="openai", model="eye-1")


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The index of four hosts made of boxes."""
    return index_boxes(tmp_path_factory.mktemp("boxes"))


@pytest.fixture(autouse=True)
def _fresh() -> Iterator[None]:
    """No library, rules or screener of another test."""
    yield
    open_shared_parts.cache_clear()


def build(index: Path, out: Path, url: str) -> list[Chain]:
    """Build a chain of removals and one of new looks on the table; the chains in the order of their names."""
    hosts = [entry.host for entry in propose_registry(open_library(index)).hosts if entry.host.object_id == "table"]
    order = BuildOrder(index, out, hosts, ("R", "M"), 3, Limits(), screener=EYE, screen_url=url)
    for _ in build_chains(order):
        pass
    return [read_record(Chain, path) for path in sorted(out.glob("?/*.json"))]


def run(*words: str) -> None:
    """`engine build` in this process; raises what the command line would print."""
    engine.main(["build", *words], standalone_mode=False)


def digests(folder: Path) -> dict[str, str]:
    """Digest of every file that people see, but the times."""
    return {
        str(path.relative_to(folder)): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and not path.name.startswith(".") and path.name != RUN_FILE
    }


def reject_some(request: dict[str, Any]) -> Reply:
    """A screener that dislikes a third of all edits, by their words."""
    words = request["messages"][1]["content"][0]["text"]
    return REJECT if hashlib.sha256(words.encode()).digest()[0] % 3 == 0 else FIT


@dataclass(frozen=True)
class Built:
    """A folder of chains that were screened, and what the server was asked."""

    folder: Path
    chains: list[Chain]
    requests: list[dict[str, Any]]


@pytest.fixture(scope="module")
def first(index: Path, tmp_path_factory: pytest.TempPathFactory) -> Built:
    """A build whose screener rejects some edits."""
    folder = tmp_path_factory.mktemp("first")
    with serving(FakeChatServer(choose=reject_some)) as server:
        chains = build(index, folder, server.url)
    return Built(folder, chains, server.requests)


def test_a_rebuild_asks_nothing_and_gives_the_same_bytes(index: Path, first: Built, tmp_path: Path) -> None:
    """With the answers at hand and no server, every file comes out again."""
    shutil.copytree(first.folder / "screening", tmp_path / "screening")
    build(index, tmp_path, "http://127.0.0.1:1/v1")
    assert digests(tmp_path) == digests(first.folder)
    assert len(first.requests) == len(list((tmp_path / "screening").iterdir()))


def test_turns_say_what_the_screener_said(first: Built) -> None:
    """Accepted turns carry the answer and the name of its record; rejected ones are counted; removals are not asked."""
    turns = [turn for chain in first.chains for turn in chain.turns]
    assert {turn.operation.op for turn in turns} == {"remove", "retexture"}
    assert sum(row.count for turn in turns for row in turn.rejected if row.check == "screen") > 0
    for turn in turns:
        assert (turn.screening is None) == (turn.operation.op == "remove")
        if turn.screening is not None:
            record = first.folder / "screening" / f"{turn.screening.question_sha256}.json"
            assert json.loads(record.read_bytes())["answer"] == {"verdict": "fit", "reason": "it stands well"}
            assert (turn.screening.model, turn.screening.verdict) == ("eye-1", "fit")


def test_pictures_of_a_question_show_the_edit(first: Built) -> None:
    """Before, after and close-up differ, and all three are PNG files."""
    for request in first.requests:
        content = request["messages"][1]["content"]
        urls = [entry["image_url"]["url"] for entry in content if entry["type"] == "image_url"]
        assert len(set(urls)) == 3
        assert all(url.startswith("data:image/png;base64,iVBORw0KGgo") for url in urls)


def test_a_screener_that_fails_stops_the_build(index: Path, first: Built, tmp_path: Path) -> None:
    """A fault accepts nothing; when the server is back, the same command ends where it would have ended."""
    asked: list[Reply] = []

    def fail_at_the_third(request: dict[str, Any]) -> Reply:
        asked.append(reject_some(request))
        return asked[-1] if len(asked) < 3 else Reply(status=401)

    with serving(FakeChatServer(choose=fail_at_the_third)) as server, pytest.raises(ScreeningError, match="status 401"):
        build(index, tmp_path, server.url)
    open_shared_parts.cache_clear()
    with serving(FakeChatServer(choose=reject_some)) as server:
        build(index, tmp_path, server.url)
        assert len(server.requests) == len(first.requests) - 2
    assert digests(tmp_path) == digests(first.folder)


def test_a_screener_that_rejects_all_is_not_asked_for_ever(index: Path, tmp_path: Path) -> None:
    """Twelve questions a turn at most; chains then hold removals only, or are given up."""
    with serving(FakeChatServer(REJECT)) as server:
        chains = build(index, tmp_path, server.url)
    turns = [turn for chain in chains for turn in chain.turns]
    assert {turn.operation.op for turn in turns} <= {"remove"}
    assert all(row.count < 12 for turn in turns for row in turn.rejected if row.check == "screen")
    assert server.requests


def test_another_screener_or_other_rules_may_not_go_on(index: Path, tmp_path: Path) -> None:
    """A folder keeps to the screener and the rules it was begun with, by their hash and not by their place."""
    rules = (files("library_index") / DEFAULT_RULES).read_bytes()
    same, other = tmp_path / "same.toml", tmp_path / "other.toml"
    same.write_bytes(rules)
    other.write_bytes(rules + b"# mine\n")
    begun = ["--library", str(index), "--out", str(tmp_path / "out"), "--families", "M", "--hosts", "table"]
    run(*begun, "--rules", str(same))
    run(*begun)
    screened = ["--screener", "openai", "--screen-url", "http://127.0.0.1:1/v1", "--screen-model", "eye-1"]
    for words in (["--rules", str(other)], screened):
        with pytest.raises(InputError, match="rules, screener or plan differ"):
            run(*begun, *words)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--screener", "openai"), "needs --screen-url and --screen-model"),
        (("--screen-model", "eye-1"), "need --screener"),
        (("--screener", "opanai", "--screen-url", "http://a", "--screen-model", "m"), "did you mean 'openai'"),
        (("--screener", "openai", "--screen-url", "a", "--screen-model", "m"), "must be http"),
        (("--rules", "none.toml"), r"none\.toml: \$: cannot be read"),
    ],
)
def test_wrong_flags_are_named_before_anything_is_built(
    index: Path, tmp_path: Path, words: tuple[str, ...], message: str
) -> None:
    """A missing or wrong address, model, name or rules file is wrong input."""
    with pytest.raises(InputError, match=message):
        run("--library", str(index), "--out", str(tmp_path / "out"), *words)
    assert not list((tmp_path / "out").glob("?/*.json"))
