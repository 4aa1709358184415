"""Contacts of placed pairs, measured once while both parts stay where they are.

Judging which slots hang from which asks for the same pairs after every turn; only the pairs of the part that changed
are new. What was measured goes when one of the two parts goes.
"""

from __future__ import annotations

from weakref import WeakKeyDictionary

from engine.geometry.overlap import Placed
from engine.placement.contact import PairContact, measure_pair

_Row = WeakKeyDictionary[Placed, dict[float, PairContact | None]]
_measured: WeakKeyDictionary[Placed, _Row] = WeakKeyDictionary()


def known_pair(part: Placed, parent: Placed, diagonal: float) -> PairContact | None:
    """As `engine.placement.contact.measure_pair`, from memory when the same two parts were measured before."""
    row = _measured.setdefault(part, WeakKeyDictionary())
    found = row.setdefault(parent, {})
    if diagonal not in found:
        found[diagonal] = measure_pair(part, parent, diagonal)
    return found[diagonal]
