"""Runs gnn-train, sends it signals when it has printed a line of an epoch, and prints what else it says and its exit code.

usage: stop.py [--ignored] SIGNAL[,SIGNAL...] COMMAND...
--ignored: the command is started to ignore the signals.
"""
import signal
import subprocess
import sys
import time

arguments = sys.argv[1:]
action = signal.SIG_DFL  # whatever the suite was started with
if arguments[0] == "--ignored":
    action = signal.SIG_IGN
    del arguments[0]
signals = [getattr(signal, name) for name in arguments[0].split(",")]
for number in signals:
    signal.signal(number, action)  # the command inherits it
process = subprocess.Popen(arguments[1:], stdout=subprocess.PIPE, text=True)
try:
    while not process.stdout.readline().startswith("epoch"):
        pass
    for number in signals:
        process.send_signal(number)
        time.sleep(0.02)  # two that wait together are one
    print(process.communicate(timeout=60)[0])
    print("exit code", process.returncode)
finally:
    process.kill()
