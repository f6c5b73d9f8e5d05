"""ranks_killed.py FOLDER PARTS COMMAND...: trains in FOLDER by four ranks from a checkpoint on, in PARTS, as --intervals=5, and GNNC_KILLS times (10) a random
one of them is killed at a random moment. The rest must end within 10 seconds with the name of that rank, and nothing be left. At last --resume must give the bytes of FOLDER/straight."""
import os
import random
import signal
import subprocess
import sys
import time

times, folder, parts, command = int(os.environ.get("GNNC_KILLS") or 10), sys.argv[1], sys.argv[2], sys.argv[3:]
run_dir = os.path.join(folder, "run")
ranks = ["--ranks", "4", "--threads", "1"]


def train(*options):
    subprocess.run(command + [*options], check=True, stdout=subprocess.DEVNULL)


def children(parent):
    """The processes that are its ranks, in the order in which they were started."""
    try:
        with open("/proc/%d/task/%d/children" % (parent, parent)) as file:
            return [int(child) for child in file.read().split()]
    except FileNotFoundError:
        return []


def is_alive(process):
    try:
        with open("/proc/%d/stat" % process) as file:
            return file.read().rsplit(")", 1)[1].split()[0] != "Z"
    except (FileNotFoundError, ProcessLookupError):
        return False


def start():
    run = subprocess.Popen(command + ["--run-dir", run_dir, "--resume", "--epochs", "10000000", *ranks], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    while len(children(run.pid)) < 4:
        assert run.poll() is None, run.stderr.read()
        time.sleep(0.001)
    return run, children(run.pid)


def count_epochs():
    with open(os.path.join(run_dir, "metrics.jsonl")) as lines:
        return len(lines.readlines())


def end(run, processes, since):
    said = run.communicate(timeout=20)[1]
    assert time.monotonic() - since < 10, "it took %.1f seconds" % (time.monotonic() - since)
    while any(is_alive(process) for process in processes):
        assert time.monotonic() - since < 10, "a rank is left"
        time.sleep(0.01)
    return said


random.seed(17)
train("--run-dir", os.path.join(folder, "straight"), "--epochs", "9", parts)
train("--run-dir", run_dir, "--epochs", "4", parts, *ranks)
for time_number in range(times):
    run, processes = start()
    victim = random.randrange(4)
    time.sleep(random.uniform(0, 0.4))
    os.kill(processes[victim], signal.SIGKILL)
    said = end(run, processes, time.monotonic())
    assert run.returncode == 3 and "rank %d was ended by signal 9 (Killed)" % victim in said, (run.returncode, victim, said)
run, processes = start()  # the launcher itself
time.sleep(0.2)
run.kill()
end(run, processes, time.monotonic())
run, processes = start()  # stopped before they train
run.terminate()
assert end(run, processes, time.monotonic()) == "" and run.returncode in (143, -signal.SIGTERM), run.returncode
run, processes = start()  # stopped: saved at the same step everywhere
epochs = count_epochs()
while count_epochs() <= epochs:  # what a killed rank has left of it may be cut off first
    assert run.poll() is None, run.stderr.read()
    time.sleep(0.01)
run.terminate()
end(run, processes, time.monotonic())
assert run.returncode == 143, run.returncode
train("--run-dir", run_dir, "--resume", "--epochs", "4")  # as many as it has already: of how many epochs is it?
epochs = count_epochs()
assert epochs > 4
train("--run-dir", run_dir, "--resume", "--epochs", str(epochs + 5), *ranks)
train("--run-dir", os.path.join(folder, "straight"), "--resume", "--epochs", str(epochs + 5))
for name in ("last", "best"):
    with open(os.path.join(run_dir, name + ".safetensors"), "rb") as ours, open(os.path.join(folder, "straight", name + ".safetensors"), "rb") as theirs:
        assert ours.read() == theirs.read(), name
print("killed %d times" % times)
