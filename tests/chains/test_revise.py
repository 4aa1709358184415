"""Revisions of words: what they record, what they refuse, and what a broken history looks like."""

from __future__ import annotations

import pytest
from pydantic import ValidationError

from chains.revise import check_revisions, find_author, revise_words, turn_sha256
from schemas.chain import Chain, Rewriting, Turn
from schemas.codec import decode, encode
from schemas.errors import HashMismatchError, InputError
from tests.chain_examples import chain_of, remove, retexture


def revised(chain: Chain, text: str, author: str = "anna", turn: int = 1) -> Chain:
    """The chain with another instruction in one turn."""
    entry = chain.turns[turn - 1].model_copy(update={"instruction": text})
    return revise_words(chain, entry, author=author, reason="clearer", at_utc="2026-11-30T12:00:00Z")


def test_a_revision_says_what_changed_and_by_whom() -> None:
    """Patch, author and both hashes; other turns and the host are the same objects."""
    chain = chain_of(remove("lamp"), retexture("top"))
    after = revised(chain, "Remove the lamp.")
    (entry,) = after.revisions
    assert (entry.turn, entry.author, entry.reason) == (1, "anna", "clearer")
    assert entry.patch == ({"op": "replace", "path": "/instruction", "value": "Remove the lamp."},)
    assert (entry.before_sha256, entry.after_sha256) == tuple(turn_sha256(c.turns[0]) for c in (chain, after))
    assert (after.turns[0].instruction, after.turns[1]) == ("Remove the lamp.", chain.turns[1])
    assert find_author(after, 1) == "anna"
    assert find_author(after, 2) is None
    assert decode(Chain, encode(after), "x") == after


def test_a_patch_leads_from_one_entry_to_the_next() -> None:
    """Applied by the book (RFC 6902) to the entry before, it gives the entry after, with the recorded hash."""
    before = chain_of(remove("lamp")).turns[0]
    rewriting = Rewriting(model="pen-1", question_sha256="0" * 64, outcome="taken", attempts=1)
    words = {"instruction": "Take it.", "instruction_draft": before.instruction, "rewriting": rewriting}
    after = before.model_copy(update=words)
    chain = revise_words(chain_of(remove("lamp")), after, author="pen-1", reason="", at_utc="")
    document = before.model_dump(mode="json")
    for entry in chain.revisions[0].patch:
        value = document[entry["from"][1:]] if entry["op"] == "copy" else entry["value"]
        assert entry["path"][1:] in document
        document[entry["path"][1:]] = value
    assert Turn.model_validate(document) == after
    assert turn_sha256(Turn.model_validate(document)) == chain.revisions[0].after_sha256


def test_history_is_only_appended_to() -> None:
    """Earlier entries stay as they are; the last author of a text is its author."""
    once = revised(chain_of(remove("lamp")), "Remove the lamp.")
    twice = revised(once, "Take away the lamp.", "ben")
    assert twice.revisions[:1] == once.revisions
    assert find_author(twice, 1) == "ben"
    check_revisions(twice)


def test_what_changes_nothing_is_no_revision() -> None:
    """The same words give the same chain."""
    chain = chain_of(remove("lamp"))
    assert revised(chain, chain.turns[0].instruction) is chain


def test_a_revision_of_words_changes_words_only() -> None:
    """Another operation would make later states stale."""
    chain = chain_of(remove("lamp"))
    other = chain.turns[0].model_copy(update={"operation": remove("leg")})
    with pytest.raises(InputError, match=r"turn 1: a revision of words cannot change 'operation'"):
        revise_words(chain, other, author="a", reason="b", at_utc="c")


def test_a_broken_history_is_found() -> None:
    """Words changed behind the history's back, an entry taken out, and a turn that is not there."""
    chain = revised(revised(chain_of(remove("lamp")), "Remove the lamp."), "Take away the lamp.")
    secretly = chain.turns[0].model_copy(update={"instruction": "Take it."})
    with pytest.raises(HashMismatchError, match="its last revision left"):
        check_revisions(chain.model_copy(update={"turns": (secretly,)}))
    with pytest.raises(HashMismatchError, match=r"revisions\[1\] begins from"):
        check_revisions(chain.model_copy(update={"revisions": (chain.revisions[0], chain.revisions[0])}))
    stray = chain.revisions[0].model_copy(update={"turn": 7})
    with pytest.raises(InputError, match="of turn 7, which is not there"):
        check_revisions(chain.model_copy(update={"revisions": (stray,)}))


def test_a_taken_rewriting_keeps_its_draft() -> None:
    """A file that has lost the draft is refused; one whose rewriting was refused has none to lose."""
    document = chain_of(remove("lamp")).turns[0].model_dump(mode="json")
    rewriting = {"model": "pen-1", "question_sha256": "0" * 64, "outcome": "taken", "attempts": 1}
    with pytest.raises(ValidationError, match="keeps its draft"):
        Turn.model_validate({**document, "rewriting": rewriting})
    Turn.model_validate({**document, "rewriting": {**rewriting, "outcome": "refused", "attempts": 3}})


def test_hashes_of_turns_survive_new_fields() -> None:
    """A field that a later release adds, and that is null, changes no recorded hash."""
    turn = chain_of(remove("lamp")).turns[0]
    document = turn.model_dump(mode="json", exclude_none=True)
    assert "instruction_zh" not in document
    assert turn_sha256(type(turn).model_validate(document)) == turn_sha256(turn)
