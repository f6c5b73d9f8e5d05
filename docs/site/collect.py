"""collect.py REFERENCE OUT: the pages of the site in the folder OUT, from the Markdown pages of the repository and the generated ones in
REFERENCE (scripts/reference-pages).

README.md becomes index.md, whose table of contents is that of docs/README.md: one group for each of its kinds of pages. Links lead to pages of
the site; where they lead to a file that is not in the site, such as a note in docs/lab, only their text is left.
"""
import pathlib
import posixpath
import re
import shutil
import sys

SOURCE = pathlib.Path(__file__).resolve().parent.parent.parent
NAMES = {"README.md": "index.md", "docs/README.md": "contents.md", "CHANGELOG.md": "changelog.md", "CONTRIBUTING.md": "contributing.md",
         "SECURITY.md": "security.md", "docs/manifest.schema.json": "schemas.md"}
MORE = {"Reference": ["layers.md", "errors.md", "options.md", "api.md", "schemas.md", "changelog.md"],
        "For those who change gnnc": ["contributing.md", "security.md"]}
LINK = re.compile(r"(!?)\[([^\]]*)\]\(([^)#\s]*)(#[^)]*)?\)")
CODE = re.compile(r"(^```.*?^```$|``.*?``|`[^`\n]*`)", re.M | re.S)


def pages():
    """The pages of the repository that are in the site, with their names there."""
    for path in [*SOURCE.glob("*.md"), *SOURCE.glob("docs/*.md"), *SOURCE.glob("docs/dev/*.md")]:
        name = path.relative_to(SOURCE).as_posix()
        if name in NAMES or name.startswith("docs/"):
            yield name, NAMES.get(name, name.removeprefix("docs/"))


def with_links_of_the_site(text, name, names):
    def changed(link):
        image, label, target, anchor = link[1], link[2], link[3], link[4] or ""
        if not target or "://" in target:
            return link[0]
        path = posixpath.normpath(posixpath.join(posixpath.dirname(name), target))
        if path not in names and not path.endswith(".svg"):
            return label
        there = names.get(path, path.removeprefix("docs/"))
        return f"{image}[{label}]({posixpath.relpath(there, posixpath.dirname(names[name]) or '.')}{anchor})"

    # A label may hold code, so code is put aside by length-keeping marks while links are looked for.
    aside = CODE.findall(text)
    marked = CODE.sub("\0", text)
    marked = LINK.sub(changed, marked)
    code = iter(aside)
    return re.sub("\0", lambda _: next(code), marked)


def groups(names):
    """(kind, pages) as docs/README.md lists them."""
    text = (SOURCE / "docs/README.md").read_text(encoding="utf-8")
    parts = re.split(r"^\*\*([^*]+)\*\*", text, flags=re.M)
    for kind, part in zip(parts[1::2], parts[2::2]):
        targets = [posixpath.normpath("docs/" + target) for _, _, target, _ in LINK.findall(part)]
        listed = [names[target] for target in targets if target in names]
        listed = [page for page in listed if page not in ("index.md", "schemas.md")] + MORE.get(kind, [])
        if listed:
            yield kind, listed


def main(reference, out):
    names = dict(pages())
    shutil.rmtree(out, ignore_errors=True)
    (out / "dev").mkdir(parents=True)
    for name, there in names.items():
        text = (SOURCE / name).read_text(encoding="utf-8")
        (out / there).write_text(with_links_of_the_site(text, name, {**names, **NAMES}), encoding="utf-8")
    for page in reference.glob("*.md"):
        shutil.copyfile(page, out / page.name)
    for figure in (SOURCE / "docs").glob("*.svg"):
        shutil.copyfile(figure, out / figure.name)
    contents = []
    for kind, listed in groups({**names, **NAMES}):
        listed = [page.removesuffix(".md") for page in dict.fromkeys(listed)]
        contents += ["", "```{toctree}", ":hidden:", f":caption: {kind}", "", *listed, "```"]
    with open(out / "index.md", "a", encoding="utf-8") as index:
        index.write("\n".join(contents + ["", "```{toctree}", ":hidden:", ":caption: All pages", "", "contents", "```", ""]))


main(pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2]))
