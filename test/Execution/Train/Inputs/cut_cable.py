"""cut_cable.py COMMAND...: two ranks on two hosts train. The cable between them is cut: both end within 12 seconds and name the other."""
import subprocess
import sys
import time

from two_hosts import TwoHosts

hosts = TwoHosts()
runs = hosts.start_ranks(*sys.argv[1:], "--epochs", "10000000", "--no-run-dir")
while not runs[0].stdout.readline().startswith("epoch 1/"):
    assert runs[0].poll() is None, runs[0].stderr.read()
hosts.run(0, "ip", "link", "set", "cable0", "down")
since = time.monotonic()
for rank, run in enumerate(runs):
    said = run.communicate(timeout=30)[1]
    assert run.returncode == 3 and "error: rank %d has ended while rank %d waited for " % (1 - rank, rank) in said, (rank, run.returncode, said)
assert time.monotonic() - since < 12, "it took %.1f seconds" % (time.monotonic() - since)
hosts.close()
print("both have ended after %.1f seconds" % (time.monotonic() - since))
