"""hot_rows.py MODEL.so: training on samples on the emulated GPU, over a small random graph in the folder at hand. Rows that the GPU keeps change no bit; what was
planned of an epoch is what its batches have read and found; and buffers serve batch after batch."""
import json
import subprocess
import sys

from sampled_data import FEATURES, TRAINED, VERTICES, generate


def run(command, *options):
    done = subprocess.run(["gnn-train", command, sys.argv[1], "--data", "data", "--json", *options], capture_output=True, text=True)
    assert done.returncode == 0, (options, done.stderr)
    return json.loads(done.stdout.splitlines()[-1]), done.stderr


def train(*options, device="cuda", batch=6, epochs=2, ahead=1):
    options = ["--device", device, "--fanout", "3,2", "--batch", str(batch), "--ahead", str(ahead), "--epochs", str(epochs), "--no-run-dir", *options]
    return run("train", *options)[0]


def least_memory(batch):
    """In which a batch has room, and not much more."""
    done = subprocess.run(["gnn-train", "plan", sys.argv[1], "--data", "data", "--device", "cuda", "--fanout", "3,2", "--batch", str(batch), "--no-evaluation", "--device-memory", "70KB"],
                          capture_output=True, text=True)
    assert done.returncode != 0 and "samples take" in done.stderr, done.stderr
    return int(done.stderr.split()[-1].removesuffix("KB")) << 10


def loss(result):
    return result["loss"], result["train_loss"], result["val_loss"]


generate()
plain, cpu = train(), train(device="cpu")
assert all(abs(a - b) < 1e-5 * abs(a) for a, b in zip(loss(cpu), loss(plain))), (loss(cpu), loss(plain))
for ahead in (0, 2):
    assert loss(train(ahead=ahead)) == loss(plain), ahead

# However much is kept, of none or all rows.
kept = []
least = least_memory(batch=6)
for memory in (least, least + 4000, least + 100000):
    result = train("--no-evaluation", "--device-memory", str(memory))
    samples = result["samples"]
    assert result["loss"] == plain["loss"], (memory, result["loss"], plain["loss"])
    assert samples["device_bytes"] <= memory, samples
    kept.append((samples["kept_bytes"], samples["so_far"]["hits"], samples["so_far"]["bytes"]))
assert kept[0] < kept[1] < kept[2] and kept[2][0] == VERTICES * FEATURES * 4 and kept[2][2] == 0, kept

# With evaluation, by the first of the programs: over the whole graph, or in intervals.
for intervals in (0, 3):
    result = train("--device-memory", "4MB", *(["--intervals", str(intervals)] if intervals else []))
    assert result["loss"] == plain["loss"] and all(abs(a - b) < 1e-5 for a, b in zip(loss(result), loss(plain))), (loss(result), loss(plain))
    assert result["samples"]["intervals"] == intervals and result["samples"]["evaluation_bytes"] > 0, result["samples"]

# One batch an epoch: what was predicted is the second epoch.
options = ["--no-evaluation", "--device-memory", str(least_memory(TRAINED) + 4000)]
first, both = (train(*options, batch=TRAINED, epochs=epochs)["samples"] for epochs in (1, 2))
counted = {name: both["so_far"][name] - first["so_far"][name] for name in ("rows", "hits", "bytes")}
predicted = both["predicted"]
assert {name: predicted[name] for name in counted} == counted and 0 < counted["hits"] < counted["rows"], (predicted, counted)
planned = run("plan", "--device", "cuda", "--fanout", "3,2", "--batch", str(TRAINED), *options)[0]["samples"]
assert planned["predicted"] == predicted and planned["device_bytes"] == both["device_bytes"], (planned, both)
print("rows that are kept change nothing")
