// many-threads LIBRARY DEVICE THREADS CALLS [--own]: threads infer with one model over two graphs, and every answer has
// the bits of a single thread's. Each destroys outputs of another thread while that computes. --own: beside that a
// model for each thread, and how many calls a second one model does for each of theirs.

#include "gnn/gnn.hpp"

#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <mutex>
#include <thread>

namespace {

constexpr int callsOnAGraph = 50; // before a thread takes the other

gnn::Graph ring(int64_t vertices) {
  std::vector<int64_t> src, dst;
  for (int64_t v = 0; v < vertices; ++v)
    for (int64_t far : {int64_t(1), int64_t(7), v}) {
      src.push_back(v);
      dst.push_back((v + far) % vertices);
    }
  return gnn::Graph::fromEdges(src, dst, vertices);
}

gnn::Tensor features(int64_t vertices) {
  std::vector<float> numbers;
  for (int64_t i = 0; i < vertices * 3; ++i)
    numbers.push_back(float(i * 37 % 101) / 50 - 1);
  return gnn::Tensor::copy(numbers, {vertices, 3});
}

struct Question {
  explicit Question(int64_t vertices) : graph(ring(vertices)), x(features(vertices)) {}
  gnn::Tensor ask(gnn::Model &model) const { return model.infer(graph, {{"x", x}}).at("logits"); }

  gnn::Graph graph;
  gnn::Tensor x, answer;
};

/// Tensors that somebody else destroys: each put in takes the one before out.
class Exchange {
public:
  gnn::Tensor swap(gnn::Tensor mine) {
    std::lock_guard<std::mutex> lock(mutex);
    std::swap(mine, kept);
    return mine;
  }

private:
  std::mutex mutex;
  gnn::Tensor kept;
};

/// How many answers are wrong; `modelOf(thread)` is asked.
int64_t serve(int threads, int calls, const std::vector<Question> &questions,
              const std::function<gnn::Model &(int)> &modelOf) {
  std::atomic<int64_t> wrong{0};
  Exchange exchange;
  std::vector<std::thread> all;
  for (int t = 0; t < threads; ++t)
    all.emplace_back([&, t] {
      for (int call = 0; call < calls; ++call)
        try {
          const Question &question = questions[size_t(call / callsOnAGraph + t) % questions.size()];
          gnn::Tensor found = question.ask(modelOf(t));
          gnn::Tensor here = found.toHost();
          wrong += std::memcmp(here.data<float>(), question.answer.data<float>(), size_t(here.count()) * 4) != 0;
          exchange.swap(std::move(found));
        } catch (const gnn::Error &error) {
          if (!wrong++)
            std::fprintf(stderr, "%s\n", error.what());
        }
    });
  for (std::thread &thread : all)
    thread.join();
  return wrong;
}

} // namespace

int main(int argc, char **argv) {
  if (argc < 5)
    return 2;
  const std::string device = argv[2];
  const int threads = std::atoi(argv[3]), calls = std::atoi(argv[4]);
  auto open = [&] {
    gnn::ModelOptions options(1);
    options.device = device;
    options.deviceOutputs = true;
    gnn::Model model(argv[1], options);
    model.bindDim("in", 3);
    model.bindDim("classes", 3);
    model.initialize(1);
    return model;
  };
  auto seconds = [](auto body) {
    const auto begin = std::chrono::steady_clock::now();
    body();
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  };

  std::vector<Question> questions;
  for (int64_t vertices : {40, 90})
    questions.emplace_back(vertices);
  gnn::Model one = open();
  for (Question &question : questions)
    question.answer = question.ask(one).toHost();
  int64_t wrong = 0;
  const double shared =
      seconds([&] { wrong = serve(threads, calls, questions, [&](int) -> gnn::Model & { return one; }); });
  std::printf("%d threads, %d calls each: %lld wrong\n", threads, calls, static_cast<long long>(wrong));
  if (argc > 5) {
    std::vector<gnn::Model> models;
    for (int t = 0; t < threads; ++t)
      models.push_back(open());
    const double own = seconds(
        [&] { wrong += serve(threads, calls, questions, [&](int t) -> gnn::Model & { return models[size_t(t)]; }); });
    std::printf("one model: %.0f calls a second, %.3f of those of a model for each thread\n",
                double(threads) * calls / shared, own / shared);
  }
  return wrong ? 1 : 0;
}
