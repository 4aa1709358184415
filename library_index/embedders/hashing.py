"""A lexical embedder without weights: words and letter groups hashed into a fixed number of dimensions.

Captions that share words, or parts of words, are near; synonyms are not. It answers offline, and to the bit the same
everywhere: weights are integers, and the only rounding is one square root, one division and one product a value.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

DIMENSIONS = 384
MAX_CHARACTERS = 2000
"""Longer texts are embedded by their beginning."""
DEFINITION = "hashing-1: words 12, head 24, letter trigrams 2, pairs 4; blake2b-8; 384 dimensions; rint(127 x)"
_WORD, _HEAD, _GRAM, _PAIR = 12, 24, 2, 4
_TOKEN = re.compile(r"[^\W_]+")
_CLAUSE = re.compile(
    r",|;|\.|\b(?:with|of|on|in|at|near|from|for|which|that|featuring|serving|and|under|below|around)\b"
)
STOP_WORDS = frozenset(
    "a an the of on in at to for from by with and or its it is are one two three four five six this that these those "
    "which as be counted side near".split()
)
_SUFFIXES = (("ies", "y"), ("sses", "ss"), ("ves", "f"), ("shes", "sh"), ("ches", "ch"), ("xes", "x"))


@lru_cache(maxsize=65536)
def stem(word: str) -> str:
    """Fold plural and material forms of an English word: `leaves` to `leaf`, `wooden` to `wood`."""
    if len(word) <= 3 or not word.isascii():
        return word
    for ending, new in _SUFFIXES:
        if word.endswith(ending):
            return word[: -len(ending)] + new
    if word.endswith("s") and not word.endswith(("ss", "us", "is")):
        word = word[:-1]
    if word.endswith("en") and word in {"wooden", "golden", "woolen", "woollen", "silken", "earthen"}:
        return word[:-2]
    return {"metallic": "metal", "gray": "grey", "colored": "coloured"}.get(word, word)


@lru_cache(maxsize=262144)
def _bucket(feature: str) -> tuple[int, int]:
    """Dimension and sign of a feature."""
    value = int.from_bytes(hashlib.blake2b(feature.encode("utf-8", "replace"), digest_size=8).digest(), "big")
    return value % DIMENSIONS, 1 if value >> 63 else -1


def _features(text: str) -> list[tuple[str, int]]:
    """Weighted features of one text."""
    text = text[:MAX_CHARACTERS].lower()
    tokens = [stem(token) for token in _TOKEN.findall(text)]
    words = [word for word in tokens if word not in STOP_WORDS] or tokens
    found = [(f"w:{word}", _WORD) for word in words]
    found += [(f"p:{a} {b}", _PAIR) for a, b in zip(words, words[1:], strict=False)]
    for word in words or [text.strip()]:
        padded = f"<{word}>"
        found += [(f"g:{padded[i : i + 3]}", _GRAM) for i in range(len(padded) - 2)]
    clause = [stem(token) for token in _TOKEN.findall(_CLAUSE.split(text, maxsplit=1)[0])]
    content = [word for word in clause if word not in STOP_WORDS]
    if content:
        found.append((f"w:{content[-1]}", _HEAD))
    return found if text.strip() else []


class HashingEmbedder:
    """See the module; `name` is `hashing`."""

    name = "hashing"
    dimensions = DIMENSIONS

    @property
    def sha256(self) -> str:
        """Hash of the definition."""
        return hashlib.sha256(DEFINITION.encode("utf-8")).hexdigest()

    def embed(self, texts: Sequence[str]) -> NDArray[np.int8]:
        """(N, 384) int8; a text without any letters or signs is a row of zeros."""
        rows = np.zeros((len(texts), DIMENSIONS), dtype=np.int8)
        for row, text in enumerate(texts):
            rows[row] = self._embed_one(text)
        return rows

    def _embed_one(self, text: str) -> NDArray[np.int8]:
        counts = np.zeros(DIMENSIONS, dtype=np.int64)
        for feature, weight in _features(text):
            place, sign = _bucket(feature)
            counts[place] += sign * weight
        squares = int((counts * counts).sum())
        if squares == 0:
            return counts.astype(np.int8)
        return np.rint(counts.astype(np.float64) / np.sqrt(np.float64(squares)) * 127.0).astype(np.int8)
