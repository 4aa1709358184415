"""Sentence models by name or path, run by sentence-transformers (extra `embed`)."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from library_index.embedders.weights import (
    TOKENS,
    check_weights,
    digest_weights,
    embed_each,
    missing_extra,
    need_model,
)
from library_index.ports import ModelChoice
from schemas.errors import ModelError

CONFIG_FILE = "config.json"


class SentenceEmbedder:
    """A sentence-transformers model; `name` is `sentence`.

    Texts are padded to 64 tokens and run one by one on one thread. Raises MissingExtraError without the extra,
    ModelError when the model is not there or cannot be read, HashMismatchError when its weights are not the chosen
    ones.
    """

    name = "sentence"
    takes_model = True

    def __init__(self, choice: ModelChoice) -> None:
        asked = need_model(choice, self.name)
        try:
            import torch
            from safetensors import SafetensorError
            from sentence_transformers import SentenceTransformer
            from transformers.utils import logging as transformers_logging
        except ImportError as error:
            raise missing_extra(self.name, error) from error
        folder = find_model(asked)
        self.folder = folder
        self.sha256 = digest_weights(folder)
        check_weights(asked, self.sha256, choice.sha256)
        self.model = folder.name if Path(asked).is_dir() else asked
        transformers_logging.disable_progress_bar()
        torch.set_num_threads(1)
        self._torch = torch
        try:
            self._network = SentenceTransformer(
                str(folder), device="cpu", local_files_only=True, trust_remote_code=False
            ).eval()
        except (SafetensorError, OSError, ValueError, LookupError, RuntimeError, TypeError, AttributeError) as error:
            raise ModelError(f"{folder}: is not a sentence model that can be loaded: {error}") from error
        self.dimensions = int(self._network.get_embedding_dimension() or 0)

    def embed(self, texts: Sequence[str]) -> NDArray[np.int8]:
        """(N, dimensions) int8 rows; see the class."""
        return embed_each(texts, self.dimensions, self._run, self.model)

    def tokenize(self, text: str) -> dict[str, Any]:
        """Token tensors of one text, each (1, 64) int64."""
        encoded = self._network.tokenizer(
            [text], padding="max_length", truncation=True, max_length=TOKENS, return_tensors="pt"
        )
        return dict(encoded)

    @property
    def network(self) -> Any:
        """The loaded torch module: token tensors to `sentence_embedding`, normalised or not."""
        return self._network

    def _run(self, text: str) -> NDArray[np.float32]:
        with self._torch.inference_mode():
            vector: NDArray[np.float32] = self._network(self.tokenize(text))["sentence_embedding"][0].float().numpy()
        return vector


def find_model(asked: str) -> Path:
    """Folder of a model: a path, else a name of the Hugging Face hub, from its cache or downloaded.

    Raises ModelError when it is neither. A Python package that ships a model is never looked up by its name: give the
    path of the folder in it, and the hash of the weights you trust.
    """
    path = Path(asked)
    if (path / CONFIG_FILE).is_file():
        return path.resolve()
    if path.exists() or asked.startswith((".", "/")):
        raise ModelError(f"--model {asked}: there is no model folder (no {CONFIG_FILE})")
    from huggingface_hub import snapshot_download
    from huggingface_hub.errors import HfHubHTTPError, HFValidationError, LocalEntryNotFoundError

    try:
        return Path(snapshot_download(asked, local_files_only=True))
    except HFValidationError as error:
        raise ModelError(f"--model {asked}: is neither a folder nor a name a model can have") from error
    except LocalEntryNotFoundError:
        pass  # not in the cache: ask the hub
    wanted = ["*.json", "*.safetensors", "*.txt", "*.model"]
    try:
        return Path(snapshot_download(asked, allow_patterns=wanted))
    except (HfHubHTTPError, LocalEntryNotFoundError, OSError) as error:
        raise ModelError(
            f"--model {asked}: is not a folder, not in the local model cache, and could not be downloaded: {error}"
        ) from error
