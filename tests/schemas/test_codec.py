"""Records to bytes and back, and every refusal on the way."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, strategies

from schemas.chain import Chain
from schemas.codec import decode, decode_document, digest, encode, parse_json
from schemas.errors import SchemaError
from tests.chain_examples import add, chain_of, remove, replace, retexture

CHAIN = chain_of(add("cup", "top"), replace("leg"), remove("cup"), retexture("top"))


def document() -> dict[str, Any]:
    """The example chain as a plain document that may be changed."""
    loaded: dict[str, Any] = json.loads(encode(CHAIN))
    return loaded


def test_a_chain_survives_the_round_trip() -> None:
    """Decoding what was encoded gives an equal chain and the same bytes."""
    again = decode(Chain, encode(CHAIN), "chain.json")
    assert again == CHAIN
    assert encode(again) == encode(CHAIN)


def test_byte_order_mark_and_crlf_do_not_matter() -> None:
    """A file saved with a mark and CRLF has the same digest, and is written back without them."""
    pretty = json.dumps(document(), indent=2).replace("\n", "\r\n")
    again = decode(Chain, b"\xef\xbb\xbf" + pretty.encode(), "chain.json")
    assert digest(again) == digest(CHAIN)
    assert b"\r" not in encode(again)
    assert not encode(again).startswith(b"\xef")


@pytest.mark.parametrize(
    ("path", "value", "words"),
    [
        (("turns", 1, "operation", "op"), "explode", ["turn 2", "explode"]),
        (("schema_version",), "99.0", ["version", "99.0", "1.0"]),
        (("turns", 0, "operation", "part", "part_id"), "../../x", ["turn 1", "../../x", "not allowed"]),
        (("turns", 0, "operation", "part", "object_id"), "/etc/x", ["turn 1", "/etc/x", "not allowed"]),
        (("turns", 1, "index"), 1, ["turn number 1", "twice"]),
        (("turns", 0, "colour"), "red", ["turn 1", "colour", "unknown"]),
        (("turns", 0, "operation", "placement", "world_from_part", 1), 0.2, ["turn 1", "sheared"]),
        (("turns", 0, "operation", "placement", "world_from_part", 5), 0.0, ["turn 1", "determinant"]),
        (("turns", 0, "operation", "placement", "world_from_part", 0), -1.0, ["turn 1", "determinant"]),
        (("turns", 3, "operation", "texture", "image"), "/etc/hostname", ["turn 4", "/etc/hostname"]),
        (("host", "diagonal"), -1.0, ["$.host.diagonal", "-1"]),
        (("family",), "Q", ["$.family", "Q"]),
    ],
)
def test_a_wrong_value_is_named(path: tuple[Any, ...], value: object, words: list[str]) -> None:
    """The message names the file, the turn, the JSON path, what was found and what is allowed."""
    changed = document()
    place: Any = changed
    for step in path[:-1]:
        place = place[step]
    place[path[-1]] = value
    with pytest.raises(SchemaError) as caught:
        decode_document(Chain, changed, "some/chain.json")
    message = str(caught.value)
    assert message.startswith("some/chain.json: $")
    for word in words:
        assert word in message


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ('{"a": NaN}', "NaN"),
        ('{"a": Infinity}', "Infinity"),
        ('{"a": 1e400}', "not finite"),
        ('{"a": 1, "a": 2}', "duplicate key 'a'"),
        ("[" * 5000 + "]" * 5000, "nested"),
        ('{"a": ', "not JSON"),
    ],
)
def test_json_that_other_readers_let_through_is_refused(text: str, word: str) -> None:
    """NaN, infinities, duplicate keys and bottomless nesting are errors that name the file."""
    with pytest.raises(SchemaError, match=r"file\.json") as caught:
        parse_json(text.encode(), "file.json")
    assert word in str(caught.value)


def test_bytes_that_are_not_utf8_are_refused() -> None:
    """The first bad byte is named."""
    with pytest.raises(SchemaError, match="not UTF-8 at byte 2"):
        parse_json(b'{"\xff": 1}', "file.json")


@given(strategies.floats(allow_nan=False, allow_infinity=False))
def test_every_finite_number_survives(number: float) -> None:
    """Canonical numbers read back to the same value (minus zero becomes zero)."""
    moved = add("cup", "top")
    pose = list(moved.placement.world_from_part)
    pose[3] = number
    chain = chain_of(
        moved.model_copy(update={"placement": moved.placement.model_copy(update={"world_from_part": tuple(pose)})})
    )
    again = decode(Chain, encode(chain), "chain.json")
    operation = again.turns[0].operation
    assert operation.op == "add"
    assert operation.placement.world_from_part[3] == number


def test_a_number_that_is_not_finite_is_named_with_its_turn() -> None:
    """The message says where the number is: turn, key and entry."""
    text = '{"turns": [{"index": 1}, {"operation": {"pose": [0, "x", -Infinity, NaN]}}]}'
    with pytest.raises(SchemaError) as caught:
        parse_json(text.encode(), "chain.json")
    assert str(caught.value) == (
        "chain.json: $.turns[1].operation.pose[2]: turn 2: -Infinity is not a JSON number; numbers must be finite"
    )


@pytest.mark.parametrize("version", ["0.9", "99.0", "1", "", None, 1])
def test_versions_that_never_were_are_refused(version: object) -> None:
    """Only versions from 1.0 to this one are read; the message says which was found."""
    with pytest.raises(SchemaError, match=r"chain\.json: \$\.schema_version: found version"):
        decode_document(Chain, {"schema_version": version}, "chain.json")


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda pose: pose.__setitem__(3, "2"), "valid number (found '2')"),
        (lambda pose: pose.__setitem__(3, bool(pose)), "valid number (found True)"),
        (lambda pose: pose.pop(), "length is 15, entry 15 is missing"),
    ],
)
def test_a_pose_is_sixteen_numbers(change: Callable[[list[Any]], None], words: str) -> None:
    """Texts and truth values are no numbers, and a short pose says how long it is."""
    changed = json.loads(encode(chain_of(add("cup", "top"))))
    change(changed["turns"][0]["operation"]["placement"]["world_from_part"])
    with pytest.raises(SchemaError) as caught:
        decode_document(Chain, changed, "chain.json")
    assert "turn 1: " in str(caught.value)
    assert words in str(caught.value)
