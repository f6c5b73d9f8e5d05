// memory LIBRARY CHECKPOINT FOLDER: trains within a limit of memory, whose file lies in the folder.

#include "gnn/gnn.hpp"

#include <cmath>
#include <cstdio>
#include <memory>
#include <string>

namespace {

constexpr int64_t vertices = 3000, width = 16;

struct Limit {
  uint64_t bytes = 0;
  const char *folder = nullptr;
  int64_t intervals = 0;
  const char *fanOuts = nullptr;
  uint64_t lookAhead = 0;
};

/// Graph and inputs are gone when it returns.
gnn::Trainer trainer(gnn::Model &model, const Limit &limit) {
  std::vector<int64_t> src, dst, ids;
  std::vector<float> numbers;
  std::vector<int32_t> kinds;
  for (int64_t v = 0; v < vertices; ++v) {
    for (int64_t far : {2, 4, 6, 8}) {
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
  options.fan_outs = limit.fanOuts;
  options.memory_bytes = limit.bytes;
  options.spill_folder = limit.folder;
  options.intervals = limit.intervals;
  options.look_ahead_bytes = limit.lookAhead;
  return gnn::Trainer(
      model, gnn::Graph::fromEdges(src, dst, vertices),
      {{"x", gnn::Tensor::copy(numbers, {vertices, width})}, {"label", gnn::Tensor::copy(kinds, {vertices})}},
      gnn::Tensor::copy(ids, {vertices}), options);
}

gnn::Model open(const char *library) {
  gnn::Model model(library);
  model.bindDim("classes", 2);
  return model;
}

} // namespace

int main(int, char **argv) {
  const Limit tight{800 << 10, argv[3]}, ample{1 << 30, argv[3], 5};
  gnn::Model wholeModel = open(argv[1]), tightModel = open(argv[1]), ampleModel = open(argv[1]);
  gnn::Trainer whole = trainer(wholeModel, {}), streamed = trainer(tightModel, tight),
               kept = trainer(ampleModel, ample);
  bool areNear = true;
  for (int step = 0; step < 20; ++step) {
    if (step == 10)
      streamed.save(argv[2]);
    const double expected = whole.step();
    areNear &=
        std::fabs(streamed.step() - expected) < 1e-4 * expected && std::fabs(kept.step() - expected) < 1e-4 * expected;
  }
  std::printf(areNear ? "the losses of the whole graph\n" : "other losses\n");

  const Limit in7{1400 << 10, argv[3], 7}, ahead{1400 << 10, argv[3], 7, nullptr, 200 << 10},
      next{1400 << 10, argv[3], 7, nullptr, 1};
  gnn::Model models[] = {open(argv[1]), open(argv[1]), open(argv[1])};
  gnn::Trainer looking[] = {trainer(models[0], in7), trainer(models[1], ahead), trainer(models[2], next)};
  bool haveSame = true;
  for (int step = 0; step < 5; ++step) {
    const double expected = looking[0].step();
    haveSame &= looking[1].step() == expected && looking[2].step() == expected;
  }
  std::printf(haveSame ? "the same bits however far it looks ahead\n" : "looking ahead changes bits\n");

  gnn::Model resumedModel = open(argv[1]);
  gnn::Trainer resumed = trainer(resumedModel, tight);
  resumed.resume(argv[2]);
  for (int step = 0; step < 10; ++step)
    resumed.step();
  std::printf(resumed.step() == streamed.step() ? "resumed with the same bits\n" : "resumed otherwise\n");

  const Limit samples{0, nullptr, 0, "3,2"}, someSamples{8 << 20, argv[3], 2, "3,2"};
  gnn::Model sampledModels[] = {open(argv[1]), open(argv[1])};
  gnn::Trainer sampled[] = {trainer(sampledModels[0], samples), trainer(sampledModels[1], someSamples)};
  bool areSamplesSame = true;
  for (int step = 0; step < 5; ++step)
    areSamplesSame &= sampled[0].step() == sampled[1].step();
  std::printf(areSamplesSame ? "samples have the same bits within a limit\n" : "a limit changes samples\n");

  gnn::Model dividedModel = open(argv[1]);
  gnn::Trainer divided = trainer(dividedModel, {0, nullptr, 3});
  std::printf(std::fabs(divided.step() - std::log(2)) < 0.5 ? "intervals need no limit\n" : "intervals change the loss\n");

  const Limit wrong[] = {{1000, argv[3]},
                         {1000, argv[3], 3},
                         {1000, argv[3], 0, "3,2"},
                         {0, argv[3]},
                         {0, nullptr, 2, "3,2"},
                         {1 << 30, nullptr, -1},
                         {0, nullptr, 0, nullptr, 1 << 20},
                         {800 << 10, "/no/such/folder"}};
  for (const Limit &limit : wrong)
    try {
      trainer(wholeModel, limit);
      std::printf("taken\n");
    } catch (const gnn::Error &error) {
      std::printf("%d %s\n", int(error.code()), error.what());
    }
}
