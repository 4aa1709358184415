"""The lexical embedder: the same bits everywhere, near where words are shared."""

from __future__ import annotations

import hashlib
import subprocess
import sys

import numpy as np
import pytest

from library_index.embedders.hashing import HashingEmbedder, stem
from library_index.embedding import check_embedder, load_embedder
from library_index.search import cosine
from schemas.errors import HashMismatchError, UnknownPluginError

TEXTS = [
    "grey sword guard", "a dark brown wooden table leg", "红色的车轮", "👩🏽‍🚀", "", "the of", "x" * 10_000,
    "stack of gold coins", "headboard and footboard panels", "A component with holes.", "roof of a house",
    "small orange and green vegetable pieces around the patty", "A white, round lid featuring a knob.",
]  # fmt: skip
GOLDEN = "2f61f7a84edbfd98bacbd7ca5dce34d7261406a22f96c51e9cb4ef0140708ba7"
DEFINITION = "eba3c66315ab9b57a8dfb31c39cc54e3eeb4355935eec72362afd7c52a7cf5c7"
SCRIPT = f"""
import hashlib
from library_index.embedders.hashing import HashingEmbedder
print(hashlib.sha256(HashingEmbedder().embed({TEXTS!r}).tobytes()).hexdigest())
"""


def test_vectors_are_pinned() -> None:
    """The bits of known texts; a change of any rule must come with a new definition."""
    embedder = HashingEmbedder()
    assert hashlib.sha256(embedder.embed(TEXTS).tobytes()).hexdigest() == GOLDEN
    assert embedder.sha256 == DEFINITION


def test_other_processes_give_the_same_bits() -> None:
    """Neither the hash seed nor the numeric library's kernel changes a bit."""
    for seed, kernel in (("1", "Haswell"), ("77", "Prescott")):
        env = {"PYTHONHASHSEED": seed, "OPENBLAS_CORETYPE": kernel, "PATH": ""}
        result = subprocess.run([sys.executable, "-c", SCRIPT], env=env, capture_output=True, text=True, check=True)
        assert result.stdout.strip() == GOLDEN


def test_rows_do_not_depend_on_their_batch() -> None:
    """A text embedded alone gives the row it gives among others."""
    embedder = HashingEmbedder()
    together = embedder.embed(TEXTS)
    assert together.dtype == np.int8
    assert all(np.array_equal(embedder.embed([text])[0], row) for text, row in zip(TEXTS, together, strict=True))


def test_lengths_are_one_or_zero() -> None:
    """Rows have length 127 up to rounding; a text of nothing is all zeros."""
    lengths = np.sqrt((HashingEmbedder().embed(TEXTS).astype(float) ** 2).sum(axis=1)) / 127
    assert lengths[TEXTS.index("")] == 0
    assert np.all(np.abs(np.delete(lengths, TEXTS.index("")) - 1) < 0.08)


def test_shared_heads_are_nearer_than_shared_adjectives() -> None:
    """The thing counts more than its colour, plural and material forms count as equal."""
    texts = ["grey wheel", "red wheels", "grey lamp", "wooden leg", "leg of wood"]
    grey_wheel, red_wheels, grey_lamp, wooden_leg, leg_of_wood = HashingEmbedder().embed(texts)
    assert cosine(grey_wheel, red_wheels) > cosine(grey_wheel, grey_lamp) + 0.2
    assert cosine(wooden_leg, leg_of_wood) > 0.6
    assert [stem(word) for word in ("leaves", "wooden", "boxes", "glass", "cactus")] == [
        "leaf", "wood", "box", "glass", "cactus",
    ]  # fmt: skip


def test_embedders_are_found_by_name() -> None:
    """The default is installed; a misspelt name is answered with the nearest; another version is refused."""
    assert load_embedder().name == "hashing"
    with pytest.raises(UnknownPluginError, match="did you mean 'hashing'"):
        load_embedder("hasing")
    with pytest.raises(HashMismatchError, match="run the build again"):
        check_embedder(HashingEmbedder(), "hashing", "0" * 64)
