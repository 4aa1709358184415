"""Errors keep their exit code, message and fields across process borders."""

from __future__ import annotations

import pickle

import pytest

from schemas.errors import EngineError, GltfError, LockedError, PartHashError, SchemaError, WorkerError

ERRORS = [
    (SchemaError("chain.json", "$.turns[0]", "wrong"), 2),
    (GltfError("part.glb", "truncated"), 2),
    (PartHashError("part a/0", "a" * 64, "b" * 64), 4),
    (LockedError("folder is in use"), 1),
    (WorkerError("died"), 3),
]


@pytest.mark.parametrize(("error", "code"), ERRORS, ids=lambda value: type(value).__name__)
def test_an_error_survives_pickling(error: EngineError, code: int) -> None:
    """A worker's error arrives with its class, message, fields and exit code."""
    again = pickle.loads(pickle.dumps(error))  # noqa: S301  # our own bytes
    assert type(again) is type(error)
    assert str(again) == str(error)
    assert vars(again) == vars(error)
    assert again.exit_code == code
