"""changed.py WORK LIBRARY DATA: what becomes of gnn-train --memory where a file of the data is cut or written while it trains, or where it is killed."""
import os
import shutil
import signal
import subprocess
import sys
import time

work, library, data = sys.argv[1:]


def cut(process, path):
    os.truncate(path, os.path.getsize(path) // 2)


def write(process, path):
    with open(path, "r+b") as file:
        file.seek(500)
        file.write(b"1234")


def kill(process, path):
    process.send_signal(signal.SIGKILL)


for change, code, message in ((cut, 3, "data/x.npy: "), (write, 3, "data/x.npy: the file was changed while it was used"), (kill, -signal.SIGKILL, "")):
    shutil.rmtree(work, ignore_errors=True)
    os.makedirs(work + "/spill")
    shutil.copytree(data, work + "/data")
    command = ["gnn-train", library, "--data", work + "/data", "--memory", "900KB", "--intervals", "4", "--spill", work + "/spill", "--run-dir", work + "/run"]
    process = subprocess.Popen(command + ["--epochs", "1000000"], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    while process.poll() is None and not (os.path.exists(work + "/run/metrics.jsonl") and os.path.getsize(work + "/run/metrics.jsonl")):
        time.sleep(0.01)
    change(process, work + "/data/x.npy")
    said = process.communicate(timeout=120)[1]
    assert process.returncode == code and message in said, (change.__name__, process.returncode, said)
    assert os.listdir(work + "/spill") == [], os.listdir(work + "/spill")
