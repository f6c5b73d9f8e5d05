// stream LIBRARY BYTES [DEVICE]: trains on a processor, and on a GPU, or several, within so many bytes of its memory.

#include "gnn/gnn.hpp"

#include <cmath>
#include <cstdio>
#include <string>

namespace {

constexpr int64_t vertices = 120, width = 64;

gnn::Trainer trainer(gnn::Model &model, uint64_t bytes, uint64_t deviceBytes, uint64_t lookAhead = 0) {
  std::vector<int64_t> src, dst, ids;
  std::vector<float> numbers;
  std::vector<int32_t> kinds;
  for (int64_t v = 0; v < vertices; ++v) {
    for (int64_t far : {2, 4, 6}) {
      src.push_back(v);
      dst.push_back((v * 7 + far) % vertices);
    }
    for (int64_t i = 0; i < width; ++i)
      numbers.push_back(float((v * width + i) * 37 % 101) / 50 - 1 + float(v % 2));
    kinds.push_back(int32_t(v % 2));
    ids.push_back(v);
  }
  gnn::TrainerOptions options;
  options.seed = 3;
  options.memory_bytes = bytes;
  options.device_memory_bytes = deviceBytes;
  options.look_ahead_bytes = lookAhead;
  return gnn::Trainer(
      model, gnn::Graph::fromEdges(src, dst, vertices),
      {{"x", gnn::Tensor::copy(numbers, {vertices, width})}, {"label", gnn::Tensor::copy(kinds, {vertices})}},
      gnn::Tensor::copy(ids, {vertices}), options);
}

gnn::Model open(const char *library, const char *device) {
  gnn::ModelOptions options;
  options.device = device;
  options.deviceBytes = 100 << 20;
  gnn::Model model(library, options);
  model.bindDim("classes", 2);
  return model;
}

void refuse(gnn::Model &model, uint64_t bytes, uint64_t deviceBytes, uint64_t lookAhead = 0) {
  try {
    trainer(model, bytes, deviceBytes, lookAhead);
    std::printf("taken\n");
  } catch (const gnn::Error &error) {
    std::printf("%d %s\n", int(error.code()), error.what());
  }
}

} // namespace

int main(int argc, char **argv) {
  gnn::Model onProcessor = open(argv[1], "cpu"), onDevice = open(argv[1], argc > 3 ? argv[3] : "cuda");
  gnn::Trainer whole = trainer(onProcessor, 0, 0), streamed = trainer(onDevice, 0, std::stoull(argv[2]));
  bool areNear = true;
  for (int step = 0; step < 3; ++step) {
    const double expected = whole.step();
    areNear &= std::fabs(streamed.step() - expected) < 1e-5 * expected;
  }
  std::printf(areNear ? "the losses of the processor\n" : "other losses\n");
  refuse(onDevice, 1 << 30, 0);
  refuse(onDevice, 0, 1000);
  refuse(onProcessor, 0, 1 << 30);
  refuse(onDevice, 0, 1 << 30, 1 << 20);
}
