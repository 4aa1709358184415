"""The check of passes by independent rays: it is quiet on right ones and fires on every kind of wrong one."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from render_shapes import box, card, encoded, front_camera, piece, unlit
from test_passes import busy_scene

from engine.framing import Camera, camera_of, frame_states
from engine.gltf.document import read_document
from engine.gltf.parts import read_part
from engine.render.mask_check import check_passes, choose_samples, find_disagreements
from engine.render.passes import NOTHING, SlotMask, ViewPasses, render_passes
from engine.render.scene import RenderPiece, RenderScene, build_scene, world_points
from engine.render.witness import build_witness
from engine.surfaces import TextureSlot
from schemas.errors import MaskMismatchError

SIZE = 128
NO_MASK = SlotMask(0, 0, np.zeros((0, 0), dtype=bool))


def table_scene() -> tuple[RenderScene, Camera]:
    """A board on two legs with a small ball-sized box on it, and one box inside the board."""
    pieces = [
        piece("board", box((-1.0, 0.5, -0.6), (1.0, 0.7, 0.6))),
        piece("leg_a", box((-0.9, 0.0, -0.5), (-0.7, 0.5, 0.5))),
        piece("leg_b", box((0.7, 0.0, -0.5), (0.9, 0.5, 0.5))),
        piece("crumb", box((0.1, 0.7, 0.1), (0.14, 0.74, 0.14))),
        piece("core", box((-0.2, 0.55, -0.2), (0.2, 0.65, 0.2))),
    ]
    rig = frame_states([points for item in pieces for points in world_points(item)])
    return build_scene(pieces), camera_of(rig, 0)


def test_right_passes_are_confirmed() -> None:
    """Boxes through one another, glass and cut-outs: no sample counts against the passes."""
    for scene, camera in (table_scene(), busy_scene()):
        found = render_passes(scene, camera, SIZE)
        assert len(choose_samples(found, scene, camera)) > 4000
        check_passes(found, scene, camera)


def test_every_slot_is_asked() -> None:
    """Each slot's visible and unoccluded pixels are among the samples, also those of a crumb."""
    scene, camera = table_scene()
    found = render_passes(scene, camera, SIZE)
    asked = np.zeros(SIZE * SIZE, dtype=bool)
    asked[choose_samples(found, scene, camera)] = True
    for slot, mask in enumerate(found.amodal):
        for picture in (found.visible(slot), mask.expand(SIZE)):
            pixels = int(picture.sum())
            assert asked.reshape(SIZE, SIZE)[picture].sum() >= min(pixels, 16)


def corrupted_ids(right: ViewPasses) -> ViewPasses:
    """The ids of 8 by 8 pixels in the middle of the board are a leg's."""
    ids = right.ids.copy()
    rows, columns = np.nonzero(ids == right.slots.index("board"))
    row, column = int(np.median(rows)), int(np.median(columns))
    ids[row - 4 : row + 4, column - 4 : column + 4] = right.slots.index("leg_b")
    return replace(right, ids=ids)


def shifted_picture(right: ViewPasses) -> ViewPasses:
    """Everything stands one pixel too far to the right."""
    amodal = tuple(replace(mask, left=mask.left + 1) for mask in right.amodal)
    return replace(right, ids=np.roll(right.ids, 1, axis=1), depth=np.roll(right.depth, 1, axis=1), amodal=amodal)


def shifted_mask(right: ViewPasses) -> ViewPasses:
    """One mask stands one pixel too low."""
    slot = right.slots.index("core")
    amodal = [replace(mask, top=mask.top + (index == slot)) for index, mask in enumerate(right.amodal)]
    return replace(right, amodal=tuple(amodal))


def swapped_slots(right: ViewPasses) -> ViewPasses:
    """The names of two slots are exchanged, in every pass."""
    order = [{1: 3, 3: 1}.get(slot, slot) for slot in range(len(right.slots))]
    table = np.array([*order, NOTHING], dtype=np.int32)
    return replace(right, ids=table[right.ids], amodal=tuple(right.amodal[slot] for slot in order))


def missing_crumb(right: ViewPasses) -> ViewPasses:
    """A piece of a few pixels is lacking, as if it had never been there; only its name is left."""
    scene, camera = table_scene()
    slot = right.slots.index("crumb")
    less = render_passes(RenderScene(tuple(p for p in scene.pieces if p.slot != "crumb")), camera, SIZE)
    ids = np.where(less.ids >= slot, less.ids + 1, less.ids).astype(np.int32)
    amodal = (*less.amodal[:slot], NO_MASK, *less.amodal[slot:])
    return replace(right, ids=ids, depth=less.depth, amodal=amodal)


def nearer_depth(right: ViewPasses) -> ViewPasses:
    """All depths are a thousandth too small."""
    return replace(right, depth=right.depth * 0.999)


def depth_of_nothing(right: ViewPasses) -> ViewPasses:
    """Empty pixels have a depth."""
    return replace(right, depth=np.where(right.ids == NOTHING, 1.0, right.depth))


@pytest.mark.parametrize(
    ("corrupt", "blamed"),
    [
        (corrupted_ids, {"leg_b"}),
        (shifted_picture, {"board", "leg_a", "leg_b", "crumb", "core"}),
        (shifted_mask, {"core"}),
        (swapped_slots, {"core", "leg_a"}),
        (missing_crumb, {"board"}),
        (nearer_depth, {"board", "leg_a", "leg_b", "crumb"}),
        (depth_of_nothing, {"board"}),
    ],
)
def test_wrong_passes_are_refused(corrupt: Callable[[ViewPasses], ViewPasses], blamed: set[str]) -> None:
    """Each kind of damage raises an error that names view, slot and pixel."""
    scene, camera = table_scene()
    right = render_passes(scene, camera, SIZE)
    with pytest.raises(
        MaskMismatchError, match=r"chain c: turn 3: view 2: slot '\w+' at column \d+, row \d+"
    ) as caught:
        check_passes(corrupt(right), scene, camera, "chain c: turn 3: view 2")
    assert caught.value.slot in blamed


def test_passes_of_another_state_are_refused() -> None:
    """A piece too few, and the same names with one piece moved."""
    scene, camera = table_scene()
    fewer = render_passes(RenderScene(scene.pieces[:-1]), camera, SIZE)
    with pytest.raises(MaskMismatchError, match="not in both"):
        check_passes(fewer, scene, camera)
    moved = build_scene(
        [piece(item.slot, box(*corners(item.box))) for item in scene.pieces if item.slot != "crumb"]
        + [piece("crumb", box((0.2, 0.7, 0.1), (0.24, 0.74, 0.14)))]
    )
    with pytest.raises(MaskMismatchError, match="crumb"):
        check_passes(render_passes(scene, camera, SIZE), moved, camera)


def corners(limits: np.ndarray) -> tuple[tuple[float, float, float], tuple[float, float, float]]:
    """Both corners of a box as tuples."""
    (a, b, c), (d, e, f) = limits.tolist()
    return (a, b, c), (d, e, f)


def test_coincident_surfaces_are_excused_either_way() -> None:
    """Of two cards in one plane either may have the id; a third behind them may not."""
    scene, camera = build_scene([piece("a", card()), piece("b", card()), piece("c", card(z=-0.1))]), front_camera()
    right = render_passes(scene, camera, 32)
    check_passes(replace(right, ids=np.full_like(right.ids, 1)), scene, camera)
    with pytest.raises(MaskMismatchError, match="the id says 'c', a ray finds 'a'"):
        check_passes(replace(right, ids=np.full_like(right.ids, 2)), scene, camera)


def test_a_shared_witness_and_a_new_one_say_the_same() -> None:
    """Building the witness once for all views changes nothing."""
    scene, camera = busy_scene()
    wrong = replace(render_passes(scene, camera, 64), depth=np.full((64, 64), np.inf))
    found = find_disagreements(wrong, scene, camera)
    assert found == find_disagreements(wrong, scene, camera, build_witness(scene))
    assert len(found) > 100


def test_holes_of_a_cut_out_are_seen_by_the_witness() -> None:
    """A mask that forgets the holes of a leaf is refused."""
    image = np.full((4, 4, 4), 255, dtype=np.uint8)
    image[1::2, ::2, 3] = 0
    leaf = replace(unlit(1, 1, 1), base_color=TextureSlot(encoded(image), nearest=True), alpha_mode="MASK")
    scene, camera = build_scene([piece("leaf", card(leaf))]), front_camera()
    right = render_passes(scene, camera, 64)
    check_passes(right, scene, camera)
    with pytest.raises(MaskMismatchError, match="the unoccluded mask says yes"):
        check_passes(replace(right, amodal=(SlotMask(0, 0, np.ones((64, 64), dtype=bool)),)), scene, camera)


def test_real_objects_are_confirmed(data_dir: Path) -> None:
    """Objects with all their parts, from two sides: no sample counts."""
    objects = sorted((data_dir / "partverse_dev" / "textured_part_glbs").iterdir())[::18]
    parts_seen = 0
    for folder in objects:
        pieces = [
            RenderPiece(f"s{number:03}", read_part(read_document(file), None).surfaces)
            for number, file in enumerate(sorted(folder.glob("*.glb")))
        ]
        rig = frame_states([points for item in pieces for points in world_points(item)])
        scene = build_scene(pieces)
        witness = build_witness(scene)
        for view in (0, 2):
            camera = camera_of(rig, view)
            found = render_passes(scene, camera, 160)
            check_passes(found, scene, camera, str(folder), witness)
            parts_seen += len(np.unique(found.ids)) - 1
    assert parts_seen > 20
