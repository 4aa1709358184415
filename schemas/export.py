"""JSON Schemas of all record types: `python -m schemas.export DIR`."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

from schemas.base import Value
from schemas.chain import Chain
from schemas.judgement import DrawnTurns, Ticks
from schemas.method import EditRequest, MethodManifest, MethodUsage
from schemas.part import HostDefinition, LibraryManifest, ObjectRecord, PartRecord, SlotRegistry
from schemas.pictures import TurnPictures
from schemas.plan import BuildPlan
from schemas.readout import Readout
from schemas.report import RunReport
from schemas.rollout import RolloutProgress, RolloutRecord
from schemas.rollout_run import RolloutRun
from schemas.run import RunRecord
from schemas.score import ChainScores
from schemas.trajectory import TrajectoryLog

RECORDS: dict[str, type[Value]] = {
    "build_plan": BuildPlan,
    "chain": Chain,
    "chain_scores": ChainScores,
    "drawn_turns": DrawnTurns,
    "edit_request": EditRequest,
    "host_definition": HostDefinition,
    "library_manifest": LibraryManifest,
    "method_manifest": MethodManifest,
    "method_usage": MethodUsage,
    "object_record": ObjectRecord,
    "part_record": PartRecord,
    "readout": Readout,
    "rollout_progress": RolloutProgress,
    "rollout_record": RolloutRecord,
    "rollout_run": RolloutRun,
    "run_record": RunRecord,
    "run_report": RunReport,
    "slot_registry": SlotRegistry,
    "ticks": Ticks,
    "trajectory_log": TrajectoryLog,
    "turn_pictures": TurnPictures,
}


def json_schema(kind: type[Value]) -> dict[str, Any]:
    """The draft 2020-12 schema of one record type."""
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **kind.model_json_schema()}


def write_schemas(folder: Path) -> list[Path]:
    """Write one `<name>.schema.json` per record type; return the paths."""
    folder.mkdir(parents=True, exist_ok=True)
    written = []
    for name, kind in sorted(RECORDS.items()):
        path = folder / f"{name}.schema.json"
        path.write_text(json.dumps(json_schema(kind), indent=2, sort_keys=True, ensure_ascii=False) + "\n", "utf-8")
        written.append(path)
    return written


if __name__ == "__main__":
    write_schemas(Path(sys.argv[1]))
