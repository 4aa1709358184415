"""The options of methods that have none."""

from __future__ import annotations

from collections.abc import Mapping

from schemas.errors import InputError


def refuse_options(method: str, options: Mapping[str, str]) -> None:
    """Raise InputError, naming the first, when a method that knows no options is given some."""
    if options:
        raise InputError(f"method {method}: option {min(options)!r} is unknown; it has no options")
