"""What must not change a decision: where a library stands, how it is turned, its units, its mirror image, its order."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from chains.files import list_chains, read_chain
from engine.building import BuildOrder, build_chains
from engine.placement.survey import PlacementSurveyor
from engine.slots.propose import propose_registry
from library_index.build import build_library
from library_index.embedding import load_embedder
from library_index.library import open_library
from schemas.chain import Chain
from schemas.operation import Add, Replace
from schemas.part import SlotRegistry
from schemas.placement import Limits
from tests.box_library import write_box_library
from tests.transformed_glb import FloatArray, place_glb, shuffle_glb

POSE_REL = 2e-6
"""Two steps of the translation grid, over D: a moved library is rounded on a moved grid."""
HOSTS = ("41e866b9be09275f3dd750696c9143af", "c4fc90e528e5e76b8df67bca1fbf5f2f")
"""A treasure chest, and a stack of boxes with a barrel."""
OTHERS = ("1784f6d1", "9d6f4829", "a05055e7", "a8088573", "f4bd97e6")
"""Objects whose parts stand well on both."""
PARTS = "textured_part_glbs"


def turned(quarters: int, scale: float = 1.0, shift: Sequence[float] = (0.0, 0.0, 0.0)) -> FloatArray:
    """(4, 4): quarter turns about the vertical, a uniform scale, a shift."""
    cosine, sine = ((1.0, 0.0), (0.0, 1.0), (-1.0, 0.0), (0.0, -1.0))[quarters]
    matrix = np.eye(4)
    matrix[:3, :3] = np.array([[cosine, 0.0, sine], [0.0, 1.0, 0.0], [-sine, 0.0, cosine]]) * scale
    matrix[:3, 3] = shift
    return matrix


MIRROR = np.diag([-1.0, 1.0, 1.0, 1.0])
SIMILARITIES = {
    "moved": turned(0, 1.0, (3.0, 1.25, -7.5)),
    "turned by one quarter, 100 times as large": turned(1, 100.0),
    "turned by two quarters, moved, a hundredth as large": turned(2, 0.01, (0.3, -1.0, 2.0)),
    "turned by three quarters, twice as large": turned(3, 2.0),
}


@dataclass(frozen=True, slots=True)
class Built:
    """The slots and chains of a library."""

    registry: SlotRegistry
    chains: dict[str, Chain]
    files: dict[str, bytes]


def build(source: Path, out: Path, hosts: Iterable[str] = ()) -> Built:
    """Index, slots and chains of a folder of parts, in one worker."""
    index = out / "index"
    build_library(
        source,
        index,
        surveyor=PlacementSurveyor(),
        embedder=load_embedder("hashing"),
        workers=1,
        library_id="same",
    )
    registry = propose_registry(open_library(index))
    chosen = [entry.host for entry in registry.hosts if not hosts or entry.host.object_id in hosts]
    order = BuildOrder(index, out / "chains", chosen, ("G", "X"), 3, Limits(mode="baseline"), workers=1)
    list(build_chains(order))
    paths = list_chains(out / "chains")
    chains = {chain.id: chain for chain in map(read_chain, paths)}
    return Built(registry, chains, {path.name + path.parent.name: path.read_bytes() for path in paths})


def decisions(chain: Chain) -> list[tuple[Any, ...]]:
    """What was decided in each turn: operation, slot, part, support, mode, refusals.

    Words are not compared: they say where a thing stands as seen from the front, so they turn with the object.
    """
    rows: list[tuple[Any, ...]] = []
    for turn in chain.turns:
        operation = turn.operation
        chosen: tuple[Any, ...] = ()
        if isinstance(operation, Add | Replace):
            report = operation.placement.report
            chosen = (str(operation.part), getattr(operation, "attach_to", None), report and report.mode)
        refused = tuple((entry.check, entry.count) for entry in turn.rejected)
        rows.append((operation.op, operation.slot, *chosen, refused))
    return rows


def slots_of(built: Built) -> list[tuple[Any, ...]]:
    """Slots of all hosts: name, label, what they hang from, their parts."""
    return [
        (entry.host.object_id, slot.id, slot.label, slot.hangs_from, tuple(str(part) for part in slot.parts))
        for entry in built.registry.hosts
        for slot in entry.host.slots
    ]


def pose_errors(before: Chain, after: Chain, change: FloatArray, op: type[Add | Replace]) -> list[float]:
    """How far each pose lies from the changed pose of the other chain, at the part's origin and unit points, over D.

    Additions only up to the first replacement: what comes after it stands on what it left.
    """
    errors = []
    for one, two in zip(before.turns, after.turns, strict=True):
        if op is Add and isinstance(one.operation, Replace):
            break
        if isinstance(one.operation, op) and isinstance(two.operation, Add | Replace):
            poses = [np.array(turn.placement.world_from_part).reshape(4, 4) for turn in (one.operation, two.operation)]
            contact = one.operation.placement.contact
            assert contact is not None
            # The contact is where the part is: its own units play no role there.
            touch = np.array([*contact.origin, 1.0])
            inside = change @ np.linalg.inv(poses[0]) @ touch
            moved = poses[1] @ inside - change @ touch
            errors.append(float(np.abs(moved).max()) / after.host.diagonal)
    return errors


def check_same_decisions(before: Built, after: Built) -> None:
    """Slots, chains and turns are the same."""
    assert slots_of(after) == slots_of(before)
    assert sorted(after.chains) == sorted(before.chains)
    for name, chain in before.chains.items():
        assert decisions(after.chains[name]) == decisions(chain)


def check_same_poses(before: Built, after: Built, change: FloatArray, op: type[Add | Replace]) -> None:
    """Poses are those of the other library, changed with it."""
    errors = [
        error for name, chain in before.chains.items() for error in pose_errors(chain, after.chains[name], change, op)
    ]
    assert errors
    assert max(errors) <= POSE_REL


def mask_hashes(data: bytes) -> bytes:
    """A log without the hashes of part files, whose bytes differ by intent."""
    return re.sub(rb"[0-9a-f]{64}", b"-", data)


def check_same_logs(before: Built, after: Built) -> None:
    """The logs are equal to the byte, but for the hashes of files that differ."""
    assert {name: mask_hashes(data) for name, data in after.files.items()} == {
        name: mask_hashes(data) for name, data in before.files.items()
    }
    assert after.files != before.files


def rewrite(source: Path, target: Path, change: Callable[[bytes], bytes], *, backwards: bool = False) -> Path:
    """A copy of a library with every GLB changed; `backwards` writes the files in the opposite order."""
    for path in sorted(source.rglob("*"), reverse=backwards):
        if path.is_file():
            copy = target / path.relative_to(source)
            copy.parent.mkdir(parents=True, exist_ok=True)
            copy.write_bytes(change(path.read_bytes()) if path.suffix == ".glb" else path.read_bytes())
    return target


def shuffler() -> Callable[[bytes], bytes]:
    """Another order for each file."""
    seeds = iter(range(1000))
    return lambda data: shuffle_glb(data, next(seeds))


@pytest.fixture(scope="module")
def boxes(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Built]:
    """The library of boxes and what is built from it."""
    folder = tmp_path_factory.mktemp("boxes")
    source = write_box_library(folder / "source")
    return source, build(source, folder)


@pytest.mark.slow
@pytest.mark.parametrize("name", [*SIMILARITIES, "mirrored"])
def test_boxes_placed_otherwise_get_the_same_chains(name: str, boxes: tuple[Path, Built], tmp_path: Path) -> None:
    """Moved, turned, scaled or mirrored with its library, a host gets the same edits, changed with it."""
    source, before = boxes
    change = SIMILARITIES.get(name, MIRROR)
    after = build(rewrite(source, tmp_path / "source", lambda data: place_glb(data, change)), tmp_path)
    check_same_decisions(before, after)
    check_same_poses(before, after, change, Add)
    check_same_poses(before, after, change, Replace)


def test_boxes_stored_in_another_order_get_the_same_logs(boxes: tuple[Path, Built], tmp_path: Path) -> None:
    """Another order of files, parts, triangles, corners and vertices changes no byte but the files' hashes."""
    source, before = boxes
    after = build(rewrite(source, tmp_path / "source", shuffler(), backwards=True), tmp_path)
    check_same_logs(before, after)
    assert any(turn.operation.op == "replace" for chain in before.chains.values() for turn in chain.turns)


@pytest.fixture(scope="module")
def real(data_dir: Path, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Built]:
    """Two real hosts with a small library of real parts, copied."""
    folder = tmp_path_factory.mktemp("real")
    root, source = data_dir / "partverse_dev", folder / "source"
    kept = [path.name for path in sorted((root / PARTS).iterdir()) if path.name.startswith((*HOSTS, *OTHERS))]
    for name in kept:
        shutil.copytree(root / PARTS / name, source / PARTS / name)
    captions = json.loads((root / "text_captions.json").read_text("utf-8"))
    (source / "text_captions.json").write_text(json.dumps({name: captions[name] for name in kept}), "utf-8")
    return source, build(source, folder, HOSTS)


@pytest.fixture(scope="module")
def real_turned(real: tuple[Path, Built], tmp_path_factory: pytest.TempPathFactory) -> tuple[FloatArray, Built]:
    """The same, turned by a quarter, moved and a hundred times as large."""
    change = turned(1, 100.0, (3.0, 1.25, -7.5))
    folder = tmp_path_factory.mktemp("turned")
    return change, build(rewrite(real[0], folder / "source", lambda data: place_glb(data, change)), folder, HOSTS)


@pytest.mark.slow
def test_real_hosts_placed_otherwise_get_the_same_edits(
    real: tuple[Path, Built], real_turned: tuple[FloatArray, Built]
) -> None:
    """Real parts: the same operations, slots, parts, modes and refusals."""
    check_same_decisions(real[1], real_turned[1])


@pytest.mark.slow
def test_real_hosts_placed_otherwise_get_the_same_additions(
    real: tuple[Path, Built], real_turned: tuple[FloatArray, Built]
) -> None:
    """Added real parts stand where the changed library says, to the grid's step."""
    check_same_poses(real[1], real_turned[1], real_turned[0], Add)


@pytest.mark.slow
@pytest.mark.xfail(strict=True, reason="the mount radius is read from samples that depend on the axes")
def test_real_hosts_placed_otherwise_get_the_same_replacements(
    real: tuple[Path, Built], real_turned: tuple[FloatArray, Built]
) -> None:
    """Replaced real parts stand where the changed library says, to the grid's step."""
    check_same_poses(real[1], real_turned[1], real_turned[0], Replace)


@pytest.mark.slow
def test_real_hosts_stored_in_another_order_get_the_same_logs(real: tuple[Path, Built], tmp_path: Path) -> None:
    """Another order of files, parts, triangles, corners and vertices changes no byte but the files' hashes."""
    source, before = real
    after = build(rewrite(source, tmp_path / "source", shuffler(), backwards=True), tmp_path, HOSTS)
    check_same_logs(before, after)
