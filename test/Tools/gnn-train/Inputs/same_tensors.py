"""Fails unless two safetensors files have the same parameters and states, whatever else they have."""

import json
import sys


def tensors(path):
    with open(path, "rb") as file:
        header = json.loads(file.read(int.from_bytes(file.read(8), "little")))
        data = file.read()
    return {
        name: (tensor["dtype"], tensor["shape"], data[slice(*tensor["data_offsets"])])
        for name, tensor in header.items()
        if name != "__metadata__" and not name.startswith("optimizer.")
    }


first, second = (tensors(path) for path in sys.argv[1:])
assert first and first.keys() == second.keys(), (first.keys(), second.keys())
for name in first:
    assert first[name] == second[name], name
