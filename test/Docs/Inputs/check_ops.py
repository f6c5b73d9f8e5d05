"""The files that docs/dev/adding-an-op.md lists are those that name a function: `sin`, which no instruction computes, `atan2`, which has two operands,
and `floor`. Usage: check_ops.py SOURCE-FOLDER [PAGE]"""
import pathlib
import re
import sys

source = pathlib.Path(sys.argv[1])
page = pathlib.Path(sys.argv[2]) if len(sys.argv) > 2 else source / "docs/dev/adding-an-op.md"
code, tests = (
    set(re.findall(r"^(?:\d\.|-) `([^`]+)`", text.split("<!-- end of the list -->")[0], re.M))
    for text in page.read_text().split("<!-- test/Docs/ops.test reads this list. -->\n")[1:]
)


def files(folder, mentions):
    """The files below `folder` whose text `mentions` matches."""
    suffixes = {".cpp", ".h", ".td", ".def", ".gnn", ".mlir", ".py", ".test"}
    paths = (path for path in (source / folder).rglob("*") if path.suffix in suffixes and source / "test/Docs" not in path.parents)
    return {str(path.relative_to(source)) for path in paths if re.search(mentions, path.read_text(errors="replace"))}


complaints = []
for name, kind in [("sin", "Sin"), ("atan2", "Atan2"), ("floor", "Floor")]:
    op = rf'\b(Gnn_)?({kind}|{kind}Op)\b|"{name}"'
    found = files("compiler", op) | files("dialects", op)
    called = files("test", rf'(?<![\w:.]){name}\(|"{name}"')
    complaints += [f"{path} names {name}, and the page does not list it" for path in sorted((found - code) | (called - tests))]
    if name == "sin":
        complaints += [f"the page lists {path}, which does not name {name}" for path in sorted((code - found) | (tests - called))]
if len(code) > 8 or len(tests) > 3:
    complaints.append(f"{len(code)} files and {len(tests)} tests are more than 8 and 3")
print("\n".join(complaints) or f"an op is in {len(code)} files and {len(tests)} tests")
sys.exit(bool(complaints))
