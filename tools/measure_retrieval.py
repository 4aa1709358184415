"""Measure retrieval over an index: share of queries whose best, or one of whose five best, parts is a right answer.

    python -m tools.measure_retrieval LIB tests/library_index/retrieval_queries.json --model EXPORTED

Prints one JSON document with the figures of the lexical embedder and, with --model, of the exported sentence model.
The captions are embedded anew by each, so that one index serves both. Part references are OBJECT/PART.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from library_index.embedding import embed_checked, embed_distinct, load_embedder
from library_index.library import Library, open_library
from library_index.ports import Embedder, ModelChoice
from library_index.queries import describe_part
from library_index.search import rank_rows
from schemas.codec import parse_json
from schemas.errors import InputError

LOOKED_AT = 5


class Question(NamedTuple):
    """A query and the parts that answer it."""

    query: str
    answers: frozenset[str]


class Measured(NamedTuple):
    """Figures of one embedder over all questions."""

    embedder: str
    model: str | None
    queries: int
    top_1: float
    top_5: float
    missed: tuple[str, ...]
    """Queries without a right answer among the five best."""


def read_questions(path: Path, library: Library) -> tuple[Question, ...]:
    """Read queries with their answers. Raises InputError for one without answers, or with one the library has not."""
    document = parse_json(path.read_bytes(), path)
    questions = tuple(Question(entry["query"], frozenset(entry["answers"])) for entry in document["queries"])
    known = {"/".join(key) for key in library.parts}
    for question in questions:
        if not question.answers or not question.answers <= known:
            raise InputError(
                f"{path}: {question.query!r}: {sorted(question.answers - known)[:3]} are not in the library"
            )
    return questions


def measure_retrieval(library: Library, questions: Sequence[Question], embedder: Embedder) -> Measured:
    """Embed the captions of a library and the questions, rank exactly, and count."""
    records = [library.parts.at(row) for row in range(len(library.parts))]
    texts = [describe_part(record, library.objects[record.ref.object_id]) for record in records]
    vectors = embed_distinct(embedder, texts)
    asked = embed_checked(embedder, [question.query for question in questions])
    first, near, missed = 0, 0, []
    for question, (rows, _) in zip(questions, rank_rows(vectors, asked, LOOKED_AT), strict=True):
        right = [str(records[row].ref) in question.answers for row in rows.tolist()]
        first += right[0]
        near += any(right)
        if not any(right):
            missed.append(question.query)
    count = len(questions)
    return Measured(embedder.name, embedder.model, count, first / count, near / count, tuple(missed))


def main() -> int:
    """Print the figures of each embedder at hand."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("library", type=Path)
    parser.add_argument("questions", type=Path)
    parser.add_argument("--model", help="folder of an exported model")
    options = parser.parse_args()
    library = open_library(options.library)
    questions = read_questions(options.questions, library)
    embedders = [load_embedder(), *([load_embedder("onnx", ModelChoice(options.model))] if options.model else [])]
    figures = [measure_retrieval(library, questions, embedder)._asdict() for embedder in embedders]
    print(json.dumps(figures, indent=1))
    return 0


if __name__ == "__main__":
    sys.exit(main())
