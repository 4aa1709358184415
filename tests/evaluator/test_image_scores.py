"""PSNR, SSIM, silhouettes, drift and the diagnosis of new looks, against other programs and by hand."""

from __future__ import annotations

import time
from math import exp, inf

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from skimage.metrics import peak_signal_noise_ratio, structural_similarity

from engine.surfaces import BoolArray
from evaluator.metrics import ssim_map
from evaluator.metrics.image import diagnose_retexture, find_changed, measure_drift, score_view
from evaluator.metrics.pictures import FULL, OnBlack, lay_on_black, show_on_black, split_regions
from evaluator.metrics.ssim_map import measure_ssim_map
from evaluator.protocol import ImageOptions
from schemas.errors import InputError
from schemas.score import Undefined

ANY_SIZE = ImageOptions(least_edit_px=1, least_changed_px=1)


def draw(seed: int, height: int = 40, width: int = 40, channels: int = 4) -> NDArray[np.uint8]:
    """A picture of noise in which about half the pixels are empty."""
    generator = np.random.default_rng(seed)
    picture = generator.integers(0, 256, (height, width, channels), dtype=np.uint8)
    if channels == 4:
        picture[generator.random((height, width)) < 0.5] = 0
    return picture


def fill(colour: tuple[int, ...], size: int = 32) -> OnBlack:
    """A picture of one colour."""
    return lay_on_black(np.full((size, size, len(colour)), colour, dtype=np.uint8))


def block(size: int, rows: slice, columns: slice) -> BoolArray:
    """A region of one rectangle."""
    region = np.zeros((size, size), dtype=bool)
    region[rows, columns] = True
    return region


EDIT = block(32, slice(4, 20), slice(8, 24))


@pytest.mark.parametrize("channels", [3, 4])
@pytest.mark.parametrize("size", [(40, 40), (11, 64), (7, 3), (1, 1)])
def test_ssim_map_is_that_of_scikit_image(size: tuple[int, int], channels: int) -> None:
    """The map agrees at every pixel, and its means over regions do; pictures below the window are mirrored more."""
    first, second = (lay_on_black(draw(seed, *size, channels)) for seed in (1, 2))
    found = measure_ssim_map(first.levels, second.levels)
    if min(size) >= 11:
        _, expected = structural_similarity(
            first.levels / FULL,
            second.levels / FULL,
            channel_axis=2,
            gaussian_weights=True,
            sigma=1.5,
            use_sample_covariance=False,
            data_range=1.0,
            full=True,
        )
        assert np.abs(found - expected.mean(axis=2)).max() < 1e-13
        edit = np.random.default_rng(3).random(size) < 0.3
        scores = score_view(first, second, edit)
        for value, region in zip(scores.ssim, (edit, ~edit, np.ones(size, dtype=bool)), strict=True):
            assert value == pytest.approx(expected.mean(axis=2)[region].mean(), abs=1e-13)
    else:
        assert np.abs(found - brute_ssim(first, second)).max() < 1e-12  # the map subtracts squares, this does not


def brute_ssim(first: OnBlack, second: OnBlack) -> NDArray[np.float64]:
    """The map by its definition: every window cut out of a mirrored picture and weighted by a square of weights."""
    bell = np.array([exp(-d * d / 4.5) for d in range(-5, 6)])
    window = np.outer(bell, bell) / bell.sum() ** 2
    images = [np.pad(p.levels / FULL, ((5, 5), (5, 5), (0, 0)), mode="symmetric") for p in (first, second)]
    height, width = first.alpha.shape
    found = np.zeros((height, width, 3))
    for i in range(height):
        for j in range(width):
            for c in range(3):
                a, b = (image[i : i + 11, j : j + 11, c] for image in images)
                mean_a, mean_b = (window * a).sum(), (window * b).sum()
                spread_a, spread_b = (window * (a - mean_a) ** 2).sum(), (window * (b - mean_b) ** 2).sum()
                shared = (window * (a - mean_a) * (b - mean_b)).sum()
                found[i, j, c] = ((2 * mean_a * mean_b + 1e-4) * (2 * shared + 9e-4)) / (
                    (mean_a**2 + mean_b**2 + 1e-4) * (spread_a + spread_b + 9e-4)
                )
    return np.asarray(found.mean(axis=2))


def test_the_bell_is_written_out_right() -> None:
    """The weights in the source are those of the formula, to a unit in the last place."""
    for d, weight in enumerate(ssim_map._BELL):
        assert weight == pytest.approx(exp(-d * d / 4.5), rel=3e-16)


@pytest.mark.parametrize("seed", range(4))
def test_psnr_is_that_of_scikit_image(seed: int) -> None:
    """Over the whole picture and over any region, tiny ones too."""
    first, second = lay_on_black(draw(seed)), lay_on_black(draw(seed + 100))
    edit = np.random.default_rng(seed).random((40, 40)) < (0.3, 0.01, 0.9, 0.5)[seed]
    scores = score_view(first, second, edit, ANY_SIZE)
    for value, region in zip(scores.psnr, (edit, ~edit, np.ones_like(edit)), strict=True):
        expected = peak_signal_noise_ratio(first.levels[region] / FULL, second.levels[region] / FULL, data_range=1.0)
        assert value == pytest.approx(expected, rel=1e-12)


def test_identical_pictures_are_exactly_alike() -> None:
    """PSNR has no bound, SSIM and silhouettes are 1, drift is 0; colour under empty pixels does not count."""
    picture = draw(5, 32, 32)
    other = picture.copy()
    other[picture[..., 3] == 0, :3] = 77
    scores = score_view(lay_on_black(picture), lay_on_black(other), EDIT)
    assert (set(scores.psnr), set(scores.ssim), set(scores.silhouette_iou)) == ({"inf"}, {1.0}, {1.0})
    drift = measure_drift(lay_on_black(picture), lay_on_black(other), EDIT)
    assert (drift.unchanged, drift.foreground) == (0.0, 0.0)
    assert scores.pixels == (256, 768, 1024)


def test_a_change_in_one_region_leaves_the_other_alone() -> None:
    """One pixel of E by one level: U is still the same in both, E and the whole have the PSNR of that one step."""
    picture = draw(6, 32, 32, 3)
    other = picture.copy()
    other[10, 10, 1] ^= 1
    scores = score_view(lay_on_black(other), lay_on_black(picture), EDIT)
    assert scores.psnr.unchanged == "inf"
    assert scores.psnr.edit == pytest.approx(10 * np.log10(255**2 * 3 * 256), rel=1e-14)
    assert scores.psnr.whole == pytest.approx(10 * np.log10(255**2 * 3 * 1024), rel=1e-14)
    assert measure_drift(lay_on_black(other), lay_on_black(picture), EDIT).unchanged == 0.0


def test_an_output_that_shows_nothing() -> None:
    """Against an object the silhouette overlap is 0 and PSNR is finite; against nothing there is no overlap to have."""
    empty, red = fill((0, 0, 0, 0)), fill((255, 0, 0, 255))
    scores = score_view(empty, red, EDIT)
    assert scores.silhouette_iou == (0.0, 0.0, 0.0)
    assert scores.psnr.whole == pytest.approx(10 * np.log10(3), rel=1e-14)
    nothing = score_view(empty, empty, EDIT)
    assert nothing.psnr.whole == "inf"
    assert all(isinstance(value, Undefined) and "neither" in value.reason for value in nothing.silhouette_iou)
    drift = measure_drift(empty, empty, EDIT)
    assert drift.unchanged == 0.0
    assert isinstance(drift.foreground, Undefined)


def test_a_silhouette_ends_where_half_is_covered() -> None:
    """127 of 255 is outside, 128 inside; the option moves the limit."""
    thin, half = fill((9, 9, 9, 127)), fill((9, 9, 9, 128))
    assert score_view(thin, half, EDIT).silhouette_iou.whole == 0.0
    assert score_view(thin, half, EDIT, ImageOptions(silhouette_alpha=127)).silhouette_iou.whole == 1.0


def test_few_pixels_make_no_region() -> None:
    """With 49 pixels in E there is no value in E, with 50 there is; an E that fills the view leaves no U."""
    first, second = lay_on_black(draw(1, 32, 32)), lay_on_black(draw(2, 32, 32))
    edit = block(32, slice(0, 7), slice(0, 7))
    few = score_view(first, second, edit)
    assert few.psnr.edit == few.ssim.edit == few.silhouette_iou.edit
    assert few.psnr.edit == Undefined(reason="the edited region has 49 pixels in this view, 50 are needed")
    assert isinstance(few.psnr.unchanged, float)
    edit[31, 31] = True
    assert isinstance(score_view(first, second, edit).psnr.edit, float)
    full = score_view(first, second, np.ones((32, 32), dtype=bool))
    assert full.psnr.unchanged == Undefined(reason="the edited region fills this view")
    assert full.psnr.edit == full.psnr.whole
    assert measure_drift(first, second, np.ones((32, 32), dtype=bool)).unchanged == full.psnr.unchanged


def test_drift_is_the_mean_difference_outside_the_region() -> None:
    """By hand: 10 levels on all channels over half of U, then over the foreground alone."""
    before = np.zeros((32, 32, 4), dtype=np.uint8)
    before[:16] = (100, 100, 100, 255)
    after = before.copy()
    after[:16, :, :3] = 110
    edit = block(32, slice(0, 8), slice(0, 32))
    drift = measure_drift(lay_on_black(after), lay_on_black(before), edit)
    assert (drift.pixels, drift.foreground_pixels) == (24 * 32, 8 * 32)
    assert drift.foreground == pytest.approx(10 / 255, rel=1e-14)
    assert drift.unchanged == pytest.approx(10 / 255 / 3, rel=1e-14)
    gone = np.zeros_like(before)
    assert measure_drift(lay_on_black(gone), lay_on_black(before), edit).foreground_pixels == 8 * 32


def test_a_new_look_is_diagnosed_by_hand() -> None:
    """The target goes from 100 to 160; the method goes to 130: half the change, and half of it is left."""
    before, target, own = (fill((level,) * 3) for level in (100, 160, 130))
    found = diagnose_retexture(own, before, target, before)
    assert found.change_ratio == 0.5
    assert found.residual == pytest.approx(30 / 255, rel=1e-14)
    assert found.residual_no_edit == found.target_change == pytest.approx(60 / 255, rel=1e-14)
    assert found.pixels == 1024
    nothing = diagnose_retexture(before, before, target, before)
    assert (nothing.change_ratio, nothing.residual) == (0.0, nothing.residual_no_edit)
    done = diagnose_retexture(target, before, target, before)
    assert (done.change_ratio, done.residual) == (1.0, 0.0)


def test_only_pixels_the_target_changes_by_more_than_two_levels_are_diagnosed() -> None:
    """Two levels are no change, three are; 49 such pixels are too few and say so."""
    before = np.full((32, 32, 3), 100, dtype=np.uint8)
    after = before.copy()
    after[:16, :, 2] = 102
    after[:7, :7, 1] = 97
    pictures = lay_on_black(before), lay_on_black(after)
    assert np.count_nonzero(find_changed(*pictures, 2)) == 49
    few = diagnose_retexture(pictures[1], pictures[0], pictures[1], pictures[0])
    assert few.change_ratio == Undefined(reason="the target changes 49 pixels of this view, 50 are needed")
    assert few.pixels == 49
    after[31, 31, 0] = 103
    found = diagnose_retexture(lay_on_black(after), pictures[0], lay_on_black(after), pictures[0])
    assert (found.pixels, found.change_ratio, found.residual) == (50, 1.0, 0.0)


@settings(max_examples=60, deadline=None)
@given(st.integers(1, 24), st.integers(1, 24), st.floats(0, 1), st.integers(0, 2**32 - 1), st.integers(1, 60))
def test_regions_cover_a_view_without_overlap(height: int, width: int, share: float, seed: int, least: int) -> None:
    """E and U partition the pixels; squared errors of the regions add up to those of the whole, exactly."""
    edit = np.random.default_rng(seed).random((height, width)) < share
    regions = split_regions(edit, least)
    defined = [region for region in regions[:2] if not isinstance(region, Undefined)]
    assert isinstance(regions.edit, Undefined) is (np.count_nonzero(edit) < least)
    assert isinstance(regions.unchanged, Undefined) is bool(edit.all())
    assert not isinstance(regions.whole, Undefined)
    assert regions.whole.all()
    if len(defined) == 2:
        assert (defined[0] ^ defined[1]).all()
    first, second = lay_on_black(draw(seed % 1000, height, width)), lay_on_black(draw(seed % 999 + 1, height, width))
    scores = score_view(first, second, edit, ImageOptions(least_edit_px=least))
    errors = [
        0.0 if value == "inf" else 10 ** (-value / 10) * count
        for value, count in zip(scores.psnr, scores.pixels, strict=True)
        if not isinstance(value, Undefined)
    ]
    assert scores.pixels.edit + scores.pixels.unchanged == scores.pixels.whole == height * width
    if len(errors) == 3:
        assert errors[0] + errors[1] == pytest.approx(errors[2], rel=1e-10)
    for values in (scores.psnr, scores.ssim, scores.silhouette_iou):
        assert all(value == "inf" or isinstance(value, Undefined) or -1 <= value < inf for value in values)


def test_pictures_on_black_are_rounded_to_the_nearest_level() -> None:
    """All 65536 pairs of colour and coverage."""
    colour, alpha = np.meshgrid(np.arange(256), np.arange(256))
    picture = np.stack([colour, colour, 255 - colour, alpha], axis=2).astype(np.uint8)
    shown = show_on_black(picture)
    assert np.abs(shown[..., 0] - colour * alpha / 255).max() <= 0.5
    assert (shown[255, :, 2] == 255 - colour[0]).all()
    assert lay_on_black(picture).levels[255, 255].tolist() == [FULL, FULL, 0]


@pytest.mark.parametrize(
    "picture",
    [np.zeros((4, 4)), np.zeros((4, 4, 4)), np.zeros((4, 4, 2), np.uint8), np.zeros((0, 4, 4), np.uint8)],
)
def test_what_is_no_picture_is_refused(picture: NDArray[np.uint8]) -> None:
    """Other types and shapes, and nothing."""
    with pytest.raises(InputError, match="picture of shape"):
        lay_on_black(picture)


def test_pictures_of_other_sizes_are_refused() -> None:
    """Nothing is resized in silence."""
    small, large = fill((1, 2, 3), 16), fill((1, 2, 3), 32)
    with pytest.raises(InputError, match="image scores: sizes differ: 16x16, 32x32, 32x32"):
        score_view(small, large, EDIT)
    with pytest.raises(InputError, match="drift: sizes differ: 32x32, 32x32, 16x16"):
        measure_drift(large, large, np.zeros((16, 16), dtype=bool))
    with pytest.raises(InputError, match="retexture diagnosis: sizes differ"):
        diagnose_retexture(large, large, large, small)


def test_four_views_take_less_than_half_a_second() -> None:
    """Processor time of PSNR, SSIM and drift of four pictures of 512 x 512 noise, kernels compiled."""
    pairs = [(draw(seed, 512, 512), draw(seed + 10, 512, 512)) for seed in range(4)]
    edit = block(512, slice(100, 300), slice(50, 400))
    score_view(lay_on_black(pairs[0][0]), lay_on_black(pairs[0][1]), edit)
    started = time.process_time()
    for own, other in pairs:
        first, second = lay_on_black(own), lay_on_black(other)
        score_view(first, second, edit)
        measure_drift(first, second, edit)
    assert time.process_time() - started <= 0.5
