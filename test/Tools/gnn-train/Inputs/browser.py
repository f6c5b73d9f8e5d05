"""browser.py PAGE: opens a page in a headless Chromium: it must log no error, and draw the page."""
import os
import shutil
import subprocess
import sys
import tempfile

browser = next((found for found in map(shutil.which, ("chromium", "chromium-browser", "google-chrome")) if found), None)
if not browser:
    print("skipped: there is no Chromium")
    print("skipped: there is no Chromium", file=sys.stderr)  # which test/skipped.py reads; FileCheck reads the other
    sys.exit()
with tempfile.TemporaryDirectory() as home:
    picture = os.path.join(home, "page.png")
    command = [browser, "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--user-data-dir=" + home,
               "--enable-logging=stderr", "--v=0", "--window-size=1000,3000", "--screenshot=" + picture, "file://" + os.path.abspath(sys.argv[1])]
    own = {name: home for name in ("HOME", "XDG_CONFIG_HOME", "XDG_CACHE_HOME", "XDG_DATA_HOME")}  # it writes there, too
    result = subprocess.run(command, capture_output=True, text=True, timeout=120, env={**os.environ, **own})
    said = [line for line in result.stderr.splitlines() if "CONSOLE" in line]
    assert result.returncode == 0 and not said, result.stderr
    assert os.path.getsize(picture) > 20000, os.path.getsize(picture)
    if len(sys.argv) > 2:
        shutil.copy(picture, sys.argv[2])
print("opened without errors")
