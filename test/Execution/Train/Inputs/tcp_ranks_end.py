"""tcp_ranks_end.py COMMAND...: three ranks, each a process of its own. One is killed: the others end within 10 seconds and name it. One is asked to stop: all
stop, or, if it loads its data, it ends at once and the others name it."""
import signal
import socket
import subprocess
import sys
import time


def start():
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        place = "127.0.0.1:%d" % free.getsockname()[1]
    return [subprocess.Popen(sys.argv[1:] + ["--no-run-dir", "--epochs", "10000000", "--ranks", "3", "--rank", str(rank), "--rendezvous", place],
                             stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) for rank in range(3)]


def start_training():
    runs = start()
    while not runs[0].stdout.readline().startswith("epoch 1/"):
        assert runs[0].poll() is None, runs[0].stderr.read()
    return runs


def start_loading(rank):
    """It has opened the library, as all do once they are connected."""
    runs = start()
    while True:
        assert runs[rank].poll() is None, runs[rank].stderr.read()
        with open("/proc/%d/maps" % runs[rank].pid) as maps:
            if "/gcn.so" in maps.read():
                return runs


def end(runs, victim, number):
    """What they have said on stderr."""
    since = time.monotonic()
    runs[victim].send_signal(number)
    said = [run.communicate(timeout=20)[1] for run in runs]
    assert time.monotonic() - since < 10, "it took %.1f seconds" % (time.monotonic() - since)
    return said


def require_named(runs, victim, said):
    for rank in range(3):
        if rank != victim:
            assert runs[rank].returncode == 3 and "error: rank %d has ended while rank " % victim in said[rank], (rank, runs[rank].returncode, said[rank])


for victim in range(3):
    runs = start_training()
    require_named(runs, victim, end(runs, victim, signal.SIGKILL))
    runs = start_training()
    end(runs, victim, signal.SIGTERM)
    assert [run.returncode for run in runs] == [143] * 3, [run.returncode for run in runs]
    runs = start_loading(victim)
    said = end(runs, victim, signal.SIGTERM)
    if [run.returncode for run in runs] != [143] * 3:  # it may be done with loading
        assert runs[victim].returncode == -signal.SIGTERM, runs[victim].returncode
        require_named(runs, victim, said)
print("all have ended")
