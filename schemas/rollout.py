"""Rollouts: what a method delivered for the turns of one chain, as `rollout.json` beside its outputs.

```
RUN/rollout_run.json                    the method, its settings, and the sessions that ran it
    <family>/<chain>/turn_001.glb ...   the method's own state after each turn
                     turn_001.log ...   what it printed
                     rollout.json       what became of each turn, once the chain is done
                     progress.json      until then: how far it is
```
"""

from __future__ import annotations

from typing import Annotated, Literal, get_args

from pydantic import AfterValidator, Field, model_validator

from schemas.base import SCHEMA_VERSION, Finite, Identifier, Sha256, Value

TurnStatus = Literal["delivered", "failed", "blocked"]
"""Delivered: the file is there, loads, and holds a triangle with area. Blocked: an earlier turn failed."""
InputKind = Literal["own", "ground-truth"]
"""What a method is given to edit: its own last output, or, for diagnosis, the true state before the turn."""
GROUND_TRUTH_ENDING = "@ground-truth"
"""Of the name of a row: the method was given the true state before each turn."""
OUTPUT_FILE = "turn_{turn:03d}.glb"
ROLLOUT_FILE, PROGRESS_FILE, RUN_FILE = "rollout.json", "progress.json", "rollout_run.json"


def _check_method(text: str) -> str:
    """Refuse a name that cannot be the name of a folder of scores."""
    if "/" in text or text.startswith(".") or len(text.encode()) > MOST_BYTES or text in RESERVED:
        raise ValueError(
            f"invalid method {text!r}: a method's scores lie in a folder of its name, so it holds no '/', begins with "
            f"no '.', has at most {MOST_BYTES} bytes and is not {' or '.join(map(repr, RESERVED))}"
        )
    return text


MOST_BYTES = 200
RESERVED = ("pictures",)
"""Folders beside those of methods."""
ReferenceName = Literal["noop", "oracle", "regeneration"]
REFERENCES: tuple[ReferenceName, ...] = get_args(ReferenceName)
"""Rows that scores make themselves; no method bears their names."""
ROLLED_BASELINES = {"noop": "noop-rollout", "oracle": "oracle-rollout"}
"""Reference rows that can be run as methods too, and their names then; they compete with nobody."""
MethodName = Annotated[Identifier, AfterValidator(_check_method)]


class Usage(Value):
    """What a turn cost; null where a method does not say."""

    seconds: Finite | None = None
    calls: int | None = None
    input_tokens: int | None = None
    cached_input_tokens: int | None = None
    cache_write_tokens: int | None = None
    output_tokens: int | None = None
    reasoning_tokens: int | None = None
    image_tokens: int | None = None


class TurnOutcome(Value):
    """What became of one turn."""

    turn: int = Field(ge=1)
    status: TurnStatus
    reason: str = ""
    """Why it failed; empty for other turns."""
    output_sha256: Sha256 | None = None
    """Of the delivered file; null for other turns."""
    usage: Usage | None = None

    @model_validator(mode="after")
    def _check_status(self) -> TurnOutcome:
        if (self.status == "failed") != bool(self.reason):
            raise ValueError(f"turn {self.turn} is {self.status}: a failed turn says why, and no other")
        if (self.status == "delivered") != (self.output_sha256 is not None):
            raise ValueError(f"turn {self.turn} is {self.status}: a delivered turn has a hash, and no other")
        return self


class RolloutRecord(Value):
    """One method on one chain."""

    schema_version: str = SCHEMA_VERSION
    chain: Identifier
    chain_sha256: Sha256
    """Of the chain's canonical bytes: outputs of another version of the chain are stale."""
    method: MethodName
    input: InputKind = "own"
    non_metallic: bool = False
    """Whether the method's outputs carry no metallic materials and ask to be drawn so, as the targets then are."""
    reruns: int = Field(default=0, ge=0)
    """How often the whole chain was started again after a fault of the machine."""
    unresolved: bool = False
    """Whether faults of the machine ended every try: it has no turns then, stands in coverage and is scored nowhere."""
    turns: Annotated[tuple[TurnOutcome, ...], Field(strict=False)]

    @model_validator(mode="after")
    def _check_blocking(self) -> RolloutRecord:
        if self.unresolved and self.turns:
            raise ValueError(f"an unresolved chain has no turns, found {len(self.turns)}")
        failed = False
        for position, entry in enumerate(self.turns, start=1):
            if entry.turn != position:
                raise ValueError(f"turns[{position - 1}] must be turn {position}, found {entry.turn}")
            if failed != (entry.status == "blocked"):
                raise ValueError(f"turn {entry.turn} is {entry.status}: all turns after a failed one are blocked")
            failed = failed or entry.status == "failed"
        return self


class RolloutProgress(Value):
    """How far a chain is, written after every turn and taken away when the chain is done."""

    schema_version: str = SCHEMA_VERSION
    chain: Identifier
    chain_sha256: Sha256
    session: int = Field(ge=1)
    """Number of the session that worked on it last: found by another worker of the same session, it was lost."""
    reruns: int = Field(default=0, ge=0)
    turns: Annotated[tuple[TurnOutcome, ...], Field(strict=False)] = ()
    """Those that are done: delivered, but for the last, which may have failed."""

    @model_validator(mode="after")
    def _check_order(self) -> RolloutProgress:
        for position, entry in enumerate(self.turns, start=1):
            if entry.turn != position:
                raise ValueError(f"turns[{position - 1}] must be turn {position}, found {entry.turn}")
            if entry.status != "delivered" and (entry.status == "blocked" or position < len(self.turns)):
                raise ValueError(f"turn {entry.turn} is {entry.status}: turns before the last one done are delivered")
        return self
