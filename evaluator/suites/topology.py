"""Betti numbers of a surface over Z2, exactly: pieces, tunnels, voids.

The surface is welded by position first, so seams of texture coordinates or normals cut nothing. No other repair is
made: an edge may have any number of faces. b2, the number of independent closed 2-chains, is the nullity of the
face-edge boundary. It is found in three exact steps: faces with a free edge lie in no closed chain and go, one after
another; faces that share an edge with no third are in a chain together or not at all, so they merge into sheets; what
is left is a small system over sheets, one equation for each edge where sheets meet.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit

from engine.geometry.clean import clean_mesh
from engine.geometry.labels import connected_pieces, find_root
from engine.surfaces import BoolArray, FloatArray, IntArray
from schemas.score import Measure, Undefined


class BettiNumbers(NamedTuple):
    """Ranks of the homology groups of a surface over Z2."""

    b0: int
    """Connected pieces."""
    b1: int
    """Independent loops that bound nothing."""
    b2: int
    """Enclosed voids."""


class TopologyErrors(NamedTuple):
    """Betti numbers against those of a target."""

    total: Measure
    """Sum of the three absolute differences over the sum of the target's numbers."""
    each: tuple[Measure, Measure, Measure]
    """|difference| over the target's number, one by one; undefined where that is 0."""
    differences: tuple[int, int, int]
    """Own minus target's."""


def measure_betti(vertices: FloatArray, faces: IntArray) -> BettiNumbers:
    """Betti numbers of a triangle soup (V, 3), (F, 3) after welding by position.

    Faces with repeated corners, repeated faces and unused vertices are left out, as everywhere before measuring.

    Raises:
        GeometryError: the soup is empty, not finite, too large or without area.

    """
    mesh = clean_mesh(vertices, faces)
    return measure_complex(len(mesh.vertices), mesh.faces)


def measure_complex(n_vertices: int, faces: IntArray) -> BettiNumbers:
    """Betti numbers of the complex of distinct triangles (F, 3) with distinct corners below `n_vertices`."""
    corners = np.sort(np.asarray(faces, dtype=np.int64).reshape(-1, 3), axis=1)
    pairs = np.concatenate([corners[:, [0, 1]], corners[:, [0, 2]], corners[:, [1, 2]]])
    keys, edge_of = np.unique(pairs[:, 0] * max(n_vertices, 1) + pairs[:, 1], return_inverse=True)
    edge_of_face = np.ascontiguousarray(edge_of.reshape(3, -1).T)
    b0 = connected_pieces(n_vertices, pairs)
    b2 = _count_closed_chains(edge_of_face, len(keys))
    return BettiNumbers(b0, b0 + b2 - (n_vertices - len(keys) + len(corners)), b2)


def compare_betti(own: BettiNumbers, target: BettiNumbers) -> TopologyErrors:
    """Score a surface's numbers by those of the target; an empty target leaves the score undefined."""
    differences = (own.b0 - target.b0, own.b1 - target.b1, own.b2 - target.b2)
    whole = sum(target)
    total: Measure = sum(map(abs, differences)) / whole if whole else Undefined(reason="all target numbers are 0")
    first, second, third = (
        _relative(difference, number, f"b{k}")
        for k, (difference, number) in enumerate(zip(differences, target, strict=True))
    )
    return TopologyErrors(total, (first, second, third), differences)


def _relative(difference: int, number: int, name: str) -> Measure:
    return abs(difference) / number if number else Undefined(reason=f"the target's {name} is 0")


def _count_closed_chains(edge_of_face: IntArray, n_edges: int) -> int:
    """The nullity over Z2 of the boundary from faces (F, 3 edges) to edges."""
    starts = np.concatenate([[0], np.cumsum(np.bincount(edge_of_face.reshape(-1), minlength=n_edges))])
    incident = np.argsort(edge_of_face.reshape(-1), kind="stable") // 3
    is_kept, left = _collapse(edge_of_face, starts, incident)
    sheet = _merge_sheets(is_kept, left, starts, incident)
    equations: set[frozenset[int]] = set()
    for edge in np.flatnonzero(left > 2).tolist():
        odd: set[int] = set()
        for face in incident[starts[edge] : starts[edge + 1]].tolist():
            if is_kept[face]:
                odd ^= {int(sheet[face])}
        if odd:
            equations.add(frozenset(odd))
    return len(np.unique(sheet[is_kept])) - _rank(sorted(sorted(row) for row in equations))


@njit(cache=True, nogil=True)
def _collapse(edge_of_face: IntArray, starts: IntArray, incident: IntArray) -> tuple[BoolArray, IntArray]:
    """Faces (F,) that stay when those with a free edge go one after another, and how many each edge (E,) keeps."""
    left = starts[1:] - starts[:-1]
    is_kept = np.ones(len(edge_of_face), dtype=np.bool_)
    waiting = np.zeros(len(left), dtype=np.int64)
    count = 0
    for edge in range(len(left)):
        if left[edge] == 1:
            waiting[count] = edge
            count += 1
    while count > 0:
        count -= 1
        free = waiting[count]
        for at in range(starts[free], starts[free + 1]):
            face = incident[at]
            if not is_kept[face]:
                continue
            is_kept[face] = False
            for k in range(3):
                edge = edge_of_face[face, k]
                left[edge] -= 1
                if left[edge] == 1:
                    waiting[count] = edge
                    count += 1
    return is_kept, left


@njit(cache=True, nogil=True)
def _merge_sheets(is_kept: BoolArray, left: IntArray, starts: IntArray, incident: IntArray) -> IntArray:
    """The sheet of each face (F,), named by one of its faces; -1 for faces that lie in no closed chain."""
    parent = np.arange(len(is_kept))
    for edge in range(len(left)):
        if left[edge] != 2:
            continue
        other = -1
        for at in range(starts[edge], starts[edge + 1]):
            if is_kept[incident[at]]:
                if other >= 0:
                    a, b = find_root(parent, other), find_root(parent, incident[at])
                    parent[max(a, b)] = min(a, b)
                other = incident[at]
    sheet = np.full(len(is_kept), -1)
    for face in range(len(is_kept)):
        if is_kept[face]:
            sheet[face] = find_root(parent, face)
    return sheet


def _rank(equations: list[list[int]]) -> int:
    """The rank over Z2 of equations given by the unknowns in them; bits of a whole number are the unknowns."""
    number = {name: k for k, name in enumerate(sorted({name for row in equations for name in row}))}
    pivots: dict[int, int] = {}
    for equation in equations:
        row = 0
        for name in equation:
            row |= 1 << number[name]
        while row:
            lead = row.bit_length()
            if lead not in pivots:
                pivots[lead] = row
                break
            row ^= pivots[lead]
    return len(pivots)
