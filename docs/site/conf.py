"""The site, for Sphinx: built by `cmake --build build/release --target site` (cmake/GnncSite.cmake), which gives release and the folder of
Doxygen's XML. Nothing that a page shows comes from elsewhere."""
import pathlib
import re

from pygments.lexer import RegexLexer, words
from pygments.lexers.special import TextLexer
from pygments.token import Comment, Keyword, Name, Number, Operator, Text
from sphinx.highlighting import lexers
from sphinx.search.en import SearchEnglish

here = pathlib.Path(__file__).resolve().parent
source = here.parent.parent

project = "gnnc"
author = "The gnnc maintainers"
extensions = ["myst_parser", "breathe"]
source_suffix = {".md": "markdown"}
root_doc = "index"
language = "en"
smartquotes = False  # formulas have primes

myst_heading_anchors = 4
myst_enable_extensions = []

breathe_default_project = "gnnc"
breathe_show_include = False
breathe_domain_by_extension = {"h": "c", "hpp": "cpp"}
suppress_warnings = ["misc.highlighting_failure"]  # of examples that are left out in part
c_id_attributes = cpp_id_attributes = ["GNN_API"]

html_theme = "furo"
html_title = "gnnc"
html_static_path = [str(here / "static")]
html_css_files = ["site.css"]
html_copy_source = False
html_show_sourcelink = False
html_show_sphinx = False
html_show_copyright = False
html_use_index = False
html_domain_indices = False
html_search_scorer = str(here / "ranking.js")
pygments_style = "friendly"
pygments_dark_style = "monokai"

# Words of questions, which a page need not have to answer them.
SearchEnglish.stopwords |= set("how do does did i my me you your can could should would what why where when which has have had than "
                               "am so some any get it's".split())


def keywords():
    text = (source / "compiler/Frontend/Tokens.def").read_text(encoding="utf-8")
    return re.findall(r"^KEYWORD\((\w+)\)", text, re.M)


class GnnLexer(RegexLexer):
    """The language of models."""
    name = "gnn"
    tokens = {"root": [
        (r"//.*", Comment.Single),
        (words(keywords(), prefix=r"\b", suffix=r"\b"), Keyword),
        (r"\b(real|i32|i64|bool|dim|int)\b", Keyword.Type),
        (r"\d[\d_]*(\.\d+)?([eE][-+]?\d+)?", Number),
        (r"[A-Za-z_]\w*(?=\()", Name.Function),
        (r"[A-Za-z_]\w*", Name),
        (r"[-+*/@=<>!?]+", Operator),
        (r".|\n", Text),
    ]}


lexers["gnn"] = GnnLexer()
lexers["mlir"] = TextLexer()


def repair_furo(app, failure):
    """Mends three things in Debian's Furo, and nothing in another: it takes a style sheet from an address of Debian's web servers, a script is
    a module, which browsers do not load from files, and the compiler of its sheets has dropped the rule by which pages are dark where the
    system is."""
    if failure:
        return
    static = pathlib.Path(app.outdir) / "_static"
    address = "/javascript/normalize.css/normalize.css"
    for sheet in static.rglob("*.css"):
        text = sheet.read_text(encoding="utf-8")
        if address in text:
            copy = sheet.with_name("normalize.css")
            copy.write_text(pathlib.Path("/usr/share" + address).read_text(encoding="utf-8"), encoding="utf-8")
            text = text.replace(address, copy.name)
        dark = re.search(r'body\[data-theme="dark"\] *\{(\s*--[^}]*)\}', text)
        if dark and "prefers-color-scheme" not in text:
            text += "\n@media (prefers-color-scheme: dark) { body:not([data-theme=\"light\"]) {" + dark[1] + "} }\n"
        sheet.write_text(text, encoding="utf-8")
    script, imported = static / "scripts/furo.js", static / "scripts/gumshoe-patched.js"
    text = script.read_text(encoding="utf-8")
    if text.startswith("import Gumshoe from"):
        script.write_text(imported.read_text(encoding="utf-8") + text.partition("\n")[2], encoding="utf-8")
        imported.unlink()


def setup(app):
    app.connect("build-finished", repair_furo)
