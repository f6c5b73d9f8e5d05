"""rank_reads.py FOLDER COMMAND...: trains in FOLDER by one process and by three ranks, each within the least memory that does. All ranks together read edges and
features as often as one process. Besides, each writes what others send it of the tables that all need, after it has read its own part of them; and for metrics
each reads all logits, of 24000 vertices and 6 classes, for each split after either epoch and at the end."""
import json
import re
import subprocess
import sys

folder, command = sys.argv[1], sys.argv[2:]


def train(count, *options):
    return subprocess.run(command + ["--ranks", str(count), *options], capture_output=True, text=True)


def train_within_least(count):
    least = re.search(r"the least that does is (\w+)", train(count, "--memory", "1KB", "--no-run-dir").stderr)[1]
    return json.loads(train(count, "--memory", least, "--run-dir", "%s-%d" % (folder, count), "--json").stdout)


one, many = train_within_least(1), train_within_least(3)
alone, ranks = one["stream"]["so_far"], many["ranks"]
together = {name: sum(rank[name] for rank in ranks) for name in alone}
assert one["stream"]["step"] == many["stream"]["step"], (one["stream"], many["stream"])
assert together["edges_read"] == alone["edges_read"] > 0, (together, alone)
exchanged, rest = divmod(together["tables_written"] - alone["tables_written"], len(ranks) - 1)
assert exchanged > 0 and rest == 0, (together, alone)
of_metrics = (len(ranks) - 1) * 9 * 24000 * 6 * 4  # but for vertices at the ends that are in no split
rest = together["tables_read"] - alone["tables_read"] - exchanged
assert 0.99 * of_metrics < rest <= of_metrics, (together, alone, exchanged)
mean = together["tables_read"] / len(ranks)
assert all(0.8 * mean < rank["tables_read"] < 1.2 * mean for rank in ranks), ranks
