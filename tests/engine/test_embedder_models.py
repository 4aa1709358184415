"""Which embedder a command works with, and what a missing one is answered."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.models import choose_embedder, find_query_embedder
from engine.settings import read_settings
from library_index.embedders.hashing import HashingEmbedder
from schemas.errors import HashMismatchError, ModelError, SettingsError
from schemas.part import LibraryManifest


@pytest.fixture(autouse=True)
def alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No settings of whoever runs the tests."""
    monkeypatch.chdir(tmp_path)
    for name in ("EMBEDDER", "MODEL", "MODEL_SHA256", "LIBRARY", "WORKERS"):
        monkeypatch.delenv(f"ENGINE_{name}", raising=False)


def manifest_of(embedder: str, sha256: str, model: str | None) -> LibraryManifest:
    """Head of an index made by an embedder."""
    return LibraryManifest(
        library="x",
        layout="folder",
        hosts=0,
        objects=0,
        parts=0,
        parts_sha256="0" * 64,
        objects_sha256="0" * 64,
        vectors_sha256="0" * 64,
        embedder=embedder,
        embedder_sha256=sha256,
        dimensions=4,
        library_sha256="0" * 64,
        model=model,
    )


def test_flags_go_over_environment_over_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Embedder, model and hash come from the nearest place that gives them."""
    (tmp_path / "engine.toml").write_text(f"embedder = 'onnx'\nmodel = 'file'\nmodel_sha256 = '{'a' * 64}'")
    monkeypatch.setenv("ENGINE_MODEL", "environment")
    found = read_settings(embedder="sentence")
    assert (found.embedder, found.model, found.model_sha256) == ("sentence", "environment", "a" * 64)
    assert read_settings(model="flag").model == "flag"
    with pytest.raises(SettingsError, match="64 lower-case hex digits, found 'A'"):
        read_settings(model_sha256="A")
    monkeypatch.delenv("ENGINE_MODEL")
    (tmp_path / "engine.toml").write_text("model = 3")
    with pytest.raises(SettingsError, match="model must be a text"):
        read_settings(embedder="onnx")


def test_nothing_takes_the_place_of_what_was_asked_for(tmp_path: Path) -> None:
    """Without a wish the lexical embedder answers and says so; a wish that cannot be met is an error."""
    chosen = choose_embedder(tmp_path, read_settings())
    assert chosen.embedder.name == "hashing"
    assert "by their words alone" in chosen.reason
    with pytest.raises(ModelError, match="embedder 'onnx' needs a model: give --model"):
        choose_embedder(tmp_path, read_settings(embedder="onnx"))
    with pytest.raises(SettingsError, match="given without an embedder"):
        choose_embedder(tmp_path, read_settings(model="m"))
    with pytest.raises(SettingsError, match="'hashing' takes no model"):
        choose_embedder(tmp_path, read_settings(embedder="hashing", model="m"))


def test_an_index_is_asked_by_its_own_embedder() -> None:
    """A lexical index needs none named; a model's index without one is answered by none; another one is refused."""
    lexical = manifest_of("hashing", HashingEmbedder().sha256, None)
    found = find_query_embedder(lexical, read_settings())
    assert found is not None
    assert found.name == "hashing"
    by_model = manifest_of("shipped", "5" * 64, "some-model")
    assert find_query_embedder(by_model, read_settings()) is None
    with pytest.raises(HashMismatchError, match="run the build again"):
        find_query_embedder(by_model, read_settings(embedder="hashing"))
    with pytest.raises(SettingsError, match="given without an embedder"):
        find_query_embedder(by_model, read_settings(model="m"))
