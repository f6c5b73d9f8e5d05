"""Prints what the last run of the tests skipped, with the reason. Usage: skipped.py BUILD

Fails where a reason is not in may-skip.txt. Reads the results of lit (BUILD/test/*.lit.json) and the log of ctest.
A test that cannot run says so by a line `skipped: REASON`; lit names the features that a test lacks."""
import collections
import glob
import json
import os
import re
import sys

LACKS = [
    (r"Test requires the following unavailable features: (.*)", "requires "),
    (r"Test does not support the following features and/or targets: (.*)", "unsupported with "),
]


def reasons_of_lit(result):
    output = result["output"]
    for pattern, prefix in LACKS if result["code"] == "UNSUPPORTED" else []:
        if found := re.search(pattern, output):
            yield from (prefix + feature for feature in found[1].split(", "))
            return
    if result["code"] == "UNSUPPORTED":
        yield output
    yield from re.findall(r"^skipped: (.+)$", output, re.M)


def reasons_of_ctest(output):
    """Catch2 wraps lines, and ends a message with an empty one."""
    for reason in re.findall(r"\bskipped: (.+?)\n(?:\s*\n|<end of output>)", output, re.S):
        yield " ".join(reason.split())


def tests(build):
    """Each test with an iterator over the reasons for which it, or a part of it, was skipped."""
    for path in sorted(glob.glob(os.path.join(build, "test", "*.lit.json"))):
        with open(path) as file:
            for result in json.load(file)["tests"]:
                yield result["name"].replace("gnnc :: ", ""), reasons_of_lit(result)
    for path in glob.glob(os.path.join(build, "Testing", "Temporary", "LastTest.log")):
        with open(path, errors="replace") as file:
            for name, output in re.findall(r"^\d+/\d+ Test: ([^\n]*)\n(.*?^<end of output>)", file.read(), re.M | re.S):
                yield name, reasons_of_ctest(output)


def allowed():
    with open(os.path.join(os.path.dirname(__file__), "may-skip.txt")) as file:
        lines = [line.split("#")[0].strip() for line in file]
    return [line for line in lines if line]


def main(build):
    skipped, num_tests = collections.defaultdict(list), 0
    for name, reasons in tests(build):
        num_tests += 1
        for reason in reasons:
            skipped[reason].append(name)
    if not num_tests:
        sys.exit(f"{build} has no results of tests")
    may = allowed()
    unknown = [reason for reason in skipped if not any(re.fullmatch(known, reason) for known in may)]
    for reason in sorted(skipped, key=lambda reason: (reason in unknown, reason)):
        print(("error: not in test/may-skip.txt: " if reason in unknown else "") + reason)
        print("".join(f"  {name}\n" for name in sorted(set(skipped[reason]))), end="")
    print(f"{num_tests} results, {len(set(sum(skipped.values(), [])))} tests with a skipped part")
    return 1 if unknown else 0


sys.exit(main(*sys.argv[1:]))
