"""Says which programs in Markdown files (blocks marked `gnn`) are not as `gnnc fmt` lays them out; --write changes them.
Usage: format_blocks.py [--write] FILES"""
import pathlib
import re
import subprocess
import sys

write = "--write" in sys.argv
status = 0
for path in map(pathlib.Path, filter(lambda argument: argument != "--write", sys.argv[1:])):
    text = path.read_text()

    def formatted(block):
        result = subprocess.run(["gnnc", "fmt", "-"], input=block[2], capture_output=True, text=True)
        return block[1] + (result.stdout if result.returncode == 0 else block[2]) + "```"

    new = re.sub(r"(```gnn\n)(.*?)```", formatted, text, flags=re.S)
    if new != text:
        line = next(i for i, (a, b) in enumerate(zip(text.split("\n"), new.split("\n")), 1) if a != b)
        print(f"{path}:{line}: not formatted")
        status = not write
        if write:
            path.write_text(new)
sys.exit(status)
