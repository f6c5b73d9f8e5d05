"""streamed.py WHOLE.json STREAMED.json: a streamed run has the numbers of the whole graph, and read and wrote what its plan said."""
import json
import sys

whole, streamed = (json.load(open(name)) for name in sys.argv[1:])
for name in ("loss", "train_loss", "val_loss", "test_loss"):
    assert abs(whole[name] - streamed[name]) < 1e-4 * whole[name], (name, whole[name], streamed[name])
stream = streamed["stream"]
assert stream["intervals"] > 1 and stream["memory_bytes"] <= 800 << 10 and stream["file_bytes"] > 0, stream
for link in ("tables_read", "tables_written", "edges_read"):
    assert stream["so_far"][link] >= 40 * stream["step"][link] > 0, (link, stream)  # and what evaluates splits
