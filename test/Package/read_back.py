"""Reads built, installed or packaged files back. Usage: read_back.py FOLDER... [--nothing-of PATH...]

Prints what is wrong with them and fails, or prints how many programs and libraries there are:
- an element of an RPATH that is neither absolute nor of $ORIGIN: the dynamic linker looks for it in the current
  directory, where anybody may have put a library;
- a link that leads nowhere, or out of its folder;
- with --nothing-of, a file that names one of these paths: those of the build or the checkout are on no other machine.
"""
import argparse
import os
import re
import subprocess
import sys


def files_in(folder):
    for place, _, names in os.walk(folder):
        yield from (os.path.join(place, name) for name in sorted(names))


def is_linked(start):
    """True for the first bytes of an ELF program or shared library; False for object files."""
    return start[:4] == b"\x7fELF" and start[16] in (2, 3)


def mistakes_of_rpath(path):
    entries = subprocess.run(["readelf", "-dW", path], capture_output=True, text=True, check=True).stdout
    for kind, value in re.findall(r"\((RPATH|RUNPATH)\).*\[(.*)\]", entries):
        for element in sorted(set(value.split(":"))):
            if not re.match(r"/|\$ORIGIN(/|$)", element):
                yield f"{kind} {value} has the element '{element}', that is in the current directory"


def mistakes_of_link(path, folder):
    target = os.path.realpath(path)
    if not os.path.exists(target):
        yield f"leads to {os.readlink(path)}, which does not exist"
    elif not target.startswith(os.path.realpath(folder) + os.sep):
        yield f"leads to {target}, out of {folder}"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("folders", nargs="+")
    parser.add_argument("--nothing-of", nargs="+", default=[])
    options = parser.parse_args()
    foreign = [os.fsencode(os.path.realpath(path)) for path in options.nothing_of]
    num_linked, found = 0, []
    for folder in options.folders:
        for path in files_in(folder):
            mistakes = []
            if os.path.islink(path):
                mistakes += mistakes_of_link(path, folder)
            elif os.path.isfile(path):
                with open(path, "rb") as file:
                    contents = file.read()
                if is_linked(contents):
                    num_linked += 1
                    mistakes += mistakes_of_rpath(path)
                mistakes += [f"names {os.fsdecode(name)}" for name in foreign if name in contents]
            found += [f"{path}: {mistake}" for mistake in mistakes]
    print("\n".join(found) if found else f"{num_linked} programs and libraries are as they should be")
    return 1 if found or not num_linked else 0


sys.exit(main())
