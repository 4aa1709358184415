"""Every error a caller may catch, with the exit code the command line gives it."""

from __future__ import annotations

from pathlib import Path


class EngineError(Exception):
    """Something the engine refuses or cannot do; printed in one line, without a traceback."""

    exit_code = 1

    def __reduce__(self) -> tuple[object, ...]:
        """Cross process borders whole, whatever the constructor takes."""
        return (_restore, (type(self), self.args, self.__dict__))


def _restore(kind: type[EngineError], args: tuple[object, ...], state: dict[str, object]) -> EngineError:
    error = kind.__new__(kind)
    error.args = args
    error.__dict__.update(state)
    return error


class InputError(EngineError):
    """A file, an argument or a reference from outside is wrong."""

    exit_code = 2


class SchemaError(InputError):
    """A record does not have the documented shape."""

    def __init__(self, path: Path | str, json_path: str, problem: str) -> None:
        self.path = str(path)
        self.json_path = json_path
        self.problem = problem
        super().__init__(f"{path}: {json_path}: {problem}")


class SettingsError(InputError):
    """An option or a settings file holds a value that cannot be used."""


class UnknownPluginError(InputError):
    """No installed plugin has the asked name."""


class MissingExtraError(InputError):
    """An option needs packages of an extra that is not installed."""


class ModelError(InputError):
    """A model of captions is not named, not there, or not of a kind that can be used."""


class GltfError(InputError):
    """A glTF file is refused: unreadable, out of bounds, over a budget, or needing what is not supported."""

    def __init__(self, path: Path | str, reason: str) -> None:
        self.path = str(path)
        self.reason = reason
        super().__init__(f"{path}: {reason}")


class EmptyModelError(GltfError):
    """A sound glTF file holds no triangle that has an area."""


class GeometryError(InputError):
    """A mesh or a pose cannot be measured: empty, not finite, without area, out of range or not invertible."""


class PartNotFoundError(InputError):
    """A referenced part is not in the library."""


class HashMismatchError(EngineError):
    """Bytes or a state are not what the log says."""

    exit_code = 4


class PartHashError(HashMismatchError):
    """The bytes of a part or an asset differ from the logged SHA-256."""

    def __init__(self, what: str, expected: str, actual: str) -> None:
        self.what = what
        self.expected = expected
        self.actual = actual
        super().__init__(f"{what}: sha256 is {actual[:12]}, the log says {expected[:12]}")


class ReplayError(HashMismatchError):
    """A replayed state has another state hash or content hash than the log says."""


class OperationError(InputError):
    """An operation cannot be applied to the state: slot taken, empty, or still a support."""


class WorkerError(EngineError):
    """A worker process died or ran out of time."""

    exit_code = 3


class RenderError(EngineError):
    """A picture of a state could not be made, though the renderer works."""


class LockedError(EngineError):
    """Another process writes into the same folder."""


class ChatError(EngineError):
    """A model behind a server could not be asked or did not answer as agreed."""


class ScreeningError(ChatError):
    """A screener could not be asked or did not answer as agreed: the edit is neither accepted nor refused."""


class RewritingError(ChatError):
    """A rewriter could not be asked, or no answer of its is recorded: nothing is known of the sentence."""


class MaskMismatchError(EngineError):
    """An id, depth or mask of a view is not what an independent ray finds there."""

    def __init__(self, where: str, slot: str, pixel: tuple[int, int], problem: str) -> None:
        self.where = where
        self.slot = slot
        self.pixel = pixel
        self.problem = problem
        super().__init__(f"{where}: slot {slot!r} at column {pixel[0]}, row {pixel[1]}: {problem}")


class OutputError(EngineError):
    """A result could not be written."""
