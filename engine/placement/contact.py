"""How one part meets ONE parent part: kind, normal, origin, radius and embed depth (PLACEMENT 2, GEOMETRY 3).

All arrays are float64 world coordinates. A pair is measured once; seen from the other side it is `flipped`.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from engine.geometry.curve import intersection_segments
from engine.geometry.distance import closest_points, measure_gap
from engine.geometry.jacobi import eigen_symmetric3
from engine.geometry.overlap import Placed, inside_placed
from engine.geometry.sampling import sample_surface
from engine.geometry.similarity import transform_points
from engine.geometry.stability import BASE_SHARE
from engine.surfaces import FloatArray, IntArray
from schemas.base import Vec3
from schemas.part import ContactFrame, DirectionClass, Kind
from schemas.placement import CONTACT_REL

FLOOR_REL = 0.01
BANDS_REL = (0.005, 0.01)
SAMPLES = 1024
SEED = 20_260
OPPOSED = -0.8
MATING_SHARE = 0.25
PLANAR_SHARE = 0.9
AXIAL_SHARE = 0.05
EJECTION_SHARE = 0.15
VAGUE_NORMAL = 0.2
UP_LIMIT = 0.7
WALL_LIMIT = 0.5
"""Surfaces whose normals have less than this along an axis are walls around it."""
CAP_LIMIT, CAP_SHARE = 0.9, 0.05
WALL_SHARE = 0.2
"""Walls with less than this share of the mating area are an edge, not a ring."""
UP = np.array([0.0, 1.0, 0.0])


@dataclass(frozen=True, slots=True)
class Loop:
    """Contact points all around an axis."""

    axis: int
    origin: FloatArray
    """(3,) their mean."""
    radius: float
    """Mean distance from the axis."""
    evenness: float
    """5 % over 95 % quantile of that distance: 1 on a ring, small on a disc."""
    is_capped: bool = False
    """Whether the surfaces also meet across the axis: the parent ends under a cap."""


@dataclass(frozen=True, slots=True)
class PairContact:
    """Contact of a part with a parent. `normal` points from the parent to the part."""

    kind: Kind
    gap: float
    size: float
    """Square root of the mating area, or a quarter of the intersection curve's length; at least 0.01 D."""
    origin: FloatArray
    normal: FloatArray
    radius: float
    residual: float
    box: FloatArray
    """(2, 3) box of the mating samples or of the intersection curve."""
    loop: Loop | None = None
    """The ring that the contact, or its walls, form about a box axis."""

    def flipped(self) -> PairContact:
        """The same contact with part and parent exchanged."""
        return replace(self, normal=-self.normal)


@dataclass(frozen=True, slots=True)
class _Band:
    """Samples of both surfaces near each other; normals of the part's side are turned to point from parent to part."""

    points: FloatArray
    normals: FloatArray
    weights: FloatArray
    mating: FloatArray
    """(N,) 1.0 where the closest face of the other side looks back, else 0.0."""
    finest: FloatArray
    """(N,) 1.0 on the side with the denser samples."""


def measure_pair(part: Placed, parent: Placed, diagonal: float) -> PairContact | None:
    """Contact of `part` with `parent`, or None when they are further apart than 0.01 D.

    `diagonal` is D in world units.
    """
    gap = measure_gap(part.bvh, parent.bvh, CONTACT_REL * diagonal)
    if not gap.distance <= CONTACT_REL * diagonal:
        return None
    segments = intersection_segments(part.bvh, parent.bvh) if gap.distance == 0.0 else np.zeros((0, 2, 3))
    curve = _curve_weights(segments)
    has_curve = float(curve.sum()) > 1e-6 * diagonal
    band = _sample_band(part, parent, diagonal)
    total = float(band.weights.sum())
    mating = band.weights * band.mating
    smallest = CONTACT_REL * diagonal
    if float(mating.sum()) > 0.0 and (float(mating.sum()) > MATING_SHARE * total or not has_curve):
        kind, normal, residual = _classify_mating(band, mating, part, parent)
        origin = _mean(band.points, mating)
        radius = _quantile_radius(band.points, mating, origin, normal)
        size = max(_root(float((mating * band.finest).sum())), smallest)
        box = _box_of(band.points[mating > 0.0])
        loop = _find_wall_loop(band, mating)
        return PairContact(kind, gap.distance, size, origin, normal, radius, residual, box, loop)
    if has_curve:
        middle = 0.5 * (segments[:, 0] + segments[:, 1])
        origin = _mean(middle, curve)
        kind, normal, residual = _classify_crossing(part, parent)
        radius = _quantile_radius(middle, curve, origin, normal)
        size = max(0.25 * float(curve.sum()), smallest)
        box = _box_of(segments.reshape(-1, 3))
        loop = max((_measure_loop(middle, curve, axis) for axis in (1, 0, 2)), key=lambda found: found.evenness)
        return PairContact(kind, gap.distance, size, origin, normal, radius, residual, box, loop)
    origin = 0.5 * (gap.point_a + gap.point_b)
    apart = gap.point_a - gap.point_b
    fallback = _mean(band.normals, band.weights) if total > 0.0 else box_centre(part) - box_centre(parent)
    normal = unit(apart if gap.distance > 1e-9 * diagonal else fallback, fallback=UP)
    return PairContact("near", gap.distance, smallest, origin, normal, 0.0, 0.0, np.array([origin, origin]))


def classify_direction(normal: FloatArray) -> DirectionClass:
    """Up, down or side, by the vertical component of a unit normal from parent to part."""
    if normal[1] > UP_LIMIT:
        return "up"
    return "down" if normal[1] < -UP_LIMIT else "side"


def is_carried(contact: PairContact, part: FloatArray, parent: FloatArray, diagonal: float) -> bool:
    """Whether the parent carries the part: contact low on the part, the parent below it.

    part, parent: (2, 3) boxes.
    """
    height = part[1, 1] - part[0, 1]
    low_contact = contact.origin[1] <= part[0, 1] + 0.3 * height + 1e-9 * diagonal
    return bool(low_contact) and may_carry(part, parent, diagonal)


def may_carry(part: FloatArray, parent: FloatArray, diagonal: float) -> bool:
    """Whether the parent's (2, 3) box lies low enough under the part's to carry it."""
    height = part[1, 1] - part[0, 1]
    slack = 0.02 * diagonal
    return bool(parent[0, 1] < part[0, 1] + slack and parent[1, 1] < part[0, 1] + 0.55 * height + slack)


def is_leg(contact: PairContact, part: FloatArray, parent: FloatArray, floor: float, diagonal: float) -> bool:
    """Whether the part stands on the floor and holds its parent up from there: contact high on it, parent above.

    part, parent: (2, 3) boxes; `floor` is the object's lowest height.
    """
    height = part[1, 1] - part[0, 1]
    return bool(
        part[0, 1] <= floor + FLOOR_REL * diagonal
        and contact.origin[1] >= part[0, 1] + 0.6 * height
        and parent[0, 1] >= part[0, 1] + 0.3 * height
    )


def build_frame(
    contact: PairContact, part: Placed, parent_name: str, *, carried: bool = False, leg: bool = False
) -> ContactFrame:
    """The contact frame of a part on its parent.

    Gravity decides before surfaces do: a carried part rests along +Y, and a leg hangs along -Y however it is let in.
    """
    normal = UP if carried else -UP if leg else contact.normal
    lowest = float((part.bvh.corners * normal).sum(axis=2).min())
    embed = 0.0 if carried else max(float((contact.origin * normal).sum()) - lowest, 0.0)
    return ContactFrame(
        kind="rest" if carried else contact.kind,
        parent=parent_name,
        direction=classify_direction(normal),
        origin=as_vec3(contact.origin),
        normal=as_vec3(normal),
        radius=contact.radius,
        embed=embed,
        residual=contact.residual,
    )


def ground_frame(part: Placed) -> ContactFrame:
    """Frame of a part that stands on the floor by itself: rest, at the middle of its box's underside."""
    low, high = part.bounds
    centre = 0.5 * (low + high)
    vertices = part.bvh.corners.reshape(-1, 3)
    near = vertices[vertices[:, 1] <= low[1] + BASE_SHARE * (high[1] - low[1])]
    away = near[:, [0, 2]] - centre[[0, 2]]
    radius = float(np.sqrt((away * away).sum(axis=1)).max())
    return ContactFrame(
        kind="rest",
        parent="ground",
        direction="up",
        origin=(float(centre[0]), float(low[1]), float(centre[2])),
        normal=(0.0, 1.0, 0.0),
        radius=radius,
        embed=0.0,
    )


def box_centre(part: Placed) -> FloatArray:
    """(3,) centre of the part's world box."""
    return np.asarray(0.5 * (part.bounds[0] + part.bounds[1]))


def as_vec3(vector: FloatArray) -> Vec3:
    """Three plain floats, without negative zeros."""
    x, y, z = (float(value) + 0.0 for value in vector)
    return (x, y, z)


def unit(vector: FloatArray, *, fallback: FloatArray) -> FloatArray:
    """`vector` at length 1; `fallback` (a unit vector) when it has no direction."""
    length = _root(float((vector * vector).sum()))
    return np.asarray(vector / length) if length > 1e-12 else fallback


def _classify_mating(band: _Band, mating: FloatArray, part: Placed, parent: Placed) -> tuple[Kind, FloatArray, float]:
    """Planar, axial or point from the normal covariance of the mating samples."""
    total = float(mating.sum())
    weighted = band.normals * mating[:, None]
    covariance = np.array([[float((weighted[:, i] * band.normals[:, j]).sum()) for j in range(3)] for i in range(3)])
    values, vectors = eigen_symmetric3(covariance / total)
    mean = weighted.sum(axis=0) / total
    centres = box_centre(part) - box_centre(parent)
    if values[0] > PLANAR_SHARE:
        axis = vectors[:, 0]
        reference = mean if _root(float((mean * mean).sum())) >= VAGUE_NORMAL else centres
        return "planar", _signed(axis, reference), float(1.0 - values[0])
    if values[2] < AXIAL_SHARE:
        return "axial", _signed(vectors[:, 2], centres), float(values[2])
    direction = mean if _root(float((mean * mean).sum())) >= VAGUE_NORMAL else centres
    return "point", unit(direction, fallback=UP), float(values[2])


def _classify_crossing(part: Placed, parent: Placed) -> tuple[Kind, FloatArray, float]:
    """Socket along the ejection vector, or through when no direction frees the part."""
    ejection = np.zeros(3)
    area = 0.0
    for surface, solid, sign in ((parent, part, 1.0), (part, parent, -1.0)):
        points, normals, weight = _samples_near(surface, solid.bounds, 0.0)
        if not len(points):
            continue
        inside = inside_placed(solid, points)
        ejection += sign * weight * normals[inside].sum(axis=0)
        area += weight * int(inside.sum())
    length = _root(float((ejection * ejection).sum()))
    if area > 0.0 and length / area > EJECTION_SHARE:
        return "socket", ejection / length, length / area
    normal = unit(box_centre(part) - box_centre(parent), fallback=UP)
    return "through", normal, length / area if area > 0.0 else 0.0


def _sample_band(part: Placed, parent: Placed, diagonal: float) -> _Band:
    """Samples of both sides within eps of the other, with the smaller eps first."""
    band = _empty_band()
    for band_rel in BANDS_REL:
        eps = band_rel * diagonal
        sides = [_one_side(part, parent, eps, -1.0), _one_side(parent, part, eps, 1.0)]
        found = [side for side in sides if len(side[0])]
        if not found:
            continue
        mated = [side for side in found if side[3].any()] or found
        finest = min(side[2] for side in mated)
        taken = False
        rows = []
        for points, normals, weight, mating in found:
            is_finest = weight == finest and not taken and (bool(mating.any()) or mated is found)
            taken = taken or is_finest
            count = len(points)
            rows.append((points, normals, np.full(count, weight), mating, np.full(count, float(is_finest))))
        band = _Band(*(np.concatenate([row[k] for row in rows]) for k in range(5)))
        if band.mating.any():
            return band
    return band


def _one_side(
    surface: Placed, other: Placed, eps: float, sign: float
) -> tuple[FloatArray, FloatArray, float, FloatArray]:
    """Samples of one surface within eps of the other: points, signed normals, area of each, mating flags."""
    points, normals, weight = _samples_near(surface, other.bounds, eps)
    if not len(points):
        return points, normals, weight, np.zeros(0)
    closest = closest_points(other.bvh, points, eps)
    near = closest.distance <= eps
    faces = closest.face[near]
    opposite = _face_normals(other, faces)
    own = normals[near]
    mating = ((own * opposite).sum(axis=1) < OPPOSED).astype(np.float64)
    return points[near], sign * own, weight, mating


def _samples_near(surface: Placed, box: FloatArray, margin: float) -> tuple[FloatArray, FloatArray, float]:
    """Stratified samples of the faces whose boxes reach `box` grown by `margin`, kept where they lie in it."""
    corners = surface.bvh.corners
    low, high = box[0] - margin, box[1] + margin
    chosen = ((corners.min(axis=1) <= high) & (corners.max(axis=1) >= low)).all(axis=1)
    corners = corners[chosen]
    area = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    corners = corners[(area * area).sum(axis=1) > 0.0]
    if not len(corners):
        return np.zeros((0, 3)), np.zeros((0, 3)), 1.0
    soup = corners.reshape(-1, 3)
    sampled = sample_surface(soup, np.arange(len(soup), dtype=np.int64).reshape(-1, 3), SAMPLES, SEED)
    inside = ((sampled.points >= low) & (sampled.points <= high)).all(axis=1)
    return sampled.points[inside], sampled.normals[inside], sampled.area_each


def _face_normals(placed: Placed, faces: IntArray) -> FloatArray:
    """Unit normals of chosen faces of the part's mesh, in world coordinates."""
    mesh = placed.solid.mesh
    corners = transform_points(placed.matrix, mesh.vertices[mesh.faces[faces]].reshape(-1, 3)).reshape(-1, 3, 3)
    normals = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    lengths = np.sqrt((normals * normals).sum(axis=1))
    return np.asarray(normals / np.where(lengths > 0.0, lengths, 1.0)[:, None])


def _empty_band() -> _Band:
    return _Band(np.zeros((0, 3)), np.zeros((0, 3)), np.zeros(0), np.zeros(0), np.zeros(0))


def _curve_weights(segments: FloatArray) -> FloatArray:
    """Length of each segment."""
    along = segments[:, 1] - segments[:, 0]
    return np.asarray(np.sqrt((along * along).sum(axis=1)))


def _mean(points: FloatArray, weights: FloatArray) -> FloatArray:
    return np.asarray((points * weights[:, None]).sum(axis=0) / float(weights.sum()))


def _quantile_radius(points: FloatArray, weights: FloatArray, origin: FloatArray, normal: FloatArray) -> float:
    """Weighted 95 % quantile of the distance to the axis through `origin` along `normal`."""
    away = points - origin
    away = away - (away * normal).sum(axis=1)[:, None] * normal
    return _quantile(np.sqrt((away * away).sum(axis=1)), weights, 0.95)


def _quantile(values: FloatArray, weights: FloatArray, share: float) -> float:
    order = np.argsort(values, kind="stable")
    cumulative = np.cumsum(weights[order])
    index = int(np.searchsorted(cumulative, share * cumulative[-1]))
    return float(values[order[min(index, len(order) - 1)]])


def _find_wall_loop(band: _Band, mating: FloatArray) -> Loop | None:
    """The most even ring that the walls of a mating contact form: the samples that look away from a box axis."""
    found = []
    for axis in (1, 0, 2):
        walls = mating * (np.abs(band.normals[:, axis]) < WALL_LIMIT)
        caps = mating * (np.abs(band.normals[:, axis]) > CAP_LIMIT)
        total = float(mating.sum())
        if float(walls.sum()) > WALL_SHARE * total:
            loop = _measure_loop(band.points, walls, axis)
            found.append(replace(loop, is_capped=float(caps.sum()) > CAP_SHARE * total))
    return max(found, key=lambda loop: loop.evenness, default=None)


def _measure_loop(points: FloatArray, weights: FloatArray, axis: int) -> Loop:
    """How evenly weighted points lie around a box axis through their mean."""
    origin = _mean(points, weights)
    away = points - origin
    away[:, axis] = 0.0
    distance = np.sqrt((away * away).sum(axis=1))
    outer = _quantile(distance, weights, 0.95)
    inner = _quantile(distance, weights, 0.05)
    mean = float((distance * weights).sum() / weights.sum())
    return Loop(axis, origin, mean, inner / outer if outer > 0.0 else 0.0)


def _box_of(points: FloatArray) -> FloatArray:
    return np.array([points.min(axis=0), points.max(axis=0)])


def _signed(axis: FloatArray, reference: FloatArray) -> FloatArray:
    """`axis` or its opposite, whichever agrees with `reference`."""
    return axis if float((axis * reference).sum()) >= 0.0 else -axis


def _root(value: float) -> float:
    return float(np.sqrt(value))
