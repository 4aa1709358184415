"""An editor that follows instructions by looking parts up: their words are matched, the mask says where and how big.

It removes what fills the mask, brings parts from a library of its own, and paints with the materials that come with the
project. It asks no model and no network, and sees its last state, the instruction, the operation's name and the mask.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import ClassVar

import numpy as np

from engine.cells.lattice import Grid
from engine.cells.sizes import MARGIN_CELLS
from engine.geometry.bounds import bounds_of, diagonal, merge_bounds
from engine.geometry.similarity import compose, similarity
from engine.gltf.compose import compose_fragments
from engine.gltf.fragments import Fragment, NodeSource, prepare_fragment
from engine.surfaces import FloatArray
from evaluator.methods.edit_region import EditRegion, measure_cells_box, read_edit_region
from evaluator.methods.retrieval.fitting import Aim, Fit, Room, fit_best
from evaluator.methods.retrieval.looks import find_look, give_look
from evaluator.methods.retrieval.own_nodes import OwnNode, SplitState, split_state
from evaluator.methods.retrieval.settling import find_approach, find_drop, join_near
from evaluator.methods.retrieval.shelf import Shelf, open_shelf
from evaluator.methods.retrieval.wishes import find_successor, find_thing
from evaluator.regions import dilate_cells
from evaluator.rollout.contract import TurnInput, TurnOutput
from schemas.errors import InputError
from schemas.method import Access, MethodUsage

CANDIDATES = 6
"""Parts that are tried for one place."""
STANDING = np.array([0.5, 0.0, 0.5])
"""In the middle of a place, at its bottom."""
OFF_CENTER = 0.3
"""Distance of the middle of a hold from that of a box, over its side, from which a thing is held at that end."""
_LOG = logging.getLogger(__name__)
_NO_MODEL = MethodUsage(calls=0, input_tokens=0, output_tokens=0)


class Retrieve:
    """Follows instructions by retrieval; option `library` is the folder of the index that parts come from.

    Where it cannot do an edit it returns its input unchanged, byte for byte, and says why in its log.
    """

    access: ClassVar[tuple[Access, ...]] = ("operation", "edit_mask")

    def __init__(self, options: Mapping[str, str]) -> None:
        """Open the library. Raises InputError for other options or none, and what opening an index raises."""
        unknown = sorted(set(options) - {"library"})
        if unknown:
            raise InputError(f"method retrieve: option {unknown[0]!r} is unknown; it has one, library=FOLDER")
        if "library" not in options:
            raise InputError("method retrieve: needs the option library=FOLDER, an index of `engine library build`")
        self._shelf: Shelf = open_shelf(Path(options["library"]).absolute())

    def edit(self, given: TurnInput) -> TurnOutput:
        """Edit one state. Raises InputError without operation or edit mask, GltfError for a state it cannot read."""
        request = given.request
        if request.operation is None or request.edit_mask is None:
            raise InputError("retrieve: the request has no operation or no edit mask")
        data = given.glb
        region = read_edit_region(given.folder, request.edit_mask)
        if not region.inside.any():
            _LOG.warning("unchanged: the mask is empty")
            return TurnOutput(glb=data, usage=_NO_MODEL)
        state = split_state(given.folder / request.input, data, region)
        match request.operation:
            case "remove":
                fragments = _remove(state)
            case "add":
                fragments = self._add(request.instruction, state, region)
            case "replace":
                fragments = self._replace(request.instruction, state, region)
            case "retexture":
                fragments = _retexture(request.instruction, state)
        if fragments is None:
            return TurnOutput(glb=data, usage=_NO_MODEL)
        return TurnOutput(glb=compose_fragments(fragments), usage=_NO_MODEL)

    def _add(self, instruction: str, state: SplitState, region: EditRegion) -> list[Fragment] | None:
        taken = region.mark(node.soup for node in state.nodes)
        aim = Aim(region.shrunk, region.shrunk & ~taken, np.zeros_like(taken), taken)
        fit = self._fit(instruction, find_thing(instruction), [Room(measure_cells_box(region.shrunk), STANDING)], aim)
        if fit is None:
            return None
        soups = [region.to_cells(node.soup) for node in state.nodes]
        floor = min((float(bounds_of(*soup)[0, 1]) for soup in soups), default=0.0)
        return [*_fragments(state.nodes), _place(fit, find_drop(fit.soup, soups, floor), region)]

    def _replace(self, instruction: str, state: SplitState, region: EditRegion) -> list[Fragment] | None:
        if not state.named:
            _LOG.warning("unchanged: no node fills the mask")
            return None
        old = region.mark(node.soup for node in state.named)
        taken = region.mark(node.soup for node in state.others)
        box = merge_bounds(*(bounds_of(*region.to_cells(node.soup)) for node in state.named))
        hold = find_hold(old & taken, box)
        # The mask shows where the new thing reaches beyond the old one.
        rooms = [Room(box, hold), Room(measure_cells_box(region.shrunk), hold)]
        beyond = region.shrunk & dilate_cells(~dilate_cells(old)) & ~taken
        faces = sum(len(node.soup[1]) for node in state.named)
        fit = self._fit(instruction, find_successor(instruction), rooms, Aim(region.shrunk, beyond, old, taken), faces)
        if fit is None:
            return None
        around = join_near(fit.soup, (region.to_cells(node.soup) for node in state.others))
        return [*_fragments(state.others), _place(fit, find_approach(fit.soup, around), region)]

    def _fit(
        self, instruction: str, thing: str | None, rooms: Sequence[Room], aim: Aim, old_faces: int = 0
    ) -> Fit | None:
        if thing is None:
            _LOG.warning("unchanged: the instruction does not say what is to come")
            return None
        found = self._shelf.find(thing, instruction, CANDIDATES)
        if not found:
            _LOG.warning("unchanged: the library has nothing like %r", thing)
        # A thing is not replaced by itself where there is another.
        others = tuple(answer for answer in found if answer.record.triangles != old_faces) or found
        return fit_best(((answer, self._shelf.read(answer.record)) for answer in others), rooms, aim)


def find_hold(shared: Grid, box: FloatArray) -> FloatArray:
    """Where a thing is held, on every axis: 0 at the low end of its box (2, 3), 1 at the high end, else 0.5.

    `shared` are the cells that it shares with others; a thing without any stands.
    """
    held = np.argwhere(shared)
    if len(held) == 0:
        return STANDING
    middle = held.sum(axis=0) / len(held) + (0.5 - MARGIN_CELLS)
    off = (middle - box[0]) / np.maximum(box[1] - box[0], 1.0) - 0.5
    return np.where(np.abs(off) < OFF_CENTER, 0.5, np.where(off < 0.0, 0.0, 1.0))


def _fragments(nodes: Sequence[OwnNode]) -> list[Fragment]:
    return [node.fragment for node in nodes]


def _remove(state: SplitState) -> list[Fragment] | None:
    if not state.named or not state.others:
        _LOG.warning("unchanged: %d of %d nodes fill the mask", len(state.named), len(state.nodes))
        return None
    return _fragments(state.others)


def _retexture(instruction: str, state: SplitState) -> list[Fragment] | None:
    spec = find_look(instruction)
    if spec is None or not state.named:
        _LOG.warning("unchanged: %s", "no material in the instruction" if spec is None else "no node fills the mask")
        return None
    box = merge_bounds(*(bounds_of(*node.soup) for node in state.nodes))
    renewed = dict(zip(state.named, give_look(state.named, spec, diagonal(box)), strict=True))
    return [renewed.get(node, node.fragment) for node in state.nodes]


def _place(fit: Fit, move: FloatArray, region: EditRegion) -> Fragment:
    """The part below a node that brings it into the state; `move` (3,) in cells."""
    moved = compose(similarity(1.0, np.eye(3), move), fit.cells_from_part)
    world = compose(region.world_from_cells, moved)
    matrix = [float(world[row, column]) for column in range(4) for row in range(4)]
    fragment = prepare_fragment(fit.part.source.document, fit.part.source.node)
    return fragment._replace(roots=(NodeSource({"matrix": matrix}, (), fragment.roots),))
