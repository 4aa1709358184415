"""The append-only history of a chain: revisions of the words of turns."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

from chains.state import State, check_turn
from schemas.base import Sha256
from schemas.chain import Chain, Revision, Turn
from schemas.codec import canonical
from schemas.errors import HashMismatchError, InputError

WORDS = frozenset({"instruction", "instruction_draft", "instruction_zh", "named_slots", "rewriting"})
"""Fields of a turn that no state depends on: they change without a rebuild of later turns."""


def turn_sha256(turn: Turn) -> Sha256:
    """SHA-256 of a turn's canonical JSON without the fields that are null: later releases may add such fields."""
    return hashlib.sha256(canonical(turn.model_dump(mode="json", exclude_none=True))).hexdigest()


def revise_words(chain: Chain, revised: Turn, *, author: str, reason: str, at_utc: str) -> Chain:
    """The chain with other words in one turn, and a revision that says so; the same chain when nothing differs.

    Raises InputError when there is no such turn, or when more than its words would change.
    """
    old = check_turn(chain, revised.index)
    if old is None:
        raise InputError(f"chain {chain.id}: turn 0 is the host and has no words")
    before, after = old.model_dump(mode="json"), revised.model_dump(mode="json")
    changed = sorted(name for name in {**before, **after} if after.get(name) != before.get(name))
    stale = [name for name in changed if name not in WORDS]
    if stale:
        raise InputError(f"chain {chain.id}: turn {old.index}: a revision of words cannot change {stale[0]!r}")
    if not changed:
        return chain
    # A kept draft is copied before the instruction changes, and defaults are left out: logs are kept short.
    kept = [name for name in changed if name != "instruction" and after[name] == before["instruction"]]
    short = revised.model_dump(mode="json", exclude_defaults=True)
    copies = [{"op": "copy", "from": "/instruction", "path": f"/{name}"} for name in kept]
    others = [name for name in changed if name not in kept]
    revision = Revision(
        turn=old.index,
        author=author,
        reason=reason,
        at_utc=at_utc,
        before_sha256=turn_sha256(old),
        after_sha256=turn_sha256(revised),
        patch=(
            *copies,
            *({"op": "replace", "path": f"/{name}", "value": short.get(name, after[name])} for name in others),
        ),
    )
    turns = (*chain.turns[: old.index - 1], revised, *chain.turns[old.index :])
    return chain.model_copy(update={"turns": turns, "revisions": (*chain.revisions, revision)})


def find_author(chain: Chain, turn: int) -> str | None:
    """Who wrote the instruction of a turn as it stands, by the history; None when it is the builder's."""
    authors = [
        revision.author
        for revision in chain.revisions
        if revision.turn == turn and any(entry.get("path") == "/instruction" for entry in revision.patch)
    ]
    return authors[-1] if authors else None


def check_revisions(chain: Chain, _: Sequence[State] = ()) -> None:
    """Refuse a chain whose history is broken (strict verification).

    Each revision of a turn goes on from the one before it, and the last one leads to the turn as it stands. Raises
    InputError for a revision of a turn that is not there, HashMismatchError for a broken history.
    """
    reached: dict[int, Sha256] = {}
    for place, revision in enumerate(chain.revisions):
        if not 1 <= revision.turn <= len(chain.turns):
            raise InputError(f"chain {chain.id}: revisions[{place}] is of turn {revision.turn}, which is not there")
        expected = reached.get(revision.turn, revision.before_sha256)
        if revision.before_sha256 != expected:
            raise HashMismatchError(
                f"chain {chain.id}: revisions[{place}] begins from {revision.before_sha256[:12]}, the one before it "
                f"of turn {revision.turn} ended with {expected[:12]}"
            )
        reached[revision.turn] = revision.after_sha256
    for turn, sha256 in sorted(reached.items()):
        actual = turn_sha256(chain.turns[turn - 1])
        if actual != sha256:
            raise HashMismatchError(
                f"chain {chain.id}: turn {turn} is {actual[:12]}, its last revision left {sha256[:12]}"
            )
