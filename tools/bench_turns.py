"""Seconds of each accepted turn on one host, and the peak memory of the process: run in a process of its own.

`python -m tools.bench_turns INDEX HOST OUT --families G,X`; prints one JSON document.
"""

from __future__ import annotations

import argparse
import json
import resource
import time
from itertools import pairwise
from pathlib import Path

from chains.schedule import schedule_jobs
from engine.build import build_chain, new_chain
from engine.building import open_shared_parts
from engine.slots.propose import propose_registry
from engine.workbench import Workbench
from library_index.library import open_library
from schemas.chain import Chain, Family
from schemas.part import Host
from schemas.placement import Limits

SEED = 5


def time_turns(index: Path, out: Path, host: Host, families: tuple[Family, ...]) -> list[float]:
    """Seconds from one accepted turn to the next; what opens a chain (its first content hash) is left out."""
    shared = open_shared_parts(index, out)
    seconds: list[float] = []
    for job in schedule_jobs([host], families, SEED):
        bench = Workbench(shared, job.host, job.family, job.seed, Limits())
        marks: list[float] = []

        def mark(_: Chain, marks: list[float] = marks) -> None:
            marks.append(time.perf_counter())

        build_chain(bench, new_chain(bench, job.chain_id), keep=mark)
        seconds.extend(after - before for before, after in pairwise(marks))
    return seconds


def main() -> None:
    """Warm the compiled kernels up on the smallest other host, then time the asked one."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("index", type=Path)
    parser.add_argument("host")
    parser.add_argument("out", type=Path)
    parser.add_argument("--families", default="G,X")
    asked = parser.parse_args()
    library = open_library(asked.index)
    families = tuple(asked.families.split(","))
    hosts = {entry.host.object_id: entry.host for entry in propose_registry(library).hosts}
    small = min(
        (name for name in hosts if name != asked.host), key=lambda name: (library.objects[name].triangles, name)
    )
    time_turns(asked.index, asked.out, hosts[small], families)
    warm = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    seconds = time_turns(asked.index, asked.out, hosts[asked.host], families)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    record = library.objects[asked.host]
    document = {
        "seconds": seconds,
        "parts": len(record.parts),
        "triangles": record.triangles,
        "warm_mib": warm,
        "peak_mib": peak,
    }
    print(json.dumps(document))


if __name__ == "__main__":
    main()
