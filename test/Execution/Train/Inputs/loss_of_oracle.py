# The last training losses of runs in f64 must be the one that gnn-interp printed. Usage: loss_of_oracle.py ORACLE.txt RUN...

import json
import sys

oracle = next(float(line.split()[1]) for line in open(sys.argv[1]) if line.startswith("loss"))
for run in sys.argv[2:]:
    loss = json.loads(open(run + "/metrics.jsonl").readlines()[-1])["train"]["loss"]
    assert abs(loss - oracle) < 1e-12, (run, loss, oracle)
