# Every relative link and every `path/with/slash` set in backticks in a Markdown file names something that exists.
# Usage: check_links.py ROOT FILE.md...; prints file:line for each that does not and exits 1.

import pathlib
import re
import sys

root = pathlib.Path(sys.argv[1])
LINK = re.compile(r"\]\(([^)#:\s]+)(?:#[^)]*)?\)")
TOP = "|".join(sorted(p.name for p in root.iterdir() if p.is_dir() and not p.name.startswith(".") and p.name not in ("build", "install")))
CODE = re.compile(r"`((?:%s)/[\w./-]+)`" % TOP)

missing = []
for name in sys.argv[2:]:
    file = pathlib.Path(name)
    for number, line in enumerate(file.read_text(encoding="utf-8").splitlines(), 1):
        targets = [file.parent / t for t in LINK.findall(line)] + [root / t for t in CODE.findall(line)]
        missing += [f"{file}:{number}: no such file: {t}" for t in targets if not t.exists()]
print("\n".join(missing) if missing else f"{len(sys.argv) - 2} files, every path exists")
sys.exit(bool(missing))
