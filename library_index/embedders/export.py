"""Exporting a sentence model to ONNX, once: running it then needs neither torch nor transformers."""

from __future__ import annotations

import warnings
from pathlib import Path
from typing import Any

import numpy as np

from chains.storage import check_replaceable, write_atomic
from library_index.content import digest_bytes, digest_path
from library_index.embedders.onnx import EXPORT_FILE, GRAPH_FILE, TOKENIZER_FILE, ExportedModel, OnnxEmbedder
from library_index.embedders.sentence import SentenceEmbedder
from library_index.embedders.weights import TOKENS, missing_extra
from library_index.ports import ModelChoice
from schemas.codec import encode
from schemas.errors import HashMismatchError, InputError, ModelError

PROBES = ("a round wooden table leg", "grey metal door handle, two-door refrigerator", "hat", "an iron lantern " * 40)
"""Texts whose vectors the exported model must give as the original does."""
TOLERANCE = 1
"""Steps of an int8 value: floats of the two runtimes differ by about 1e-7, which now and then tips a rounding."""
_KNOWN_INPUTS = {"input_ids", "attention_mask", "token_type_ids"}


def export_model(choice: ModelChoice, out: Path, name: str | None = None) -> ExportedModel:
    """Write the model as an ONNX graph with its tokenizer into the folder `out`, under `name` or its own name.

    The graph takes one text of 64 tokens. Raises the errors of SentenceEmbedder, MissingExtraError without `onnx`,
    InputError when `out` is the model's own folder, ModelError for a model whose tokenizer or inputs have no ONNX form,
    HashMismatchError when the export gives other vectors; it is then no export that OnnxEmbedder would open.
    """
    embedder = SentenceEmbedder(choice)
    try:
        import onnx  # noqa: F401  # torch asks for it only at the end of its work
    except ImportError as error:
        raise missing_extra("onnx", error, "onnx-export") from error
    if out.resolve() == embedder.folder.resolve():
        raise InputError(f"{out}: is the folder of the model itself, whose {TOKENIZER_FILE} would be overwritten")
    tokenizer = embedder.network.tokenizer
    tokens = embedder.tokenize(PROBES[0])
    if not getattr(tokenizer, "is_fast", False) or not set(tokens) <= _KNOWN_INPUTS:
        raise ModelError(f"{choice.name}: its tokenizer or its inputs {sorted(tokens)} have no ONNX form")
    out.mkdir(parents=True, exist_ok=True)
    check_replaceable(out / GRAPH_FILE)
    _write_graph(embedder, tokens, out / GRAPH_FILE)
    words = tokenizer.backend_tokenizer.to_str().encode("utf-8")
    write_atomic(out / TOKENIZER_FILE, words)
    head = ExportedModel(
        model=name or embedder.model,
        weights_sha256=embedder.sha256,
        graph_sha256=digest_path(out / GRAPH_FILE),
        tokenizer_sha256=digest_bytes(words),
        dimensions=embedder.dimensions,
        tokens=TOKENS,
        inputs=tuple(tokens),
        pad_id=tokenizer.pad_token_id,
        pad_token=tokenizer.pad_token,
    )
    write_atomic(out / EXPORT_FILE, encode(head))
    try:
        _check_same(embedder, OnnxEmbedder(ModelChoice(str(out))))
    except BaseException:
        # whatever ended the comparison: without its head the folder is not taken for an exported model
        (out / EXPORT_FILE).unlink()
        raise
    return head


def _write_graph(embedder: SentenceEmbedder, tokens: dict[str, Any], path: Path) -> None:
    import torch

    names = list(tokens)
    network = embedder.network

    class _Pipeline(torch.nn.Module):  # type: ignore[misc]
        """Token tensors by position to (1, dimensions) vectors: what a graph can take."""

        def __init__(self) -> None:
            super().__init__()
            self.network = network

        def forward(self, *tensors: Any) -> Any:
            return self.network(dict(zip(names, tensors, strict=True)))["sentence_embedding"]

    with warnings.catch_warnings(), torch.inference_mode():
        # the tracer warns of every shape it fixes; shapes are meant to be fixed, and the result is compared below
        warnings.simplefilter("ignore")
        torch.onnx.export(
            _Pipeline().eval(),
            tuple(tokens[name] for name in names),
            str(path),
            input_names=names,
            output_names=["sentence_embedding"],
            dynamo=False,
        )


def _check_same(original: SentenceEmbedder, exported: OnnxEmbedder) -> None:
    """Raise HashMismatchError when the exported model gives other vectors."""
    rows = [embedder.embed(PROBES).astype(np.int64) for embedder in (original, exported)]
    worst = int(np.abs(rows[0] - rows[1]).max())
    if worst > TOLERANCE:
        raise HashMismatchError(
            f"the exported model gives other vectors: int8 values differ by up to {worst}, limit {TOLERANCE}"
        )
