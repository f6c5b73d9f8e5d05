"""digests.py EXAMPLES GOLDEN FOLDER: trains every example for some epochs over the small data sets, on one thread and on two, and compares digests of
the losses, the weights and the outputs with those of the golden file: no bit may change by accident.

After a change that is meant to change numbers, GNNC_UPDATE_GOLDEN=1 writes the file anew; lines of instruction sets that this machine lacks stay.
"""
import hashlib
import json
import os
import struct
import subprocess
import sys

examples, golden_path, folder = sys.argv[1:]
EPOCHS = 4

# The library's name, its source, the data set, options of gnnc. Where the name says so, steps are over the rows that the loss reaches, else over all.
RUNS = [
    ("gcn-karate", "gcn/gcn.gnn", "karate", []),
    ("gcn", "gcn/gcn.gnn", "planted", []),
    ("gcn-f64", "gcn/gcn.gnn", "planted", ["--real=f64"]),
    ("gcn-bf16", "gcn/gcn.gnn", "planted", ["--storage=bf16"]),
    ("gcn-parts", "gcn/gcn.gnn", "planted", ["-D", "hidden=80", "--schedule", "partition=4", "--schedule", "pass=32"]),
    ("gcn_dense", "gcn/gcn_dense.gnn", "planted", ["--inputs=declared"]),
    ("gat", "gat/gat.gnn", "planted", []),
    ("gat-parts", "gat/gat.gnn", "planted", ["--schedule", "partition=2"]),
    ("gcn-reached", "gcn/gcn.gnn", "planted", []),
    ("gat-reached", "gat/gat.gnn", "planted", []),
    ("appnp", "appnp/appnp.gnn", "planted", []),
    ("sage", "sage/sage.gnn", "planted", []),
    ("rgcn", "rgcn/rgcn.gnn", "relational", []),
    ("rgcn-reached", "rgcn/rgcn.gnn", "relational", []),
    ("molecules", "molecules/molecules.gnn", "molecules", []),
    ("distmult", "distmult/distmult.gnn", "knowledge", []),
    ("compgcn", "distmult/compgcn.gnn", "knowledge", []),
]
# By instruction set: a flag of processors that have it, and the code that oneDNN, which does dense products, is held to.
ISAS = {"x86-64-v3": ("avx2", "AVX2"), "x86-64-v4": ("avx512vl", "AVX512_CORE")}


def digest(data):
    return hashlib.sha256(data).hexdigest()[:16]


def weights(path):
    """The tensors of a safetensors file, without its metadata."""
    with open(path, "rb") as file:
        (length,) = struct.unpack("<Q", file.read(8))
        header = json.loads(file.read(length))
        data = file.read()
    parts = b""
    for name in sorted(key for key in header if key != "__metadata__"):
        begin, end = header[name]["data_offsets"]
        parts += name.encode() + data[begin:end]
    return digest(parts)


def losses(path):
    with open(path) as file:
        epochs = [json.loads(line) for line in file]
    for epoch in epochs:
        for key in [key for key in epoch if key not in ("epoch", "loss", "train", "val", "test")]:
            del epoch[key]
        for split in (epoch[key] for key in ("train", "val", "test") if key in epoch):
            for key in [key for key in split if key not in ("loss", "accuracy", "auc")]:
                del split[key]
    assert len(epochs) == EPOCHS, epochs
    return digest(json.dumps(epochs, sort_keys=True).encode())


def outputs(path):
    with open(path, "rb") as file:
        return digest(file.read())


def run(name, library, data, isa, threads):
    where = os.path.join(folder, "%s-%s-%d" % (name, isa, threads))
    environment = dict(os.environ, ONEDNN_MAX_CPU_ISA=ISAS[isa][1])
    common = [library, "--data", os.path.join(examples, "data", data), "--isa", isa, "--threads", str(threads)]
    rows = "reached" if name.endswith("-reached") else "all"
    subprocess.run(["gnn-train"] + common + ["--epochs", str(EPOCHS), "--rows", rows, "--run-dir", where], check=True, env=environment,
                   stdout=subprocess.DEVNULL)
    split = ["--split", "val"] if data == "knowledge" else []
    subprocess.run(["gnn-train", "predict"] + common + split + ["--weights", where + "/last.safetensors", "--predictions", where + ".npy"],
                   check=True, env=environment, stdout=subprocess.DEVNULL)
    return "losses %s weights %s outputs %s" % (losses(where + "/metrics.jsonl"), weights(where + "/last.safetensors"), outputs(where + ".npy"))


found = {}
with open("/proc/cpuinfo") as file:
    flags = file.read().split()
present = [isa for isa, (flag, _) in ISAS.items() if flag in flags]
for isa in sorted(ISAS.keys() - set(present)):
    print("skipped: no " + isa + " on this machine", file=sys.stderr)
for isa in present:
    for name, source, data, options in RUNS:
        library = os.path.join(folder, "%s-%s.so" % (name, isa))
        subprocess.run(["gnnc", os.path.join(examples, source), "-q", "--target=" + isa, "-o", library] + options, check=True)
        one, two = (run(name, library, data, isa, threads) for threads in (1, 2))
        if one != two:
            sys.exit("%s %s\n  one thread:  %s\n  two threads: %s" % (name, isa, one, two))
        found["%s %s" % (name, isa)] = one

with open(golden_path) as file:
    golden = dict(line.rstrip("\n").split(": ", 1) for line in file)
if os.environ.get("GNNC_UPDATE_GOLDEN"):
    with open(golden_path, "w") as file:
        for key, line in sorted({**golden, **found}.items()):
            file.write("%s: %s\n" % (key, line))
    sys.exit(0)
differing = ["%s:\n  was %s\n  is  %s" % (key, golden[key], line) for key, line in found.items() if key in golden and golden[key] != line]
missing = [key for key in found if key not in golden and any(known.endswith(key.split()[1]) for known in golden)]
if differing or missing or not found:
    sys.exit("\n".join(differing + ["no digests of " + key for key in missing])
             + "\nIf numbers are meant to change: GNNC_UPDATE_GOLDEN=1 (docs/dev/testing.md)")
print("%d runs have the bits that they had" % len(found))
