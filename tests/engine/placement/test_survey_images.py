"""Parts with damaged pictures are refused when they are imported, not when a chain first shows them."""

from __future__ import annotations

import io
from pathlib import Path

import numpy as np
import trimesh
from PIL import Image

from engine.placement.survey import PlacementSurveyor
from library_index.ports import PartFile


def test_a_part_whose_picture_cannot_be_decoded_is_refused_by_name(tmp_path: Path) -> None:
    """The good part beside it comes in; the bad one is listed with the reason."""
    buffer = io.BytesIO()
    Image.fromarray(np.arange(192, dtype=np.uint8).reshape(8, 8, 3)).save(buffer, format="PNG")
    picture = buffer.getvalue()
    for name, start in (("good", 0.0), ("bad", 1.0)):
        box = trimesh.creation.box()
        box.apply_translation((start, 0.0, 0.0))
        material = trimesh.visual.material.PBRMaterial(baseColorTexture=Image.open(io.BytesIO(picture)))
        box.visual = trimesh.visual.TextureVisuals(uv=np.zeros((len(box.vertices), 2)), material=material)
        data = box.export(file_type="glb")
        at = data.index(b"IDAT")
        (tmp_path / f"{name}.glb").write_bytes(
            data if name == "good" else data[: at + 6] + b"\xff" * 40 + data[at + 46 :]
        )
    survey = PlacementSurveyor().survey(
        [PartFile(part_id=name, path=tmp_path / f"{name}.glb", node=None) for name in ("bad", "good")], tmp_path
    )
    assert [part.part_id for part in survey.parts] == ["good"]
    assert [part_id for part_id, _ in survey.refused] == ["bad"]
    assert "cannot be decoded" in survey.refused[0][1]
