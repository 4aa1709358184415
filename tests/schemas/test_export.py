"""The committed JSON Schemas are those of the types, and say the same as the reader."""

from __future__ import annotations

import json
from pathlib import Path

import jsonschema
import pytest

from schemas.codec import encode
from schemas.export import RECORDS, json_schema, write_schemas
from tests.chain_examples import add, chain_of, remove, replace, retexture

COMMITTED = Path(__file__).resolve().parents[2] / "schemas" / "json"


def test_committed_schemas_are_fresh(tmp_path: Path) -> None:
    """`make schemas` would change nothing."""
    write_schemas(tmp_path)
    fresh = {path.name: path.read_text("utf-8") for path in tmp_path.iterdir()}
    assert {path.name: path.read_text("utf-8") for path in COMMITTED.iterdir()} == fresh


@pytest.mark.parametrize("name", sorted(RECORDS))
def test_schemas_are_valid_drafts(name: str) -> None:
    """Each schema is a valid draft 2020-12 schema."""
    jsonschema.Draft202012Validator.check_schema(json_schema(RECORDS[name]))


def test_an_independent_validator_agrees() -> None:
    """Jsonschema accepts our chain and refuses an unknown field and an unknown operation."""
    validator = jsonschema.Draft202012Validator(json_schema(RECORDS["chain"]))
    chain = json.loads(encode(chain_of(add("cup", "top"), replace("leg"), remove("cup"), retexture("top"))))
    assert list(validator.iter_errors(chain)) == []
    chain["turns"][0]["colour"] = "red"
    assert list(validator.iter_errors(chain))
    del chain["turns"][0]["colour"]
    chain["turns"][1]["operation"]["op"] = "explode"
    assert list(validator.iter_errors(chain))
