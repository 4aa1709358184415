"""What measuring an object for the library gives."""

from __future__ import annotations

import json
import math
from pathlib import Path

import numpy as np
import pytest
import trimesh
from placement_scenes import box_mesh, prism_mesh

from engine.placement.survey import PlacementSurveyor
from engine.surfaces import FloatArray, IntArray
from library_index.ports import ObjectSurvey, PartFile

Mesh = tuple[FloatArray, IntArray]


def write_parts(folder: Path, meshes: dict[str, Mesh]) -> list[PartFile]:
    """One GLB a part."""
    files = []
    for name, (vertices, faces) in meshes.items():
        path = folder / f"{name}.glb"
        path.write_bytes(trimesh.Scene({name: trimesh.Trimesh(vertices, faces, process=False)}).export(file_type="glb"))
        files.append(PartFile(name, path, None))
    return files


def table(folder: Path) -> tuple[list[PartFile], ObjectSurvey]:
    """A table top on four legs with a vase on it."""
    meshes = {"top": box_mesh((2.0, 0.2, 2.0), (0.0, 0.9, 0.0))}
    for k, (x, z) in enumerate(((0.8, 0.8), (-0.8, 0.8), (0.8, -0.8), (-0.8, -0.8))):
        meshes[f"leg{k}"] = box_mesh((0.2, 0.9, 0.2), (x, 0.45, z))
    meshes["vase"] = prism_mesh(8, 0.2, 0.6, (0.3, 1.3, 0.2))
    files = write_parts(folder, meshes)
    return files, PlacementSurveyor().survey(files, folder)


def test_a_table_is_measured_as_it_is_built(tmp_path: Path) -> None:
    """Contacts, pieces, mounts, symmetry and sizes of a table with a vase."""
    _, survey = table(tmp_path)
    parts = {part.part_id: part for part in survey.parts}
    assert survey.refused == ()
    assert survey.connected_pieces == 1
    assert survey.diagonal == pytest.approx(math.sqrt(4.0 + 2.56 + 4.0))
    assert {frozenset((c.a, c.b)) for c in survey.contacts} == {
        frozenset(("top", other)) for other in ("leg0", "leg1", "leg2", "leg3", "vase")
    }
    vase, leg = parts["vase"], parts["leg0"]
    assert vase.mounts[0].frame.kind == "rest"
    assert vase.mounts[0].frame.parent == "top"
    assert vase.mounts[0].stability == pytest.approx(0.2 * math.cos(math.pi / 8) / 0.6, rel=0.05)
    assert vase.symmetry is not None
    assert (vase.symmetry.axis, vase.symmetry.order) == ((0.0, 1.0, 0.0), 8)
    assert (leg.mounts[0].frame.kind, leg.mounts[0].frame.direction) == ("socket", "down")
    assert leg.mounts[0].reaches_floor
    assert leg.mounts[0].object_share == pytest.approx(math.sqrt(0.04 + 0.81 + 0.04) / survey.diagonal)
    assert leg.volume == pytest.approx(0.2 * 0.2 * 0.9)
    assert leg.area == pytest.approx(2 * 0.04 + 4 * 0.18)
    assert leg.closed
    assert leg.triangles == 12
    assert 0.9 < sum(part.visible for part in survey.parts) < 4.0
    assert parts["top"].visible == max(part.visible for part in survey.parts)


def test_measuring_twice_gives_the_same_record(tmp_path: Path) -> None:
    """Byte for byte."""
    files, survey = table(tmp_path)
    assert PlacementSurveyor().survey(files, tmp_path).model_dump_json() == survey.model_dump_json()


def test_bad_parts_are_refused_with_the_reason_and_the_rest_is_measured(tmp_path: Path) -> None:
    """An empty file and a part without area do not stop the object."""
    flat = np.array([[0.0, 0.0, 0.0], [1.0, 1.0, 1.0], [2.0, 2.0, 2.0]])
    files = write_parts(tmp_path, {"good": box_mesh(), "line": (flat, np.array([[0, 1, 2]], dtype=np.int64))})
    (tmp_path / "empty.glb").write_bytes(b"")
    survey = PlacementSurveyor().survey([*files, PartFile("empty", tmp_path / "empty.glb", None)], tmp_path)
    assert [part.part_id for part in survey.parts] == ["good"]
    reasons = dict(survey.refused)
    assert set(reasons) == {"line", "empty"}
    assert "area" in reasons["line"]
    assert str(tmp_path) not in reasons["empty"]


def test_a_part_that_stands_alone_rests_on_the_ground(tmp_path: Path) -> None:
    """One part: a resting mount on the ground, whole share."""
    survey = PlacementSurveyor().survey(write_parts(tmp_path, {"vase": prism_mesh(6, 0.3, 1.0)}), tmp_path)
    mount = survey.parts[0].mounts[0]
    assert (mount.frame.kind, mount.frame.parent, mount.object_share) == ("rest", "ground", 1.0)
    assert survey.parts[0].visible == 1.0
    assert survey.parts[0].symmetry is not None
    assert survey.parts[0].symmetry.order == 6


def test_an_object_without_a_readable_part_is_empty(tmp_path: Path) -> None:
    """Nothing raises: the caller reads the reasons."""
    (tmp_path / "a.glb").write_bytes(b"glTF")
    survey = PlacementSurveyor().survey([PartFile("a", tmp_path / "a.glb", None)], tmp_path)
    assert (survey.parts, survey.connected_pieces) == ((), 0)
    assert survey.refused[0][0] == "a"


def test_nodes_of_a_file_are_listed(cases_dir: Path) -> None:
    """Ids and names of the mesh-bearing nodes."""
    host = cases_dir / "P01-face-touch" / "host.glb"
    assert list(PlacementSurveyor().list_nodes(host, host.parent)) == [("body", "body")]


def test_real_objects_have_the_published_mix_of_mounts(data_dir: Path) -> None:
    """A chair: legs hang down to the floor, slats are held at the side, everything is one piece."""
    root = data_dir / "partverse_dev"
    captions = json.loads((root / "text_captions.json").read_text())["47ca678d065404cc877bc06d677ef34e"]
    folder = root / "textured_part_glbs" / "47ca678d065404cc877bc06d677ef34e"
    files = [PartFile(path.stem, path, None) for path in sorted(folder.iterdir(), key=lambda p: int(p.stem))]
    survey = PlacementSurveyor().survey(files, root)
    legs = [part for part in survey.parts if "leg" in captions[part.part_id][0]]
    assert len(legs) == 4
    assert all(part.mounts[0].frame.direction == "down" and part.mounts[0].reaches_floor for part in legs)
    assert survey.connected_pieces == 1
    assert all(part.mounts for part in survey.parts)
