"""Compares two .npy files of f32: near_numbers.py A B TOLERANCE, of the largest number."""

import array
import sys


def numbers(path):
    with open(path, "rb") as file:
        content = file.read()
    begin = 10 + int.from_bytes(content[8:10], "little")
    return content[:begin], array.array("f", content[begin:])


(head, a), (other, b) = numbers(sys.argv[1]), numbers(sys.argv[2])
assert head == other, (head, other)
largest = max(abs(x) for x in a)
worst = max(abs(x - y) for x, y in zip(a, b))
assert worst <= float(sys.argv[3]) * largest, (worst, largest)
