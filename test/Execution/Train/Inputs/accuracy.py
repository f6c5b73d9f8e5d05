# Reads the last line of the standard input, the JSON object of gnn-train; mean test accuracy must be within LOW..HIGH, in percent.
# Usage: accuracy.py RUNS LOW HIGH

import json
import statistics
import sys

result = json.loads(sys.stdin.read().splitlines()[-1])
accuracies = result["test_accuracy_runs"]
low, high = float(sys.argv[2]), float(sys.argv[3])
mean = 100 * result["test_accuracy"]
print("test accuracy %.2f %% (sd %.2f, %d runs), %g..%g expected" % (mean, 100 * statistics.pstdev(accuracies), len(accuracies), low, high))
assert len(accuracies) == int(sys.argv[1]) and abs(statistics.mean(accuracies) - result["test_accuracy"]) < 1e-9
sys.exit(not low <= mean <= high)
