"""Weights that a user gives: found, hashed, read without running code, and otherwise missing by name.

A network metric is an entry point of the group `evaluator.metrics`. Without its weights the column stays empty and
says why; weights of another network are refused, so that nothing takes the place of what the column is called.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, ClassVar, Final, Literal, NamedTuple, Protocol

from engine.surfaces import FloatArray
from evaluator.metrics.pictures import OnBlack, Picture
from evaluator.protocol import ImageOptions
from library_index.content import digest_bytes, digest_path
from schemas.codec import canonical
from schemas.errors import HashMismatchError, InputError, MissingExtraError, ModelError
from schemas.plugins import find_plugin
from schemas.score import Undefined

GROUP: Final = "evaluator.metrics"
Kind = Literal["map", "encoder"]
SUFFIXES: Final = (".safetensors", ".pth", ".pt")


class MissingWeights(Undefined):
    """Why a column of a network metric is absent. It is the value of all its cells."""


class WeightsChoice(NamedTuple):
    """Weights that a user gives for one metric."""

    path: Path
    """A file, or a folder of files."""
    sha256: str | None = None
    """Hash they must have (`NetworkMetric.sha256`); None takes any."""


class NetworkMetric(Protocol):
    """What every network metric has. Its class is made from a WeightsChoice and ImageOptions."""

    name: ClassVar[str]
    """Name under which it is installed, and of its column."""
    kind: ClassVar[Kind]
    needs: ClassVar[str]
    """The files it is made from, for people."""
    unavailable: ClassVar[str | None]
    """Why no weights can help here; None where they do."""

    @property
    def sha256(self) -> str:
        """Hash of the files that were read: of the one, else of the canonical list of [name, SHA-256], sorted."""
        ...


class MapMetric(NetworkMetric, Protocol):
    """Compares two pictures place by place."""

    higher_is_better: ClassVar[bool]

    def measure_map(self, own: OnBlack, target: OnBlack) -> FloatArray:
        """A value for each pixel (H, W), or for each patch of a grid that covers the picture evenly."""
        ...


class ImageEncoder(NetworkMetric, Protocol):
    """Turns a picture into a vector."""

    def encode(self, picture: Picture) -> FloatArray:
        """(D,) unit vector of a picture (H, W, 3) uint8."""
        ...


def load_map_metric(
    name: str, choice: WeightsChoice | None = None, options: ImageOptions | None = None
) -> MapMetric | MissingWeights:
    """Load an installed metric that compares pictures place by place, or say why its column is absent.

    Raises:
        UnknownPluginError: no metric of this name is installed.
        InputError: it is an encoder.
        MissingExtraError: weights are given, but the extra `perceptual` is not installed.
        ModelError: the weights are not there, cannot be read, or are not of this network.
        HashMismatchError: they are not the chosen ones.

    """
    loaded: MapMetric | MissingWeights = _load(name, "map", choice, options)
    return loaded


def load_encoder(
    name: str, choice: WeightsChoice | None = None, options: ImageOptions | None = None
) -> ImageEncoder | MissingWeights:
    """Load an installed encoder of pictures, or say why its column is absent. Raises as `load_map_metric`."""
    loaded: ImageEncoder | MissingWeights = _load(name, "encoder", choice, options)
    return loaded


def _load(name: str, kind: Kind, choice: WeightsChoice | None, options: ImageOptions | None) -> Any:
    metric = find_plugin(GROUP, name, "network metric")
    if metric.kind != kind:
        raise InputError(f"network metric {name!r} is a metric of kind {metric.kind}, needed is {kind}")
    if metric.unavailable is not None:
        return MissingWeights(reason=f"{name} cannot be computed here: {metric.unavailable}")
    if choice is None:
        return MissingWeights(reason=f"weights not available: {name} needs {metric.needs}")
    return metric(choice, options or ImageOptions())


def find_weights(folder: Path, name: str, sha256: str | None = None) -> WeightsChoice | None:
    """Look in a folder of weights for those of a metric: a folder of its name, or a file of its name."""
    places = [folder / name, *(folder / f"{name}{suffix}" for suffix in SUFFIXES)]
    found = [place for place in places if place.exists()]
    return WeightsChoice(found[0], sha256) if found else None


def find_file(choice: WeightsChoice, pattern: str, what: str) -> Path:
    """The one file of a folder of weights whose name fits `pattern`, or the file that is given.

    Raises ModelError when there is none, or more than one, which would leave the choice to chance.
    """
    if choice.path.is_file():
        return choice.path
    if not choice.path.is_dir():
        raise ModelError(f"{what}: weights {choice.path}: there is no such file or folder")
    found = [path for path in sorted(choice.path.glob(pattern)) if path.suffix in SUFFIXES]
    if len(found) != 1:
        names = ", ".join(path.name for path in found) or "none"
        raise ModelError(
            f"{what}: weights {choice.path}: needs one file {pattern} ({', '.join(SUFFIXES)}), has {names}"
        )
    return found[0]


def hash_weights(files: list[Path], choice: WeightsChoice, what: str) -> str:
    """Hash of the files read, as in NetworkMetric. Raises HashMismatchError when it is not the chosen one."""
    hashes = sorted([path.name, digest_path(path)] for path in files)
    actual = hashes[0][1] if len(hashes) == 1 else digest_bytes(canonical(hashes))
    if choice.sha256 is not None and actual != choice.sha256:
        raise HashMismatchError(
            f"{what}: weights {choice.path} have sha256 {actual[:12]}, asked for was {choice.sha256[:12]}"
        )
    return actual


def read_tensors(path: Path, what: str) -> dict[str, Any]:
    """Tensors by name of a safetensors or torch file, on the processor whatever device they were saved from.

    Torch files are read as data only: one that would run code is refused. Raises ModelError for what cannot be read.
    """
    import pickle

    import torch
    from safetensors import SafetensorError
    from safetensors.torch import load_file

    try:
        if path.suffix == ".safetensors":
            tensors = load_file(path)
        else:
            tensors = torch.load(path, map_location="cpu", weights_only=True)
    except (SafetensorError, pickle.UnpicklingError, OSError, RuntimeError, ValueError, LookupError, EOFError) as error:
        reason = str(error).splitlines()[0] if str(error) else type(error).__name__
        raise ModelError(f"{what}: weights {path}: cannot be read: {reason}") from error
    if not isinstance(tensors, dict) or not all(isinstance(value, torch.Tensor) for value in tensors.values()):
        raise ModelError(f"{what}: weights {path}: is not a table of tensors by name")
    return {str(name): value.float() for name, value in tensors.items()}


def take_tensor(tensors: dict[str, Any], name: str, shape: tuple[int, ...], what: str) -> Any:
    """The tensor of a name. Raises ModelError unless it is there and has the shape."""
    found = tensors.get(name)
    if found is None:
        raise ModelError(f"{what}: the weights have no {name!r}")
    if tuple(found.shape) != shape:
        raise ModelError(f"{what}: {name!r} has shape {tuple(found.shape)}, the network needs {shape}")
    return found


def missing_extra(what: str, error: ImportError) -> MissingExtraError:
    """The error for a metric whose packages are not installed."""
    return MissingExtraError(
        f"metric {what!r} needs the extra `perceptual` (pip install 'part-edit-chains[perceptual]'): {error}"
    )
