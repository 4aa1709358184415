"""Programs that stand in for methods, good and bad, and short rollouts of them."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from pathlib import Path

from chains.files import list_chains
from evaluator.rollout.method_choice import hash_files
from evaluator.rollout.order import RolledChain, RolloutOrder
from evaluator.rollout.run import roll_out
from library_index.library import open_library
from schemas.codec import read_record
from schemas.method import Access, MethodLimits, MethodManifest
from schemas.rollout import ROLLOUT_FILE, RolloutRecord
from schemas.rollout_run import RolloutSettings

HEAD = """
import json, math, os, shutil, signal, struct, subprocess, sys, time
from pathlib import Path
request_path = Path(sys.argv[-1])
folder = request_path.parent
request = json.loads(request_path.read_text())
options = dict(request["options"])
def keep(**transform):
    data = (folder / "input.glb").read_bytes()
    if transform:
        size, = struct.unpack_from("<I", data, 12)
        document, rest = json.loads(data[20:20 + size]), data[20 + size:]
        scene = document["scenes"][document.get("scene", 0)]
        document["nodes"].append({"children": scene["nodes"], **transform})
        scene["nodes"] = [len(document["nodes"]) - 1]
        text = json.dumps(document).encode()
        text += b" " * (-len(text) % 4)
        data = struct.pack("<4sIIII", b"glTF", 2, 20 + len(text) + len(rest), len(text), 0x4E4F534A) + text + rest
    (folder / "output.glb").write_bytes(data)
"""
"""What every program here begins with; `keep()` delivers the input, `keep(translation=...)` below one node more."""


def write_program(
    folder: Path,
    body: str,
    *,
    access: tuple[Access, ...] = (),
    options: Mapping[str, str] | None = None,
    seconds: float = 60.0,
    memory_mib: int = 1024,
    aligns: bool = False,
) -> MethodManifest:
    """A method that runs `body` for every turn."""
    folder.mkdir(parents=True, exist_ok=True)
    script = folder / "method.py"
    script.write_text(HEAD + body)
    return MethodManifest(
        name="mine",
        command=(sys.executable, "-I", str(script)),
        access=access,
        aligns=aligns,
        limits=MethodLimits(seconds=seconds, memory_mib=memory_mib),
        options=tuple(sorted((options or {}).items())),
    )


def order_of(manifest: MethodManifest, index: Path, out: Path, **settings: object) -> RolloutOrder:
    """The order of a rollout with one worker; `settings` are fields of RolloutSettings, or `workers`."""
    workers = settings.pop("workers", 1)
    chosen = RolloutSettings(
        method=manifest,
        files=hash_files(manifest.command or ()),
        picture="metric" if "picture" in manifest.access else None,
        library_sha256=open_library(index).manifest.library_sha256,
        **settings,  # type: ignore[arg-type]  # named fields
    )
    return RolloutOrder(index, out, chosen, workers=workers)  # type: ignore[arg-type]  # a number


def run_program(
    manifest: MethodManifest, index: Path, chains: Path, out: Path, **settings: object
) -> list[RolledChain]:
    """Run a method on all chains below a path, in the order of their names."""
    done = roll_out(list_chains(chains), order_of(manifest, index, out, **settings))
    return sorted(done, key=lambda result: result.chain)


def read_records(out: Path) -> dict[str, RolloutRecord]:
    """The records of a run by chain, measured seconds left out: no two runs have the same."""
    found = {}
    for path in sorted(out.glob(f"*/*/{ROLLOUT_FILE}")):
        record = read_record(RolloutRecord, path)
        turns = tuple(
            turn.model_copy(update={"usage": turn.usage and turn.usage.model_copy(update={"seconds": None})})
            for turn in record.turns
        )
        found[record.chain] = record.model_copy(update={"turns": turns})
    return found


def read_outputs(out: Path) -> list[tuple[Path, bytes]]:
    """Every GLB file of a run, named within it."""
    return sorted((path.relative_to(out), path.read_bytes()) for path in out.rglob("*.glb"))
