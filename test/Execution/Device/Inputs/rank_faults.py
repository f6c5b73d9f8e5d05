"""rank_faults.py: run with emulated devices, in the folder of small.so and the data set dense. Of three ranks, each with a GPU, one fails or is killed: the others
end within 10 seconds and name it. Ranks that a launcher shows one GPU each have that one."""
import os
import signal
import socket
import subprocess
import time

command = ["gnn-train", "small.so", "--data", "dense", "--no-run-dir"]


def start(count, settings, *options):
    """Ranks as on machines of their own, with these variables each."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        place = "127.0.0.1:%d" % free.getsockname()[1]
    at = ["--ranks", str(count), "--rendezvous", place]
    return [subprocess.Popen([*command, *options, *at, "--rank", str(rank)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env={**os.environ, **settings[rank]})
            for rank in range(count)]


def end(runs):
    since = time.monotonic()
    said = [run.communicate(timeout=20)[1] for run in runs]
    assert time.monotonic() - since < 10, "it took %.1f seconds" % (time.monotonic() - since)
    return said


# A kernel's fault on the GPU of one rank.
well = {"GNN_FAKE_CUDA": "devices=3"}
runs = start(3, [well, {"GNN_FAKE_CUDA": "devices=3,fault=gnn_fold_sum_f32"}, well], "--device", "cuda", "--epochs", "1000")
for run in runs:
    run.wait(timeout=60)  # until then they train
for rank, said in enumerate(end(runs)):
    assert runs[rank].returncode == 3 and "cuda:1 (Fake): kernel gnn_fold_sum_f32 failed" in said, (rank, runs[rank].returncode, said)
    assert rank == 1 or "error: rank 1: cuda:1" in said, (rank, said)

# One that is killed.
launched = subprocess.Popen([*command, "--device", "cuda", "--ranks", "3", "--epochs", "100000"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                            env={**os.environ, **well})
while "streamed" not in launched.stdout.readline():
    assert launched.poll() is None, launched.stderr.read()
with open("/proc/%d/task/%d/children" % (launched.pid, launched.pid)) as file:
    os.kill(int(file.read().split()[2]), signal.SIGKILL)
said, = end([launched])
assert launched.returncode == 3 and "rank 2 was ended by signal 9 (Killed)" in said, (launched.returncode, said)

# A GPU each, all of which are called cuda:0.
runs = start(2, [{"GNN_FAKE_CUDA": "devices=1", "CUDA_VISIBLE_DEVICES": visible} for visible in "01"], "--device", "cuda", "--epochs", "1")
assert all(said.count("\n") == 2 - rank for rank, said in enumerate(end(runs))), "more than where they meet, and what rank 0 says of NCCL"
assert all(run.returncode == 0 for run in runs)
print("all ranks end, and say why")
