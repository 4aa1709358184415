"""Whole rollouts of small programs: what they deliver, what that scores, and what a method gets to see."""

from __future__ import annotations

import itertools
import json
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from chains.files import list_chains, read_chain
from engine.gltf.document import read_document
from engine.gltf.parts import read_part
from evaluator.outputs import output_path, read_output
from evaluator.protocol import Protocol
from evaluator.rollout.chain_choice import choose_chains
from evaluator.rollout.editors import INHERITED
from evaluator.rollout.method_choice import find_method
from evaluator.rollout.run import roll_out
from evaluator.scoring import ScoreOrder, score_run, scores_path
from schemas.codec import read_record
from schemas.errors import InputError
from schemas.method import EditRequest
from schemas.score import ChainScores
from tests.evaluator.rollout.rollout_programs import order_of, read_outputs, read_records, run_program, write_program

SIDE_PX = 96
SPY = """
import base64
seen = {"argv": sys.argv, "environ": dict(os.environ), "cwd": os.getcwd(), "fds": [], "files": {}}
for entry in sorted(os.listdir("/proc/self/fd")):
    try:
        seen["fds"].append(os.readlink(f"/proc/self/fd/{entry}"))
    except OSError:
        pass
for name in ("cmdline", "environ"):
    seen["proc_" + name] = Path(f"/proc/self/{name}").read_bytes().decode("utf-8", "replace")
for path in sorted(Path(os.getcwd()).rglob("*")) + sorted(folder.rglob("*")):
    if path.is_file():
        seen["files"][str(path)] = path.read_bytes().decode("latin-1")
with open(options["report"], "a") as report:
    report.write(json.dumps(seen) + "\\n")
keep()
"""


def _score(index: Path, paths: Sequence[Path], run: Path, out: Path, *, references: bool = False) -> None:
    rows = list(score_run(paths, ScoreOrder(run, index, out, Protocol(), references=references)))
    assert [row.failure for row in rows] == [""] * len(rows)


def _read(out: Path, method: str, path: Path) -> ChainScores:
    return read_record(ChainScores, scores_path(out, method, read_chain(path).id))


def test_simple_methods_score_as_their_reference_rows(index: Path, chains: Path, tmp_path: Path) -> None:
    """The no-op and the oracle, run as methods, get the numbers of the reference rows to the last bit."""
    paths = choose_chains(chains, 3)
    assert len({path.parent for path in paths}) == 3
    _score(index, paths, tmp_path / "nowhere", tmp_path, references=True)
    for name in ("noop", "oracle"):
        manifest, run = find_method(name), tmp_path / f"run-{name}"
        done = list(roll_out(paths, order_of(manifest, index, run, workers=2)))
        assert [row.failure for row in done] == [""] * len(paths)
        _score(index, paths, run, tmp_path)
        for path in paths:
            own, reference = (_read(tmp_path, row, path) for row in (manifest.name, name))
            assert [turn.scores for turn in own.turns] == [turn.scores for turn in reference.turns]
            assert all(turn.status == "delivered" for turn in own.turns)
            assert all(turn.usage and turn.usage.seconds is not None for turn in own.turns)


def test_each_turn_is_given_the_last_output(index: Path, one_chain: Path, tmp_path: Path) -> None:
    """A program that moves everything a little gets back what it made: the moves add up."""
    body = "keep(translation=[0.25, 0.0, 0.0])"
    run_program(write_program(tmp_path / "method", body), index, one_chain, tmp_path / "run")
    chain = read_chain(one_chain)
    lows = [
        read_output(output_path(tmp_path / "run", chain.id, turn.index)).vertices[:, 0].min() for turn in chain.turns
    ]
    assert len(lows) >= 3
    assert [b - a for a, b in itertools.pairwise(lows)] == pytest.approx([0.25] * (len(lows) - 1))


def test_a_spy_finds_nothing_of_the_truth(index: Path, chains: Path, tmp_path: Path) -> None:
    """Neither ids, labels and slots, nor folders of chains, library and run, nor variables of the runner are seen."""
    canaries = tmp_path / "CANARY-chains" / "G"
    canaries.mkdir(parents=True)
    source = next(path for path in list_chains(chains) if path.parent.name == "G")
    (canaries / "CANARY-chain.json").write_bytes(source.read_bytes())
    manifest = write_program(tmp_path / "spy", SPY, options={"report": str(tmp_path / "report.jsonl")})
    run_program(manifest, index, canaries, tmp_path / "CANARY-run")
    reports = (tmp_path / "report.jsonl").read_text().splitlines()
    chain = read_chain(source)
    assert len(reports) == len(chain.turns)
    secrets = {"CANARY", chain.id, str(index), str(chains), str(chain.library_sha256)}
    secrets |= {f'"{slot.id}"' for slot in chain.host.slots} | {f"slot_{slot.id}" for slot in chain.host.slots}
    secrets |= {f"{ref.object_id}/{ref.part_id}" for slot in chain.host.slots for ref in slot.parts}
    for turn, report in zip(chain.turns, reports, strict=True):
        others = {entry.instruction for entry in chain.turns} - {turn.instruction}
        assert turn.instruction in json.loads(report)["files"][_request_of(report)]
        assert [secret for secret in sorted(secrets | others) if secret in report] == []
        assert set(json.loads(report)["environ"]) <= {*INHERITED, "HOME", "TMPDIR", "ENGINE_METHOD"}


def _request_of(report: str) -> str:
    return next(str(name) for name in json.loads(report)["files"] if name.endswith("request.json"))


def test_what_was_declared_is_given_and_nothing_else(index: Path, one_chain: Path, tmp_path: Path) -> None:
    """With all access there are a picture, a camera, the operation and three masks; without any, the state alone."""
    body = f"shutil.copytree(folder, Path({str(tmp_path)!r}) / options['name'], dirs_exist_ok=True)\nkeep()\n"
    chain = read_chain(one_chain)
    for name, access in (("all", ("picture", "operation", "camera", "edit_mask")), ("none", ())):
        manifest = write_program(tmp_path / f"method-{name}", body, access=access, options={"name": name})  # type: ignore[arg-type]
        run_program(manifest, index, one_chain, tmp_path / f"run-{name}", picture_px=SIDE_PX if access else None)
    request = read_record(EditRequest, tmp_path / "all" / "request.json")
    last = chain.turns[-1]
    assert (request.operation, request.instruction) == (last.operation.op, last.instruction)
    assert request.camera is not None
    assert request.camera.resolution_px == SIDE_PX
    for name in ("picture.png", "mask.png"):
        with Image.open(tmp_path / "all" / name) as picture:
            assert picture.size == (SIDE_PX, SIDE_PX)
    assert request.edit_mask is not None
    shown = {"input.glb", "request.json"}
    assert {path.name for path in (tmp_path / "none").iterdir()} == shown
    assert {path.name for path in (tmp_path / "all").iterdir()} == shown | {
        "picture.png", "mask.glb", "mask.npy", "mask.png",
    }  # fmt: skip
    bare = read_record(EditRequest, tmp_path / "none" / "request.json")
    assert (bare.operation, bare.camera, bare.edit_mask, bare.picture) == (None, None, None, None)


def test_the_masks_of_a_turn_are_one_region(index: Path, one_chain: Path, tmp_path: Path) -> None:
    """The mesh bounds the cells of the grid, which hold the edited part before and after, and little else."""
    body = f"shutil.copytree(folder, Path({str(tmp_path)!r}) / 'seen')\nsys.exit(3)\n"
    manifest = write_program(tmp_path / "method", body, access=("edit_mask",))
    run_program(manifest, index, one_chain, tmp_path / "run")
    request = read_record(EditRequest, tmp_path / "seen" / "request.json")
    assert request.edit_mask is not None
    grid = np.load(tmp_path / "seen" / "mask.npy", allow_pickle=False)
    assert (grid.shape, grid.dtype) == ((64, 64, 64), np.bool_)
    matrix = np.array(request.edit_mask.cells_from_world).reshape(4, 4)
    vertices, faces = read_part(read_document(tmp_path / "seen" / "mask.glb"), None).merged()
    corners = vertices @ matrix[:3, :3].T + matrix[:3, 3]
    filled = np.argwhere(grid)
    assert np.abs(corners - np.round(corners)).max() < 1e-4
    assert np.allclose(corners[faces].reshape(-1, 3).min(axis=0), filled.min(axis=0))
    assert np.allclose(corners[faces].reshape(-1, 3).max(axis=0), filled.max(axis=0) + 1)
    assert 27 <= grid.sum() < 64**3 / 2


def test_the_true_input_is_a_row_of_its_own(index: Path, one_chain: Path, tmp_path: Path) -> None:
    """Given the state before each turn, a program that keeps it delivers the truth, one turn late."""
    manifest = write_program(tmp_path / "method", "keep()")
    run_program(manifest, index, one_chain, tmp_path / "run", input="ground-truth")
    _score(index, [one_chain], tmp_path / "run", tmp_path / "scores")
    record = _read(tmp_path / "scores", "mine@ground-truth", one_chain)
    assert record.input == "ground-truth"
    values = [row.value for turn in record.turns for row in turn.scores if row.metric == "consistency_previous"]
    assert values == [1.0] * len(record.turns)


def test_an_output_that_lies_anywhere_is_moved_onto_the_target(index: Path, one_chain: Path, tmp_path: Path) -> None:
    """Turned, shifted and three times as large, it comes back to where the object is."""
    body = """
half = math.radians(50.0) / 2
keep(translation=[9.0, 4.0, -2.0], rotation=[0.0, math.sin(half), 0.0, math.cos(half)], scale=[3.0, 3.0, 3.0])
"""
    run_program(write_program(tmp_path / "method", body, aligns=True), index, one_chain, tmp_path / "run")
    _score(index, [one_chain], tmp_path / "run", tmp_path / "scores", references=True)
    rows = (_read(tmp_path / "scores", method, one_chain).turns[0].scores for method in ("mine", "noop"))
    own, unmoved = ({row.metric: row.value for row in scores if row.region == "whole"} for scores in rows)
    assert float(str(own["f_score_002"])) > 0.8 * float(str(unmoved["f_score_002"]))
    assert float(str(own["size_ratio"])) == pytest.approx(float(str(unmoved["size_ratio"])), rel=0.05)


def test_workers_change_no_record(index: Path, chains: Path, tmp_path: Path) -> None:
    """One and two workers leave the same outputs, but for measured seconds."""
    manifest = write_program(tmp_path / "method", "keep() if 'vase' not in request['instruction'] else sys.exit(2)")
    for workers in (1, 2):
        run_program(manifest, index, chains, tmp_path / str(workers), workers=workers)
    one, two = (read_records(tmp_path / str(workers)) for workers in (1, 2))
    assert one == two
    assert len(one) == len(list_chains(chains))
    assert read_outputs(tmp_path / "1") == read_outputs(tmp_path / "2")


def test_a_folder_is_gone_on_with_under_its_own_settings_only(index: Path, one_chain: Path, tmp_path: Path) -> None:
    """Another option or another program is refused by name; what is put aside is begun anew."""
    manifest = write_program(tmp_path / "method", "keep()")
    first = run_program(manifest, index, one_chain, tmp_path / "run")
    assert not first[0].kept
    assert run_program(manifest, index, one_chain, tmp_path / "run")[0].kept
    other = manifest.model_copy(update={"options": (("steps", "5"),)})
    with pytest.raises(InputError, match="method"):
        run_program(other, index, one_chain, tmp_path / "run")
    changed = write_program(tmp_path / "method", "keep()  # better")
    with pytest.raises(InputError, match="files"):
        run_program(changed, index, one_chain, tmp_path / "run")
    (again,) = roll_out([one_chain], order_of(other, index, tmp_path / "run"), fresh=True)
    assert not again.kept
    assert (tmp_path / "run" / ".earlier" / "001" / read_chain(one_chain).id / "rollout.json").is_file()


def test_a_rollout_among_its_chains_goes_on(index: Path, one_chain: Path, tmp_path: Path) -> None:
    """Outputs put beside the chains are not taken for chains when the same command comes again."""
    chains = tmp_path / "chains"
    (chains / "G").mkdir(parents=True)
    (chains / "G" / one_chain.name).write_bytes(one_chain.read_bytes())
    manifest = write_program(tmp_path / "method", "keep()")
    for kept in (False, True):
        (done,) = run_program(manifest, index, chains, chains)
        assert (done.failure, done.kept) == ("", kept)
    (chains / read_chain(one_chain).id / "progress.json").write_text("{}")
    assert list_chains(chains) == [chains / "G" / one_chain.name]


def test_fresh_puts_aside_a_rollout_and_nothing_else(index: Path, one_chain: Path, tmp_path: Path) -> None:
    """Neither a folder of other things nor the chains themselves are moved; numbers go on after the highest."""
    manifest = write_program(tmp_path / "method", "keep()")
    (tmp_path / "thesis").mkdir()
    (tmp_path / "thesis" / "chapter.tex").touch()
    with pytest.raises(InputError, match="no rollout was begun"):
        list(roll_out([one_chain], order_of(manifest, index, tmp_path / "thesis"), fresh=True))
    assert (tmp_path / "thesis" / "chapter.tex").exists()
    chain = tmp_path / "chains" / "G" / one_chain.name
    chain.parent.mkdir(parents=True)
    chain.write_bytes(one_chain.read_bytes())
    run_program(manifest, index, chain, tmp_path / "chains")
    with pytest.raises(InputError, match="lies there"):
        list(roll_out([chain], order_of(manifest, index, tmp_path / "chains"), fresh=True))
    assert chain.exists()
    run_program(manifest, index, chain, tmp_path / "run")
    (tmp_path / "run" / ".earlier" / "007").mkdir(parents=True)
    list(roll_out([chain], order_of(manifest, index, tmp_path / "run"), fresh=True))
    assert (tmp_path / "run" / ".earlier" / "008" / "rollout_run.json").exists()


def test_a_kept_chain_is_what_it_was(index: Path, one_chain: Path, tmp_path: Path) -> None:
    """An output that has gone, a damaged record and one of another method are errors that say what to do."""
    manifest = write_program(tmp_path / "method", "keep()")
    run_program(manifest, index, one_chain, tmp_path / "run")
    folder = tmp_path / "run" / read_chain(one_chain).id
    output, record = folder / "turn_002.glb", folder / "rollout.json"
    held, said = output.read_bytes(), record.read_text()
    output.unlink()
    (done,) = run_program(manifest, index, one_chain, tmp_path / "run")
    assert done.exit_code == 2
    assert (
        done.failure == f"{output}: has gone since it was delivered: delete the folder {folder} to run the chain again"
    )
    output.write_bytes(held)
    for text, message in (
        (said[:100], "delete the folder"),
        (said.replace('"mine"', '"other"'), "method 'other'"),
    ):
        record.write_text(text)
        (done,) = run_program(manifest, index, one_chain, tmp_path / "run")
        assert message in done.failure
        assert done.record is None
    record.write_text(said)
    assert run_program(manifest, index, one_chain, tmp_path / "run")[0].kept
