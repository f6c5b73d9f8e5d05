"""many_parameters.py N: a model whose first kernel reads N parameters at once."""
import sys

count = int(sys.argv[1])
print("model Many(d: dim = 4) {")
for i in range(count):
    print(f"  param w{i}: real[d] = ones")
print("  vertex v {\n    input x: real[d]")
for first in range(0, count, 50):
    print(f"    let part{first} = " + " + ".join(f"w{i} * x" for i in range(first, min(first + 50, count))))
print("    output y = " + " + ".join(f"part{first}" for first in range(0, count, 50)) + "\n  }\n}")
