"""check_version.py ROOT: every file that names the version of gnnc names that of CMakeLists.txt. Prints the ones that do not and exits 1."""
import pathlib
import re
import sys

root = pathlib.Path(sys.argv[1])
NUMBER = r"(\d+\.\d+\.\d+)"
PLACES = {  # patterns, each of which is there at least once
    "CITATION.cff": [rf"^version: {NUMBER}$"],
    "CHANGELOG.md": [rf"^## {NUMBER}$"],  # the newest is the first
    "README.md": [rf"_{NUMBER}_amd64\.deb", rf"gnnc-{NUMBER}-x86_64"],
    "docs/from-pyg.md": [rf"gnnc-{NUMBER}-py3", rf"_{NUMBER}_all\.deb"],
    "docs/distributed.md": [rf"_{NUMBER}_amd64\.deb"],
    "editors/vscode/package.json": [rf'"version": "{NUMBER}"'],
}


def text_of(name):
    return (root / name).read_text(encoding="utf-8")


version = re.search(rf"^project\(gnnc VERSION {NUMBER}", text_of("CMakeLists.txt"), re.M)[1]
wrong = []
for name, patterns in PLACES.items():
    for pattern in patterns:
        found = re.findall(pattern, text_of(name), re.M)[:1 if name == "CHANGELOG.md" else None]
        if not found:
            wrong.append(f"{name} names no version as {pattern}")
        wrong += [f"{name} has version {other}, not {version}" for other in sorted(set(found) - {version})]
others = [path for path in [*root.glob("*.md"), *root.glob("docs/*.md"), *root.glob("docs/dev/*.md"), *root.glob("python/**/*.py")]
          if path.relative_to(root).as_posix() not in PLACES]
for path in others:
    for other in re.findall(rf"(?:gnnc|gnnrt)[\w-]*[-_]{NUMBER}", path.read_text(encoding="utf-8")):
        wrong.append(f"{path.relative_to(root)} names {other}: add the file to check_version.py")
if wrong:
    sys.exit("\n".join(wrong))
print(f"version {version} in {len(PLACES) + 1} files")
