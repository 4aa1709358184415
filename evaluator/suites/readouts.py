"""Views and readouts of states as the suites take them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from engine.framing import Camera
from engine.render.passes import ViewPasses
from evaluator.suites.detection import Detection, Truth
from evaluator.suites.overlaps import Box
from evaluator.suites.scenes import DepthView, Pinhole
from schemas.readout import PixelBox, Readout, SlotView


def view_depth(passes: ViewPasses, camera: Camera) -> DepthView:
    """The depth of a rendered view with the pinhole of its camera; `passes.ids` are the objects of the scene suite."""
    focal = passes.size * 0.5 / camera.tan_half
    return DepthView(passes.depth, Pinhole(focal, focal, passes.size * 0.5, passes.size * 0.5))


def number_images(readouts: Sequence[Readout]) -> tuple[int, ...]:
    """Images of readouts: view v of readout i, all views of all readouts in order, from 0."""
    return tuple(range(sum(len(readout.views) for readout in readouts)))


def list_truths(readouts: Sequence[Readout], categories: Mapping[str, str] | None = None) -> tuple[Truth, ...]:
    """The visible instances of the true states. categories: by label; a label without one is its own."""
    return tuple(
        Truth(image, slot.id, category, _box(box), slot.visible.mask)
        for image, slot, category, box in _list_visible(readouts, categories)
    )


def list_detections(readouts: Sequence[Readout], categories: Mapping[str, str] | None = None) -> tuple[Detection, ...]:
    """The visible instances of a method's states, all with confidence 1."""
    return tuple(
        Detection(image, slot.id, category, _box(box), slot.visible.mask)
        for image, slot, category, box in _list_visible(readouts, categories)
    )


def _list_visible(
    readouts: Sequence[Readout], categories: Mapping[str, str] | None
) -> list[tuple[int, SlotView, str, PixelBox]]:
    found = []
    image = 0
    for readout in readouts:
        labels = {entry.id: entry.label for entry in readout.slots}
        for view in readout.views:
            for slot in view.slots:
                if slot.visible.box is not None:
                    category = (categories or {}).get(labels[slot.id], labels[slot.id])
                    found.append((image, slot, category, slot.visible.box))
            image += 1
    return found


def _box(box: PixelBox) -> Box:
    return Box(float(box.x), float(box.y), float(box.width), float(box.height))
