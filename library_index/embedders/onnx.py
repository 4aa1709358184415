"""Sentence models exported to ONNX, run by ONNX Runtime without torch (extra `embed`)."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from pydantic import Field

from library_index.content import digest_path
from library_index.embedders.weights import TOKENS, check_weights, embed_each, missing_extra, need_model
from library_index.ports import ModelChoice
from schemas.base import SCHEMA_VERSION, Sha256, Value
from schemas.codec import read_record
from schemas.errors import HashMismatchError, ModelError

GRAPH_FILE, TOKENIZER_FILE, EXPORT_FILE = "model.onnx", "tokenizer.json", "export.json"


class ExportedModel(Value):
    """Head of an exported model: where it came from, and what its files hash to."""

    schema_version: str = SCHEMA_VERSION
    model: str
    """Name of the model the graph was exported from."""
    weights_sha256: Sha256
    """Hash of the weights it was exported from: an index of either backend answers queries of both."""
    graph_sha256: Sha256
    tokenizer_sha256: Sha256
    dimensions: int = Field(ge=1)
    tokens: int = Field(ge=1)
    inputs: tuple[str, ...] = Field(strict=False, min_length=1)
    """Names of the graph's inputs, each (1, tokens) int64, among input_ids, attention_mask and token_type_ids."""
    pad_id: int
    pad_token: str


class OnnxEmbedder:
    """A folder written by `engine embedder export`; `name` is `onnx`.

    Texts are padded to 64 tokens and run one by one on one thread. Raises MissingExtraError without the extra,
    ModelError when the folder is not an exported model, HashMismatchError when its files or weights are others.
    """

    name = "onnx"
    takes_model = True

    def __init__(self, choice: ModelChoice) -> None:
        asked = need_model(choice, self.name)
        try:
            from onnxruntime.capi.onnxruntime_pybind11_state import Fail, InvalidArgument, InvalidGraph, InvalidProtobuf
            from tokenizers import Tokenizer
        except ImportError as error:
            raise missing_extra(self.name, error) from error
        folder = Path(asked)
        if not (folder / EXPORT_FILE).is_file():
            raise ModelError(
                f"--model {asked}: is not an exported model (no {EXPORT_FILE}); make one with "
                "`engine embedder export MODEL --out DIR`"
            )
        head = read_record(ExportedModel, folder / EXPORT_FILE)
        if head.tokens != TOKENS:
            raise ModelError(f"{folder}: was exported for {head.tokens} tokens, needed are {TOKENS}: export it again")
        for name, expected in ((GRAPH_FILE, head.graph_sha256), (TOKENIZER_FILE, head.tokenizer_sha256)):
            if (actual := digest_path(folder / name)) != expected:
                raise HashMismatchError(
                    f"{folder / name}: sha256 is {actual[:12]}, {EXPORT_FILE} says {expected[:12]}: export it again"
                )
        check_weights(asked, head.weights_sha256, choice.sha256)
        self.model = head.model
        self.sha256 = head.weights_sha256
        self.dimensions = head.dimensions
        self._inputs = head.inputs
        try:
            self._tokenizer = _load_tokenizer(Tokenizer, folder / TOKENIZER_FILE, head)
            self._session = _open_session(folder / GRAPH_FILE)
        except (Fail, InvalidArgument, InvalidGraph, InvalidProtobuf, ValueError) as error:
            raise ModelError(f"{folder}: cannot be loaded: {error}") from error

    def embed(self, texts: Sequence[str]) -> NDArray[np.int8]:
        """(N, dimensions) int8 rows; see the class."""
        return embed_each(texts, self.dimensions, self._run, self.model)

    def _run(self, text: str) -> NDArray[np.float32]:
        encoding = self._tokenizer.encode(text)
        columns = {
            "input_ids": encoding.ids,
            "attention_mask": encoding.attention_mask,
            "token_type_ids": encoding.type_ids,
        }
        feed = {name: np.array([columns[name]], dtype=np.int64) for name in self._inputs}
        vector: NDArray[np.float32] = self._session.run(None, feed)[0][0]
        return vector


def _load_tokenizer(kind: Any, path: Path, head: ExportedModel) -> Any:
    tokenizer = kind.from_str(path.read_text("utf-8"))
    tokenizer.enable_truncation(head.tokens)
    tokenizer.enable_padding(length=head.tokens, pad_id=head.pad_id, pad_token=head.pad_token)
    return tokenizer


def _open_session(graph: Path) -> Any:
    """Open the graph on one thread and on the processor's plain provider."""
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    options.inter_op_num_threads = 1
    options.use_deterministic_compute = True
    return onnxruntime.InferenceSession(str(graph), options, providers=["CPUExecutionProvider"])
