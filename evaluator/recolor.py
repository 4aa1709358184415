"""The cells of a host in the mean colours of its pieces: how the no-edit regeneration looks."""

from __future__ import annotations

import numpy as np

from engine.srgb import decode_table
from engine.surfaces import Material, PartModel, Surface
from engine.texture.materials import measure_surface_color
from evaluator.redraw import redraw_cells
from evaluator.truth import ChainTruth

GREY = 0.5
"""Of a piece that has no colour to measure."""
LEVELS = 255
ROUGHNESS = 0.8


def color_cells(truth: ChainTruth) -> PartModel:
    """Surfaces of the host's cells, one for each piece; a cell of two pieces belongs to the first slot by name."""
    taken = np.zeros(0, dtype=np.int32)
    table = decode_table()
    surfaces = []
    for piece in truth.states[0].pieces:
        cells = np.setdiff1d(truth.cells(0)[piece.slot], taken, assume_unique=True).astype(np.int32)
        if len(cells) == 0:
            continue
        taken = np.union1d(taken, cells)
        color = measure_surface_color(truth.replayer.assembler.shown_surfaces(piece)) or (GREY, GREY, GREY)
        red, green, blue = (float(table[round(LEVELS * min(max(value, 0.0), 1.0))]) for value in color)
        material = Material(base_color_factor=(red, green, blue, 1.0), metallic=0.0, roughness=ROUGHNESS)
        vertices, faces = redraw_cells(cells, truth.frame)
        surfaces.append(Surface(vertices, faces, None, (), None, material))
    return PartModel(tuple(surfaces))
