"""Judging pages: what a judge sees, and what the pages must not say."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from PIL import Image
from render_shapes import box, piece

from engine.framing import Sphere, orbit_camera, rig_of_sphere
from engine.render import judge
from engine.render.creases import measure_creases, shade_creases
from engine.render.judge import draw_judge_cell, draw_judge_page, page_name
from engine.render.judge_views import COMPASS_AT, JudgeCase, draw_compass, draw_views
from engine.render.page import HOST_COLOR, wrap_text
from engine.render.scene import RenderPiece
from engine.render.sheet import SheetFrame
from engine.surfaces import Material

GREY = Material(base_color_factor=(0.4, 0.4, 0.4, 1), metallic=0.0)
RED = Material(base_color_factor=(1, 0, 0, 1), metallic=0.0)
BODY = piece("body", box((-1, -1, -1), (1, 1, 1), GREY))
SIZE = 120


def added(body: RenderPiece = BODY, lift: float = 0.0) -> JudgeCase:
    """A red block put on top of the body, `lift` above it."""
    hat = piece("hat", box((-0.2, 1 + lift, -0.2), (0.2, 1.4 + lift, 0.2), RED))
    return JudgeCase((body,), SheetFrame((body, hat), "hat", "Put a red block on top.", "add", 1))


def removed() -> JudgeCase:
    """The same block taken away."""
    case = added()
    return JudgeCase(case.frame.pieces, SheetFrame((BODY,), "hat", "Take the red block away.", "remove", 2))


def red_pixels(picture: np.ndarray) -> np.ndarray:
    """Where a picture is red."""
    color = picture.astype(int)
    return np.asarray((color[..., 0] > 1.8 * color[..., 1]) & (color[..., 1] < 120))


@pytest.fixture(autouse=True)
def small_pictures(monkeypatch: pytest.MonkeyPatch) -> None:
    """Pages of small pictures are drawn as large ones are."""
    monkeypatch.setattr(judge, "PICTURE_PX", SIZE)


def test_pages_are_numbered_and_hold_every_case(tmp_path: Path) -> None:
    """A page is named by its first case; a removal of everything still has its before picture."""
    alone = piece("hat", box((-0.5, 1, -0.5), (0.5, 2, 0.5), GREY))
    gone = JudgeCase((alone,), SheetFrame((), "hat", "Take it away.", "remove", 1))
    paths = [
        draw_judge_page([added(), removed(), added()], 1, "Turns to judge", tmp_path, rows_per_page=3),
        draw_judge_page([gone], 4, "Turns to judge", tmp_path, rows_per_page=3),
    ]
    assert [path.name for path in paths] == ["judge_001.png", "judge_002.png"]
    assert [page_name(number, 3) for number in (1, 3, 4)] == ["judge_001.png", "judge_001.png", "judge_002.png"]
    sizes = []
    for path in paths:
        with Image.open(path) as page:
            sizes.append(page.size)
    assert sizes[0][0] == sizes[1][0]
    assert sizes[0][1] > 2 * sizes[1][1]


def test_a_page_is_no_wider_than_a_screen_can_show() -> None:
    """Five pictures of 356 pixels and the margins stay within 1,900."""
    assert 5 * 356 + 4 * judge.GAP_PX + 2 * judge.PAD_PX + 2 * judge.MARGIN_PX <= 1900


def test_a_cell_says_only_number_operation_and_instruction() -> None:
    """Cells of the same turn under another turn number and slot name are the same picture."""
    case = added()
    hat = case.frame.pieces[1]
    renamed = RenderPiece("zz_add07", hat.surfaces, hat.matrix)
    other = JudgeCase(case.before, replace(case.frame, pieces=(BODY, renamed), edited="zz_add07", index=7))
    one, two = (np.asarray(draw_judge_cell(each, 4)) for each in (case, other))
    assert (one == two).all()
    assert (one != np.asarray(draw_judge_cell(case, 5))).any()


def test_long_instructions_are_not_cut() -> None:
    """Forty words fit the row at its real width."""
    width = 2 * judge.PAD_PX + 5 * 356 + 4 * judge.GAP_PX
    words = " ".join(["wonderful"] * 40)
    room = width - judge.PAD_PX - 200
    assert len(wrap_text(words, room, judge.TEXT_PX).lines) > 1
    assert not wrap_text(words, room, judge.SMALL_TEXT_PX, 2).lines[-1].endswith("...")


def test_close_ups_are_closer_and_from_two_sides() -> None:
    """The part fills far more of both close-ups after, is not in those before, and shows another outline aside."""
    views = draw_views(added(), SIZE)
    counts = [int(red_pixels(view).sum()) for view in views]
    assert counts[0] == counts[2] == 0
    assert counts[3] > 3 * counts[1] > 0
    assert counts[4] > 3 * counts[1]
    assert (red_pixels(views.close_after) != red_pixels(views.close_aside)).any()


def test_a_removal_shows_what_goes() -> None:
    """Both the close-up before and the one aside show the part, the one after does not."""
    views = draw_views(removed(), SIZE)
    assert red_pixels(views.close_before).sum() > 100
    assert red_pixels(views.close_aside).sum() > 100
    assert red_pixels(views.close_after).sum() == 0


def test_a_floating_part_shows_air_below_it_from_the_side() -> None:
    """In the low close-up stage shows between a floating block and the post under it, and none under a standing one."""
    post = piece("body", box((-0.25, -1, -0.25), (0.25, 1, 0.25), GREY))
    gaps = []
    for lift in (0.0, 0.15):
        aside = draw_views(added(post, lift), 2 * SIZE).close_aside
        red = red_pixels(aside)
        middle = int(np.median(np.flatnonzero(red.any(axis=0))))
        below = aside[int(np.flatnonzero(red[:, middle]).max()) + 2 :, middle].astype(int)
        gaps.append(int((below[:6].min(axis=1) > 190).sum()))
    assert gaps[0] == 0
    assert gaps[1] >= 2


def test_creases_darken_where_surfaces_meet_and_nowhere_else() -> None:
    """A tilted plane stays as it is, a valley gets shade, a wall far behind a near edge does not."""
    rows = np.repeat(np.arange(40.0)[:, None], 40, axis=1)
    assert measure_creases(100.0 - 0.7 * rows, 1.0).max() == 0.0
    valley = measure_creases(100.0 - np.abs(rows - 20.0), 1.0)
    assert valley[20, 20] > 0.3
    assert valley[20, 20] == valley.max()
    assert valley[3, 20] == 0.0
    assert measure_creases(np.where(rows < 20, 10.0, 100.0), 1.0).max() == 0.0
    assert measure_creases(np.full((8, 8), np.inf), 1.0).max() == 0.0
    grey = np.full((40, 40, 3), 200, dtype=np.uint8)
    shaded = shade_creases(grey, 100.0 - np.abs(rows - 20.0), 1.0)
    assert shaded[20, 20, 0] < 180
    assert shaded[3, 20, 0] == 200


def test_the_compass_points_to_the_front() -> None:
    """Seen from the front and the left side the arrow points down left, from behind up right, from the front down."""
    rig = rig_of_sphere(Sphere((0.0, 0.0, 0.0), 1.0))
    plain = np.full((SIZE, SIZE, 3), 240, dtype=np.uint8)
    tips = []
    for azimuth, elevation in ((35.0, 25.0), (215.0, 8.0), (0.0, 25.0)):
        drawn = draw_compass(plain, orbit_camera(rig, azimuth, elevation)).astype(int)
        card = drawn[SIZE - COMPASS_AT - 20 : SIZE - COMPASS_AT + 13, COMPASS_AT - 26 : COMPASS_AT + 27]
        rows, columns = np.nonzero(np.abs(card - np.array(HOST_COLOR)).max(axis=-1) < 12)
        # The head is the wide end: most ink lies towards it.
        tips.append((float(rows.mean()) - 20.0, float(columns.mean()) - 26.0))
    (down, left), (up, right), (below, middle) = tips
    assert down > 0 > left
    assert up < 0 < right
    assert below > abs(middle) * 3
