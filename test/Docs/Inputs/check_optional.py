"""check_optional.py PAGE CHECKOUT BUILD: whether the table of optional parts in the page says what is true. Prints what is not.

A part that is tested is one for which scripts/install-deps installs a package and whose tests exist and may not be skipped (test/may-skip.txt). Its
packages are those of CPack, or those that one of these suggests. One that is not promised has a test that may be skipped, and is in no package."""
import glob
import os
import re
import sys

page, checkout, build = sys.argv[1:]


def text_of(*path):
    with open(os.path.join(*path)) as file:
        return file.read()


def skipped_features():
    patterns = [line.split("#")[0].strip() for line in text_of(checkout, "test", "may-skip.txt").splitlines()]
    return {found[1] for found in (re.fullmatch(r"requires (\S+)", pattern) for pattern in patterns) if found}


def rows():
    found = re.search(r"^\| part \|.*\n\|[-|]+\n((?:\|.*\n)+)", text_of(page), re.M)
    for line in found[1].splitlines() if found else []:
        yield [cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]]


def mistakes_of(built, packaged, tested, installed, cpack):
    """Of a part that is promised."""
    for package in re.findall(r"`([^`]+)`", built) or ["(none)"]:
        if package not in installed:
            yield f"scripts/install-deps does not install {package}"
    for package in re.findall(r"`([^`]+)`", packaged):
        if not re.search(rf"[\" ,]{re.escape(package)}[\",]", cpack):
            yield f"no package is or suggests {package}"
    for name in re.findall(r"`([^`]+)`", tested) or ["(none)"]:
        found = [path for folder in ("test", "runtime/test") for path in glob.glob(f"{checkout}/{folder}/**/{name}", recursive=True)]
        if not found:
            yield f"there is no test {name}"
        for features in re.findall(r"REQUIRES: (.*)", "".join(map(text_of, found))):
            yield from (f"{name} may be skipped" for feature in features.split(", ") if feature in skipped_features())


def main():
    installed = re.findall(r"[\w.+-]+", text_of(checkout, "scripts", "install-deps"))
    cpack = text_of(build, "CPackConfig.cmake")
    wrong, num_rows = [], 0
    for part, _, built, packaged, tested in rows():
        num_rows += 1
        if tested != "not promised":
            wrong += [f"{part}: {mistake}" for mistake in mistakes_of(built, packaged, tested, installed, cpack)]
        elif packaged != "no" or part.lower() not in skipped_features():
            wrong.append(f"{part}: what is not promised is in no package, and its tests may be skipped")
    print("\n".join(wrong) if wrong else f"{num_rows} optional parts are as the table says")
    sys.exit(1 if wrong or not num_rows else 0)


main()
