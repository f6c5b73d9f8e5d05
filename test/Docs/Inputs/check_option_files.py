"""check_option_files.py SOURCE-FOLDER: the files that docs/dev/adding-an-option.md lists are those that name the option `--evaluate-every` or its member."""
import pathlib
import re
import sys

source = pathlib.Path(sys.argv[1])
page = (source / "docs/dev/adding-an-option.md").read_text()
listed = set(re.findall(r"^\d\. `([^`]+)`", page.split("<!-- test/Docs/options.test reads this list. -->\n")[1].split("<!-- end of the list -->")[0], re.M))
found = set()
for folder in ("runtime/include", "runtime/src", "tools", "support", "docs"):
    for path in (source / folder).rglob("*"):
        if path.suffix in (".h", ".hpp", ".cpp", ".def", ".md") and path.name != "adding-an-option.md":
            if re.search(r"\bevaluateEvery\b|--evaluate-every\b", path.read_text(errors="replace")):
                found.add(str(path.relative_to(source)))
wrong = [path + " names the option, and the page does not list it" for path in sorted(found - listed)]
wrong += ["the page lists " + path + ", which does not name the option" for path in sorted(listed - found)]
if len(listed) > 3:
    wrong.append("%d files are more than 3" % len(listed))
print("\n".join(wrong) or "an option is in %d files" % len(listed))
sys.exit(bool(wrong))
