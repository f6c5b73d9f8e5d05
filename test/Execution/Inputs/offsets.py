"""Outputs and gradients of a model of differences, whose inputs are whole numbers with an offset, beside the oracle.

Usage: offsets.py MODEL.gnn FOLDER OPTION... (options of gnnc)

A step of gradient descent gives the gradients. All differences are exact in f32 and as large for every offset: results
must be within 1e-5 of the largest one. `x` is the input, `z` is -x.
"""
import array
import json
import os
import random
import shutil
import struct
import subprocess
import sys

from npy_files import write

VERTICES, WIDTH, COLUMNS = 24, 4, 3


def run(*command):
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)


def read_npy(path):
    with open(path, "rb") as file:
        data = file.read()
    begin = 10 + int.from_bytes(data[8:10], "little")
    kind = data[:begin].decode("latin-1").split("'descr': '")[1][:3]
    return array.array({"<f4": "f", "<f8": "d"}[kind], data[begin:])


def read_weights(path):
    with open(path, "rb") as file:
        (size,) = struct.unpack("<Q", file.read(8))
        header, body = json.loads(file.read(size)), file.read()
    return {name: array.array("f", body[slice(*entry["data_offsets"])]) for name, entry in header.items()
            if name.isalpha()}


def write_data(folder, offset):
    """Vertex 0 has 12 edges, vertex 1 has one, vertex 2 has none; others have some, and some have one twice."""
    draw = random.Random(7)
    edges = [(u, 0) for u in range(3, 15)] + [(4, 1)]
    edges += [(draw.randrange(VERTICES), v) for v in range(3, VERTICES) for _ in range(draw.randrange(5))]
    x = [offset + draw.randrange(8) for _ in range(VERTICES * WIDTH)]
    os.makedirs(folder)
    write(folder + "/edge_index.npy", "<i8", [edge[end] for end in (0, 1) for edge in edges], (2, len(edges)))
    write(folder + "/x.npy", "<f4", x, (VERTICES, WIDTH))
    write(folder + "/vertex_z.npy", "<f4", [-number for number in x], (VERTICES, WIDTH))
    targets = [draw.random() for _ in range(VERTICES * COLUMNS)]
    write(folder + "/vertex_t.npy", "<f4", targets, (VERTICES, COLUMNS))
    write(folder + "/train.npy", "<i8", list(range(VERTICES)), (VERTICES,))


def compare(name, ours, reference):
    error, largest = max(abs(a - b) for a, b in zip(ours, reference, strict=True)), max(map(abs, reference))
    if not error <= 1e-5 * largest:
        sys.exit("%s: the error is %.2g of the largest number, %.2g" % (name, error / largest, largest))


def check(model, library, folder, offset):
    data, dump = folder + "/data", folder + "/oracle"
    write_data(data, offset)
    os.makedirs(dump)
    run("gnn-train", library, "--data", data, "--optimizer", "sgd", "--epochs", "0", "--run-dir", folder + "/before")
    weights = folder + "/before/last.safetensors"
    run("gnn-train", library, "--data", data, "--weights", weights, "--optimizer", "sgd", "--lr", "1", "--epochs", "1",
        "--run-dir", folder + "/after")
    run("gnn-train", "predict", library, "--data", data, "--weights", weights, "--output", "y", "--predictions",
        folder + "/y.npy")
    run("gnn-interp", model, "--data", data, "--weights", weights, "--split", "train", "--gradients", "--dump", dump)
    compare("y at %g" % offset, read_npy(folder + "/y.npy"), read_npy(dump + "/y.npy"))
    before, after = read_weights(weights), read_weights(folder + "/after/last.safetensors")
    for name, values in before.items():
        gradient = [a - b for a, b in zip(values, after[name], strict=True)]
        compare("the gradient of %s at %g" % (name, offset), gradient, read_npy("%s/grad.%s.npy" % (dump, name)))


model, folder, options = sys.argv[1], sys.argv[2], sys.argv[3:]
shutil.rmtree(folder, ignore_errors=True)
os.makedirs(folder)
run("gnnc", "-q", model, *options, "-o", folder + "/model.so")
for offset in (0, 1e3, 1e5, 5e6):
    check(model, folder + "/model.so", "%s/%g" % (folder, offset), offset)
