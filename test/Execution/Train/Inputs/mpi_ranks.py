"""mpi_ranks.py MPIRUN... -- COMMAND...: three ranks of mpirun. By TCP they train; one that is killed, stopped, or late at the start ends all: within 10 seconds where nothing else runs."""
import os
import re
import signal
import socket
import subprocess
import sys
import time

at = sys.argv.index("--")
mpirun, command = ["timeout", "60"] + sys.argv[1:at], sys.argv[at + 1:]


def start(*options, late=0):
    """Rank 1 begins as many seconds later. Its number of the system is the first line of what mpirun prints."""
    rank = "${OMPI_COMM_WORLD_RANK:-$PMI_RANK}"
    script = 'if [ %s = 1 ]; then echo "rank 1 is $$"; sleep %d; fi; exec "$@"' % (rank, late)
    return subprocess.Popen(mpirun + ["-n", "3", "sh", "-c", script, "sh"] + command + ["--no-run-dir", *options],
                            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def start_training(*options):
    run, process = start("--epochs", "10000000", *options), None
    for line in run.stdout:
        process = int(line.split()[-1]) if line.startswith("rank 1 is ") else process
        if line.startswith("streamed in "):  # epochs are on no lines of their own: mpirun gives ranks a terminal
            time.sleep(0.5)
            return run, process
    raise AssertionError(run.stderr.read())


def end(run):
    """What was said on stderr."""
    since = time.monotonic()
    said = run.communicate(timeout=30)[1]
    assert time.monotonic() - since < 15, "it took %.1f seconds: %s" % (time.monotonic() - since, said)
    assert run.returncode != 0
    return said


with socket.socket() as free:
    free.bind(("127.0.0.1", 0))
    place = "127.0.0.1:%d" % free.getsockname()[1]
run = start("--epochs", "2", "--rendezvous", place)
said = run.communicate(timeout=60)[1]
assert run.returncode == 0 and "rank 1 of 3, of the run at " + place in said, said

run, process = start_training()
os.kill(process, signal.SIGKILL)
end(run)
run, process = start_training("--rank-timeout", "2")
os.kill(process, signal.SIGSTOP)
said = end(run)
# A rank that waits for it says nothing either.
assert re.search(r"error: (rank \d, )*rank \d said nothing for 2 seconds while rank ", said), said
said = end(start("--rank-timeout", "2", late=30))
assert "waited for 2 seconds for all ranks of " in said, said
