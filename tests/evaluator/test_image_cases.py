"""The cases of pictures with known scores."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

from evaluator.metrics.image import ImageScores, score_view
from evaluator.metrics.networks.weights import MissingWeights, load_map_metric
from evaluator.metrics.pictures import lay_on_black
from evaluator.protocol import ImageOptions
from tests.cases_adapter import Case, find_cases, near

KNOWN = {"psnr", "ssim", "lpips", "psnr_whole_db", "psnr_region_db", "silhouette_iou"}
OPTIONS = ImageOptions(least_edit_px=1)
"""The regions of the cases are smaller than the protocol asks for: the formulas hold all the same."""


def score_file(folder: Path, name: str) -> ImageScores:
    """Compare a picture of a case with its target."""
    pictures = [lay_on_black(np.array(Image.open(folder / file))) for file in (name, "target.png")]
    region = np.array(Image.open(folder / "region.png")) > 0
    return score_view(pictures[0], pictures[1], region, OPTIONS)


def check_values(scores: ImageScores, expected: dict[str, Any], tolerance: float) -> None:
    """Compare scores with what a case states of one picture. Fails for keys nobody knows."""
    assert set(expected) <= KNOWN, sorted(set(expected) - KNOWN)
    if expected.get("psnr") == "infinite":
        assert set(scores.psnr) == {"inf"}
    if "ssim" in expected:
        assert set(scores.ssim) == {expected["ssim"]}
    if "lpips" in expected:
        absent = load_map_metric("lpips_alex")
        assert isinstance(absent, MissingWeights)
        assert "weights" in absent.reason
    found = {
        "psnr_whole_db": scores.psnr.whole,
        "psnr_region_db": scores.psnr.edit,
        "silhouette_iou": scores.silhouette_iou.whole,
    }
    for key, value in found.items():
        if key in expected:
            near(value, expected[key], tolerance)


@pytest.mark.parametrize("case", find_cases("evaluate_images"))
def test_pictures_of_a_case_score_as_stated(case: Case) -> None:
    """Every value the case states, for its output or for each of its files."""
    expected = dict(case.expected["checks"])
    tolerance = expected.pop("tolerance_db")
    files = {name: value for name, value in expected.items() if isinstance(value, dict)} or {"output": expected}
    for name, values in files.items():
        check_values(score_file(case.folder, f"{name}.png"), values, tolerance)
