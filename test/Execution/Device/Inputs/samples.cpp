// samples LIBRARY DEVICE SHARES [INTERVALS]: trains on batches of a ring, in so many shares (0: as many as there are
// devices), and prints all bits that come of it: losses of steps, a resumed run's, what is evaluated, and an output.

#include "gnn/gnn.hpp"

#include <cstdio>
#include <cstdlib>
#include <string>

namespace {

constexpr int64_t vertices = 90, width = 8;

struct Data {
  Data() {
    std::vector<int64_t> src, dst, ids;
    std::vector<float> numbers;
    std::vector<int32_t> kinds;
    for (int64_t v = 0; v < vertices; ++v) {
      for (int64_t far : {2, 4, 6, 8, 9}) {
        src.push_back(v);
        dst.push_back((v * 7 + far) % vertices);
      }
      for (int64_t i = 0; i < width; ++i)
        numbers.push_back(float((v * width + i) * 37 % 101) / 50 - 1 + float(v % 2));
      kinds.push_back(int32_t(v % 2));
      ids.push_back(v);
    }
    graph = gnn::Graph::fromEdges(src, dst, vertices);
    x = gnn::Tensor::copy(numbers, {vertices, width});
    y = gnn::Tensor::copy(kinds, {vertices});
    all = gnn::Tensor::copy(ids, {vertices});
  }

  gnn::Graph graph;
  gnn::Tensor x, y, all;
};

} // namespace

int main(int argc, char **argv) try {
  const Data data;
  gnn::ModelOptions opened;
  opened.device = argv[2];
  gnn::Model model(argv[1], opened), second(argv[1], opened);
  gnn::TrainerOptions options;
  options.seed = 5;
  options.fan_outs = "3,2";
  options.batch = 20;
  options.shares = std::atoll(argv[3]);
  options.intervals = argc > 4 ? std::atoll(argv[4]) : 0;
  options.draws = argc > 5 ? argv[5] : nullptr;
  auto trainerOf = [&](gnn::Model &of) {
    return gnn::Trainer(of, data.graph, {{"x", data.x}, {"label", data.y}}, data.all, options);
  };
  gnn::Trainer trainer = trainerOf(model);
  for (int step = 0; step < 7; ++step)
    std::printf("%a\n", trainer.step());
  const std::string path = "checkpoint.safetensors";
  trainer.save(path);
  gnn::Trainer resumed = trainerOf(second);
  resumed.resume(path);
  std::printf("%a\n%a\n", resumed.step(), trainer.evaluate(data.all).loss);
  const gnn::Tensor logits = second.infer(data.graph, {{"x", data.x}}).begin()->second;
  for (int64_t i = 0; i < logits.count(); i += 7)
    std::printf("%a\n", double(logits.data<float>()[i]));
} catch (const gnn::Error &error) {
  std::printf("%d %s\n", int(error.code()), error.what());
}
