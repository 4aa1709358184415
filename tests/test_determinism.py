"""The same bytes from every process: a list of banned sources of chance, and chains built under other conditions."""

from __future__ import annotations

import ast
import functools
import hashlib
import json
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from chains.files import RUN_FILE
from tests.box_library import write_box_library

ROOT = Path(__file__).resolve().parent.parent
PACKAGES = ("schemas", "chains", "library_index", "engine", "evaluator", "review_tool")

ORDERLESS = {"sorted", "set", "frozenset", "len", "any", "all", "min", "max", "sum"}
"""Calls whose result does not depend on the order of what they are given."""
SET_METHODS = {"union", "intersection", "difference", "symmetric_difference", "copy"}
TRANSCENDENTAL = {
    *("sin", "cos", "tan", "asin", "acos", "atan", "atan2", "sinh", "cosh", "tanh", "hypot", "cbrt", "pow", "power"),
    *("arcsin", "arccos", "arctan", "arctan2", "exp", "exp2", "expm1", "log", "log2", "log10", "log1p", "float_power"),
}
BLAS = {"dot", "vdot", "inner", "matmul", "einsum", "tensordot", "linalg", "apply_transform", "transform_points"}
NUMERIC = {"np", "numpy", "math", "cmath", "trimesh"}

Finder = Callable[[ast.Module], Iterator[ast.AST]]


def _attributes(tree: ast.Module) -> Iterator[tuple[str, ast.Attribute]]:
    """Every `a.b.c` with the name it starts from."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute):
            base: ast.expr = node
            while isinstance(base, ast.Attribute):
                base = base.value
            yield (base.id if isinstance(base, ast.Name) else ""), node


def _calls(tree: ast.AST, *names: str) -> Iterator[ast.Call]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", None)
            if name in names:
                yield node


def _imports(tree: ast.Module, *names: str) -> Iterator[ast.AST]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Import) and any(alias.name.split(".")[0] in names for alias in node.names):
            yield node
        if isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] in names:
            yield node


def find_linear_algebra(tree: ast.Module) -> Iterator[ast.AST]:
    """Calls that end in BLAS: their last bits depend on the processor and the number of threads."""
    yield from (node for node in ast.walk(tree) if isinstance(node, ast.BinOp) and isinstance(node.op, ast.MatMult))
    for base, node in _attributes(tree):
        if node.attr in BLAS and (base in NUMERIC or node.attr in {"dot", "apply_transform"}):
            yield node


def find_transcendental(tree: ast.Module) -> Iterator[ast.AST]:
    """Functions of the math library: their last bits depend on its version. Square roots are exact everywhere."""
    yield from (node for base, node in _attributes(tree) if base in NUMERIC and node.attr in TRANSCENDENTAL)
    for node in ast.walk(tree):
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Pow):
            exponent = node.right.operand if isinstance(node.right, ast.UnaryOp) else node.right
            whole = isinstance(exponent, ast.Constant) and isinstance(exponent.value, int)
            base = node.left.operand if isinstance(node.left, ast.UnaryOp) else node.left
            exact = isinstance(base, ast.Constant) and base.value in {1, 2}  # a sign that alternates, a power of two
            if not whole and not exact:
                yield node


def find_chance(tree: ast.Module) -> Iterator[ast.AST]:
    """Random numbers that are not drawn from a named stream."""
    yield from _imports(tree, "random", "uuid", "secrets")
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and ast.unparse(node.func).startswith(("np.random.", "numpy.random.")):
            yield node
    yield from _calls(tree, "urandom", "getpid")


def find_clocks(tree: ast.Module) -> Iterator[ast.AST]:
    """Clocks: only revisions hold a time."""
    yield from _imports(tree, "time", "datetime")


def find_salted_hashes(tree: ast.Module) -> Iterator[ast.AST]:
    """The built-in `hash` and `id` differ from process to process."""
    yield from (node for node in _calls(tree, "hash", "id") if isinstance(node.func, ast.Name))


def find_unstable_sorts(tree: ast.Module) -> Iterator[ast.AST]:
    """Sorts of rows by key that leave ties in an order that depends on the processor's vector width."""
    yield from (node for base, node in _attributes(tree) if base in NUMERIC and "partition" in node.attr)
    for call in _calls(tree, "argsort"):
        if not any(word.arg == "kind" and ast.unparse(word.value) == "'stable'" for word in call.keywords):
            yield call


def find_loose_kernels(tree: ast.Module) -> Iterator[ast.AST]:
    """Compiled loops that may reorder sums."""
    for call in _calls(tree, "njit", "jit"):
        yield from (word.value for word in call.keywords if word.arg in {"fastmath", "parallel"})
    yield from _calls(tree, "prange")


def find_unsorted_listings(tree: ast.Module) -> Iterator[ast.AST]:
    """Folder listings come in the order of the file system."""
    names = ("iterdir", "glob", "rglob", "listdir", "scandir", "walk")
    listings = (call for call in _calls(tree, *names) if ast.unparse(call.func) != "ast.walk")
    ordered = {id(inner) for call in _calls(tree, "sorted") for inner in ast.walk(call)}
    yield from (call for call in listings if id(call) not in ordered)


def find_walked_sets(tree: ast.Module) -> Iterator[ast.AST]:
    """Loops over sets of text follow the hash seed, whatever they look like in one run."""
    for scope in ast.walk(tree):
        if isinstance(scope, ast.FunctionDef | ast.AsyncFunctionDef):
            yield from _walked_sets(scope)


def _walked_sets(scope: ast.FunctionDef | ast.AsyncFunctionDef) -> Iterator[ast.AST]:
    names = {argument.arg for argument in scope.args.args if _says_set(argument.annotation)}
    for node in ast.walk(scope):
        if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name) and _says_set(node.annotation):
            names.add(node.target.id)
        if isinstance(node, ast.Assign) and _is_set(node.value, names):
            names |= {target.id for target in node.targets if isinstance(target, ast.Name)}
    harmless = {id(argument) for call in _calls(scope, *ORDERLESS) for argument in call.args}
    for node in ast.walk(scope):
        if isinstance(node, ast.For) and _is_set(node.iter, names):
            yield node.iter
        if isinstance(node, ast.ListComp | ast.GeneratorExp | ast.DictComp) and id(node) not in harmless:
            yield from (loop.iter for loop in node.generators if _is_set(loop.iter, names))
        if isinstance(node, ast.Starred) and _is_set(node.value, names):
            yield node
    for call in _calls(scope, "list", "tuple", "enumerate", "iter", "next", "join", "zip", "map", "array"):
        yield from (argument for argument in call.args if _is_set(argument, names))


def _says_set(annotation: ast.expr | None) -> bool:
    return annotation is not None and ast.unparse(annotation).split("[")[0] in {"set", "frozenset", "Set"}


def _is_set(node: ast.expr, names: set[str]) -> bool:
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.BitOr | ast.BitAnd | ast.Sub | ast.BitXor):
        return _is_set(node.left, names) or _is_set(node.right, names)
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        return node.func.attr in SET_METHODS and _is_set(node.func.value, names)
    if isinstance(node, ast.Call):
        return isinstance(node.func, ast.Name) and node.func.id in {"set", "frozenset"}
    return isinstance(node, ast.Set | ast.SetComp) or (isinstance(node, ast.Name) and node.id in names)


class Ban(NamedTuple):
    """One kind of source of chance, and the modules that may use it, each with the reason."""

    find: Finder
    allowed: dict[str, str]


BANS = {
    "linear algebra": Ban(
        find_linear_algebra,
        {"library_index/search.py": "int8 vectors as float32 with sums below 2^24: exact in any order"},
    ),
    "transcendental functions": Ban(
        find_transcendental,
        {"evaluator/suites/preservation.py": "decibels of a whole number, for people; nothing is decided by it"},
    ),
    "chance": Ban(
        find_chance,
        {
            "engine/seeds.py": "the named streams themselves",
            "engine/geometry/sampling.py": "a generator seeded by its caller",
            "evaluator/rollout/descendants.py": "finds the processes below this one; no result holds an id",
            "evaluator/rollout/keeper.py": "the same",
            "evaluator/rollout/process.py": "tells the keeper whose child it is",
        },
    ),
    "clocks": Ban(
        find_clocks,
        {
            "engine/chat/client.py": "the time limit of a request; an answer never holds it",
            "engine/rewriting/openai_compatible.py": "when an answer came, for revisions; kept with the answer",
            "engine/render/cycles/worker.py": "how long a view took, for the log; no picture depends on it",
            "engine/render/cycles/worker_process.py": "the time limit of a worker; no picture depends on it",
            "evaluator/rollout/descendants.py": "how long to try to end a process",
            "evaluator/rollout/keeper.py": "the time limit of a method, and what a turn took, for tables of cost",
            "evaluator/rollout/process.py": "the time limit of a keeper",
            "evaluator/rollout/sessions.py": "when a session began and ended; no output and no outcome holds it",
            "engine/run_log.py": "how long a build took, beside the chains; no chain and no hash depends on it",
            "library_index/ray_pool.py": "the same, of a worker of a cluster",
            "library_index/pool.py": "the time limit of a worker; a unit's result never holds it",
        },
    ),
    "salted hashes": Ban(
        find_salted_hashes,
        {
            "engine/gltf/retexture.py": "finds nodes of one tree while the tree lives",
            "engine/pictures/camera_search.py": "tells apart pieces of states that live",
            "engine/render/raycast.py": "tells apart pieces of two scenes that live",
            "engine/render/scene.py": "key of a cache that keeps what it names alive",
            "engine/render/sheet.py": "tells pieces apart while all of them live",
            "engine/workbench.py": "finds the surfaces of a solid that the state at hand holds",
        },
    ),
    "unstable sorts": Ban(
        find_unstable_sorts, {"library_index/search.py": "only the value at the border is read, no order"}
    ),
    "loose kernels": Ban(find_loose_kernels, {}),
    "unsorted listings": Ban(
        find_unsorted_listings,
        {
            "chains/storage.py": "all leftovers are deleted, in whatever order",
            "library_index/layout.py": "names are only looked up in the listing",
        },
    ),
    "walked sets": Ban(find_walked_sets, {}),
}


@functools.cache
def _sources() -> dict[str, ast.Module]:
    files = sorted(file for package in PACKAGES for file in (ROOT / package).rglob("*.py"))
    return {file.relative_to(ROOT).as_posix(): ast.parse(file.read_text("utf-8")) for file in files}


@pytest.mark.parametrize("name", BANS)
def test_sources_hold_nothing_banned(name: str) -> None:
    """No module uses a banned source of chance, but for those listed with a reason; the list holds no stale entry."""
    ban = BANS[name]
    found = {file: sorted({node.lineno for node in ban.find(tree)}) for file, tree in _sources().items()}  # type: ignore[attr-defined]
    assert {file: lines for file, lines in found.items() if lines and file not in ban.allowed} == {}
    assert [file for file in ban.allowed if not found.get(file)] == []


@pytest.mark.parametrize(
    ("name", "bad", "good"),
    [
        ("linear algebra", "points @ matrix", "points * row"),
        ("linear algebra", "np.linalg.norm(v)", "np.sqrt((v * v).sum())"),
        ("linear algebra", "a.dot(b)", "a.sum()"),
        ("transcendental functions", "math.atan2(y, x)", "math.sqrt(x)"),
        ("transcendental functions", "x ** 0.5", "x ** 2"),
        ("transcendental functions", "x ** y", "2.0 ** -y"),
        ("transcendental functions", "(-3) ** y", "(-1) ** y"),
        ("chance", "import uuid", "import hashlib"),
        ("chance", "np.random.default_rng()", "generator_for(1)"),
        ("clocks", "from datetime import datetime", "from pathlib import Path"),
        ("salted hashes", "hash('a')", "digest('a')"),
        ("unstable sorts", "np.argsort(x)", "np.argsort(x, kind='stable')"),
        ("loose kernels", "njit(fastmath=True)", "njit(cache=True)"),
        ("unsorted listings", "[p for p in folder.iterdir()]", "[p for p in sorted(folder.iterdir())]"),
        ("walked sets", "def f(a: set[str]):\n for b in a: g(b)", "def f(a: set[str]):\n for b in sorted(a): g(b)"),
        ("walked sets", "def f(a):\n b = set(a)\n return list(b)", "def f(a):\n b = set(a)\n return sorted(b)"),
        ("walked sets", "def f(a):\n return [x for x in {*a}]", "def f(a):\n return any(x for x in {*a})"),
        ("walked sets", "def f(a: set[str]):\n return tuple(a.union('b'))", "def f(a):\n return tuple(a.union('b'))"),
        ("walked sets", "def f(a, b):\n return ','.join(set(a) - b)", "def f(a, b):\n return len(set(a) - b)"),
    ],
)
def test_the_bans_bite(name: str, bad: str, good: str) -> None:
    """Each finder sees an example of what it bans and not the right way beside it."""
    assert list(BANS[name].find(ast.parse(bad)))
    assert not list(BANS[name].find(ast.parse(good)))


def _engine(folder: Path, settings: dict[str, str], *words: str) -> None:
    command = [sys.executable, "-m", "engine.cli", *words]
    environment = {"PYTHONPATH": str(ROOT), "HOME": str(folder), **settings}
    done = subprocess.run(
        command, cwd=folder, env=environment, capture_output=True, text=True, check=False, timeout=300
    )
    assert done.returncode == 0, done.stderr


def _build_everything(folder: Path, settings: dict[str, str], workers: int) -> dict[str, str]:
    """Library, slots, chains and states of the box library in a folder of its own; digest by file."""
    write_box_library(folder / "parts")
    _engine(folder, settings, "library", "build", "parts", "--out", "lib")
    _engine(folder, settings, "slots", "propose", "lib", "--out", "slots.json")
    build = ["build", "--library", "lib", "--slots", "slots.json", "--out", "chains", "--families", "G,X"]
    _engine(folder, settings, *build, "--seed", "3", "--workers", str(workers))
    for chain in sorted((folder / "chains").glob("?/*.json")):
        words = ["--turn", "all", "--library", "lib", "--out", f"states/{chain.stem}_{chain.parent.name}"]
        _engine(folder, settings, "replay", str(chain), *words)
    return {
        file.relative_to(folder).as_posix(): hashlib.sha256(file.read_bytes()).hexdigest()
        for file in sorted(folder.rglob("*"))
        if file.is_file()
        and file.name != RUN_FILE
        and not any(part.startswith(".") for part in file.relative_to(folder).parts)
    }


@pytest.fixture(scope="module")
def usual(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[str, str]]:
    """Everything built in one process with the machine's own settings."""
    folder = tmp_path_factory.mktemp("usual")
    return folder, _build_everything(folder, {"PYTHONHASHSEED": "0"}, workers=1)


def test_chains_exercise_every_operation(usual: tuple[Path, dict[str, str]]) -> None:
    """The compared chains hold all four operations, so that equal digests say something about each."""
    folder, _ = usual
    chains = [json.loads(file.read_bytes()) for file in sorted((folder / "chains").glob("?/*.json"))]
    turns = [turn for chain in chains for turn in chain["turns"]]
    assert {turn["operation"]["op"] for turn in turns} == {"add", "remove", "replace", "retexture"}
    assert all(turn["content_sha256"] for turn in turns)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("settings", "workers"),
    [
        ({"PYTHONHASHSEED": "4242", "OMP_NUM_THREADS": "1", "OPENBLAS_CORETYPE": "Prescott"}, 2),
        ({"PYTHONHASHSEED": "7", "OPENBLAS_CORETYPE": "Haswell", "NPY_DISABLE_CPU_FEATURES": "AVX512F AVX512_SKX"}, 1),
    ],
)
def test_other_conditions_give_the_same_bytes(
    usual: tuple[Path, dict[str, str]], tmp_path: Path, settings: dict[str, str], workers: int
) -> None:
    """Another hash seed, thread count, BLAS kernel and worker count change no byte of index, slots, chains, states."""
    assert _build_everything(tmp_path, settings, workers) == usual[1]
