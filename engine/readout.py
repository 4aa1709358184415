"""Readouts of a chain's states: cast, checked by independent rays, and only then written."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from chains.slot_numbers import number_slots
from chains.state import check_turn, state_at
from chains.storage import write_atomic, writer_lock
from engine.framing import camera_of, frame_states
from engine.picture import Pictures
from engine.render.mask_check import check_passes
from engine.render.passes import render_passes
from engine.render.readout import draw_view_files, measure_view
from engine.render.scene import build_scene, world_points
from engine.render.witness import build_witness
from engine.replay import Replayer
from schemas.chain import Chain, Rig
from schemas.codec import encode
from schemas.readout import Readout, SlotLabel

READOUT_FILE = "readout.json"
_PICTURE = re.compile(r"(ids|alpha)_[0-9]+\.png|(depth|normals)_[0-9]+\.exr")


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
            (folder / READOUT_FILE).unlink(missing_ok=True)
            for path in sorted(folder.iterdir()):
                if _PICTURE.fullmatch(path.name) and path.name not in self.pictures:
                    path.unlink()
            for name, data in sorted(self.pictures.items()):
                write_atomic(folder / name, data)
            write_atomic(folder / READOUT_FILE, encode(self.record))


def read_out_state(path: Path, library: Path, turn: int, views: Sequence[int], size: int) -> ReadoutFiles:
    """Read off the state after a turn of a chain file in some of its rig's views, `size` pixels on a side.

    A chain without a rig is framed by all its states. Raises InputError for a turn, view or part that does not exist,
    ReplayError when the state is not the logged one, MaskMismatchError when independent rays contradict a view.
    """
    replayer = Replayer(path, library)
    chain = replayer.chain
    check_turn(chain, turn)
    state = state_at(chain, turn)
    replayer.check_state(turn, state)
    pictures = Pictures(library)
    (frame,) = pictures.frames(path, chain, (turn,))
    rig = chain.rig or _fit_rig(pictures, path, chain)
    scene = build_scene(frame.pieces)
    witness = build_witness(scene)
    known = number_slots(chain)
    numbers = [known[slot] for slot in scene.slots]
    records, files = [], {}
    for view in views:
        camera = camera_of(rig, view)
        passes = render_passes(scene, camera, size)
        check_passes(passes, scene, camera, f"{path}: turn {turn}: view {view}", witness)
        record = measure_view(passes, camera, view, numbers)
        records.append(record)
        files.update(draw_view_files(passes, record, numbers))
    labels = [SlotLabel(id=known[piece.slot], slot=piece.slot, label=piece.label) for piece in state.pieces]
    readout = Readout(
        chain=chain.id,
        turn=turn,
        state_sha256=state.sha256,
        resolution_px=size,
        slots=tuple(sorted(labels, key=lambda label: label.id)),
        views=tuple(records),
    )
    return ReadoutFiles(readout, files)


def _fit_rig(pictures: Pictures, path: Path, chain: Chain) -> Rig:
    """Frame all states of a chain."""
    frames = pictures.frames(path, chain)
    return frame_states(points for frame in frames for piece in frame.pieces for points in world_points(piece))
