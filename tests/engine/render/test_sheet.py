"""Contact sheets and judging pages."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from PIL import Image
from render_shapes import box, piece

from engine.render.contour import Stroke, draw_contour
from engine.render.page import OPERATION_COLORS
from engine.render.sheet import SheetFrame, Studio, choose_columns, draw_sheet, frame_sphere
from engine.surfaces import Material
from schemas.errors import InputError

GREY = Material(base_color_factor=(0.4, 0.4, 0.4, 1), metallic=0.0)
BODY = piece("body", box((-1, -1, -1), (1, 1, 1), GREY))
HAT = piece("hat", box((-0.5, 1, -0.5), (0.5, 2, 0.5), GREY))
BACK = piece("back", box((-0.5, -0.5, -1.4), (0.5, 0.5, -1), GREY))


def frames() -> list[SheetFrame]:
    """Make a host and two turns."""
    return [
        SheetFrame((BODY,), None, "A plain block.", None, 0),
        SheetFrame((BODY, HAT), "hat", "Put a small block on top of the big one.", "add", 1),
        SheetFrame((BODY,), "hat", "Take the small block away.", "remove", 2),
    ]


def read_page(path: Path) -> np.ndarray:
    """Decode a written page."""
    with Image.open(path) as image:
        return np.asarray(image)


def near(picture: np.ndarray, color: tuple[int, int, int]) -> int:
    """How many pixels have almost this colour."""
    return int((np.abs(picture.astype(int) - np.array(color)).max(axis=-1) <= 12).sum())


@pytest.mark.parametrize(("op", "index"), [("add", 1), ("remove", 2)])
def test_the_edited_part_is_outlined(op: str, index: int) -> None:
    """The outline has the operation's colour, stays off the other operations' colours, and surrounds the part."""
    all_frames = frames()
    studio = Studio(frame_sphere([frame.pieces for frame in all_frames]), 120)
    picture = studio.draw_state(all_frames[index - 1].pieces, all_frames[index])
    assert near(picture, OPERATION_COLORS[op]) > 40
    assert sum(near(picture, color) for name, color in OPERATION_COLORS.items() if name != op) == 0
    assert near(studio.draw_state((), all_frames[0]), OPERATION_COLORS[op]) == 0


def test_removed_parts_are_not_drawn_and_dashed() -> None:
    """The outline of a removal is shorter than that of the addition of the same part, for its gaps."""
    all_frames = frames()
    studio = Studio(frame_sphere([frame.pieces for frame in all_frames]), 240)
    added, removed = (studio.draw_state(all_frames[i - 1].pieces, all_frames[i]) for i in (1, 2))
    solid, dashed = near(added, OPERATION_COLORS["add"]), near(removed, OPERATION_COLORS["remove"])
    assert 0.35 < dashed / solid < 0.85


def test_the_view_turns_only_when_it_must() -> None:
    """An edit on top is shown from view 0, one behind the object from a view that sees it."""
    studio = Studio(frame_sphere([(BODY, HAT, BACK)]), 64)
    assert studio.choose_view((BODY,), SheetFrame((BODY, HAT), "hat", "", "add", 1)) == 0
    assert studio.choose_view((BODY,), SheetFrame((BODY, BACK), "back", "", "add", 1)) in (1, 2)


def test_outline_lies_outside_the_mask() -> None:
    """The part's own pixels keep their colour; the line runs all around; specks get none."""
    picture = np.full((40, 40, 3), 200, dtype=np.uint8)
    mask = np.zeros((80, 80), dtype=bool)
    mask[30:50, 30:50] = True
    mask[70, 70] = True
    drawn = draw_contour(picture, mask, Stroke((0, 0, 0), width_px=2.0))
    assert (drawn[15:25, 15:25] == 200).all()
    assert (drawn[13, 15:25] < 60).all()
    assert (drawn[15:25, 26] < 60).all()
    assert (drawn[30:, 30:] == 200).all()
    assert (draw_contour(picture, np.zeros((80, 80), dtype=bool), Stroke((0, 0, 0))) == picture).all()


@pytest.mark.parametrize(
    ("count", "columns"), [(1, 1), (4, 4), (5, 5), (6, 3), (7, 4), (8, 4), (9, 3), (10, 5), (31, 4)]
)
def test_columns(count: int, columns: int) -> None:
    """Rows are as full as can be."""
    assert choose_columns(count) == columns


def test_sheet_is_written_the_same_twice(tmp_path: Path) -> None:
    """Same bytes, a picture for each state, and no leftovers beside it."""
    for name in ("a.png", "b.png"):
        draw_sheet(frames(), "A chain", tmp_path / name, subtitle="three states", cell_px=80)
    assert (tmp_path / "a.png").read_bytes() == (tmp_path / "b.png").read_bytes()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a.png", "b.png"]
    page = read_page(tmp_path / "a.png")
    assert page.shape[1] == 2 * 24 + 3 * (80 + 28) + 2 * 14
    assert near(page, OPERATION_COLORS["add"]) > 40
    assert near(page, OPERATION_COLORS["remove"]) > 40


def test_a_chain_without_geometry_is_refused(tmp_path: Path) -> None:
    """There is nothing to frame, and nothing is written."""
    with pytest.raises(InputError, match="no state has a vertex"):
        draw_sheet([SheetFrame((), None, "", None, 0)], "empty", tmp_path / "a.png")
    assert list(tmp_path.iterdir()) == []
