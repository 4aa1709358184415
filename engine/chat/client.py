"""A client of any server that speaks the chat-completions protocol."""

from __future__ import annotations

import http.client
import io
import json
import re
import socket
import ssl
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar
from urllib.parse import urlsplit

from schemas.codec import parse_json
from schemas.errors import ChatError, SchemaError, SettingsError

A = TypeVar("A")
MAX_ANSWER_BYTES = 1 << 20
CHUNK = 1 << 14
PASSING_FAULTS = frozenset({408, 409, 425, 429, 500, 502, 503, 504})
"""Statuses after which the same request may succeed."""

_FENCED = re.compile(r"\A```(?:json)?\s*\n(?P<body>.*?)\n?\s*```\Z", re.DOTALL)


@dataclass(frozen=True, slots=True)
class ServerSettings:
    """Where a server is, which model it is to ask, and how patiently it is asked."""

    url: str
    model: str
    key: str = field(default="", repr=False)
    timeout_s: float = 120.0
    """For one request, from the first byte sent to the last one read."""
    attempts: int = 3
    wait_s: float = 1.0
    """Before the second attempt; doubled before each further one."""


class PassingFaultError(Exception):
    """A fault that another attempt may not meet."""


class ChatClient:
    """Asks `POST <url>/chat/completions`; `url` ends before that, as in `http://127.0.0.1:8000/v1`.

    `role` is what messages call the model, `raises` the error for when there is no answer. Raises SettingsError for a
    URL that is not http(s), names no host, or carries a user name or a query; also for an empty model and a key that
    cannot stand in a header.
    """

    def __init__(self, settings: ServerSettings, role: str, raises: type[ChatError]) -> None:
        parts = urlsplit(settings.url)
        if parts.scheme not in {"http", "https"} or not parts.hostname or parts.username or parts.query:
            raise SettingsError(f"{role} URL {settings.url!r:.200} must be http(s)://host[:port]/path and no more")
        if not settings.model:
            raise SettingsError(f"the {role} needs the name of a model")
        if not settings.key.isprintable() or not settings.key.isascii():
            raise SettingsError(f"the {role} key holds characters that cannot stand in a header")
        try:
            self._port = parts.port
        except ValueError as error:
            raise SettingsError(f"{role} URL {settings.url!r:.200}: {error}") from error
        self._host = parts.hostname
        self._secure = parts.scheme == "https"
        self._path = parts.path.rstrip("/") + "/chat/completions"
        self._settings = settings
        self._where = f"{role} {settings.model} at {settings.url}"
        self._raises = raises

    def ask(self, messages: Sequence[dict[str, Any]], max_tokens: int, read: Callable[[str], A]) -> A:
        """What `read` makes of the message that comes back; asked again while it raises PassingFaultError.

        Raises the client's error naming server, number of attempts and the last fault.
        """
        request = {
            "model": self._settings.model,
            "temperature": 0,
            "seed": 0,
            "max_tokens": max_tokens,
            "messages": list(messages),
        }
        body = json.dumps(request).encode()
        fault = ""
        for attempt in range(self._settings.attempts):
            if attempt:
                time.sleep(self._settings.wait_s * 2 ** (attempt - 1))
            try:
                return read(_read_message(self._post(body)))
            except PassingFaultError as error:
                fault = str(error)
        raise self._raises(f"{self._where}: no answer after {self._settings.attempts} attempts: {fault}")

    def _post(self, body: bytes) -> bytes:
        """One request; redirects are not followed, since they would carry key and content elsewhere."""
        end = time.monotonic() + self._settings.timeout_s
        kind = http.client.HTTPSConnection if self._secure else http.client.HTTPConnection
        connection = kind(self._host, self._port, timeout=self._settings.timeout_s)
        headers = {"Content-Type": "application/json", "Accept": "application/json"}
        if self._settings.key:
            headers["Authorization"] = f"Bearer {self._settings.key}"
        try:
            connection.request("POST", self._path, body, headers)
            with _TimedResponse(connection.sock, end) as response:
                response.begin()
                data = _read_body(response)
        except ssl.SSLCertVerificationError as error:
            raise self._raises(f"{self._where}: its certificate is refused: {error.verify_message}") from error
        except TimeoutError as error:
            raise PassingFaultError(f"timed out after {self._settings.timeout_s:g} s") from error
        except (OSError, http.client.HTTPException) as error:
            raise PassingFaultError(f"{type(error).__name__}: {error}"[:300]) from error
        finally:
            connection.close()
        if response.status in PASSING_FAULTS:
            raise PassingFaultError(f"status {response.status} {response.reason}")
        if response.status != http.client.OK:
            raise self._raises(f"{self._where}: status {response.status} {response.reason}: {show(data)}")
        return data


class _TimedBytes(io.RawIOBase):
    """What a socket receives before the clock says `end`; then TimeoutError."""

    def __init__(self, received: io.RawIOBase, sock: socket.socket, end: float) -> None:
        self._received = received
        self._sock = sock
        self._end = end

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int | None:
        left = self._end - time.monotonic()
        if left <= 0.0:
            raise TimeoutError
        self._sock.settimeout(left)
        return self._received.readinto(buffer)

    def close(self) -> None:
        self._received.close()
        super().close()


class _TimedResponse(http.client.HTTPResponse):
    """A response whose status, headers and body together come before `end`: dripping bytes cannot hold a run."""

    def __init__(self, sock: socket.socket, end: float) -> None:
        super().__init__(sock, method="POST")
        self.fp = io.BufferedReader(_TimedBytes(self.fp.detach(), sock, end))


def _read_body(response: http.client.HTTPResponse) -> bytes:
    chunks: list[bytes] = []
    size = 0
    while True:
        chunk = response.read1(CHUNK)
        if not chunk:
            return b"".join(chunks)
        size += len(chunk)
        if size > MAX_ANSWER_BYTES:
            raise PassingFaultError(f"the answer is longer than {MAX_ANSWER_BYTES} bytes")
        chunks.append(chunk)


def _read_message(data: bytes) -> str:
    """The text of the first choice of a response. Raises PassingFaultError when there is none."""
    try:
        text = parse_json(data, "response")["choices"][0]["message"]["content"].strip()
    except (SchemaError, LookupError, TypeError, AttributeError) as error:
        raise PassingFaultError(f"not a chat completion: {show(data)}") from error
    if not isinstance(text, str):
        raise PassingFaultError(f"not a chat completion: {show(data)}")
    return text


def parse_answer(text: str) -> Any:
    """The JSON document that a message consists of; a code fence around the whole of it is taken off.

    Raises SchemaError when there is more or something else.
    """
    fenced = _FENCED.match(text)
    try:
        document = parse_json((fenced["body"] if fenced else text).encode(), "answer")
        json.dumps(document, ensure_ascii=False).encode()
    except UnicodeEncodeError as error:
        raise SchemaError("answer", "$", "half a character (a lone surrogate)") from error
    return document


def show(data: bytes | str) -> str:
    """The beginning of what a server sent, for a message."""
    return repr(data[:200] if isinstance(data, str) else data[:200].decode("utf-8", "replace"))
