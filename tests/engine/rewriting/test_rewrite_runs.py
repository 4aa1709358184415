"""Rewriting of built chains: what is taken, refused, kept, repeated and left alone."""

from __future__ import annotations

import hashlib
import json
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from chains.explain import explain_turn
from chains.files import list_chains, read_chain, write_chain
from chains.lint import lint_chain
from chains.revise import revise_words
from engine.cli import engine
from engine.rewriting.run import FailedChain, RewriterChoice, rewrite_files
from engine.verify import verify_files
from schemas.chain import Chain, Turn
from schemas.codec import decode, encode
from schemas.errors import EngineError, RewritingError
from tests.box_chains import build_on_table, index_boxes
from tests.fake_chat_server import FakeChatServer, Reply, says, serving

ZH = "请按照要求修改这张桌子。"


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The index of four hosts made of boxes."""
    return index_boxes(tmp_path_factory.mktemp("boxes"))


@pytest.fixture(scope="module")
def built(index: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A chain of removals, one of new looks and one of all on the table."""
    return build_on_table(index, tmp_path_factory.mktemp("built"), ("R", "M", "X"))


@pytest.fixture
def folder(built: Path, tmp_path: Path) -> Path:
    """A copy of the chains that a test may change."""
    return Path(shutil.copytree(built, tmp_path / "chains"))


def facts_of(request: dict[str, Any]) -> dict[str, Any]:
    """What a question tells."""
    facts: dict[str, Any] = json.loads(request["messages"][1]["content"].partition(": ")[2])
    return facts


def please(request: dict[str, Any]) -> Reply:
    """A rewriter that is polite, and speaks Chinese when asked."""
    draft = facts_of(request)["draft"]
    answer = {"english": f"Please {draft[0].lower()}{draft[1:]}"}
    if "chinese" in request["messages"][0]["content"]:
        answer["chinese"] = ZH
    return says(json.dumps(answer))


def answering(english: str) -> Callable[[dict[str, Any]], Reply]:
    """A rewriter that always says the same."""
    return lambda _: says(json.dumps({"english": english}))


def rewrite(folder: Path, choose: Callable[[dict[str, Any]], Reply], **choice: Any) -> FakeChatServer:
    """Rewrite all chains of a folder; every one must work. Returns the server with what it was asked."""
    with serving(FakeChatServer(choose=choose)) as server:
        wanted = RewriterChoice(**{"model": "pen-1", "url": server.url, **choice})
        assert not [row for row in rewrite_files(list_chains(folder), wanted) if isinstance(row, FailedChain)]
    return server


def turns_of(folder: Path) -> list[Turn]:
    """All turns of a folder, in order."""
    return [turn for path in list_chains(folder) for turn in read_chain(path).turns]


def digests(folder: Path) -> dict[str, str]:
    """Digest of every file that people see."""
    return {
        str(path.relative_to(folder)): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and not path.name.startswith(".")
    }


def run(*words: str) -> Result:
    """`engine rewrite` in this process."""
    return CliRunner().invoke(engine, ["rewrite", *words])


def test_a_sentence_that_may_stand_is_taken(index: Path, built: Path, folder: Path) -> None:
    """Words change, the draft is kept, a revision says so; states, content and strict verification do not change."""
    rewrite(folder, please)
    for old, new in zip(turns_of(built), turns_of(folder), strict=True):
        assert new.rewriting is not None
        assert (new.rewriting.outcome, new.rewriting.attempts, new.rewriting.reasons) == ("taken", 1, ())
        assert new.instruction == f"Please {old.instruction[0].lower()}{old.instruction[1:]}"
        assert (new.instruction_draft, new.instruction_zh) == (old.instruction, None)
        untouched = {"instruction": old.instruction, "instruction_draft": None, "rewriting": None}
        assert new.model_copy(update=untouched) == old
        assert (folder / "rewriting" / f"{new.rewriting.question_sha256}.json").is_file()
    for path in list_chains(folder):
        chain = read_chain(path)
        assert [(entry.turn, entry.author) for entry in chain.revisions] == [(t.index, "pen-1") for t in chain.turns]
        assert lint_chain(chain) == ()
    assert [entry for row in verify_files(list_chains(folder), index, strict=True) for entry in row.mismatches] == []


def test_a_refused_answer_is_told_why_and_asked_again(folder: Path) -> None:
    """The second question holds the answer and what was held against it."""

    def learn(request: dict[str, Any]) -> Reply:
        facts = facts_of(request)
        if "refused answers" in facts:
            return please(request)
        return says(json.dumps({"english": facts["draft"].replace("the ", "the lovely ", 1)}))

    server = rewrite(folder, learn)
    turns = turns_of(folder)
    assert {(turn.rewriting.outcome, turn.rewriting.attempts) for turn in turns if turn.rewriting} == {("taken", 2)}
    told = [facts["refused answers"] for facts in map(facts_of, server.requests) if "refused answers" in facts]
    assert len(told) == len({json.dumps(entry) for entry in map(facts_of, server.requests)}) // 2
    assert all("lovely" in entry["answer"] and "'lovely'" in str(entry["because"]) for (entry,) in told)


def test_what_can_never_stand_leaves_the_draft(index: Path, built: Path, folder: Path) -> None:
    """After three answers the draft stays, and the turn says what was wrong with the last of them."""
    server = rewrite(folder, answering("Remove the dragon from the library."))
    for old, new in zip(turns_of(built), turns_of(folder), strict=True):
        assert new.rewriting is not None
        assert (new.instruction, new.instruction_draft) == (old.instruction, None)
        assert (new.rewriting.outcome, new.rewriting.attempts) == ("refused", 3)
        assert any("'library'" in reason for reason in new.rewriting.reasons)
    assert len(server.requests) == 3 * len({facts_of(request)["draft"] for request in server.requests})
    assert {entry.reason for path in list_chains(folder) for entry in read_chain(path).revisions} == {
        "no rewriting could stand"
    }
    assert [entry for row in verify_files(list_chains(folder), index, strict=True) for entry in row.mismatches] == []


@pytest.mark.parametrize("said", ["Sure! Here you go.", '{"english": 3}', '{"english": "A.", "more": 1}', "[]"])
def test_an_answer_of_another_form_is_refused_as_such(folder: Path, said: str) -> None:
    """It is no sentence, and what was said is kept beside the chains."""
    rewrite(folder, lambda _: says(said))
    assert all(turn.rewriting and turn.rewriting.outcome == "refused" for turn in turns_of(folder))
    assert {turn.rewriting.reasons for turn in turns_of(folder) if turn.rewriting} == {
        ("form: not one JSON object as agreed",)
    }
    records = [json.loads(path.read_bytes())["answer"] for path in (folder / "rewriting").iterdir()]
    assert {(entry["english"], entry["said"]) for entry in records} == {(None, said)}


def test_a_second_run_asks_nothing_and_changes_nothing(folder: Path) -> None:
    """Turns that were asked about are passed over, taken or refused."""
    rewrite(folder, lambda r: answering("Nonsense.")(r) if "leg" in facts_of(r)["draft"] else please(r))
    assert {turn.rewriting.outcome for turn in turns_of(folder) if turn.rewriting} == {"taken", "refused"}
    before = digests(folder)
    assert rewrite(folder, please).requests == []
    assert digests(folder) == before


def test_recorded_answers_give_the_same_bytes_without_a_server(built: Path, folder: Path, tmp_path: Path) -> None:
    """Chains, history and answers come out again, whatever the number of workers."""
    rewrite(folder, please, chinese=True)
    again = Path(shutil.copytree(built, tmp_path / "again"))
    words = ["--model", "pen-1", "--zh", "--recorded", str(folder / "rewriting"), "--workers", "2"]
    result = run(str(again), *words)
    assert result.exit_code == 0, result.output
    assert digests(again) == digests(folder)


def test_an_answer_that_is_not_recorded_is_an_error(built: Path, folder: Path, tmp_path: Path) -> None:
    """It names folder, model and draft, and no chain is touched."""
    (tmp_path / "none").mkdir()
    before = digests(folder)
    result = run(str(folder), "--model", "pen-1", "--recorded", str(tmp_path / "none"))
    assert result.exit_code == 1
    assert "chains in a row" in str(result.exception)
    assert f"{tmp_path / 'none'}: no answer of pen-1 to " in str(result.exception)
    assert digests(folder) == before == digests(built)


def test_a_server_that_is_down_stops_the_run_and_nothing_is_half_written(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Three chains without an answer are enough; every file is as it was."""
    monkeypatch.setattr("engine.chat.client.time.sleep", lambda _: None)
    before = digests(folder)
    with serving(FakeChatServer(says(""))) as server:
        url = server.url
    result = run(str(folder), "--model", "pen-1", "--base-url", url)
    assert isinstance(result.exception, RewritingError)
    assert "3 chains in a row" in str(result.exception)
    assert "ConnectionRefusedError" in str(result.exception)
    assert digests(folder) == before


def test_a_chain_whose_server_failed_is_whole_or_untouched(built: Path, folder: Path, tmp_path: Path) -> None:
    """The other chains are done; the same command goes on, and asks nothing again that was answered."""
    asked: list[str] = []

    def fail_once(request: dict[str, Any]) -> Reply:
        asked.append(facts_of(request)["draft"])
        return Reply(status=401) if len(asked) == 3 else please(request)

    with serving(FakeChatServer(choose=fail_once)) as server:
        rows = list(rewrite_files(list_chains(folder), RewriterChoice(model="pen-1", url=server.url)))
    (failed,) = (row for row in rows if isinstance(row, FailedChain))
    assert "status 401" in failed.message
    assert Path(failed.chain).read_bytes() == (built / Path(failed.chain).relative_to(folder)).read_bytes()
    others = [path for path in list_chains(folder) if str(path) != failed.chain]
    assert all(turn.rewriting for path in others for turn in read_chain(path).turns)
    answered = [draft for place, draft in enumerate(asked) if place != 2]
    again = rewrite(folder, please)
    assert not {facts_of(request)["draft"] for request in again.requests[1:]} & set(answered)
    assert all(turn.rewriting and turn.rewriting.outcome == "taken" for turn in turns_of(folder))
    replayed = Path(shutil.copytree(built, tmp_path / "replayed"))
    rewrite(replayed, please, recorded=folder / "rewriting")
    assert digests(replayed) == digests(folder)


def test_a_run_that_is_killed_goes_on(built: Path, folder: Path, tmp_path: Path) -> None:
    """After a kill every file is the old one or a whole new one; the same command completes the rest."""
    with serving(FakeChatServer(choose=please)) as server:

        def kill_at_the_fourth(request: dict[str, Any]) -> Reply:
            if len(server.requests) == 4:
                process.send_signal(signal.SIGKILL)
            return please(request)

        server.choose = kill_at_the_fourth
        words = ["rewrite", str(folder), "--model", "pen-1", "--base-url", server.url]
        process = subprocess.Popen([sys.executable, "-m", "engine.cli", *words], stderr=subprocess.DEVNULL)
        assert process.wait(timeout=60) == -signal.SIGKILL
    for path in list_chains(folder):
        marks = {turn.rewriting is not None for turn in read_chain(path).turns}
        assert len(marks) == 1
        assert marks == {True} or path.read_bytes() == (built / path.relative_to(folder)).read_bytes()
    kept = len(list((folder / "rewriting").glob("*.json")))
    assert kept in {3, 4}
    rewrite(folder, please)
    replayed = Path(shutil.copytree(built, tmp_path / "replayed"))
    rewrite(replayed, please, recorded=folder / "rewriting")
    assert digests(replayed) == digests(folder)


def test_chinese_is_taken_shown_and_carried(folder: Path) -> None:
    """The sentence is in the chain, survives its bytes, and `engine explain` prints it with the draft."""
    rewrite(folder, please, chinese=True)
    chain = read_chain(list_chains(folder)[0])
    turn = chain.turns[0]
    assert turn.instruction_zh == ZH
    assert decode(Chain, encode(chain), "x") == chain
    facts = dict(explain_turn(chain, turn).facts)
    assert (facts["in Chinese"], facts["draft"]) == (ZH, turn.instruction_draft)
    assert facts["rewritten by pen-1"] == "taken after 1 answer"


def test_chinese_that_cannot_stand_is_dropped_with_a_reason(folder: Path) -> None:
    """The English sentence stands alone, and the turn says why."""

    def latin(request: dict[str, Any]) -> Reply:
        answer = json.loads(json.loads(please(request).body)["choices"][0]["message"]["content"])
        return says(json.dumps({**answer, "chinese": "把 add01 放在桌子上。"}))

    rewrite(folder, latin, chinese=True)
    for turn in turns_of(folder):
        assert turn.rewriting is not None
        assert (turn.rewriting.outcome, turn.instruction_zh) == ("taken", None)
        assert turn.rewriting.zh_reason == "holds 'add'"


def test_words_of_people_are_left_alone(folder: Path) -> None:
    """Neither a sentence a person revised nor one that came with a draft of its own is asked about."""
    path = list_chains(folder)[0]
    chain = read_chain(path)
    mine = chain.turns[0].model_copy(update={"instruction": "Do as I say."})
    chain = revise_words(chain, mine, author="anna", reason="mine", at_utc="2026-11-30T12:00:00Z")
    theirs = chain.turns[1].model_copy(update={"instruction": "As they say.", "instruction_draft": "Draft."})
    chain = chain.model_copy(update={"turns": (chain.turns[0], theirs, *chain.turns[2:])})
    write_chain(path, chain)
    server = rewrite(folder, please)
    after = read_chain(path)
    assert after.turns[:2] == chain.turns[:2]
    assert all(turn.rewriting for turn in after.turns[2:])
    assert not {"Do as I say.", "Draft."} & {facts_of(request)["draft"] for request in server.requests}


def test_a_later_model_begins_from_the_draft(built: Path, folder: Path, tmp_path: Path) -> None:
    """What it makes of a turn does not depend on what an earlier one made; the history holds both."""
    rewrite(folder, please, chinese=True)
    rewrite(folder, answering("Nonsense."), model="pen-2")
    fresh = Path(shutil.copytree(built, tmp_path / "fresh"))
    rewrite(fresh, answering("Nonsense."), model="pen-2")
    assert turns_of(folder) == turns_of(fresh)
    assert {entry.author for path in list_chains(folder) for entry in read_chain(path).revisions} == {"pen-1", "pen-2"}


def test_questions_hold_nothing_of_files(folder: Path) -> None:
    """No slot id, part, object id, hash or path is told, so that none can be said."""
    server = rewrite(folder, please)
    told = "\n".join(request["messages"][1]["content"] for request in server.requests)
    for turn in turns_of(folder):
        assert "_" not in told
        assert turn.operation.slot not in told or "_" not in turn.operation.slot
    assert str(folder) not in told
    assert "sha256" not in told


def test_the_command_reports_and_isolates(folder: Path) -> None:
    """A damaged file is named and left, the others are done; the exit code is that of bad input."""
    (folder / "R" / "broken.json").write_text("{", "utf-8")
    with serving(FakeChatServer(choose=please)) as server:
        result = run(str(folder), "--model", "pen-1", "--base-url", server.url, "--json")
    report = json.loads(result.stdout)
    assert result.exit_code == 2
    assert "broken.json" in result.stderr
    assert (report["chains"], report["changed"], len(report["failed"])) == (3, 3, 1)
    assert report["taken"] == report["turns"] == len(turns_of_good(folder))
    assert (report["refused"], report["chinese"], report["by_reason"]) == (0, 0, {})


def turns_of_good(folder: Path) -> list[Turn]:
    """Turns of the chains that can be read."""
    return [turn for path in list_chains(folder) if path.name != "broken.json" for turn in read_chain(path).turns]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ([], "either --base-url"),
        (["--base-url", "http://127.0.0.1:1/v1", "--recorded", "."], "either --base-url"),
        (["--base-url", "ftp://a/v1"], "rewriter URL"),
        (["--base-url", "http://127.0.0.1:1/v1", "--rewriter", "opanai"], "did you mean 'openai'"),
        (["--recorded", "/nowhere/at/all"], "no such folder"),
        (["--base-url", "http://127.0.0.1:1/v1", "--model", "/models/pen.gguf"], "is a place"),
    ],
)
def test_wrong_options_are_refused_before_anything_is_done(folder: Path, words: list[str], message: str) -> None:
    """Usage errors are bad input and leave the chains as they were."""
    before = digests(folder)
    result = run(str(folder), "--model", "pen-1", *words)
    assert isinstance(result.exception, EngineError)
    assert (result.exception.exit_code, message in str(result.exception)) == (2, True)
    assert digests(folder) == before
