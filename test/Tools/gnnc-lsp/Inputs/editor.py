"""An editor for tests: starts `gnnc lsp`, sends messages, checks that what comes back is a well-formed answer."""
import json
import queue
import subprocess
import threading


class Editor:
    def __init__(self, initialize=True):
        self.server = subprocess.Popen(["gnnc", "lsp"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.messages = queue.Queue()
        self.diagnostics = {}
        self.ids = 0
        threading.Thread(target=self._read, daemon=True).start()
        if initialize:
            self.capabilities = self.ask("initialize", {"capabilities": {}})["capabilities"]
            self.tell("initialized", {})

    def _read(self):
        while True:
            length = None
            while (line := self.server.stdout.readline()) not in (b"\r\n", b""):
                name, _, value = line.partition(b":")
                assert name == b"Content-Length", line
                length = int(value)
            if length is None:
                break
            self.messages.put(json.loads(self.server.stdout.read(length)))
        self.messages.put(None)

    def send_bytes(self, data):
        self.server.stdin.write(data)
        self.server.stdin.flush()

    def send_body(self, body):
        self.send_bytes(b"Content-Length: %d\r\n\r\n%b" % (len(body), body))

    def send(self, message):
        self.send_body(json.dumps({"jsonrpc": "2.0", **message}).encode())

    def receive(self):
        message = self.messages.get(timeout=30)
        assert message is None or message["jsonrpc"] == "2.0", message
        return message

    def tell(self, method, params):
        self.send({"method": method, "params": params})

    def respond(self, method, params):
        """The whole response to a request; notifications that come before it are noted."""
        self.ids += 1
        self.send({"id": self.ids, "method": method, "params": params})
        while (message := self.receive()) and "id" not in message:
            self._note(message)
        assert message["id"] == self.ids, message
        return message

    def _note(self, message):
        assert message["method"] == "textDocument/publishDiagnostics", message
        self.diagnostics[message["params"]["uri"]] = message["params"]

    def ask(self, method, params):
        response = self.respond(method, params)
        assert "result" in response, response
        return response["result"]

    def open(self, uri, text):
        self.tell("textDocument/didOpen", {"textDocument": {"uri": uri, "languageId": "gnn", "version": 1, "text": text}})

    def change(self, uri, version, *changes):
        self.tell("textDocument/didChange", {"textDocument": {"uri": uri, "version": version}, "contentChanges": list(changes)})

    def problems(self, uri):
        """The diagnostics of a document, after all that was sent has been handled."""
        self.ask("textDocument/documentSymbol", {"textDocument": {"uri": uri}})
        return self.diagnostics[uri]["diagnostics"]

    def at(self, method, uri, text, mark, **more):
        """Asks about the place of `|` in `mark`, which without it is a part of `text`."""
        before, after = mark.split("|")
        place = text.index(before + after) + len(before)
        return self.ask(method, {"textDocument": {"uri": uri}, "position": position(text, place), **more})

    def close(self, code=0):
        if code == 0:
            self.ask("shutdown", None)
        self.tell("exit", None)
        assert self.server.wait(timeout=30) == code, self.server.returncode


def position(text, offset):
    line = text.count("\n", 0, offset)
    start = text.rfind("\n", 0, offset) + 1
    return {"line": line, "character": len(text[start:offset].encode("utf-16-le")) // 2}


def offset(text, place):
    lines = text.split("\n")
    start = sum(len(line) + 1 for line in lines[: place["line"]])
    units = lines[place["line"]].encode("utf-16-le")[: 2 * place["character"]]
    return start + len(units.decode("utf-16-le", "ignore"))


def apply(text, edits):
    for edit in sorted(edits, key=lambda e: (e["range"]["start"]["line"], e["range"]["start"]["character"]), reverse=True):
        begin, end = (offset(text, edit["range"][side]) for side in ("start", "end"))
        text = text[:begin] + edit["newText"] + text[end:]
    return text


def covered(text, place):
    return text[offset(text, place["start"]) : offset(text, place["end"])]
