"""Methods by name, by manifest and by command line."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from evaluator.commands.rollout import rollout
from evaluator.rollout.editors import choose_environment
from evaluator.rollout.method_choice import ORACLE, find_method, hash_files, place_command
from schemas.errors import InputError, UnknownPluginError
from schemas.method import MethodManifest

MANIFEST = """
name = "my editor"
command = ["{python}", "edit.py", "--fast"]
access = ["operation", "edit_mask"]
environment = ["EDITOR_KEY"]
non_metallic = true

[limits]
seconds = 12.5

[options]
steps = 3
device = "cpu"
"""


def _write(folder: Path, text: str) -> Path:
    (folder / "edit.py").write_text("raise SystemExit")
    path = folder / "editor.toml"
    path.write_text(text.replace("{python}", sys.executable))
    return path


def test_a_manifest_says_all_of_a_method(tmp_path: Path) -> None:
    """Its script is found beside it from any folder, options come as texts, other limits are the defaults."""
    found = find_method(str(_write(tmp_path, MANIFEST)))
    assert found.command == (sys.executable, str(tmp_path / "edit.py"), "--fast")
    assert found.access == ("operation", "edit_mask")
    assert found.options == (("device", "cpu"), ("steps", "3"))
    assert (found.limits.seconds, found.limits.memory_mib) == (12.5, 8192)
    assert found.non_metallic
    assert [Path(entry.path).name for entry in hash_files(found.command)] == [Path(sys.executable).name, "edit.py"]


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("non_metallic", "shiny", "shiny"),
        ('"operation"', '"everything"', "access"),
        ('command = ["{python}", "edit.py", "--fast"]', "", "command or a plugin"),
        ('"{python}"', '"no-such-program"', "no program 'no-such-program'"),
        ("seconds = 12.5", "seconds = -1.0", "seconds"),
        ('device = "cpu"', "device = []", "options.device"),
        ("name =", "name", "cannot be read"),
        ('"my editor"', '"../editor"', "name"),
        ('"my editor"', '"noop"', "name"),
        ('"my editor"', '"mine@ground-truth"', "name"),
        ('"my editor"', f'"{"x" * 188}"', "name"),
        ("seconds = 12.5", f"memory_mib = {10**30}", "limits.memory_mib"),
        ("seconds = 12.5", f"file_mib = {10**15}", "limits.file_mib"),
    ],
)
def test_a_wrong_manifest_is_refused_by_its_field(tmp_path: Path, old: str, new: str, message: str) -> None:
    """The message names the file and what is wrong."""
    assert old in MANIFEST
    path = _write(tmp_path, MANIFEST.replace(old, new, 1))
    with pytest.raises(InputError, match=message) as caught:
        find_method(str(path))
    if not message.startswith("no program"):
        assert str(path) in str(caught.value)


def test_a_plugin_that_is_not_installed_names_the_nearest() -> None:
    """The message lists what there is, too."""
    with pytest.raises(UnknownPluginError, match="did you mean 'noop'"):
        find_method("nop")


def test_plugins_say_what_they_need_and_do_not_take_the_names_of_reference_rows() -> None:
    """The no-op's row is called otherwise than the reference no-op, and so is the oracle's."""
    noop = find_method("noop")
    assert (noop.name, noop.plugin, noop.mode, noop.access) == ("noop-rollout", "noop", "served", ())
    assert find_method(ORACLE).name == "oracle-rollout"
    assert set(find_method("delete-named").access) == {"operation", "edit_mask"}


def test_a_program_inherits_what_it_names_and_no_more(monkeypatch: pytest.MonkeyPatch) -> None:
    """A named variable that nobody has set is an error before anything is run."""
    monkeypatch.setenv("EDITOR_KEY", "secret")
    monkeypatch.setenv("ENGINE_LIBRARY", "/somewhere")
    method = MethodManifest(name="mine", command=("true",), environment=("EDITOR_KEY",))
    found = choose_environment(method)
    assert found["EDITOR_KEY"] == "secret"
    assert "ENGINE_LIBRARY" not in found
    monkeypatch.delenv("EDITOR_KEY")
    with pytest.raises(InputError, match="EDITOR_KEY"):
        choose_environment(method)


def test_a_command_is_found_on_the_path_or_beside_its_manifest(tmp_path: Path) -> None:
    """What is no program is refused before any chain is touched."""
    assert place_command(("true",), tmp_path)[0].endswith("/true")
    (tmp_path / "tool").write_text("#!/bin/sh\n")
    with pytest.raises(InputError, match="may be run"):
        place_command(("./tool",), tmp_path)
    (tmp_path / "tool").chmod(0o755)
    assert place_command(("./tool", "a"), tmp_path) == (str(tmp_path / "tool"), "a")


def test_a_manifest_of_a_plugin_has_what_the_plugin_says(tmp_path: Path) -> None:
    """It is served, and its access is that of its class, but for what the manifest says; `once` is refused."""
    path = tmp_path / "mine.toml"
    path.write_text('name = "mine"\nplugin = "delete-named"\n')
    found = find_method(str(path))
    assert (found.name, found.mode) == ("mine", "served")
    assert found.access == find_method("delete-named").access
    path.write_text('name = "mine"\nplugin = "noop"\nmode = "once"\n')
    with pytest.raises(InputError, match="mode: a plugin is always served"):
        find_method(str(path))


@pytest.mark.parametrize(
    ("flags", "message"),
    [
        (("--name", "noop"), "name: 'noop'"),
        (("--name", "a/../b"), "name"),
        (("--name", "pictures"), "name"),
        (("--name", "mine", "--seconds", "nan"), "limits.seconds"),
        (("--name", "mine", "--seconds", "inf"), "limits.seconds"),
        (("--name", "mine", "--memory-mib", str(10**30)), "limits.memory_mib"),
    ],
)
def test_flags_that_make_no_method_are_refused_in_one_line(
    flags: tuple[str, ...], message: str, tmp_path: Path
) -> None:
    """An InputError names the field before anything is run."""
    words = ["--method", "command", "--program", sys.executable, "--access", "", *flags]
    with pytest.raises(InputError, match=message):
        rollout.main([*words, "--chains", str(tmp_path), "--out", str(tmp_path / "run")], standalone_mode=False)
    assert not (tmp_path / "run").exists()


@pytest.mark.parametrize(
    ("flags", "message"),
    [(("noop", "--set", "steps=5"), "option 'steps' is unknown"), (("retrieve",), "library")],
)
def test_options_that_a_plugin_cannot_use_are_refused_before_any_chain(
    flags: tuple[str, ...], message: str, tmp_path: Path
) -> None:
    """What the method says of them is the error; no chain fails for it."""
    words = ["--method", *flags, "--chains", str(tmp_path), "--out", str(tmp_path / "run")]
    with pytest.raises(InputError, match=message):
        rollout.main(words, standalone_mode=False)
    assert not (tmp_path / "run").exists()
