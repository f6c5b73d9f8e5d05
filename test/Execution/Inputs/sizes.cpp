// sizes LIBRARY DEVICE: one model over graphs of several sizes gives for each what a model gives that has seen no
// other.

#include "gnn/gnn.hpp"

#include <cstdio>
#include <cstring>

namespace {

constexpr int64_t classes = 3, relations = 2;

/// A ring of `vertices` with chords; edges have two types.
gnn::Graph ring(int64_t vertices) {
  std::vector<int64_t> src, dst, type;
  for (int64_t v = 0; v < vertices; ++v)
    for (int64_t step : {1, 3}) {
      src.push_back(v);
      dst.push_back((v * step + 1) % vertices);
      type.push_back(step / 2);
    }
  gnn_graph_options_t options{};
  options.size = sizeof options;
  options.num_types = relations;
  options.edge_type = type.data();
  return gnn::Graph::fromEdges(src, dst, vertices, &options);
}

gnn::Model open(const char *library, const char *device) {
  gnn::ModelOptions one(1);
  one.device = device;
  gnn::Model model(library, one);
  model.bindDim("relations", relations);
  model.bindDim("classes", classes);
  return model;
}

bool isSame(const gnn::Tensor &a, const gnn::Tensor &b) {
  return a.shape() == b.shape() &&
         std::memcmp(a.data<float>(), b.data<float>(), size_t(a.count()) * sizeof(float)) == 0;
}

void train(gnn::Model &model, int64_t vertices) {
  std::vector<int64_t> all, labels;
  for (int64_t v = 0; v < vertices; ++v) {
    all.push_back(v);
    labels.push_back(v % classes);
  }
  gnn::Trainer trainer(model, ring(vertices), {{"label", gnn::Tensor::copy(labels, {vertices})}},
                       gnn::Tensor::copy(all, {vertices}));
  double loss = trainer.step();
  std::printf("%d vertices: %s\n", int(vertices), trainer.step() < loss ? "trained" : "the loss grows");
}

} // namespace

int main(int, char **argv) {
  gnn::Model model = open(argv[1], argv[2]);
  train(model, 40);
  model.save(std::string(argv[0]) + ".safetensors");
  for (int64_t vertices : {7, 90, 1, 0, 40}) {
    gnn::Model alone = open(argv[1], argv[2]);
    alone.load(std::string(argv[0]) + ".safetensors");
    gnn::Graph graph = ring(vertices);
    bool same = isSame(model.infer(graph, {}).at("logits"), alone.infer(graph, {}).at("logits"));
    std::printf("%d vertices: %s\n", int(vertices), same ? "as alone" : "other numbers");
  }
  train(model, 90);
  try {
    model.dim("num_vertices");
  } catch (const gnn::Error &error) {
    std::printf("num_vertices: %s\n", error.what());
  }
}
