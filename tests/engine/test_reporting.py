"""What commands say."""

from __future__ import annotations

import pytest

from engine.reporting import say_on_stderr


def test_a_message_cannot_command_a_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    """Escapes and line feeds of whoever is quoted are written out; letters of any language stay."""
    say_on_stderr("usage.json: $.\x1b[31m\n: größer")
    assert capsys.readouterr().err == "engine: usage.json: $.\\x1b[31m\\n: größer\n"
