"""The adapter for chat-completions servers: what is sent, and what is believed."""

from __future__ import annotations

import hashlib
import json
from dataclasses import replace

import pytest

from engine.chat.client import ServerSettings
from engine.rewriting.openai_compatible import (
    BILINGUAL,
    BILINGUAL_FORM,
    ENGLISH_FORM,
    FORM,
    RULES,
    OpenAiRewriter,
)
from engine.rewriting.protocol import PROMPT_VERSION, PieceName, Question, RefusedAnswer, load_rewriter
from schemas.errors import RewritingError, UnknownPluginError
from tests.fake_chat_server import FakeChatServer, Reply, says, serving

QUESTION = Question(
    model="pen-1",
    host="round table",
    op="remove",
    draft='Remove the "brass" lamp.',
    pieces=(PieceName(label="brass lamp", named=True), PieceName(label="leg", named=False)),
)
FINE = says('{"english": "Take the\\n brass lamp  away."}')


def settings(url: str, *, key: str = "", timeout_s: float = 5.0) -> ServerSettings:
    """Settings that do not wait between attempts."""
    return ServerSettings(url=url, model="pen-1", key=key, timeout_s=timeout_s, attempts=2, wait_s=0.01)


def test_a_sentence_is_read_on_one_line() -> None:
    """Line breaks and runs of blanks of an answer go; a code fence too."""
    for reply in (FINE, says('```json\n{"english": "Take the brass lamp away."}\n```')):
        with serving(FakeChatServer(reply)) as server:
            said = OpenAiRewriter(settings(server.url)).rewrite(QUESTION)
        assert (said.english, said.chinese, said.said) == ("Take the brass lamp away.", None, None)
        assert len(said.at_utc) == len("2026-11-30T12:00:00Z")


def test_the_request_holds_facts_rules_and_key() -> None:
    """Facts as data, the seven rules, no chance, the key in its header alone; Chinese only when wanted."""
    told = QUESTION.model_copy(update={"refused": (RefusedAnswer(said="Take it.", reasons=("names: no",)),)})
    with serving(FakeChatServer(FINE)) as server:
        rewriter = OpenAiRewriter(settings(server.url, key="secret-7"))
        rewriter.rewrite(told)
        rewriter.rewrite(QUESTION.model_copy(update={"chinese": True}))
    plain, bilingual = server.requests
    facts = json.loads(plain["messages"][1]["content"].partition(": ")[2])
    assert facts["named pieces"] == ["brass lamp"]
    assert facts["other pieces"] == ["leg"]
    assert facts["draft"] == QUESTION.draft
    assert facts["refused answers"] == [{"answer": "Take it.", "because": ["names: no"]}]
    assert all(f"\n{number}. " in plain["messages"][0]["content"] for number in range(1, 8))
    assert (plain["model"], plain["temperature"], plain["seed"]) == ("pen-1", 0, 0)
    assert server.headers[0]["Authorization"] == "Bearer secret-7"
    assert "secret-7" not in str(server.requests)
    assert "Chinese" not in plain["messages"][0]["content"]
    assert "Chinese" in bilingual["messages"][0]["content"]


def test_every_part_of_a_question_counts() -> None:
    """Other words, another model, Chinese, or an answer refused before is another question."""
    others = [
        QUESTION,
        QUESTION.model_copy(update={"draft": "Remove the lamp."}),
        QUESTION.model_copy(update={"model": "pen-2"}),
        QUESTION.model_copy(update={"chinese": True}),
        QUESTION.model_copy(update={"refused": (RefusedAnswer(said="A.", reasons=("b",)),)}),
        QUESTION.model_copy(update={"prompt_version": "2"}),
    ]
    assert len({question.sha256 for question in others}) == len(others)


@pytest.mark.parametrize("said", ["No.", '{"english": ""}{}', '{"english": "A", "b": 1}', '{"english": "\\ud800"}'])
def test_another_form_is_an_answer_without_a_sentence(said: str) -> None:
    """It is asked for once: the same request gives the same nonsense."""
    with serving(FakeChatServer(says(said))) as server:
        reply = OpenAiRewriter(settings(server.url)).rewrite(QUESTION)
    assert (reply.english, reply.said) == (None, said)
    assert len(server.requests) == 1


@pytest.mark.parametrize(
    ("reply", "fault"),
    [
        (replace(FINE, wait_s=0.6), r"after 2 attempts: timed out after 0\.2 s"),
        (replace(FINE, drip_s=0.05), r"after 2 attempts: timed out after 0\.2 s"),
        (Reply(body=b"<html>"), "after 2 attempts: not a chat completion"),
        (Reply(status=503), "after 2 attempts: status 503"),
        (Reply(status=404, body=b"no such model"), "status 404.*no such model"),
    ],
)
def test_a_server_that_fails_is_an_error(reply: Reply, fault: str) -> None:
    """Time-outs, pages and refusals are no answers; the message names model and address."""
    with (
        serving(FakeChatServer(reply)) as server,
        pytest.raises(RewritingError, match=rf"rewriter pen-1 at http.*{fault}"),
    ):
        OpenAiRewriter(settings(server.url, timeout_s=0.2)).rewrite(QUESTION)


def test_other_words_of_the_prompt_need_another_version() -> None:
    """Recorded answers belong to one prompt: whoever changes it gives it a new PROMPT_VERSION, and this digest."""
    prompt = f"{RULES}{BILINGUAL}{FORM}{ENGLISH_FORM}{BILINGUAL_FORM}"
    assert (PROMPT_VERSION, hashlib.sha256(prompt.encode()).hexdigest()[:12]) == ("1", "3ab5dc14ac7e")


def test_rewriters_are_found_by_name() -> None:
    """The adapter is installed as `openai`; a typing error gets a hint."""
    assert isinstance(load_rewriter("openai", settings("http://127.0.0.1:1/v1")), OpenAiRewriter)
    with pytest.raises(UnknownPluginError, match=r"no rewriter 'opanai'.*did you mean 'openai'"):
        load_rewriter("opanai", settings("http://127.0.0.1:1/v1"))
