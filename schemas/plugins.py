"""Finding installed plugins by name."""

from __future__ import annotations

import difflib
from importlib.metadata import entry_points
from typing import Any

from schemas.errors import UnknownPluginError


def find_plugin(group: str, name: str, what: str) -> Any:
    """Load the entry point `name` of `group`; `what` is what errors call such a plugin.

    Raises UnknownPluginError with the installed names and the nearest one.
    """
    points = {point.name: point for point in entry_points(group=group)}
    if name not in points:
        near = difflib.get_close_matches(name, sorted(points), n=1)
        hint = f"; did you mean {near[0]!r}?" if near else ""
        raise UnknownPluginError(f"no {what} {name!r}; installed are {', '.join(sorted(points)) or 'none'}{hint}")
    return points[name].load()
