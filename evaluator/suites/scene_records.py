"""Records of the scene suite: what was measured on each view of each case, and the figures of a run."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from evaluator.suites.pictures import Backdrop
from evaluator.suites.scenes import SceneRules
from schemas.base import SCHEMA_VERSION, Finite, Sha256, SlotId, Value
from schemas.score import Measure

ValidityAsked = Literal["all", "glb"]
"""Files that must load: scene file, GLB and renders, or all but the scene file."""
Count = Annotated[int, Field(ge=0)]
Share = Annotated[Finite, Field(ge=0.0, le=1.0)]


class SceneObject(Value):
    """Visible surface of one slot of the truth in one view, in points."""

    slot: SlotId
    own_matched: Count
    own: Count
    """Own points inside the slot's mask."""
    target_matched: Count
    target: Count
    target_matched_by_any: Count
    """Target points with a neighbour among all own points: a diagnostic."""
    f_score: Share


class SceneView(Value):
    """One view of a case."""

    view: Count
    reconstruction: Measure
    """Mean F over the slots that the truth shows."""
    precision: Measure
    recall: Measure
    scene_f_score: Measure
    """All points as one object: a companion."""
    appearance: Measure
    hits: Count | None = None
    """Pixels like the truth's."""
    pixels: Count | None = None
    objects: Annotated[tuple[SceneObject, ...], Field(strict=False)] = ()
    unseen: Annotated[tuple[SlotId, ...], Field(strict=False)] = ()
    """Slots of which the truth shows nothing in this view."""


class SceneCase(Value):
    """One true scene and the one delivered for it."""

    name: str
    """Its folder, below those of truths and outputs."""
    truth_sha256: Sha256
    """Of the lines `<sha256>  <file>` of the files read, as `sha256sum` prints them, in the order of names."""
    output_sha256: Sha256 | None = None
    """Of scene and, unless drawn, record and the pictures that have the truth's names; null without a folder."""
    problems: Annotated[tuple[str, ...], Field(strict=False)] = ()
    """Why it is not valid; none for a valid one."""
    reconstruction: Measure
    """Mean over the views in which the truth shows a slot; a view that was not delivered counts 0."""
    appearance: Measure
    """Mean over all views of the truth, in the same way."""
    overall: Share
    views: Annotated[tuple[SceneView, ...], Field(strict=False)]


class SceneReport(Value):
    """A run of the scene suite: its rules, its figures, its cases; `scenes.json`."""

    schema_version: str = SCHEMA_VERSION
    compat: str | None = None
    """The preset, if any."""
    rules: SceneRules
    backdrop: Backdrop
    """What transparent pixels show."""
    validity_asked: ValidityAsked
    drawn: bool
    """Whether depth and pictures of outputs were drawn from their GLB through the true cameras, or delivered."""
    attempted: Count
    valid: Count
    validity: Measure
    """Share of valid cases."""
    overall: Measure
    """Mean over attempted cases, 0 for those that are not valid."""
    reconstruction: Measure
    """Mean over valid cases, 0 for one that has none; `appearance` alike. Undefined without a valid case."""
    reconstruction_cases: Count
    """Valid cases that have one."""
    appearance: Measure
    appearance_cases: Count
    without_truth: Annotated[tuple[str, ...], Field(strict=False)] = ()
    """Outputs that nothing was asked of."""
    cases: Annotated[tuple[SceneCase, ...], Field(strict=False)]
