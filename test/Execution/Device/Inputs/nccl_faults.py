"""nccl_faults.py: run with emulated devices and NCCL, in the folder of small.so and the data set dense. Of three ranks that NCCL connects one ends, while the others
wait for it by NCCL: they end within 10 seconds and name it, whether NCCL says that it is gone or not. So they do where an exchange never ends."""
import os
import signal
import subprocess
import time

command = ["gnn-train", "small.so", "--data", "dense", "--no-run-dir", "--device", "cuda", "--comm", "nccl", "--ranks", "3"]


def start(settings, *options):
    return subprocess.Popen([*command, *options], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env={**os.environ, "GNN_FAKE_CUDA": "devices=3" + settings})


def end(run):
    said = run.communicate(timeout=60)[1]
    assert run.returncode == 3, (run.returncode, said)
    return said


for settings in ("", ",nccl-tells"):
    run = start(settings, "--epochs", "100000")
    while "streamed" not in run.stdout.readline():
        assert run.poll() is None, run.stderr.read()
    with open("/proc/%d/task/%d/children" % (run.pid, run.pid)) as file:
        os.kill(int(file.read().split()[2]), signal.SIGKILL)
    since = time.monotonic()
    said = end(run)
    assert time.monotonic() - since < 10, "it took %.1f seconds" % (time.monotonic() - since)
    assert "rank 2 was ended by signal 9 (Killed)" in said, said

said = end(start(",nccl-stalls=9", "--epochs", "100000", "--rank-timeout", "3"))
assert "said nothing for 3 seconds while rank" in said, said
print("all ranks end, and say why")
