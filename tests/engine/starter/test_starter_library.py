"""The generated library as a whole: counts, bytes, captions, and running it again."""

from __future__ import annotations

import hashlib
import json
import re
import subprocess
import sys
from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

from chains.storage import writer_lock
from engine.commands.starter import starter
from engine.placement.survey import PlacementSurveyor
from engine.starter.catalogue import HOSTS, list_models
from engine.starter.library import DIGESTS, StarterReport, check_digests, generate_starter_library, measure_triangles
from library_index.build import build_library
from library_index.library import open_library
from library_index.shipped import SHIPPED_FOLDER, find_shipped, write_shipped
from schemas.codec import encode
from schemas.errors import LockedError, OutputError, PartHashError
from tools.starter_vectors import MODEL_NAME, WEIGHTS_SHA256


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, StarterReport]:
    """The library, generated once for the module."""
    out = tmp_path_factory.mktemp("starter") / "library"
    return out, generate_starter_library(out)


def sums_of(folder: Path) -> dict[str, str]:
    """SHA-256 of every file below a folder."""
    files = sorted(p for p in folder.rglob("*") if p.is_file() and p.name not in {".lock", "SHA256SUMS"})
    return {p.relative_to(folder).as_posix(): hashlib.sha256(p.read_bytes()).hexdigest() for p in files}


def test_bytes_are_the_committed_ones(library: tuple[Path, StarterReport]) -> None:
    """Every file has the digest kept beside the generator, and there is no other file.

    After a wanted change of a model, write the sums of a newly generated folder (the file SHA256SUMS of its root)
    into engine/starter/digests.json.
    """
    out, _ = library
    assert sums_of(out) == json.loads(DIGESTS.read_text())
    assert check_digests(out) == len(json.loads(DIGESTS.read_text()))


def test_bytes_do_not_depend_on_the_process(library: tuple[Path, StarterReport], tmp_path: Path) -> None:
    """Another process with another hash seed, another BLAS kernel and other threads writes the same bytes."""
    out, _ = library
    script = (
        "import sys; from pathlib import Path; from engine.starter import generate_starter_library;"
        "generate_starter_library(Path(sys.argv[1]))"
    )
    environment = {
        "PYTHONHASHSEED": "77",
        "OMP_NUM_THREADS": "1",
        "OPENBLAS_CORETYPE": "Prescott",
        "NPY_DISABLE_CPU_FEATURES": "AVX2 FMA3",
    }
    subprocess.run([sys.executable, "-c", script, str(tmp_path / "again")], check=True, env=environment)
    assert sums_of(tmp_path / "again") == sums_of(out)


def test_it_is_large_varied_and_detailed(library: tuple[Path, StarterReport]) -> None:
    """Twelve hosts in six categories with 6 to 16 parts, at least 250 single parts, real triangles, all textured."""
    _, report = library
    models = list_models()
    hosts, lone = models[: len(HOSTS)], models[len(HOSTS) :]
    assert Counter(host.category for host in hosts) == dict.fromkeys(
        ("building", "vehicle", "robot", "furniture", "animal", "character"), 2
    )
    assert all(6 <= len(host.parts) <= 16 for host in hosts)
    assert all(len(model.parts) == 1 for model in lone)
    assert len(lone) >= 250
    assert all(measure_triangles(model.parts[0]) <= 6000 for model in lone)
    assert report.objects == len(models)
    assert report.parts == sum(len(model.parts) for model in models) >= 400
    assert report.triangles_median >= 500
    assert report.textured_share == 1.0
    assert report.bytes < 36e6


def test_captions_and_provenance_name_every_part(library: tuple[Path, StarterReport]) -> None:
    """Each file has a brief caption that no other part of its object has, a longer one, and a licence."""
    out, report = library
    captions = json.loads((out / "text_captions.json").read_bytes())
    provenance = json.loads((out / "provenance.json").read_bytes())
    files = {(p.parent.name, p.stem) for p in (out / "textured_part_glbs").rglob("*.glb")}
    assert files == {(uid, label) for uid, parts in captions.items() for label in parts}
    assert len(files) == report.parts
    for uid, parts in captions.items():
        assert re.fullmatch(r"[0-9a-f]{32}", uid)
        assert uid == hashlib.sha256(provenance[uid]["host"].encode()).hexdigest()[:32]
        assert provenance[uid]["licence"] == "CC0-1.0"
        briefs = [brief for brief, _ in parts.values()]
        assert len(set(briefs)) == len(briefs)
        assert all(re.fullmatch(r"[A-Z][a-z' -].*\.", brief) for brief in briefs)
        assert not any(re.match(r"A [aeiou]|An [^aeiou]", brief) for brief in briefs)
        assert all(detail.startswith(brief[:-1]) and len(detail) > len(brief) for brief, detail in parts.values())


def test_a_second_run_leaves_the_files_alone(library: tuple[Path, StarterReport]) -> None:
    """Unchanged files keep their time of change; a damaged one is written again."""
    out, report = library
    files = sorted((out / "textured_part_glbs").rglob("*.glb"))
    times = {path: path.stat().st_mtime_ns for path in files}
    data = files[0].read_bytes()
    files[0].write_bytes(data[:-1])
    assert generate_starter_library(out) == report
    assert files[0].read_bytes() == data
    assert all(path.stat().st_mtime_ns == times[path] for path in files[1:])


def test_sums_can_be_checked_with_common_tools(library: tuple[Path, StarterReport]) -> None:
    """SHA256SUMS lists every file in the format of sha256sum, sorted by name."""
    out, _ = library
    lines = (out / "SHA256SUMS").read_text().splitlines()
    listed = dict(reversed(line.split("  ")) for line in lines)
    assert listed == sums_of(out)
    assert list(listed) == sorted(listed)


def test_a_changed_file_is_reported(library: tuple[Path, StarterReport], tmp_path: Path) -> None:
    """The check names the first file whose bytes differ."""
    out, _ = library
    for path in out.rglob("*"):
        if path.is_file():
            target = tmp_path / path.relative_to(out)
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(path.read_bytes())
    (tmp_path / "provenance.json").write_text("{}")
    with pytest.raises(PartHashError, match=r"provenance\.json: sha256 is"):
        check_digests(tmp_path)


def test_a_folder_of_another_library_is_refused(tmp_path: Path) -> None:
    """Objects that are not ours are neither mixed with nor removed."""
    foreign = tmp_path / "textured_part_glbs" / ("0" * 32)
    foreign.mkdir(parents=True)
    with pytest.raises(OutputError, match="1 objects of another library"):
        generate_starter_library(tmp_path)
    assert foreign.is_dir()


def test_two_writers_do_not_meet(tmp_path: Path) -> None:
    """A folder in use is refused."""
    with writer_lock(tmp_path), pytest.raises(LockedError, match="in use by another writer"):
        generate_starter_library(tmp_path)


def test_the_command_reports(library: tuple[Path, StarterReport]) -> None:
    """`engine starter --json --check` prints the report and the number of files compared."""
    out, report = library
    result = CliRunner().invoke(starter, ["--out", str(out), "--json", "--check"], catch_exceptions=False)
    document = json.loads(result.output)
    assert document.pop("compared") == report.parts + 5
    assert document == report._asdict()
    assert np.isfinite(document["triangles_median"])


def test_every_text_has_a_shipped_vector(library: tuple[Path, StarterReport], tmp_path: Path) -> None:
    """The index takes all its vectors from those that come with the library, and no other text is shipped.

    After a change of a caption, a model or the survey run `make starter-vectors`.
    """
    out, _ = library
    shipped = find_shipped(out)
    assert shipped is not None
    assert (shipped.model, shipped.sha256) == (MODEL_NAME, WEIGHTS_SHA256)
    manifest = build_library(out, tmp_path / "index", surveyor=PlacementSurveyor(), embedder=shipped, workers=0)
    assert (manifest.embedder, manifest.model) == ("shipped", MODEL_NAME)
    again = write_shipped(open_library(tmp_path / "index"), tmp_path)
    assert encode(again) == (out / SHIPPED_FOLDER / "head.json").read_bytes()
