"""The same bits from every process, hash seed, thread count and linear algebra kernel."""

from __future__ import annotations

from pathlib import Path

from tests.bare_process import run_bare

PROGRAM = """
import hashlib
import numpy as np
import geometry_meshes
from geometry_meshes import box, rotation_between, soup
from engine.geometry import components, curve, distance, jacobi, landing, overlap, patches, stability, sweep, symmetry
from engine.geometry import sampling, voxels
from engine.geometry.clean import clean_mesh
from engine.geometry.bvh import build_bvh
from engine.geometry.rays import cast_rays
from engine.geometry.similarity import similarity

digest = hashlib.sha256()
def take(*values):
    for value in values:
        digest.update(str(value).encode() if isinstance(value, (str, bool)) else np.ascontiguousarray(value).tobytes())

def rounded(mesh):  # the library that makes these shapes differs in the last bits itself
    return np.round(mesh[0] * 1048576.0) / 1048576.0, mesh[1]

def ball(subdivisions):
    return rounded(geometry_meshes.ball(subdivisions))

def cylinder(*sizes):
    return rounded(geometry_meshes.cylinder(*sizes))

pose = similarity(0.7, rotation_between([0, 1, 0], [1, 3, 2]), [0.9, 0.4, 0.2])
open_box = (box()[0], box()[1][2:])
plate = box((3, 0.2, 3), (0, -1.1, 0))
solids = [overlap.build_solid(*m) for m in (ball(3), open_box, plate)]
a, b, c = (overlap.place_solid(s, m) for s, m in zip(solids, (np.eye(4), pose, np.eye(4))))
take(pose, *(s.volume for s in solids), *(s.mesh.vertices for s in solids))
take(*distance.measure_gap(b.bvh, c.bvh), *sweep.sweep_to_contact(b.bvh, c.bvh, [0.1, -1, 0.2]))
take(*distance.closest_points(a.bvh, np.linspace(-1, 1, 300).reshape(-1, 3)))
take(curve.intersection_segments(a.bvh, b.bvh), *overlap.measure_overlap(b, [a, c]), *overlap.measure_overlap(a, [b]))
take(*sampling.sample_surface(*ball(2), 500, 3), voxels.voxelise_surface(*ball(3), [-1.1] * 3, 0.05, (44, 44, 44)))
take(*jacobi.eigen_symmetric3(np.array([[2, 0.3, 0.1], [0.3, 1, 0.7], [0.1, 0.7, 3]])))
mesh = clean_mesh(*soup(cylinder(0.5, 1.0, 6), box((0.1, 0.1, 0.1), (2, 0, 0))))
take(*symmetry.measure_symmetry(mesh), stability.measure_stability(mesh), components.measure_loose_gap(mesh))
for patch in patches.free_patches(c.solid.mesh, 4.0, min_up=0.85):
    take(patch.normal, patch.origin, patch.area, patch.faces)
    for spot in landing.landing_spots(patch, c, [a, b], 4.0):
        take(*spot)
inward = -np.linspace(0.5, 1.5, 60).reshape(-1, 3)
take(*cast_rays(build_bvh(*soup(ball(2), plate)), np.full((20, 3), 3.0), inward, any_hit=False))
print(digest.hexdigest())
"""


def _run(**settings: str) -> str:
    return run_bare(PROGRAM, Path(__file__).parent, **settings)


def test_every_setting_gives_the_same_bits() -> None:
    """All kernels hash the same with other hash seeds, one thread, and BLAS kernels of other processors."""
    expected = _run(PYTHONHASHSEED="0")
    assert len(expected) == 64
    assert _run(PYTHONHASHSEED="77", OMP_NUM_THREADS="1", OPENBLAS_CORETYPE="Prescott") == expected
    assert _run(OPENBLAS_CORETYPE="Haswell", NPY_DISABLE_CPU_FEATURES="AVX512F AVX512CD AVX512_SKX") == expected
