"""The ground truth of one chain as scores need it: besides its geometry, the sampled targets of its turns."""

from __future__ import annotations

from pathlib import Path

from evaluator.metrics.sampling import FramedSurface, frame_surface
from evaluator.metrics.surface import PreparedTarget, prepare_target
from evaluator.protocol import Protocol
from evaluator.states import ChainStates


class ChainTruth(ChainStates):
    """The states of one chain file under the options of a protocol. Raises what `ChainStates` raises."""

    def __init__(self, path: Path, library: Path, protocol: Protocol) -> None:
        super().__init__(path, library, protocol.voxel)
        self.protocol = protocol
        self._target: tuple[int, PreparedTarget] | None = None

    def framed(self, turn: int) -> FramedSurface:
        """The surface of the state after a turn in frame units."""
        return frame_surface(*self.soup(turn), self.frame.center, self.frame.side)

    def target(self, turn: int) -> PreparedTarget:
        """The sampled target of a turn; the last one is kept."""
        if self._target is None or self._target[0] != turn:
            self._target = turn, prepare_target(self.framed(turn), self.protocol.surface.samples)
        return self._target[1]
