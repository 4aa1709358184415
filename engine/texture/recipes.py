"""What the tables of materials hold: names, phrases, palettes and the pattern each is made by."""

from __future__ import annotations

from dataclasses import dataclass

from engine.texture.image import Color, color_of
from engine.texture.patterns.field import Pattern


@dataclass(frozen=True, slots=True)
class MaterialSpec:
    """One named material."""

    name: str
    phrase: str
    """As it stands after `to` in an instruction: `dark walnut wood`."""
    family: str
    mean: str
    """Mean sRGB colour of a baked texture, `#rrggbb`, to a few hundredths."""
    metallic: float
    roughness: float
    period: float
    """Pattern cell over the diagonal of the host."""
    pattern: Pattern
    base: str
    """Palette from tone 0 to tone 1: `#rrggbb` colours apart by spaces."""
    over: str = "#000000"
    """Palette of the second layer, where the pattern has one."""

    @property
    def mean_color(self) -> Color:
        """Mean sRGB colour, each in [0, 1]."""
        return color_of(self.mean)
