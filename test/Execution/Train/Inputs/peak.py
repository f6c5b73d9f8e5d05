"""peak.py MORE COMMAND... --memory NMB: runs it and says whether its most resident memory is within N MB and MORE MB."""
import os
import subprocess
import sys

more, command = int(sys.argv[1]), sys.argv[2:]
limit = int(command[command.index("--memory") + 1].removesuffix("MB"))
run = subprocess.Popen(command)
_, status, usage = os.wait4(run.pid, 0)
peak = usage.ru_maxrss / 1024
print("within %d MB and %d MB" % (limit, more) if peak <= limit + more else "%.0f MB of %d" % (peak, limit))
sys.exit(os.waitstatus_to_exitcode(status))
