"""same_run.py FOLDER OTHER...: whether runs have the same checkpoints, to the byte but for the limits of memory, and the same metrics but for times."""
import json
import sys


def metrics(folder):
    with open(folder + "/metrics.jsonl") as lines:
        return [{name: value for name, value in json.loads(line).items() if not name.endswith("_ms")} for line in lines]


def bytes_of(folder, name):
    with open("%s/%s.safetensors" % (folder, name), "rb") as file:
        length = int.from_bytes(file.read(8), "little")
        header = json.loads(file.read(length))
        for limit in ("memory", "device_memory"):
            header["__metadata__"].pop(limit, None)
        return header, file.read()


for other in sys.argv[2:]:
    for name in ("last", "best"):
        if bytes_of(sys.argv[1], name) != bytes_of(other, name):
            sys.exit("%s has another %s than %s" % (other, name, sys.argv[1]))
    if metrics(sys.argv[1]) != metrics(other):
        sys.exit("%s has other metrics than %s" % (other, sys.argv[1]))
