"""check_mentions.py ROOT: every page of docs that sources and tests speak of is there. Tests of the pages themselves may speak of any."""
import os
import re
import sys

FOLDERS = ("cmake", "compiler", "dialects", "editors", "examples", "runtime", "scripts", "stdlib", "test", "tools")
root = sys.argv[1]
mentions, wrong = 0, []
for top in FOLDERS:
    for folder, folders, files in os.walk(os.path.join(root, top)):
        if folder == os.path.join(root, "test"):
            folders.remove("Docs")
        for name in files:
            path = os.path.join(folder, name)
            with open(path, encoding="utf-8", errors="replace") as file:
                for number, line in enumerate(file, 1):
                    for page in re.findall(r"\bdocs/[\w./-]+\.md\b", line):
                        mentions += 1
                        if not os.path.exists(os.path.join(root, page)):
                            wrong.append("%s:%d: no such page: %s" % (path, number, page))
if wrong:
    sys.exit("\n".join(wrong))
print("%d mentions of pages that exist" % mentions)
