"""look_at_site.py HTML [PICTURES]: opens each page of the site in a headless Chromium, at 1400 and 420 pixels: it logs no error, loads no file
that is missing and nothing by the network, and is not wider than the screen. Writes a picture of each to the folder PICTURES."""
import base64
import fcntl
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

WIDTHS = (1400, 420)
# What reaches over the right edge and is in nothing that scrolls or hides it.
TOO_WIDE = """(() => {
  const width = document.documentElement.clientWidth, found = [];
  if (document.documentElement.scrollWidth > width) found.push("the page is " + document.documentElement.scrollWidth + " pixels wide");
  for (const element of document.querySelectorAll("article *")) {
    const box = element.getBoundingClientRect();
    if (box.width === 0 || box.right <= width + 1) continue;
    let scrolls = false;
    for (let at = element; at && at.tagName !== "ARTICLE"; at = at.parentElement)
      scrolls ||= getComputedStyle(at).overflowX !== "visible";
    if (!scrolls) found.push("<" + element.tagName.toLowerCase() + "> " + element.textContent.trim().slice(0, 60));
  }
  return found.slice(0, 3);
})()"""


class Browser:
    """Chromium's debugging protocol over a pair of pipes."""

    def __init__(self, program, home):
        to_read, self.to_browser = os.pipe()
        self.from_browser, to_write = os.pipe()
        own = {name: home for name in ("HOME", "XDG_CONFIG_HOME", "XDG_CACHE_HOME", "XDG_DATA_HOME")}

        def place_pipes():
            os.dup2(to_read, 3)
            os.dup2(to_write, 4)

        # The pipes are moved out of the way of 3 and 4 first.
        to_read, to_write = self.moved(to_read), self.moved(to_write)
        self.to_browser, self.from_browser = self.moved(self.to_browser), self.moved(self.from_browser)
        self.process = subprocess.Popen(
            [program, "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--remote-debugging-pipe",
             "--hide-scrollbars", "--user-data-dir=" + home],
            preexec_fn=place_pipes, close_fds=False, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env={**os.environ, **own})
        os.close(to_read)
        os.close(to_write)
        self.buffer, self.count, self.events, self.session = b"", 0, [], None

    @staticmethod
    def moved(descriptor):
        other = fcntl.fcntl(descriptor, fcntl.F_DUPFD_CLOEXEC, 10)
        os.close(descriptor)
        return other

    def receive(self):
        while b"\0" not in self.buffer:
            part = os.read(self.from_browser, 1 << 20)
            if not part:
                sys.exit("Chromium has ended")
            self.buffer += part
        message, _, self.buffer = self.buffer.partition(b"\0")
        return json.loads(message)

    def send(self, method, **params):
        self.count += 1
        message = {"id": self.count, "method": method, "params": params}
        if self.session:
            message["sessionId"] = self.session
        os.write(self.to_browser, json.dumps(message).encode() + b"\0")
        while True:
            answer = self.receive()
            if answer.get("id") == self.count:
                if "error" in answer:
                    sys.exit(f"{method}: {answer['error']['message']}")
                return answer["result"]
            self.events.append(answer)

    def open(self, address):
        self.events = []
        self.send("Page.navigate", url=address)
        while not any(event.get("method") == "Page.loadEventFired" for event in self.events):
            self.events.append(self.receive())
        self.value("new Promise((done) => setTimeout(() => done(0), 50))")  # what scripts do after it

    def value(self, expression):
        return self.send("Runtime.evaluate", expression=expression, awaitPromise=True, returnByValue=True)["result"].get("value")


def mistakes_in(events):
    for event in events:
        params = event.get("params", {})
        if event.get("method") == "Runtime.exceptionThrown":
            details = params["exceptionDetails"]
            thrown = details.get("exception", {})
            yield f"an exception: {details['text']} {thrown.get('description') or thrown.get('value', '')} at {details.get('url', '')}:{details['lineNumber'] + 1}"
        elif event.get("method") == "Runtime.consoleAPICalled" and params["type"] in ("error", "warning", "assert"):
            yield "logs " + " ".join(str(argument.get("value", "")) for argument in params["args"])
        elif event.get("method") == "Log.entryAdded" and params["entry"]["level"] == "error":
            yield "logs " + params["entry"]["text"] + " " + params["entry"].get("url", "")
        elif event.get("method") == "Network.loadingFailed" and not params.get("canceled"):
            yield "a file is not loaded: " + params["errorText"]
        elif event.get("method") == "Network.requestWillBeSent" and params["request"]["url"].startswith("http"):
            yield "loads " + params["request"]["url"]


def main(folder, pictures):
    program = next((found for found in map(shutil.which, ("chromium", "chromium-browser", "google-chrome")) if found), None)
    if not program:
        print("skipped: there is no Chromium")
        return
    pages, wrong = sorted(folder.rglob("*.html")), []
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as home:
        browser = Browser(program, home)
        target = browser.send("Target.createTarget", url="about:blank")["targetId"]
        browser.session = browser.send("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            browser.send(domain + ".enable")
        for width in WIDTHS:
            browser.send("Emulation.setDeviceMetricsOverride", width=width, height=900, deviceScaleFactor=1, mobile=False)
            for page in pages:
                browser.open(page.resolve().as_uri())
                found = list(mistakes_in(browser.events)) + (browser.value(TOO_WIDE) or [])
                wrong += [f"{page.relative_to(folder)} at {width} pixels: {mistake}" for mistake in found]
                if pictures:
                    picture = browser.send("Page.captureScreenshot")["data"]
                    name = f"{page.relative_to(folder).with_suffix('')}-{width}.png".replace("/", "-")
                    (pictures / name).write_bytes(base64.b64decode(picture))
        # A search in the browser, as a reader does it.
        browser.open((folder.resolve() / "search.html").as_uri() + "?q=import+csv+edges")
        first = browser.value("""new Promise((done) => { let tries = 0; const look = () => {
            const link = document.querySelector("#search-results ul.search a");
            link || ++tries > 100 ? done(link ? link.getAttribute("href") : "nothing") : setTimeout(look, 50); }; look(); })""")
        if not first.startswith("data.html"):
            wrong.append(f"search.html finds {first} for `import csv edges`")
        # The button that changes between light and dark.
        browser.open((folder.resolve() / "index.html").as_uri())
        themes = browser.value("""[1, 2, 3].map(() => {
            document.querySelector(".theme-toggle").click(); return document.body.dataset.theme; }).join()""")
        if themes != "dark,light,auto":
            wrong.append(f"index.html: the button for light and dark changes to {themes}")
        browser.send("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": "dark"}])
        ground = browser.value("getComputedStyle(document.body).backgroundColor")
        if max(map(int, re.findall(r"\d+", ground)[:3])) > 60:
            wrong.append(f"index.html has the background {ground} where the system is dark")
        browser.session = None
        browser.send("Browser.close")
        browser.process.wait(timeout=30)
    if wrong:
        sys.exit("\n".join(wrong))
    print(f"{len(pages)} pages at {' and '.join(map(str, WIDTHS))} pixels: no errors, and nothing overflows")


main(pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2]) if len(sys.argv) > 2 else None)
