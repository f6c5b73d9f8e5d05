"""killed_streams.py WORK LIBRARY DATA: gnn-train --memory that goes on from a checkpoint is killed at GNNC_KILLS moments (10), evenly over the run. Nothing
of it is left but the run's folder, and the run that goes on ends with the bytes of one that was not killed."""
import os
import shutil
import signal
import subprocess
import sys
import time

work, library, data = sys.argv[1:]
moments = int(os.environ.get("GNNC_KILLS") or 10)
spill = work + "/spill"
shutil.rmtree(work, ignore_errors=True)
os.makedirs(spill)


def start(run, epochs, *more):
    command = ["gnn-train", library, "--run-dir", f"{work}/{run}", "--epochs", str(epochs), "--threads", "2", "--memory", "900KB", "--spill", spill, *more]
    return subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, start_new_session=True)


def finish(process):
    said = process.communicate(timeout=300)[1]
    assert process.returncode == 0, (process.args, process.returncode, said)


def files(run):
    return {name: open(f"{work}/{run}/{name}", "rb").read() for name in ("last.safetensors", "best.safetensors")}


finish(start("straight", 200, "--data", data, "--intervals", "4"))
finish(start("begun", 20, "--data", data, "--intervals", "4"))
shutil.copytree(work + "/begun", work + "/timed")
begun = time.monotonic()
finish(start("timed", 200, "--resume"))
seconds = time.monotonic() - begun
names, before, killed = set(os.listdir(work + "/straight")), set(os.listdir(work)), 0
for moment in range(moments):
    shutil.copytree(work + "/begun", work + "/killed")
    process = start("killed", 200, "--resume")
    time.sleep(seconds * (moment + 0.5) / moments)
    process.send_signal(signal.SIGKILL)
    process.communicate(timeout=60)
    killed += process.returncode == -signal.SIGKILL
    assert os.listdir(spill) == [] and set(os.listdir(work)) == before | {"killed"}, (moment, os.listdir(spill), os.listdir(work))
    try:
        os.killpg(process.pid, 0)
        raise AssertionError(f"{moment}: a process is left")
    except ProcessLookupError:
        pass
    finish(start("killed", 200, "--resume"))
    assert files("killed") == files("straight"), moment
    assert set(os.listdir(work + "/killed")) == names, (moment, os.listdir(work + "/killed"))
    shutil.rmtree(work + "/killed")
print(f"killed {killed} of {moments} times in {seconds:.1f} s")
assert killed >= moments / 2, killed
