"""A plan of chains: what is to be built, as a file that can be read and edited before it is."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from schemas.base import SCHEMA_VERSION, Identifier, Sha256, Value
from schemas.chain import Family
from schemas.operation import OpName


class PlannedChain(Value):
    """One chain and what its turns are meant to be; a turn that cannot be so is another operation of the family."""

    chain: Identifier
    """`<family>/<short host id>_s<seed>`."""
    host: Identifier
    name: str
    """What the host is called; for those who read the plan."""
    family: Family
    seed: int = Field(ge=0)
    ops: Annotated[tuple[OpName, ...], Field(strict=False, min_length=3, max_length=200)]
    """One for each turn."""


class BuildPlan(Value):
    """Chains in the order in which they are built."""

    schema_version: str = SCHEMA_VERSION
    library_sha256: Sha256
    chains: Annotated[tuple[PlannedChain, ...], Field(strict=False, min_length=1)]
