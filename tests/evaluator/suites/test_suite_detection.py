"""Average precision against pycocotools, and the fixed order of equals."""

from __future__ import annotations

import contextlib
import io
from typing import Any, Literal

import numpy as np
import pytest
from pycocotools import mask as coco_mask
from pycocotools.coco import COCO
from pycocotools.cocoeval import COCOeval

from engine.render.run_lengths import encode_mask, find_box
from engine.surfaces import BoolArray
from evaluator.suites.detection import AveragePrecision, Detection, Truth, measure_average_precision
from evaluator.suites.overlaps import Box, count_pixels, measure_box_overlaps, measure_mask_overlaps
from evaluator.suites.readouts import list_detections, list_truths, number_images
from schemas.errors import InputError
from schemas.readout import CameraReadout, MaskReadout, Readout, SlotLabel, SlotView, ViewReadout
from schemas.score import Undefined

HEIGHT, WIDTH = 150, 180
CATEGORIES = ("cup", "door", "wheel")
Json = dict[str, Any]


def _ragged(rng: np.random.Generator) -> BoolArray:
    w, h = rng.integers(2, 140, 2)
    x, y = rng.integers(0, WIDTH - 2), rng.integers(0, HEIGHT - 2)
    mask = np.zeros((HEIGHT, WIDTH), dtype=bool)
    mask[y : y + h, x : x + w] = True
    mask &= rng.random(mask.shape) < 0.9
    mask[y, x] = True
    return mask


def _box(mask: BoolArray) -> Box:
    found = find_box(mask)
    assert found is not None
    return Box(found.x, found.y, found.width, found.height)


def _scene(seed: int, *, scored: bool) -> tuple[list[tuple[Truth, BoolArray]], list[tuple[Detection, BoolArray]]]:
    """Five images of instances, crowds among them, each found up to twice, a little off, sometimes by a wrong name."""
    rng = np.random.default_rng(seed)
    truths: list[tuple[Truth, BoolArray]] = []
    found: list[tuple[Detection, BoolArray]] = []
    for image in range(1, 6):
        for _ in range(rng.integers(0, 9)):
            mask, category = _ragged(rng), int(rng.integers(0, 3))
            crowd = bool(rng.random() < 0.2)
            truth = Truth(image, len(truths) + 1, CATEGORIES[category], _box(mask), encode_mask(mask), None, crowd)
            truths.append((truth, mask))
            for _ in range(rng.integers(0, 3)):
                moved = np.roll(mask, tuple(rng.integers(-8, 9, 2)), (0, 1))
                name = CATEGORIES[category if rng.random() < 0.8 else int(rng.integers(0, 3))]
                score = float(np.round(rng.random(), 1)) if scored else 1.0
                found.append(
                    (Detection(image, len(found), name, _box(moved), encode_mask(moved), score), moved),
                )
    return truths, found


def _by_pycocotools(
    truths: list[tuple[Truth, BoolArray]], found: list[tuple[Detection, BoolArray]], kind: Literal["box", "mask"]
) -> list[float]:
    annotations: list[Json] = [
        {
            "id": truth.number,
            "image_id": truth.image,
            "category_id": CATEGORIES.index(truth.category) + 1,
            "bbox": list(truth.box),
            "area": float(mask.sum()),
            "iscrowd": int(truth.is_crowd),
            "segmentation": coco_mask.encode(np.asfortranarray(mask.astype(np.uint8))),
        }
        for truth, mask in truths
    ]
    results: list[Json] = []
    for detection, mask in found:
        entry: Json = {
            "image_id": detection.image,
            "category_id": CATEGORIES.index(detection.category) + 1,
            "score": detection.score,
        }
        shape = {"bbox": list(detection.box)}
        if kind == "mask":
            shape = {"segmentation": coco_mask.encode(np.asfortranarray(mask.astype(np.uint8)))}
        results.append(entry | shape)
    with contextlib.redirect_stdout(io.StringIO()):
        truth_set = COCO()
        truth_set.dataset = {
            "images": [{"id": k, "height": HEIGHT, "width": WIDTH} for k in range(1, 6)],
            "categories": [{"id": k + 1, "name": name} for k, name in enumerate(CATEGORIES)],
            "annotations": annotations,
        }
        truth_set.createIndex()
        evaluation = COCOeval(truth_set, truth_set.loadRes(results), "bbox" if kind == "box" else "segm")
        evaluation.evaluate()
        evaluation.accumulate()
        evaluation.summarize()
    return [*evaluation.stats[:6], evaluation.stats[8]]


def _figures(scores: AveragePrecision) -> list[float]:
    return [value if isinstance(value, float) else -1.0 for value in (*scores[:6], scores.recall)]


@pytest.mark.parametrize("kind", ["box", "mask"])
@pytest.mark.parametrize("scored", [False, True])
def test_all_figures_equal_pycocotools(kind: Literal["box", "mask"], scored: bool) -> None:  # noqa: FBT001
    """Six precisions and the recall agree on random scenes with crowds, wrong names, ties and all area classes."""
    for seed in range(8):
        truths, found = _scene(seed, scored=scored)
        ours = measure_average_precision([t for t, _ in truths], [d for d, _ in found], range(1, 6), kind)
        np.testing.assert_allclose(_figures(ours), _by_pycocotools(truths, found, kind), rtol=0, atol=1e-12)


def test_order_of_the_lists_changes_nothing() -> None:
    """Equal scores fall in the order of images and numbers, however the lists are shuffled."""
    truths, found = ([entry for entry, _ in side] for side in _scene(11, scored=False))
    wanted = measure_average_precision(truths, found, range(1, 6))
    rng = np.random.default_rng(0)
    for _ in range(5):
        shuffled = [[side[k] for k in rng.permutation(len(side))] for side in (truths, found)]
        again = measure_average_precision(shuffled[0], shuffled[1], [5, 3, 1, 2, 4])
        assert again == wanted


def test_masks_overlap_as_their_pixels_do() -> None:
    """Overlaps counted on runs equal those of the pixels, and pycocotools' to the bit."""
    rng = np.random.default_rng(2)
    own, true = [_ragged(rng) for _ in range(6)], [_ragged(rng) for _ in range(5)]
    crowd = np.array([False, True, False, False, True])
    found = measure_mask_overlaps([encode_mask(m) for m in own], [encode_mask(m) for m in true], crowd)
    pixels = [
        [(a & b).sum() / (a.sum() if c else (a | b).sum()) for b, c in zip(true, crowd, strict=True)] for a in own
    ]
    assert np.array_equal(found, np.array(pixels))
    runs = [[coco_mask.encode(np.asfortranarray(m.astype(np.uint8))) for m in side] for side in (own, true)]
    assert np.array_equal(found, coco_mask.iou(*runs, crowd.tolist()))
    boxes = [[_box(m) for m in side] for side in (own, true)]
    theirs = coco_mask.iou(*(np.array(side, dtype=np.float64) for side in boxes), crowd.tolist())
    np.testing.assert_allclose(measure_box_overlaps(*boxes, crowd), theirs, rtol=1e-14)
    assert [count_pixels(encode_mask(m)) for m in own] == [int(m.sum()) for m in own]


def test_missed_image_stays_in_the_denominator() -> None:
    """Perfect on one of two images with one instance each: recall stops at a half, precision at 51 of 101 recalls."""
    boxes = [Box(10, 10, 50, 50), Box(20, 20, 60, 60)]
    truths = [Truth(k, 1, "cup", box) for k, box in enumerate(boxes)]
    scores = measure_average_precision(truths, [Detection(0, 1, "cup", boxes[0])], [0, 1])
    assert scores.ap == pytest.approx(51 / 101)
    assert scores.recall == 0.5
    assert (scores.truths, scores.detections, scores.images) == (2, 1, 2)
    assert isinstance(scores.ap_small, Undefined)
    nothing = measure_average_precision(truths, [], [0, 1])
    assert nothing.ap == 0.0


def test_readout_against_itself_is_perfect_and_keeps_labels_apart() -> None:
    """What a true state shows, read off again, has AP 1 for boxes and masks; under other labels 0."""
    mask = np.zeros((40, 40), dtype=bool)
    mask[5:20, 8:30] = True
    readout = _readout(mask)
    truths = list_truths([readout, readout])
    images = number_images([readout, readout])
    for kind in ("box", "mask"):
        assert measure_average_precision(truths, list_detections([readout, readout]), images, kind).ap == 1.0
    renamed = list_detections([readout, readout], {"hat": "cap"})
    assert measure_average_precision(truths, renamed, images).ap == 0.0
    assert len(truths) == 2
    assert images == (0, 1)


def _readout(mask: BoolArray) -> Readout:
    seen = MaskReadout(pixels=int(mask.sum()), box=find_box(mask), mask=encode_mask(mask))
    hidden = MaskReadout(pixels=0, box=None, mask=encode_mask(np.zeros_like(mask)))
    axis = (0.0, 0.0, 1.0)
    camera = CameraReadout(
        position=axis, right=axis, up=axis, forward=axis, fov_deg=40.0, fx=1.0, fy=1.0, cx=0.0, cy=0.0
    )
    view = ViewReadout(
        view=0,
        camera=camera,
        slots=(
            SlotView(id=1, visible=seen, amodal=seen, nearest=1.0, farthest=2.0),
            SlotView(id=2, visible=hidden, amodal=seen),
        ),
        ids_png="i",
        alpha_png="a",
        depth_exr="d",
        normals_exr="n",
    )
    return Readout(
        chain="c",
        turn=1,
        state_sha256="0" * 64,
        resolution_px=40,
        slots=(SlotLabel(id=1, slot="hat", label="hat"), SlotLabel(id=2, slot="pin", label="pin")),
        views=(view,),
    )


def test_inconsistent_input_is_refused() -> None:
    """Instances of images that are not evaluated, without mask, or numbered twice are errors."""
    truth = Truth(1, 1, "cup", Box(0, 0, 5, 5))
    with pytest.raises(InputError, match="image 1, instance 1: the image is not among the 1"):
        measure_average_precision([truth], [], [2])
    with pytest.raises(InputError, match="has no mask"):
        measure_average_precision([truth], [], [1], "mask")
    with pytest.raises(InputError, match="same number"):
        measure_average_precision([truth, truth], [], [1])
    with pytest.raises(InputError, match="image 1, instance 1: its box is"):
        measure_average_precision([Truth(1, 1, "cup", Box(0, 0, -5, 5))], [], [1])
    with pytest.raises(InputError, match="score is not finite"):
        measure_average_precision([truth], [Detection(1, 1, "cup", truth.box, None, float("nan"))], [1])
