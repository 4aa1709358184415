"""The method that never changes anything."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from evaluator.methods.options import refuse_options
from evaluator.rollout.contract import TurnInput, TurnOutput
from schemas.method import Access


class Noop:
    """Returns every state as it got it, byte for byte."""

    access: ClassVar[tuple[Access, ...]] = ()

    def __init__(self, options: Mapping[str, str]) -> None:
        refuse_options("noop", options)

    def edit(self, given: TurnInput) -> TurnOutput:
        """Return the state."""
        return TurnOutput(given.glb)
