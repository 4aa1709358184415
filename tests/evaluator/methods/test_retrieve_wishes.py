"""Reading what an instruction asks for, however it is put."""

from __future__ import annotations

import pytest

from evaluator.methods.retrieval.looks import find_look
from evaluator.methods.retrieval.wishes import find_successor, find_thing


@pytest.mark.parametrize(
    ("instruction", "thing"),
    [
        ("Put a red mug on top of the wooden crate, beside the bottle.", "red mug"),
        ("Add a leg in a brown boot to the table.", "leg in a brown boot"),
        ("On top of the crate, put a candle.", "candle"),
        ("Give the snowman a scarf.", "scarf"),
        ("Crown the cake with a cherry.", "cherry"),
        ("Could you please hang a lantern with a brass ring on the hook?", "lantern with a brass ring"),
        ("Bring the oil lamp back to its old place on the crate.", "oil lamp"),
        ("Put the back left leg back on the chair.", "back left leg"),
        ("There should be a small cactus on the shelf.", "small cactus"),
        ("A bowl of fruit should stand on the table top.", "bowl of fruit"),
        ("Place a white, round lid on the pot.", "white, round lid"),
        ("Put a plate of food on a tray.", "plate of food"),
        ("Put some candles between the two books.", "candles"),
        ("Attach a pair of goggles to the helmet.", "goggles"),
        ("Set a standing teal bottle on the ground beside the leg, facing forward.", "standing teal bottle"),
        ("I'd like a bell next to the clock.", "bell"),
        ("Let's add a slice of tomato on top of the bun, please.", "slice of tomato"),
        ("Tidy up.", None),
    ],
)
def test_what_is_to_be_added_ends_where_its_place_begins(instruction: str, thing: str | None) -> None:
    """Articles, politeness and places go; a detail of the thing itself stays."""
    assert find_thing(instruction) == thing


@pytest.mark.parametrize(
    ("instruction", "successor"),
    [
        ("Replace the cushion with a wine velvet cushion with tassels.", "wine velvet cushion with tassels"),
        ("Swap the barrel with iron hoops for an oak barrel.", "oak barrel"),
        ("Substitute a hook for the hand.", "hook"),
        ("Put a bowl in place of the cup.", "bowl"),
        ("Instead of the hat, put a helmet with horns.", "helmet with horns"),
        ("Turn the lamp into a candle.", "candle"),
        ("Change the roof to a red tiled roof.", "red tiled roof"),
        ("Use a round plate instead of the square one.", "round plate"),
        ("Make the door a green arched door.", "green arched door"),
        ("Replace the pot by flowers.", "flowers"),
        ("Give the robot a rocket backpack instead.", "rocket backpack"),
        ("Remove the pot.", None),
    ],
)
def test_what_is_to_come_is_told_from_what_goes(instruction: str, successor: str | None) -> None:
    """The article after with, for, into or to begins the new thing, not a detail of the old one."""
    assert find_successor(instruction) == successor


@pytest.mark.parametrize(
    ("instruction", "material"),
    [
        ("Change the material of the lower left speckled grey granite drawer to reddish cherry wood.", "cherry_wood"),
        ("Paint the front left leg of the desk glossy red.", "red_paint"),
        ("Give the rifle stock a new look: red and white gingham.", "red_gingham"),
        ("Cover the wall in red with white polka dots.", "red_polka_dots"),
        ("Make the lid out of black marble with golden veins.", "black_marble"),
        ("Make the roof look like gold.", "polished_gold"),
        ("Paint the shutters a dark blue", "navy_paint"),
        ("I want the tiles in terracotta, please.", "terracotta"),
        ("Make the handle rusty.", "rusty_iron"),
        ("Make the handle nicer.", None),
    ],
)
def test_the_look_is_the_material_that_is_named_or_the_nearest_one(instruction: str, material: str | None) -> None:
    """A material of the thing as it is now is not taken; words that name no look give none."""
    found = find_look(instruction)
    assert (found.name if found else None) == material
