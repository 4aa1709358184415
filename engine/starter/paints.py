"""Paints: a pattern, two colours, a scale and the way light is thrown back. The palette of the whole library."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import lru_cache, partial

from engine.starter import patterns
from engine.starter.png_writer import Rgb, encode_png
from engine.surfaces import IntArray

Pattern = Callable[[int, int], IntArray]
MAIN_SHADES = 12
ACCENT_SHADES = 4


def rgb(code: str) -> Rgb:
    """Colour from six hex digits."""
    return (int(code[:2], 16), int(code[2:4], 16), int(code[4:], 16))


@dataclass(frozen=True, slots=True)
class Paint:
    """What covers a piece of a part."""

    name: str
    """Material name; captions use its words."""
    main: str
    """sRGB hex digits of the main colour."""
    accent: str
    pattern: Pattern = field(repr=False)
    tile: float = 1.0
    """Length the texture covers, in the modeller's units of the object it is used in."""
    metallic: float = 0.0
    roughness: float = 0.8
    seed: int = 1
    size: int = 128
    emissive: float = 0.0

    def png(self) -> bytes:
        """The texture's bytes."""
        return _png(self)


def mix(a: Rgb, b: Rgb, share: int) -> Rgb:
    """Colour `share`/256 of the way from a to b."""
    red, green, blue = (p + ((q - p) * share >> 8) for p, q in zip(a, b, strict=True))
    return (red, green, blue)


def shades(base: Rgb, count: int, reach: int = 112) -> list[Rgb]:
    """Shades from cool dark to warm light with the base colour in the middle."""
    dark = mix((base[0] * 9 >> 4, base[1] * 9 >> 4, base[2] * 10 >> 4), (40, 30, 62), 40)
    light = mix(base, (255, 246, 222), reach)
    middle = count // 2
    low = [mix(dark, base, 256 * k // middle) for k in range(middle)]
    return low + [mix(base, light, 256 * k // (count - 1 - middle)) for k in range(count - middle)]


@lru_cache(maxsize=512)
def _png(paint: Paint) -> bytes:
    palette = shades(rgb(paint.main), MAIN_SHADES) + shades(rgb(paint.accent), ACCENT_SHADES)
    return encode_png(paint.pattern(paint.size, paint.seed), palette)


def wood(name: str, main: str, tile: float, *, planks: int = 4, seed: int = 1, size: int = 128) -> Paint:
    """Oiled boards."""
    return Paint(name, main, main, partial(patterns.wood, planks=planks), tile, 0.0, 0.7, seed, size)


def painted_metal(name: str, main: str, tile: float, *, rivets: int = 4, plates: int = 2, seed: int = 1) -> Paint:
    """Enamelled sheet metal with seams and rivets."""
    pattern = partial(patterns.panels, plates=plates, rivets=rivets)
    return Paint(name, main, "8a7a68", pattern, tile, 0.35, 0.45, seed)


def metal(name: str, main: str, tile: float, *, roughness: float = 0.38, seed: int = 1) -> Paint:
    """Bare brushed metal."""
    return Paint(name, main, main, patterns.brushed, tile, 0.75, roughness, seed, 64)


def plain(name: str, main: str, tile: float, *, roughness: float = 0.85, contrast: int = 60, seed: int = 1) -> Paint:
    """Plaster, paint, clay, skin, glaze: soft clouds."""
    return Paint(name, main, main, partial(patterns.speckle, contrast=contrast), tile, 0.0, roughness, seed, 64)


def cloth(
    name: str,
    main: str,
    tile: float,
    accent: str = "",
    *,
    pattern: Pattern | None = None,
    seed: int = 1,
    size: int = 128,
) -> Paint:
    """Woven cloth, plain or with the given pattern in the accent colour."""
    return Paint(name, main, accent or main, pattern or patterns.weave, tile, 0.0, 0.92, seed, size)


def fur(name: str, main: str, tile: float, accent: str = "", *, spots: int = 0, seed: int = 1) -> Paint:
    """An animal's coat."""
    return Paint(name, main, accent or main, partial(patterns.fur, spots=spots), tile, 0.0, 0.95, seed)


def foliage(
    name: str, main: str, tile: float, accent: str = "", *, count: int = 16, bloom: int = 20, seed: int = 1
) -> Paint:
    """Leaves; the accent is the colour of blossoms or fresh shoots."""
    return Paint(name, main, accent or main, partial(patterns.leaves, count=count, bloom=bloom), tile, 0.0, 0.9, seed)


def patterned(
    name: str,
    main: str,
    accent: str,
    tile: float,
    pattern: Pattern,
    *,
    roughness: float = 0.8,
    seed: int = 1,
    size: int = 128,
) -> Paint:
    """Any pattern in two colours."""
    return Paint(name, main, accent, pattern, tile, 0.0, roughness, seed, size)


def glass(name: str, main: str, tile: float, accent: str = "f4fbff", *, emissive: float = 0.0) -> Paint:
    """A window pane, or with `emissive` a lit lamp."""
    return Paint(name, main, accent, patterns.glass, tile, 0.0, 0.15, 1, 64, emissive)
