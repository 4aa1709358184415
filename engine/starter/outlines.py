"""Plane curves the modelling starts from: polygons, fillets, smooth curves, insets, triangulation."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from engine.starter.trigonometry import circle, cosine_sine
from engine.surfaces import FloatArray, IntArray

Points = Sequence[Sequence[float]] | FloatArray


def points_of(values: Points) -> FloatArray:
    """Any list of points as (N, k) float64."""
    return np.asarray(values, dtype=np.float64)


def length_of(vectors: FloatArray) -> FloatArray:
    """(N,) lengths of (N, 2) or (N, 3) vectors, summed in a fixed order."""
    total = vectors[..., 0] * vectors[..., 0]
    for k in range(1, vectors.shape[-1]):
        total = total + vectors[..., k] * vectors[..., k]
    return np.asarray(np.sqrt(total))


def arc_lengths(points: FloatArray, *, closed: bool = False) -> FloatArray:
    """(N,) length along a polyline from its first point; N + 1 values when closed."""
    ends = np.concatenate([points, points[:1]]) if closed else points
    return np.concatenate([np.zeros(1), np.cumsum(length_of(ends[1:] - ends[:-1]))])


def rectangle(width: float, height: float, radius: float = 0.0, steps: int = 3) -> FloatArray:
    """Counter-clockwise rectangle about the origin, with rounded corners when `radius` > 0."""
    x, y = width / 2, height / 2
    corners = points_of([(-x, -y), (x, -y), (x, y), (-x, y)])
    return fillet(corners, radius, steps, closed=True) if radius > 0 else corners


def ellipse(width: float, height: float, count: int = 20, start_turns: float = 0.0) -> FloatArray:
    """Counter-clockwise ellipse of the given full width and height."""
    return circle(count, start_turns) * points_of([[width / 2, height / 2]])


def star(outer: float, inner: float, tips: int) -> FloatArray:
    """Counter-clockwise star with a tip at the top."""
    ring = circle(2 * tips, 0.25)
    radius = np.where(np.arange(2 * tips) % 2 == 0, outer, inner)
    return np.asarray(ring * radius[:, None])


def gear(outer: float, root: float, teeth: int) -> FloatArray:
    """Counter-clockwise gear wheel with straight flanks."""
    cosine, sine = cosine_sine((np.arange(4 * teeth, dtype=np.float64) + 0.5) / (4 * teeth))
    radius = np.where(np.arange(4 * teeth) % 4 < 2, outer, root)
    return np.stack([cosine * radius, sine * radius], axis=1)


def arch(width: float, height: float, steps: int = 10) -> FloatArray:
    """Counter-clockwise door shape: a rectangle under a half circle, standing on y = 0."""
    half = width / 2
    cosine, sine = cosine_sine(np.arange(steps + 1, dtype=np.float64) / (2 * steps))
    round_top = np.stack([cosine * half, sine * half + (height - half)], axis=1)
    return np.concatenate([points_of([(-half, 0.0), (half, 0.0)]), round_top])


def fillet(points: Points, radius: float, steps: int = 3, *, closed: bool = False) -> FloatArray:
    """Round the corners of a polyline by quadratic arcs that begin `radius` before the corner."""
    path = points_of(points)
    count = len(path)
    rounded: list[FloatArray] = []
    t = (np.arange(steps + 1, dtype=np.float64) / steps)[:, None]
    for i in range(count):
        here = path[i]
        if not closed and i in {0, count - 1}:
            rounded.append(here[None])
            continue
        back, ahead = path[i - 1] - here, path[(i + 1) % count] - here
        reach_back = min(radius, 0.45 * float(length_of(back))) / float(length_of(back))
        reach_ahead = min(radius, 0.45 * float(length_of(ahead))) / float(length_of(ahead))
        first, last = here + back * reach_back, here + ahead * reach_ahead
        rounded.append((1 - t) * (1 - t) * first + 2 * t * (1 - t) * here + t * t * last)
    return np.concatenate(rounded)


def smooth(points: Points, steps: int = 4, *, closed: bool = False) -> FloatArray:
    """A Catmull-Rom curve through the given points, in two or three dimensions."""
    path = points_of(points)
    count = len(path)
    if closed:
        around = np.concatenate([path[-1:], path, path[:2]])
    else:
        around = np.concatenate([2 * path[:1] - path[1:2], path, 2 * path[-1:] - path[-2:-1]])
    t = (np.arange(steps, dtype=np.float64) / steps)[:, None]
    pieces: list[FloatArray] = []
    for i in range(count if closed else count - 1):
        a, b, c, d = around[i], around[i + 1], around[i + 2], around[i + 3]
        pieces.append(
            0.5 * (2 * b + (c - a) * t + (2 * a - 5 * b + 4 * c - d) * t * t + (3 * b - a - 3 * c + d) * t * t * t)
        )
    if not closed:
        pieces.append(path[-1:])
    return np.concatenate(pieces)


def inset(outline: FloatArray, distance: float) -> FloatArray:
    """Move a counter-clockwise outline inwards; meant for distances below its smallest feature."""
    edge = np.roll(outline, -1, axis=0) - outline
    inward = np.stack([-edge[:, 1], edge[:, 0]], axis=1) / length_of(edge)[:, None]
    before = np.roll(inward, 1, axis=0)
    agree = 1.0 + inward[:, 0] * before[:, 0] + inward[:, 1] * before[:, 1]
    return np.asarray(outline + (inward + before) * (distance / np.maximum(agree, 0.25))[:, None])


def deepest_inset(outline: FloatArray, distance: float) -> float:
    """`distance`, made smaller in steps until no edge of the inset outline turns round."""
    edge = np.roll(outline, -1, axis=0) - outline
    while distance > 0:
        moved = inset(outline, distance)
        after = np.roll(moved, -1, axis=0) - moved
        if bool((edge[:, 0] * after[:, 0] + edge[:, 1] * after[:, 1] > 0).all()):
            return distance
        distance = 0.0 if distance < 1e-4 else distance * 0.85
    return 0.0


def triangulate(outline: FloatArray) -> IntArray:
    """(N - 2, 3) triangles of a simple counter-clockwise polygon, by clipping ears.

    The ear with the widest corner angle goes first, so that long thin slivers stay rare.
    """
    xs, ys = outline[:, 0].tolist(), outline[:, 1].tolist()

    def turn(a: int, b: int, c: int) -> float:
        return float((xs[b] - xs[a]) * (ys[c] - ys[a]) - (ys[b] - ys[a]) * (xs[c] - xs[a]))

    left = list(range(len(xs)))
    triangles: list[tuple[int, int, int]] = []
    while len(left) > 3:
        best, best_score = -1, -1.0
        for k in range(len(left)):
            a, b, c = left[k - 1], left[k], left[(k + 1) % len(left)]
            area = turn(a, b, c)
            if area <= 0:
                continue
            others = (p for p in left if p not in {a, b, c})
            if any(turn(a, b, p) >= 0 and turn(b, c, p) >= 0 and turn(c, a, p) >= 0 for p in others):
                continue
            chord = (xs[c] - xs[a]) * (xs[c] - xs[a]) + (ys[c] - ys[a]) * (ys[c] - ys[a])
            if area / chord > best_score:
                best, best_score = k, area / chord
        best = max(best, 0)  # when only flat corners are left any of them may go
        triangles.append((left[best - 1], left[best], left[(best + 1) % len(left)]))
        left.pop(best)
    triangles.append((left[0], left[1], left[2]))
    return np.asarray(triangles, dtype=np.int64)
