"""What each check asks, in words for readers who have not seen the code."""

from __future__ import annotations

from typing import Final

MEANINGS: Final[dict[str, str]] = {
    "class": "the part would sit, face or turn in another way than this place asks for",
    "clearance": "no free spot, or something in the way",
    "connected": "something would hang in the air, or lies on what would go",
    "debris": "the part has loose pieces of its own",
    "duplicate": "the name or the look is that of another piece, or the change would be none",
    "floor": "it would reach below the ground, or the object would stand on nothing",
    "frame": "no surface of the part meets the place",
    "gap": "it would not touch what it belongs to",
    "geometry": "the part cannot be measured, or has no extent",
    "interpenetration": "it would reach too far into other parts",
    "licence": "the part may not be used",
    "place": "it would stand elsewhere than what it replaces",
    "primary": "it would not touch its own support",
    "scale": "it would be too large or too small for what it is",
    "screen": "the screener did not find it fitting",
    "shape": "its proportions are too far from those of the old part",
    "size": "it would be too large or too small for the place",
    "stability": "it, or the object without it, would tip over",
    "suitability": "the two do not belong together, by their words",
    "support": "too little of its base would rest on anything",
    "triangles": "the part is too fine to be worked with",
    "visible": "nobody would notice the change",
    "wording": "no plain sentence says it without doubt",
}
