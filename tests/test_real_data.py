"""The whole engine on real part-segmented objects: a small part of the shared data from files to verified states."""

from __future__ import annotations

import fcntl
import hashlib
import json
import os
import shutil
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from chains.files import RUN_FILE, list_chains, read_chain
from engine.replay import Replayer
from schemas.chain import Chain, Turn
from schemas.operation import GROUND, Add, Remove, Replace, Retexture
from schemas.placement import CheckReport
from tests.outside_tools import need_blender, validate_states
from tests.state_reading import ReadSlot, box_distance, count_pieces, is_inside, measure_distance, read_slots
from tools.compare_loaders import compare_folder

ROOT = Path(__file__).resolve().parent.parent
OBJECTS = 18
PARTS = range(5, 14)
"""Objects of the largest category with this many parts, those with the smallest files: alike enough to swap parts."""
CHAINS = 10
BUILD = ("build", "--families", "R,P,M,G,X", "--chains", str(CHAINS), "--seed", "3")
OTHER_CONDITIONS = {"PYTHONHASHSEED": "99", "OMP_NUM_THREADS": "1", "OPENBLAS_CORETYPE": "Prescott"}
KILL_SECONDS = 120.0
EXACTLY_ONE = {
    "instruction_following",
    "if_net",
    "keep_edit",
    "consistency_previous",
    "consistency_initial",
    "iou",
    "f_score_001",
    "normal_consistency",
}
SAMPLES, SAMPLING_ERROR = 20_000, 0.015


@dataclass(frozen=True)
class Built:
    """A library of real parts, chains made of it in one process, and all their states."""

    parts: Path
    library: Path
    slots: Path
    chains: Path
    states: Path

    @property
    def files(self) -> list[Path]:
        """All chain files, sorted."""
        return list_chains(self.chains)

    def state_file(self, chain: Chain, turn: int) -> Path:
        """Where a state lies."""
        return self.states / chain.id / f"turn{turn:02d}.glb"

    def turns(self) -> Iterator[tuple[Chain, Turn]]:
        """Every turn of every chain."""
        for file in self.files:
            chain = read_chain(file)
            yield from ((chain, turn) for turn in chain.turns)


def _command(*words: str | Path) -> list[str]:
    return [sys.executable, "-m", "engine.cli", *map(str, words)]


def _environment(settings: dict[str, str]) -> dict[str, str]:
    return {"PYTHONPATH": str(ROOT), "HOME": str(Path.home()), **settings}


def _engine(*words: str | Path, settings: dict[str, str] | None = None) -> str:
    """Run one command in a process of its own; what it printed."""
    done = subprocess.run(
        _command(*words), env=_environment(settings or {}), capture_output=True, text=True, check=False, timeout=600
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def _digests(chains: Path) -> dict[str, str]:
    """SHA-256 of every file of a folder of chains, but hidden ones and the times of the build."""
    files = [file for file in sorted(chains.rglob("*")) if file.is_file() and file.name != RUN_FILE]
    names = {file: file.relative_to(chains) for file in files}
    return {
        name.as_posix(): hashlib.sha256(file.read_bytes()).hexdigest()
        for file, name in names.items()
        if not any(part.startswith(".") for part in name.parts)
    }


def _copy_objects(source: Path, target: Path) -> None:
    """Copy the smallest objects of a PartVerse folder's largest category, with their captions and provenance."""
    origins = json.loads((source / "provenance.json").read_bytes())
    categories = Counter(row["category"] for row in origins.values())
    category = min(categories, key=lambda name: (-categories[name], name))
    folders = sorted((source / "textured_part_glbs").iterdir())
    fitting = [
        (sum(file.stat().st_size for file in folder.iterdir()), folder)
        for folder in folders
        if origins[folder.name]["category"] == category and len(list(folder.iterdir())) in PARTS
    ]
    names = [folder.name for _, folder in sorted(fitting)[:OBJECTS]]
    for name in names:
        shutil.copytree(source / "textured_part_glbs" / name, target / "textured_part_glbs" / name)
    for file in ("text_captions.json", "provenance.json"):
        rows = json.loads((source / file).read_bytes())
        (target / file).write_text(json.dumps({name: rows[name] for name in names}))


@pytest.fixture(scope="session")
def built(data_dir: Path, tmp_path_factory: pytest.TempPathFactory, worker_id: str) -> Built:
    """Library, slots, chains and states, once for all tests here, whatever the number of test workers."""
    own = tmp_path_factory.getbasetemp()
    root = (own if worker_id == "master" else own.parent) / "real_data"
    root.mkdir(exist_ok=True)
    made = Built(root / "parts", root / "lib", root / "slots.json", root / "chains", root / "states")
    with (root / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not (root / "done").exists():
            _build(data_dir / "partverse_dev", made)
            (root / "done").touch()
    return made


def _build(source: Path, made: Built) -> None:
    _copy_objects(source, made.parts)
    _engine("library", "build", made.parts, "--out", made.library, "--workers", "2")
    _engine("slots", "propose", made.library, "--out", made.slots)
    _engine(*BUILD, "--library", made.library, "--slots", made.slots, "--out", made.chains)
    for file in made.files:
        replayer = Replayer(file, made.library)
        for state in replayer.turns():
            path = made.state_file(replayer.chain, state.turn)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(state.glb)


@pytest.fixture(scope="session")
def slots_of(built: Built) -> Any:
    """States as trimesh reads them, each file once."""
    known: dict[Path, dict[str, ReadSlot]] = {}

    def read(chain: Chain, turn: int) -> dict[str, ReadSlot]:
        file = built.state_file(chain, turn)
        return known[file] if file in known else known.setdefault(file, read_slots(file))

    return read


def test_chains_are_worth_testing(built: Built) -> None:
    """Chains of all asked families were built, and they hold all four operations."""
    assert {read_chain(file).family for file in built.files} == set("RPMGX")
    assert len(built.files) >= CHAINS - 2
    assert {turn.operation.op for _, turn in built.turns()} == {"add", "remove", "replace", "retexture"}


@pytest.mark.parametrize("settings", [{}, OTHER_CONDITIONS], ids=["usual", "other"])
def test_fresh_processes_verify(built: Built, settings: dict[str, str]) -> None:
    """Every hash of every turn holds in a new process, also under other conditions."""
    said = _engine("verify", built.chains, "--library", built.library, "--strict", "--json", settings=settings)
    turns = sum(len(read_chain(file).turns) for file in built.files)
    assert json.loads(said) == {"chains": len(built.files), "turns": turns, "mismatches": []}


def test_two_workers_build_the_same_bytes(built: Built, tmp_path: Path) -> None:
    """Chains, assets and summary do not depend on the number of workers or the conditions of the processes."""
    place = ("--library", built.library, "--slots", built.slots, "--out", tmp_path / "chains")
    _engine(*BUILD, *place, "--workers", "2", settings=OTHER_CONDITIONS)
    assert _digests(tmp_path / "chains") == _digests(built.chains)


def test_a_killed_build_goes_on_to_the_same_bytes(built: Built, tmp_path: Path) -> None:
    """After `kill -9` in the middle of a chain the same command ends with the bytes of an undisturbed run."""
    chains = tmp_path / "chains"
    command = _command(*BUILD, "--library", built.library, "--slots", built.slots, "--out", chains)
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    process = subprocess.Popen(command, env=_environment({}), start_new_session=True, **quiet)
    deadline = time.monotonic() + KILL_SECONDS
    while not (list(chains.glob("?/*.json")) and list(chains.glob(".partial/**/*.json"))):
        assert process.poll() is None, "the build ended before it could be killed"
        assert time.monotonic() < deadline
        time.sleep(0.01)
    os.killpg(process.pid, signal.SIGKILL)
    assert process.wait() == -signal.SIGKILL
    assert 0 < len(list(chains.glob("?/*.json"))) < len(built.files)
    assert subprocess.run(command, env=_environment({}), check=False, timeout=600, **quiet).returncode == 0
    assert _digests(chains) == _digests(built.chains)


def test_only_the_named_slot_changes(built: Built, slots_of: Any) -> None:
    """Read by trimesh, every slot that a turn does not edit has the same bits before and after."""
    for chain, turn in built.turns():
        before, after = slots_of(chain, turn.index - 1), slots_of(chain, turn.index)
        edited = turn.operation.slot
        kept = {name: slot.content_digest for name, slot in before.items() if name != edited}
        assert {name: slot.content_digest for name, slot in after.items() if name != edited} == kept
        changed = [slots[edited].content_digest if edited in slots else None for slots in (before, after)]
        assert changed[0] != changed[1]
        assert (edited in after) != isinstance(turn.operation, Remove)


def test_retexture_keeps_every_triangle(built: Built, slots_of: Any) -> None:
    """A retextured slot keeps its multiset of triangles bit for bit, read by trimesh, and its pose."""
    seen = 0
    for chain, turn in built.turns():
        if isinstance(turn.operation, Retexture):
            before, after = (slots_of(chain, index)[turn.operation.slot] for index in (turn.index - 1, turn.index))
            assert after.geometry_digest == before.geometry_digest
            assert after.matrix.tobytes() == before.matrix.tobytes()
            assert after.looks != before.looks
            seen += 1
    assert seen >= CHAINS // 2


def _placed_turns(built: Built) -> Iterator[tuple[Chain, Turn, Add | Replace, CheckReport]]:
    for chain, turn in built.turns():
        operation = turn.operation
        if isinstance(operation, Add | Replace):
            assert operation.placement.report is not None
            yield chain, turn, operation, operation.placement.report


def test_gaps_hold_when_measured_anew(built: Built, slots_of: Any) -> None:
    """FCL finds the logged gaps to the nearest part and to the parent in the replayed files, below the limit."""
    seen = 0
    for chain, turn, operation, report in _placed_turns(built):
        after = slots_of(chain, turn.index)
        mine = after[operation.slot].triangles
        others = {name: slot.triangles for name, slot in after.items() if name != operation.slot}
        ground = min(float(triangles[..., 1].min()) for triangles in others.values())
        assert operation.placement.contact is not None
        parent = operation.placement.contact.parent
        gaps = [measure_distance(mine, triangles) for triangles in others.values()]
        if parent == GROUND:
            to_parent = [abs(float(mine[..., 1].min()) - ground)]
            gaps += to_parent
        else:
            to_parent = [measure_distance(mine, part) for part in after[parent].parts]
        diagonal = chain.host.diagonal
        assert min(gaps) / diagonal == pytest.approx(report.gap_rel, abs=1e-9)
        # The parent is one part; the log names its slot.
        assert any(gap / diagonal == pytest.approx(report.primary_gap_rel, abs=1e-9) for gap in to_parent)
        assert max(report.gap_rel, report.primary_gap_rel) < chain.limits.gap_rel
        seen += 1
    assert seen >= 4


def test_states_stay_in_one_piece(built: Built, slots_of: Any) -> None:
    """Parts within 0.01 D of each other, by FCL, make as many pieces as logged after every placement."""
    for chain, turn, operation, report in _placed_turns(built):
        states = [slots_of(chain, index) for index in range(turn.index + 1)]
        grounded = [
            earlier.operation.slot
            for earlier in chain.turns[: turn.index]
            if isinstance(earlier.operation, Add) and earlier.operation.attach_to == GROUND
        ]
        if any(name in states[-1] for name in grounded):
            continue  # the ground joins what stands on it, and is in no file
        parts = [part for slot in states[-1].values() for part in slot.parts]
        assert count_pieces(parts, chain.limits.gap_rel * chain.host.diagonal) == report.connected_after, operation
        assert report.connected_after <= max(report.connected_before, chain.host.connected_pieces)


def test_sizes_hold_when_measured_anew(built: Built, slots_of: Any) -> None:
    """The pose in the file is the logged one, a similarity, and gives the logged sizes within their limits."""
    for chain, turn, operation, report in _placed_turns(built):
        slot = slots_of(chain, turn.index)[operation.slot]
        assert slot.matrix.reshape(-1).tolist() == list(operation.placement.world_from_part)
        turned = slot.matrix[:3, :3]
        scale = float(np.cbrt(np.linalg.det(turned)))
        assert np.allclose(turned.T @ turned, scale**2 * np.eye(3), atol=1e-9 * scale**2)
        assert chain.limits.scale_min <= report.own_scale <= chain.limits.scale_max
        if isinstance(operation, Replace):
            share = slot.diagonal / _first_diagonal(chain, operation.slot, slots_of)
            assert share == pytest.approx(report.slot_scale, rel=1e-6)
            assert chain.limits.slot_scale_min <= share <= chain.limits.slot_scale_max


def _first_diagonal(chain: Chain, name: str, slots_of: Any) -> float:
    """Diagonal of a slot as it first was: of the host's at turn 0, of an added one when it came."""
    known = [entry.diagonal for entry in chain.host.slots if entry.id == name]
    added = [turn.index for turn in chain.turns if isinstance(turn.operation, Add) and turn.operation.slot == name]
    return known[0] if known else float(slots_of(chain, added[0])[name].diagonal)


def test_overlap_holds_when_measured_anew(built: Built, slots_of: Any) -> None:
    """Random points with exact winding numbers find the logged shares of the new and of the old part inside others."""
    seen = 0
    for chain, turn, operation, report in _placed_turns(built):
        assert report.interpenetration < chain.limits.interpenetration or report.mode == "baseline"
        if report.measure == "surface":
            continue
        measured = _measure_overlap(slots_of(chain, turn.index), operation.slot)
        assert measured == pytest.approx(report.interpenetration, abs=SAMPLING_ERROR)
        seen += 1
        if report.baseline is not None:
            edited = turn.index if turn.returns is None else turn.returns
            measured = _measure_overlap(slots_of(chain, edited - 1), operation.slot)
            assert measured == pytest.approx(report.baseline, abs=SAMPLING_ERROR)
    assert seen >= 3


def _measure_overlap(slots: dict[str, ReadSlot], name: str) -> float:
    """Share of the points inside the piece of a slot that lie inside another part, of random points in its box."""
    mine = slots[name].triangles
    others = [part for other, slot in slots.items() if other != name for part in slot.parts]
    near = [part for part in others if box_distance(part, mine) == 0.0]
    if not near:
        return 0.0
    low, high = mine.min(axis=(0, 1)), mine.max(axis=(0, 1))
    points = np.random.default_rng(len(mine)).uniform(low, high, (SAMPLES, 3))
    inside = points[is_inside(points, mine)]
    return float(np.any([is_inside(inside, part) for part in near], axis=0).mean()) if len(inside) else 0.0


def test_states_load_alike_in_trimesh(built: Built) -> None:
    """Trimesh finds the bounds of our own reader in every state."""
    report = compare_folder(built.states, ("trimesh",))
    assert report["mismatches"] == []
    assert report["compared"]["trimesh"] == sum(len(read_chain(file).turns) + 1 for file in built.files)


@pytest.mark.bpy
def test_states_load_alike_in_blender(built: Built) -> None:
    """Blender finds the bounds of our own reader in every state."""
    need_blender()
    report = compare_folder(built.states, ("blender",))
    assert report["mismatches"] == []
    assert report["excused"] == []
    assert report["compared"]["blender"] == sum(len(read_chain(file).turns) + 1 for file in built.files)


@pytest.mark.node
def test_states_are_valid_gltf(built: Built) -> None:
    """The Khronos validator finds no error in any state that the parts do not have."""
    report = validate_states(built.states, built.parts)
    assert report["new_errors"] == {}
    assert report["states"] == sum(len(read_chain(file).turns) + 1 for file in built.files)


def test_true_states_score_exactly_one(built: Built, tmp_path: Path) -> None:
    """Delivered as a method's own, the true states follow every instruction and keep everything else, exactly."""
    run, out = tmp_path / "run", tmp_path / "scores"
    for chain, turn in built.turns():
        target = run / chain.id / f"turn_{turn.index:03d}.glb"
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(built.state_file(chain, turn.index), target)
    words = ("--chains", built.chains, "--library", built.library, "--out", out, "--no-images", "--json")
    said = json.loads(_engine("score", run, *words, "--no-references", "--workers", "2"))
    turns = [turn for _, turn in built.turns()]
    assert (said["scored"], said["failures"]) == (len(turns), [])
    defined = Counter[str]()
    for file in built.files:
        record = json.loads((out / "unnamed" / f"{read_chain(file).id}.json").read_bytes())
        for turn in record["turns"]:
            for row in turn["scores"]:
                name, value = row["metric"], row["value"]
                if isinstance(value, dict):
                    continue
                if name in EXACTLY_ONE:
                    assert value == 1.0, (record["chain"], turn["turn"], row)
                    defined[name] += 1
                if name in {"chamfer", "hd95"}:
                    assert value <= 1e-9, (record["chain"], turn["turn"], row)
    geometry = sum(turn.operation.op != "retexture" for turn in turns)
    assert defined["instruction_following"] >= 0.85 * geometry
    assert defined["iou"] >= len(turns)
