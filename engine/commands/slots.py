"""`engine slots`: propose, show and edit the slots of hosts."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

import click

from engine.arguments import PATH
from schemas.errors import InputError, PartNotFoundError

if TYPE_CHECKING:
    from schemas.part import HostDefinition, PartRecord, SlotRegistry

FOLDER = PATH
REGISTRY_OPTION = click.option("--registry", type=FOLDER, required=True, help="Slot registry file; it is rewritten.")
HOST_OPTION = click.option("--host", required=True, help="Object id, or the beginning of one.")
JSON_OPTION = click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")


@click.group()
def slots() -> None:
    """Group the parts of hosts into named slots."""


@slots.command()
@click.argument("library", type=FOLDER)
@click.option("--host", default=None, help="Only this object.")
@click.option("--out", type=FOLDER, required=True, help="Slot registry file to write.")
@JSON_OPTION
def propose(library: Path, *, host: str | None, out: Path, as_json: bool) -> None:
    """Propose slots for every object of LIBRARY and write a registry."""
    from chains.storage import write_atomic
    from engine.slots.propose import propose_registry
    from library_index.library import open_library
    from schemas.codec import encode

    opened = open_library(library)
    name = None if host is None else _full_id(host, list(opened.objects))
    registry = propose_registry(opened, only=name)
    write_atomic(out, encode(registry))
    report = {
        "hosts": len(registry.hosts),
        "slots": sum(len(entry.host.slots) for entry in registry.hosts),
        "rejected": [{"object_id": entry.object_id, "reason": entry.reason} for entry in registry.rejected],
        "registry": str(out),
    }
    if as_json:
        click.echo(json.dumps(report, ensure_ascii=False, indent=1))
        return
    click.echo(f"{report['hosts']} hosts, {report['slots']} slots -> {out}")
    for entry in registry.rejected:
        click.echo(f"  no host: {entry.object_id}  {entry.reason}")


@slots.command()
@click.argument("library", type=FOLDER)
@HOST_OPTION
@click.option("--registry", type=FOLDER, default=None, help="Slot registry file; without it slots are proposed anew.")
@JSON_OPTION
def show(library: Path, *, host: str, registry: Path | None, as_json: bool) -> None:
    """Show the slots of one host of LIBRARY as a tree."""
    from engine.slots.propose import propose_registry
    from engine.slots.registry import find_host
    from library_index.library import open_library

    opened = open_library(library)
    name = _full_id(host, list(opened.objects))
    entry = find_host(_read(registry) if registry else propose_registry(opened, only=name), name)
    if as_json:
        click.echo(entry.model_dump_json(indent=1))
        return
    records = {part.ref.part_id: part for part in opened.records_of(name)}
    click.echo(f"{entry.host.name}  {name}  D {entry.host.diagonal:.4g}  {entry.status}")
    for line in _tree(entry, records):
        click.echo(line)


@slots.command()
@click.argument("library", type=FOLDER)
@HOST_OPTION
@REGISTRY_OPTION
def accept(library: Path, *, host: str, registry: Path) -> None:
    """Mark the slots of one host of LIBRARY as accepted."""
    from engine.slots.registry import accept_host

    _edit(library, host, registry, lambda before, name, _: accept_host(before, name))


@slots.command()
@click.argument("library", type=FOLDER)
@click.argument("slot")
@click.argument("label")
@HOST_OPTION
@REGISTRY_OPTION
def rename(library: Path, slot: str, label: str, *, host: str, registry: Path) -> None:
    """Give SLOT of a host of LIBRARY the LABEL; its id stays."""
    from engine.slots.registry import rename_slot

    _edit(library, host, registry, lambda before, name, _: rename_slot(before, name, slot, label))


@slots.command()
@click.argument("library", type=FOLDER)
@click.argument("names", nargs=-1, required=True, metavar="SLOT...")
@HOST_OPTION
@REGISTRY_OPTION
def merge(library: Path, names: tuple[str, ...], *, host: str, registry: Path) -> None:
    """Make one of several SLOTs of a host of LIBRARY; it keeps the name of the first, or of the core."""
    from engine.slots.registry import merge_slots

    _edit(library, host, registry, lambda before, name, rows: merge_slots(before, name, names, rows))


@slots.command()
@click.argument("library", type=FOLDER)
@click.argument("slot")
@click.argument("parts", nargs=-1, required=True, metavar="PART...")
@click.option("--label", required=True, help="Label of the new slot.")
@HOST_OPTION
@REGISTRY_OPTION
def split(library: Path, slot: str, parts: tuple[str, ...], *, label: str, host: str, registry: Path) -> None:
    """Take PARTs out of SLOT of a host of LIBRARY into a new slot that hangs from it."""
    from engine.slots.registry import split_slot

    _edit(library, host, registry, lambda before, name, rows: split_slot(before, name, slot, parts, label, rows))


def _edit(
    library: Path,
    host: str,
    path: Path,
    change: Callable[[SlotRegistry, str, Mapping[str, PartRecord]], SlotRegistry],
) -> None:
    """Read a registry, change one host, write it back and show the host."""
    from chains.storage import write_atomic
    from engine.slots.registry import find_host
    from library_index.library import open_library
    from schemas.codec import encode

    before = _read(path)
    opened = open_library(library)
    if opened.manifest.library_sha256 != before.library_sha256:
        raise InputError(f"{path}: was made for another library than {library}; propose the slots anew")
    name = _full_id(host, list(opened.objects))
    rows = {part.ref.part_id: part for part in opened.records_of(name)}
    after = change(before, name, rows)
    write_atomic(path, encode(after))
    for line in _tree(find_host(after, name), rows):
        click.echo(line)


def _read(path: Path) -> SlotRegistry:
    from schemas.codec import read_record
    from schemas.part import SlotRegistry

    return read_record(SlotRegistry, path)


def _full_id(text: str, known: list[str]) -> str:
    """The one object id that is `text` or begins with it. Raises PartNotFoundError, InputError when several do."""
    if text in known:
        return text
    found = [name for name in known if name.startswith(text)]
    if not found:
        raise PartNotFoundError(f"object {text!r} is not in the library")
    if len(found) > 1:
        raise InputError(f"{text!r} begins {len(found)} object ids: {', '.join(found[:3])}, ...")
    return found[0]


def _tree(entry: HostDefinition, records: Mapping[str, PartRecord]) -> list[str]:
    """One line a slot, children indented below what they hang from."""
    lines: list[str] = []

    def visit(parent: str | None, depth: int) -> None:
        for slot in entry.host.slots:
            if slot.hangs_from == parent:
                name = "  " * depth + slot.id
                share = slot.diagonal / entry.host.diagonal
                captions = "; ".join(records[ref.part_id].caption for ref in slot.parts if ref.part_id in records)
                parts = ",".join(ref.part_id for ref in slot.parts)
                lines.append(f"{name:<44} {slot.label:<36} {share:5.2f} D  [{parts}] {captions[:70]}")
                visit(slot.id, depth + 1)

    visit(None, 0)
    return lines
