// samples LIBRARY CHECKPOINT: trains on batches of a ring whose vertices are of two kinds, one after the other.

#include "gnn/gnn.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace {

constexpr int64_t vertices = 200;

gnn::Graph ring() {
  std::vector<int64_t> src, dst;
  for (int64_t v = 0; v < vertices; ++v)
    for (int64_t far : {2, 4, 6, 8}) {
      src.push_back(v);
      dst.push_back((v + far) % vertices);
    }
  return gnn::Graph::fromEdges(src, dst, vertices);
}

struct Data {
  Data() : graph(ring()) {
    std::vector<float> numbers;
    std::vector<int32_t> kinds;
    std::vector<int64_t> ids;
    for (int64_t v = 0; v < vertices; ++v) {
      for (int64_t i = 0; i < 3; ++i)
        numbers.push_back(float((v * 3 + i) * 37 % 101) / 50 - 1 + float(v % 2));
      kinds.push_back(int32_t(v % 2));
      ids.push_back(v);
    }
    x = gnn::Tensor::copy(numbers, {vertices, 3});
    y = gnn::Tensor::copy(kinds, {vertices});
    all = gnn::Tensor::copy(ids, {vertices});
  }

  gnn::Trainer trainer(gnn::Model &model, const char *fanOuts, int64_t batch, int64_t shares = 0) const {
    return trainer(model, all, fanOuts, batch, shares);
  }
  gnn::Trainer trainer(gnn::Model &model, const gnn::Tensor &split, const char *fanOuts, int64_t batch,
                       int64_t shares) const {
    gnn::TrainerOptions options;
    options.seed = 3;
    options.fan_outs = fanOuts;
    options.batch = batch;
    options.shares = shares;
    return gnn::Trainer(model, graph, {{"x", x}, {"label", y}}, split, options);
  }

  gnn::Graph graph;
  gnn::Tensor x, y, all;
};

} // namespace

int main(int, char **argv) {
  const Data data;
  gnn::Model model(argv[1]); // classes are counted in the labels
  gnn::Trainer trainer = data.trainer(model, "3,2", 32);
  const double before = trainer.evaluate(data.all).loss;
  for (int step = 0; step < 100; ++step)
    trainer.step();
  trainer.save(argv[2]);
  const double after = trainer.evaluate(data.all).loss;
  std::printf(after < 0.7 * before ? "it learns\n" : "it does not learn: %g, then %g\n", before, after);

  gnn::Model second(argv[1]);
  gnn::Trainer resumed = data.trainer(second, "3,2", 32);
  resumed.resume(argv[2]);
  bool areSame = true;
  for (int step = 0; step < 20; ++step)
    areSame &= trainer.step() == resumed.step();
  std::printf(areSame ? "resumed with the same bits\n" : "resumed otherwise\n");

  gnn::Model whole(argv[1]), parts(argv[1]);
  gnn::Trainer ofWhole = data.trainer(whole, "3,3", 32), ofParts = data.trainer(parts, "3,3", 32, /*shares=*/5);
  double apart = 0;
  for (int step = 0; step < 10; ++step)
    apart = std::max(apart, std::abs(ofWhole.step() - ofParts.step()));
  std::printf(apart < 1e-5 ? "shares have the loss of their batch\n" : "shares are apart by %g\n", apart);

  struct {
    const char *fanOuts;
    int64_t batch, shares;
  } const wrong[] = {{"3,0", 4, 0}, {"3", 4, 0}, {nullptr, 4, 0}, {"3,2", -1, 0}, {"3,2", 4, -2}, {nullptr, 0, 2}};
  for (auto [fanOuts, batch, shares] : wrong)
    try {
      data.trainer(model, fanOuts, batch, shares);
      std::printf("taken\n");
    } catch (const gnn::Error &error) {
      std::printf("%s\n", error.what());
    }
  try {
    data.trainer(model, gnn::Tensor::copy(std::vector<int64_t>(), {0}), "3,2", 4, 0);
    std::printf("taken\n");
  } catch (const gnn::Error &error) {
    std::printf("%s\n", error.what());
  }
}
