"""together.py N COMMAND... [-- K OPTION...]...: runs N ranks of the command, each a process of its own as on N machines; rank K has these options besides.
Prints what each says, by rank, and its exit code."""
import socket
import subprocess
import sys

count, command, own = int(sys.argv[1]), sys.argv[2:], {}
while "--" in command:
    at = len(command) - 1 - command[::-1].index("--")
    own[int(command[at + 1])] = command[at + 2:]
    command = command[:at]
with socket.socket() as free:
    free.bind(("127.0.0.1", 0))
    place = "127.0.0.1:%d" % free.getsockname()[1]
runs = [subprocess.Popen(command + ["--ranks", str(count), "--rank", str(rank), "--rendezvous", place] + own.get(rank, []),
                         stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) for rank in range(count)]
for rank, run in enumerate(runs):
    for line in run.communicate(timeout=60)[0].splitlines():
        print("%d: %s" % (rank, line))
    print("%d: exit code %d" % (rank, run.returncode))
