// Serves a trained GCN: loads weights and a data set, then answers each vertex id on the standard input with its class.
//
//   serve WEIGHTS.safetensors DATASET < ids

#include "gcn.hpp" // written by gnnc

#include <algorithm>
#include <exception>
#include <iostream>

static int serve(const char *weights, const char *folder) {
  gnn::Dataset data = gnn::Dataset::load(folder);
  gcn::Model model;
  model.load(weights); // binds the open dimensions
  gnn::Tensor logits = model.infer(data.graph(), {data.sparseFeature("x")}).logits;

  int64_t classes = logits.shape().back();
  for (int64_t vertex; std::cin >> vertex;) {
    if (vertex < 0 || vertex >= data.numVertices()) {
      std::cout << vertex << ": no such vertex\n";
      continue;
    }
    const float *row = logits.data<float>() + vertex * classes;
    std::cout << vertex << ": class " << std::max_element(row, row + classes) - row << "\n";
  }
  return 0;
}

int main(int argc, char **argv) {
  if (argc != 3) {
    std::cerr << "usage: serve WEIGHTS.safetensors DATASET < ids\n";
    return 2;
  }
  try {
    return serve(argv[1], argv[2]);
  } catch (const std::exception &error) {
    std::cerr << "serve: " << error.what() << "\n";
    return 1;
  }
}
