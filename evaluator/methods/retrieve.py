"""An editor that follows an instruction by looking parts up: their words are matched, and the mask says where and how big.

It removes what lies in the mask, brings parts from a library of its own, and paints with the materials that come with
the project. It needs no model and no network, and never more than its last state, the instruction and the mask.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import ClassVar

import numpy as np

from engine.geometry.bounds import bounds_of, diagonal, merge_bounds
from engine.geometry.similarity import compose, similarity, transform_points
from engine.gltf.fragments import Fragment, NodeSource, prepare_fragment
from engine.surfaces import BoolArray, FloatArray
from evaluator.methods.retrieval.fitting import Aim, Fit, Room, fit_best
from evaluator.methods.retrieval.looks import find_look, give_look
from evaluator.methods.retrieval.own_nodes import NodeInRegion, OwnNode, find_nodes_inside, read_nodes, write_state
from evaluator.methods.retrieval.region import EditRegion, mark_cells, read_region
from evaluator.methods.retrieval.settling import Soup, join_near, measure_approach, measure_drop
from evaluator.methods.retrieval.shelf import Shelf, open_shelf
from evaluator.methods.retrieval.wishes import find_successor, find_thing
from evaluator.rollout.contract import TurnInput, TurnOutput
from schemas.errors import InputError
from schemas.method import Access, MethodUsage

CANDIDATES = 6
"""Parts that are tried for one place."""
_LOG = logging.getLogger(__name__)
_FREE = MethodUsage(calls=0, input_tokens=0, output_tokens=0)
"""No model is asked."""


class Retrieve:
    """Follows instructions by retrieval; option `library` is the folder of the index that parts come from.

    Where it cannot do an edit it returns its input unchanged, byte for byte, and says why in its log.
    """

    access: ClassVar[tuple[Access, ...]] = ("operation", "edit_mask")

    def __init__(self, options: Mapping[str, str]) -> None:
        """Open the library. Raises InputError for other options or none, and what opening an index raises."""
        unknown = sorted(set(options) - {"library"})
        if unknown:
            raise InputError(f"retrieve: no option {unknown[0]!r}; it takes library=FOLDER")
        if "library" not in options:
            raise InputError("retrieve: needs the option library=FOLDER, an index of `engine library build`")
        self._shelf: Shelf = open_shelf(Path(options["library"]).absolute())

    def edit(self, given: TurnInput) -> TurnOutput:
        """Edit one state. Raises InputError when operation or mask are not given, GltfError for a damaged state."""
        request = given.request
        if request.operation is None or request.edit_mask is None:
            raise InputError("retrieve: needs access to operation and edit_mask")
        data = given.glb
        nodes = read_nodes(data)
        region = read_region(given.folder, request.edit_mask)
        inside = find_nodes_inside(nodes, region)
        match request.operation:
            case "remove":
                fragments = _keep_others(nodes, inside)
            case "add":
                fragments = self._add(request.instruction, nodes, region)
            case "replace":
                fragments = self._replace(request.instruction, nodes, region, inside)
            case "retexture":
                fragments = _retexture(request.instruction, nodes, inside)
        if fragments is None:
            _LOG.warning("unchanged: %s", request.instruction)
            return TurnOutput(glb=data, usage=_FREE)
        return TurnOutput(glb=write_state(fragments), usage=_FREE)

    def _add(self, instruction: str, nodes: Sequence[OwnNode], region: EditRegion) -> list[Fragment] | None:
        thing = find_thing(instruction)
        if thing is None:
            _LOG.warning("no words for what is to be added")
            return None
        room = Room(_box_of(region.shrunk), np.array([0.5, 0.0, 0.5]))
        taken = _mark_nodes(nodes, region)
        fit = self._fit(thing, [room], Aim(region.shrunk, region.shrunk & ~taken, taken))
        if fit is None:
            return None
        others = _soups_in_cells(nodes, region)
        floor = min((float(vertices[:, 1].min()) for vertices, _ in others), default=float(room.box[0, 1]))
        return [*(node.fragment for node in nodes), _place(fit, region, measure_drop(_soup(fit), others, floor))]

    def _replace(
        self, instruction: str, nodes: Sequence[OwnNode], region: EditRegion, inside: Sequence[NodeInRegion]
    ) -> list[Fragment] | None:
        kept = _keep_others(nodes, inside)
        thing = find_successor(instruction)
        if kept is None or thing is None:
            _LOG.warning("no words for what is to come" if thing is None else "nothing to replace")
            return None
        gone = {id(entry.node) for entry in inside}
        others = [node for node in nodes if id(node) not in gone]
        left = np.logical_or.reduce([mark_cells(region.inside.shape, entry.cells) for entry in inside])
        taken = _mark_nodes(others, region)
        old = merge_bounds(*(bounds_of(*soup) for soup in _soups_in_cells([entry.node for entry in inside], region)))
        anchor = _find_hold(left, taken, old)
        rooms = [Room(old, anchor)]
        if (region.shrunk & ~left).any():
            rooms.append(Room(_box_of(region.shrunk), anchor))
        fit = self._fit(thing, rooms, Aim(region.shrunk, region.shrunk & ~left & ~taken, taken))
        if fit is None:
            return None
        move = measure_approach(_soup(fit), join_near(fit.vertices, _soups_in_cells(others, region)))
        return [*kept, _place(fit, region, move)]

    def _fit(self, thing: str, rooms: Sequence[Room], aim: Aim) -> Fit | None:
        found = self._shelf.find(thing, CANDIDATES)
        if not found:
            _LOG.warning("the library has nothing called %r", thing)
            return None
        return fit_best(((answer, self._shelf.read(answer.record)) for answer in found), rooms, aim)


def _keep_others(nodes: Sequence[OwnNode], inside: Sequence[NodeInRegion]) -> list[Fragment] | None:
    """All but the nodes in the region; None when none are in it, or no other would be left."""
    gone = {id(entry.node) for entry in inside}
    kept = [node.fragment for node in nodes if id(node) not in gone]
    if not inside or not kept:
        _LOG.warning("%d of %d nodes lie in the mask", len(inside), len(nodes))
        return None
    return kept


def _retexture(
    instruction: str, nodes: Sequence[OwnNode], inside: Sequence[NodeInRegion]
) -> list[Fragment] | None:
    spec = find_look(instruction)
    if spec is None or not inside:
        _LOG.warning("no material in these words" if spec is None else "no node lies in the mask")
        return None
    box = merge_bounds(*(bounds_of(*node.soup) for node in nodes if len(node.soup[1])))
    chosen = [entry.node for entry in inside]
    renewed = dict(zip(map(id, chosen), give_look(chosen, spec, diagonal(box)), strict=True))
    return [renewed.get(id(node), node.fragment) for node in nodes]


def _place(fit: Fit, region: EditRegion, move: FloatArray) -> Fragment:
    """The part under one node that moves it into the state."""
    moved = compose(similarity(1.0, np.eye(3), move), fit.cells_from_part)
    world = compose(region.world_from_cells, moved)
    matrix = [float(world[row, column]) for column in range(4) for row in range(4)]
    fragment = prepare_fragment(fit.part.source.document, fit.part.source.node)
    return fragment._replace(roots=(NodeSource({"matrix": matrix}, (), fragment.roots),))


def _soup(fit: Fit) -> Soup:
    return fit.vertices, fit.part.faces


def _soups_in_cells(nodes: Sequence[OwnNode], region: EditRegion) -> list[Soup]:
    soups = (node.soup for node in nodes)
    return [(transform_points(region.cells_from_world, vertices), faces) for vertices, faces in soups if len(faces)]


def _mark_nodes(nodes: Sequence[OwnNode], region: EditRegion) -> BoolArray:
    """The cells of these nodes, those that the box of the region holds and many others."""
    marked = np.zeros(region.inside.shape, dtype=np.bool_)
    for node in nodes:
        if len(node.soup[1]):
            marked |= mark_cells(region.inside.shape, region.find_cells(*node.soup))
    return marked


def _box_of(cells: BoolArray) -> FloatArray:
    """The likely box (2, 3) of a surface that meets these cells: it ends, on average, in the middle of the last ones."""
    filled = np.argwhere(cells).astype(np.float64)
    low, high = filled.min(axis=0) + 0.5, filled.max(axis=0) + 0.5
    return np.stack([low, high])


def _find_hold(left: BoolArray, around: BoolArray, box: FloatArray) -> FloatArray:
    """Where in its box (0..1 on every axis) the thing that goes was held: the middle of its cells that others share."""
    held = np.argwhere(left & around)
    if len(held) == 0:
        return np.array([0.5, 0.0, 0.5])
    middle = held.sum(axis=0) / len(held) + 0.5
    share = (middle - box[0]) / np.maximum(box[1] - box[0], 1e-3)
    return np.clip(np.where(np.abs(share - 0.5) < 0.3, 0.5, np.round(share)), 0.0, 1.0)
