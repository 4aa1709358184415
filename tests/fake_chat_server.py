"""A chat-completions server for tests: says what it is told to, and keeps what it was asked."""

from __future__ import annotations

import contextlib
import json
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

HEAD_LINES = 40


@dataclass
class Reply:
    """One response: a status, a body, and how long to wait before it."""

    status: int = 200
    body: bytes = b""
    wait_s: float = 0.0
    drip_s: float = 0.0
    """Pause after each byte of the body."""
    drip_head_s: float = 0.0
    """Pause after each of `HEAD_LINES` header lines that precede the response's own."""
    headers: dict[str, str] = field(default_factory=dict)


def says(content: Any) -> Reply:
    """A response whose message has this content."""
    return Reply(body=json.dumps({"choices": [{"message": {"role": "assistant", "content": content}}]}).encode())


FIT = says('{"verdict": "fit", "reason": "it stands well"}')
REJECT = says('{"verdict": "reject", "reason": "it floats"}')


class FakeChatServer:
    """Answers from a script, the last entry for ever; or from a function of the request."""

    def __init__(self, *replies: Reply, choose: Callable[[dict[str, Any]], Reply] | None = None) -> None:
        self.replies = list(replies)
        self.choose = choose
        self.requests: list[dict[str, Any]] = []
        self.headers: list[dict[str, str]] = []
        self.paths: list[str] = []
        self.url = ""
        self._lock = threading.Lock()

    def answer(self, path: str, headers: dict[str, str], request: dict[str, Any]) -> Reply:
        """The reply to one request."""
        with self._lock:
            self.paths.append(path)
            self.headers.append(headers)
            self.requests.append(request)
            if self.choose is not None:
                return self.choose(request)
            return self.replies.pop(0) if len(self.replies) > 1 else self.replies[0]


@contextlib.contextmanager
def serving(fake: FakeChatServer) -> Iterator[FakeChatServer]:
    """Serve on a free port of the loopback until the block ends."""

    class Listener(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            """Read the request, wait, answer."""
            body = self.rfile.read(int(self.headers["Content-Length"]))
            reply = fake.answer(self.path, dict(self.headers), json.loads(body))
            time.sleep(reply.wait_s)
            with contextlib.suppress(BrokenPipeError, ConnectionResetError):
                self.send_response(reply.status)
                for number in range(HEAD_LINES if reply.drip_head_s else 0):
                    self.send_header(f"X-Wait-{number}", "1")
                    self.flush_headers()
                    time.sleep(reply.drip_head_s)
                for name, value in reply.headers.items():
                    self.send_header(name, value)
                self.send_header("Content-Length", str(len(reply.body)))
                self.end_headers()
                for byte in reply.body if reply.drip_s else ():
                    self.wfile.write(bytes([byte]))
                    time.sleep(reply.drip_s)
                self.wfile.write(b"" if reply.drip_s else reply.body)

        def log_message(self, *_: object) -> None:
            """Say nothing."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Listener) as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
        thread.start()
        fake.url = f"http://127.0.0.1:{server.server_port}/v1"
        try:
            yield fake
        finally:
            server.shutdown()
            thread.join()
