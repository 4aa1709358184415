"""Versions of the tools that made a folder of chains: written beside the chains, never hashed."""

from __future__ import annotations

import platform
from importlib.metadata import PackageNotFoundError, version

TOOLS = (
    "part-edit-chains", "embreex", "libigl", "manifold3d", "numba", "numpy", "pillow", "pydantic", "rfc8785", "scipy",
    "trimesh", "xatlas",
)  # fmt: skip


def tool_versions() -> dict[str, str | None]:
    """Package → version; null when it is not installed."""
    found: dict[str, str | None] = {"python": platform.python_version()}
    for tool in TOOLS:
        try:
            found[tool] = version(tool)
        except PackageNotFoundError:
            found[tool] = None
    return found
