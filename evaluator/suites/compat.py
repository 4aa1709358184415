"""The evaluator as other benchmarks have it: presets in which every deviation from our own rules is a named switch."""

from __future__ import annotations

from typing import Final, NamedTuple

from evaluator.suites.chamfer import ChamferRules
from evaluator.suites.objects import OWN_OBJECT_RULES, ObjectRules
from evaluator.suites.pictures import Backdrop
from evaluator.suites.preservation import OWN_PRESERVATION_RULES, PreservationRules
from evaluator.suites.scenes import OWN_SCENE_RULES, SceneRules
from schemas.base import Value
from schemas.errors import InputError


class SuiteRules(Value):
    """Every option of the suites; written beside the scores."""

    objects: ObjectRules = OWN_OBJECT_RULES
    scenes: SceneRules = OWN_SCENE_RULES
    preservation: PreservationRules = OWN_PRESERVATION_RULES
    backdrop: Backdrop = "black"
    """What transparent pixels show when pictures are compared."""


class Quirk(NamedTuple):
    """One switch that a preset sets otherwise than our own rules."""

    switch: str
    """`objects.distance_penalty`"""
    own: str
    preset: str


OWN_RULES: Final = SuiteRules()

COMPAT: Final[dict[str, SuiteRules]] = {
    # Unseeded samples drawn one by one; turns about the file's third axis; a missing case costs 1.5 times the run's
    # worst; a missing picture is not asked for; cases without a surface leave the median; alpha is dropped.
    "3dharness": SuiteRules(
        objects=ObjectRules(
            chamfer=ChamferRules(sampling="independent", upright_axis="z"),
            distance_penalty="worst_of_run",
            missing_views="left_out",
            topology_failures="left_out",
        ),
        backdrop="stored",
    ),
    # File units, points averaged in cells of 0.01, views without a difference left out, grey under transparency.
    "edit3d": SuiteRules(
        preservation=PreservationRules(sampling="independent", thinning_cell=0.01, identical_views="skipped"),
        backdrop="grey",
    ),
    # Only the target's cloud is cut to 100,000 points, as two published objects imply; an empty side counts 0.
    "lego": SuiteRules(scenes=SceneRules(thinned="target", unseen_objects="zero")),
}
"""Presets by the name that `compat=` takes."""


def find_rules(compat: str | None) -> SuiteRules:
    """The rules of a preset; our own without a name.

    Raises:
        InputError: no preset has this name.

    """
    if compat is None:
        return OWN_RULES
    if compat not in COMPAT:
        raise InputError(f"compat={compat}: unknown, known are {', '.join(sorted(COMPAT))}")
    return COMPAT[compat]


def list_quirks(rules: SuiteRules) -> tuple[Quirk, ...]:
    """Every switch in which `rules` differ from our own, for the head of a table."""
    return tuple(_differences("", OWN_RULES, rules))


def _differences(prefix: str, own: object, preset: object) -> list[Quirk]:
    if not isinstance(own, Value):
        return [] if own == preset else [Quirk(prefix, str(own), str(preset))]
    found = []
    for field in type(own).model_fields:
        name = f"{prefix}.{field}" if prefix else field
        found += _differences(name, getattr(own, field), getattr(preset, field))
    return found
