# The files that a page shows: each block whose first line is "```language NAME" becomes FOLDER/NAME.
# Usage: write_blocks.py PAGE.md FOLDER; prints the names.

import pathlib
import re
import sys

page, folder = pathlib.Path(sys.argv[1]).read_text(encoding="utf-8"), pathlib.Path(sys.argv[2])
for name, text in re.findall(r"^```\w+ ([\w.]+)\n(.*?)^```$", page, flags=re.MULTILINE | re.DOTALL):
    (folder / name).write_text(text, encoding="utf-8")
    print(name)
