"""Workers of a real Ray cluster that die, hang, fail, or find themselves on another node."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import tempfile
import time
from dataclasses import replace
from pathlib import Path

import pytest

from library_index import ray_pool
from library_index.executors import ExecutorChoice, Pool, open_pool
from library_index.ray_worker import describe_home, find_difference, read_versions
from schemas.errors import InputError, MissingExtraError, OutputError, WorkerError
from tests.ray_units import RayCluster, act

ROOT = Path(__file__).resolve().parent.parent.parent


def open_ray(address: str, workers: int = 2, limit_s: float = 60.0) -> Pool[tuple[str, str], str]:
    """A pool of the acting task on the cluster of the tests."""
    return open_pool(act, ExecutorChoice("ray", address), workers, unit_limit_s=limit_s)


def test_each_unit_has_one_result(ray_address: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """Values, errors, and the reason where two workers were lost; nothing is printed, nothing left changed."""
    words = ["a", "die", "b", "die once", "disk full", "fault", "hang", "c"]
    before = dict(os.environ), signal.getsignal(signal.SIGTERM), sys.excepthook  # noqa: TID251  # must stay the same
    with open_ray(ray_address, limit_s=1.2) as pool:
        results = list(pool.run([(word, str(tmp_path / "mark")) for word in words]))
        assert list(pool.run([])) == []
    assert {words[r.index]: r.value or r.failure or r.error.__class__ for r in results} == {
        "a": "A",
        "die": "its worker died, 2 times",
        "b": "B",
        "die once": "DIE ONCE",
        "disk full": OutputError,
        "fault": f"its worker failed (ZeroDivisionError({str(tmp_path / 'mark')!r})), 2 times",
        "hang": "took longer than 1.2 s, 2 times",
        "c": "C",
    }
    assert len(results) == len(words)
    assert capfd.readouterr().out == ""
    assert (dict(os.environ), signal.getsignal(signal.SIGTERM), sys.excepthook) == before  # noqa: TID251


def test_order_is_kept_over_runs_and_errors_end_them(ray_address: str) -> None:
    """A pool answers in the order of the units, run after run; a refusal or a lost unit ends an ordered run."""
    with open_ray(ray_address) as pool:
        for _ in range(2):
            assert list(pool.run_in_order([("slow", ""), *((w, "") for w in "abc")])) == ["SLOW", "A", "B", "C"]
        with pytest.raises(OutputError, match="cannot write there: No space left"):
            list(pool.run_in_order([("disk full", "there"), ("a", "")]))
        with pytest.raises(WorkerError, match=r"die.*its worker died, 2 times"):
            list(pool.run_in_order([("a", ""), ("die", "")]))


def test_no_more_units_are_under_way_than_workers(ray_address: str) -> None:
    """Eight units on two workers overlap in pairs at most, and two processes answered them."""
    with open_ray(ray_address) as pool:
        spans = [tuple(map(float, text.split())) for text in pool.run_in_order([("span", "")] * 8)]
        processes = set(pool.run_in_order([("process", "")] * 8))
    assert max(sum(start <= begun < end for start, end in spans) for begun, _ in spans) == 2
    assert len(processes) <= 2


def test_a_lost_node_costs_its_units_a_second_try(ray_cluster: RayCluster) -> None:
    """When a node goes in the middle of its unit, the other one answers all that is left, and a new one helps again."""
    with open_ray(ray_cluster.address) as pool:
        seen: set[str] = set()
        while len(seen) < 2:  # until both nodes work: one process each
            seen.update(pool.run_in_order([("process", "")] * 4))
        results = pool.run([("slow", "")] * 5)
        first = next(results)
        ray_cluster.lose_node()
        rest = list(results)
        ray_cluster.add_node()
    assert sorted(result.index for result in [first, *rest]) == list(range(5))
    assert {result.value for result in [first, *rest]} == {"SLOW"}


def test_workers_are_at_home(ray_address: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Relative paths mean the same in a worker, and a folder named like one of our packages hides none there."""
    (tmp_path / "schemas").mkdir()
    (tmp_path / "note").write_text("found")
    monkeypatch.chdir(tmp_path)
    with open_ray(ray_address, workers=1) as pool:
        assert list(pool.run_in_order([("relative", "note"), ("a", "")])) == ["found", "A"]


def test_a_node_that_would_differ_is_refused(ray_address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A worker with other packages, or without the working folder, starts no unit and says why."""
    home = describe_home()
    other = replace(home, versions=tuple((name, "0.0" if name == "numpy" else found) for name, found in home.versions))
    monkeypatch.setattr(ray_pool, "describe_home", lambda: other)
    with open_ray(ray_address, workers=1) as pool, pytest.raises(WorkerError, match=r"numpy is .*, needed is 0\.0"):
        list(pool.run([("a", "")]))
    monkeypatch.setattr(ray_pool, "describe_home", lambda: replace(home, folder="/nowhere/at/all"))
    with open_ray(ray_address, workers=1) as pool, pytest.raises(WorkerError, match=r"cannot enter /nowhere.*share"):
        list(pool.run([("a", "")]))


def test_versions_cover_what_decides_results() -> None:
    """Python, the project and its pinned needs are compared; the same home differs in nothing."""
    names = [name for name, _ in read_versions()]
    assert names[:2] == ["python", "part-edit-chains"]
    assert {"numpy", "scipy", "numba", "libigl", "embreex"} <= set(names)
    assert "torch" not in names
    assert "absent" not in [found for _, found in read_versions()]
    assert find_difference(describe_home(), "here") is None


def test_addresses() -> None:
    """What cannot be an address is refused at once; where nobody listens, no time is lost."""
    for kind, address, problem in (
        ("local", "auto", "--address needs --executor ray"),
        ("ray", "ray://head:10001", "must be host:port or auto"),
        ("ray", "head", "must be host:port or auto"),
    ):
        with pytest.raises(InputError, match=problem):
            ExecutorChoice(kind, address)  # type: ignore[arg-type]
    start = time.monotonic()
    with open_ray("127.0.0.1:9") as pool, pytest.raises(WorkerError, match=r"127\.0\.0\.1:9: no Ray cluster answers"):
        list(pool.run([("a", "")]))
    assert time.monotonic() - start < 10


def test_without_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    """Asking for Ray where it is not installed names the extra and the remedy."""
    monkeypatch.setitem(sys.modules, "ray", None)
    remedy = r"extra `ray` \(pip install 'part-edit-chains\[ray\]'\)"
    with pytest.raises(MissingExtraError, match=remedy):
        open_pool(act, ExecutorChoice("ray"), 2)
    assert list(open_pool(act, ExecutorChoice(), 1).run_in_order([("a", "")])) == ["A"]


PARENT = """
from library_index.executors import ExecutorChoice, open_pool
from tests.ray_units import act
with open_pool(act, ExecutorChoice("ray"), 2) as pool:
    results = pool.run([("process", ""), ("hang", ""), ("hang", "")])
    print(next(results).value, flush=True)
    next(results)
"""


@pytest.mark.parametrize("ending", [signal.SIGINT, signal.SIGKILL])
def test_an_interrupted_run_leaves_nothing(ending: signal.Signals) -> None:
    """A cluster of our own ends with the run that is interrupted in a unit, with its files; killed, its workers end.

    What Ray keeps beside the workers of a node sees within half a minute that the node was killed, and ends.
    """
    with tempfile.TemporaryDirectory(prefix="r-") as folder:
        environment = os.environ | {"TMPDIR": folder, "PYTHONPATH": str(ROOT)}  # noqa: TID251  # handed on
        with subprocess.Popen(
            [sys.executable, "-c", PARENT],
            env=environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            start_new_session=True,
        ) as parent:
            assert parent.stdout is not None
            assert int(parent.stdout.readline()) in find_processes(folder)
            assert len(find_processes(folder)) > len(find_processes(folder, b"ray::RayWorker")) > 0
            if ending == signal.SIGINT:
                os.killpg(parent.pid, ending)
            else:
                parent.send_signal(ending)
            parent.communicate(timeout=30)
        deadline = time.monotonic() + 20
        title = b"ray::RayWorker" if ending == signal.SIGKILL else b""
        while find_processes(folder, title) and time.monotonic() < deadline:
            time.sleep(0.1)
        assert find_processes(folder, title) == []
        if ending != signal.SIGKILL:
            assert list(Path(folder).iterdir()) == []


def find_processes(folder: str, title: bytes = b"") -> list[int]:
    """Processes that were started with `folder` for their temporary files and have not ended, by how they begin."""
    found = []
    for entry in sorted(Path("/proc").glob("[0-9]*")):
        try:
            mine = f"TMPDIR={folder}\0".encode() in (entry / "environ").read_bytes()
            mine = mine and (entry / "cmdline").read_bytes().startswith(title)
            ended = (entry / "stat").read_text().rpartition(")")[2].split()[0] == "Z"
        except OSError:
            continue
        if mine and not ended:
            found.append(int(entry.name))
    return found
