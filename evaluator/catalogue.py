"""Every score by name: what it is, what it depends on, which way is better, where it is defined."""

from __future__ import annotations

from dataclasses import dataclass
from difflib import get_close_matches
from typing import Literal

from schemas.errors import InputError

Better = Literal["higher", "lower", "neither"]


@dataclass(frozen=True, slots=True)
class Metric:
    """One score."""

    name: str
    """As in score files."""
    symbol: str
    """As in papers and tables."""
    better: Better
    definition: str
    defined: str
    """When it has a value; the reason stands in its place otherwise."""
    options: tuple[str, ...] = ()
    """Named options of the protocol that change it."""
    source: str = ""
    digits: int = 3


_CELLS = ("frame", "dilate")
_SIDES = (*_CELLS, "if_sides", "if_rule")
_PUBLISHED = "published text on part-level edit chains; choices it leaves open are the named options"
_OWN = "this project; stands beside IF because recall alone can be gamed"
METRICS: tuple[Metric, ...] = (
    Metric(
        "instruction_following",
        "IF",
        "higher",
        "Share of the required change that was made, against the method's own previous output: of the cells to add "
        "(A = named parts' target cells that it lacks) those it filled, of the cells to remove (D = its cells in the "
        "edit region that the target has not) those it cleared. Add needs the first, remove the second, replace both, "
        "combined by `if_rule`.",
        "each needed side has at least 8 cells and a quarter of what the target changes; never on retexture turns",
        _SIDES,
        _PUBLISHED,
    ),
    Metric(
        "instruction_following_0",
        "IF0",
        "higher",
        "IF, with 0 where the own state leaves a turn undefined on which the oracle is defined: damage done earlier is "
        "no way out of a turn.",
        "the oracle is defined",
        _SIDES,
        _OWN,
    ),
    Metric(
        "if_net",
        "IF net",
        "higher",
        "IF with each side less what was done wrongly in the edit region: IF+ less the share of free cells filled "
        "(FP), IF- less the share of cells to keep that were lost; at least 0. Filling a box or erasing everything "
        "gains nothing.",
        "as IF",
        _SIDES,
        _OWN,
    ),
    Metric("if_plus", "IF+", "higher", "Share of the cells to add that were added.", "8 cells and a quarter", _CELLS),
    Metric("if_minus", "IF-", "higher", "Share of the cells to remove that went.", "8 cells and a quarter", _CELLS),
    Metric("if_net_plus", "IF+ net", "higher", "IF+ less FP, at least 0.", "as IF+", _CELLS, _OWN),
    Metric("if_net_minus", "IF- net", "higher", "IF- less the share lost, at least 0.", "as IF-", _CELLS, _OWN),
    Metric(
        "if_plus_jaccard",
        "IF+ J",
        "higher",
        "Cells added rightly over the cells to add and those filled wrongly.",
        "as IF+",
        _CELLS,
        _OWN,
    ),
    Metric(
        "keep_edit",
        "keep E",
        "higher",
        "Share of the cells in the edit region that belong to unnamed parts (on retexture turns to any) and were kept.",
        "at least 8 such cells",
        _CELLS,
        _OWN,
    ),
    Metric(
        "consistency_previous",
        "CC prev",
        "higher",
        "Overlap of cells with the own previous output, outside the edit region of the turn.",
        "a cell is filled there",
        _CELLS,
        _PUBLISHED,
    ),
    Metric(
        "consistency_initial",
        "CC 0",
        "higher",
        "Overlap of cells with the host, outside all edit regions so far.",
        "a cell is filled there",
        _CELLS,
        _PUBLISHED,
    ),
    Metric(
        "consistency_delta_previous",
        "CC dprev",
        "higher",
        "Overlap with the own previous output away from the cells that the target changes: finds resets.",
        "a cell is filled there",
        ("frame",),
        _PUBLISHED,
    ),
    Metric("iou", "IoU", "higher", "Overlap of surface cells with the target's.", "a cell is filled", _CELLS),
    Metric(
        "chamfer",
        "CD",
        "lower",
        "Mean over both directions of the mean distance from samples of one surface to the other surface, times 100, "
        "in units of the chain's longest side. One density for both meshes; samples belong to triangles.",
        "samples on both sides",
        ("samples",),
        _PUBLISHED,
    ),
    Metric(
        "f_score_001",
        "F@.01",
        "higher",
        "Harmonic mean of precision and recall: shares of samples closer than 0.01 to the other surface.",
        "samples on a side; 0 with samples on one side only",
        ("samples",),
        _PUBLISHED,
    ),
    Metric("f_score_002", "F@.02", "higher", "The same at 0.02.", "as F@.01", ("samples",), _PUBLISHED),
    Metric("precision_001", "P@.01", "higher", "Share of the output's samples near the target.", "samples", ()),
    Metric("recall_001", "R@.01", "higher", "Share of the target's samples near the output.", "samples", ()),
    Metric("precision_002", "P@.02", "higher", "The same at 0.02.", "samples", ()),
    Metric("recall_002", "R@.02", "higher", "The same at 0.02.", "samples", ()),
    Metric(
        "hd95",
        "HD95",
        "lower",
        "95th percentile of the distances of both sides together, in units of the longest side.",
        "samples on both sides",
        ("samples",),
        _PUBLISHED,
        4,
    ),
    Metric(
        "normal_consistency",
        "NC",
        "higher",
        "Mean |cos| between a sample's normal and that of the nearest point, mean of both sides.",
        "samples on both sides",
        ("samples",),
        _PUBLISHED,
    ),
    Metric(
        "hd95_untouched",
        "HD95 u",
        "lower",
        "HD95 of the region that no turn so far should have touched.",
        "samples on both sides",
        ("samples",),
        _PUBLISHED,
        4,
    ),
    Metric(
        "normal_consistency_untouched",
        "NC u",
        "higher",
        "NC of the region that no turn so far should have touched.",
        "samples on both sides",
        ("samples",),
        _PUBLISHED,
    ),
    Metric(
        "fragments_delta",
        "dfrag",
        "neither",
        "Components with less than 0.5 % of the area: the output's less the target's. Tables show the median.",
        "always",
        (),
        _PUBLISHED,
        0,
    ),
    Metric("beyond_frame", "beyond", "lower", "Share of the output's area outside the work array.", "always", ()),
    Metric("size_ratio", "size", "neither", "Longest side of the output over the target's.", "always", ()),
    Metric("one_sided", "one-sided", "lower", "1 where only one side has samples in the region.", "always", ()),
    Metric(
        "psnr",
        "PSNR",
        "higher",
        "From the region's mean squared error of metric images on black; `inf` for identical pixels, counted and left "
        "out of means.",
        "enough pixels in the region",
        ("image", "res", "dilate_px"),
        _PUBLISHED,
        2,
    ),
    Metric("ssim", "SSIM", "higher", "Mean over the region of the SSIM map (Gaussian 11, 1.5).", "as PSNR"),
    Metric("lpips_alex", "LPIPS", "lower", "Mean over the region of the spatial map (AlexNet).", "weights given"),
    Metric("dinov2_vitb14", "DINOv2", "higher", "Mean patch cosine (ViT-B/14, 16 x 16 at 224 px).", "weights given"),
    Metric(
        "silhouette_iou",
        "sil IoU",
        "higher",
        "Overlap of the pixels that are at least half covered.",
        "an object is seen",
        ("res",),
        _PUBLISHED,
    ),
    Metric(
        "drift",
        "drift",
        "lower",
        "Mean change, 0..1, of the pixels outside the edit region against the own previous output.",
        "a pixel lies outside",
        ("res", "dilate_px"),
        _PUBLISHED,
        4,
    ),
    Metric(
        "drift_foreground",
        "drift fg",
        "lower",
        "Drift over the pixels that show the object.",
        "such a pixel lies outside",
        ("res", "dilate_px"),
        _PUBLISHED,
        4,
    ),
    Metric(
        "retexture_change_ratio",
        "change",
        "neither",
        "Retexture turns: own change over the target's, on the pixels that the target changes; 1 is as much.",
        "50 changed pixels in a view",
        ("res",),
        _PUBLISHED,
    ),
    Metric(
        "retexture_residual",
        "residual",
        "lower",
        "Retexture turns: difference of the output and the target on these pixels.",
        "50 changed pixels in a view",
        ("res",),
        _PUBLISHED,
        4,
    ),
    Metric(
        "retexture_residual_no_edit",
        "residual 0",
        "neither",
        "The same of the own previous output: what doing nothing leaves.",
        "50 changed pixels in a view",
        ("res",),
        _PUBLISHED,
        4,
    ),
    Metric(
        "retexture_similarity",
        "DINOv2 E",
        "higher",
        "Retexture turns: patch cosine of the conditioning view in the edit region.",
        "weights given",
        ("res",),
        _PUBLISHED,
    ),
)
BY_NAME = {metric.name: metric for metric in METRICS}
WAYS = {
    "_sampled": "samples to samples, as usually published",
    "_floor": "noise floor: the target against a second sampling of itself",
}
"""Endings of columns that are measured in another way than the score they are named after."""


def split_way(name: str) -> tuple[str, str]:
    """The plain name of a column and the ending that says how it was measured: one of `WAYS`, or nothing."""
    for ending in WAYS:
        if name.endswith(ending):
            return name.removesuffix(ending), ending
    return name, ""


def find_metric(word: str) -> Metric:
    """A metric by its name or symbol. Raises InputError, with the closest, for an unknown one."""
    plain, _ = split_way(word.strip().lower())
    for metric in METRICS:
        if plain in {metric.name, metric.symbol.lower(), metric.symbol.lower().replace(" ", "_")}:
            return metric
    known = [*BY_NAME, *(metric.symbol for metric in METRICS)]
    close = get_close_matches(word, known, 3, 0.4)
    meant = f"did you mean {', '.join(close)}? " if close else ""
    raise InputError(f"no metric {word!r}; {meant}All: {', '.join(BY_NAME)}")
