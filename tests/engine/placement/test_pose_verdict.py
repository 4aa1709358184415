"""`engine check` on the shared placement cases and on wrong input."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from engine.commands.check import check
from schemas.errors import InputError

IDENTITY = [1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0]
CASES = tuple(f"P{k:02d}" for k in range(1, 13))


def run(*arguments: object) -> dict[str, Any]:
    """The command's JSON; errors go to the caller."""
    result = CliRunner().invoke(check, [str(entry) for entry in (*arguments, "--json")], catch_exceptions=False)
    assert result.exit_code == 0, result.output
    return dict(json.loads(result.output))


def case_folder(cases_dir: Path, case: str) -> Path:
    """Folder of a placement case by its number."""
    return next(iter(sorted(cases_dir.glob(f"{case}-*"))))


@pytest.mark.parametrize("case", CASES)
def test_the_shared_cases_come_out_right(cases_dir: Path, case: str) -> None:
    """Verdict, reason, gap, fractions, pieces and scale as expected."""
    folder = case_folder(cases_dir, case)
    expected = json.loads((folder / "expected.json").read_text())["checks"]
    named = json.loads((folder / "placement.json").read_text())["attach_to"]
    found = run(folder / "host.glb", folder / "part.glb", "--pose", folder / "placement.json", "--attach-to", named)
    assert found["verdict"] == expected["verdict"]
    if "reason_one_of" in expected:
        assert found["reason"] in expected["reason_one_of"]
    tolerance = expected["tolerance"]
    for key, value in expected.items():
        if key in {"verdict", "reason_one_of", "tolerance", "no_nan", "surface_gap"}:
            continue
        bound = tolerance["gap_rel_diag"] * found["host_diagonal"] if "gap" in key else tolerance["fraction_abs"]
        assert found[key] == pytest.approx(value, abs=bound), key


def test_the_pose_may_have_the_name_of_the_record(cases_dir: Path, tmp_path: Path) -> None:
    """`world_from_part` and `pose_row_major` say the same; limits may use the record's names."""
    folder = case_folder(cases_dir, "P05")
    neutral = json.loads((folder / "placement.json").read_text())
    pose = tmp_path / "pose.json"
    pose.write_text(json.dumps({"world_from_part": neutral["pose_row_major"], "limits": {"interpenetration": 0.51}}))
    found = run(folder / "host.glb", folder / "part.glb", "--pose", pose)
    assert (found["verdict"], found["attach_to"]) == ("accept", "body")


def test_the_table_says_verdict_and_limits(cases_dir: Path) -> None:
    """Without --json a person reads the reason and each value beside its limit."""
    folder = case_folder(cases_dir, "P03")
    arguments = [str(folder / "host.glb"), str(folder / "part.glb"), "--pose", str(folder / "placement.json")]
    output = CliRunner().invoke(check, arguments, catch_exceptions=False).output
    assert output.startswith("reject: gap")
    assert "below 0.01" in output


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ("{", "not JSON"),
        ("[]", "must be a JSON object"),
        ("{}", "world_from_part"),
        (json.dumps({"world_from_part": IDENTITY[:15]}), "16 numbers"),
        (json.dumps({"world_from_part": [2.0, *IDENTITY[1:]]}), "sheared"),
        (json.dumps({"world_from_part": IDENTITY, "limits": {"gap": 1}}), "limits"),
    ],
)
def test_wrong_pose_files_are_refused_by_name(cases_dir: Path, tmp_path: Path, content: str, words: str) -> None:
    """The message names the file and what is wrong."""
    folder = case_folder(cases_dir, "P01")
    pose = tmp_path / "pose.json"
    pose.write_text(content)
    with pytest.raises(InputError, match=words) as caught:
        run(folder / "host.glb", folder / "part.glb", "--pose", pose)
    assert "pose.json" in str(caught.value)


def test_an_unknown_part_to_attach_to_is_refused(cases_dir: Path) -> None:
    """The message lists the parts there are."""
    folder = case_folder(cases_dir, "P01")
    arguments = (folder / "host.glb", folder / "part.glb", "--pose", folder / "placement.json", "--attach-to", "roof")
    with pytest.raises(InputError, match=r"no part 'roof'; its parts are body"):
        run(*arguments)
