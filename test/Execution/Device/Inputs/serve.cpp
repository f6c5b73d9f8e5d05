// serve LIBRARY: a model on a device with little memory computes on a small graph, fails on a large one, and goes on.

#include "gnn/gnn.hpp"

#include <cstdio>

namespace {

/// A ring of `vertices`, each with `width` ones.
gnn::Tensor infer(gnn::Model &model, int64_t vertices, int64_t width) {
  std::vector<int64_t> src, dst;
  for (int64_t v = 0; v < vertices; ++v) {
    src.push_back(v);
    dst.push_back((v + 1) % vertices);
  }
  gnn::Graph graph = gnn::Graph::fromEdges(src, dst, vertices);
  std::vector<float> ones(size_t(vertices * width), 1.0f);
  return model.infer(graph, {{"x", gnn::Tensor::copy(ones, {vertices, width})}}).at("logits");
}

} // namespace

int main(int, char **argv) {
  gnn::ModelOptions options(1);
  options.device = "cuda";
  options.deviceBytes = 1 << 20;
  gnn::Model device(argv[1], options), processor(argv[1]);
  std::printf("%s, %s\n", device.device().c_str(), processor.device().c_str());
  for (gnn::Model *model : {&device, &processor}) {
    model->bindDim("in", 5);
    model->bindDim("classes", 3);
    model->initialize(1);
  }
  for (int64_t vertices : {20, 200000, 30}) {
    try {
      gnn::Tensor found = infer(device, vertices, 5), expected = infer(processor, vertices, 5);
      float difference = 0;
      for (int64_t i = 0; i < found.count(); ++i)
        difference = std::max(difference, std::abs(found.data<float>()[i] - expected.data<float>()[i]));
      std::printf("%lld vertices: %s\n", (long long)vertices, difference < 1e-5 ? "the same" : "other numbers");
    } catch (const gnn::Error &error) {
      std::printf("%lld vertices: %s\n", (long long)vertices, error.what());
    }
  }
}
