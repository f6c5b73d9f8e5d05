"""sampled-memory.py FREE.json LIMITED.json: samples within a limit of memory have the numbers of those without, keep to the limit, and find as many rows in memory
as was predicted."""
import json
import sys

free, limited = (json.load(open(name)) for name in sys.argv[1:])
assert free["loss"] == limited["loss"]
for name in ("train_loss", "val_loss", "test_loss"):
    assert abs(free[name] - limited[name]) < 1e-5 * free[name], (name, free[name], limited[name])
samples = limited["samples"]
parts = sum(samples[part + "_bytes"] for part in ("edge", "table", "sample", "evaluation", "kept"))
assert parts == samples["memory_bytes"] <= 5 << 20, samples
batch, so_far = samples["batch"], samples["so_far"]
assert 0.1 < batch["hit_rate"] < 1 and abs(batch["hit_rate"] - so_far["hit_rate"]) < 0.02, samples
steps = so_far["rows"] / batch["rows"]
assert abs(steps - round(steps / 9) * 9) < 0.03 * steps, samples  # nine epochs of batches that are about as large
missed = (1 - so_far["hit_rate"]) * so_far["rows"]
assert so_far["bytes"] >= 0.99 * missed * batch["bytes"] / batch["rows"] and 0 < so_far["reads"] <= 1.01 * missed, samples
