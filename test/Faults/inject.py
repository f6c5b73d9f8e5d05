#!/usr/bin/env python3
"""Runs a command again and again, each time with another call of its process failing, and checks how it ends.

    inject.py --shim libfailing-calls.so --points 8 FOLDER -- gnn-data generate planted club

FOLDER/before is what the command finds: it runs in a copy of it. Undisturbed it must succeed; FOLDER/after is what it
leaves then. With any one call failing it must end in one of two ways:

- success, with the files of the undisturbed run, and its text with --text;
- an exit code of --codes and a message, and each file is the old or the whole new one.

Either way nothing is left beside these files, in the temporary folder or at home, and no signal ends it. Files that two
undisturbed runs write differently, such as those with times in them, are only there or not there.

--points N, or the environment variable GNNC_FAULT_POINTS: so many calls of each kind fail, evenly chosen, the first and
the last among them; all if there are no more. Where a run is long, --sample KINDS: without that variable these alone;
--most N: no more than so many with it.
"""

import argparse
import os
import shutil
import signal
import struct
import subprocess
import sys

KINDS = "open read write truncate sync close rename stat mkdir mmap thread allocation".split()


INCOMPLETE = b'{"incomplete": true}\n'  # FolderLayout.h


def contents(folder):
    """Every file below the folder by its name there; folders and others have none."""
    found = {}
    for parent, folders, files in os.walk(folder):
        for name in folders:
            found[os.path.relpath(os.path.join(parent, name), folder)] = None
        for name in files:
            path = os.path.join(parent, name)
            with open(path, "rb") as file:
                found[os.path.relpath(path, folder)] = file.read()
    return found


def chosen(count, points):
    """Which of the calls 1 to `count` fail."""
    if count <= points:
        return list(range(1, count + 1))
    return sorted({1 + i * (count - 1) // max(1, points - 1) for i in range(points)})


class Run:
    """How one run ended, and what it left."""

    def __init__(self, code, out, err, files, stray, calls):
        self.code, self.out, self.err = code, out, err
        self.files, self.stray, self.calls = files, stray, calls


class Injector:
    def __init__(self, options):
        self.options = options
        self.before = os.path.join(options.folder, "before")
        self.work = os.path.join(options.folder, "work")
        self.old = contents(self.before)
        self.found = []
        self.tried = {}
        self.succeeded = 0

    def run(self, kind=None, at=0, goes_on=False):
        shutil.rmtree(self.work, ignore_errors=True)
        place = os.path.join(self.work, "place")
        shutil.copytree(self.before, place, symlinks=True)
        private = {name: os.path.join(self.work, name) for name in ("TMPDIR", "HOME")}
        for folder in private.values():
            os.mkdir(folder)
        counter = os.path.join(self.work, "count")
        with open(counter, "wb") as file:
            file.write(bytes(8))
        environment = dict(os.environ, **private)
        if kind:
            environment.update(LD_PRELOAD=self.options.shim, GNN_FAIL=kind, GNN_FAIL_AT=str(at), GNN_FAIL_COUNT=counter)
        if goes_on:
            environment["GNN_FAIL_ON"] = "1"
        with open(self.options.input, "rb") as given:
            process = subprocess.Popen(self.options.command, cwd=place, env=environment, stdin=given,
                                       stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True)
        try:
            out, err = process.communicate(timeout=self.options.patience)
            code = process.returncode
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            out, err = process.communicate()
            code = "hangs"
        with open(counter, "rb") as file:
            calls = struct.unpack("<Q", file.read())[0]
        stray = [name for folder in private.values() for name in contents(folder)]
        return Run(code, out, err, contents(place), stray, calls)

    def reference(self):
        """What the undisturbed command does; what differs between two runs of it is not compared."""
        self.want, again = self.run(), self.run()
        if self.want.code != 0:
            sys.exit("undisturbed it fails with %s: %s" % (self.want.code, self.want.err.decode(errors="replace")))
        names = set(self.want.files) | set(again.files)
        self.emptied = {name for name, content in self.want.files.items()
                        if content is None and not any(other.startswith(name + os.sep) for other in names)}
        self.varies = {name for name in names if self.want.files.get(name) != again.files.get(name)}

    def differences(self, files, whole):
        """What is wrong with the files that are left; `whole`: all must be as the undisturbed run leaves them."""
        wrong = []
        for name in sorted(set(files) | set(self.want.files) | set(self.old)):
            was, want = self.old.get(name, ""), self.want.files.get(name, "")
            now = files.get(name, "")
            if now == want or (not whole and now == was):
                continue
            if name in self.varies and now != "":
                continue
            if os.path.basename(name) == "dataset.json" and now == INCOMPLETE and not whole:
                continue  # readers refuse it
            if os.path.basename(name) == ".lock" and not whole:
                continue  # of a process that has ended, which holds it no more
            state = "is left behind" if want == "" else "is missing" if now == "" else "is neither old nor new"
            wrong.append("%s %s (%s bytes)" % (name, state, len(now) if now else 0))
        return wrong

    def fault_of(self, run):
        wrong = list(self.differences(run.files, whole=run.code == 0))
        wrong += ["%s is left behind outside" % name for name in run.stray]
        wrong += ["%s is left behind, empty" % name for name, content in run.files.items()
                  if content is None and name not in self.old and name not in self.emptied
                  and not any(other.startswith(name + os.sep) for other in run.files)]
        if run.code == 0:
            self.succeeded += 1
            if self.options.text and run.out != self.want.out:
                wrong.append("success, but its text differs")
        elif run.code not in self.options.codes:
            wrong.append("exit code %s" % run.code)
        elif not run.err.strip():
            wrong.append("exit code %s without a message" % run.code)
        return wrong

    def inject(self, kind, goes_on):
        undisturbed = self.run(kind)
        if undisturbed.code != 0:
            sys.exit("%s: with calls only counted it ends with %s" % (kind, undisturbed.code))
        count = undisturbed.calls
        mode = kind + (" and all later" if goes_on else "")
        points = chosen(count, self.options.points)
        self.tried[mode] = (len(points), count)
        for at in points:
            run = self.run(kind, at, goes_on)
            wrong = self.fault_of(run)
            if not wrong:
                continue
            self.found.append(wrong)
            print("%s %d of %d: %s" % (mode, at, count, "; ".join(wrong)))
            print("    " + run.err.decode(errors="replace").strip().replace("\n", "\n    "))
            if self.options.stop:
                return

    def report(self):
        tried = sum(points for points, _ in self.tried.values())
        print("%s: %d of %d runs are as they should be, %d of them succeed" %
              (os.path.basename(self.options.command[0]), tried - len(self.found), tried, self.succeeded))
        print(", ".join("%s %d/%d" % (mode, points, count) for mode, (points, count) in self.tried.items() if count))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--shim", required=True, help="the library that makes calls fail")
    parser.add_argument("--points", type=int, default=8, help="calls of each kind that fail")
    parser.add_argument("--codes", default="1,2,3", help="exit codes of errors")
    parser.add_argument("--text", action="store_true", help="a run that succeeds prints what the undisturbed one does")
    parser.add_argument("--input", default=os.devnull, help="a file: standard input")
    parser.add_argument("--kinds", default=",".join(KINDS))
    parser.add_argument("--sample", help="kinds where GNNC_FAULT_POINTS does not ask for more points")
    parser.add_argument("--most", type=int, default=10**9, help="calls of each kind that fail, whatever is asked for")
    parser.add_argument("--patience", type=float, default=300, help="seconds until a run counts as hanging")
    parser.add_argument("--stop", action="store_true", help="end at the first run that is wrong")
    parser.add_argument("folder")
    parser.add_argument("command", nargs=argparse.REMAINDER)
    options = parser.parse_args()
    options.folder = os.path.abspath(options.folder)
    options.shim = os.path.abspath(options.shim)
    whole = os.environ.get("GNNC_FAULT_POINTS")
    options.points = min(int(whole or options.points), options.most)
    if options.sample and not whole:
        options.kinds = options.sample
    options.codes = [int(code) for code in options.codes.split(",")]
    options.command = [part for part in options.command if part != "--"]
    options.command[0] = shutil.which(options.command[0]) or options.command[0]
    injector = Injector(options)
    injector.reference()
    for kind in options.kinds.split(","):
        injector.inject(kind, goes_on=False)
    if "allocation" in options.kinds:
        injector.inject("allocation", goes_on=True)
    injector.report()
    sys.exit(1 if injector.found else 0)


if __name__ == "__main__":
    main()
