"""The starter library: modelled by the project's own code."""

from __future__ import annotations

from engine.starter.library import StarterReport, generate_starter_library

__all__ = ["StarterReport", "generate_starter_library"]
