"""rank_link.py LIBRARY DATA [RATE]: how busy a cable between two ranks is while they send, by the counters of its ends. Run by `unshare --net`, as root.

The ranks are in two network namespaces, and tc holds the cable to RATE (1gbit). Every 10 ms it is looked at what has passed. A burst is a run of moments in
which something has; its first and last moment are left out, as they are busy in part. Tables should be a few MB: GCN with `-D hidden=64` over 200,000
vertices sends 25 MB for each. Prints the share of RATE in either direction."""
import pathlib
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "Execution" / "Train" / "Inputs"))
from two_hosts import TwoHosts  # noqa: E402

MOMENT = 0.01
library, data = sys.argv[1:3]
rate = sys.argv[3] if len(sys.argv) > 3 else "1gbit"
bytes_per_second = float(rate.replace("gbit", "")) * 1e9 / 8


def passed():
    """Bytes that the end of the cable which is here has sent and received."""
    counters = next(line for line in pathlib.Path("/proc/self/net/dev").read_text().splitlines() if "cable0:" in line).split(":")[1].split()
    return int(counters[8]), int(counters[0])


def look(run, seconds):
    """(time, what has passed until then), every moment."""
    seen, end = [], time.monotonic() + seconds
    while time.monotonic() < end and run.poll() is None:
        seen.append((time.monotonic(), passed()))
        time.sleep(MOMENT)
    return seen


def share(seen, direction):
    """Of the rate, within bursts."""
    steps = [(after[0] - before[0], after[1][direction] - before[1][direction]) for before, after in zip(seen, seen[1:])]
    busy = [moved > 0.05 * bytes_per_second * took for took, moved in steps]
    inner = [steps[i] for i in range(1, len(steps) - 1) if busy[i - 1] and busy[i] and busy[i + 1]]
    took = sum(step[0] for step in inner)
    return sum(step[1] for step in inner) / took / bytes_per_second, took


hosts = TwoHosts(rate)
runs = hosts.start_ranks("gnn-train", library, "--data", data, "--epochs", "1000000", "--no-run-dir", "--threads", "1")
while not runs[0].stdout.readline().startswith("epoch 1/"):
    assert runs[0].poll() is None, runs[0].stderr.read()
seen = look(runs[0], 10)
for run in runs:
    run.terminate()
for run in runs:
    run.communicate()
for direction, name in enumerate(("sent", "received")):
    of_rate, took = share(seen, direction)
    print("%s: %.1f %% of %s in %.1f of %.1f seconds" % (name, 100 * of_rate, rate, took, seen[-1][0] - seen[0][0]))
hosts.close()
