"""Putting a piece back: where it must stand can be said beforehand for boxes."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import pytest

from engine.geometry.overlap import Placed
from engine.geometry.similarity import as_matrix
from engine.placement.attachment import Attachment, measure_attachment
from engine.placement.pose import GRID
from engine.placement.reattachment import fit_reattachment
from engine.placement.state import StateGeometry, build_state
from engine.surfaces import FloatArray
from schemas.placement import Limits, Placement, Rejection
from tests.engine.placement.placement_scenes import Size, box_mesh, library_part, placed_box

D = 4.0
STRICT, BASELINE = Limits(), Limits(mode="baseline")


def seen(_before: StateGeometry, _after: StateGeometry) -> float:
    """Everything can be seen."""
    return 0.1


def scene(support: Placed, **others: Placed) -> StateGeometry:
    """A wide floor slab 0.2 thick with its top at 0, something on it, and more; D is 4."""
    pieces = {"slab": (placed_box((3.0, 0.2, 3.0), (0.0, -0.1, 0.0)),), "support": (support,)}
    pieces.update({name: (part,) for name, part in others.items()})
    return build_state(pieces, D, -0.2, "slab")


def put_back(
    old: Placed, new: Placed, piece: Placed, limits: Limits = STRICT, **others: Placed
) -> tuple[Attachment, Placement | Rejection]:
    """Take `piece` off `old`, replace it by `new`, put the piece back."""
    attachment = measure_attachment(scene(old, piece=piece, **others), "piece", "support")
    assert isinstance(attachment, Attachment)
    record = library_part(box_mesh((0.5, 0.5, 0.5)), object_share=0.0).record
    return attachment, fit_reattachment(scene(new, **others), attachment, record, limits, seen)


def shift_of(result: Placement | Rejection) -> FloatArray:
    """How far the piece, which stood at the identity, was moved; it was neither turned nor scaled."""
    assert isinstance(result, Placement), result
    matrix = as_matrix(result.world_from_part)
    assert (matrix[:3, :3] == np.eye(3)).all()
    return np.asarray(matrix[:3, 3])


OLD = placed_box((1.0, 0.8, 1.0), (0.0, 0.4, 0.0))
CUBE = placed_box((0.2, 0.2, 0.2), (0.25, 0.9, -0.3))


def test_nothing_moves_on_an_unchanged_support() -> None:
    """The same support takes the piece where it was, to the bit."""
    attachment, result = put_back(OLD, OLD, CUBE)
    assert (shift_of(result) == 0.0).all()
    assert attachment.frame.kind == "rest"
    assert isinstance(result, Placement)
    assert result.report is not None
    assert (result.report.mode, result.report.support) == ("strict", 1.0)


@pytest.mark.parametrize(("size", "height"), [((1.0, 1.1, 1.0), 0.55), ((1.6, 0.5, 1.2), 0.25), ((0.8, 1.0, 0.7), 0.5)])
def test_a_resting_cube_goes_to_the_same_share_of_a_new_top(size: tuple[float, float, float], height: float) -> None:
    """On a taller, wider or smaller box the cube stands on top, at the same share of its width and depth."""
    _, result = put_back(OLD, placed_box(size, (0.0, height, 0.0)), CUBE)
    expected = (0.25 * (size[0] - 1.0), 2.0 * height - 0.8, -0.3 * (size[2] - 1.0))
    assert shift_of(result) == pytest.approx(np.array(expected), abs=2.0 * GRID * D)
    assert isinstance(result, Placement)
    assert result.report is not None
    assert result.report.sweep_rel < 1e-5
    assert result.report.support == 1.0


def test_a_cube_leaves_a_ledge_for_a_steady_place() -> None:
    """Where a ledge would carry little more than half of the base, the cube goes to the flat middle instead."""
    before = scene(OLD, piece=CUBE)
    attachment = measure_attachment(before, "piece", "support")
    assert isinstance(attachment, Attachment)
    record = library_part(box_mesh((0.5, 0.5, 0.5)), object_share=0.0).record
    for width, expected in ((0.06, (-0.25, 0.0, 0.3)), (0.14, (0.0, 0.05, 0.0))):
        ledge = placed_box((width, 0.05, 1.0), (0.25, 0.825, 0.0))
        pieces = {"slab": before.piece("slab"), "support": (OLD, ledge)}
        result = fit_reattachment(build_state(pieces, D, -0.2, "slab"), attachment, record, STRICT, seen)
        assert shift_of(result) == pytest.approx(np.array(expected), abs=2.0 * GRID * D)


def test_a_piece_near_an_edge_stays_over_the_new_support() -> None:
    """A cube flush with the edge of a large box stays flush with the edge of a small one."""
    cube = placed_box((0.2, 0.2, 0.2), (0.4, 0.9, 0.0))
    _, result = put_back(OLD, placed_box((0.5, 0.8, 0.5), (0.0, 0.4, 0.0)), cube)
    assert shift_of(result) == pytest.approx(np.array([0.25 - 0.5, 0.0, 0.0]), abs=2.0 * GRID * D)


def test_a_thing_on_a_wall_keeps_its_side() -> None:
    """A plaque on the front of a wall goes to the front of a thicker, wider one that stands further back."""
    wall, plaque = placed_box((2.0, 1.0, 0.2), (0.0, 0.5, 0.0)), placed_box((0.5, 0.3, 0.1), (0.5, 0.6, 0.15))
    attachment, result = put_back(wall, placed_box((2.4, 1.0, 0.5), (0.0, 0.5, -0.4)), plaque)
    assert attachment.frame.direction == "side"
    assert shift_of(result) == pytest.approx(np.array([0.1, 0.0, -0.25]), abs=2.0 * GRID * D)
    assert isinstance(result, Placement)
    assert result.contact is not None
    assert result.contact.normal[2] == pytest.approx(1.0)


def test_a_peg_is_let_in_as_deep_as_it_was_or_not_at_all() -> None:
    """A peg 0.12 deep in a wall goes as deep into the next where that is allowed; pulled out to 2 % it would fall."""
    wall, peg = placed_box((2.0, 1.0, 0.3), (0.0, 0.5, 0.0)), placed_box((0.1, 0.1, 0.6), (0.3, 0.5, 0.33))
    thicker = placed_box((2.0, 1.0, 0.5), (0.0, 0.5, 0.0))
    attachment, loose = put_back(wall, thicker, peg, BASELINE)
    assert attachment.frame.kind == "socket"
    assert attachment.depth == pytest.approx(0.12, rel=0.003)
    assert isinstance(loose, Placement)
    assert loose.report is not None
    assert loose.report.mode == "baseline"
    assert (
        loose.report.interpenetration == pytest.approx(attachment.baseline, abs=0.001) == pytest.approx(0.2, rel=0.01)
    )
    assert shift_of(loose) == pytest.approx(np.array([0.0, 0.0, 0.1]), abs=2.0 * GRID * D)
    _, strict = put_back(wall, thicker, peg, STRICT)
    assert isinstance(strict, Rejection)
    assert (strict.check, strict.limit) == ("interpenetration", STRICT.interpenetration)
    assert strict.measured is not None
    assert strict.measured > STRICT.interpenetration


def test_a_shallow_peg_is_pulled_no_further_than_it_holds() -> None:
    """A peg 0.02 deep (3 % of it) is pulled out by those 0.02, until it just touches the wall."""
    wall, peg = placed_box((2.0, 1.0, 0.3), (0.0, 0.5, 0.0)), placed_box((0.1, 0.1, 0.6), (0.3, 0.5, 0.43))
    _, result = put_back(wall, placed_box((2.0, 1.0, 0.4), (0.0, 0.5, 0.0)), peg)
    assert isinstance(result, Placement)
    assert result.report is not None
    assert result.report.mode == "pull"
    assert result.report.interpenetration < STRICT.interpenetration
    assert result.report.gap_rel == pytest.approx(0.0, abs=2.0 * GRID)
    assert result.report.pull_rel == pytest.approx(0.02 / D, rel=0.02)
    assert shift_of(result)[2] == pytest.approx(0.05 + result.report.pull_rel * D, rel=0.002)


def test_what_stands_on_the_floor_keeps_its_height() -> None:
    """A jug that stands beside the support and touches it is moved along the floor, however tall the new one is."""
    jug = placed_box((0.3, 0.5, 0.3), (0.65, 0.05, 0.0))
    crate, tall = placed_box((1.0, 1.0, 1.0), (0.0, 0.3, 0.0)), placed_box((1.4, 2.0, 1.2), (0.0, 0.8, 0.0))
    pieces = {"core": (placed_box((1.0, 1.0, 1.0), (0.0, 0.3, -1.0)),)}
    before = build_state({**pieces, "support": (crate,), "piece": (jug,)}, D, -0.2, "core")
    attachment = measure_attachment(before, "piece", "support")
    assert isinstance(attachment, Attachment)
    assert (attachment.seat, attachment.stands) == ("beside", True)
    record = library_part(box_mesh((0.5, 0.5, 0.5)), object_share=0.0).record
    after = build_state({**pieces, "support": (tall,)}, D, -0.2, "core")
    result = fit_reattachment(after, attachment, record, STRICT, seen)
    assert shift_of(result) == pytest.approx(np.array([0.2, 0.0, 0.0]), abs=2.0 * GRID * D)


def test_a_piece_among_walls_is_not_lifted_onto_them() -> None:
    """Under a shelf that nothing passes from above, a cube stays on the support below it."""
    shelf = placed_box((1.0, 0.1, 1.0), (0.0, 1.6, 0.0))
    post = placed_box((0.1, 1.65, 0.1), (1.0, 0.825, 0.0))
    arm = placed_box((1.0, 0.1, 0.1), (0.5, 1.6, 0.0))
    _, result = put_back(OLD, placed_box((1.0, 1.0, 1.0), (0.0, 0.5, 0.0)), CUBE, shelf=shelf, post=post, arm=arm)
    assert shift_of(result) == pytest.approx(np.array([0.0, 0.2, 0.0]), abs=2.0 * GRID * D)


class Motion(NamedTuple):
    """What is done to a whole scene: a quarter turn about Y, after a mirroring in X, after a scaling."""

    quarter: bool = False
    mirror: bool = False
    scale: float = 1.0

    def move(self, vector: FloatArray) -> FloatArray:
        """A position or a shift (3,) in the moved scene."""
        x, y, z = np.array(vector) * self.scale * (-1.0 if self.mirror else 1.0, 1.0, 1.0)
        return np.array([z, y, -x]) if self.quarter else np.array([x, y, z])

    def box(self, size: Size, centre: Size) -> Placed:
        """A box of the moved scene."""
        sides, middle = np.abs(self.move(np.array(size))).tolist(), self.move(np.array(centre)).tolist()
        return placed_box((sides[0], sides[1], sides[2]), (middle[0], middle[1], middle[2]))


@pytest.mark.parametrize(
    "motion",
    [Motion(quarter=True), Motion(mirror=True), Motion(scale=4.0), Motion(quarter=True, mirror=True, scale=0.5)],
)
def test_a_turned_mirrored_or_scaled_scene_gives_the_same_return(motion: Motion) -> None:
    """The shift turns, mirrors and scales with the scene, for a thing on top and for one on the side."""
    slab = ((3.0, 0.2, 3.0), (0.0, -0.1, 0.0))
    old, new = ((1.0, 0.8, 0.6), (0.0, 0.4, 0.0)), ((1.2, 1.0, 0.7), (0.1, 0.5, 0.05))
    for piece in (((0.2, 0.2, 0.1), (0.3, 0.9, -0.1)), ((0.1, 0.3, 0.2), (0.55, 0.5, 0.1))):
        plain, moved = (return_in(how, slab, old, new, piece) for how in (Motion(), motion))
        assert moved == pytest.approx(motion.move(plain), abs=2.0 * GRID * D * motion.scale)
        assert float(np.abs(plain).max()) > 0.05


def return_in(motion: Motion, *boxes: tuple[Size, Size]) -> FloatArray:
    """The shift of the last box from the second to the third, all standing on the first."""
    slab, old, new, piece = (motion.box(*box) for box in boxes)
    before = {"slab": (slab,), "support": (old,), "piece": (piece,)}
    after = {"slab": (slab,), "support": (new,)}
    states = [build_state(pieces, D * motion.scale, -0.2 * motion.scale, "slab") for pieces in (before, after)]
    attachment = measure_attachment(states[0], "piece", "support")
    assert isinstance(attachment, Attachment)
    record = library_part(box_mesh((0.5, 0.5, 0.5)), object_share=0.0).record
    return shift_of(fit_reattachment(states[1], attachment, record, STRICT, seen))


def test_what_the_new_support_cannot_carry_is_refused() -> None:
    """A piece too wide for it, and one whose place is taken by a neighbour, are refused by name."""
    wide = placed_box((0.9, 0.2, 0.9), (0.0, 0.9, 0.0))
    _, result = put_back(OLD, placed_box((0.5, 0.8, 0.5), (0.0, 0.4, 0.0)), wide)
    assert isinstance(result, Rejection)
    assert result.check == "size"
    assert result.measured == pytest.approx(0.4 / D)
    taller = placed_box((1.0, 1.2, 1.0), (0.0, 0.6, 0.0))
    ceiling = placed_box((3.0, 0.4, 3.0), (0.0, 1.45, 0.0))
    post = placed_box((0.1, 1.3, 0.1), (1.2, 0.65, 0.0))
    _, blocked = put_back(OLD, taller, CUBE, ceiling=ceiling, post=post)
    assert isinstance(blocked, Rejection)
    assert blocked.check == "interpenetration"


def test_a_piece_that_does_not_touch_its_support_has_no_attachment() -> None:
    """What floats beside the support, or stands in several parts, cannot be put back by contact."""
    away = measure_attachment(scene(OLD, piece=placed_box((0.2, 0.2, 0.2), (0.9, 0.1, 0.0))), "piece", "support")
    assert isinstance(away, Rejection)
    assert away.check == "frame"
    pieces = {"slab": (placed_box((3.0, 0.2, 3.0), (0.0, -0.1, 0.0)),), "support": (OLD,), "piece": (CUBE, CUBE)}
    several = measure_attachment(build_state(pieces, D, -0.2, "slab"), "piece", "support")
    assert isinstance(several, Rejection)
    assert several.check == "geometry"


def test_what_nobody_would_see_is_refused() -> None:
    """The last check is that the return can be seen."""
    attachment = measure_attachment(scene(OLD, piece=CUBE), "piece", "support")
    assert isinstance(attachment, Attachment)
    record = library_part(box_mesh((0.5, 0.5, 0.5)), object_share=0.0).record
    result = fit_reattachment(scene(OLD), attachment, record, STRICT, lambda _before, _after: 0.001)
    assert isinstance(result, Rejection)
    assert (result.check, result.measured) == ("visible", 0.001)
