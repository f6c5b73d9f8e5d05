"""Compares labels, splits and the order of edges with tables of payments and users. Usage: edge_labels.py PAYMENTS USERS DATA VAL TEST

Ends of splits are dates, by the column `day` of payments; `-` for both: edges are not divided by time."""
import csv
import json
import sys

sys.path.insert(0, __file__.rsplit("/", 1)[0])
from npy_table import table as load

payments, users, data, val, test = sys.argv[1:]
rows = list(csv.DictReader(open(payments)))
place = {row["id"]: i for i, row in enumerate(csv.DictReader(open(users)))}
phase = [0 if val == "-" or "" < row["day"] < val else 1 if "" < row["day"] < test else 2 for row in rows]
order = sorted(range(len(rows)), key=lambda i: phase[i])
classes = sorted({row["fraud"] for row in rows} - {""})

assert load(f"{data}/edge_index.npy") == [[place[rows[i][end]] for i in order] for end in ("payer", "payee")]
assert load(f"{data}/y.npy") == [classes.index(rows[i]["fraud"]) if rows[i]["fraud"] else -1 for i in order]
layout = json.load(open(f"{data}/dataset.json"))
assert layout["class_names"] == classes and layout["labelled"] == "edge"
if val != "-":
    assert layout["known_edges"] == {"train": phase.count(0), "val": len(rows) - phase.count(2)}
    for number, split in enumerate(("train", "val", "test")):
        wanted = [at for at, i in enumerate(order) if phase[i] == number and rows[i]["fraud"] and rows[i]["day"]]
        assert load(f"{data}/{split}.npy") == wanted, split
train = [i for i in range(len(rows)) if phase[i] == 0]
known = [float(rows[i]["amount"]) for i in train if rows[i]["amount"]]
mean = sum(known) / len(known)
amounts = load(f"{data}/edge_amount.npy")
assert all(abs(amount - float(rows[i]["amount"] or mean)) < 1e-4 for amount, i in zip(amounts, order))
kinds = sorted({rows[i]["kind"] for i in train})
assert load(f"{data}/edge_kind.npy") == [[float(rows[i]["kind"] == kind) for kind in kinds] for i in order]
print(f"{len(rows)} payments are as in the table")
