"""Checked access to the fields of a glTF JSON document: every wrong shape is a refusal that names its place."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NoReturn

from schemas.errors import GltfError

Json = dict[str, Any]
MAX_MAGNITUDE = 1e38
"""Numbers beyond float32 are refused: no consumer could hold them."""


@dataclass(frozen=True, slots=True)
class Fields:
    """Reads fields of one document; errors name the file and the JSON place."""

    gltf: Json
    path: Path
    _tables: dict[str, list[Json]] = field(default_factory=dict, repr=False, compare=False)

    def refuse(self, where: str, problem: str) -> NoReturn:
        """Raise GltfError for one place of the document."""
        raise GltfError(self.path, f"{where}: {problem}")

    def table(self, name: str) -> list[Json]:
        """A top-level array of objects, empty when absent."""
        if name not in self._tables:
            self._tables[name] = self.objects("$", self.gltf, name)
        return self._tables[name]

    def objects(self, where: str, holder: Json, key: str) -> list[Json]:
        """An array of objects inside `holder`, empty when absent."""
        rows = holder.get(key, [])
        if not isinstance(rows, list) or not all(isinstance(row, dict) for row in rows):
            self.refuse(f"{where}.{key}", "must be an array of objects")
        return rows

    def child(self, where: str, holder: Json, key: str) -> Json:
        """An object inside `holder`, empty when absent."""
        value = holder.get(key, {})
        if not isinstance(value, dict):
            self.refuse(f"{where}.{key}", f"must be an object, found {type(value).__name__}")
        return value

    def extension(self, where: str, holder: Json, name: str) -> Json | None:
        """One extension object of `holder`, None when absent."""
        extensions = self.child(where, holder, "extensions")
        return self.child(f"{where}.extensions", extensions, name) if name in extensions else None

    def text(self, where: str, holder: Json, key: str, default: str = "") -> str:
        """A string."""
        value = holder.get(key, default)
        if not isinstance(value, str):
            self.refuse(f"{where}.{key}", f"must be a string, found {type(value).__name__}")
        return value

    def whole(self, where: str, holder: Json, key: str, default: int | None = None) -> int:
        """An integer of at least 0; refused when absent without default."""
        value = holder.get(key, default)
        if type(value) is not int or not 0 <= value < 1 << 53:
            self.refuse(f"{where}.{key}", f"must be a whole number, found {value!r:.40}")
        return value

    def choice(self, where: str, holder: Json, key: str, allowed: Collection[Any]) -> Any:
        """A number or word out of `allowed`."""
        value = holder.get(key)
        if not isinstance(value, int | str) or isinstance(value, bool) or value not in allowed:
            self.refuse(f"{where}.{key}", f"{value!r:.40} is not one of {sorted(allowed)}")
        return value

    def index(self, where: str, value: Any, table: str) -> int:
        """An index into a top-level array."""
        size = len(self.table(table))
        if type(value) is not int or not 0 <= value < size:
            self.refuse(where, f"index {value!r:.40} is out of range, {table} has {size} entries")
        return value

    def reference(self, where: str, holder: Json, key: str, table: str) -> int | None:
        """An optional index into a top-level array."""
        return self.index(f"{where}.{key}", holder[key], table) if key in holder else None

    def indices(self, where: str, holder: Json, key: str, table: str) -> list[int]:
        """An array of indices into a top-level array, empty when absent."""
        values = holder.get(key, [])
        if not isinstance(values, list):
            self.refuse(f"{where}.{key}", "must be an array of indices")
        size = len(self.table(table))
        for value in values:
            if type(value) is not int or not 0 <= value < size:
                self.refuse(f"{where}.{key}", f"index {value!r:.40} is out of range, {table} has {size} entries")
        return values

    def number(self, where: str, holder: Json, key: str, default: float) -> float:
        """A finite number."""
        value = holder.get(key, default)
        if not _is_number(value):
            self.refuse(f"{where}.{key}", f"must be a number, found {value!r:.40}")
        return float(value)

    def numbers(self, where: str, holder: Json, key: str, default: tuple[float, ...]) -> tuple[float, ...]:
        """As many finite numbers as `default` has."""
        values = holder.get(key, default)
        if not isinstance(values, list | tuple) or len(values) != len(default) or not all(map(_is_number, values)):
            self.refuse(f"{where}.{key}", f"must be {len(default)} finite numbers, found {values!r:.60}")
        return tuple(float(value) for value in values)

    def flag(self, where: str, holder: Json, key: str) -> bool:
        """A boolean, false when absent."""
        value = holder.get(key, False)
        if not isinstance(value, bool):
            self.refuse(f"{where}.{key}", f"must be true or false, found {value!r:.40}")
        return value


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and abs(value) <= MAX_MAGNITUDE
