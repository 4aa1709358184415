"""LPIPS with AlexNet, as a map: how different two pictures look around each pixel.

Definition: Zhang et al. 2018, version 0.1. The features after each of the five rectified convolutions are scaled to
unit length along the channels, their squared differences are weighted by a learned head, brought to the picture's size
bilinearly and added up.
"""

from __future__ import annotations

from typing import Any, ClassVar, Final, Literal

import numpy as np

from engine.surfaces import FloatArray
from evaluator.metrics.networks.weights import (
    WeightsChoice,
    find_file,
    hash_weights,
    missing_extra,
    read_tensors,
    take_tensor,
)
from evaluator.metrics.pictures import FULL, OnBlack, check_same_size
from evaluator.protocol import ImageOptions
from schemas.errors import InputError

LEAST_PX: Final = 31
"""Smaller pictures vanish in the poolings."""
_PLACES: Final = (0, 3, 6, 8, 10)
"""Of the convolutions in the published trunk."""
_SIZES: Final = (11, 5, 3, 3, 3)
_STRIDES: Final = (4, 1, 1, 1, 1)
_PADDINGS: Final = (2, 2, 1, 1, 1)
_POOLED: Final = (False, True, True, False, False)
"""Which convolutions come after a pooling of 3 pixels, 2 apart."""
_SHIFT: Final = (-0.030, -0.088, -0.188)
_SCALE: Final = (0.458, 0.448, 0.450)
_LEAST_LENGTH: Final = 1e-10


class LpipsAlex:
    """A MapMetric; 0 where nothing differs, larger where pictures look less alike.

    The weights are a folder with the published trunk (`alexnet*.pth`) and heads (`alex.pth`), or one file with both
    under the names of a saved LPIPS module. Runs on one thread. Raises as `load_map_metric` says.
    """

    name: ClassVar[str] = "lpips_alex"
    kind: ClassVar[Literal["map"]] = "map"
    needs: ClassVar[str] = (
        "a folder with alexnet-owt-7be5be79.pth (trunk, torchvision) and alex.pth (heads, lpips v0.1)"
    )
    unavailable: ClassVar[str | None] = None
    higher_is_better: ClassVar[bool] = False
    channels: ClassVar[tuple[int, ...]] = (64, 192, 384, 256, 256)

    def __init__(self, choice: WeightsChoice, options: ImageOptions) -> None:
        try:
            import torch
        except ImportError as error:
            raise missing_extra(self.name, error) from error
        self._torch = torch
        self._signed = options.lpips_range == "signed"
        trunk_file = find_file(choice, "alexnet*", self.name)
        heads_file = find_file(choice, "alex.*", self.name)
        files = [trunk_file] if trunk_file == heads_file else [trunk_file, heads_file]
        self.sha256 = hash_weights(files, choice, self.name)
        trunk = read_tensors(trunk_file, self.name)
        heads = trunk if trunk_file == heads_file else read_tensors(heads_file, self.name)
        self._convolutions = [self._take_convolution(trunk, layer) for layer in range(5)]
        self._heads = [
            take_tensor(heads, f"lin{layer}.model.1.weight", (1, self.channels[layer], 1, 1), self.name)
            for layer in range(5)
        ]

    def measure_map(self, own: OnBlack, target: OnBlack) -> FloatArray:
        """(H, W) float64. Raises InputError for pictures below 31 pixels a side or of different sizes."""
        check_same_size(self.name, own, target)
        height, width = own.alpha.shape
        if min(height, width) < LEAST_PX:
            raise InputError(f"{self.name}: pictures of {height}x{width} pixels, at least {LEAST_PX} a side are needed")
        torch = self._torch
        torch.set_num_threads(1)  # more threads add in another order
        with torch.inference_mode():
            total = torch.zeros((1, 1, height, width))
            for first, second, head in zip(self._features(own), self._features(target), self._heads, strict=True):
                weighted = ((first - second) ** 2 * head).sum(dim=1, keepdim=True)
                total += torch.nn.functional.interpolate(
                    weighted, size=(height, width), mode="bilinear", align_corners=False
                )
            values: FloatArray = total[0, 0].numpy().astype(np.float64)
        return values

    def _take_convolution(self, trunk: dict[str, Any], layer: int) -> tuple[Any, Any]:
        place = _PLACES[layer]
        plain = f"features.{place}"
        stem = plain if f"{plain}.weight" in trunk else f"net.slice{layer + 1}.{place}"
        before = 3 if layer == 0 else self.channels[layer - 1]
        shape = (self.channels[layer], before, _SIZES[layer], _SIZES[layer])
        return (
            take_tensor(trunk, f"{stem}.weight", shape, self.name),
            take_tensor(trunk, f"{stem}.bias", shape[:1], self.name),
        )

    def _features(self, picture: OnBlack) -> list[Any]:
        """Unit features (1, C, h, w) of the five layers."""
        torch = self._torch
        values = torch.from_numpy((picture.levels / FULL).astype(np.float32)).permute(2, 0, 1)[None].contiguous()
        if self._signed:
            values = values * 2.0 - 1.0
        values = (values - torch.tensor(_SHIFT).view(1, 3, 1, 1)) / torch.tensor(_SCALE).view(1, 3, 1, 1)
        found = []
        for layer, (weight, bias) in enumerate(self._convolutions):
            if _POOLED[layer]:
                values = torch.nn.functional.max_pool2d(values, kernel_size=3, stride=2)
            values = torch.nn.functional.conv2d(values, weight, bias, _STRIDES[layer], _PADDINGS[layer]).relu()
            length = (values * values).sum(dim=1, keepdim=True).sqrt()
            found.append(values / (length + _LEAST_LENGTH))
        return found
