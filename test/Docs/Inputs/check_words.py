"""check_words.py ROOT LIMITS: no page has more words of prose than its limit in the file LIMITS ("page: limit, goal N" lines), and every page has one.

Code, tables and comments are not counted. A limit above its goal is to be lowered when the page has become shorter: GNNC_UPDATE_GOLDEN=1 in the environment
does so, as far as the goal, and never raises one. `docs/dev` has one limit for all of its pages, and docs/lab has none.
"""
import os
import pathlib
import re
import sys

NOT_PROSE = re.compile(r"^```.*?^```$|^\|.*?$|<!--.*?-->", re.M | re.S)
LINK = re.compile(r"!?\[([^\]]*)\]\([^)]*\)")


def words(path):
    return len(re.findall(r"\w[\w'’.-]*", LINK.sub(r"\1", NOT_PROSE.sub("", path.read_text(encoding="utf-8")))))


def main(root, limits_path):
    pages = {str(path.relative_to(root)): words(path) for path in sorted([*root.glob("*.md"), *root.glob("docs/*.md")])}
    pages["docs/dev"] = sum(map(words, root.glob("docs/dev/*.md")))
    limits = {name: (int(limit), int(goal)) for name, limit, goal in re.findall(r"^(\S+): (\d+), goal (\d+)$", limits_path.read_text(), re.M)}
    wrong = [f"{name} has no limit of words in {limits_path.name}" for name in sorted(pages.keys() - limits.keys())]
    wrong += [f"{limits_path.name} has a limit for {name}, which is no page" for name in sorted(limits.keys() - pages.keys())]
    wrong += [f"{name}: {pages[name]} words, but at most {limit} are allowed: a page has one reader and one purpose"
              for name, (limit, _) in limits.items() if pages.get(name, 0) > limit]
    if wrong:
        sys.exit("\n".join(wrong))
    lower = {name: max(goal, pages[name]) for name, (limit, goal) in limits.items()}
    if os.environ.get("GNNC_UPDATE_GOLDEN"):
        limits_path.write_text("".join(f"{name}: {lower[name]}, goal {goal}\n" for name, (_, goal) in limits.items()))
    for name, (limit, _) in limits.items():
        if lower[name] < limit:
            print(f"{name}: lower the limit from {limit} to {lower[name]} (GNNC_UPDATE_GOLDEN=1)")
    users = sum(count for name, count in pages.items() if name.startswith("docs/") and name != "docs/dev")
    print(f"{len(pages)} limits are kept, {sum(limit > goal for limit, goal in limits.values())} of them above their goal; {users} words for users")


main(pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2]))
