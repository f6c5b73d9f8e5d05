"""Writes the .parquet files beside this one: the shop of examples/shop with columns of many types.

python3 parquet.py  (needs pyarrow; those here are of 17.0.0)
"""

import datetime
import decimal
import os

import pyarrow as pa
import pyarrow.parquet as pq

here = os.path.dirname(os.path.abspath(__file__))
users = pa.table({
    "user": pa.array(["alice", "bob", "carol", "dave", "erin"]),
    "nested": pa.array([{"a": 1, "b": [2]}] * 5),
    "age": pa.array([31, None, 45, 19, 27], pa.int8()),
    "score": pa.array([0.5, 1.5, None, 2.5, 1e-3], pa.float64()),
    "joined": pa.array([datetime.date(2020, 1, 5 + i) for i in range(5)]),
    "seen": pa.array([datetime.datetime(2024, 2, 29, 12, 30, i, 5000) for i in range(5)], pa.timestamp("us")),
    "country": pa.array(["DE", "FR", None, "DE", "FR"]).dictionary_encode(),
    "limit": pa.array([decimal.Decimal("10.50")] * 4 + [None], pa.decimal128(10, 2)),
    "tags": pa.array([["x"], [], None, ["y", "z"], ["x"]]),
    "fraud": pa.array([False, True, True, False, None]),
})
trades = pa.table({
    "from": pa.array(["alice", "bob", "carol", "dave"]),
    "to": pa.array(["bob", "carol", "alice", "erin"]),
    "amount": pa.array([3.5, 1.0, 2.25, 8.0], pa.float32()),
})
pq.write_table(users, os.path.join(here, "users.parquet"), row_group_size=2)
pq.write_table(trades, os.path.join(here, "trades.parquet"), compression="gzip", version="1.0")
pq.write_table(pa.table({"a": pa.array([9, 9, 7]), "b": pa.array([7, 8, 9])}), os.path.join(here, "numbers.parquet"),
               compression="zstd")
pq.write_table(pa.table({"a": pa.array([[1], [2]])}), os.path.join(here, "lists.parquet"), compression="none")
