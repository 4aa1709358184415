"""Everything building one chain needs at hand: parts, geometry of the current state, retrieval, looks and pictures."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property

from chains.draws import Draws
from chains.state import Piece, State, initial_state, state_at
from engine.assemble import Assembler
from engine.cells.meter import CellMeter
from engine.framing import Sphere, enclosing_sphere
from engine.geometry.overlap import Placed, Solid, build_solid, place_solid
from engine.geometry.similarity import as_matrix, scale_of
from engine.gltf.digest import ContentDigester
from engine.labels import FACINGS, Facing, find_facing, is_place_true, is_row_broken
from engine.pair_judge import PairJudge, find_main_record
from engine.placement.addition import FreeSpot, find_free_spots
from engine.placement.checks import diagonal_of
from engine.placement.replacement import LibraryPart
from engine.placement.state import StateGeometry, box_of, build_state
from engine.render.difference import ViewChange, measure_best_change
from engine.render.scene import RenderPiece
from engine.render.visible import VisibilityCache, measure_visible_change
from engine.retrieval import Retriever, Usage
from engine.screening.desk import ScreeningDesk
from engine.screening.pictures import draw_turn
from engine.seeds import generator_for
from engine.surfaces import FloatArray, Surface
from engine.texture.image import Color
from engine.texture.materials import choose_material, color_distance, find_material, measure_surface_color
from engine.texture.protocol import Texturer
from engine.texture.recipes import MaterialSpec
from library_index.library import Library
from library_index.queries import QueryPurpose
from library_index.query_rows import StoredQuery
from library_index.suitability import Suitability, Verdict
from schemas.base import Matrix4
from schemas.chain import Chain, Family, Retrieval, Screening, Turn
from schemas.errors import InputError
from schemas.operation import GROUND, Add, Operation, Replace, Retexture
from schemas.part import Host, PartRecord, PartRef
from schemas.placement import Limits

MAX_TRIANGLES = 200_000
"""Largest library part the builder takes."""
PATTERN_SIZES = 2.5
"""A pattern is sized as on an object this many times as large as the piece, where the object is larger."""
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
    judge: Suitability
    texturer: Texturer
    solids: OrderedDict[PartRef, tuple[Solid, tuple[Surface, ...]]]
    screening: ScreeningDesk | None = None
    """None: rules alone decide."""


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
        self._pairs = PairJudge(shared.library, shared.retriever, shared.judge, host)
        self._may_use = may_use
        self._uses = uses
        self._digester = ContentDigester()
        self._visibility = VisibilityCache()
        self._geometry: tuple[str, StateGeometry] | None = None
        self._placed: dict[tuple[PartRef, Matrix4], Placed] = {}
        self._surfaces: dict[int, tuple[Surface, ...]] = {}
        self._chain: Chain | None = None
        self._spots: dict[tuple[str, str], tuple[FreeSpot, ...]] = {}
        self._worn: dict[str, tuple[Piece, tuple[Surface, ...]]] = {}
        self.cells = CellMeter(host, self.placed)

    def start_turn(self, chain: Chain, state: State) -> None:
        """Tell the bench what the chain holds so far; drops what only concerned earlier states."""
        self._chain = chain
        self.cells.start_turn(chain)
        self._spots.clear()
        self._worn = {
            piece.slot: (piece, self.assembler.shown_surfaces(piece)) for piece in state.pieces if piece.texture
        }
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
        """Diagonal of a slot at turn 0, or of the part that opened it, in world units. KeyError for any other."""
        for entry in self.host.slots:
            if entry.id == slot:
                return entry.diagonal
        for turn in self.turns():
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

    def state_before(self, turn: int) -> State:
        """The state that a turn of the chain so far was made on. Raises InputError when there is no such turn."""
        if self._chain is None:
            raise InputError(f"turn {turn} is asked for before the chain was told")
        return state_at(self._chain, turn - 1)

    def edited_slot(self, turn: int) -> str:
        """The slot that a turn of the chain so far edits."""
        return self.turns()[turn - 1].operation.slot

    # retrieval and words

    def find_replacements(self, state: State, slot: str, turn: int) -> Iterator[PartRecord]:
        """Candidates for a slot by what belongs there, told apart from what stands there now."""
        head = find_main_record(self.library, state.by_slot[slot])
        draws = self.draws(turn, "replacements", slot)
        yield from self._shared.retriever.replacements(head, self._query(slot, "replace"), self._usage(), draws)

    def find_additions(self, state: State, support: str, turn: int) -> Iterator[PartRecord]:
        """Candidates to stand on a support, the likely ones first."""
        yield from self._shared.retriever.additions(
            self.host.category,
            self._query(support, "add"),
            self._usage(),
            self.draws(turn, "additions", support),
            lambda record: self.judge_addition(state, support, record).score,
        )

    def judge_replacement(self, state: State, slot: str, record: PartRecord) -> Verdict:
        """Whether a part may, by its words, take the place of what stands in a slot and of what stood there first."""
        return self._pairs.judge_replacement(state.by_slot[slot], self.turns(), record)

    def judge_addition(self, state: State, support: str, record: PartRecord) -> Verdict:
        """Whether a part may, by its words, be put on a piece or on the ground."""
        return self._pairs.judge_addition(None if support == GROUND else state.by_slot[support], record)

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
        for turn in self.turns():
            operation = turn.operation
            if isinstance(operation, Add) and operation.slot == slot:
                return operation.part
        raise KeyError(slot)

    def phrase(self, record: PartRecord) -> str:
        """What a person would call a library part."""
        return self._shared.retriever.name(record)

    def is_misleading(self, state: State, slot: str) -> bool:
        """Whether a piece is called by a place that is not, or no longer, true."""
        if is_row_broken(self.host, state, slot):
            return True
        return not is_place_true(slot, *self._seen_boxes(state, self.facing))

    @cached_property
    def facing(self) -> Facing:
        """How the labels of the host see it."""
        return find_facing(*self._seen_boxes(initial_state(self.host), FACINGS[0]))

    def _seen_boxes(self, state: State, facing: Facing) -> tuple[dict[str, str], dict[str, FloatArray]]:
        """Label and box of each piece, as labels see the host."""
        boxes = {
            piece.slot: facing.seen(box_of(tuple(self.placed(ref, piece.world_from_part) for ref in piece.parts)))
            for piece in state.pieces
        }
        return {piece.slot: piece.label for piece in state.pieces}, boxes

    # looks

    def choose_material(self, piece: Piece, turn: int) -> MaterialSpec:
        """A material that the chain has not used and that is told apart from the piece's look."""
        used = [
            find_material(past.operation.material).name
            for past in self.turns()
            if isinstance(past.operation, Retexture)
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
            for turn in reversed(self.turns())
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
        """The length that patterns are sized by, in the units of the piece's parts: D, less on a small piece."""
        box = box_of(tuple(self.placed(ref, piece.world_from_part) for ref in piece.parts))
        size = min(self.host.diagonal, PATTERN_SIZES * diagonal_of(box))
        return size / scale_of(as_matrix(piece.world_from_part))

    # pictures

    def change(
        self, before: StateGeometry, after: StateGeometry, slot: str, look: tuple[Surface, ...] | None = None
    ) -> ViewChange:
        """What an edit of `slot` does to the default view that shows most of it.

        `look` is how the slot's piece looks afterwards, where it is not its parts' own look or what the slot wears now.
        Raises InputError when a texture cannot be decoded.
        """
        old, new = self._render_pieces(before), self._render_pieces(after)
        if look is not None:
            matrix = next(piece.matrix for piece in new if piece.slot == slot)
            new = [*(piece for piece in new if piece.slot != slot), RenderPiece(slot, look, matrix)]
        return measure_best_change(old, new, slot, _sphere_of(before, after), self._visibility)

    def shows(self, state: StateGeometry, slot: str) -> float:
        """Share of the object's pixels in which a slot shows, best of the default views."""
        pieces = self._render_pieces(state)
        return measure_visible_change(pieces, pieces, slot, _sphere_of(state), self._visibility)

    def _render_pieces(self, state: StateGeometry) -> list[RenderPiece]:
        """A piece that wears another look is drawn with it, one part or several; the others part by part."""
        pieces = []
        for slot, parts in state.pieces.items():
            piece, surfaces = self._worn.get(slot, (None, ()))
            if piece is not None and all(
                placed is self._placed.get((ref, piece.world_from_part))
                for placed, ref in zip(parts, piece.parts, strict=False)
            ):
                pieces.append(RenderPiece(slot, surfaces, parts[0].matrix))
            else:
                pieces.extend(RenderPiece(slot, self._surfaces[id(placed.solid)], placed.matrix) for placed in parts)
        return pieces

    def screen(self, before: State, after: State, turn: Turn) -> Screening | None:
        """What a screener says of a turn that passed every check; None without one and for turns that are not screened.

        Those are removals and the turns by which an agenda takes a piece off and puts it back.

        Raises ScreeningError when it cannot be asked.
        """
        desk = self._shared.screening
        if desk is None or turn.operation.op == "remove" or turn.purpose is not None:
            return None
        return desk.ask(self.host.name, before, after, turn, lambda: draw_turn(self.assembler, before, after, turn))

    def operations(self) -> tuple[Operation, ...]:
        """What the turns of the chain so far do."""
        return tuple(turn.operation for turn in self.turns())

    def turns(self) -> tuple[Turn, ...]:
        """The turns of the chain so far."""
        return self._chain.turns if self._chain else ()

    def _usage(self) -> Usage:
        taken = tuple(
            turn.operation.part
            for turn in self.turns()
            if isinstance(turn.operation, Add | Replace) and turn.returns is None
        )
        return Usage(self.host.object_id, taken, self._may_use, self._uses)


def _sphere_of(*states: StateGeometry) -> Sphere:
    """The smallest sphere around some states."""
    return enclosing_sphere([placed.bvh.corners.reshape(-1, 3) for state in states for _, placed in state.parts])
