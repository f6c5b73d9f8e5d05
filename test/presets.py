"""Every preset can be configured, the runtime's sources are right with its flags, and where the preset replaces oneTBB
(test/Sanitizers/PlainThreads.cmake) all that include it get the replacement. Usage: presets.py CHECKOUT BUILD

The compiler only parses (-fsyntax-only). A source is left out where each of its flags is also one of BUILD's, or of the
build of the fuzz harnesses in it, which has assertions: both are built whole by the tests. Flags that only change the
code that is generated do not count. scripts/nightly builds the presets of the sanitizers whole, and runs them."""
import collections
import concurrent.futures
import json
import os
import re
import shlex
import subprocess
import sys

# Flags of optimization, debugging, coverage and instrumentation for libFuzzer: our code does not see them.
NOT_PARSED = r"-O\w*|-g\d?|-DTBB_USE_DEBUG|-fprofile-instr-generate=.*|-fcoverage-mapping|-fsanitize=fuzzer-no-link"


def run(command, **options):
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, **options)
    return "" if done.returncode == 0 else f"{shlex.join(map(str, command))}\n{done.stdout}"


class Source:
    """A source of the runtime, as a build compiles it."""

    def __init__(self, entry, build):
        self.folder, self.file = entry["directory"], entry["file"]
        words = shlex.split(entry["command"])
        words = words[next(i for i, word in enumerate(words) if re.search(r"clang\+\+[-\d]*$|clang[-\d]*$", word)):]
        output = words.index("-o")
        self.command = [word for word in words[:output] + words[output + 2 :] if word != "-c"] + ["-fsyntax-only"]
        self.flags = {word.replace(build, "") for word in self.command if not re.fullmatch(NOT_PARSED, word)}

    def mistakes(self):
        return run(self.command, cwd=self.folder)


def entries_of(build):
    try:
        with open(os.path.join(build, "compile_commands.json")) as file:
            return json.load(file)
    except FileNotFoundError:
        return []


def includes_tbb(path):
    with open(path, encoding="utf-8") as file:
        return re.search(r"^#include <(oneapi/)?tbb/", file.read(), re.M) is not None


def without_replacement(build):
    """Sources that would be compiled with oneTBB's own headers, and then fail to link, where others are not."""
    entries = entries_of(build)
    if not any("/plain-threads" in entry["command"] for entry in entries):
        return ""
    wrong = [entry["file"] for entry in entries
             if "/plain-threads" not in entry["command"] and os.path.isfile(entry["file"]) and includes_tbb(entry["file"])]
    return "".join(f"{file} includes oneTBB, and its target does not link TBB::tbb\n" for file in sorted(wrong))


def sources_of(checkout, build):
    entries = entries_of(build)
    runtime = os.path.join(checkout, "runtime", "src", "")
    ours = [entry for entry in entries if entry["file"].startswith(runtime) and "gnnrt_objects" in entry["command"]]
    return [Source(entry, build) for entry in ours]


def check(preset, checkout, build, known):
    """What is wrong with the preset, or nothing. `known` has the flags with which each source is compiled elsewhere."""
    folder = os.path.join(build, "presets", preset)
    wrong = run(["cmake", "--preset", preset, "-B", folder], cwd=checkout)
    if wrong:
        return wrong
    wrong = without_replacement(folder)
    sources = [source for source in sources_of(checkout, folder) if not source.flags <= known[source.file]]
    if sources and not wrong:
        wrong = run(["cmake", "--build", folder, "--target", "gnnrt_system_headers", "device-kernels"])
    if not wrong:
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            wrong = "".join(pool.map(Source.mistakes, sources))
    print(f"{preset}: configured, {len(sources)} sources parsed", flush=True)
    return wrong


def main(checkout, build):
    checkout, build = os.path.realpath(checkout), os.path.realpath(build)
    known = collections.defaultdict(set)
    for folder in (build, os.path.join(build, "fuzz")):
        for source in sources_of(checkout, folder):
            known[source.file] |= source.flags
    with open(os.path.join(checkout, "CMakePresets.json")) as file:
        presets = [preset["name"] for preset in json.load(file)["configurePresets"] if not preset.get("hidden")]
    failed = False
    for preset in presets:
        if wrong := check(preset, checkout, build, known):
            failed = True
            print(f"the preset `{preset}` fails:\n{wrong}")
    return 1 if failed else 0


sys.exit(main(*sys.argv[1:]))
