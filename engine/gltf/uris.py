"""Where the bytes behind a URI lie: data URIs, and files that must stay inside their folder."""

from __future__ import annotations

import base64
import binascii
import re
import stat
from pathlib import Path, PurePosixPath
from urllib.parse import unquote, unquote_to_bytes

from schemas.errors import GltfError

_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.\-]*:")
_CONTROL = re.compile(r"[\x00-\x1f\\]")


def decode_data_uri(uri: str, where: str, path: Path) -> bytes:
    """Bytes of a `data:` URI, base64 or percent-encoded. Raises GltfError when malformed."""
    head, comma, body = uri.partition(",")
    if not comma:
        raise GltfError(path, f"{where}: data URI without a comma")
    if not head.endswith(";base64"):
        return unquote_to_bytes(body)
    try:
        return base64.b64decode(unquote(body) if "%" in body else body, validate=True)
    except (binascii.Error, ValueError) as error:
        raise GltfError(path, f"{where}: data URI is not base64: {error}") from error


def resolve_uri(uri: str, where: str, path: Path, root: Path) -> Path:
    """The file a relative URI names, beside `path` and inside `root`.

    Raises GltfError for absolute paths, `..`, schemes, backslashes, and links that lead out of `root`.
    """
    name = unquote(uri)
    segments = PurePosixPath(name).parts
    unsafe = _SCHEME.match(uri) or _SCHEME.match(name) or _CONTROL.search(name) or name.startswith("/")
    if not name or unsafe or ".." in segments:
        raise GltfError(path, f"{where}: URI {uri!r:.200} is not allowed: it must be a path inside the file's folder")
    file = path.parent.joinpath(*segments)
    try:
        inside = file.resolve().is_relative_to(root.resolve())
    except (OSError, RuntimeError) as error:
        raise GltfError(path, f"{where}: URI {uri!r:.200} cannot be resolved: {error}") from error
    if not inside:
        raise GltfError(path, f"{where}: URI {uri!r:.200} is not allowed: it leads outside of {root.name!r}")
    return file


def read_bounded(file: Path, limit: int, where: str, path: Path) -> bytes:
    """Bytes of a regular file of at most `limit` bytes. Raises GltfError naming `file`."""
    try:
        status = file.stat()
        if not stat.S_ISREG(status.st_mode):
            raise GltfError(path, f"{where}{file.name} is not a regular file")
        if status.st_size > limit:
            raise GltfError(path, f"{where}{file.name} has {status.st_size} bytes, the budget leaves {limit}")
        return file.read_bytes()
    except FileNotFoundError as error:
        raise GltfError(path, f"{where}{file.name} not found") from error
    except (OSError, ValueError) as error:
        raise GltfError(path, f"{where}{file.name} cannot be read: {error}") from error
