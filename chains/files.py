"""Chain files and the layout of a folder of chains.

```
CHAINS/<family>/<id>.json      one chain, canonical JSON
CHAINS/assets/<sha256>.<ext>   generated looks and revised meshes, by content
CHAINS/screening/<sha256>.json answers of a screener, by the hash of the question
CHAINS/rewriting/<sha256>.json answers of a rewriter, by the hash of the question
CHAINS/toolchain.json          versions of the tools that built it; never hashed
CHAINS/summary.json            what the build reports
CHAINS/run.json                with --times: when it ran and how long each chain took; differs from run to run
```
"""

from __future__ import annotations

import hashlib
from pathlib import Path

from chains.state import states_of
from chains.storage import check_regular, write_atomic
from schemas import rollout
from schemas.chain import FAMILIES, Chain
from schemas.codec import encode, read_record
from schemas.errors import InputError, OperationError, PartHashError, PartNotFoundError, SchemaError

ASSETS = "assets"
SCREENING, REWRITING = "screening", "rewriting"
TOOLCHAIN_FILE, SUMMARY_FILE, RUN_FILE = "toolchain.json", "summary.json", "run.json"
REPORT_FILE = "report.json"
"""What `engine report` writes, should someone put it beside the chains."""
TURNS_FILE, TICKS_FILE = "turns.json", "ticks.json"
"""Beside judging pages: which turn each number is, and what a judge says; see chains.judgement."""
PICTURES_FILE, READOUT_FILE = "pictures.json", "readout.json"
"""Beside the pictures of a state."""
_NO_CHAINS = {
    *(TOOLCHAIN_FILE, SUMMARY_FILE, RUN_FILE, REPORT_FILE),
    *(TURNS_FILE, TICKS_FILE, PICTURES_FILE, READOUT_FILE),
    *(rollout.ROLLOUT_FILE, rollout.PROGRESS_FILE, rollout.RUN_FILE),
}


def read_chain(path: Path) -> Chain:
    """Read, validate and fold a chain once, so that every later step can rely on it.

    Raises SchemaError or OperationError naming file, turn and place.
    """
    chain = read_record(Chain, path)
    try:
        for _ in states_of(chain):
            pass
    except OperationError as error:
        raise OperationError(f"{path}: {error}") from error
    except InputError as error:
        raise SchemaError(path, "$.host", str(error)) from error
    return chain


def write_chain(path: Path, chain: Chain) -> None:
    """Write a chain atomically in canonical form."""
    write_atomic(path, encode(chain))


def chain_path(folder: Path, chain_id: str) -> Path:
    """Where a chain lies in a folder of chains."""
    return folder / f"{chain_id}.json"


def list_chains(path: Path) -> list[Path]:
    """The chain file itself, or every chain file below a folder, sorted.

    Raises InputError when there is none.
    """
    if path.is_file():
        return [path]
    if not path.is_dir():
        raise InputError(f"{path}: no such file or folder")
    found = sorted(
        entry
        for entry in path.rglob("*.json")
        if entry.name not in _NO_CHAINS
        and not any(part.startswith(".") for part in entry.relative_to(path).parts)
        and not {ASSETS, SCREENING, REWRITING} & set(entry.relative_to(path).parts)
    )
    if not found:
        raise InputError(f"{path}: no chain files below this folder")
    return found


def chains_folder(chain_file: Path) -> Path:
    """The folder that a chain file belongs to: above its family folder, or where it lies."""
    parent = chain_file.parent
    return parent.parent if parent.name in FAMILIES else parent


def assets_folder(chain_file: Path) -> Path:
    """The `assets` folder that belongs to a chain file: beside it, or beside its family folder."""
    for parent in (chain_file.parent, chain_file.parent.parent):
        if (parent / ASSETS).is_dir():
            return parent / ASSETS
    return chain_file.parent.parent / ASSETS


def read_asset(folder: Path, sha256: str, extension: str) -> bytes:
    """Bytes of an asset, verified. Raises PartNotFoundError or PartHashError."""
    path = folder / f"{sha256}.{extension}"
    try:
        check_regular(path)
        data = path.read_bytes()
    except OSError as error:
        raise PartNotFoundError(f"asset {path} cannot be read: {error.strerror}") from error
    except InputError as error:
        raise PartNotFoundError(f"asset {error}") from error
    actual = hashlib.sha256(data).hexdigest()
    if actual != sha256:
        raise PartHashError(f"asset {path}", sha256, actual)
    return data


def write_asset(folder: Path, data: bytes, extension: str) -> str:
    """Store an asset under its content; return its SHA-256."""
    sha256 = hashlib.sha256(data).hexdigest()
    path = folder / f"{sha256}.{extension}"
    if not path.exists():
        write_atomic(path, data)
    return sha256
