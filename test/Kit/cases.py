"""cases.py GNNC FOLDER SIZE...: compiles the cases of test/Benchmark/run-gpu to FOLDER, for any x86-64-v3 with a GPU of sm_80 or sm_90, and lists them.

SIZE is full or tiny. A line of FOLDER/SIZE is a case: suite, title, library and what gpu-times is to draw, apart by tabs."""

import pathlib
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "Benchmark"))

from gpu import plan  # noqa: E402


def drawn(case):
    """The arguments of gpu-times; as test/Benchmark/gpu/problems.py draws it."""
    graph, sizes = case.graph, dict(case.sizes)
    words = ["--graph", graph.kind, "--vertices", graph.vertices, "--edges", graph.edges, "--tolerance", case.tolerance]
    columns = sizes.get("width", sizes.get("in"))
    words += ["--columns", columns] if columns else []
    words += ["--density", 0.0127] if case.what == "gcn" else []
    words += ["--relations", graph.relations] if graph.relations else []
    words += ["--train", graph.classes] if case.trains else []
    return " ".join(map(str, words))


def main():
    gnnc, folder = sys.argv[1], pathlib.Path(sys.argv[2])
    compiled = set()
    for size in sys.argv[3:]:
        lines = []
        for case in plan.cases(plan.SUITES, size == "tiny", fitting=size != "tiny"):
            library = case.source.stem + "-" + "-".join("%s%d" % dim for dim in case.sizes) + ".so"
            lines.append("\t".join([case.suite, case.title, library, drawn(case)]) + "\n")
            if library not in compiled:
                dims = ["-D%s=%d" % dim for dim in case.sizes]
                subprocess.run([gnnc, "-q", str(case.source), "-o", str(folder / library), "--target=x86-64-v3,sm_80,sm_90", *dims], check=True)
                compiled.add(library)
        (folder / size).write_text("".join(lines))


if __name__ == "__main__":
    main()
