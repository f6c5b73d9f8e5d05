"""follow.py PAGE COMMANDS SECONDS RUNNER...: does what a page says, as its reader would, and fails where that takes more than that.

RUNNER gets each command of the page's `console` blocks (console.py) as its last argument; what is shown of a command is what it prints.
"""
import pathlib
import subprocess
import sys
import time

from console import CONSOLE, OF_PACKAGES, blocks, missing_text, place

page, most_commands, most_seconds, runner = pathlib.Path(sys.argv[1]), int(sys.argv[2]), float(sys.argv[3]), sys.argv[4:]
lines = page.read_text(encoding="utf-8").split("\n")
commands = blocks(lines, {CONSOLE, OF_PACKAGES})
if not commands or len(commands) > most_commands:
    sys.exit("%s: %d commands, and at most %d are wanted" % (page.name, len(commands), most_commands))

begin = time.monotonic()
for number, command, shown in commands:
    here = "%s:%d: `%s`" % (page.name, number + 1, command)
    try:
        rest = begin + most_seconds - time.monotonic()
        result = subprocess.run(runner + [command], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=rest)
    except subprocess.TimeoutExpired:
        sys.exit("%s: more than %g s after the first command" % (here, most_seconds))
    if result.returncode:
        sys.exit("%s: exit code %d\n%s" % (here, result.returncode, result.stdout))
    places, missing = place(lines, shown, result.stdout.split("\n")[:-1])
    if places is None:
        sys.exit("%s: does not print: %s\n%s" % (here, missing_text(lines, missing), result.stdout))
print("%s: %d commands, %.1f s" % (page.name, len(commands), time.monotonic() - begin))
