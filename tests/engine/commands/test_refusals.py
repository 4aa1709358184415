"""Bad arguments, places that cannot be written, workers that die: one clear line and the documented exit code."""

from __future__ import annotations

import os
import signal
import struct
import subprocess
import sys
import time
import zlib
from collections.abc import Callable
from pathlib import Path

import pytest

from chains.files import read_asset
from chains.storage import write_atomic
from engine import cli
from engine.arguments import check_possible
from engine.settings import read_settings
from library_index.pool import WorkerPool
from schemas.codec import decode, encode
from schemas.errors import InputError, OutputError, PartNotFoundError, SchemaError, SettingsError, WorkerError
from schemas.events import ChainAbandoned
from schemas.part import PartRef
from schemas.placement import Limits


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Callable[..., tuple[int, str]]:
    """Run the command line in this process; exit code and stderr."""

    def call(*arguments: object) -> tuple[int, str]:
        monkeypatch.setattr(sys, "argv", ["engine", *map(str, arguments)])
        code = 0
        try:
            cli.main()
        except SystemExit as stopped:
            code = int(stopped.code or 0)
        return code, capsys.readouterr().err

    return call


def test_impossible_paths_are_one_line(tmp_path: Path, run: Callable[..., tuple[int, str]]) -> None:
    """Links in a circle and names too long for any file, as what is read and as where it is written."""
    loop = tmp_path / "loop"
    loop.symlink_to("loop")
    for place in (loop, tmp_path / ("x" * 300)):
        for arguments in (
            ("stats", place),
            ("library", "info", place),
            ("library", "build", place, "--out", tmp_path / "lib"),
            ("slots", "propose", place, "--out", tmp_path / "slots.json"),
            ("starter", "--out", place),
        ):
            code, err = run(*arguments)
            assert (code, err.count("\n")) == (2, 1), (arguments, err)
            assert len(err) < 400
    with pytest.raises(InputError, match="cannot be a file or folder"):
        check_possible(loop)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["loop"]


def test_an_empty_path_is_not_the_working_folder(
    tmp_path: Path, run: Callable[..., tuple[int, str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A variable that was never set must not write into wherever the command runs."""
    monkeypatch.chdir(tmp_path)
    for arguments in (("starter", "--out", ""), ("stats", ""), ("library", "build", "", "--out", "lib")):
        code, err = run(*arguments)
        assert code == 2
        assert "the path is empty" in err
    assert list(tmp_path.iterdir()) == []


def test_only_regular_files_are_replaced(tmp_path: Path) -> None:
    """A pipe stays a pipe (so does a device), a folder a folder, also behind a link."""
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    (tmp_path / "link").symlink_to(pipe)
    (tmp_path / "folder").mkdir()
    for name in ("pipe", "link", "folder"):
        with pytest.raises(OutputError, match="cannot write"):
            write_atomic(tmp_path / name, b"data")
    assert pipe.is_fifo()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["folder", "link", "pipe"]


def test_an_asset_that_is_a_pipe_is_missing(tmp_path: Path) -> None:
    """Reading it would wait for ever."""
    os.mkfifo(tmp_path / f"{'0' * 64}.png")
    with pytest.raises(PartNotFoundError, match="not a regular file"):
        read_asset(tmp_path, "0" * 64, "png")


def test_messages_stay_short_and_on_one_line(tmp_path: Path, run: Callable[..., tuple[int, str]]) -> None:
    """A value of 70,000 characters is named by its beginning; line breaks of a file never reach the terminal."""
    long = b'{"library":"lib","object_id":"a","part_id":"b","sha256":"' + b"x" * 70000 + b'"}'
    with pytest.raises(SchemaError) as caught:
        decode(PartRef, long, "file")
    assert len(str(caught.value)) < 400
    chain = tmp_path / "chain\n.json"
    chain.write_text("[]")
    code, err = run("explain", chain, "--turn", 1)
    assert (code, err.count("\n")) == (2, 1)


def test_a_link_in_a_circle_is_skipped_by_name(tmp_path: Path, run: Callable[..., tuple[int, str]]) -> None:
    """One bad link among the sources does not end the build; the folder then holds nothing that can be used."""
    source = tmp_path / "source"
    source.mkdir()
    (source / "loop.glb").symlink_to("loop.glb")
    code, err = run("library", "build", source, "--out", tmp_path / "lib")
    assert code == 2
    assert "no part could be imported, 1 files were skipped" in err


def test_the_reason_of_a_damaged_picture_is_the_same_in_every_process() -> None:
    """It goes into the manifest, so it holds no address in memory."""
    from engine.gltf.images import decode_image  # noqa: PLC0415  # numpy only here
    from engine.surfaces import ImageData  # noqa: PLC0415

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    head = chunk(b"IHDR", struct.pack(">IIBBBBB", 8, 8, 8, 2, 0, 0, 0))
    cut = b"\x89PNG\r\n\x1a\n" + head + chunk(b"IDAT", zlib.compress(b"\0" * 20))
    for data in (cut, b"\x89PNG\r\n\x1a\n" + b"\1" * 50):
        with pytest.raises(InputError, match="cannot be decoded") as caught:
            decode_image(ImageData(data=data, mime="image/png", sha256="0" * 64))
        assert "0x" not in str(caught.value)


def test_settings_that_cannot_be_used_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No workers is not the default number of them, and a library is named by text."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("ENGINE_WORKERS", raising=False)
    for workers in (0, -1, 100_000):
        with pytest.raises(SettingsError, match="between 1 and 1024"):
            read_settings(workers=workers)
    for text in ("workers = 0", "workers = true", "library = 3", "library = ''", "library =", "x = " + "[" * 5000):
        (tmp_path / "engine.toml").write_text(text)
        with pytest.raises(SettingsError):
            read_settings()
    (tmp_path / "engine.toml").write_text("workers = 3\nlibrary = 'lib'")
    assert (read_settings().workers, read_settings(workers=2).workers) == (3, 2)
    assert read_settings().library == Path("lib")


def test_settings_of_a_build_read_back_as_they_were() -> None:
    """An interrupted build could not go on if what it wrote about itself were refused."""
    from engine.building import BuildSettings, BuildSummary  # noqa: PLC0415  # numpy only here

    settings = BuildSettings(
        library_sha256="0" * 64,
        hosts_sha256="1" * 64,
        families=("A", "R"),
        hosts=("a", "b/c"),
        seed=3,
        limits=Limits(),
        chains=None,
    )
    assert decode(BuildSettings, encode(settings), "file") == settings
    gone = ChainAbandoned(host="a", family="A", reason="nothing to edit")
    summary = BuildSummary(chains=("A/a_s3",), abandoned=(gone,))
    assert decode(BuildSummary, encode(summary), "file") == summary


def act(unit: str) -> str:
    """Do what the unit says."""
    if unit == "die":
        os._exit(9)
    if unit == "wait":
        time.sleep(60)
    if unit == "refuse":
        raise InputError("refused: not a chain")
    return unit.upper()


def test_results_come_in_order_and_errors_as_they_are() -> None:
    """A refusal in a worker keeps its kind; a unit that kills two workers is named, not printed whole."""
    with WorkerPool(act, 2) as pool:
        assert list(pool.run_in_order(["a", "b", "c"])) == ["A", "B", "C"]
        assert list(pool.run_in_order(["d"])) == ["D"]
        with pytest.raises(InputError, match="refused: not a chain"):
            list(pool.run_in_order(["a", "refuse"]))
        with pytest.raises(WorkerError, match=r"^die: its worker died \(exit code 9\), 2 times$"):
            list(pool.run_in_order(["die"]))


PARENT = """
import os, sys
sys.path.insert(0, {folder!r})
from test_refusals import act
from library_index.pool import WorkerPool
if __name__ == "__main__":
    pool = WorkerPool(act, 1)
    results = pool.run(["a", "wait"])
    next(results)
    print(pool._workers[0].process.pid, flush=True)
    next(results)
"""


@pytest.mark.parametrize("ending", [signal.SIGKILL, signal.SIGTERM, signal.SIGINT])
def test_workers_end_with_their_parent(tmp_path: Path, ending: signal.Signals) -> None:
    """However the parent ends, in the middle of a unit, and without a word from the worker."""
    script = tmp_path / "parent.py"
    script.write_text(PARENT.format(folder=str(Path(__file__).parent)))
    with subprocess.Popen(
        [sys.executable, str(script)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True
    ) as parent:
        assert parent.stdout is not None
        worker = int(parent.stdout.readline())
        if ending == signal.SIGINT:
            os.killpg(parent.pid, ending)
        else:
            parent.send_signal(ending)
        _, talk = parent.communicate(timeout=30)
    assert _ends_within(worker, 20.0)
    assert talk.count(b"Traceback") == (1 if ending == signal.SIGINT else 0)


def _ends_within(process: int, seconds: float) -> bool:
    """Whether a process is gone, or waits to be collected, in time; dying takes a busy machine a while."""
    state = Path(f"/proc/{process}/stat")
    for _ in range(int(seconds / 0.05)):
        try:
            if state.read_text().rpartition(")")[2].split()[0] == "Z":
                return True
        except (FileNotFoundError, ProcessLookupError):
            return True
        time.sleep(0.05)
    return False


def test_a_pool_starts_no_more_workers_than_units() -> None:
    """A thousand asked for, one unit: one process."""
    with WorkerPool(act, 1000) as pool:
        assert [result.value for result in pool.run(["a"])] == ["A"]
        assert len(pool._workers) == 1
