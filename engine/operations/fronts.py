"""Which way the front of a new part looks, where a person would ask."""

from __future__ import annotations

from chains.state import State
from engine.geometry.overlap import Placed
from engine.workbench import Workbench
from schemas.operation import Add


def say_front(bench: Workbench, state: State, operation: Add, placed: Placed) -> str:
    del bench, state, operation, placed
    return ""
