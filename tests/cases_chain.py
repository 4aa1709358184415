"""Neutral chains as chain files of the engine: keys renamed, values and faults kept."""

from __future__ import annotations

import hashlib
import json
import re
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from math import sqrt
from pathlib import Path
from typing import Any

from tests.cases_adapter import Case, Check, Json, Run, near, run_engine

BOM = b"\xef\xbb\xbf"
FORMAT = "neutral-chain"
HEX = re.compile(r"[0-9a-f]{64}")


@dataclass(frozen=True)
class Index:
    """A library index over a folder, made by `engine library build`."""

    source: Path
    folder: Path

    @classmethod
    def build(cls, source: Path, folder: Path, *options: str) -> Index:
        """Index a folder of glTF files."""
        folder.parent.mkdir(parents=True, exist_ok=True)
        run = run_engine("library", "build", source, "--out", folder, *options, cwd=folder.parent)
        assert run.code == 0, run.err
        return cls(source, folder)

    @cached_property
    def parts(self) -> list[Json]:
        """All rows of parts."""
        return [json.loads(line) for line in (self.folder / "parts.jsonl").read_text("utf-8").splitlines()]

    @cached_property
    def objects(self) -> dict[str, Json]:
        """All rows of objects."""
        rows = [json.loads(line) for line in (self.folder / "objects.jsonl").read_text("utf-8").splitlines()]
        return {row["object_id"]: row for row in rows}

    def parts_of(self, object_id: str) -> list[Json]:
        """Rows of one object, in their order."""
        return [row for row in self.parts if row["ref"]["object_id"] == object_id]

    @cached_property
    def neutral_parts(self) -> dict[str, str]:
        """Object id by neutral part id, from the folder's own `index.json`."""
        rows = json.loads((self.source / "index.json").read_text("utf-8"))["parts"]
        return {row["id"]: Path(row["file"]).with_suffix("").as_posix() for row in rows}

    def ref(self, object_id: str, part_id: str, sha256: Any) -> Json:
        """A reference to a part."""
        library = self.parts[0]["ref"]["library"] if self.parts else "library"
        return {"library": library, "object_id": object_id, "part_id": part_id, "sha256": sha256}


def host_chain(index: Index, object_id: str) -> Json:
    """A chain without turns whose host is one object of the index: each part is a slot."""
    rows = index.parts_of(object_id)
    return _chain(_host(index, object_id, [_slot(row, row["ref"], number) for number, row in enumerate(rows)]), [])


def _chain(host: Json, turns: Any) -> Json:
    return {
        "schema_version": "1.0",
        "id": "X/neutral_s0",
        "family": "X",
        "seed": 0,
        "host": host,
        "limits": {},
        "turns": turns,
    }


def _host(index: Index, object_id: str, slots: list[Json]) -> Json:
    row = index.objects.get(object_id, {"bounds": [[0, 0, 0], [1, 1, 1]], "dataset": "none", "connected_pieces": 1})
    return {
        "object_id": object_id,
        "dataset": row["dataset"],
        "name": object_id,
        "diagonal": _diagonal(row["bounds"]),
        "floor": row["bounds"][0][1],
        "connected_pieces": row["connected_pieces"],
        "slots": slots,
    }


def _slot(row: Json, ref: Json, number: int) -> Json:
    name = row["ref"]["part_id"]
    is_slot_name = name.isascii() and name.replace("_", "").isalnum() and name == name.lower()
    slot = name if is_slot_name else f"part_{number}"
    return {"id": slot, "label": slot, "parts": [ref], "diagonal": _diagonal(row["bounds"])}


def convert(data: bytes, index: Index) -> bytes:
    """A neutral chain in the engine's keys.

    Bytes that are not one JSON document with distinct keys go to the reader as they are. A byte order mark, CRLF and
    NaN are kept; keys that the neutral format does not have are carried along.
    """
    try:
        neutral = json.loads(data.removeprefix(BOM).decode("utf-8"), object_pairs_hook=_distinct)
    except (ValueError, RecursionError):
        return data
    if not isinstance(neutral, dict):
        return data
    text = json.dumps(_Converter(index).chain(neutral), ensure_ascii=False, indent=1) + "\n"
    converted = text.encode("utf-8")
    if b"\r\n" in data:
        converted = converted.replace(b"\n", b"\r\n")
    return (BOM if data.startswith(BOM) else b"") + converted


@dataclass(frozen=True)
class _Converter:
    """Renames the keys of one neutral chain."""

    index: Index

    def chain(self, neutral: Json) -> Json:
        turns = neutral.get("turns")
        converted = _chain(
            self.host(neutral.get("host"), turns),
            [self.turn(turn) for turn in turns] if isinstance(turns, list) else turns,
        )
        version = neutral.get("version")
        is_number = isinstance(version, int) and not isinstance(version, bool)
        converted["schema_version"] = f"{version}.0" if is_number else version
        for key in ("host", "turns"):
            if key not in neutral:
                del converted[key]
        known = ["version", "library", "host", "turns"]
        if neutral.get("format") == FORMAT:
            known.append("format")
        return {**converted, **_rest(neutral, *known)}

    def host(self, host: Any, turns: Any) -> Any:
        """The slots are the host's parts; of a host that is not there, the slots that the turns speak of."""
        if not isinstance(host, dict) or not isinstance(host.get("file"), str):
            return host
        object_id, sha256 = host["file"].removesuffix(".glb"), host.get("sha256")
        rows = self.index.parts_of(object_id)
        slots = [
            _slot(row, self.index.ref(object_id, row["ref"]["part_id"], sha256), number)
            for number, row in enumerate(rows)
        ]
        if not slots:
            ref = self.index.ref(object_id, "0", sha256)
            slots = [{"id": name, "label": name, "parts": [ref], "diagonal": 1} for name in _named_slots(turns)]
        return {**_host(self.index, object_id, slots), **_rest(host, "file", "sha256")}

    def turn(self, turn: Any) -> Any:
        if not isinstance(turn, dict):
            return turn
        operation = {key: turn[key] for key in ("op", "slot", "attach_to") if key in turn}
        if "part" in turn:
            operation["part"] = self.part(turn["part"])
        if "pose" in turn:
            operation["placement"] = {"world_from_part": turn["pose"]}
        if turn.get("op") in {"add", "replace"} and "slot" in turn:
            operation["label"] = turn["slot"]
        if "texture" in turn:
            operation["texture"], operation["material"] = self.texture(turn["texture"]), "plain"
        renamed = {"index": turn["turn"]} if "turn" in turn else {}
        if "instruction" in turn:
            renamed["instruction"] = turn["instruction"]
        known = ("turn", "op", "slot", "attach_to", "part", "pose", "texture", "instruction")
        return {**renamed, "operation": operation, **_rest(turn, *known)}

    def part(self, part: Any) -> Any:
        if not isinstance(part, dict) or not isinstance(part.get("id"), str):
            return part
        object_id = self.index.neutral_parts.get(part["id"], part["id"])
        rows = self.index.parts_of(object_id)
        part_id = rows[0]["ref"]["part_id"] if rows else "0"
        return {**self.index.ref(object_id, part_id, part.get("sha256")), **_rest(part, "id", "sha256")}

    def texture(self, texture: Any) -> Any:
        """The logged content stands for a file of the library; any other name goes to the reader as the image."""
        if not isinstance(texture, dict):
            return texture
        known = _textures(self.index.source)
        file = texture.get("file")
        image = texture.get("sha256") if file in known else file
        return {"image": image, **_rest(texture, "file", "sha256")}


def _named_slots(turns: Any) -> list[str]:
    """Slots that turns name and do not open themselves."""
    rows = [turn for turn in turns if isinstance(turn, dict)] if isinstance(turns, list) else []
    opened = {turn.get("slot") for turn in rows if turn.get("op") == "add"}
    named = {turn[key] for turn in rows for key in ("slot", "attach_to") if isinstance(turn.get(key), str)}
    return sorted(named - opened) or ["host"]


def _rest(record: Json, *known: str) -> Json:
    return {key: value for key, value in record.items() if key not in known}


def _distinct(pairs: list[tuple[str, Any]]) -> Json:
    if len(dict(pairs)) != len(pairs):
        raise ValueError("a key appears twice")
    return dict(pairs)


def _diagonal(bounds: Any) -> float:
    return sqrt(sum((high - low) ** 2 for low, high in zip(*bounds, strict=True)))


def _textures(source: Path) -> dict[str, str]:
    """SHA-256 of the textures of a library folder, by file name."""
    return {
        path.relative_to(source).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted(source.rglob("*.png"))
    }


def _used_textures(neutral: Any, source: Path) -> Iterator[tuple[str, str]]:
    """Texture files of the library under the content the chain says they have, right or wrong."""
    turns = neutral.get("turns") if isinstance(neutral, dict) else None
    known = _textures(source)
    for turn in turns if isinstance(turns, list) else []:
        texture = turn.get("texture") if isinstance(turn, dict) else None
        if isinstance(texture, dict) and texture.get("file") in known and HEX.fullmatch(str(texture.get("sha256"))):
            yield texture["file"], texture["sha256"]


@dataclass(frozen=True)
class Replay:
    """A converted chain on disk and how it is replayed."""

    file: Path
    index: Index
    neutral: Any
    case: Case

    @classmethod
    def prepare(cls, case: Case, index: Index, folder: Path, data: bytes) -> Replay:
        """Write the chain and its assets."""
        folder.mkdir(parents=True, exist_ok=True)
        assets = folder / "assets"
        assets.mkdir()
        file = folder / "chain.json"
        file.write_bytes(convert(data, index))
        try:
            neutral = json.loads(data.removeprefix(BOM))
        except (ValueError, RecursionError):
            neutral = None
        for name, sha256 in _used_textures(neutral, index.source):
            shutil.copyfile(index.source / name, assets / f"{sha256}.png")
        return cls(file, index, neutral, case)

    @property
    def library(self) -> Path:
        """The index, or the folder that the chain names when it is another one."""
        named = self.neutral.get("library") if isinstance(self.neutral, dict) else None
        folder = self.case.folder / named if isinstance(named, str) else self.index.source
        is_indexed = folder.is_dir() and folder.samefile(self.index.source)
        return self.index.folder if is_indexed else folder

    @property
    def last(self) -> int:
        """Number of the last turn; 0 when the file does not say."""
        turns = self.neutral.get("turns") if isinstance(self.neutral, dict) else None
        return len(turns) if isinstance(turns, list) else 0

    def run(self, turn: object, out: Path | None = None) -> Run:
        """`engine replay` of one turn, or of `all`."""
        options = [] if out is None else ["--out", out]
        return run_engine(
            "replay", self.file, "--turn", turn, "--library", self.library, *options, "--json",
            cwd=self.file.parent,
        )  # fmt: skip

    def validate(self) -> Run:
        """`engine verify`: every turn, every part."""
        return run_engine("verify", self.file, "--library", self.library, "--json", cwd=self.file.parent)

    def validate_then_run(self, turn: object, out: Path) -> Run:
        """Validate, and replay when that found nothing."""
        validated = self.validate()
        return validated if validated.code else self.run(turn, out)

    def state(self, turn: int) -> tuple[Run, bytes]:
        """Run and state file of a turn that must replay."""
        out = self.file.parent / "state.glb"
        run = self.run(turn, out)
        assert run.code == 0, run.err
        data = out.read_bytes()
        out.unlink()
        return run, data


def _check_states(replay: Replay, value: Any, checks: Json) -> None:
    names = {object_id: name for name, object_id in replay.index.neutral_parts.items()}
    textures = {sha256: name for name, sha256 in _textures(replay.index.source).items()}
    host = replay.neutral["host"]["file"].removesuffix(".glb")
    for expected in value:
        run, data = replay.state(expected["turn"])
        (row,) = run.report["states"]
        origins = {piece["slot"]: {ref.rsplit("/", 1)[0] for ref in piece["parts"]} for piece in row["pieces"]}
        slots = {
            slot: "host" if ids == {host} else "+".join(sorted(names[name] for name in ids))
            for slot, ids in origins.items()
        }
        assert (row["turn"], slots) == (expected["turn"], expected["slots"])
        looks = {piece["slot"]: textures[piece["texture"]] for piece in row["pieces"] if piece["texture"]}
        assert looks == expected["retextured"]
        written = replay.file.parent / "written.glb"
        written.write_bytes(data)
        report = run_engine("inspect", written, "--json", cwd=replay.file.parent).report
        assert report["triangles"] == expected["n_triangles"]
        near(report["bounds"], expected["bounds"], 1e-6 * _diagonal(expected["bounds"]))
        assert run.seconds <= checks.get("max_seconds", 60)
        assert run.peak_bytes <= checks.get("max_memory_gib", 4) * 2**30


def _check_identical_runs(replay: Replay, value: Any, _: Json) -> None:
    outputs = []
    for number in range(value):
        out = replay.file.parent / f"run{number}"
        assert replay.run("all", out).code == 0
        outputs.append({path.name: path.read_bytes() for path in sorted(out.glob("*.glb"))})
    assert len(outputs[0]) == replay.last + 1
    assert all(output == outputs[0] for output in outputs)


def _check_same_as(replay: Replay, control: bytes) -> None:
    """Every state and the hash of the chain are those of another chain file."""
    other = Replay.prepare(replay.case, replay.index, replay.file.parent / "control", control)
    reports = []
    for one in (replay, other):
        run = one.run("all")
        assert run.code == 0, run.err
        reports.append(run.report)
    assert reports[0]["states"]
    assert reports[0] == reports[1]


def _check_same_states(replay: Replay, value: Any, _: Json) -> None:
    _check_same_as(replay, (replay.case.folder.parent / value / "chain.json").read_bytes())


def _check_equal_control(replay: Replay, value: Any, _: Json) -> None:
    assert value is True
    _check_same_as(replay, (replay.index.source / "base.chain.json").read_bytes())


def _check_seconds(replay: Replay, value: Any, _: Json) -> None:
    assert replay.validate().seconds + replay.run(replay.last).seconds <= value


CHECKS: dict[str, Check] = {
    "states": _check_states,
    "byte_identical_runs": _check_identical_runs,
    "same_states_as": _check_same_states,
    "states_equal_control": _check_equal_control,
    "max_seconds": _check_seconds,
}
"""Every key that `checks` of a chain case may have."""
