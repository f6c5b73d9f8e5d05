"""Checks that code grows with the source and no faster. Usage: growth.py softmaxes|unlike|outputs|chain NUMBER FILE

Compiles a model of so many, of half and of a quarter as far as loops, each written to FILE, and counts lines.
growth.py write KIND NUMBER prints the model alone. Of unlike softmaxes, no four sweeps are the same but for numbers.
"""
import re
import subprocess
import sys


def model(kind, number):
    yield "model M(d: dim) {\n  vertex v {\n    input x: real[d]"
    if kind == "softmaxes":
        for i in range(number):
            yield f"    let s{i} = softmax(u.x * {i}.5 + v.x for u -> v)\n    let a{i} = sum(s{i} * u.x for u -> v)"
        yield "    output y = " + " + ".join(f"a{i}" for i in range(number))
    elif kind == "unlike":
        for i in range(number):
            sweep = i // 16  # which has so many softmaxes
            score, sign, weight = "uv"[sweep & 1], "+-"[sweep >> 1 & 1], "uv"[sweep >> 2 & 1]
            yield f"    let s{i} = softmax({score}.x * {i}.5 {sign} {'vu'[sweep & 1]}.x for u -> v)"
            yield f"    let a{i} = sum(s{i} * {weight}.x for u -> v)"
        yield "    output y = " + " + ".join(f"a{i}" for i in range(number))
    elif kind == "chain":
        yield f"    let h = x\n    repeat {number} {{\n      h = tanh(h)\n    }}\n    output y = h"
    else:
        for i in range(number):
            yield f"    output y{i} = x * {i}.5 + 1.0"
    if kind != "outputs":
        yield "    target t: real[d]\n    loss mean_squared_error(y, t)"
    yield "  }\n}\n"


def count(kind, number, path):
    """Lines of all functions, and of the longest."""
    with open(path, "w") as file:
        file.write("\n".join(model(kind, number)))
    loops = subprocess.run(["gnnc", path, "--target=x86-64-v3", "--emit=loops"], check=True, capture_output=True,
                           text=True).stdout
    lines = [function.count("\n") for function in re.findall(r"^  func\.func .*?^  }\n", loops, re.M | re.S)]
    return sum(lines), max(lines)


if sys.argv[1] == "write":
    print("\n".join(model(sys.argv[2], int(sys.argv[3]))))
else:
    kind, number, path = sys.argv[1], int(sys.argv[2]), sys.argv[3]
    quarter, half, whole = (count(kind, size, path) for size in (number // 4, number // 2, number))
    slower = all(whole[i] - half[i] <= 2.2 * max(0, half[i] - quarter[i]) + 100 for i in (0, 1))
    print("grows with the source" if slower else "grows faster than the source", quarter, half, whole)
