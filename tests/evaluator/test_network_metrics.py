"""Network metrics with tiny weights against the same networks written out plainly."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray
from PIL import Image

from evaluator.metrics.networks.lpips import LpipsAlex
from evaluator.metrics.networks.weights import WeightsChoice
from evaluator.metrics.perceptual import measure_cosines
from evaluator.metrics.pictures import FULL, lay_on_black, show_on_black
from evaluator.protocol import ImageOptions
from schemas.errors import InputError, ModelError
from tests.plain_networks import plain_dinov2, plain_lpips, shrink_with_triangles
from tests.tiny_networks import (
    ENCODERS,
    TinyDinov2,
    TinyDinov2Encoder,
    TinyDinov3Encoder,
    TinyLpips,
    TinySiglip2Encoder,
    draw_authors_dinov2,
    draw_heads,
    draw_trunk,
    make_model,
    save_lpips,
    save_model,
    save_torch,
)

OPTIONS = ImageOptions()


def draw(seed: int, height: int, width: int) -> NDArray[np.uint8]:
    """A picture of blocks of colour, some of them half covered."""
    generator = np.random.default_rng(seed)
    small = generator.integers(0, 256, (height // 8 + 1, width // 8 + 1, 4), dtype=np.uint8)
    return np.kron(small, np.ones((8, 8, 1), dtype=np.uint8))[:height, :width]


@pytest.mark.parametrize("given", ["signed", "unit"])
def test_lpips_is_the_network_written_out(given: str, tmp_path: Path) -> None:
    """Every pixel of the map, for a picture that is no multiple of the strides, and in both input ranges."""
    metric = TinyLpips(WeightsChoice(save_lpips(tmp_path)), ImageOptions(lpips_range=given))
    first, second = (lay_on_black(draw(seed, 83, 70)) for seed in (1, 2))
    found = metric.measure_map(first, second)
    values = [p.levels / FULL * (2 if given == "signed" else 1) - (given == "signed") for p in (first, second)]
    expected = plain_lpips(values[0], values[1], draw_trunk(metric.channels, 1), draw_heads(metric.channels, 2))
    assert found.shape == (83, 70)
    assert np.abs(found - expected).max() < 1e-5 * expected.max()
    assert expected.min() > 0.0
    assert not metric.measure_map(first, first).any()


def test_lpips_reads_a_saved_module_too(tmp_path: Path) -> None:
    """One file with trunk and heads under the names of the reference's module gives the same bits."""
    two = TinyLpips(WeightsChoice(save_lpips(tmp_path / "two")), OPTIONS)
    slices = {0: 1, 3: 2, 6: 3, 8: 4, 10: 5}
    trunk = {
        f"net.slice{slices[int(name.split('.')[1])]}.{name.split('.', 1)[1]}": value
        for name, value in draw_trunk(two.channels, 1).items()
        if name.startswith("features")
    }
    path = save_torch({**trunk, **draw_heads(two.channels, 2)}, tmp_path / "whole.pth")
    one = TinyLpips(WeightsChoice(path), OPTIONS)
    first, second = (lay_on_black(draw(seed, 64, 64)) for seed in (3, 4))
    assert one.measure_map(first, second).tobytes() == two.measure_map(first, second).tobytes()
    assert one.sha256 != two.sha256


def test_lpips_takes_the_published_shapes(tmp_path: Path) -> None:
    """Weights of the full size load and run; a trunk of another network is refused by the tensor that does not fit."""
    full = LpipsAlex(WeightsChoice(save_lpips(tmp_path / "full", channels=LpipsAlex.channels)), OPTIONS)
    first, second = (lay_on_black(draw(seed, 64, 64)) for seed in (3, 4))
    assert full.measure_map(first, second).min() > 0.0
    with pytest.raises(ModelError, match=r"'features.0.weight' has shape \(4, 3, 11, 11\), the network needs \(64, 3"):
        LpipsAlex(WeightsChoice(save_lpips(tmp_path / "tiny")), OPTIONS)
    with pytest.raises(InputError, match="pictures of 30x64 pixels, at least 31"):
        full.measure_map(lay_on_black(draw(1, 30, 64)), lay_on_black(draw(1, 30, 64)))
    tiny = lay_on_black(draw(1, 31, 31))
    assert not full.measure_map(tiny, tiny).any()


def test_weights_saved_on_a_graphics_card_load_without_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The published heads were: their tensors are labelled for a device that is not here."""
    import torch

    plain = TinyLpips(WeightsChoice(save_lpips(tmp_path / "plain")), OPTIONS)
    monkeypatch.setattr(torch.serialization, "location_tag", lambda _: "cuda:0")
    labelled = TinyLpips(WeightsChoice(save_lpips(tmp_path / "labelled")), OPTIONS)
    assert labelled.sha256 != plain.sha256
    pictures = [lay_on_black(draw(seed, 64, 64)) for seed in (1, 2)]
    assert labelled.measure_map(*pictures).tobytes() == plain.measure_map(*pictures).tobytes()


def test_dinov2_is_the_network_written_out(tmp_path: Path) -> None:
    """Cosines of all 256 patches of pictures of 512 pixels, from the authors' file."""
    tensors = draw_authors_dinov2(128, 2, 1)
    metric = TinyDinov2(WeightsChoice(save_torch(tensors, tmp_path / "tiny.pth")), OPTIONS)
    pictures = [draw(seed, 512, 512) for seed in (1, 2)]
    found = metric.measure_map(*(lay_on_black(picture) for picture in pictures))
    small = [
        np.array(Image.fromarray(show_on_black(picture)).resize((224, 224), Image.Resampling.BICUBIC))
        for picture in pictures
    ]
    a, b = (plain_dinov2(picture, tensors, 2)[1:] for picture in small)
    expected = (a * b).sum(axis=1) / np.sqrt((a * a).sum(axis=1) * (b * b).sum(axis=1))
    assert np.abs(found - expected.reshape(16, 16)).max() < 2e-5
    assert np.ptp(expected) > 0.05
    same = lay_on_black(pictures[0])
    assert (metric.measure_map(same, same) == 1.0).all()
    with pytest.raises(InputError, match="needs a square one"):
        metric.measure_map(lay_on_black(draw(1, 32, 64)), lay_on_black(draw(1, 32, 64)))


def test_both_formats_of_dinov2_are_one_network(tmp_path: Path) -> None:
    """A model folder and the authors' file with the same numbers give the same bits."""
    model = make_model("dinov2", 5)
    model.save_pretrained(tmp_path / "folder")
    tensors = {}
    for name, tensor in model.state_dict().items():
        tensors[_authors_name(name)] = tensor.numpy()
    for block in range(2):
        for kind in ("weight", "bias"):
            parts = [tensors.pop(f"blocks.{block}.attn.{letter}.{kind}") for letter in "qkv"]
            tensors[f"blocks.{block}.attn.qkv.{kind}"] = np.concatenate(parts)
    assert set(tensors) == set(draw_authors_dinov2(128, 2, 1))
    file = TinyDinov2(WeightsChoice(save_torch(tensors, tmp_path / "tiny.pth")), OPTIONS)
    folder = TinyDinov2(WeightsChoice(tmp_path / "folder"), OPTIONS)
    pictures = [lay_on_black(draw(seed, 96, 96)) for seed in (1, 2)]
    assert file.measure_map(*pictures).tobytes() == folder.measure_map(*pictures).tobytes()


def _authors_name(name: str) -> str:
    for new, old in (
        ("embeddings.patch_embeddings.projection", "patch_embed.proj"),
        ("embeddings.position_embeddings", "pos_embed"),
        ("embeddings.", ""),
        ("encoder.layer.", "blocks."),
        ("attention.o_proj", "attn.proj"),
        ("attention.q_proj", "attn.q"),
        ("attention.k_proj", "attn.k"),
        ("attention.v_proj", "attn.v"),
        ("layer_scale1.lambda1", "ls1.gamma"),
        ("layer_scale2.lambda1", "ls2.gamma"),
        ("layernorm.", "norm."),
    ):
        name = name.replace(new, old)
    return name


def test_register_tokens_are_another_network(tmp_path: Path) -> None:
    """The authors' weights with registers, and those of another depth, are refused by the tensor."""
    tensors = draw_authors_dinov2(128, 2, 1)
    path = save_torch({**tensors, "register_tokens": np.zeros((1, 4, 128), np.float32)}, tmp_path / "reg.pth")
    with pytest.raises(ModelError, match="'register_tokens', which DINOv2 without registers does not have"):
        TinyDinov2(WeightsChoice(path), OPTIONS)
    with pytest.raises(ModelError, match=r"tensor 'encoder.layer.2.*' is too many"):
        TinyDinov2(WeightsChoice(save_torch(draw_authors_dinov2(128, 3, 1), tmp_path / "deep.pth")), OPTIONS)
    del tensors["blocks.1.ls2.gamma"]
    with pytest.raises(ModelError, match=r"'encoder.layer.1.layer_scale2.lambda1' is not in the weights"):
        TinyDinov2(WeightsChoice(save_torch(tensors, tmp_path / "less.pth")), OPTIONS)


def test_dinov2_encodes_the_middle_of_a_picture(tmp_path: Path) -> None:
    """The pooled feature is that of the network after 256 pixels bicubic and a cut of 224, as its folder says."""
    from transformers.models.bit.image_processing_pil_bit import BitImageProcessorPil

    encoder = TinyDinov2Encoder(WeightsChoice(save_model("dinov2", tmp_path)), OPTIONS)
    picture = show_on_black(draw(1, 512, 512))
    processor = BitImageProcessorPil(
        size={"shortest_edge": 256},
        crop_size={"height": 224, "width": 224},
        resample=3,
        image_mean=[0.485, 0.456, 0.406],
        image_std=[0.229, 0.224, 0.225],
        do_convert_rgb=True,
    )
    pooled = make_model("dinov2")(**processor(images=[picture], return_tensors="pt")).pooler_output[0].detach().numpy()
    assert np.abs(encoder.encode(picture) - pooled / np.sqrt((pooled**2).sum())).max() < 1e-5


def test_dinov3_encodes_a_picture_shrunk_smoothly(tmp_path: Path) -> None:
    """The pooled feature is that of the network after a triangle filter written out."""
    import torch

    encoder = TinyDinov3Encoder(WeightsChoice(save_model("dinov3", tmp_path)), OPTIONS)
    picture = show_on_black(draw(1, 512, 512))
    small = shrink_with_triangles(picture / 255.0, 224)
    values = ((small - [0.485, 0.456, 0.406]) / [0.229, 0.224, 0.225]).transpose(2, 0, 1)[None].astype(np.float32)
    pooled = make_model("dinov3")(pixel_values=torch.from_numpy(values)).pooler_output[0].detach().numpy()
    assert np.abs(encoder.encode(picture) - pooled / np.sqrt((pooled**2).sum())).max() < 1e-5


def test_siglip2_encodes_as_the_whole_model_does(tmp_path: Path) -> None:
    """The vision side alone gives the image features of the whole model; 16 x 16 patches of 16 pixels, to [-1, 1]."""
    import torch

    encoder = TinySiglip2Encoder(WeightsChoice(save_model("siglip2", tmp_path)), OPTIONS)
    picture = show_on_black(draw(1, 512, 512))
    small = np.array(Image.fromarray(picture).resize((256, 256), Image.Resampling.BILINEAR))
    patches = (small / 127.5 - 1).reshape(16, 16, 16, 16, 3).transpose(0, 2, 1, 3, 4).reshape(1, 256, 768)
    found = make_model("siglip2").get_image_features(
        pixel_values=torch.from_numpy(patches.astype(np.float32)),
        pixel_attention_mask=torch.ones((1, 256), dtype=torch.int32),
        spatial_shapes=torch.tensor([[16, 16]]),
    )
    pooled = found.pooler_output[0].detach().numpy()
    assert np.abs(encoder.encode(picture) - pooled / np.sqrt((pooled**2).sum())).max() < 1e-5


@pytest.mark.parametrize(("kind", "encoder"), list(zip(("dinov2", "dinov3", "siglip2"), ENCODERS, strict=True)))
def test_an_encoded_picture_is_like_itself_and_stands_alone(kind: str, encoder: type, tmp_path: Path) -> None:
    """Cosines of a picture with itself are exactly 1, the table is symmetric, and company changes no bit."""
    loaded = encoder(WeightsChoice(save_model(kind, tmp_path)), OPTIONS)
    pictures = [show_on_black(draw(seed, 128, 128)) for seed in (1, 2, 3)]
    table = measure_cosines(loaded, pictures, pictures)
    assert (np.diagonal(table) == 1.0).all()
    assert (table == table.T).all()
    assert (measure_cosines(loaded, pictures[1:2], pictures[2:])[0, 0], table.shape) == (table[1, 2], (3, 3))
    assert table.min() < 1.0
    with pytest.raises(InputError, match="needs a square one"):
        loaded.encode(pictures[0][:64])
