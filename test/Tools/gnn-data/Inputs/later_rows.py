"""Prints a table in which each row from a date on has other features. Usage: later_rows.py CSV DATE"""
import csv
import sys

rows = csv.DictReader(open(sys.argv[1]))
writer = csv.DictWriter(sys.stdout, rows.fieldnames, lineterminator="\n")
writer.writeheader()
for row in rows:
    if row["seen"] >= sys.argv[2]:
        row |= {"age": "", "plan": "new"} if row["user"].endswith("7") else {"age": str(1000 + int(row["age"]))}
    writer.writerow(row)
