"""A new look changes one piece's material and coordinates, and nothing else."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from gltf_samples import CUBE_FACES, CUBE_POINTS, POSED, REST, Sample, png, read_glb_json, textured_cube

from engine.gltf.compose import ComposedPiece, PieceSource, TextureOverride, UvAsset, bake_state, compose_state
from engine.gltf.document import Document, read_document
from engine.gltf.parts import read_part
from engine.gltf.placed import read_piece
from engine.gltf.unwrap_asset import PrimitiveUv
from engine.surfaces import PartModel
from schemas.errors import InputError

GREEN = png((10, 200, 30))


def read(sample: Sample) -> Document:
    """Read a sample from memory."""
    return read_document(Path("memory.glb"), data=sample.glb())


def corner_unwrap(faces: np.ndarray) -> PrimitiveUv:
    """Every corner a vertex of its own."""
    corners = faces.reshape(-1).astype(np.uint32)
    uv = np.stack([np.linspace(0, 1, len(corners)), np.linspace(1, 0, len(corners))], axis=1).astype(np.float32)
    return PrimitiveUv(corners, np.arange(len(corners), dtype=np.uint32).reshape(-1, 3), uv)


def corner_rows(model: PartModel) -> list[bytes]:
    """Positions and normals of every triangle's corners, as a sorted multiset."""
    rows = []
    for surface in model.surfaces:
        values = surface.positions if surface.normals is None else np.c_[surface.positions, surface.normals]
        rows += [values[face].tobytes() for face in surface.faces]
    return sorted(rows)


@pytest.mark.parametrize("node", [{}, {"scale": [-1, 1, 1]}, {"scale": [3, 1, 1]}])
@pytest.mark.parametrize("pose", [REST, POSED])
def test_unwrapped_triangles_are_the_same_triangles(node: dict[str, list[int]], pose: tuple[float, ...]) -> None:
    """New UVs leave the multiset of triangles with positions and normals unchanged, mirrored nodes included."""
    document = read(textured_cube(**node))
    source = (PieceSource(document),)
    bare = read_part(document, None)
    override = TextureOverride(GREEN, UvAsset((corner_unwrap(bare.surfaces[0].faces),)), metallic=0.25, roughness=0.5)
    plain = ComposedPiece("a", pose, source)
    styled = ComposedPiece("a", pose, source, override)
    after = read_part(read_document(Path("s.glb"), data=compose_state([styled])), None)
    assert corner_rows(after) == corner_rows(read_part(read_document(Path("s.glb"), data=compose_state([plain])), None))
    surface = after.surfaces[0]
    assert override.uv is not None
    assert surface.uvs[0].tobytes() == override.uv.primitives[0].uv.tobytes()
    assert surface.colors is None
    assert surface.material.base_color is not None
    assert surface.material.base_color.image.data == GREEN
    assert (surface.material.metallic, surface.material.roughness, surface.material.double_sided) == (0.25, 0.5, True)
    baked = read_part(read_document(Path("s.glb"), data=bake_state([styled])), None)
    assert np.allclose(baked.surfaces[0].positions, after.surfaces[0].positions, atol=1e-6)
    assert baked.surfaces[0].faces.tolist() == after.surfaces[0].faces.tolist()


@pytest.mark.parametrize("unwrap", [False, True])
def test_what_is_measured_is_what_the_file_shows(unwrap: bool) -> None:  # noqa: FBT001
    """`read_piece` and the composed file agree in positions, faces, UVs and look."""
    document = read(textured_cube())
    uv = UvAsset((corner_unwrap(CUBE_FACES),)) if unwrap else None
    piece = ComposedPiece("a", REST, (PieceSource(document),), TextureOverride(GREEN, uv, double_sided=False))
    seen = read_part(read_document(Path("s.glb"), data=compose_state([piece])), None).surfaces[0]
    measured = read_piece(piece).surfaces[0]
    assert seen.positions.tobytes() == measured.positions.tobytes()
    assert seen.faces.tobytes() == measured.faces.tobytes()
    assert [array.tobytes() for array in seen.uvs] == [array.tobytes() for array in measured.uvs]
    assert seen.material.base_color == measured.material.base_color
    assert seen.material.double_sided is measured.material.double_sided is False


def test_other_slots_keep_their_bytes() -> None:
    """Retexturing one of two pieces that share a mesh and a material leaves the other's data untouched."""
    document = read(textured_cube())
    source = (PieceSource(document),)
    first, second = ComposedPiece("a", REST, source), ComposedPiece("b", POSED, source)
    before = read_document(Path("s.glb"), data=compose_state([first, second]))
    restyled = ComposedPiece("b", POSED, source, TextureOverride(GREEN))
    after = read_document(Path("s.glb"), data=compose_state([first, restyled]))
    one, other = read_part(before, None).surfaces, read_part(after, None).surfaces
    assert one[0].material == other[0].material
    assert one[0].colors is not None
    assert other[0].colors is not None
    assert one[0].colors.tobytes() == other[0].colors.tobytes()
    assert one[1].positions.tobytes() == other[1].positions.tobytes()
    assert other[1].material.base_color is not None
    assert other[1].material.base_color.image.data == GREEN
    state_json, _ = read_glb_json(compose_state([first, restyled]))
    assert len(state_json["materials"]) == 2


def test_quantized_positions_are_gathered_as_stored() -> None:
    """Normalised 16-bit positions stay 16-bit through an unwrap."""
    sample = Sample()
    points = (CUBE_POINTS * 65535).astype("<u2")
    padded = np.zeros((8, 4), "<u2")
    padded[:, :3] = points
    view = sample.view(padded.tobytes(), byteStride=8)
    row = {"bufferView": view, "componentType": 5123, "count": 8, "type": "VEC3", "normalized": True}
    position = sample.append("accessors", {**row, "min": [0, 0, 0], "max": [65535] * 3})
    primitive = {"attributes": {"POSITION": position}, "indices": sample.accessor(CUBE_FACES.reshape(-1))}
    mesh = sample.append("meshes", {"primitives": [primitive]})
    sample.json["extensionsUsed"] = sample.json["extensionsRequired"] = ["KHR_mesh_quantization"]
    document = read(sample.scene(sample.node(mesh=mesh)))
    override = TextureOverride(GREEN, UvAsset((corner_unwrap(CUBE_FACES),)))
    state = compose_state([ComposedPiece("a", REST, (PieceSource(document),), override)])
    state_json, _ = read_glb_json(state)
    accessor = state_json["accessors"][state_json["meshes"][0]["primitives"][0]["attributes"]["POSITION"]]
    assert (accessor["componentType"], accessor["normalized"], accessor["count"]) == (5123, True, 36)
    assert state_json["extensionsRequired"] == ["KHR_mesh_quantization"]
    assert corner_rows(read_part(read_document(Path("s.glb"), data=state), None)) == corner_rows(
        read_part(document, None)
    )


def test_an_asset_that_does_not_fit_is_refused() -> None:
    """Too few or too many primitives, other faces, vertices out of range, and missing UVs are refused."""
    document = read(textured_cube())
    fitting = corner_unwrap(CUBE_FACES)
    beyond = PrimitiveUv(fitting.vertex_map + np.uint32(8), fitting.faces, fitting.uv)
    turned = PrimitiveUv(fitting.vertex_map, np.ascontiguousarray(fitting.faces[:, ::-1]), fitting.uv)
    for primitives, words in (
        ((), "fewer primitives"),
        ((fitting, fitting), "more primitives"),
        ((beyond,), "old vertex"),
        ((turned,), "are not the 12 faces"),
    ):
        piece = ComposedPiece("a", REST, (PieceSource(document),), TextureOverride(GREEN, UvAsset(primitives)))
        with pytest.raises(InputError, match=words):
            compose_state([piece])
        with pytest.raises(InputError, match="UV asset"):
            read_piece(piece)


def test_surfaces_without_coordinates_get_those_of_their_box() -> None:
    """A cube without UVs shows the whole image upright on every side, in the file and in the decoded surfaces."""
    sample = Sample()
    bare = read(sample.scene(sample.node(mesh=sample.mesh())))
    piece = ComposedPiece("a", POSED, (PieceSource(bare),), TextureOverride(GREEN))
    (decoded,) = read_piece(piece).surfaces
    (written,) = read_part(read_document(Path("s.glb"), data=compose_state([piece])), None).surfaces
    assert np.array_equal(written.uvs[0], decoded.uvs[0])
    assert np.array_equal(written.faces, decoded.faces)
    (own,) = read_part(bare, None).surfaces
    corners, uv = own.positions[own.faces], decoded.uvs[0][decoded.faces]
    for points, coordinates in zip(corners, uv, strict=True):
        assert sorted(map(tuple, coordinates.tolist())) in (
            [(0.0, 0.0), (0.0, 1.0), (1.0, 0.0)],
            [(0.0, 0.0), (0.0, 1.0), (1.0, 1.0)],
            [(0.0, 0.0), (1.0, 0.0), (1.0, 1.0)],
            [(0.0, 1.0), (1.0, 0.0), (1.0, 1.0)],
        )
        if np.ptp(points[:, 1]) > 0:
            assert np.array_equal(coordinates[:, 1], (1.0 - (points[:, 1] - own.positions[:, 1].min())))
