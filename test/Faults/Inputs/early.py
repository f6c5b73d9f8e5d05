"""early.py SHIM TOOL...: lets allocations fail one after the other that a tool makes before `main` (early-new.cpp). Each must end by a message."""
import os
import subprocess
import sys

shim, tools = sys.argv[1], sys.argv[2:]
for tool in tools:
    preloaded = dict(os.environ, LD_PRELOAD=shim)
    count = subprocess.run([tool, "--version"], env=preloaded).returncode
    assert count > 0, tool + " allocates nothing before main"
    for at in range(1, count + 1, max(1, count // 40)):
        run = subprocess.run([tool, "--version"], env=dict(preloaded, GNN_EARLY_AT=str(at)), capture_output=True, text=True)
        name = os.path.basename(tool)
        if run.returncode != 3 or run.stderr != f"{name}: error: out of memory\n":
            sys.exit(f"{name}, allocation {at} of {count}: exit code {run.returncode}, {run.stderr!r}")
print("every tool ends by a message")
