"""Settings of rules and screeners: the key comes from the environment, the rules from the file."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.settings import read_settings
from schemas.errors import SettingsError


def test_the_key_comes_from_the_environment_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is read, not shown, and refused in the file."""
    monkeypatch.chdir(tmp_path)
    assert read_settings().screen_key == ""
    monkeypatch.setenv("ENGINE_SCREEN_KEY", "secret-7")
    assert read_settings().screen_key == "secret-7"
    assert "secret-7" not in repr(read_settings())
    Path("engine.toml").write_text('screen_key = "secret-7"\n')
    with pytest.raises(SettingsError, match="unknown setting 'screen_key'"):
        read_settings()


def test_rules_may_be_named_in_the_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A path is taken; anything else is an error that names file and key."""
    monkeypatch.chdir(tmp_path)
    Path("engine.toml").write_text('rules = "mine.toml"\n')
    assert read_settings().rules == Path("mine.toml")
    for wrong in ("3", '""', '["a"]'):
        Path("engine.toml").write_text(f"rules = {wrong}\n")
        with pytest.raises(SettingsError, match=r"engine\.toml: rules must be"):
            read_settings()
