"""Products of many large numbers, a zero and a NaN at different places: zero_factors.py MODEL.so FOLDER

The large numbers alone are infinite in f32. A zero makes a product 0 wherever it stands, and NaN wins over it.
"""
import array
import math
import os
import subprocess
import sys

from npy_files import write

WIDTH = SOURCES = 100
LARGE = 1e10
ZEROS, NAN = (0, 50, 99), 1  # sources; the others are large


def main():
    library, folder = sys.argv[1:]
    large = [v for v in range(SOURCES) if v not in ZEROS and v != NAN]
    rows_read = [large + [zero] for zero in ZEROS] + [large, large + [ZEROS[0], NAN]]
    expected = [0, 0, 0, math.inf, math.nan]
    vertices = SOURCES + len(rows_read)
    edges = [(u, SOURCES + i) for i, read in enumerate(rows_read) for u in read]
    rows = [[0.0 if v in ZEROS else math.nan if v == NAN else LARGE] * WIDTH for v in range(SOURCES)]
    rows += [[0.0 if at == place else LARGE for at in range(WIDTH)] for place in (0, 50, 95, 99, 7)]
    os.makedirs(folder)
    write(folder + "/edge_index.npy", "<i8", [edge[end] for end in (0, 1) for edge in edges], (2, len(edges)))
    write(folder + "/x.npy", "<f4", [number for row in rows for number in row], (vertices, WIDTH))

    with open(folder + "/none.safetensors", "wb") as file:
        file.write((2).to_bytes(8, "little") + b"{}")

    def predicted(output):
        subprocess.run(["gnn-train", "predict", library, "--data", folder, "--weights", folder + "/none.safetensors",
                        "--output", output, "--predictions", folder + "/out.npy"], check=True, stdout=subprocess.DEVNULL)
        with open(folder + "/out.npy", "rb") as file:
            data = file.read()
        return list(array.array("f", data[10 + int.from_bytes(data[8:10], "little"):]))

    over_edges = predicted("overEdges")
    for i, number in enumerate(expected):
        for got in over_edges[(SOURCES + i) * WIDTH:(SOURCES + i + 1) * WIDTH]:
            assert got == number or (math.isnan(got) and math.isnan(number)), (i, got, number)
    over_row = predicted("overRow")
    assert over_row[0] == 0 and math.isnan(over_row[NAN]) and over_row[2] == math.inf, over_row[:3]
    assert over_row[SOURCES:] == [0] * len(rows_read), over_row[SOURCES:]


main()
