"""Every case of the folder of cases: the right value or a clear refusal, never anything between."""

from __future__ import annotations

import json
import shlex
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests import cases_chain, cases_load, cases_placement, cases_text
from tests.cases_adapter import ENGINE, Case, Run, cases_folder, find_cases, judge, run_engine
from tests.cases_chain import Index, Replay

ELSEWHERE = {"aggregate", "evaluate_chain", "evaluate_images", "evaluate_turn", "review_page", "voxelise"}
"""Actions of the evaluator and of the review tool, tested with them."""
HERE = {
    "load",
    "check_placement",
    "validate_chain_then_replay_last_turn",
    "replay_turn",
    "index_and_query",
    "run_scenario",
}


def test_every_action_is_known(cases_dir: Path) -> None:
    """No case is left out because nobody knows what to do with it."""
    files = sorted(cases_dir.glob("*/expected.json"))
    actions = {json.loads(path.read_text("utf-8"))["action"] for path in files}
    assert files
    assert actions <= HERE | ELSEWHERE


@pytest.mark.parametrize("case", find_cases("load"))
def test_load(case: Case, tmp_path: Path) -> None:
    """A file opens with the values the case states, or is refused by name."""
    loaded = cases_load.load(case, tmp_path)
    judge(case, loaded.run, loaded, cases_load.CHECKS)


@pytest.mark.skipif(not find_cases("load"), reason="no cases of action load (set CASES_DIR)")
def test_bad_files_do_not_end_an_import(tmp_path: Path) -> None:
    """A library of all files that are refused and one that is not: the one is imported, the others are listed."""
    source = tmp_path / "source"
    refused: list[str] = []
    for parameters in find_cases("load"):
        case: Case = parameters.values[0]
        if case.expected["outcome"] == "error":
            shutil.copytree(case.folder, source / case.folder.name)
            refused.append((Path(case.folder.name) / case.entry.relative_to(case.folder)).as_posix())
    assert refused
    shutil.copytree(cases_folder() / "_library" / "parts", source / "good")
    run = run_engine(
        "library", "build", source, "--out", tmp_path / "index", "--layout", "folder", "--json", cwd=tmp_path
    )
    assert (run.code, run.report["parts"]) == (0, len(list((source / "good").iterdir()))), run.err
    reasons = {entry["file"].split("#")[0]: entry["reason"] for entry in run.report["skipped"]}
    assert set(reasons) == set(refused)
    assert all(reasons.values())


@pytest.mark.parametrize("case", find_cases("check_placement"))
def test_check_placement(case: Case, tmp_path: Path) -> None:
    """A pose is judged with the measured values the case states."""
    run = cases_placement.judge_placement_of(case, tmp_path)
    judge(case, run, run.report if run.code == 0 else None, cases_placement.CHECKS)


@pytest.fixture(scope="session")
def case_library(tmp_path_factory: pytest.TempPathFactory) -> Index:
    """An index of the library that the chains of the cases refer to."""
    return Index.build(cases_folder() / "_library", tmp_path_factory.mktemp("cases") / "library", "--layout", "folder")


@pytest.mark.parametrize("case", find_cases("validate_chain_then_replay_last_turn"))
def test_chain(case: Case, case_library: Index, tmp_path: Path) -> None:
    """A chain replays to the states the case states, or is refused by file, turn and reason."""
    replay = Replay.prepare(case, case_library, tmp_path / "case", (case.folder / "chain.json").read_bytes())
    run = replay.validate_then_run(replay.last, replay.file.parent / "state.glb")
    judge(case, run, replay, cases_chain.CHECKS)


@pytest.mark.parametrize("case", find_cases("replay_turn"))
def test_replay_turn(case: Case, case_library: Index, tmp_path: Path) -> None:
    """A turn that the chain does not have is refused with the valid range."""
    replay = Replay.prepare(case, case_library, tmp_path / "case", (case.folder / "chain.json").read_bytes())
    invocations: list[Any] = case.inputs["invocations"]
    runs: list[Run] = [replay.run(entry["turn"], replay.file.parent / "state.glb") for entry in invocations]
    assert runs
    for run in runs:
        judge(case, run, replay, cases_chain.CHECKS)


@pytest.mark.parametrize("case", find_cases("index_and_query"))
def test_index_and_query(case: Case, tmp_path: Path) -> None:
    """Captions are indexed as text and found in the order the case states."""
    asked = cases_text.index_and_query(case, tmp_path)
    judge(case, asked.run, asked, cases_text.CHECKS)


@pytest.fixture(scope="session")
def base_chain(case_library: Index, tmp_path_factory: pytest.TempPathFactory) -> Replay:
    """The valid chain of the cases' library."""
    data = (case_library.source / "base.chain.json").read_bytes()
    return Replay.prepare(Case(case_library.source), case_library, tmp_path_factory.mktemp("base") / "chains", data)


WRITERS = {
    "replay": ["replay", "{chain}", "--turn", "all", "--library", "{library}", "--out", "{out}"],
    "library-build": ["library", "build", "{source}", "--layout", "folder", "--out", "{out}"],
    "build": ["build", "--library", "{library}", "--chains", "1", "--families", "A", "--out", "{out}"],
    "sheet": ["sheet", "{chain}", "--library", "{library}", "--out", "{out}"],
}
"""Commands that write a folder."""


@pytest.mark.parametrize("writer", WRITERS)
@pytest.mark.parametrize("case", find_cases("run_scenario"))
def test_writing(case: Case, writer: str, base_chain: Replay) -> None:
    """No writer leaves half a result: two at once, killed, without space, without permission, elsewhere."""
    places = {
        "{chain}": base_chain.file,
        "{library}": base_chain.index.folder,
        "{source}": base_chain.index.source,
    }
    command = shlex.join([str(ENGINE), *(str(places.get(word, word)) for word in WRITERS[writer])])
    tool = case.folder.parent / "_tools" / "run_scenario.py"
    ended = subprocess.run(
        [sys.executable, tool, case.folder, "--cmd", command], capture_output=True, text=True, check=False
    )
    report = json.loads(ended.stdout)
    expected = case.expected
    assert set(expected["checks"]) <= {"tool_reports_ok", "how"}
    assert (report["ok"], report["problems"]) == (expected["checks"]["tool_reports_ok"], [])
    assert (ended.returncode == 0) is (expected["outcome"] == "ok")
