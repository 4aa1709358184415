"""Canonical bytes of records, and digests of them.

Canonical JSON is RFC 8785: sorted keys, shortest round-trip numbers, UTF-8; files end with one line feed.
"""

from __future__ import annotations

import hashlib
import json
import math
import re
from pathlib import Path
from typing import Any, TypeVar

import rfc8785
from pydantic import ValidationError

from schemas.base import SCHEMA_VERSION, Value
from schemas.errors import InputError, SchemaError

V = TypeVar("V", bound=Value)
MAX_JSON_BYTES = 256 * 1024 * 1024
MAX_JSON_DEPTH = 200


def canonical(document: Any) -> bytes:
    """Canonical JSON of a plain document, without the final line feed."""
    return rfc8785.dumps(document)


def encode(value: Value) -> bytes:
    """Canonical JSON bytes of a record, ending with a line feed."""
    return canonical(value.model_dump(mode="json")) + b"\n"


def digest(value: Value) -> str:
    """SHA-256 of a record's canonical JSON without the line feed."""
    return hashlib.sha256(canonical(value.model_dump(mode="json"))).hexdigest()


def parse_json(data: bytes, path: Path | str) -> Any:
    """Parse one JSON document strictly: no NaN, no infinities, no duplicate keys, bounded depth.

    A byte order mark and CRLF are accepted. Raises SchemaError naming file and place.
    """
    if len(data) > MAX_JSON_BYTES:
        raise SchemaError(path, "$", f"more than {MAX_JSON_BYTES} bytes, which is the limit")
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise SchemaError(path, "$", f"not UTF-8 at byte {error.start}") from error
    if _depth(text) > MAX_JSON_DEPTH:
        raise SchemaError(path, "$", f"nested deeper than {MAX_JSON_DEPTH} levels")
    unfit: list[str] = []

    def keep_constant(name: str) -> float:
        unfit.append(f"{name} is not a JSON number; numbers must be finite")
        return math.nan

    def keep_float(number: str) -> float:
        value = float(number)
        if math.isinf(value):
            unfit.append(f"number {number} is not finite")
        return value

    try:
        document = json.loads(text, parse_constant=keep_constant, object_pairs_hook=_unique, parse_float=keep_float)
    except json.JSONDecodeError as error:
        raise SchemaError(path, "$", f"not JSON: {error.msg} at line {error.lineno}, column {error.colno}") from error
    except ValueError as error:
        raise SchemaError(path, "$", str(error)) from error
    if unfit:
        location = _find_not_finite(document)
        raise SchemaError(path, _json_path(location), _turn_of(location) + unfit[0])
    return document


def decode(kind: type[V], data: bytes, path: Path | str) -> V:
    """Read a record of the given type from JSON bytes.

    Raises SchemaError naming the file, the turn (from 1) where there is one, the JSON path, what was found and what
    is allowed.
    """
    return decode_document(kind, parse_json(data, path), path)


def decode_document(kind: type[V], document: Any, path: Path | str) -> V:
    """Read a record from an already parsed document; see `decode`."""
    if "schema_version" in kind.model_fields:
        document = _upgrade(document, path)
    try:
        return kind.model_validate(document)
    except ValidationError as error:
        raise _schema_error(error, document, path) from error


def read_record(kind: type[V], path: Path) -> V:
    """Read and validate a record file."""
    return decode(kind, read_json_bytes(path), path)


def read_json_bytes(path: Path) -> bytes:
    """Bytes of a JSON file, at most one more than the limit: enough for `parse_json` to refuse it.

    Raises InputError when it cannot be read.
    """
    try:
        with path.open("rb") as file:
            return file.read(MAX_JSON_BYTES + 1)
    except OSError as error:
        raise InputError(f"{path}: cannot be read: {error.strerror}") from error


def _upgrade(document: Any, path: Path | str) -> Any:
    """Accept this major version and older ones; refuse newer ones."""
    if not isinstance(document, dict):
        raise SchemaError(path, "$", f"expected an object, found {type(document).__name__}")
    found = document.get("schema_version", SCHEMA_VERSION)
    ours = int(SCHEMA_VERSION.split(".")[0])
    match = re.fullmatch(r"(\d+)\.(\d+)", found) if isinstance(found, str) else None
    if match is None:
        raise SchemaError(path, "$.schema_version", f"found version {found!r}, supported is {SCHEMA_VERSION}")
    if not 1 <= int(match[1]) <= ours:
        raise SchemaError(path, "$.schema_version", f"found version {found}, supported are 1.0 to {SCHEMA_VERSION}")
    return {**document, "schema_version": SCHEMA_VERSION}


def _schema_error(error: ValidationError, document: Any, path: Path | str) -> SchemaError:
    """Name the first problem in words: turn, JSON path, what was found, what is allowed."""
    first = error.errors(include_url=False)[0]
    location = _in_document(first["loc"], document)
    json_path = _json_path(location)
    message = str(first["msg"]).removeprefix("Value error, ")
    if first["type"] == "extra_forbidden":
        message = f"unknown field {location[-1]!r}; it is not part of this record"
    elif first["type"] == "missing" and isinstance(first["loc"][-1], int):
        message = f"length is {len(first['input'])}, entry {first['loc'][-1]} is missing"
    elif first["type"] != "missing" and not isinstance(first["input"], dict | list | tuple):
        message = f"{message} (found {_shortened(repr(first['input']))})"
    return SchemaError(path, _shortened(json_path), _turn_of(location) + _shortened(message, 400))


def _shortened(text: str, limit: int = 160) -> str:
    """At most `limit` characters: a message stays one line that can be read, whatever a file holds."""
    return text if len(text) <= limit else f"{text[: limit - 3]}..."


def _in_document(location: tuple[int | str, ...], document: Any) -> tuple[int | str, ...]:
    """Drop the steps that pydantic adds for tagged unions and validators."""
    kept: list[int | str] = []
    for step in location:
        known = (isinstance(document, dict) and step in document) or (
            isinstance(document, list) and isinstance(step, int) and step < len(document)
        )
        if known:
            document = document[step]
            kept.append(step)
        elif step == location[-1] and isinstance(document, dict):
            kept.append(step)
    return tuple(kept)


def _json_path(location: tuple[int | str, ...]) -> str:
    return "$" + "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in location)


def _turn_of(location: tuple[int | str, ...]) -> str:
    """`turn N: ` for a place inside the turns of a chain, else nothing."""
    match location:
        case ("turns", int(row), *_):
            return f"turn {row + 1}: "
        case _:
            return ""


def _find_not_finite(document: Any) -> tuple[int | str, ...]:
    """Where the first number that is not finite lies, in the order of the document; depth is bounded by the parser."""
    if isinstance(document, dict | list):
        for step, value in document.items() if isinstance(document, dict) else enumerate(document):
            if isinstance(value, float) and not math.isfinite(value):
                return (step,)
            if rest := _find_not_finite(value):
                return (step, *rest)
    return ()


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    table = dict(pairs)
    if len(table) != len(pairs):
        seen: set[str] = set()
        for key, _ in pairs:
            if key in seen:
                raise ValueError(f"duplicate key {key!r}")
            seen.add(key)
    return table


def _depth(text: str) -> int:
    """Nesting depth of brackets outside strings, counted without recursion; 0 when there are too few to matter."""
    if text.count("{") + text.count("[") <= MAX_JSON_DEPTH:
        return 0
    depth = deepest = 0
    for token in re.finditer(r'"(?:[^"\\]|\\.)*"|[\[{]|[\]}]', text):
        mark = token[0][0]
        if mark in "[{":
            depth += 1
            deepest = max(deepest, depth)
        elif mark in "]}":
            depth -= 1
    return deepest
