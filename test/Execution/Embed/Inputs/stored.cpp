// stored MODEL.so: what is stored of SAGE over a ring with a chord to every vertex, and what an edge makes it
// forget.
#include <gnn/gnn.hpp>

#include <cstdio>
#include <cstdlib>

int main(int, char **argv) try {
  const int64_t count = 64;
  std::vector<int64_t> src, dst;
  for (int64_t v = 0; v < count; ++v) {
    src.insert(src.end(), {v, v});
    dst.insert(dst.end(), {(v + 1) % count, (v + 32) % count});
  }
  const gnn::Tensor x = gnn::Tensor::copy<float>(std::vector<float>(size_t(4 * count), 0.5f), {count, 4});
  gnn::Model model(argv[1], /*threads=*/1);
  model.bindDim("in", 4);
  model.initialize(1);
  gnn_growing_options_t options{};
  options.size = sizeof options;
  options.stored_bytes = 1 << 20;
  gnn::GrowingGraph graph(src, dst, count, {{"x", x}}, &options);
  auto print = [&](const char *when, const gnn_stored_rows_t &state) {
    std::printf("%s: %d chosen, %d known, %d taken\n", when, int(state.chosen), int(state.known), int(state.taken));
  };
  print("begin", graph.snapshot().storedRows(model));
  graph.snapshot().inferAt(model, {5});
  print("answered", graph.snapshot().storedRows(model));
  print("stored", graph.snapshot().store(model));
  const gnn::Snapshot before = graph.snapshot();
  graph.append({9}, {20});
  print("appended", graph.snapshot().storedRows(model));
  before.inferAt(model, {21}); // which reads 20 and 53, as they were
  print("earlier", graph.snapshot().storedRows(model));
  std::printf("stored of %d edges\n", int(graph.storedSnapshot(model).numEdges()));
  graph.snapshot().inferAt(model, {21}); // which reads 20
  print("answered", graph.snapshot().storedRows(model));
  graph.compact();
  print("compacted", graph.snapshot().storedRows(model));
  std::printf("stored of %d edges\n", int(graph.storedSnapshot(model).numEdges()));
  before.inferAt(model, {21}); // with rows that are stored of what was not compacted
  print("before", graph.snapshot().storedRows(model));
  graph.snapshot().store(model);
  std::printf("stored of %d edges\n", int(graph.storedSnapshot(model).numEdges()));
  before.inferAt(model, {21}); // without stored rows
  print("before", graph.snapshot().storedRows(model));
  model.initialize(2);
  print("other parameters", graph.snapshot().storedRows(model));
  graph.append({9}, {21});
  std::printf("nothing is stored: %d edges\n", int(graph.storedSnapshot(model).numEdges()));
} catch (const gnn::Error &error) {
  std::printf("error: %s\n", error.what());
  return 1;
}
