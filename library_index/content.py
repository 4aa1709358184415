"""What the hash of a part covers: one file's bytes, or the list of all its files."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from pathlib import Path

from chains.storage import check_regular
from schemas.codec import canonical
from schemas.errors import InputError

_BLOCK_BYTES = 1 << 20


def digest_bytes(data: bytes) -> str:
    """SHA-256 of bytes, 64 lower-case hex digits."""
    return hashlib.sha256(data).hexdigest()


def digest_path(path: Path) -> str:
    """SHA-256 of one file, read in blocks. Raises InputError naming the file."""
    hasher = hashlib.sha256()
    try:
        check_regular(path)
        with path.open("rb") as file:
            while block := file.read(_BLOCK_BYTES):
                hasher.update(block)
    except OSError as error:
        raise InputError(f"{path}: cannot be read: {error.strerror}") from error
    return hasher.hexdigest()


def digest_files(main_name: str, main_sha256: str, others: Mapping[str, str]) -> str:
    """Hash of a part that may need further files (buffers, images).

    `others` maps a URI relative to the main file's folder to the SHA-256 of that file's bytes. Without others the
    hash is that of the main file; with others it is the SHA-256 of the canonical JSON list of [relative URI, SHA-256],
    main file included, sorted by URI.
    """
    if not others:
        return main_sha256
    return digest_bytes(canonical(sorted([[main_name, main_sha256], *([uri, sha] for uri, sha in others.items())])))
