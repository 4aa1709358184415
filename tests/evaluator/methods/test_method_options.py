"""What the editors have in common: the port they fill, and what the no-op makes of it."""

from __future__ import annotations

from pathlib import Path

import pytest

from evaluator.methods.delete_named import DeleteNamed
from evaluator.methods.noop import Noop
from evaluator.methods.voxel_regenerate import VoxelRegenerate
from evaluator.rollout.contract import Method
from schemas.errors import InputError
from tests.evaluator.methods.edit_requests import lay_request

EDITORS: tuple[type[Method], ...] = (Noop, DeleteNamed, VoxelRegenerate)


@pytest.mark.parametrize("editor", EDITORS)
def test_an_option_is_refused_by_name(editor: type[Method]) -> None:
    """None of the editors has options: a misspelt or foreign one must not pass unseen."""
    with pytest.raises(InputError, match="option 'strength' is unknown"):
        editor({"strength": "2"})


def test_the_no_op_returns_the_very_bytes(tmp_path: Path) -> None:
    """Even of what is no model at all: it does not look."""
    assert Noop({}).edit(lay_request(tmp_path, b"no model")).glb == b"no model"
    assert Noop.access == ()
