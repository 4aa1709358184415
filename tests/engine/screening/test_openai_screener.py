"""The adapter for chat-completions servers: what is sent, what is believed, and what is an error."""

from __future__ import annotations

import base64
import time
from dataclasses import replace

import pytest

from engine.chat.client import ServerSettings
from engine.screening.openai_compatible import OpenAiScreener
from engine.screening.protocol import (
    Answer,
    Question,
    QuestionPictures,
    QuestionRecord,
    load_screener,
)
from schemas.errors import ScreeningError, SettingsError, UnknownPluginError
from schemas.operation import Remove
from tests.fake_chat_server import FIT, HEAD_LINES, REJECT, FakeChatServer, Reply, says, serving

PICTURES = QuestionPictures(b"before", b"after", b"near")
QUESTION = Question(
    record=QuestionRecord(
        before_sha256="0" * 64,
        after_sha256="1" * 64,
        operation=Remove(slot="lamp"),
        instruction='Put a lamp on the "table".',
        model="eye-1",
    ),
    host="round table",
    edited="brass lamp",
    where="on the table top",
    draw=lambda: PICTURES,
)


def settings(url: str, *, key: str = "", timeout_s: float = 5.0, attempts: int = 3) -> ServerSettings:
    """Settings that do not wait between attempts."""
    return ServerSettings(url=url, model="eye-1", key=key, timeout_s=timeout_s, attempts=attempts, wait_s=0.01)


@pytest.mark.parametrize(
    ("reply", "answer"),
    [
        (FIT, Answer(verdict="fit", reason="it stands well")),
        (REJECT, Answer(verdict="reject", reason="it floats")),
        (says('```json\n{"verdict": "fit", "reason": "a\\n b"}\n```'), Answer(verdict="fit", reason="a b")),
    ],
)
def test_a_verdict_is_read(reply: Reply, answer: Answer) -> None:
    """Fit and reject come through with their reason, also from a code fence."""
    with serving(FakeChatServer(reply)) as server:
        assert OpenAiScreener(settings(server.url)).screen(QUESTION) == answer
    assert len(server.requests) == 1


def test_the_request_holds_pictures_words_and_key() -> None:
    """Three pictures, the facts as data, the model, no chance, and the key in its header alone."""
    with serving(FakeChatServer(FIT)) as server:
        OpenAiScreener(settings(server.url + "/", key="secret-7")).screen(QUESTION)
    (request,), (headers,) = server.requests, server.headers
    content = request["messages"][1]["content"]
    urls = [entry["image_url"]["url"] for entry in content if entry["type"] == "image_url"]
    assert [base64.b64decode(url.removeprefix("data:image/png;base64,")) for url in urls] == [
        b"before", b"after", b"near",
    ]  # fmt: skip
    assert 'Put a lamp on the \\"table\\".' in content[0]["text"]
    assert (request["model"], request["temperature"]) == ("eye-1", 0)
    assert headers["Authorization"] == "Bearer secret-7"
    assert server.paths == ["/v1/chat/completions"]
    assert "secret-7" not in str(request)


@pytest.mark.parametrize(
    "garbage",
    [
        says("I think it is fine."),
        says('{"verdict": "maybe", "reason": ""}'),
        says('{"verdict": "fit"}'),
        says('{"verdict": "fit", "reason": "x", "score": 1}'),
        says('{"verdict": "fit", "reason": "x"} {"verdict": "reject", "reason": "y"}'),
        says('{"verdict": "fit", "reason": "\\ud800"}'),
        says('Sure! {"verdict": "fit", "reason": "x"}'),
        says(None),
        says([{"text": "fit"}]),
        Reply(body=b"<html>"),
        Reply(body=b"[]"),
        Reply(body=b'{"choices": []}'),
        Reply(body=b'{"a": "' + b"x" * (2 << 20) + b'"}'),
        Reply(body=b"\xff\xfe"),
    ],
)
def test_garbage_is_never_a_verdict(garbage: Reply) -> None:
    """What is not exactly the agreed answer is asked again, and is an error in the end."""
    with serving(FakeChatServer(garbage)) as server:
        with pytest.raises(ScreeningError, match=r"eye-1 at http.*no answer after 2 attempts"):
            OpenAiScreener(settings(server.url, attempts=2)).screen(QUESTION)
        assert len(server.requests) == 2


@pytest.mark.parametrize("fault", [Reply(status=500), Reply(status=429), says("hm"), Reply(status=503, body=b"busy")])
def test_a_passing_fault_is_tried_again(fault: Reply) -> None:
    """A server that stumbles once gives its verdict at the second attempt."""
    with serving(FakeChatServer(fault, FIT)) as server:
        assert OpenAiScreener(settings(server.url)).screen(QUESTION).verdict == "fit"
        assert len(server.requests) == 2


@pytest.mark.parametrize("status", [400, 401, 403, 404])
def test_a_refusal_is_not_tried_again(status: int) -> None:
    """A wrong key, model or request stays wrong; the key is not in the message."""
    with serving(FakeChatServer(Reply(status=status, body=b"no such model"))) as server:
        with pytest.raises(ScreeningError, match=f"status {status}.*no such model") as caught:
            OpenAiScreener(settings(server.url, key="secret-7")).screen(QUESTION)
        assert len(server.requests) == 1
    assert "secret-7" not in str(caught.value)


def test_a_redirect_is_not_followed() -> None:
    """Key and pictures go nowhere but to the address that was given."""
    with serving(FakeChatServer(FIT)) as other:
        moved = Reply(status=307, headers={"Location": f"{other.url}/chat/completions"})
        with serving(FakeChatServer(moved)) as server, pytest.raises(ScreeningError, match="status 307"):
            OpenAiScreener(settings(server.url, key="secret-7")).screen(QUESTION)
        assert other.requests == []


@pytest.mark.parametrize("slow", [replace(FIT, wait_s=0.6), replace(FIT, drip_s=0.02)])
def test_a_server_that_takes_too_long_is_an_error(slow: Reply) -> None:
    """The time limit holds for the whole answer, at each attempt, also when bytes keep coming."""
    with (
        serving(FakeChatServer(slow)) as server,
        pytest.raises(ScreeningError, match=r"after 2 attempts: timed out after 0\.2 s"),
    ):
        OpenAiScreener(settings(server.url, timeout_s=0.2, attempts=2)).screen(QUESTION)


def test_a_server_that_drips_headers_does_not_hold_the_build() -> None:
    """The time limit holds for status and header lines too: two attempts end long before the server's first head."""
    slow = replace(FIT, drip_head_s=0.05)
    begin = time.monotonic()
    with (
        serving(FakeChatServer(slow)) as server,
        pytest.raises(ScreeningError, match=r"after 2 attempts: timed out after 0\.2 s"),
    ):
        OpenAiScreener(settings(server.url, timeout_s=0.2, attempts=2)).screen(QUESTION)
    assert time.monotonic() - begin < 1.5 < slow.drip_head_s * HEAD_LINES


def test_a_server_that_is_not_there_is_an_error() -> None:
    """A closed port is a fault of the infrastructure, not a verdict."""
    with serving(FakeChatServer(FIT)) as server:
        url = server.url
    with pytest.raises(ScreeningError, match="ConnectionRefusedError"):
        OpenAiScreener(settings(url)).screen(QUESTION)


@pytest.mark.parametrize(
    "url",
    ["", "ftp://a/v1", "file:///etc/passwd", "http://", "http://u:p@a/v1", "http://a/v1?k=1", "http://a:99999/v1"],
)
def test_an_address_that_cannot_be_asked_is_refused(url: str) -> None:
    """Only http and https, with a host, without secrets in the address."""
    with pytest.raises(SettingsError, match="URL"):
        OpenAiScreener(settings(url))


def test_a_key_cannot_smuggle_headers() -> None:
    """A key with a line break is refused, and not shown."""
    with pytest.raises(SettingsError, match="key") as caught:
        OpenAiScreener(settings("http://127.0.0.1:1/v1", key="a\r\nX-Other: b"))
    assert "X-Other" not in str(caught.value)
    assert "b-7" not in repr(settings("http://127.0.0.1:1/v1", key="b-7"))


def test_screeners_are_found_by_name() -> None:
    """The adapter is installed as `openai`; a typing error gets a hint."""
    assert isinstance(load_screener("openai", settings("http://127.0.0.1:1/v1")), OpenAiScreener)
    with pytest.raises(UnknownPluginError, match="did you mean 'openai'"):
        load_screener("opanai", settings("http://127.0.0.1:1/v1"))
