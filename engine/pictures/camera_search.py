"""The direction of the conditioning view: the one whose worst turn shows most of what it edits.

For each turn 512 points of the edited piece's surface are looked at, before and after, from every candidate direction.
The visible area, projected on the plane through the object's centre, over the area of the frame there estimates the
share of the picture the edit changes. A direction is worth what its worst turn is; the default direction has a small
advantage, so that chains turn only for a reason.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from chains.state import states_of
from engine.framing import Camera, frame_states, orbit_camera
from engine.geometry.sampling import sample_surface
from engine.pictures.pieces import StatePieces
from engine.render.casting import find_seen
from engine.render.scene import PieceCache, PreparedPiece, RenderPiece, world_points
from engine.surfaces import FloatArray
from schemas.chain import (
    DEFAULT_AZIMUTH_DEG,
    DEFAULT_RESOLUTION_PX,
    CameraSearch,
    Chain,
    DirectionValue,
    Rig,
    SearchMode,
)

POINTS = 512
"""Surface points looked at of the edited piece in each state."""
SAMPLE_SEED = 31_337
DEFAULT_BONUS = 1.05
HIDDEN_REL = 1e-4
"""A point is seen when nothing lies in front of it by more than this share of the sphere's radius."""


class EditedTurn(NamedTuple):
    """The states around one turn, and the slot it edits."""

    slot: str
    before: Sequence[RenderPiece]
    after: Sequence[RenderPiece]


class _Cloud(NamedTuple):
    """Points of the edited piece in one state."""

    points: FloatArray
    """(N, 3) world."""
    normals: FloatArray
    """(N, 3) world, unit."""
    area_each: float


def fit_rig(
    chain: Chain, pieces: StatePieces, mode: SearchMode = "quarters", resolution_px: int = DEFAULT_RESOLUTION_PX
) -> Rig:
    """Frame all states of a chain and choose the direction of view 0.

    Raises InputError when a part, an asset or a texture cannot be read, or there is nothing to frame.
    """
    states = [pieces.of(number, state) for number, state in states_of(chain)]
    distinct = {id(piece): piece for state in states for piece in state}
    rig = frame_states((points for piece in distinct.values() for points in world_points(piece)), resolution_px)
    turns = [
        EditedTurn(turn.operation.slot, before, after)
        for turn, before, after in zip(chain.turns, states[:-1], states[1:], strict=True)
    ]
    return search_camera(rig, turns, mode)


def search_camera(rig: Rig, turns: Sequence[EditedTurn], mode: SearchMode = "quarters") -> Rig:
    """Turn a rig so that view 0 looks from the best direction, and record what was found.

    The other views stay 90 degrees apart. Without turns the rig keeps the default direction. Raises InputError when a
    texture that decides what is transparent cannot be decoded.
    """
    azimuths = list_directions(mode)
    cameras = [orbit_camera(rig, azimuth, rig.elevation_deg) for azimuth in azimuths]
    cache = PieceCache()
    estimates = [estimate_turn(turn, cameras, rig, cache) for turn in turns]
    directions = tuple(_judge_direction(azimuth, column) for azimuth, column in _columns(azimuths, estimates))
    chosen = max(range(len(azimuths)), key=lambda k: (directions[k].value * (DEFAULT_BONUS if k == 0 else 1.0), -k))
    return rig.model_copy(
        update={
            "azimuths_deg": tuple((azimuths[chosen] + 90.0 * view) % 360.0 for view in range(4)),
            "search": CameraSearch(mode=mode, points=POINTS, directions=directions),
        }
    )


def list_directions(mode: SearchMode) -> tuple[float, ...]:
    """Candidate azimuths in degrees, the default first: every 90, or every 15."""
    step = 90.0 if mode == "quarters" else 15.0
    return tuple((DEFAULT_AZIMUTH_DEG + step * k) % 360.0 for k in range(int(360.0 / step)))


def estimate_turn(turn: EditedTurn, cameras: Sequence[Camera], rig: Rig, cache: PieceCache) -> tuple[float, ...]:
    """The share of the frame in which a turn's edit shows, for each camera.

    Of a piece that stands in both states the larger picture counts: most of the smaller one lies behind it.
    """
    shares = [0.0] * len(cameras)
    for state in (turn.before, turn.after):
        prepared = [cache.prepare(piece) for piece in state]
        cloud = _sample_edited([piece for piece in prepared if piece.slot == turn.slot])
        if cloud is not None:
            seen = [_measure_share(cloud, prepared, camera, rig) for camera in cameras]
            shares = [max(pair) for pair in zip(shares, seen, strict=True)]
    return tuple(shares)


def _sample_edited(pieces: Sequence[PreparedPiece]) -> _Cloud | None:
    corners = np.concatenate([np.zeros((0, 3, 3)), *(piece.corners[piece.ray_triangles] for piece in pieces)])
    if len(corners) == 0:
        return None
    faces = np.arange(3 * len(corners), dtype=np.int64).reshape(-1, 3)
    found = sample_surface(corners.reshape(-1, 3), faces, POINTS, SAMPLE_SEED)
    return _Cloud(found.points, found.normals, found.area_each)


def _measure_share(cloud: _Cloud, state: Sequence[PreparedPiece], camera: Camera, rig: Rig) -> float:
    """Projected area of the points that are seen, over the area of the frame at the object's centre.

    Both sides of a face are drawn, so both count; the far side of a closed piece is hidden by its near side.
    """
    seen = find_seen(state, camera, cloud.points, HIDDEN_REL * rig.radius)
    offset = cloud.points[seen] - np.array(camera.position)
    squares = offset[:, 0] * offset[:, 0] + offset[:, 1] * offset[:, 1] + offset[:, 2] * offset[:, 2]
    normals = cloud.normals[seen]
    along = normals[:, 0] * offset[:, 0] + normals[:, 1] * offset[:, 1] + normals[:, 2] * offset[:, 2]
    # area cos(theta) (d_object / d_point)^2 over (2 d_object tan_half)^2: the object's distance cancels.
    shares = np.abs(along) / (squares * np.sqrt(squares))
    total = 0.0
    for share in shares.tolist():
        total += share
    return total * cloud.area_each / (4.0 * camera.tan_half * camera.tan_half)


def _columns(
    azimuths: Sequence[float], estimates: Sequence[tuple[float, ...]]
) -> Iterator[tuple[float, tuple[float, ...]]]:
    for place, azimuth in enumerate(azimuths):
        yield azimuth, tuple(turn[place] for turn in estimates)


def _judge_direction(azimuth: float, shares: tuple[float, ...]) -> DirectionValue:
    """A direction with its worst turn; of equally bad ones the first."""
    worst = min(range(len(shares)), key=lambda turn: (shares[turn], turn), default=None)
    return DirectionValue(
        azimuth_deg=azimuth,
        value=0.0 if worst is None else shares[worst],
        worst_turn=None if worst is None else worst + 1,
        turns=shares,
    )
