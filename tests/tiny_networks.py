"""Networks of the evaluator with tiny weights: the published names, formats and rules at a small width."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from evaluator.metrics.networks.dinov2 import Dinov2Patches
from evaluator.metrics.networks.encoders import Dinov2Encoder, Dinov3Encoder, Siglip2Encoder, TransformerEncoder
from evaluator.metrics.networks.lpips import LpipsAlex
from evaluator.metrics.networks.vision import Architecture

Tensors = dict[str, NDArray[np.float32]]
TRUNK = ((0, 11), (3, 5), (6, 3), (8, 3), (10, 3))
"""Place and size of the convolutions of the published trunk."""


class TinyLpips(LpipsAlex):
    """LPIPS with few channels."""

    channels = (4, 6, 5, 7, 3)


class TinyDinov2(Dinov2Patches):
    """DINOv2 of two blocks and two heads."""

    architecture = Architecture("dinov2", 128, 2, 14)


class TinyDinov2Encoder(Dinov2Encoder):
    """The same as an encoder."""

    architecture = Architecture("dinov2", 128, 2, 14)


class TinyDinov3Encoder(Dinov3Encoder):
    """DINOv3 of two blocks."""

    architecture = Architecture("dinov3_vit", 64, 2, 16)


class TinySiglip2Encoder(Siglip2Encoder):
    """SigLIP2 of two blocks."""

    architecture = Architecture("siglip2", 32, 2, 16)


ENCODERS: tuple[type[TransformerEncoder], ...] = (TinyDinov2Encoder, TinyDinov3Encoder, TinySiglip2Encoder)


def draw_trunk(channels: tuple[int, ...], seed: int) -> Tensors:
    """An AlexNet as torchvision names it, with a classifier that nobody needs."""
    generator = np.random.default_rng(seed)
    tensors: Tensors = {}
    before = 3
    for (place, size), after in zip(TRUNK, channels, strict=True):
        weight = generator.normal(size=(after, before, size, size)) / size / np.sqrt(before)
        tensors[f"features.{place}.weight"] = weight.astype(np.float32)
        tensors[f"features.{place}.bias"] = (generator.normal(size=after) * 0.1).astype(np.float32)
        before = after
    tensors["classifier.1.weight"] = np.zeros((2, 2), dtype=np.float32)
    return tensors


def draw_heads(channels: tuple[int, ...], seed: int) -> Tensors:
    """The heads as lpips names them: not negative."""
    generator = np.random.default_rng(seed)
    return {
        f"lin{layer}.model.1.weight": generator.random((1, count, 1, 1)).astype(np.float32)
        for layer, count in enumerate(channels)
    }


def draw_authors_dinov2(width: int, depth: int, seed: int) -> Tensors:
    """DINOv2 as its authors name it."""
    generator = np.random.default_rng(seed)

    def normal(*shape: int, spread: float = 0.08) -> NDArray[np.float32]:
        return (generator.normal(size=shape) * spread).astype(np.float32)

    tensors = {
        "cls_token": normal(1, 1, width),
        "pos_embed": normal(1, 1 + 37 * 37, width, spread=0.5),
        "mask_token": normal(1, width),
        "patch_embed.proj.weight": normal(width, 3, 14, 14),
        "patch_embed.proj.bias": normal(width),
        "norm.weight": 1 + normal(width),
        "norm.bias": normal(width),
    }
    for block in range(depth):
        stem = f"blocks.{block}."
        for norm in ("norm1", "norm2"):
            tensors[f"{stem}{norm}.weight"] = 1 + normal(width)
            tensors[f"{stem}{norm}.bias"] = normal(width)
        for layer, out, into in (
            ("attn.qkv", 3 * width, width),
            ("attn.proj", width, width),
            ("mlp.fc1", 4 * width, width),
            ("mlp.fc2", width, 4 * width),
        ):
            tensors[f"{stem}{layer}.weight"] = normal(out, into)
            tensors[f"{stem}{layer}.bias"] = normal(out)
        for scale in ("ls1.gamma", "ls2.gamma"):
            tensors[f"{stem}{scale}"] = 1 + normal(width)
    return tensors


def save_torch(tensors: Tensors, path: Path) -> Path:
    """Write tensors as a torch file."""
    import torch

    path.parent.mkdir(parents=True, exist_ok=True)
    torch.save({name: torch.from_numpy(value.copy()) for name, value in tensors.items()}, path)
    return path


def save_lpips(folder: Path, seed: int = 1, channels: tuple[int, ...] = TinyLpips.channels) -> Path:
    """Write trunk and heads as two files of a folder."""
    save_torch(draw_trunk(channels, seed), folder / "alexnet-owt-tiny.pth")
    save_torch(draw_heads(channels, seed + 1), folder / "alex.pth")
    return folder


def make_model(kind: str, seed: int = 1) -> Any:
    """A transformers model with weights drawn from a seed: dinov2, dinov3 or siglip2."""
    import torch
    import transformers

    torch.manual_seed(seed)
    if kind == "dinov2":
        config = transformers.Dinov2Config(
            hidden_size=128, num_hidden_layers=2, num_attention_heads=2, image_size=518, patch_size=14
        )
        return transformers.Dinov2Model(config).eval()
    if kind == "dinov3":
        config = transformers.DINOv3ViTConfig(
            hidden_size=64, intermediate_size=96, num_hidden_layers=2, num_attention_heads=2, num_register_tokens=4
        )
        return transformers.DINOv3ViTModel(config).eval()
    side = {"hidden_size": 32, "intermediate_size": 64, "num_attention_heads": 2}
    texts = {**side, "num_hidden_layers": 1, "vocab_size": 64, "bos_token_id": 1, "eos_token_id": 2, "pad_token_id": 0}
    config = transformers.Siglip2Config(text_config=texts, vision_config={**side, "num_hidden_layers": 2})
    return transformers.Siglip2Model(config).eval()


def save_model(kind: str, folder: Path, seed: int = 1) -> Path:
    """Write such a model as its folder is published."""
    from transformers.utils import logging as transformers_logging

    transformers_logging.disable_progress_bar()
    make_model(kind, seed).save_pretrained(folder)
    return folder
