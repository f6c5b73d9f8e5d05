"""Tests write to their own folders alone. Usage: outside.py before|after STATE CHECKOUT BUILD

`before` notes the devices of the machine, its settings, what our programs may have in the home folder, and which files
the checkout has outside of its builds; `after` names what has become of them since, and fails if there is anything.
Tests have a home and a temporary folder of their own (lit.cfg.py), in which nothing may be left. What they would write
to /tmp itself cannot be told from what others write there: test/as-user sees it, by a user who writes nothing else."""
import glob
import json
import os
import shutil
import stat
import sys


def noted(paths, *fields):
    """What `fields` of its status say of each path."""
    for path in paths:
        try:
            status = os.lstat(path)
        except FileNotFoundError:  # has just gone
            continue
        yield path, [stat.filemode(status.st_mode)] + [getattr(status, field) for field in fields]


def files_in(folder, leaves_out=()):
    for folder, folders, files in os.walk(folder):
        folders[:] = [name for name in folders if not name.startswith(".") and name not in ("build", "__pycache__")]
        folders[:] = [name for name in folders if os.path.join(folder, name) not in leaves_out]
        yield from (os.path.join(folder, name) for name in files)


def ours_at_home():
    """What is named after us: other programs write to their own places in it."""
    for place in (".", ".cache", ".config", ".local/share", ".local/state"):
        for name in ("gnn*", ".gnn*"):
            yield from glob.glob(os.path.join(os.path.expanduser("~"), place, name))


def outside(checkout, build):
    yield from noted(glob.glob("/dev/*"), "st_rdev")
    yield from noted(glob.glob("/dev/shm/vader_segment*"), "st_size")  # of Open MPI's ranks on one machine
    yield from noted(files_in("/etc"), "st_size")  # a machine may write them anew meanwhile
    yield from noted(ours_at_home(), "st_mtime_ns")
    yield from noted(files_in(checkout, [build]))  # may be edited meanwhile


def own(build):
    return [path for name in ("home", "tmp") for path in glob.glob(os.path.join(build, "test", name))]


def left(build):
    for folder in own(build):
        for name in os.listdir(folder):
            yield f"{os.path.join(folder, name)}: left behind"


def main(moment, state, checkout, build):
    now = dict(outside(checkout, build))
    if moment == "before":
        for folder in own(build):
            shutil.rmtree(folder)
        with open(state, "w") as file:
            json.dump(now, file)
        return 0
    with open(state) as file:
        before = json.load(file)
    changed = sorted(path for path in before.keys() | now.keys() if before.get(path) != now.get(path))
    found = [f"{path}: {before.get(path, 'was not there')}, now {now.get(path, 'gone')}" for path in changed]
    found += left(build)
    print("\n".join(found))
    return 1 if found else 0


sys.exit(main(*sys.argv[1:]))
