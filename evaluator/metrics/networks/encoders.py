"""Pictures as vectors, for the similarities of the object suite: SigLIP2, DINOv2 and DINOv3."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from engine.surfaces import FloatArray
from evaluator.metrics.networks.vision import (
    IMAGENET_MEAN,
    IMAGENET_STD,
    Architecture,
    check_architecture,
    check_square,
    hash_model_folder,
    load_model,
    normalise_picture,
    resize_picture,
    to_unit,
)
from evaluator.metrics.networks.weights import WeightsChoice, missing_extra
from evaluator.metrics.pictures import Picture
from evaluator.protocol import ImageOptions


class TransformerEncoder(ABC):
    """An ImageEncoder of a model folder as published; the vector is what the model pools. Runs on one thread.

    Raises as `load_encoder` says.
    """

    name: ClassVar[str]
    kind: ClassVar[Literal["encoder"]] = "encoder"
    needs: ClassVar[str]
    unavailable: ClassVar[str | None] = None
    architecture: ClassVar[Architecture]
    model_class: ClassVar[str]
    """Of transformers."""

    def __init__(self, choice: WeightsChoice, options: ImageOptions) -> None:  # noqa: ARG002  # as all metrics are made
        try:
            import torch
            import transformers
        except ImportError as error:
            raise missing_extra(self.name, error) from error
        self._torch = torch
        self.sha256 = hash_model_folder(choice, self.name)
        check_architecture(choice, self.architecture, self.name)
        self._model = load_model(getattr(transformers, self.model_class), choice, self.name)

    def encode(self, picture: Picture) -> FloatArray:
        """(D,) float64 unit vector of a square picture (S, S, 3). Raises InputError for another shape."""
        check_square(picture, self.name)
        torch = self._torch
        torch.set_num_threads(1)  # more threads add in another order
        with torch.inference_mode():
            pooled: NDArray[np.float32] = self._model(**self._prepare(picture)).pooler_output[0].numpy()
        return to_unit(pooled, self.name)

    @abstractmethod
    def _prepare(self, picture: Picture) -> dict[str, Any]:
        """Arguments of the model for one picture."""


class Dinov2Encoder(TransformerEncoder):
    """DINOv2 ViT-L/14: 256 pixels bicubic, the middle 224."""

    name = "dinov2_vitl14"
    needs = "the folder of facebook/dinov2-large"
    architecture = Architecture("dinov2", 1024, 24, 14)
    model_class = "Dinov2Model"

    def _prepare(self, picture: Picture) -> dict[str, Any]:
        values = normalise_picture(resize_picture(picture, 256, 224))
        return {"pixel_values": self._torch.from_numpy(values)}


class Dinov3Encoder(TransformerEncoder):
    """DINOv3 ViT-L/16: 224 pixels, bilinear with smoothing, in floats as its own preparation does."""

    name = "dinov3_vitl16"
    needs = "the folder of facebook/dinov3-vitl16-pretrain-lvd1689m"
    architecture = Architecture("dinov3_vit", 1024, 24, 16)
    model_class = "DINOv3ViTModel"

    def _prepare(self, picture: Picture) -> dict[str, Any]:
        torch = self._torch
        values = torch.from_numpy(np.ascontiguousarray(picture.transpose(2, 0, 1)[None])).float() / 255.0
        small = torch.nn.functional.interpolate(
            values, size=(224, 224), mode="bilinear", align_corners=False, antialias=True
        )
        mean, spread = (torch.tensor(row).view(1, 3, 1, 1) for row in (IMAGENET_MEAN, IMAGENET_STD))
        return {"pixel_values": (small - mean) / spread}


class Siglip2Encoder(TransformerEncoder):
    """The vision side of SigLIP2 so400m, patch 16, any aspect: at most 256 patches."""

    name = "siglip2_so400m"
    needs = "the folder of google/siglip2-so400m-patch16-naflex"
    architecture = Architecture("siglip2", 1152, 27, 16)
    model_class = "Siglip2VisionModel"
    patches = 256

    def _prepare(self, picture: Picture) -> dict[str, Any]:
        from transformers.models.siglip2.image_processing_pil_siglip2 import Siglip2ImageProcessorPil

        processor = Siglip2ImageProcessorPil(patch_size=self.architecture.patch, max_num_patches=self.patches)
        return dict(processor(images=[np.ascontiguousarray(picture)], return_tensors="pt"))


class Uni3dEncoder:
    """Uni3D-Giant of point clouds with colours: not available, see `unavailable`."""

    name: ClassVar[str] = "uni3d_giant"
    kind: ClassVar[Literal["encoder"]] = "encoder"
    needs: ClassVar[str] = "the Uni3D-Giant checkpoint (eva_giant_patch14_560, 1024 numbers, 512 groups of 64 points)"
    unavailable: ClassVar[str | None] = (
        "no package that this project pins holds the point encoder of Uni3D (grouping of points, an EVA-Giant "
        "transformer), and nothing else is put in its place"
    )
