"""Compiles a first model with a layer of the standard library, and infers: sums over neighbors, which are known."""
import array

import gnnc

SOURCE = """
import nn
model Sums(in: dim = 2) {
  layer linear = Linear(in, 3)
  edge u -> v {}
  vertex v {
    input x: real[in]
    let s = sum(u.x for u -> v)
    output sums = s
    output scores = linear(s)
  }
}
"""

model = gnnc.compile(SOURCE)
model.initialize(seed=1)
edges = memoryview(array.array("q", [0, 1, 2, 2, 2, 1])).cast("B").cast("q", (2, 3))  # 0 -> 2, 1 -> 2, 2 -> 1
x = memoryview(array.array("f", [1, 2, 10, 20, 100, 200])).cast("B").cast("f", (3, 2))
outputs = model.infer(gnnc.Graph.from_edge_index(edges, num_vertices=3), x=x)
assert outputs["sums"].tolist() == [[0, 0], [100, 200], [11, 22]], outputs
assert outputs["scores"].shape == (3, 3), outputs
print("the first model infers")
