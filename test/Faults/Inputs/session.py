"""What an editor sends in a short session: a document that imports another is opened, asked about, edited and closed."""
import json
import sys

uri = "file:///nowhere/two.gnn"
text = "import nn\n\nmodel Two(in: dim, out: dim) {\n  param W: real[in, out]\n\n  vertex v {\n    input  x: real[in]\n" \
       "    output y = mean(u.x for u -> v) @ W\n  }\n}\n"
document = {"uri": uri}
messages = [
    {"id": 1, "method": "initialize", "params": {"capabilities": {}}},
    {"method": "initialized", "params": {}},
    {"method": "textDocument/didOpen", "params": {"textDocument": {**document, "version": 1, "text": text}}},
    {"id": 2, "method": "textDocument/hover", "params": {"textDocument": document, "position": {"line": 7, "character": 36}}},
    {"id": 3, "method": "textDocument/completion",
     "params": {"textDocument": document, "position": {"line": 7, "character": 15}}},
    {"method": "textDocument/didChange",
     "params": {"textDocument": {**document, "version": 2}, "contentChanges": [{"text": text.replace("  input", " input")}]}},
    {"id": 4, "method": "textDocument/formatting", "params": {"textDocument": document, "options": {}}},
    {"method": "textDocument/didClose", "params": {"textDocument": document}},
    {"id": 5, "method": "shutdown"},
    {"method": "exit"},
]
for message in messages:
    body = json.dumps({"jsonrpc": "2.0", **message})
    sys.stdout.write("Content-Length: %d\r\n\r\n%s" % (len(body), body))
