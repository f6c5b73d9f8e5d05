"""close_links.py WHOLE.json STREAMED.json [LIMIT]: the losses, metrics and ranks of the whole graph; within a limit in bytes with a file."""
import json
import sys

whole, streamed = (json.load(open(name)) for name in sys.argv[1:3])
names = [name for name in whole if name in ("loss", "train_loss") or name.startswith(("val_", "test_"))]
names = [name for name in names if isinstance(whole[name], float)]
assert any(name.endswith("mrr") for name in names), names
for name in names:
    assert abs(whole[name] - streamed[name]) < 1e-9, (name, whole[name], streamed[name])
stream = streamed["stream"]
assert stream["intervals"] > 1, stream
if len(sys.argv) > 3:
    assert stream["memory_bytes"] <= int(sys.argv[3]) and stream["file_bytes"] > 0, stream
    assert stream["so_far"]["tables_read"] >= 5 * stream["step"]["tables_read"] > 0, stream
