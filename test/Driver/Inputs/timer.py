"""Stands in for gnn-train: the fourth library of a batch of many and the second of two are the fastest; on a device the last of many cannot run. Notes how
it was called, if all are libraries."""
import json
import sys

arguments = sys.argv[1:]
libraries = [a for a in arguments if a.startswith("/proc/self/fd/")]
assert all(open(library, "rb").read(4) == b"\x7fELF" for library in libraries)
with open(arguments[arguments.index("--data") + 1] + "/calls", "a") as calls:
    calls.write(" ".join(a for a in arguments if a not in libraries) + " %d libraries\n" % len(libraries))
best = 1 if len(libraries) == 2 else 4
times = [{"kernel_ms": {"wide_sweep": 5 if i == best else 10, "narrow_sweep": 1}} for i in range(len(libraries))]
on_device = "--device" in arguments
if on_device and len(libraries) > 2:
    times[-1] = {"failed": "no room"}
print(json.dumps({"model": "Two", "isa": "sm_90" if on_device else "x86-64-v3", "threads": 1 if on_device else 2, "libraries": times,
                  "graph": {"vertices": 34, "edges": 156, "longest": 17}}))
