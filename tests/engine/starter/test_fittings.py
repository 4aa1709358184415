"""Single parts that belong on the hosts: what they are called, and that they are mounted as the hosts' parts are."""

from __future__ import annotations

from pathlib import Path

import manifold3d
import numpy as np
import pytest

from engine.placement.survey import PlacementSurveyor
from engine.starter.catalogue import HOSTS, list_models
from engine.starter.fittings import list_fittings
from engine.starter.glb_writer import write_glb
from engine.starter.library import measure_frame
from engine.starter.models import Model
from engine.starter.shells import Shell
from library_index.captions import clean_caption
from library_index.ports import PartFile
from library_index.rules import read_rules
from library_index.suitability import Subject, Suitability

FITTINGS = list_fittings()
SEATED = [model for model in FITTINGS if model.seat]
LONE = list_models()[len(HOSTS) :]
BURIED = 0.2
"""Share of a part's volume that may lie in its seat: hollow hats and cloths are thin, a hand closes round a stick."""


def subject_of(model: Model) -> Subject:
    """A single part in the words that the rules of suitability look at."""
    phrase = clean_caption(f"{model.parts[0].phrase.capitalize()}.", model.name)
    assert not phrase.junk, model.name
    assert not phrase.plural, model.name
    return Subject.of_phrase(phrase, model.category, model.name)


@pytest.fixture(scope="module")
def judge() -> Suitability:
    """The packaged rules."""
    return Suitability(read_rules())


@pytest.mark.parametrize("model", FITTINGS, ids=lambda m: m.name)
def test_every_fitting_is_a_thing_that_the_rules_know(model: Model, judge: Suitability) -> None:
    """The head noun of the caption has a class, and the category a realm."""
    subject = subject_of(model)
    assert judge.class_of(subject) is not None
    assert judge.realm_of(subject) is not None


def test_names_are_told_apart() -> None:
    """No two single parts have the same name, and none says only what the other parts of its kind say."""
    names = [model.name for model in LONE]
    assert len(set(names)) == len(names) >= 148
    assert all(len(name.split()) >= 3 for name in names if name in {model.name for model in FITTINGS})


@pytest.mark.parametrize(
    ("name", "slot", "category"),
    [
        ("red front door with a fanlight", "A teal panelled front door.", "building"),
        ("casement window with yellow shutters", "A white sash window with teal shutters.", "building"),
        ("orange roof of wavy clay tiles", "A thick golden thatched roof.", "building"),
        ("copper wall lamp with a bell shade", "A round brass wall lantern.", "building"),
        ("wooden cartwheel with an iron rim", "A cream-hubbed front left wheel.", "vehicle"),
        ("roof siren with a red and a blue light", "An amber roof beacon.", "vehicle"),
        ("yellow left arm with a three-fingered grabber", "An orange left arm with a pincer.", "robot"),
        ("red television head with a smiling screen", "A square orange head with goggle eyes.", "robot"),
        ("knight's helmet with a red plume", "A pointed purple hat with a gold band.", "character"),
        ("carved pumpkin head with a candle inside", "A head with auburn plaits.", "character"),
        ("crooked staff with a hanging lantern", "A crooked staff with a glowing crystal.", "character"),
        ("dotted red bow tie", "A striped coral scarf.", "character"),
        ("plum saddle cloth with gold tassels", "A striped red saddle cloth with a bed roll.", "animal"),
        ("rolled left ram's horn", "A curved left horn.", "animal"),
        ("green leather collar with seven bells", "A leather collar with a brass bell.", "animal"),
        ("twisted oak table leg", "A bowed white front left leg.", "furniture"),
        ("blue drawer with painted roses", "A walnut drawer with brass pulls.", "furniture"),
    ],
)
def test_fittings_may_replace_what_they_were_made_for(name: str, slot: str, category: str, judge: Suitability) -> None:
    """The rules refuse none of the pairs that a person would think of first."""
    model = next(model for model in FITTINGS if model.name == name)
    assert judge.judge_replacement(Subject.of_label(slot, category, category), subject_of(model)).rule is None


def test_a_head_of_a_person_does_not_become_a_robots(judge: Suitability) -> None:
    """Bound classes stay in their realm, and so do the categories of the fittings."""
    model = next(model for model in FITTINGS if model.name.startswith("head with ginger curls"))
    verdict = judge.judge_replacement(
        Subject.of_label("A square orange head.", "robot", "tin robot"), subject_of(model)
    )
    assert verdict.rule == "replace.realm"


def solid_of(shells: tuple[Shell, ...]) -> manifold3d.Manifold:
    """The union of shells."""
    total = manifold3d.Manifold()
    for shell in shells:
        solid = manifold3d.Manifold(manifold3d.Mesh64(shell.vertices, shell.faces.astype(np.uint64)))
        assert solid.status() == manifold3d.Error.NoError
        assert solid.volume() > 0
        total += solid
    return total


@pytest.mark.parametrize("model", SEATED, ids=lambda m: m.name)
def test_a_seat_touches_its_part_without_burying_it(model: Model) -> None:
    """The gap is below 0.01 of the part's diagonal, and at most a fifth of the part lies inside."""
    part, seat = solid_of(tuple(piece.shell for piece in model.parts[0].pieces)), solid_of(model.seat)
    box = np.asarray(part.bounding_box())
    size = float(np.linalg.norm(box[3:] - box[:3]))
    assert part.min_gap(seat, 0.02 * size) < 0.01 * size
    assert (part ^ seat).volume() < BURIED * part.volume()


@pytest.mark.parametrize(
    ("name", "direction", "axis", "sign"),
    [
        ("round green door with a brass knob", "side", 2, 1),
        ("white bay window", "side", 2, 1),
        ("green turf roof with birch logs", "side", 0, 1),
        ("whitewall wheel with a chrome hub cap", "side", 0, 1),
        ("black hairpin table leg", "down", 1, -1),
        ("oak drawer with brass rings", "down", 1, -1),
        ("rocket backpack with two red rockets", "side", 2, -1),
        ("crimson fez with a black tassel", "up", 1, 1),
        ("bushy fox tail with a white tip", "side", 2, -1),
        ("lion head with a shaggy mane", "up", 1, 1),
        ("straw broom with a knotty stick", "side", 2, 1),
    ],
)
def test_fittings_are_mounted_on_the_side_they_are_fastened_by(
    name: str, direction: str, axis: int, sign: int, tmp_path: Path
) -> None:
    """The survey finds the direction and the normal that the hosts' parts of the same kind have."""
    model = next(model for model in FITTINGS if model.name == name)
    frame = measure_frame(model)
    path = tmp_path / "0.glb"
    path.write_bytes(write_glb(model.parts[0].pieces, frame.scale, frame.centre, model.seat))
    mount = PlacementSurveyor().survey([PartFile("0", path, None)], tmp_path).parts[0].mounts[0]
    assert mount.frame.direction == direction
    assert sign * mount.frame.normal[axis] > 0.9
