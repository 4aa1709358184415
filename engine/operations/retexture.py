"""Retexture: the look of a slot changes, its geometry does not."""

from __future__ import annotations

from collections.abc import Iterator

from chains.files import write_asset
from chains.sentences import word_retexture
from chains.state import State
from chains.wording import retextured_label
from engine.gltf.pieces import TextureOverride
from engine.labels import is_taken
from engine.operations.instructions import choose_draft
from engine.operations.places import draft_change
from engine.operations.proposal import Proposal
from engine.operations.watching import check_change
from engine.workbench import Workbench
from schemas.operation import Retexture, TextureRef
from schemas.placement import Rejection


def propose_retexture(bench: Workbench, state: State, slot: str, turn: int) -> Iterator[Proposal | Rejection]:
    """A material that differs from what the slot shows now, baked and stored as an asset."""
    piece = state.by_slot[slot]
    geometry = bench.geometry(state)
    shown = bench.shows(geometry, slot)
    if shown < bench.limits.visible:
        yield Rejection(check="visible", measured=shown, limit=bench.limits.visible)
        return
    draws = bench.draws(turn, "retexture", slot)
    material = bench.choose_material(piece, turn)
    label = retextured_label(piece.label, material.phrase, bench.worn_material(piece))
    if is_taken(state, label, slot):
        yield Rejection(check="duplicate", measured=None, limit=None, detail=f"{label!r} is the name of another piece")
        return
    asset = bench.texturer.texture(
        bench.assembler.surfaces(piece), material.name, seed=draws.below(2**31), scale=bench.part_scale(piece)
    )
    look = TextureOverride(
        asset.image_png, asset.uv, asset.base_color_factor, asset.metallic, asset.roughness, asset.double_sided
    )
    change = bench.change(geometry, geometry, slot, bench.assembler.surfaces_under(piece, look))
    unseen = check_change(change, bench.limits)
    if unseen is not None:
        yield unseen
        return
    folder = bench.assembler.assets
    texture = TextureRef(
        image=write_asset(folder, asset.image_png, "png"),
        uv=write_asset(folder, asset.uv.encode(), "uv") if asset.uv else None,
        base_color_factor=asset.base_color_factor,
        metallic=asset.metallic,
        roughness=asset.roughness,
        double_sided=asset.double_sided,
    )
    operation = Retexture(slot=slot, material=material.phrase, label=label, texture=texture)
    drafts = draft_change(
        bench,
        state,
        slot,
        turn,
        lambda name, place: word_retexture(bench.draws(turn, "looks", slot), name, material.phrase, place),
    )
    draft = choose_draft(bench, state, operation, drafts)
    yield Proposal(
        operation=operation,
        instruction=draft.sentence,
        named_slots=draft.named_slots,
        change=change,
        refers_to=draft.refers_to,
    )
