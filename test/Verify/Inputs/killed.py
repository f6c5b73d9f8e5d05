"""killed.py FOLDER COMMAND...: signals end the command, with all that it started, once it has something in its temporary folder; then nothing is there."""
import os
import signal
import subprocess
import sys
import time

folder, command = sys.argv[1], sys.argv[2:]
for number in (signal.SIGTERM, signal.SIGHUP):
    process = subprocess.Popen(command, env=dict(os.environ, TMPDIR=folder), stdout=subprocess.DEVNULL, start_new_session=True)
    while not any(files for _, _, files in os.walk(folder)):
        assert process.poll() is None, "it ended by itself"
        time.sleep(0.01)
    os.killpg(process.pid, number)
    assert process.wait() == -number, process.returncode
    assert os.listdir(folder) == [], os.listdir(folder)
