"""Scores from the pictures of whole turns: what doing nothing and doing it all must get, on drawn chains."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pytest
from PIL import Image

from chains.files import list_chains
from engine.pictures.states import PictureChoice, StatePainter
from engine.render.regions import dilate_mask
from engine.surfaces import BoolArray
from evaluator.metrics.image import score_view
from evaluator.metrics.networks.weights import WeightsChoice, load_map_metric
from evaluator.metrics.pictures import ByRegion, Picture, lay_on_black
from evaluator.metrics.turn_pictures import TurnPictureScores, ViewPictures, score_turn_pictures
from evaluator.metrics.views import ViewSplit
from evaluator.protocol import ImageOptions
from schemas.errors import InputError
from schemas.pictures import RegionSettings
from schemas.score import Measure, Undefined
from tests.box_chains import build_on_table, index_boxes
from tests.tiny_networks import TinyDinov2, TinyLpips, draw_authors_dinov2, save_lpips, save_torch

VIEWS = (0, 1, 2, 3)
SIZE = 128


class Turn(NamedTuple):
    """One turn of a drawn chain, by view."""

    operation: str
    before: Sequence[Picture]
    after: Sequence[Picture]
    edit: Sequence[BoolArray]

    def pictures(self, own: Sequence[Picture], own_before: Sequence[Picture]) -> list[ViewPictures]:
        """The views of a method with these outputs."""
        return [
            ViewPictures(own[view], own_before[view], self.after[view], self.before[view], self.edit[view])
            for view in VIEWS
        ]


@pytest.fixture(scope="module")
def turns(tmp_path_factory: pytest.TempPathFactory) -> list[Turn]:
    """Every turn of chains of removals and new looks, drawn from four sides with the margin of full-size pictures.

    Each turn stands there backwards too: what was taken off is then added.
    """
    folder = tmp_path_factory.mktemp("drawn")
    index = index_boxes(folder)
    build_on_table(index, folder / "chains", ("R", "M"))
    choice = PictureChoice(frozenset({"metric"}), VIEWS, SIZE, region=RegionSettings(dilate_px=6.0 * 512 / SIZE))
    found = []
    for path in list_chains(folder / "chains"):
        painter = StatePainter(path, index, folder / "pictures", choice, None)
        states = []
        for number in range(len(painter.chain.turns) + 1):
            painter.draw(number)
            states.append([read(painter.folder(number) / f"metric_{view}.png") for view in VIEWS])
        for number, turn in enumerate(painter.chain.turns, 1):
            edit = [read(painter.folder(number) / f"edit_{view}.png") > 0 for view in VIEWS]
            before, after = states[number - 1], states[number]
            backwards = {"remove": "add"}.get(turn.operation.op, turn.operation.op)
            found += [Turn(turn.operation.op, before, after, edit), Turn(backwards, after, before, edit)]
    return found


def read(path: Path) -> Picture:
    """Pixels of a PNG file."""
    return np.array(Image.open(path))


def defined(split: ViewSplit) -> bool:
    """Whether any view has a value."""
    return not isinstance(split.every.value, Undefined)


def values_of(scores: TurnPictureScores, regions: ByRegion[ViewSplit]) -> list[Measure]:
    """Means over all views that have a value, one or more of them."""
    assert defined(regions.whole), scores
    return [split.every.value for split in regions if defined(split)]


def test_the_turns_change_shapes_and_looks(turns: list[Turn]) -> None:
    """Otherwise the tests below would prove little."""
    assert {turn.operation for turn in turns} == {"add", "remove", "retexture"}


def test_returning_the_target_is_perfect(turns: list[Turn]) -> None:
    """PSNR has no bound, SSIM and silhouettes are exactly 1, and nothing drifts outside the region of the edit."""
    for turn in turns:
        scores = score_turn_pictures(turn.operation, turn.pictures(turn.after, turn.before))
        assert set(values_of(scores, scores.psnr)) == {"inf"}
        assert scores.psnr.whole.every.infinite == 4
        assert set(values_of(scores, scores.ssim)) == set(values_of(scores, scores.silhouette_iou)) == {1.0}
        assert scores.drift.every.value == scores.drift_foreground.every.value == 0.0
        if turn.operation == "retexture":
            assert (scores.change_ratio.every.value, scores.residual.every.value) == (1.0, 0.0)
        else:
            assert isinstance(scores.change_ratio.every.value, Undefined)


def test_doing_nothing_leaves_the_rest_perfect_and_the_edit_not(turns: list[Turn]) -> None:
    """From the true previous state nothing drifts, U is the target's to the bit, and E is not, where it shows."""
    for turn in turns:
        scores = score_turn_pictures(turn.operation, turn.pictures(turn.before, turn.before))
        assert [view.drift.unchanged for view in scores.views] == [0.0] * 4
        assert scores.drift_foreground.every.value == 0.0
        assert scores.psnr.unchanged.every.value == "inf"
        if defined(scores.psnr.edit):
            assert isinstance(scores.psnr.edit.every.value, float)
            assert isinstance(scores.ssim.edit.every.value, float)
            assert scores.ssim.edit.every.value < 1.0
        if turn.operation == "retexture":
            assert scores.change_ratio.every.value == 0.0
            assert scores.residual == scores.residual_no_edit
            assert set(values_of(scores, scores.silhouette_iou)) == {1.0}


def test_the_margin_holds_the_window_of_ssim_but_for_its_corners(turns: list[Turn]) -> None:
    """The window is a square of 11: its corners reach 7.1 pixels, past a margin of 6, and weigh next to nothing."""
    least = 1.0
    for turn in turns:
        for view in turn.pictures(turn.before, turn.before):
            own, target = lay_on_black(view.own), lay_on_black(view.target)
            near = score_view(own, target, view.edit).ssim.unchanged
            wide = score_view(own, target, dilate_mask(view.edit, Fraction(3, 2))).ssim.unchanged
            assert wide == 1.0
            assert isinstance(near, float)
            least = min(least, near)
    assert 1.0 - 1e-5 < least < 1.0


def test_views_are_kept_apart(turns: list[Turn]) -> None:
    """A method that is right in view 0 alone is perfect there and nowhere else."""
    turn = turns[0]
    wrong = [np.zeros_like(picture) for picture in turn.after]
    scores = score_turn_pictures(turn.operation, turn.pictures([turn.after[0], *wrong[1:]], turn.before))
    assert scores.psnr.whole.conditioning.value == "inf"
    assert scores.silhouette_iou.whole.conditioning.value == 1.0
    assert (scores.silhouette_iou.whole.held_out.value, scores.silhouette_iou.whole.every.value) == (0.0, 0.25)
    assert (scores.psnr.whole.every.defined, scores.psnr.whole.every.infinite) == (3, 1)
    assert scores.psnr.whole.every.value == scores.psnr.whole.held_out.value


def test_networks_score_turns_or_say_why_not(turns: list[Turn], tmp_path: Path) -> None:
    """With weights LPIPS is 0 and DINOv2 1 for the target and worse for doing nothing; without, a reason in all cells.

    The column of retexture turns is that of view 0 in E.
    """
    turn = next(turn for turn in turns if turn.operation == "retexture")
    networks = {
        "lpips_alex": TinyLpips(WeightsChoice(save_lpips(tmp_path)), ImageOptions()),
        "dinov2_vitb14": TinyDinov2(
            WeightsChoice(save_torch(draw_authors_dinov2(128, 2, 1), tmp_path / "tiny.pth")), ImageOptions()
        ),
    }
    done = score_turn_pictures("retexture", turn.pictures(turn.after, turn.before), networks)
    assert set(values_of(done, done.networks["lpips_alex"])) == {0.0}
    assert set(values_of(done, done.networks["dinov2_vitb14"])) == {1.0}
    idle = score_turn_pictures("retexture", turn.pictures(turn.before, turn.before), networks)
    for name, better in (("lpips_alex", 0.0), ("dinov2_vitb14", 1.0)):
        assert all(value != better for value in values_of(idle, idle.networks[name]))
    assert idle.retexture_similarity == idle.networks["dinov2_vitb14"].edit.conditioning.value
    absent = {name: load_map_metric(name) for name in networks}
    without = score_turn_pictures("retexture", turn.pictures(turn.after, turn.before), absent)
    for name, reason in absent.items():
        assert {split.every.value.reason for split in without.networks[name]} == {reason.reason}
    assert without.retexture_similarity == absent["dinov2_vitb14"]
    with pytest.raises(InputError, match="there are no views"):
        score_turn_pictures("add", [])
