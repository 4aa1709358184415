"""What the recipes show is valid: manifests as the schema has them, and a wrapper that compiles."""

from __future__ import annotations

import ast
import re
import tomllib
from pathlib import Path

from schemas.method import EditMask, EditRequest, MethodManifest

TEXT = (Path(__file__).resolve().parents[3] / "docs" / "methods" / "recipes.md").read_text("utf-8")


def blocks_of(language: str) -> list[str]:
    """Code blocks of one language."""
    return re.findall(rf"```{language}\n(.*?)```", TEXT, re.DOTALL)


def test_manifests_are_valid() -> None:
    """Each is one method with its own name, draws non-metallic, and lays nothing onto the target."""
    manifests = [MethodManifest.model_validate(tomllib.loads(block)) for block in blocks_of("toml")]
    assert [manifest.name for manifest in manifests] == ["partflow", "voxhammer"]
    assert all(manifest.non_metallic and not manifest.aligns for manifest in manifests)
    assert [("edit_mask" in manifest.access) for manifest in manifests] == [False, True]


def test_wrapper_names_fields_that_exist() -> None:
    """It compiles, and what it takes from a request is in the schema."""
    (block,) = blocks_of("python")
    ast.parse(block)
    asked = set(re.findall(r'request(?:\[|\.get\()"(\w+)"', block))
    assert {"input", "output", "edit_mask", "operation"} <= asked
    assert asked <= set(EditRequest.model_fields)
    assert set(re.findall(r'request\["edit_mask"\]\["(\w+)"\]', block)) <= set(EditMask.model_fields)
