"""stopped.py FOLDER COMMAND...: trains in FOLDER, interrupted again and again and resumed, to the end. Says whether a run was stopped in the middle
of an epoch, and ends with 1 if none was."""
import os
import signal
import subprocess
import sys
import time

folder, command = sys.argv[1], sys.argv[2:]
stops = middle = 0
while True:
    resumed = os.path.exists(os.path.join(folder, "last.safetensors"))
    run = subprocess.Popen(command + ["--run-dir", folder] + (["--resume"] if resumed else ["--exist-ok"]), stdout=subprocess.PIPE, text=True)
    try:
        run.wait(timeout=0.06 + 0.004 * stops if stops < 30 else None)
    except subprocess.TimeoutExpired:
        run.send_signal(signal.SIGTERM)  # lit has the other one ignored
        stops += 1
    said = run.stdout.readlines()
    middle += any(line.startswith("resumed after") and line.endswith("steps\n") for line in said)
    if run.wait() == 0:
        break
    if run.returncode not in (143, -signal.SIGTERM):  # the latter: before it began
        sys.exit("exit code %d: %s" % (run.returncode, "".join(said)))
if not middle:
    sys.exit("it was stopped %d times, and never in the middle of an epoch" % stops)
print("stopped %d times, %d in the middle of an epoch" % (stops, middle))
