"""What the vision transformers share: reading a published model folder whole, and preparing pictures."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from engine.surfaces import FloatArray
from evaluator.metrics.networks.weights import WeightsChoice, hash_weights
from evaluator.metrics.pictures import Picture
from schemas.errors import InputError, ModelError

CONFIG_FILE: Final = "config.json"
IMAGENET_MEAN: Final = (0.485, 0.456, 0.406)
IMAGENET_STD: Final = (0.229, 0.224, 0.225)


class Architecture(NamedTuple):
    """The network a column is named after; weights of another one are refused."""

    model_type: str
    """As config.json calls it."""
    width: int
    depth: int
    patch: int


def find_weight_files(choice: WeightsChoice, what: str) -> list[Path]:
    """The safetensors files of a model folder. Raises ModelError unless it is one."""
    if not (choice.path / CONFIG_FILE).is_file():
        raise ModelError(f"{what}: weights {choice.path}: is not a model folder (no {CONFIG_FILE})")
    files = sorted(choice.path.glob("*.safetensors"))
    if not files:
        raise ModelError(f"{what}: weights {choice.path}: holds no .safetensors file; other kinds are not read")
    return files


def hash_model_folder(choice: WeightsChoice, what: str) -> str:
    """Hash of the weights of a model folder and of its config.json, which says what they mean."""
    return hash_weights([choice.path / CONFIG_FILE, *find_weight_files(choice, what)], choice, what)


def check_architecture(choice: WeightsChoice, expected: Architecture, what: str) -> None:
    """Raise ModelError when config.json describes another network; of a model with texts its vision side counts."""
    from transformers import AutoConfig

    path = choice.path / CONFIG_FILE
    try:
        # The library knows the defaults that a published description leaves out.
        config = AutoConfig.from_pretrained(str(choice.path), local_files_only=True, trust_remote_code=False)
        vision = getattr(config, "vision_config", config)
        found = Architecture(config.model_type, vision.hidden_size, vision.num_hidden_layers, vision.patch_size)
    except (OSError, ValueError, LookupError, TypeError, AttributeError) as error:
        raise ModelError(f"{what}: {path}: cannot be read as the description of a vision model: {error}") from error
    if found != expected:
        raise ModelError(f"{what}: {path}: describes {_describe(found)}, this column is {_describe(expected)}")


def load_model(kind: Any, choice: WeightsChoice, what: str) -> Any:
    """Load a transformers class from a local folder. Raises ModelError unless every tensor of the network is there."""
    from safetensors import SafetensorError
    from transformers.utils import logging as transformers_logging

    transformers_logging.disable_progress_bar()
    loudness = transformers_logging.get_verbosity()
    # The library warns of every tensor of a text side that is left unread; what matters is checked below.
    transformers_logging.set_verbosity_error()
    try:
        model, report = kind.from_pretrained(
            str(choice.path),
            local_files_only=True,
            trust_remote_code=False,
            use_safetensors=True,
            attn_implementation="eager",
            dtype="float32",
            ignore_mismatched_sizes=True,
            output_loading_info=True,
        )
    except (SafetensorError, OSError, ValueError, LookupError, RuntimeError, TypeError, AttributeError) as error:
        raise ModelError(f"{what}: weights {choice.path}: cannot be loaded: {error}") from error
    finally:
        transformers_logging.set_verbosity(loudness)
    # What is missing or does not fit is drawn at random and could never be told from the real thing.
    lacking = sorted({*report["missing_keys"], *(name for name, *_ in report["mismatched_keys"])})
    if lacking:
        raise ModelError(
            f"{what}: weights {choice.path}: {len(lacking)} tensors are missing or misshapen: {lacking[0]}"
        )
    return model.eval()


def check_square(picture: NDArray[Any], what: str) -> None:
    """Raise InputError unless a picture (H, W, 3) has as many rows as columns."""
    if picture.ndim != 3 or picture.shape[2] != 3 or picture.shape[0] != picture.shape[1]:
        raise InputError(f"{what}: picture of shape {picture.shape}, needs a square one (S, S, 3)")


def resize_picture(picture: Picture, size: int, crop: int) -> Picture:
    """Bring a square picture (S, S, 3) to `size` pixels by Pillow's bicubic filter, and cut `crop` out of its middle.

    Pillow works in integers here: the result is the same on every machine.
    """
    resized = np.array(Image.fromarray(np.ascontiguousarray(picture)).resize((size, size), Image.Resampling.BICUBIC))
    start = (size - crop) // 2
    return np.asarray(resized[start : start + crop, start : start + crop])


def normalise_picture(picture: Picture) -> NDArray[np.float32]:
    """(1, 3, S, S) float32 with the mean and spread of ImageNet."""
    values = (picture.astype(np.float64) / 255.0 - np.array(IMAGENET_MEAN)) / np.array(IMAGENET_STD)
    return np.ascontiguousarray(values.transpose(2, 0, 1)[None], dtype=np.float32)


def to_unit(vector: NDArray[np.float32], what: str) -> FloatArray:
    """Scale a vector (D,) to length 1. Raises ModelError for one that has no direction."""
    wide = vector.astype(np.float64)
    length = float(np.sqrt(np.sum(wide * wide)))
    if not (np.isfinite(length) and length > 0.0):
        raise ModelError(f"{what}: the network gave a vector of length {length:g}")
    return wide / length


def _describe(found: Architecture) -> str:
    return f"{found.model_type} of width {found.width}, depth {found.depth}, patch {found.patch}"
