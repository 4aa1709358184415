"""All scores of a folder as one Parquet file, a row a number: for data frames and databases."""

from __future__ import annotations

import io
from pathlib import Path

from chains.storage import write_atomic
from evaluator.scoring import list_scores
from schemas.codec import read_record
from schemas.errors import MissingExtraError
from schemas.score import ChainScores, Undefined

PARQUET_FILE = "scores.parquet"
COLUMNS = ("method", "input", "family", "host", "chain", "turn", "op", "status", "metric", "region", "views")
"""Followed by `value` (null where there is no finite number), `infinite` and `reason`."""


def write_parquet(folder: Path) -> int:
    """Write `scores.parquet` beside the scores; returns its number of rows.

    A failed or blocked turn is one row without a metric. Raises MissingExtraError without pyarrow.
    """
    try:
        import pyarrow as pa  # noqa: PLC0415  # an extra
        import pyarrow.parquet as pq  # noqa: PLC0415
    except ImportError as error:
        message = f"{PARQUET_FILE} needs the extra 'parquet': pip install 'part-edit-chains[parquet]'"
        raise MissingExtraError(message) from error
    rows: dict[str, list[object]] = {name: [] for name in (*COLUMNS, "value", "infinite", "reason")}
    for path in list_scores(folder):
        record = read_record(ChainScores, path)
        for turn in record.turns:
            place = (record.method, record.input, record.family, record.host, record.chain, turn.turn, turn.op)
            for score in turn.scores:
                value = score.value
                number = None if isinstance(value, Undefined | str) else float(value)
                reason = value.reason if isinstance(value, Undefined) else None
                where = (turn.status, score.metric, score.region, score.views)
                _append(rows, (*place, *where, number, value == "inf", reason))
            if not turn.scores:
                _append(rows, (*place, turn.status, None, None, None, None, False, turn.reason or None))
    schema = pa.schema(
        [(name, pa.int32() if name == "turn" else pa.string()) for name in COLUMNS]
        + [("value", pa.float64()), ("infinite", pa.bool_()), ("reason", pa.string())]
    )
    buffer = io.BytesIO()
    pq.write_table(pa.table(rows, schema=schema), buffer, compression="zstd")
    write_atomic(folder / PARQUET_FILE, buffer.getvalue())
    return len(rows["turn"])


def _append(rows: dict[str, list[object]], values: tuple[object, ...]) -> None:
    for column, value in zip(rows.values(), values, strict=True):
        column.append(value)
