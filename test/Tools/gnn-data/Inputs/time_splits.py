"""Splits by time and features of the training rows' means, computed from the table. Usage: time_splits.py CSV DATA END END

The ends are dates, or shares of the labelled rows."""
import csv
import datetime
import math
import sys

sys.path.insert(0, __file__.rsplit("/", 1)[0])
from npy_table import table as load

table, data, first, second = sys.argv[1:]
rows = list(csv.DictReader(open(table)))
labelled = sorted((row["seen"], i) for i, row in enumerate(rows) if row["gone"])
if "-" in first:
    ends = [sum(seen < end for seen, _ in labelled) for end in (first, second)]
else:
    ends = [round(len(labelled) * share / 100) for share in (int(first), int(first) + int(second))]
parts = {"train": labelled[: ends[0]], "val": labelled[ends[0] : ends[1]], "test": labelled[ends[1] :]}
for name, part in parts.items():
    assert load(f"{data}/{name}.npy") == sorted(i for _, i in part), name

train = {i for _, i in parts["train"]}
ages = [int(row["age"]) for row in rows]
mean = sum(ages[i] for i in train) / len(train)
deviation = math.sqrt(sum((ages[i] - mean) ** 2 for i in train) / len(train))
plans = sorted({rows[i]["plan"] for i in train})
features = load(f"{data}/x.npy")
for i, row in enumerate(rows):
    wanted = [(ages[i] - mean) / deviation] + [float(row["plan"] == plan) for plan in plans]
    assert len(wanted) == len(features[i]) and all(abs(a - b) < 1e-5 for a, b in zip(wanted, features[i])), (i, row)
print("splits and features are as they should be")
