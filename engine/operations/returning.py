"""Return: a piece that was added and taken away comes back exactly as it stood (`chains.returns`)."""

from __future__ import annotations

from collections.abc import Iterator

from chains.returns import find_placement, is_same_seat, stands_alike
from chains.sentences import word_return
from chains.state import State
from engine.labels import is_taken
from engine.operations.attachments import Detached
from engine.operations.proposal import Proposal
from engine.operations.watching import ChangeWatch, check_change
from engine.placement.checks import check_connected
from engine.placement.state import StateGeometry, find_nearest
from engine.workbench import Workbench
from schemas.operation import GROUND, Add
from schemas.placement import CONTACT_REL, Placement, Rejection


def propose_return(bench: Workbench, state: State, gone: Detached, turn: int) -> Iterator[Proposal | Rejection]:
    """Put back what an earlier turn took away, at its old pose; nothing that came since may stand in its way.

    Its placement is the one it had, with the change that is seen now and the connected pieces counted anew.
    """
    piece = gone.before.by_slot[gone.slot]
    placement = find_placement(bench.turns()[: gone.turn - 1], gone.slot)
    if placement is None or piece.attach_to is None or not is_same_seat(gone.before, state, gone.slot):
        detail = "what it stood on is not there as it was"
        yield Rejection(check="frame", measured=None, limit=None, detail=detail)
        return
    if is_taken(state, piece.label, gone.slot):
        yield Rejection(check="duplicate", measured=None, limit=None, detail=f"{piece.label!r} names another piece")
        return
    geometry = bench.geometry(state)
    placed = bench.placed(piece.parts[0], piece.world_from_part)
    after = geometry.with_piece(gone.slot, (placed,), grounded=piece.attach_to == GROUND)
    blocked = _check_newcomers(bench, state, gone, geometry)
    pieces = geometry.count_pieces(), after.count_pieces()
    refused = blocked or check_connected(*pieces, geometry.initial_pieces)
    if refused is not None:
        yield refused
        return
    watch = ChangeWatch(bench, gone.slot, None if piece.texture is None else bench.assembler.shown_surfaces(piece))
    seen = watch(geometry, after)
    refused = check_change(watch.last, bench.limits)
    if refused is not None:
        yield refused
        return
    report = placement.report
    if report is not None:
        counted = {"visible": seen, "connected_before": pieces[0], "connected_after": pieces[1]}
        report = report.model_copy(update=counted)
    support = None if piece.attach_to == GROUND else piece.attach_to
    yield Proposal(
        operation=Add(
            slot=gone.slot,
            label=piece.label,
            attach_to=piece.attach_to,
            part=piece.parts[0],
            placement=Placement(world_from_part=placement.world_from_part, contact=placement.contact, report=report),
            texture=piece.texture,
        ),
        instruction=word_return(
            bench.draws(turn, "return", gone.slot), piece.label, support and state.by_slot[support].label
        ),
        named_slots=(gone.slot, *((support,) if support else ())),
        change=watch.last,
        purpose="return",
        returns=gone.turn,
    )


def _check_newcomers(bench: Workbench, state: State, gone: Detached, geometry: StateGeometry) -> Rejection | None:
    """Everything that was not there when the piece stood keeps clear of its place."""
    piece = gone.before.by_slot[gone.slot]
    new = [
        other.slot
        for other in state.pieces
        if other.slot not in gone.before.by_slot or not stands_alike(other, gone.before.by_slot[other.slot])
    ]
    others = [placed for (slot, _), placed in geometry.parts if slot in new]
    nearest = find_nearest(bench.placed(piece.parts[0], piece.world_from_part), others)
    if nearest is None:
        return None
    gap = nearest.gap / geometry.diagonal
    detail = "distance to what came since it was taken away, over D"
    return None if gap > CONTACT_REL else Rejection(check="clearance", measured=gap, limit=CONTACT_REL, detail=detail)
