"""Pictures of the truth are those of the files that deliver it, pixel for pixel."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from chains.files import list_chains
from engine.gltf.unnamed import strip_names
from evaluator.outputs import read_output
from evaluator.pictures import ChainPictures
from evaluator.protocol import PictureOptions, Protocol
from evaluator.truth import ChainTruth

OPTIONS = PictureOptions(res=256)


def test_whoever_delivers_the_true_states_delivers_their_pictures(index: Path, chains: Path, tmp_path: Path) -> None:
    """In the order of the slots or another, no pixel of any view differs; a state with another look differs."""
    for path in list_chains(chains)[:2]:
        truth = ChainTruth(path, index, Protocol(pictures=OPTIONS))
        pictures = ChainPictures(truth, tmp_path / "pictures", OPTIONS)
        for turn in (0, len(truth.chain.turns)):
            data = truth.replayer.turn(turn).glb
            target = pictures.of_truth(turn)
            for name, written in (("plain", data), ("unnamed", strip_names(data))):
                file = tmp_path / f"{name}.glb"
                file.write_bytes(written)
                drawn = pictures.of_output(f"{truth.chain.id} {turn} {name}", read_output(file).model)
                assert all(np.array_equal(own, true) for own, true in zip(drawn, target, strict=True))
        first, last = pictures.of_truth(0), pictures.of_truth(len(truth.chain.turns))
        assert not all(np.array_equal(one, other) for one, other in zip(first, last, strict=True))
