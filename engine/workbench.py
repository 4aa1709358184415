"""Everything building one chain needs at hand: parts, geometry of the current state, retrieval, looks and pictures."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from chains.draws import Draws
from chains.state import Piece, State
from chains.wording import Relation, find_counted
from engine.assemble import Assembler
from engine.framing import enclosing_sphere
from engine.geometry.overlap import Placed, Solid, build_solid, place_solid
from engine.geometry.similarity import as_matrix, scale_of
from engine.gltf.digest import ContentDigester
from engine.placement.addition import FreeSpot, find_free_spots
from engine.placement.checks import diagonal_of
from engine.placement.replacement import LibraryPart
from engine.placement.state import StateGeometry, box_of, build_state
from engine.render.scene import RenderPiece
from engine.render.visible import VisibilityCache, measure_visible_change
from engine.retrieval import Retriever, Usage
from engine.seeds import generator_for
from engine.surfaces import FloatArray, Surface
from engine.texture.image import Color
from engine.texture.materials import choose_material, color_distance, find_material, measure_surface_color
from engine.texture.protocol import Texturer
from engine.texture.recipes import MaterialSpec
from library_index.library import Library
from library_index.queries import QueryPurpose
from library_index.query_rows import StoredQuery
from schemas.base import Matrix4
from schemas.chain import Chain, Family, Retrieval, Turn
from schemas.operation import GROUND, Add, Replace, Retexture
from schemas.part import Host, PartRecord, PartRef
from schemas.placement import Limits

MAX_TRIANGLES = 200_000
"""Largest library part the builder takes."""
ALIKE_SHAPE = 0.06
ALIKE_COLOR = 0.12
"""Below both differences, of box sides over the longest and of mean colours, a replacement would not be noticed."""
_MAX_SOLIDS = 512


@dataclass(frozen=True, slots=True)
class SharedParts:
    """What one process keeps between chains of one library: solids and words are the same for all of them."""

    library: Library
    assembler: Assembler
    retriever: Retriever
    texturer: Texturer
    solids: OrderedDict[PartRef, tuple[Solid, tuple[Surface, ...]]]


class Workbench:
    """The tools of one chain. Holds no state of its own beyond caches: everything follows from the chain so far."""

    def __init__(
        self,
        shared: SharedParts,
        host: Host,
        family: Family,
        seed: int,
        limits: Limits,
        *,
        may_use: Callable[[PartRef], bool] = lambda _: True,
        uses: Callable[[PartRef], int] = lambda _: 0,
    ) -> None:
        self.library = shared.library
        self.assembler = shared.assembler
        self.texturer = shared.texturer
        self.host = host
        self.family = family
        self.seed = seed
        self.limits = limits
        self.max_triangles = MAX_TRIANGLES
        self._shared = shared
        self._may_use = may_use
        self._uses = uses
        self._digester = ContentDigester()
        self._visibility = VisibilityCache()
        self._geometry: tuple[str, StateGeometry] | None = None
        self._placed: dict[tuple[PartRef, Matrix4], Placed] = {}
        self._surfaces: dict[int, tuple[Surface, ...]] = {}
        self._chain: Chain | None = None
        self._spots: dict[tuple[str, str], tuple[FreeSpot, ...]] = {}

    def start_turn(self, chain: Chain, state: State) -> None:
        """Tell the bench what the chain holds so far; drops what only concerned earlier states."""
        self._chain = chain
        self._spots.clear()
        alive = {(ref, piece.world_from_part) for piece in state.pieces for ref in piece.parts}
        self._placed = {key: placed for key, placed in self._placed.items() if key in alive}
        kept = {id(solid) for solid, _ in self._shared.solids.values()}
        kept.update(id(placed.solid) for placed in self._placed.values())
        self._surfaces = {key: surfaces for key, surfaces in self._surfaces.items() if key in kept}

    def draws(self, turn: int, *names: str) -> Draws:
        """The named stream of one decision."""
        return Draws(self.seed, self.host.object_id, self.family, turn, *names)

    def digest(self, state: State) -> str:
        """Content hash of a state."""
        return self._digester.digest_state(self.assembler.compose(state))

    def points(self, state: State) -> FloatArray:
        """(N, 3) world vertices of a state that faces use."""
        return np.concatenate(
            [
                self.placed(ref, piece.world_from_part).bvh.corners.reshape(-1, 3)
                for piece in state.pieces
                for ref in piece.parts
            ]
        )

    # geometry

    def solid(self, ref: PartRef) -> Solid:
        """The measured solid of a part, in part coordinates."""
        solids = self._shared.solids
        found = solids.get(ref)
        if found is None:
            model = self.assembler.model(ref)
            vertices, faces = model.merged()
            volume = self.library.find(ref).volume
            found = (build_solid(vertices, faces, volume), model.surfaces)
            solids[ref] = found
            if len(solids) > _MAX_SOLIDS:
                solids.popitem(last=False)
        solid, surfaces = found
        self._surfaces[id(solid)] = surfaces
        return solid

    def placed(self, ref: PartRef, pose: Matrix4) -> Placed:
        """A part where a pose puts it."""
        key = (ref, pose)
        found = self._placed.get(key)
        if found is None:
            found = self._placed[key] = place_solid(self.solid(ref), as_matrix(pose))
        return found

    def geometry(self, state: State) -> StateGeometry:
        """Solids, contacts and floor of a state."""
        if self._geometry is None or self._geometry[0] != state.sha256:
            pieces = {
                piece.slot: tuple(self.placed(ref, piece.world_from_part) for ref in piece.parts)
                for piece in state.pieces
            }
            built = build_state(
                pieces,
                self.host.diagonal,
                self.host.floor,
                next(slot.id for slot in self.host.slots if slot.core),
                grounded=[piece.slot for piece in state.pieces if piece.attach_to == GROUND],
                initial_pieces=self.host.connected_pieces,
            )
            self._geometry = (state.sha256, built)
        return self._geometry[1]

    def slot_diagonal(self, slot: str) -> float:
        """Diagonal of a slot at turn 0, or of the part that opened it."""
        for entry in self.host.slots:
            if entry.id == slot:
                return entry.diagonal
        for turn in self._turns():
            operation = turn.operation
            if isinstance(operation, Add) and operation.slot == slot:
                return diagonal_of(self.placed(operation.part, operation.placement.world_from_part).bounds)
        raise KeyError(slot)

    def spots(self, state: State, support: str) -> tuple[FreeSpot, ...] | None:
        """Free spots on a piece, best first; None for the ground, where each part finds its own."""
        if support == GROUND:
            return None
        key = (state.sha256, support)
        if key not in self._spots:
            self._spots[key] = find_free_spots(self.geometry(state), support, self.limits)
        return self._spots[key]

    def library_part(self, record: PartRecord) -> LibraryPart:
        """A candidate with its solid."""
        return LibraryPart(record, self.solid(record.ref))

    def beside(self, state: State) -> frozenset[str]:
        """Slots that stand on the ground beside the object, and what stands on them."""
        found = {piece.slot for piece in state.pieces if piece.attach_to == GROUND}
        while True:
            more = {piece.slot for piece in state.pieces if piece.attach_to in found} - found
            if not more:
                return frozenset(found)
            found |= more

    # retrieval and words

    def find_replacements(self, state: State, slot: str, turn: int) -> Iterator[PartRecord]:
        """Candidates for a slot by what belongs there, told apart from what stands there now."""
        records = [self.library.find(ref) for ref in state.by_slot[slot].parts]
        head = max(records, key=lambda record: (record.area, record.ref.key))
        draws = self.draws(turn, "replacements", slot)
        yield from self._shared.retriever.replacements(head, self._query(slot, "replace"), self._usage(), draws)

    def find_additions(self, support: str, turn: int) -> Iterator[PartRecord]:
        """Candidates to stand on a support, or on the ground beside the object."""
        draws = self.draws(turn, "additions", support)
        query = self._query(support, "add")
        yield from self._shared.retriever.additions(self.host.category, query, self._usage(), draws)

    def retrieval(self, slot: str, purpose: QueryPurpose) -> Retrieval:
        """What was asked for a slot or a support, for the record."""
        return self._shared.retriever.record_query(self._query(slot, purpose))

    def _query(self, slot: str, purpose: QueryPurpose) -> StoredQuery:
        """What belongs at a slot, by what stood there first: many edits of one slot do not lead away from it."""
        if slot == GROUND:
            core = next(entry for entry in self.host.slots if entry.core)
            return self._shared.retriever.find_query(core.parts[0], "beside")
        return self._shared.retriever.find_query(self._first_part(slot), purpose)

    def _first_part(self, slot: str) -> PartRef:
        """The largest part of a slot at turn 0, or the part that opened it."""
        for entry in self.host.slots:
            if entry.id == slot:
                return max(entry.parts, key=lambda ref: (self.library.find(ref).area, ref.key))
        for turn in self._turns():
            operation = turn.operation
            if isinstance(operation, Add) and operation.slot == slot:
                return operation.part
        raise KeyError(slot)

    def phrase(self, record: PartRecord) -> str:
        """What a person would call a library part."""
        return self._shared.retriever.name(record)

    def is_taken(self, state: State, label: str, slot: str) -> bool:
        """Whether another piece is called so."""
        return any(piece.label == label and piece.slot != slot for piece in state.pieces)

    def is_misleading(self, state: State, slot: str) -> bool:
        """Whether a piece is called by its place in a row of twins that is no longer complete."""
        noun = find_counted(state.by_slot[slot].label)
        if noun is None:
            return False
        return any(find_counted(entry.label) == noun and entry.id not in state.by_slot for entry in self.host.slots)

    def beside_object(self, state: State) -> Relation:
        """Where the ground is, in words, when no piece is near."""
        return Relation("beside", next(piece.label for piece in state.pieces if piece.core))

    # looks

    def choose_material(self, piece: Piece, turn: int) -> MaterialSpec:
        """A material that the chain has not used and that is told apart from the piece's look."""
        used = [
            find_material(turn.operation.material).name
            for turn in self._turns()
            if isinstance(turn.operation, Retexture)
        ]
        current = self.mean_color(piece)
        rng = generator_for(self.seed, self.host.object_id, self.family, turn, "material", piece.slot)
        return find_material(choose_material(rng, current, used))

    def worn_material(self, piece: Piece) -> str:
        """The material a piece was given last, in words; empty when it has its own look."""
        if piece.texture is None:
            return ""
        return next(
            turn.operation.material
            for turn in reversed(self._turns())
            if isinstance(turn.operation, Retexture) and turn.operation.slot == piece.slot
        )

    def mean_color(self, piece: Piece) -> Color | None:
        """Mean sRGB colour of a piece as it looks now; None without area."""
        worn = self.worn_material(piece)
        return find_material(worn).mean_color if worn else measure_surface_color(self.assembler.surfaces(piece))

    def looks_alike(self, piece: Piece, record: PartRecord) -> bool:
        """Whether a part would hardly be told from the piece it replaces: box proportions and mean colour agree."""
        old = box_of(tuple(self.placed(ref, piece.world_from_part) for ref in piece.parts))
        low, high = record.bounds
        sides = [sorted(float(b - a) for a, b in zip(*box, strict=True)) for box in (old, (low, high))]
        if min(side[-1] for side in sides) <= 0.0:
            return True
        shares = [[length / side[-1] for length in side] for side in sides]
        if max(abs(a - b) for a, b in zip(*shares, strict=True)) > ALIKE_SHAPE:
            return False
        colors = self.mean_color(piece), measure_surface_color(self.assembler.model(record.ref).surfaces)
        return colors[0] is None or colors[1] is None or color_distance(colors[0], colors[1]) < ALIKE_COLOR

    def part_scale(self, piece: Piece) -> float:
        """D in the units of the piece's parts."""
        return self.host.diagonal / scale_of(as_matrix(piece.world_from_part))

    # pictures

    def visible(self, before: StateGeometry, after: StateGeometry, slot: str) -> float:
        """Share of the object's pixels an edit of `slot` changes, best of the default views."""
        clouds = [placed.bvh.corners.reshape(-1, 3) for state in (before, after) for _, placed in state.parts]
        return measure_visible_change(
            self._render_pieces(before), self._render_pieces(after), slot, enclosing_sphere(clouds), self._visibility
        )

    def _render_pieces(self, state: StateGeometry) -> Sequence[RenderPiece]:
        return [RenderPiece(slot, self._surfaces[id(placed.solid)], placed.matrix) for (slot, _), placed in state.parts]

    def _turns(self) -> tuple[Turn, ...]:
        return self._chain.turns if self._chain else ()

    def _usage(self) -> Usage:
        taken = tuple(turn.operation.part for turn in self._turns() if isinstance(turn.operation, Add | Replace))
        return Usage(self.host.object_id, taken, self._may_use, self._uses)
