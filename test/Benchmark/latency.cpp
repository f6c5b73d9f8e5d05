// How long single inferences take: latency LIBRARY WEIGHTS DATA THREADS LOGITS
//
// Writes the logits to LOGITS (.npy) and prints a line. Then, for each line `same N` or `new N` on the standard input:
// N inferences over the graph, or each over one that is made of its edges before, and a line with the microseconds that
// each took.

#include <chrono>
#include <gnn/gnn.hpp>
#include <iostream>

int main(int argc, char **argv) try {
  if (argc != 6)
    throw std::runtime_error("usage: latency LIBRARY WEIGHTS DATA THREADS LOGITS");
  gnn::Dataset data = gnn::Dataset::load(argv[3]);
  gnn::Tensor edges = gnn::loadNpy(std::string(argv[3]) + "/edge_index.npy");
  const int64_t count = data.numEdges(), *ids = edges.data<int64_t>();
  const std::vector<int64_t> source(ids, ids + count), destination(ids + count, ids + 2 * count);

  gnn::Model model(argv[1], gnn::ModelOptions(unsigned(std::stoul(argv[4]))));
  model.load(argv[2]);
  gnn::Inputs inputs;
  inputs.emplace_back("x", data.denseFeature(GNN_FEATURE_VERTEX, "x"));
  gnn::Graph graph = data.graph();
  gnn::saveNpy(model.infer(graph, inputs).at("logits"), argv[5]);
  std::cout << "ready" << std::endl;

  std::string kind;
  for (int calls = 0; std::cin >> kind >> calls; std::cout << std::endl)
    for (int call = 0; call < calls; ++call) {
      const auto begin = std::chrono::steady_clock::now();
      if (kind == "new")
        graph = gnn::Graph::fromEdges(source, destination, data.numVertices());
      model.infer(graph, inputs);
      std::cout << std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - begin).count() << " ";
    }
} catch (const std::exception &error) {
  std::cerr << "latency: " << error.what() << "\n";
  return 1;
}
