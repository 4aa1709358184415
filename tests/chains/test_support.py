"""What hangs from what."""

from __future__ import annotations

import pytest

from chains.state import initial_state, states_of
from chains.support import check_supports, dependents, is_free
from schemas.errors import OperationError
from schemas.operation import Operation
from tests.chain_examples import chain_of, desk, remove, replace


def test_dependents_come_last_hanging_first() -> None:
    """The shade goes before the lamp it hangs from."""
    state = initial_state(desk())
    assert dependents(state, "lamp") == ("shade",)
    assert set(dependents(state, "top")) == {"leg", "lamp", "shade"}
    order = dependents(state, "top")
    assert order.index("shade") < order.index("lamp")


def test_only_loose_ends_are_free() -> None:
    """The core and supports may not go."""
    state = initial_state(desk())
    assert [slot for slot in ("top", "leg", "lamp", "shade") if is_free(state, slot)] == ["leg", "shade"]


@pytest.mark.parametrize(
    ("operation", "message"),
    [(remove("lamp"), "'lamp' still supports shade"), (replace("lamp"), "'lamp' still supports shade"),
     (remove("top"), "'top' is the core")],
)  # fmt: skip
def test_strict_verification_refuses_to_take_supports(operation: Operation, message: str) -> None:
    """Taking a support or the core away is named with its turn."""
    chain = chain_of(operation)
    with pytest.raises(OperationError, match=f"turn 1 .*{message}"):
        check_supports(chain, [state for _, state in states_of(chain)])


def test_removing_the_attachment_first_is_fine() -> None:
    """Shade, then lamp."""
    chain = chain_of(remove("shade"), remove("lamp"))
    check_supports(chain, [state for _, state in states_of(chain)])
