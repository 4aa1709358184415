"""Suite scores have the same bits in every process, whatever its hash seed, threads and processor features."""

from __future__ import annotations

from pathlib import Path

from tests.bare_process import run_bare

PROGRAM = """
import numpy as np
from suite_shapes import ball, block, join, three_bars
from evaluator.suites.chamfer import ChamferRules, measure_chamfer
from evaluator.suites.depth import measure_abs_rel
from evaluator.suites.preservation import PreservationRules, measure_preserved_surface
from evaluator.suites.scenes import DepthView, Pinhole, SceneRules, measure_reconstruction
from evaluator.suites.topology import measure_betti

# The library that makes the sphere differs in the last bits itself.
sphere = np.round(ball(3)[0] * 1048576.0) / 1048576.0, ball(3)[1]
for sampling in ("stratified", "independent"):
    print(*measure_chamfer(three_bars(), sphere, ChamferRules(sampling=sampling)), sep="\\n")
rules = PreservationRules(points=2000, thinning_cell=0.05)
print(measure_preserved_surface(sphere, three_bars(), block((0, 0, 0), (1, 1, 1)), rules))
print(measure_betti(*join(sphere, three_bars())))
rng = np.random.default_rng(0)
depth, own, ids = rng.random((40, 50)) + 1.0, rng.random((40, 50)) + 1.0, rng.integers(0, 4, (40, 50))
lens = Pinhole(60.0, 60.0, 25.0, 20.0)
print(measure_reconstruction(DepthView(depth, lens), ids, DepthView(own, lens), [1, 2, 3], SceneRules(max_points=900)))
print(measure_abs_rel(own, depth))
"""


def _run(**settings: str) -> str:
    return run_bare(PROGRAM, Path(__file__).parent, **settings)


def test_every_setting_gives_the_same_bits() -> None:
    """Scores print the same with other hash seeds, one thread, other BLAS kernels and fewer vector instructions."""
    expected = _run(PYTHONHASHSEED="0")
    assert "f_score" in expected
    assert _run(PYTHONHASHSEED="77", OMP_NUM_THREADS="1", OPENBLAS_CORETYPE="Prescott") == expected
    assert (
        _run(OPENBLAS_CORETYPE="Haswell", NPY_DISABLE_CPU_FEATURES="AVX512F AVX512CD AVX512_SKX AVX2 FMA3") == expected
    )
