"""Starts the command given, the same beside it, which must fail, kills the first and starts it again."""
import signal
import subprocess
import sys

first = subprocess.Popen(sys.argv[1:] + ["--epochs", "100000000"], stdout=subprocess.PIPE, text=True)
first.stdout.readline()
first.stdout.readline()
second = subprocess.run(sys.argv[1:] + ["--exist-ok", "--epochs", "3"], capture_output=True, text=True)
print(f"{second.returncode}: {second.stderr.strip()}")
first.send_signal(signal.SIGKILL)
first.wait()
print("after SIGKILL:", subprocess.run(sys.argv[1:] + ["--exist-ok", "--epochs", "3"], stdout=subprocess.DEVNULL).returncode)
