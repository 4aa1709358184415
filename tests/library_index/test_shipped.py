"""Vectors that lie beside the parts: an index without a model, equal to that of the model, or a clear error."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from header_surveyor import HeaderSurveyor
from tiny_library import make_partverse

from library_index.build import build_library
from library_index.content import digest_bytes
from library_index.embedders.export import export_model
from library_index.embedders.hashing import HashingEmbedder
from library_index.embedders.onnx import OnnxEmbedder
from library_index.library import open_library
from library_index.ports import ModelChoice
from library_index.rows import QUERY_VECTORS_FILE, VECTORS_FILE
from library_index.search import search, search_words
from library_index.shipped import (
    SHIPPED_FILES,
    SHIPPED_FOLDER,
    ShippedEmbedder,
    ShippedVectors,
    find_shipped,
    write_shipped,
)
from schemas.codec import canonical, encode
from schemas.errors import HashMismatchError, InputError
from tests.sentence_models import make_tiny_model


@pytest.fixture(scope="module")
def embedder(tmp_path_factory: pytest.TempPathFactory) -> OnnxEmbedder:
    """A tiny exported model."""
    folder = tmp_path_factory.mktemp("model")
    export_model(ModelChoice(str(make_tiny_model(folder))), folder / "onnx", "tiny-words")
    return OnnxEmbedder(ModelChoice(str(folder / "onnx")))


@pytest.fixture
def source(tmp_path: Path, embedder: OnnxEmbedder) -> Path:
    """A source that ships its vectors, and the index they came from beside it."""
    source = make_partverse(tmp_path / "source")
    build_library(source, tmp_path / "made", surveyor=HeaderSurveyor(), embedder=embedder, workers=0)
    write_shipped(open_library(tmp_path / "made"), source)
    return source


def shipped_of(source: Path) -> ShippedEmbedder:
    """The vectors of a source that has some."""
    found = find_shipped(source)
    assert found is not None
    return found


def test_an_index_of_shipped_vectors_equals_the_models(source: Path, tmp_path: Path, embedder: OnnxEmbedder) -> None:
    """Vectors and queries are the same bytes; the manifest names the model, its weights, and that they were shipped."""
    shipped = shipped_of(source)
    manifest = build_library(source, tmp_path / "lib", surveyor=HeaderSurveyor(), embedder=shipped, workers=0)
    for name in (VECTORS_FILE, QUERY_VECTORS_FILE):
        assert (tmp_path / "lib" / name).read_bytes() == (tmp_path / "made" / name).read_bytes()
    assert (manifest.embedder, manifest.model, manifest.embedder_sha256) == ("shipped", "tiny-words", embedder.sha256)
    assert manifest.skipped == ()
    library = open_library(tmp_path / "lib")
    hits = search(library, "white lamp shade", 1, embedder=embedder)
    assert str(hits[0].record.ref) == "lamp/0"
    with pytest.raises(HashMismatchError, match="run the build again"):
        search(library, "white lamp shade", 1, embedder=HashingEmbedder())


@pytest.mark.parametrize(("workers", "batch"), [(0, 1), (1, 3), (2, 512)])
def test_model_vectors_do_not_depend_on_workers_or_batch(
    source: Path, tmp_path: Path, embedder: OnnxEmbedder, workers: int, batch: int
) -> None:
    """Any number of workers and any batch gives the bytes of the first index."""
    out = tmp_path / f"lib{workers}"
    build_library(
        source,
        out,
        surveyor=HeaderSurveyor(),
        embedder=embedder,
        workers=workers,
        embed_batch=batch,
        library_id="source",
    )
    for path in sorted((tmp_path / "made").glob("*.i8")):
        assert (out / path.name).read_bytes() == path.read_bytes()


def test_a_text_that_was_not_shipped_is_an_error(source: Path, tmp_path: Path) -> None:
    """A caption changed after shipping: the first missing text and the remedies are named, and no index appears."""
    captions = json.loads((source / "text_captions.json").read_text())
    captions["lamp"]["0"] = ["A crooked lamp shade.", ""]
    (source / "text_captions.json").write_text(json.dumps(captions))
    with pytest.raises(InputError, match=r"no shipped vector, first 'crooked lamp shade.*engine embedder ship"):
        build_library(source, tmp_path / "lib", surveyor=HeaderSurveyor(), embedder=shipped_of(source), workers=0)
    assert not (tmp_path / "lib" / "manifest.json").exists()


def test_damaged_vectors_are_refused(source: Path) -> None:
    """One bit of a text or a row, or a head that counts otherwise, is seen."""
    folder = source / SHIPPED_FOLDER
    for name in ("texts.jsonl", "vectors.i8"):
        data = (folder / name).read_bytes()
        (folder / name).write_bytes(bytes([data[0] ^ 1]) + data[1:])
        with pytest.raises(HashMismatchError, match=rf"{name}: sha256 is"):
            find_shipped(source)
        (folder / name).write_bytes(data)
    head = json.loads((folder / "head.json").read_text())
    (folder / "head.json").write_text(json.dumps({**head, "texts": head["texts"] + 1}))
    with pytest.raises(HashMismatchError, match="do not hold"):
        find_shipped(source)
    (folder / "vectors.i8").unlink()
    with pytest.raises(InputError, match="cannot be read"):
        find_shipped(source)


def test_a_text_may_hold_any_line_separator(tmp_path: Path) -> None:
    """Only the end of a line of the file parts two texts, not what Unicode calls a separator."""
    texts = sorted(["a", "lamp\u2028shade", "red\u2029lamp\x85", "z"])
    lines = b"".join(canonical(text) + b"\n" for text in texts)
    vectors = bytes(range(2 * len(texts)))
    head = ShippedVectors(
        model="tiny-words",
        weights_sha256="0" * 64,
        dimensions=2,
        texts=len(texts),
        texts_sha256=digest_bytes(lines),
        vectors_sha256=digest_bytes(vectors),
    )
    for name, data in zip(SHIPPED_FILES, (encode(head), lines, vectors), strict=True):
        (tmp_path / name).write_bytes(data)
    assert ShippedEmbedder(tmp_path).embed(texts).tobytes() == vectors


def test_only_vectors_of_a_model_are_shipped(tmp_path: Path) -> None:
    """Lexical vectors are not worth shipping; a source without any has none."""
    source = make_partverse(tmp_path / "source")
    assert find_shipped(source) is None
    build_library(source, tmp_path / "lib", surveyor=HeaderSurveyor(), embedder=HashingEmbedder(), workers=0)
    with pytest.raises(InputError, match="only vectors of a model"):
        write_shipped(open_library(tmp_path / "lib"), source)


def test_words_answer_without_the_model(source: Path, tmp_path: Path) -> None:
    """The lexical search over an index of a model finds what the lexical index finds, in the same order."""
    build_library(source, tmp_path / "words", surveyor=HeaderSurveyor(), embedder=HashingEmbedder(), workers=0)
    expected = search(open_library(tmp_path / "words"), "iron stand of a lamp", 4)
    found = search_words(open_library(tmp_path / "made"), "iron stand of a lamp", 4)
    assert [(hit.record.caption, hit.score) for hit in found] == [(hit.record.caption, hit.score) for hit in expected]
    assert str(found[0].record.ref) == "lamp/1"
    assert not np.isnan([hit.score for hit in found]).any()
