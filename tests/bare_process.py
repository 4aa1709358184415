"""Programs run in a process of their own whose environment is stated in full."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path


def run_bare(program: str, folder: Path, **settings: str) -> str:
    """What a program prints, run in `folder`: nothing of the surrounding shell but `settings` reaches it."""
    result = subprocess.run(
        [sys.executable, "-c", program],
        cwd=folder,
        env=settings,
        capture_output=True,
        text=True,
        check=True,
        timeout=300,
    )
    return result.stdout.strip()
