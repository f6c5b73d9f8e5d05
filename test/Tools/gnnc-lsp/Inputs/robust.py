"""Malformed bytes, messages and parameters: the server answers what can be answered, drops the rest, and goes on."""
import random
import sys

from editor import Editor, position

URI = "file:///nowhere/model.gnn"
REQUESTS = ["hover", "definition", "references", "documentHighlight", "completion", "prepareRename", "rename", "inlayHint",
            "documentSymbol", "formatting", "codeAction"]

# Before `initialize`.
editor = Editor(initialize=False)
assert editor.respond("textDocument/hover", {})["error"]["code"] == -32002
editor.open(URI, "")
editor.ask("initialize", {})
assert editor.respond("textDocument/hover", {"textDocument": {"uri": URI}, "position": {"line": 0, "character": 0}})["error"]["code"] == -32803

# What is no JSON or no request.
for body, code in [(b"", -32700), (b"{", -32700), (b"\xff\xfe", -32700), (b"[" * 1000000, -32700), (b'{"a":"\xff"}', -32700),
                   (b"[]", -32600), (b"[" * 100000 + b"]" * 100000, -32600), (b"null", -32600), (b'{"id":[1],"method":"x"}', -32600),
                   (b'{"id":null,"method":"x"}', -32600), (b'{"id":1,"method":3}', -32600), (b'{"id":1,"method":"x"}', -32601)]:
    editor.send_body(body)
    answer = editor.receive()
    assert answer["error"]["code"] == code, (body[:20], answer)
for body in [b'{"method":"x"}', b'{"id":5,"result":null}', b'{"method":"textDocument/didOpen","params":[1]}', b'{"method":"textDocument/didOpen"}',
             b'{"method":"textDocument/didChange","params":{"textDocument":{"uri":"file:///none"},"contentChanges":[]}}']:
    editor.send_body(body) # no answer

# Headers.
message = b'{"jsonrpc":"2.0","id":"a","method":"x"}'
editor.send_bytes(b"Content-Type: x\r\ncontent-length:   %d\nX: y\r\n\r\n%b" % (len(message), message))
assert editor.receive()["id"] == "a"
editor.send_bytes(b"nonsense\r\n\r\n\r\nContent-Length: many\r\nContent-Length: -1\r\n\r\n" + b"x" * 10000 + b"\r\n")
editor.send_body(message)
assert editor.receive()["id"] == "a"

# Parameters of wrong kinds.
editor.open(URI, "layer L(d: dim) { vertex v (h: real[d]) -> real[d] { return h } }\n")
strange = [None, 1, -1, 1.5, 1e300, 2**70, "", "x", True, [], [1], {}, {"line": "a", "character": {}}, {"line": -1, "character": -5}]
for method in REQUESTS:
    method = "textDocument/" + method
    for value in strange:
        for params in (value, {"textDocument": value}, {"textDocument": {"uri": value}},
                       {"textDocument": {"uri": URI}, "position": value, "range": value, "newName": value, "options": value},
                       {"textDocument": {"uri": URI}, "position": {"line": value, "character": value},
                        "range": {"start": {"line": value, "character": value}, "end": value}}):
            answer = editor.respond(method, params)
            assert ("result" in answer) != ("error" in answer)
            assert answer.get("error", {"code": -32602})["code"] in (-32602, -32803), answer
for value in strange:
    editor.tell("textDocument/didChange", {"textDocument": {"uri": URI, "version": value}, "contentChanges": value})
    editor.tell("textDocument/didChange", {"textDocument": {"uri": URI, "version": 3}, "contentChanges": [{"text": value}, {"range": value, "text": "x"}]})
    editor.tell("textDocument/didOpen", {"textDocument": {"uri": URI, "text": value}})
assert editor.respond("textDocument/hover", {"textDocument": {"uri": URI}, "position": {"line": 0, "character": 0}})

# Any text, any edits, any place.
random.seed(int(sys.argv[1]))
PIECES = ["layer L(d: dim) {", "}", "\n", "vertex v (h: real[d]) -> real[d] {", "let z = h @ W", "return", "sum(u.z for u -> v)", "𝔾", "é", "\r\n",
          "import nn", "/// doc", "// c", "model M(", "\0", "\t", ";", "for e: u -> v if", "1e400", "(" * 300, "param W: real[d, d]", "u."]
text = ""
uri = URI + "?random"
editor.open(uri, text)
for round in range(300):
    changes = []
    for _ in range(random.randrange(1, 4)):
        begin = random.randrange(len(text) + 1)
        end = min(len(text), begin + random.choice([0, 0, 1, 5, 50]))
        piece = "".join(random.choice(PIECES) for _ in range(random.randrange(4)))
        changes.append({"range": {"start": position(text, begin), "end": position(text, end)}, "text": piece})
        text = text[:begin] + piece + text[end:]
    editor.change(uri, round, *changes)
    place = {"line": random.randrange(60), "character": random.randrange(60)}
    for method in random.sample(REQUESTS, 3):
        editor.respond("textDocument/" + method, {"textDocument": {"uri": uri}, "position": place, "newName": "fresh", "options": {},
                                                  "range": {"start": {"line": 0, "character": 0}, "end": place}})
# The server's text stays the editor's: edits within comments, then the formatting of what stands before and after them.
uri = URI + "?synchronised"
head, comments, tail = "fn  f(x)=x\n", "// a\n", "fn  g(x)=x\n"
editor.open(uri, head + comments + tail)
for round in range(100):
    changes = []
    for _ in range(random.randrange(1, 4)):
        line = random.randrange(comments.count("\n"))
        begin = sum(len(c) + 1 for c in comments.split("\n")[:line]) + 3
        end = comments.index("\n", begin)
        begin = random.randint(begin, end)
        end = random.randint(begin, end)
        piece = "".join(random.choice(["a", "é", "𝔾", "b\n// c"]) for _ in range(random.randrange(5)))
        whole = head + comments + tail
        changes.append({"range": {"start": position(whole, len(head) + begin), "end": position(whole, len(head) + end)}, "text": piece})
        comments = comments[:begin] + piece + comments[end:]
    editor.change(uri, round, *changes)
    (edit,) = editor.ask("textDocument/formatting", {"textDocument": {"uri": uri}, "options": {}})
    expected = "".join(line.rstrip() + "\n" for line in comments.split("\n")[:-1])
    assert edit["newText"] == "fn f(x) = x\n\n" + expected + "fn g(x) = x", (edit, comments)

# The end: after `shutdown` nothing is done; without it `exit` is a failure, as is the end of the input.
assert editor.ask("shutdown", None) is None
assert editor.respond("textDocument/hover", {})["error"]["code"] == -32600
editor.tell("exit", None)
assert editor.server.wait(timeout=30) == 0
editor = Editor()
editor.close(code=1)
editor = Editor()
editor.send_bytes(b"Content-Length: 100\r\n\r\n{")
editor.server.stdin.close()
assert editor.server.wait(timeout=30) == 1
