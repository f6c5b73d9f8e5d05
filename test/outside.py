"""Tests write to their own folders alone. Usage: outside.py before|after STATE CHECKOUT BUILD

`before` notes the devices of the machine and which files the checkout has outside of its builds; `after` names what has
become of them since, and fails if there is anything."""
import json
import os
import stat
import sys


def devices():
    for name in sorted(os.listdir("/dev")):
        status = os.lstat(os.path.join("/dev", name))
        yield os.path.join("/dev", name), [stat.filemode(status.st_mode), status.st_rdev]


def sources(checkout, build):
    for folder, folders, files in os.walk(checkout):
        folders[:] = [name for name in folders if not name.startswith(".") and name not in ("build", "__pycache__")]
        folders[:] = [name for name in folders if os.path.join(folder, name) != build]
        for name in files:
            status = os.lstat(os.path.join(folder, name))
            yield os.path.join(folder, name), [stat.filemode(status.st_mode)]  # contents may be edited meanwhile


moment, state, checkout, build = sys.argv[1:]
now = dict(devices()) | dict(sources(checkout, build))
if moment == "before":
    with open(state, "w") as file:
        json.dump(now, file)
else:
    with open(state) as file:
        before = json.load(file)
    changed = sorted(path for path in before.keys() | now.keys() if before.get(path) != now.get(path))
    for path in changed:
        print(f"{path}: {before.get(path, 'was not there')}, now {now.get(path, 'gone')}")
    sys.exit(1 if changed else 0)
