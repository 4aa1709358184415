"""Scores that depend on weights are kept for these weights and for no others."""

from __future__ import annotations

from pathlib import Path
from typing import ClassVar

import numpy as np
import pytest

from chains.files import list_chains, read_chain
from engine.surfaces import FloatArray
from evaluator.metrics.pictures import OnBlack
from evaluator.protocol import PictureOptions, Protocol
from evaluator.scoring import ScoreOrder, score_run
from tests.box_chains import build_on_table, index_boxes


class _Brightness:
    """A map metric that needs no network."""

    kind: ClassVar = "map"
    higher_is_better: ClassVar[bool] = False

    def __init__(self, sha256: str) -> None:
        self.sha256 = sha256

    def measure_map(self, own: OnBlack, target: OnBlack) -> FloatArray:
        """The difference of both in one channel."""
        return np.abs(own.levels[..., 0] - target.levels[..., 0]).astype(np.float64)


def test_scores_of_other_weights_are_measured_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The same weights keep every turn; others, or none, measure it again."""
    index = index_boxes(tmp_path)
    paths = list_chains(build_on_table(index, tmp_path / "chains", ("R",)))
    pictures = PictureOptions(res=32, supersample=1)
    order = ScoreOrder(tmp_path / "nothing", index, tmp_path / "scores", Protocol(pictures=pictures))
    kept = []
    for weights in ("a", "a", "b", "", ""):
        networks = {"lpips_alex": _Brightness(weights * 64)} if weights else {}
        monkeypatch.setattr("evaluator.scoring.open_networks", lambda *_, found=networks: found)
        (done,) = score_run(paths, order)
        assert not done.failure
        kept.append(done.kept)
    every = 3 * len(read_chain(paths[0]).turns)  # of the reference rows; nothing was delivered
    assert kept == [0, every, 0, 0, every]
