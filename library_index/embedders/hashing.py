"""A lexical embedder without weights: words and letter groups hashed into a fixed number of dimensions.

Captions that share words, or parts of words, are near; synonyms are not. It answers offline, and to the bit the same
everywhere: weights are integers, and the only rounding is one square root, one division and one product a value.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence
from functools import lru_cache
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from library_index.captions import clean_caption

DIMENSIONS = 384
MAX_CHARACTERS = 2000
"""Longer texts are embedded by their beginning."""
DEFINITION = (
    "hashing-1: words 6 x 4 places, head 4 x 4 places, letter trigrams 2, pairs 4; blake2b-16; 384 dimensions; "
    "rint(127 x); first 2000 characters; head by captions-1"
)
"""Changes with any rule above or below, and with the rules of library_index.captions that find a head."""
_WORD, _HEAD, _GRAM, _PAIR = 6, 4, 2, 4
_PLACES = 4
"""A word lands in several dimensions, so that two words meeting in one of them are still far apart."""
_TOKEN = re.compile(r"[^\W_]+")
_STOP = (
    "a an the of on in at to for from by with and or its it is are one two three four five six this that these those "
    "which as be counted side near"
)
STOP_WORDS = frozenset(_STOP.split())
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
def _places(feature: str) -> tuple[tuple[int, int], ...]:
    """Dimension and sign of a feature, as often as it has places."""
    data = hashlib.blake2b(feature.encode("utf-8", "replace"), digest_size=4 * _PLACES).digest()
    values = [int.from_bytes(data[i : i + 4], "big") for i in range(0, len(data), 4)]
    return tuple(((value >> 1) % DIMENSIONS, 1 if value & 1 else -1) for value in values)


def _features(text: str) -> list[tuple[str, int, int]]:
    """(feature, weight, number of places) of one text."""
    text = text[:MAX_CHARACTERS].lower()
    if not text.strip():
        return []
    tokens = [stem(token) for token in _TOKEN.findall(text)]
    words = [word for word in tokens if word not in STOP_WORDS] or tokens
    found = [(f"w:{word}", _WORD, _PLACES) for word in words]
    found += [(f"p:{a} {b}", _PAIR, 1) for a, b in pairwise(words)]
    for word in words or [text.strip()]:
        padded = f"<{word}>"
        found += [(f"g:{padded[i : i + 3]}", _GRAM, 1) for i in range(len(padded) - 2)]
    phrase = clean_caption(text)
    if not phrase.junk:
        found.append((f"w:{stem(phrase.head)}", _HEAD, _PLACES))
    return found


class HashingEmbedder:
    """See the module; `name` is `hashing`."""

    name = "hashing"
    model = None
    dimensions = DIMENSIONS

    @property
    def sha256(self) -> str:
        """Hash of the definition."""
        return hashlib.sha256(DEFINITION.encode("utf-8")).hexdigest()

    def embed(self, texts: Sequence[str]) -> NDArray[np.int8]:
        """(N, 384) int8; a text without any letters or signs is a row of zeros."""
        rows = np.zeros((len(texts), DIMENSIONS), dtype=np.int8)
        for row, text in enumerate(texts):
            rows[row] = _embed_one(text)
        return rows


def _embed_one(text: str) -> NDArray[np.int8]:
    counts = [0] * DIMENSIONS
    for feature, weight, places in _features(text):
        for place, sign in _places(feature)[:places]:
            counts[place] += sign * weight
    squares = sum(count * count for count in counts)
    if squares == 0:
        return np.zeros(DIMENSIONS, dtype=np.int8)
    unit = np.asarray(counts, dtype=np.float64) / np.sqrt(np.float64(squares))
    quantised: NDArray[np.int8] = np.rint(unit * 127.0).astype(np.int8)
    return quantised
