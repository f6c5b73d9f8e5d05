"""regimen.py RUN: the rates in metrics.jsonl are those of --lr 0.5 --warm-up 3 --schedule plateau=2,0.5 after these validation losses."""
import json
import sys

lines = [json.loads(line) for line in open(sys.argv[1] + "/metrics.jsonl")]
rate, best, bad = 0.5, float("inf"), 0
for line in lines:
    expected = rate * line["epoch"] / 4 if line["epoch"] <= 3 else rate
    assert abs(line["lr"] - expected) <= 1e-15, (line, expected)
    loss = line["val"]["loss"]
    if loss < best:
        best, bad = loss, 0
    elif line["epoch"] > 3:
        bad += 1
    if bad == 2:
        rate, bad = rate / 2, 0
assert rate < 0.5, "there was no plateau"
settings = json.load(open(sys.argv[1] + "/config.json"))["settings"]
wanted = {"schedule": "plateau=2,0.5", "warm_up": 3, "clip": 0.05, "class_weights": "balanced"}
assert wanted.items() <= settings.items(), settings
