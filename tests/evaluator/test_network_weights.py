"""Weights that are not there, damaged, dangerous or of another network; and what every installed metric promises."""

from __future__ import annotations

import hashlib
import os
import pickle
import subprocess
import sys
from importlib.metadata import entry_points
from pathlib import Path

import numpy as np
import pytest

from evaluator.metrics.networks.weights import (
    GROUP,
    MissingWeights,
    WeightsChoice,
    find_weights,
    load_encoder,
    load_map_metric,
)
from evaluator.protocol import ImageOptions
from schemas.base import Value
from schemas.codec import decode, encode
from schemas.errors import HashMismatchError, InputError, MissingExtraError, ModelError, UnknownPluginError
from schemas.score import Measure, Undefined
from tests.cases_adapter import ROOT
from tests.tiny_networks import (
    TinyDinov2,
    TinyDinov2Encoder,
    TinyLpips,
    TinySiglip2Encoder,
    draw_authors_dinov2,
    draw_heads,
    save_lpips,
    save_model,
    save_torch,
)

INSTALLED = sorted(point.name for point in entry_points(group=GROUP))
OPTIONS = ImageOptions()


class Cell(Value):
    """A record with one score."""

    value: Measure


DIGEST = """
import hashlib, sys
from pathlib import Path
import numpy as np
from evaluator.protocol import ImageOptions
from evaluator.metrics.networks.weights import WeightsChoice
from evaluator.metrics.pictures import lay_on_black
from tests.tiny_networks import TinyDinov2, TinyLpips
assert "torch" not in sys.modules
draw = np.random.default_rng(1).integers(0, 256, (2, 224, 224, 4), dtype=np.uint8)
pictures = [lay_on_black(picture) for picture in draw]
hasher = hashlib.sha256()
for kind, path in ((TinyLpips, sys.argv[1]), (TinyDinov2, sys.argv[2])):
    metric = kind(WeightsChoice(Path(path)), ImageOptions())
    hasher.update(metric.measure_map(*pictures).tobytes())
print(hasher.hexdigest())
"""


def read_back(cell: Cell) -> Cell:
    """A record after it was written and read."""
    return decode(Cell, encode(cell), "cell")


def test_the_metrics_of_the_protocol_are_installed() -> None:
    """Each column that needs a network has its adapter."""
    assert {"lpips_alex", "dinov2_vitb14", "dinov2_vitl14", "dinov3_vitl16", "siglip2_so400m", "uni3d_giant"} <= set(
        INSTALLED
    )


@pytest.mark.parametrize("name", INSTALLED)
def test_every_installed_metric_is_absent_by_name(name: str, tmp_path: Path) -> None:
    """It knows its name and kind; without weights it is a reason; weights that are not there are an error, no column.

    The reason is a score without a value, so that the column can be written as it is.
    """
    (point,) = entry_points(group=GROUP, name=name)
    metric = point.load()
    assert (metric.name, metric.kind in {"map", "encoder"}) == (name, True)
    if metric.kind == "map":
        assert isinstance(metric.higher_is_better, bool)
    assert hasattr(metric, "measure_map" if metric.kind == "map" else "encode") or metric.unavailable
    load = load_map_metric if metric.kind == "map" else load_encoder
    absent = load(name)
    assert isinstance(absent, MissingWeights)
    assert isinstance(absent, Undefined)
    assert name in absent.reason
    assert read_back(Cell(value=absent)) == Cell(value=Undefined(reason=absent.reason))
    nowhere = WeightsChoice(tmp_path / "nowhere")
    if metric.unavailable is None:
        assert metric.needs in absent.reason
        with pytest.raises(ModelError, match=rf"{name}: weights .*nowhere"):
            load(name, nowhere)
    else:
        assert load(name, nowhere) == absent


def test_a_misspelled_metric_is_answered_by_the_nearest() -> None:
    """`lpips_alec` is no metric, and `lpips_alex` is no encoder."""
    with pytest.raises(InputError, match="'lpips_alex' is a metric of kind map, needed is encoder"):
        load_encoder("lpips_alex")
    with pytest.raises(UnknownPluginError, match=r"no network metric 'lpips_alec'.*did you mean 'lpips_alex'"):
        load_map_metric("lpips_alec")


def test_weights_are_found_by_the_name_of_the_metric(tmp_path: Path) -> None:
    """A folder of its name, or a file; nothing else."""
    assert find_weights(tmp_path, "lpips_alex") is None
    save_torch(draw_heads((1,), 1), tmp_path / "lpips_alex.pth")
    assert find_weights(tmp_path, "lpips_alex", "a" * 64) == (tmp_path / "lpips_alex.pth", "a" * 64)
    save_lpips(tmp_path / "lpips_alex")
    assert find_weights(tmp_path, "lpips_alex") == (tmp_path / "lpips_alex", None)


def test_the_hash_of_the_weights_is_kept_and_checked(tmp_path: Path) -> None:
    """One file has its own hash, several that of their list; another one than asked for is refused."""
    path = save_torch(draw_authors_dinov2(128, 2, 1), tmp_path / "tiny.pth")
    wanted = hashlib.sha256(path.read_bytes()).hexdigest()
    assert TinyDinov2(WeightsChoice(path, wanted), OPTIONS).sha256 == wanted
    folder = save_lpips(tmp_path / "lpips")
    rows = [[f.name, hashlib.sha256(f.read_bytes()).hexdigest()] for f in sorted(folder.iterdir())]
    listed = "[" + ",".join(f'["{name}","{digest}"]' for name, digest in rows) + "]"
    assert TinyLpips(WeightsChoice(folder), OPTIONS).sha256 == hashlib.sha256(listed.encode()).hexdigest()
    with pytest.raises(HashMismatchError, match=r"lpips_alex: weights .* have sha256 .*, asked for was 000000000000"):
        TinyLpips(WeightsChoice(folder, "0" * 64), OPTIONS)
    model = save_model("dinov2", tmp_path / "model")
    sha256 = TinyDinov2Encoder(WeightsChoice(model), OPTIONS).sha256
    assert TinyDinov2(WeightsChoice(model, sha256), OPTIONS).sha256 == sha256
    with pytest.raises(HashMismatchError, match="asked for was 000000000000"):
        TinyDinov2Encoder(WeightsChoice(model, "0" * 64), OPTIONS)


def test_a_folder_must_leave_no_choice(tmp_path: Path) -> None:
    """No trunk, and two of them, are refused with what is there."""
    folder = save_lpips(tmp_path)
    trunk = folder / "alexnet-owt-tiny.pth"
    (folder / "alexnet-other.pth").write_bytes(trunk.read_bytes())
    with pytest.raises(ModelError, match=r"needs one file alexnet\* .*, has alexnet-other.pth, alexnet-owt-tiny.pth"):
        TinyLpips(WeightsChoice(folder), OPTIONS)
    trunk.unlink()
    (folder / "alexnet-other.pth").unlink()
    with pytest.raises(ModelError, match=r"needs one file alexnet\* .*, has none"):
        TinyLpips(WeightsChoice(folder), OPTIONS)


class Trap:
    """Runs a program when it is unpickled."""

    def __reduce__(self) -> tuple[object, ...]:
        """What a hostile file would do."""
        return (os.mkdir, ("sprung",))


def test_weights_are_data_and_never_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A pickle that calls a function is refused without calling it; so are damaged, empty and unfitting files."""
    monkeypatch.chdir(tmp_path)
    trap = tmp_path / "trap.pth"
    trap.write_bytes(pickle.dumps({"cls_token": Trap()}, protocol=2))
    with pytest.raises(ModelError, match=r"dinov2_vitb14: weights .*trap.pth: cannot be read"):
        TinyDinov2(WeightsChoice(trap), OPTIONS)
    assert not (tmp_path / "sprung").exists()
    for name, data in (("empty.pth", b""), ("cut.safetensors", b"\x08\0\0\0\0\0\0\0{}"), ("noise.pth", b"PK\3\4" * 9)):
        (tmp_path / name).write_bytes(data)
        with pytest.raises(ModelError, match=rf"{name}"):
            TinyDinov2(WeightsChoice(tmp_path / name), OPTIONS)
    whole = save_torch(draw_authors_dinov2(128, 2, 1), tmp_path / "whole.pth").read_bytes()
    (tmp_path / "half.pth").write_bytes(whole[: len(whole) // 2])
    with pytest.raises(ModelError, match=r"half.pth: cannot be read"):
        TinyDinov2(WeightsChoice(tmp_path / "half.pth"), OPTIONS)
    with pytest.raises(ModelError, match="the weights have no 'cls_token'"):
        TinyDinov2(WeightsChoice(save_torch(draw_heads((1,), 1), tmp_path / "heads.pth")), OPTIONS)


def test_a_model_folder_must_be_whole_and_of_its_network(tmp_path: Path) -> None:
    """A missing tensor would be drawn at random: it is refused, as is another architecture and a folder without one."""
    from safetensors.numpy import load_file, save_file  # noqa: PLC0415  # few tests need it

    folder = save_model("siglip2", tmp_path / "siglip2")
    assert TinySiglip2Encoder(WeightsChoice(folder), OPTIONS).name == "siglip2_so400m"
    tensors = load_file(folder / "model.safetensors")
    lost = "vision_model.head.probe"
    save_file({k: v for k, v in tensors.items() if k != lost}, folder / "model.safetensors", {"format": "pt"})
    with pytest.raises(ModelError, match=r"1 tensors are missing or misshapen: .*head.probe"):
        TinySiglip2Encoder(WeightsChoice(folder), OPTIONS)
    save_file({**tensors, lost: np.zeros((1, 1, 8), np.float32)}, folder / "model.safetensors", {"format": "pt"})
    with pytest.raises(ModelError, match=r"siglip2_so400m: weights .*head.probe"):
        TinySiglip2Encoder(WeightsChoice(folder), OPTIONS)
    with pytest.raises(ModelError, match="describes siglip2 of width 32, depth 2, patch 16, this column is siglip2 of"):
        load_encoder("siglip2_so400m", WeightsChoice(folder))
    with pytest.raises(
        ModelError, match=r"describes siglip2 .*, this column is dinov2 of width 768, depth 12, patch 14"
    ):
        load_map_metric("dinov2_vitb14", WeightsChoice(folder))
    (folder / "model.safetensors").rename(folder / "pytorch_model.bin")
    with pytest.raises(ModelError, match=r"holds no .safetensors file"):
        TinySiglip2Encoder(WeightsChoice(folder), OPTIONS)
    (folder / "config.json").write_text("{")
    (folder / "pytorch_model.bin").rename(folder / "model.safetensors")
    with pytest.raises(ModelError, match=r"config.json: cannot be read as the description"):
        TinySiglip2Encoder(WeightsChoice(folder), OPTIONS)


@pytest.mark.parametrize("name", ["lpips_alex", "dinov2_vitb14", "siglip2_so400m"])
def test_a_missing_extra_is_named(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without torch, weights that are given are an error that says what to install."""
    monkeypatch.setitem(sys.modules, "torch", None)
    with pytest.raises(MissingExtraError, match=rf"metric '{name}' needs the extra `perceptual`"):
        (load_encoder if name.startswith("siglip2") else load_map_metric)(name, WeightsChoice(tmp_path))


def test_maps_are_the_same_bits_for_any_number_of_threads(tmp_path: Path) -> None:
    """Two processes with other threads, hash seeds and nothing loaded before; torch comes only with a network."""
    lpips = save_lpips(tmp_path / "lpips")
    dinov2 = save_torch(draw_authors_dinov2(128, 2, 1), tmp_path / "tiny.pth")
    found = set()
    for threads, seed in (("1", "7"), ("4", "77")):
        environment = {
            **os.environ,  # noqa: TID251  # a whole environment is handed on
            "OMP_NUM_THREADS": threads,
            "MKL_NUM_THREADS": threads,
            "PYTHONHASHSEED": seed,
        }
        done = subprocess.run(
            [sys.executable, "-c", DIGEST, str(lpips), str(dinov2)],
            capture_output=True,
            text=True,
            check=True,
            cwd=ROOT,
            env=environment,
        )
        found.add(done.stdout.strip())
    assert len(found) == 1
