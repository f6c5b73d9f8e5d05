"""Fails unless two files of weights have the same tensors, to the bit. What they note of their runs may differ. Usage: same_weights.py FILE FILE"""
import json
import sys


def tensors(path):
    data = open(path, "rb").read()
    begin = 8 + int.from_bytes(data[:8], "little")
    header = json.loads(data[8:begin])
    return {name: (t["dtype"], t["shape"], data[begin + t["data_offsets"][0] : begin + t["data_offsets"][1]])
            for name, t in header.items() if name != "__metadata__"}


first, second = map(tensors, sys.argv[1:])
different = sorted(name for name in first.keys() | second.keys() if first.get(name) != second.get(name))
sys.exit(f"{', '.join(different)} differ" if different or not first else 0)
