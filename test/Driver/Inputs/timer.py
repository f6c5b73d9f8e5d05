"""Stands in for gnn-train: the fourth library of a batch of many and the second of two are the fastest; notes how it was called."""
import json
import sys

arguments = sys.argv[1:]
libraries = [a for a in arguments if a.endswith(".so")]
with open(arguments[arguments.index("--data") + 1] + "/calls", "a") as calls:
    calls.write(" ".join(a for a in arguments if a not in libraries) + " %d libraries\n" % len(libraries))
best = 1 if len(libraries) == 2 else 4
times = [{"kernel_ms": {"wide_sweep": 5 if i == best else 10, "narrow_sweep": 1}} for i in range(len(libraries))]
print(json.dumps({"model": "Two", "isa": "x86-64-v3", "threads": 2, "libraries": times,
                  "graph": {"vertices": 34, "edges": 156, "longest": 17}}))
