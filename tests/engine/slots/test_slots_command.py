"""`engine slots` on a small library."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
import trimesh
from click.testing import CliRunner

from engine.commands.slots import slots
from engine.placement.survey import PlacementSurveyor
from library_index.build import build_library
from library_index.embedders.hashing import HashingEmbedder
from schemas.codec import read_record
from schemas.errors import InputError, PartNotFoundError
from schemas.part import SlotRegistry


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An index of one stool (seat and four legs) and one stone."""
    source = tmp_path_factory.mktemp("source")
    scene = trimesh.Scene()
    seat = trimesh.creation.box((1.0, 0.2, 1.0), np.array([[1, 0, 0, 0], [0, 1, 0, 0.9], [0, 0, 1, 0], [0, 0, 0, 1.0]]))
    scene.add_geometry(seat, node_name="seat", geom_name="seat")
    for k, (x, z) in enumerate(((0.4, 0.4), (-0.4, 0.4), (0.4, -0.4), (-0.4, -0.4))):
        pose = np.array([[1, 0, 0, x], [0, 1, 0, 0.42], [0, 0, 1, z], [0, 0, 0, 1.0]])
        scene.add_geometry(trimesh.creation.box((0.1, 0.84, 0.1), pose), node_name=f"leg_{k}", geom_name=f"leg_{k}")
    (source / "stool.glb").write_bytes(scene.export(file_type="glb"))
    (source / "stone.glb").write_bytes(trimesh.Scene({"stone": trimesh.creation.box()}).export(file_type="glb"))
    out = tmp_path_factory.mktemp("index")
    build_library(source, out, surveyor=PlacementSurveyor(), embedder=HashingEmbedder(), workers=0)
    return out


def run(*arguments: object) -> str:
    """Output of the command; errors go to the caller."""
    result = CliRunner().invoke(slots, [str(entry) for entry in arguments], catch_exceptions=False)
    assert result.exit_code == 0, result.output
    return result.output


def test_proposing_writes_a_registry_that_reads_back(library: Path, tmp_path: Path) -> None:
    """The stool is a host with four legs told apart by corners; the stone is no host."""
    out = tmp_path / "registry.json"
    report = json.loads(run("propose", library, "--out", out, "--json"))
    assert (report["hosts"], report["slots"], report["rejected"]) == (1, 5, [])
    registry = read_record(SlotRegistry, out)
    assert [slot.label for slot in registry.hosts[0].host.slots] == [
        "seat",
        "front left leg",
        "front right leg",
        "back left leg",
        "back right leg",
    ]
    again = tmp_path / "again.json"
    run("propose", library, "--out", again)
    assert again.read_bytes() == out.read_bytes()


def test_showing_indents_what_hangs(library: Path, tmp_path: Path) -> None:
    """With or without a registry; a host is named by the beginning of its id."""
    out = tmp_path / "registry.json"
    run("propose", library, "--host", "stoo", "--out", out)
    shown = run("show", library, "--host", "stool", "--registry", out)
    assert shown == run("show", library, "--host", "stool")
    lines = shown.splitlines()
    assert lines[0].startswith("stool")
    assert lines[1].startswith("seat ")
    assert lines[2].startswith("  front_left_leg ")


def test_a_single_part_asked_for_by_name_says_why_it_is_no_host(library: Path, tmp_path: Path) -> None:
    """The reason is written and printed."""
    assert "it has 1 part" in run("propose", library, "--host", "stone", "--out", tmp_path / "r.json")
    with pytest.raises(InputError, match="it has 1 part"):
        run("show", library, "--host", "stone")
    with pytest.raises(PartNotFoundError, match="'chair' is not in the library"):
        run("show", library, "--host", "chair")


def test_edits_are_written_back(library: Path, tmp_path: Path) -> None:
    """Merge, rename and accept change the file; a registry of another library is refused."""
    out = tmp_path / "registry.json"
    run("propose", library, "--out", out)
    run("merge", library, "front_left_leg", "front_right_leg", "--host", "stool", "--registry", out)
    run("rename", library, "front_left_leg", "front legs", "--host", "stool", "--registry", out)
    run("accept", library, "--host", "stool", "--registry", out)
    entry = read_record(SlotRegistry, out).hosts[0]
    assert entry.status == "accepted"
    assert [slot.label for slot in entry.host.slots] == ["seat", "front legs", "back left leg", "back right leg"]
    run(
        "split",
        library,
        "front_left_leg",
        entry.host.slots[1].parts[0].part_id,
        "--label",
        "odd leg",
        "--host",
        "stool",
        "--registry",
        out,
    )
    assert read_record(SlotRegistry, out).hosts[0].host.slots[-1].label == "odd leg"
    foreign = read_record(SlotRegistry, out).model_copy(update={"library_sha256": "f" * 64})
    out.write_text(foreign.model_dump_json())
    with pytest.raises(InputError, match="another library"):
        run("accept", library, "--host", "stool", "--registry", out)
