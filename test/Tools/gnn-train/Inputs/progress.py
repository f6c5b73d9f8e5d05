"""Checks metrics.jsonl and loss.svg of the run in progress.test."""
import json
import re
import sys

lines = [json.loads(line) for line in open(sys.argv[1] + "/metrics.jsonl")]
for number, line in enumerate(lines, 1):
    assert line["best_epoch"] == min(range(1, number + 1), key=lambda epoch: lines[epoch - 1]["val"]["loss"]), line
svg = open(sys.argv[1] + "/loss.svg").read()
assert "best: epoch %d<" % lines[-1]["best_epoch"] in svg and "<circle" in svg, svg
ticks = [float(text) for text in re.findall(r">(-?[0-9.]+)</text>", svg)]
assert len(ticks) > 6 and len(set(ticks)) >= len(ticks) - 1, ticks  # 0 of both axes
for tick in ticks:
    assert float("%.2g" % tick) == tick, tick
