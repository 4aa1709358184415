"""Readouts of a chain's states: cast, checked by independent rays, and only then written."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from chains.files import READOUT_FILE
from chains.slot_numbers import number_slots
from chains.state import State, check_turn, state_at
from chains.storage import make_folder, remove_others, write_atomic, writer_lock
from engine.framing import Camera, camera_of
from engine.pictures.camera_search import fit_rig
from engine.pictures.pieces import StatePieces
from engine.render.mask_check import check_passes
from engine.render.passes import render_passes
from engine.render.raycast import Picture
from engine.render.readout import draw_view_files, measure_view
from engine.render.scene import RenderScene, build_scene
from engine.render.witness import build_witness
from engine.replay import Replayer
from schemas.chain import Chain
from schemas.codec import encode
from schemas.readout import Readout, SlotLabel

_OURS = re.compile(r"(?:ids|alpha)_[0-9]+\.png|(?:depth|normals)_[0-9]+\.exr|readout\.json")


@dataclass(frozen=True, slots=True)
class ReadoutFiles:
    """A readout and its pictures, not yet written."""

    record: Readout
    pictures: dict[str, bytes]
    """Encoded, by file name."""

    def write(self, folder: Path) -> None:
        """Write pictures and, last of all, the record; pictures of an earlier readout in the folder go.

        Raises LockedError when another process writes there, OutputError naming what cannot be written.
        """
        with writer_lock(folder):
            self.write_locked(folder)

    def write_locked(self, folder: Path) -> None:
        """Do the same where the caller holds the lock of the folder or of one above it."""
        make_folder(folder)
        remove_others(folder, _OURS, set(self.pictures))
        for name, data in sorted(self.pictures.items()):
            write_atomic(folder / name, data)
        write_atomic(folder / READOUT_FILE, encode(self.record))


def read_out_state(path: Path, library: Path, turn: int, views: Sequence[int], size: int | None = None) -> ReadoutFiles:
    """Read off the state after a turn of a chain file in some views of its rig; `size` pixels a side, else as it has.

    A chain without a rig is framed by all its states. Raises InputError for a turn, view or part that does not exist,
    ReplayError when the state is not the logged one, MaskMismatchError when independent rays contradict a view.
    """
    replayer = Replayer(path, library)
    chain = replayer.chain
    check_turn(chain, turn)
    state = state_at(chain, turn)
    replayer.check_state(turn, state)
    pieces = StatePieces(replayer.assembler, str(path))
    rig = chain.rig or fit_rig(chain, pieces)
    cameras = {view: camera_of(rig, view) for view in views}
    scene = build_scene(pieces.of(turn, state))
    return read_out_scene(
        StateAt(chain, turn, state), scene, cameras, size or rig.resolution_px, f"{path}: turn {turn}"
    )


class StateAt(NamedTuple):
    """A state and where in a chain it stands."""

    chain: Chain
    turn: int
    state: State


def read_out_scene(
    at: StateAt,
    scene: RenderScene,
    cameras: Mapping[int, Camera],
    size: int,
    where: str,
    pictures: Mapping[int, Picture] | None = None,
) -> ReadoutFiles:
    """Read a state's scene off through cameras by view; `where` begins the message of a MaskMismatchError.

    pictures: the metric images by view where they are drawn already; their alpha is the coverage then.
    """
    witness = build_witness(scene)
    known = number_slots(at.chain)
    numbers = [known[slot] for slot in scene.slots]
    records, files = [], {}
    for view, camera in cameras.items():
        alpha = pictures[view][..., 3] if pictures and view in pictures else None
        passes = render_passes(scene, camera, size, alpha)
        check_passes(passes, scene, camera, f"{where}: view {view}", witness)
        record = measure_view(passes, camera, view, numbers)
        records.append(record)
        files.update(draw_view_files(passes, record, numbers))
    labels = [SlotLabel(id=known[piece.slot], slot=piece.slot, label=piece.label) for piece in at.state.pieces]
    readout = Readout(
        chain=at.chain.id,
        turn=at.turn,
        state_sha256=at.state.sha256,
        resolution_px=size,
        slots=tuple(sorted(labels, key=lambda label: label.id)),
        views=tuple(records),
    )
    return ReadoutFiles(readout, files)
