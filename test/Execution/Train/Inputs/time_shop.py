"""Tables of customers, products and orders over a year. Usage: time_shop.py FOLDER [SEED]

With a seed, only what is later than the first of July is another: rows of orders and of customers."""
import csv
import pathlib
import random
import sys

END = "2024-07-01"
folder, seed = pathlib.Path(sys.argv[1]), sys.argv[2] if len(sys.argv) > 2 else None
draw = random.Random(1)


def day(random):
    return f"2024-{random.randint(1, 12):02}-{random.randint(1, 28):02}"


customers = [
    {"id": f"c{i}", "seen": day(draw), "age": draw.choice(["", *map(str, range(18, 90))]),
     "plan": draw.choice(["free", "plus", "pro"]), "churned": draw.choice(["no", "yes", "yes", ""])}
    for i in range(60)
]
products = [{"id": f"p{i}", "price": f"{draw.uniform(1, 50):.2f}"} for i in range(12)]
orders = [
    {"customer_id": draw.choice(customers)["id"], "product_id": draw.choice(products)["id"],
     "amount": draw.choice(["", *(f"{draw.uniform(1, 9):.2f}" for _ in range(9))]),
     "paid": draw.choice(["card", "bill", ""]), "day": "" if draw.random() < 0.03 else day(draw)}
    for _ in range(300)
]

if seed:
    draw = random.Random(seed)
    late = {row["id"] for row in customers if row["seen"] >= END}
    for row in customers:
        if row["id"] in late:
            row |= {"age": str(draw.randint(200, 900)), "plan": draw.choice(["new", "pro"]),
                    "churned": draw.choice(["no", "yes", ""]), "seen": "2024-12-31" if draw.random() < 0.5 else END}
    kept = []
    for row in orders:
        isLate = row["day"] >= END or row["day"] == ""
        if isLate or row["customer_id"] in late:
            row |= {"amount": f"{draw.uniform(100, 900):.2f}", "paid": draw.choice(["coupon", "card"]),
                    "product_id": draw.choice(products)["id"]}
            if isLate:
                row["customer_id"] = draw.choice(customers)["id"]
            if draw.random() < 0.2:
                continue
            if draw.random() < 0.2:
                kept.append(dict(row))
        kept.append(row)
    orders = kept

folder.mkdir()
for name, rows in {"customers": customers, "products": products, "orders": orders}.items():
    with open(folder / f"{name}.csv", "w", newline="") as file:
        writer = csv.DictWriter(file, rows[0], lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
