"""All scores of a turn that are made from pictures, over the views of the rig."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from engine.surfaces import BoolArray
from evaluator.metrics.image import (
    Drift,
    ImageScores,
    RetextureDiagnosis,
    diagnose_retexture,
    measure_drift,
    score_view,
)
from evaluator.metrics.networks.weights import MapMetric, MissingWeights
from evaluator.metrics.perceptual import measure_retexture_similarity, score_view_by_network
from evaluator.metrics.pictures import ByRegion, Picture, lay_on_black
from evaluator.metrics.views import ViewSplit, split_views
from evaluator.protocol import ImageOptions
from schemas.errors import InputError
from schemas.score import Measure, Undefined

PATCH_COSINE = "dinov2_vitb14"
"""The network of the column that retexture turns have of their own."""


class ViewPictures(NamedTuple):
    """One view of a turn; pictures (H, W, 4) uint8, all of one size."""

    own: Picture
    """The method's output."""
    own_before: Picture
    """Its own previous output; the host at turn 1."""
    target: Picture
    target_before: Picture
    edit: BoolArray
    """(H, W): the dilated region of the edit."""


class ViewScores(NamedTuple):
    """Scores of one view."""

    image: ImageScores
    drift: Drift
    retexture: RetextureDiagnosis | Undefined
    """Undefined on other turns."""
    networks: dict[str, ByRegion[Measure]]
    """By name of the network metric."""


class TurnPictureScores(NamedTuple):
    """Scores of one turn: each over all views, the conditioning view, and the held-out ones."""

    psnr: ByRegion[ViewSplit]
    ssim: ByRegion[ViewSplit]
    silhouette_iou: ByRegion[ViewSplit]
    drift: ViewSplit
    """Over U."""
    drift_foreground: ViewSplit
    """Over the pixels of U that show the object."""
    change_ratio: ViewSplit
    residual: ViewSplit
    residual_no_edit: ViewSplit
    networks: dict[str, ByRegion[ViewSplit]]
    retexture_similarity: Measure
    """DINOv2 of the conditioning view in E, on retexture turns."""
    views: tuple[ViewScores, ...]


def score_turn_pictures(
    operation: str,
    views: Sequence[ViewPictures],
    networks: Mapping[str, MapMetric | MissingWeights] | None = None,
    options: ImageOptions | None = None,
) -> TurnPictureScores:
    """Score the views of one turn, in their order, the conditioning view first.

    networks: map metrics by name, as `load_map_metric` gives them. Raises InputError without views, or when the
    pictures of a view differ in size or are none.
    """
    if not views:
        raise InputError("picture scores: there are no views")
    options = options or ImageOptions()
    networks = networks or {}
    scored = tuple(_score_view(operation, view, networks, options) for view in views)
    images = [view.image for view in scored]
    named = {name: [view.networks[name] for view in scored] for name in sorted(networks)}
    diagnoses = [view.retexture for view in scored]
    similarity: Measure = Undefined(reason=f"{PATCH_COSINE} was not asked for")
    if PATCH_COSINE in named:
        similarity = measure_retexture_similarity(operation, named[PATCH_COSINE])
    return TurnPictureScores(
        psnr=_split_regions([image.psnr for image in images]),
        ssim=_split_regions([image.ssim for image in images]),
        silhouette_iou=_split_regions([image.silhouette_iou for image in images]),
        drift=split_views([view.drift.unchanged for view in scored]),
        drift_foreground=split_views([view.drift.foreground for view in scored]),
        change_ratio=split_views([d if isinstance(d, Undefined) else d.change_ratio for d in diagnoses]),
        residual=split_views([d if isinstance(d, Undefined) else d.residual for d in diagnoses]),
        residual_no_edit=split_views([d if isinstance(d, Undefined) else d.residual_no_edit for d in diagnoses]),
        networks={name: _split_regions(values) for name, values in named.items()},
        retexture_similarity=similarity,
        views=scored,
    )


def _score_view(
    operation: str, view: ViewPictures, networks: Mapping[str, MapMetric | MissingWeights], options: ImageOptions
) -> ViewScores:
    own, own_before, target, target_before = (lay_on_black(picture) for picture in view[:4])
    diagnosis: RetextureDiagnosis | Undefined = Undefined(reason=f"a column of retexture turns, this is {operation}")
    if operation == "retexture":
        diagnosis = diagnose_retexture(own, own_before, target, target_before, options)
    return ViewScores(
        image=score_view(own, target, view.edit, options),
        drift=measure_drift(own, own_before, view.edit),
        retexture=diagnosis,
        networks={
            name: score_view_by_network(networks[name], own, target, view.edit, options) for name in sorted(networks)
        },
    )


def _split_regions(views: Sequence[ByRegion[Measure]]) -> ByRegion[ViewSplit]:
    return ByRegion(*(split_views(values) for values in zip(*views, strict=True)))
