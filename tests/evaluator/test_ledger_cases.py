"""Cases of the evaluator about chains and tables: failures stay failures, and a mean is over what is a number."""

from __future__ import annotations

import json
import math
import shutil
from pathlib import Path

import pytest

from evaluator.aggregate import Sample, measure_mean
from evaluator.outputs import find_outcomes, output_path
from schemas.codec import canonical, parse_json
from schemas.errors import SchemaError
from schemas.score import Measure, Undefined
from tests.chain_examples import add, chain_of, remove

CHAIN = chain_of(add("cup", "top"), remove("cup"))


@pytest.mark.parametrize(("name", "reason"), [("E02-empty-output", "empty"), ("E03-unloadable-output", "unloadable")])
def test_a_bad_output_fails_its_turn_and_blocks_the_next(
    cases_dir: Path, tmp_path: Path, name: str, reason: str
) -> None:
    """The turn failed with the reason and the file's name, the next is blocked, none is completed."""
    expected = json.loads((cases_dir / name / "expected.json").read_text("utf-8"))["checks"]
    target = output_path(tmp_path, CHAIN.id, 1)
    target.parent.mkdir(parents=True)
    shutil.copy(cases_dir / name / "output" / "turn_01.glb", target)
    record = find_outcomes(tmp_path, CHAIN)
    assert [entry.status for entry in record.turns] == ["failed", "blocked"]
    assert record.turns[0].reason.startswith(f"{reason}: ")
    assert target.name in record.turns[0].reason
    assert expected["turns"]["1"].startswith(f"failed: {reason}")
    assert len(record.turns) == expected["scheduled"]
    assert sum(entry.status == "delivered" for entry in record.turns) == expected["completed"]


def test_what_is_no_number_is_counted_and_not_averaged(cases_dir: Path) -> None:
    """Null and NaN are undefined, infinity is counted apart; a strict reader refuses the file by the turn's name."""
    folder = cases_dir / "E08-nan-in-scores"
    checks = json.loads((folder / "expected.json").read_text("utf-8"))["checks"]
    rows = json.loads((folder / "scores.json").read_text("utf-8"))["turns"]

    def measure(value: float | None) -> Measure:
        if value is None or math.isnan(value):
            return Undefined(reason="not a number")
        return "inf" if math.isinf(value) else value

    mean = measure_mean([Sample("host", measure(row["if"])) for row in rows])
    found = {"mean": mean.value, "n_defined": mean.n, "n_undefined": mean.undefined, "n_infinite": mean.infinite}
    assert found == {name: checks[name] for name in found}
    assert json.loads(canonical(found)) == found
    with pytest.raises(SchemaError, match=r"turns\[3\]"):
        parse_json((folder / "scores.json").read_bytes(), folder / "scores.json")
