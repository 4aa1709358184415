"""DINOv2 ViT-B/14, patch by patch: how alike two pictures are in what their parts show.

A picture on black is brought to 224 pixels, which makes 16 x 16 patches; the value of a patch is the cosine of its two
features after the last normalisation.
"""

from __future__ import annotations

from typing import Any, ClassVar, Final, Literal

import numpy as np

from engine.surfaces import FloatArray
from evaluator.metrics.networks.vision import (
    Architecture,
    check_architecture,
    check_square,
    hash_model_folder,
    load_model,
    normalise_picture,
    resize_picture,
)
from evaluator.metrics.networks.weights import (
    WeightsChoice,
    hash_weights,
    missing_extra,
    read_tensors,
    take_tensor,
)
from evaluator.metrics.pictures import OnBlack, check_same_size, round_levels
from evaluator.protocol import ImageOptions
from schemas.errors import ModelError

INPUT_PX: Final = 224
GRID: Final = 16
"""Patches on a side."""
_TRAINED: Final = 37
"""Patches on a side of the published table of positions."""
_OFFSET: Final = 0.1
"""Added to the target size when the table is shrunk, as the authors' code does for these weights."""
_HEAD_WIDTH: Final = 64
_RENAMED: Final = (
    ("patch_embed.proj.", "embeddings.patch_embeddings.projection."),
    ("norm1.", "norm1."),
    ("norm2.", "norm2."),
    ("attn.proj.", "attention.o_proj."),
    ("ls1.gamma", "layer_scale1.lambda1"),
    ("ls2.gamma", "layer_scale2.lambda1"),
    ("mlp.", "mlp."),
)
"""Names in the authors' file, without the block, and in the library's module."""


class Dinov2Patches:
    """A MapMetric on a grid of 16 x 16 patches; 1 where the features are the same.

    The weights are the authors' file (`dinov2_vitb14_pretrain.pth`) or a model folder (`facebook/dinov2-base`); both
    give the same network. Runs on one thread. Raises as `load_map_metric` says.
    """

    name: ClassVar[str] = "dinov2_vitb14"
    kind: ClassVar[Literal["map"]] = "map"
    needs: ClassVar[str] = "dinov2_vitb14_pretrain.pth, or the folder of facebook/dinov2-base"
    unavailable: ClassVar[str | None] = None
    higher_is_better: ClassVar[bool] = True
    architecture: ClassVar[Architecture] = Architecture("dinov2", 768, 12, 14)

    def __init__(self, choice: WeightsChoice, options: ImageOptions) -> None:  # noqa: ARG002  # as all metrics are made
        try:
            import torch
            from transformers import Dinov2Model
        except ImportError as error:
            raise missing_extra(self.name, error) from error
        self._torch = torch
        if choice.path.is_dir():
            self.sha256 = hash_model_folder(choice, self.name)
            check_architecture(choice, self.architecture, self.name)
            self._model = load_model(Dinov2Model, choice, self.name)
        elif choice.path.is_file():
            self.sha256 = hash_weights([choice.path], choice, self.name)
            self._model = self._load_authors_file(read_tensors(choice.path, self.name))
        else:
            raise ModelError(f"{self.name}: weights {choice.path}: there is no such file or folder")
        self._shrink_positions()

    def measure_map(self, own: OnBlack, target: OnBlack) -> FloatArray:
        """(16, 16) cosines in [-1, 1], row 0 at the top. Raises InputError unless both are square and of one size."""
        check_same_size(self.name, own, target)
        first, second = self._features(own), self._features(target)
        shared = np.sum(first * second, axis=1)
        lengths = np.sqrt(np.sum(first * first, axis=1) * np.sum(second * second, axis=1))
        return np.asarray(np.clip(shared / lengths, -1.0, 1.0).reshape(GRID, GRID))

    def _features(self, picture: OnBlack) -> FloatArray:
        """(256, D) features of the patches, row by row."""
        check_square(picture.levels, self.name)
        values = normalise_picture(resize_picture(round_levels(picture.levels), INPUT_PX, INPUT_PX))
        torch = self._torch
        torch.set_num_threads(1)  # more threads add in another order
        with torch.inference_mode():
            hidden = self._model(pixel_values=torch.from_numpy(values)).last_hidden_state
            features: FloatArray = hidden[0, 1:].numpy().astype(np.float64)
        return features

    def _load_authors_file(self, tensors: dict[str, Any]) -> Any:
        from transformers import Dinov2Config, Dinov2Model

        _, width, depth, patch = self.architecture
        take_tensor(tensors, "cls_token", (1, 1, width), self.name)
        take_tensor(tensors, "pos_embed", (1, 1 + _TRAINED * _TRAINED, width), self.name)
        config = Dinov2Config(
            hidden_size=width,
            num_hidden_layers=depth,
            num_attention_heads=width // _HEAD_WIDTH,
            image_size=_TRAINED * patch,
            patch_size=patch,
            attn_implementation="eager",
        )
        with self._torch.device("meta"):  # nothing is drawn for weights that are put in anyway
            model = Dinov2Model(config)
        renamed = rename_authors_tensors(tensors)
        needed = model.state_dict()
        for name in sorted(set(renamed) ^ set(needed)):
            raise ModelError(
                f"{self.name}: tensor {name!r} is {'not in the weights' if name in needed else 'too many'}"
            )
        for name, tensor in needed.items():
            take_tensor(renamed, name, tuple(tensor.shape), self.name)
        model.load_state_dict(renamed, assign=True)
        return model.eval()

    def _shrink_positions(self) -> None:
        """Bring the table of positions to the grid as the authors do, whichever file it came from."""
        torch = self._torch
        embeddings = self._model.embeddings
        table = embeddings.position_embeddings.detach()
        if table.shape[1] != 1 + _TRAINED * _TRAINED:
            raise ModelError(
                f"{self.name}: the table of positions has {table.shape[1] - 1} places, {_TRAINED * _TRAINED} are needed"
            )
        places = table[:, 1:].reshape(1, _TRAINED, _TRAINED, -1).permute(0, 3, 1, 2)
        scale = (GRID + _OFFSET) / _TRAINED
        torch.set_num_threads(1)
        small = torch.nn.functional.interpolate(places, scale_factor=(scale, scale), mode="bicubic")
        whole = torch.cat([table[:, :1], small.permute(0, 2, 3, 1).reshape(1, GRID * GRID, -1)], dim=1)
        embeddings.position_embeddings = torch.nn.Parameter(whole, requires_grad=False)


def rename_authors_tensors(tensors: dict[str, Any]) -> dict[str, Any]:
    """Tensors of the authors' file under the names of the library's module; the joined attention is taken apart.

    Raises ModelError for a tensor of another network, such as register tokens.
    """
    renamed: dict[str, Any] = {}
    for name, tensor in tensors.items():
        block, stem, rest = "", "", name
        if name.startswith("blocks."):
            _, block, rest = name.split(".", 2)
            stem = f"encoder.layer.{block}."
        if name in {"cls_token", "mask_token"}:
            renamed[f"embeddings.{name}"] = tensor
        elif name == "pos_embed":
            renamed["embeddings.position_embeddings"] = tensor
        elif name.startswith("norm."):
            renamed[f"layernorm.{rest[5:]}"] = tensor
        elif block and rest.startswith("attn.qkv."):
            for letter, part in zip("qkv", tensor.chunk(3), strict=True):
                renamed[f"{stem}attention.{letter}_proj.{rest[9:]}"] = part.contiguous()
        else:
            for old, new in _RENAMED:
                if rest.startswith(old):
                    renamed[stem + new + rest[len(old) :]] = tensor
                    break
            else:
                raise ModelError(f"the weights hold {name!r}, which DINOv2 without registers does not have")
    return renamed
