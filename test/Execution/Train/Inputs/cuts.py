"""cuts.py FOLDER: of the plans by vertices and by work the cheaper one is taken, and a run of two epochs reads and writes what its plan says, and what evaluates splits."""
import json
import sys

vertices, work, plan, run = (json.load(open(f"{sys.argv[1]}/{name}.json"))["stream"] for name in ("vertices", "work", "plan", "run"))
assert (vertices["cut"], work["cut"], plan["cut"], run["cut"]) == ("vertices", "work", "work", "work")
assert plan == work, (plan, work)
moved = lambda stream: sum(stream["step"][link] for link in ("tables_read", "tables_written", "edges_read"))
assert moved(work) < moved(vertices), (work, vertices)
assert run["step"] == plan["step"] and run["memory_bytes"] <= 1 << 20, run
for link in ("tables_read", "edges_read"):
    assert run["so_far"][link] >= 2 * run["step"][link] > 0, (link, run)
