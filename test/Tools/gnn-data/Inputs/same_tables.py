"""Compares a data set of the shop with its tables, cell by cell: same_tables.py FOLDER, beside the tables."""
import csv
import datetime
import json
import math
import pathlib
import statistics
import sys

sys.path.append(str(pathlib.Path(__file__).parent))
from npy_table import table  # noqa: E402

folder = pathlib.Path(sys.argv[1])


def rows(name):
    with open(name + ".csv", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def load(name):
    return table(folder / f"{name}.npy")


def numbers(cells, has_flag):
    """Mean 0 and deviation 1 of the cells that are there, 0 for the others, and a flag of these."""
    known = [float(cell) for cell in cells if cell != ""]
    mean, deviation = statistics.fmean(known), statistics.pstdev(known)
    result = [[(float(cell) - mean) / deviation if cell != "" else 0.0, float(cell == "")] for cell in cells]
    return [row[: 2 if has_flag else 1] for row in result]


def categories(cells):
    names = sorted(set(cells) - {""})
    return [[float(cell == name) for name in names] for cell in cells]


def seconds(day):
    return (datetime.date.fromisoformat(day) - datetime.date(1970, 1, 1)).days * 86400


def side_by_side(*parts):
    return [sum(row, []) for row in zip(*parts)]


def require_close(found, expected):
    assert len(found) == len(expected), (len(found), len(expected))
    for a, b in zip(found, expected):
        a, b = (row if isinstance(row, list) else [row] for row in (a, b))
        assert len(a) == len(b) and all(math.isclose(x, y, rel_tol=1e-5, abs_tol=1e-5) for x, y in zip(a, b)), (a, b)


customers, products, orders = rows("customers"), rows("products"), rows("orders")
ages, dates = numbers([c["age"] for c in customers], True), numbers([str(seconds(c["since"])) for c in customers], False)
require_close(load("vertex_customer_x"), side_by_side(ages, dates, categories([c["country"] for c in customers])))
prices, kinds = numbers([p["price"] for p in products], True), categories([p["kind"] for p in products])
require_close(load("vertex_product_x"), side_by_side(prices, kinds))
assert load("y") == [{"no": 0, "yes": 1, "": -1}[customer["churned"]] for customer in customers]
labelled = [i for i, customer in enumerate(customers) if customer["churned"]]
assert sorted(load("train") + load("val") + load("test")) == labelled

edges = load("customer_bought_product")
for end, key, of in ((0, "customer_id", customers), (1, "product_id", products)):
    place = {row[key]: i for i, row in enumerate(of)}
    assert edges[end] == [place[order[key]] for order in orders]
stem = "customer_bought_product_edge_"
mean = statistics.fmean(float(order["amount"]) for order in orders if order["amount"])
require_close(load(stem + "amount"), [float(order["amount"] or mean) for order in orders])
assert load(stem + "amount_missing") == [float(order["amount"] == "") for order in orders]
assert load(stem + "paid") == categories([order["paid"] for order in orders])
assert load(stem + "day") == [seconds(order["day"]) for order in orders]

names = json.loads((folder / "dataset.json").read_text(encoding="utf-8"))["class_names"]
assert names == ["no", "yes"], names
print(f"{len(customers)} customers, {len(products)} products, {len(orders)} orders are as in the tables")
