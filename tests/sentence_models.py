"""Sentence models for tests: tiny ones made on the spot, and the real one that a test dependency carries."""

from __future__ import annotations

from pathlib import Path

VOCABULARY = (
    "[PAD] [UNK] [CLS] [SEP] [MASK] a the of with and , . red blue grey wooden metal round leg chair table seat lamp "
    "shade hat cup handle door on beside something iron oak stone foot stand cushion furniture brown white black"
)


def make_tiny_model(folder: Path, seed: int = 1) -> Path:
    """Write a sentence-transformers model of two layers with weights drawn from a seed: (32,) vectors, 0.1 MB."""
    import torch
    from sentence_transformers import SentenceTransformer
    from sentence_transformers.sentence_transformer.modules import Normalize, Pooling, Transformer
    from transformers import BertConfig, BertModel, BertTokenizerFast
    from transformers.utils import logging as transformers_logging

    transformers_logging.disable_progress_bar()

    bare = folder / "bare"
    bare.mkdir(parents=True)
    words = VOCABULARY.split()
    (bare / "vocab.txt").write_text("\n".join(words))
    torch.manual_seed(seed)
    config = BertConfig(
        vocab_size=len(words),
        hidden_size=32,
        num_hidden_layers=2,
        num_attention_heads=2,
        intermediate_size=64,
        max_position_embeddings=96,
    )
    BertModel(config).save_pretrained(bare)
    BertTokenizerFast(vocab={word: place for place, word in enumerate(words)}).save_pretrained(bare)
    network = Transformer(str(bare))
    model = SentenceTransformer(
        modules=[network, Pooling(network.get_embedding_dimension()), Normalize()], device="cpu"
    )
    model.save(str(folder / "tiny"))
    return folder / "tiny"
