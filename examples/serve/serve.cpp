// A service that answers for single vertices of a graph to which edges are appended meanwhile, and its own load:
//
//   serve MODEL.so [--vertices N] [--edges N] [--appended N] [--each N] [--features N] [--requests N] [--threads N]
//         [--batch N] [--together N] [--wait MICROSECONDS] [--stored BYTES] [--check]
//
// The graph is R-MAT (Chakrabarti et al. 2004), with more and more edges: --each of them at a time, by default a
// hundredth of those that are --appended, evenly over the requests. Prints how long requests took, also by the edges
// that an answer depends on, and how long appending took. --batch is how many requests a thread has at once, --together
// how many of different threads are answered in one go (batching.hpp), for which the first one waits as long as --wait
// says. --stored is memory for rows of earlier layers of vertices with many edges. These are computed before the first
// request, and again and again by a thread of its own while edges are appended: answers are over the newest graph that
// this thread is done with. --check computes each answer again over a graph made at once of the edges that its snapshot
// had: it must have the same bits.

#include "batching.hpp"

#include <gnn/gnn.hpp>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <future>
#include <map>
#include <random>
#include <set>
#include <string>
#include <thread>
#include <time.h>

using Clock = std::chrono::steady_clock;

namespace {

struct Settings {
  std::map<std::string, int64_t> of{{"vertices", 10000}, {"edges", 100000}, {"appended", 10000}, {"features", 128},
                                    {"requests", 10000}, {"threads", 4},    {"batch", 1},        {"stored", 0},
                                    {"together", 1},     {"wait", 0},       {"each", 0},         {"check", 0}};
  int64_t operator[](const char *name) const { return of.at(name); }
};

struct Edges {
  std::vector<int64_t> src, dst;

  /// R-MAT: each half of the ids is chosen with the probabilities 0.57, 0.19, 0.19, 0.05.
  Edges(int64_t count, int64_t vertices) {
    std::mt19937_64 random(1);
    while (int64_t(src.size()) < count) {
      int64_t ends[2] = {0, 0};
      for (int64_t half = 1; half < vertices; half *= 2) {
        const double chance = double(random() >> 11) * 0x1p-53;
        ends[0] = 2 * ends[0] + (chance >= 0.76);
        ends[1] = 2 * ends[1] + ((chance >= 0.57 && chance < 0.76) || chance >= 0.95);
      }
      if (ends[0] >= vertices || ends[1] >= vertices)
        continue;
      src.push_back(ends[0]);
      dst.push_back(ends[1]);
    }
  }

  std::pair<std::vector<int64_t>, std::vector<int64_t>> part(int64_t begin, int64_t end) const {
    return {{src.begin() + begin, src.begin() + end}, {dst.begin() + begin, dst.begin() + end}};
  }
};

struct Answer {
  int64_t numEdges; // of the snapshot
  std::vector<int64_t> vertices;
  double microseconds, ofProcessor; // the latter: that the thread computed
  std::vector<float> numbers;
};

double microsecondsSince(Clock::time_point begin) {
  return std::chrono::duration<double, std::micro>(Clock::now() - begin).count();
}

/// Microseconds that this thread has computed: what others took of its processor is not in it.
double computed() {
  timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return 1e6 * double(time.tv_sec) + 1e-3 * double(time.tv_nsec);
}

double at(const std::vector<double> &sorted, double share) {
  return sorted.empty() ? 0 : sorted[size_t(share * double(sorted.size() - 1))];
}

std::vector<float> numbersOf(const gnn::Tensor &tensor) {
  return {tensor.data<float>(), tensor.data<float>() + tensor.count()};
}

/// Answers one request at a time with those of other threads, until `left` is 0.
std::vector<Answer> serveTogether(Batching &batching, const Settings &settings, const std::vector<int64_t> &vertices,
                                  int64_t seed, std::atomic<int64_t> &left) {
  std::mt19937_64 random(uint64_t(100 + seed));
  std::vector<Answer> answers;
  while (left.fetch_sub(1) > 0) {
    const std::vector<int64_t> asked{vertices[random() % vertices.size()]};
    const Clock::time_point begin = Clock::now();
    const Batching::Answer answer = batching.ask({asked});
    answers.push_back({answer.numEdges, asked, microsecondsSince(begin), 0,
                       settings["check"] ? numbersOf(answer.outputs.begin()->second) : std::vector<float>()});
  }
  return answers;
}

/// Answers requests for random ones of `vertices` until `left` is 0.
std::vector<Answer> serve(const gnn::GrowingGraph &graph, gnn::Model &model, const Settings &settings,
                          const std::vector<int64_t> &vertices, int64_t seed, std::atomic<int64_t> &left) {
  std::mt19937_64 random(uint64_t(100 + seed));
  std::vector<Answer> answers;
  while (left.fetch_sub(settings["batch"]) > 0) {
    std::vector<gnn::Request> requests;
    for (int64_t i = 0; i < settings["batch"]; ++i)
      requests.push_back({{vertices[random() % vertices.size()]}});
    const Clock::time_point begin = Clock::now();
    const double before = computed();
    const gnn::Snapshot snapshot = graph.storedSnapshot(model);
    const auto outputs = snapshot.inferEach(model, requests);
    const double ofProcessor = computed() - before, microseconds = microsecondsSince(begin);
    for (size_t i = 0; i < requests.size(); ++i)
      answers.push_back({snapshot.numEdges(), requests[i].vertices, microseconds / double(requests.size()),
                         ofProcessor / double(requests.size()),
                         settings["check"] ? numbersOf(outputs[i].begin()->second) : std::vector<float>()});
  }
  return answers;
}

/// Appends edges, evenly over the requests; how long each call took.
std::vector<double> append(gnn::GrowingGraph &graph, const Edges &edges, const Settings &settings,
                           const std::atomic<int64_t> &left) {
  const int64_t all = settings["edges"] + settings["appended"];
  const int64_t step = settings["each"] ? settings["each"] : std::max<int64_t>(settings["appended"] / 100, 1);
  std::vector<double> times;
  for (int64_t begin = settings["edges"]; begin < all; begin += step) {
    const double share = double(begin - settings["edges"]) / double(settings["appended"]);
    while (double(left) > double(settings["requests"]) * (1 - share))
      std::this_thread::sleep_for(std::chrono::microseconds(200));
    const auto [src, dst] = edges.part(begin, std::min(begin + step, all));
    const Clock::time_point now = Clock::now();
    graph.append(src, dst);
    times.push_back(microsecondsSince(now));
  }
  return times;
}

/// Stores the newest rows, so that no answer has to, until there are no requests; how long each time took.
std::vector<double> store(const gnn::GrowingGraph &graph, gnn::Model &model, const std::atomic<int64_t> &left) {
  std::vector<double> times;
  for (int64_t known = graph.storedSnapshot(model).numEdges(); left > 0;) {
    const gnn::Snapshot snapshot = graph.snapshot();
    if (snapshot.numEdges() == known) {
      std::this_thread::sleep_for(std::chrono::microseconds(200));
      continue;
    }
    const Clock::time_point begin = Clock::now();
    snapshot.store(model);
    times.push_back(microsecondsSince(begin));
    known = snapshot.numEdges();
  }
  return times;
}

/// How many answers differ from those over graphs that are made at once.
int64_t countWrong(std::vector<Answer> &answers, gnn::Model &model, const Edges &edges, const gnn::Tensor &x) {
  std::sort(answers.begin(), answers.end(), [](auto &a, auto &b) { return a.numEdges < b.numEdges; });
  int64_t wrong = 0, known = -1;
  gnn::Graph graph;
  for (const Answer &answer : answers) {
    if (answer.numEdges != known) {
      const auto [src, dst] = edges.part(0, answer.numEdges);
      graph = gnn::Graph::fromEdges(src, dst, x.shape()[0]);
      known = answer.numEdges;
    }
    const std::vector<float> expected = numbersOf(model.inferAt(graph, {{"x", x}}, answer.vertices).begin()->second);
    wrong += expected.size() != answer.numbers.size() ||
             std::memcmp(expected.data(), answer.numbers.data(), 4 * expected.size()) != 0;
  }
  return wrong;
}

/// Edges that two layers read for a vertex: those into it and into whom it reads.
int64_t edgesTouched(const gnn_block_t &block, int64_t vertex) {
  std::set<int64_t> rows{vertex};
  for (int64_t e = block.offsets[vertex]; e < block.ends[vertex]; ++e)
    rows.insert(block.cols[e]);
  int64_t edges = 0;
  for (int64_t row : rows)
    edges += block.ends[row] - block.offsets[row];
  return edges;
}

void report(std::vector<Answer> &answers, const Edges &edges, const Settings &settings, double seconds) {
  std::set<int64_t> snapshots;
  for (const Answer &answer : answers)
    snapshots.insert(answer.numEdges);
  std::printf("%zu answers over %zu snapshots by %d threads: %.0f a second\n", answers.size(), snapshots.size(),
              int(settings["threads"]), double(answers.size()) / seconds);
  const gnn::Graph graph = gnn::Graph::fromEdges(edges.src, edges.dst, settings["vertices"]);
  const gnn_block_t block = graph.block(GNN_TO_DESTINATION);
  std::vector<double> times, computed, touched;
  double total = 0, allTouched = 0;
  int64_t within = 0;
  for (const Answer &answer : answers) {
    times.push_back(answer.microseconds);
    computed.push_back(answer.ofProcessor);
    touched.push_back(double(edgesTouched(block, answer.vertices[0])));
    total += times.back();
    allTouched += touched.back();
    within += times.back() <= 20 + 0.02 * touched.back();
  }
  for (std::vector<double> *each : {&times, &computed, &touched})
    std::sort(each->begin(), each->end());
  std::printf("microseconds: p50 %.1f, p90 %.1f, p99 %.1f\n", at(times, 0.5), at(times, 0.9), at(times, 0.99));
  if (settings["together"] == 1) // else another thread may have computed the answer
    std::printf("of the thread's own processor time: p50 %.1f, p90 %.1f, p99 %.1f\n", at(computed, 0.5),
                at(computed, 0.9), at(computed, 0.99));
  std::printf("edges touched: p50 %.0f, p90 %.0f, p99 %.0f\n", at(touched, 0.5), at(touched, 0.9), at(touched, 0.99));
  std::printf("microseconds an edge touched: %.4f; within 20 + 0.02 an edge: %.1f %%\n",
              total / std::max(allTouched, 1.0), 100 * double(within) / double(times.size()));
}

void reportTimes(const char *what, std::vector<double> times) {
  std::sort(times.begin(), times.end());
  if (!times.empty())
    std::printf("%s %zu times, microseconds: p50 %.1f, p99 %.1f, most %.1f\n", what, times.size(), at(times, 0.5),
                at(times, 0.99), times.back());
}

Settings parse(int argc, char **argv) {
  Settings settings;
  for (int i = 2; i < argc; ++i) {
    const std::string name = std::strncmp(argv[i], "--", 2) == 0 ? argv[i] + 2 : "";
    if (!settings.of.count(name))
      throw std::runtime_error(std::string("unknown option ") + argv[i]);
    if (name == "check") {
      settings.of[name] = 1;
      continue;
    }
    char *end = nullptr;
    settings.of[name] = ++i < argc ? std::strtoll(argv[i], &end, 10) : -1;
    if (!end || *end ||
        settings.of[name] < (name == "appended" || name == "stored" || name == "wait" || name == "each" ? 0 : 1))
      throw std::runtime_error("--" + name + " takes a number");
  }
  return settings;
}

} // namespace

int main(int argc, char **argv) try {
  if (argc < 2)
    throw std::runtime_error("usage: serve MODEL.so [--vertices N] [--edges N] [--appended N] [--each N] "
                             "[--features N] [--requests N] [--threads N] [--batch N] [--together N] "
                             "[--wait MICROSECONDS] [--stored BYTES] [--check]");
  const Settings settings = parse(argc, argv);
  const Edges edges(settings["edges"] + settings["appended"], settings["vertices"]);
  std::vector<float> numbers(size_t(settings["vertices"] * settings["features"]));
  std::mt19937_64 random(2);
  for (float &number : numbers)
    number = float(random() >> 40) / float(1 << 24) - 0.5f;
  const gnn::Tensor x = gnn::Tensor::copy<float>(numbers, {settings["vertices"], settings["features"]});
  gnn::Model model(argv[1], /*threads=*/1); // requests are answered side by side
  model.bindDim("in", settings["features"]);
  model.initialize(1);
  const auto [src, dst] = edges.part(0, settings["edges"]);
  gnn_growing_options_t options{};
  options.size = sizeof options;
  options.stored_bytes = settings["stored"];
  gnn::GrowingGraph graph(src, dst, settings["vertices"], {{"x", x}}, &options);

  const std::set<int64_t> readers(dst.begin(), dst.end()); // R-MAT leaves many vertices without edges
  const std::vector<int64_t> asked(readers.begin(), readers.end());
  std::atomic<int64_t> left{settings["requests"]};
  auto onThreads = [&](auto task) {
    std::vector<std::future<std::vector<Answer>>> tasks;
    for (int64_t t = 0; t < settings["threads"]; ++t)
      tasks.push_back(std::async(std::launch::async, [&left, task, t] {
        try {
          return task(t);
        } catch (...) {
          left = 0; // nobody waits for the others
          throw;
        }
      }));
    return tasks;
  };
  for (auto &warmUp : onThreads([&](int64_t) { // the first call of each prepares what it needs
         graph.snapshot().inferAt(model, {0});
         return std::vector<Answer>();
       }))
    warmUp.get();
  if (settings["stored"])
    std::printf("rows of %lld vertices are stored\n", static_cast<long long>(graph.snapshot().store(model).known));
  const Clock::time_point begin = Clock::now();
  Batching batching(graph, model, size_t(settings["together"]), std::chrono::microseconds(settings["wait"]));
  auto served = onThreads([&](int64_t t) {
    return settings["together"] > 1 ? serveTogether(batching, settings, asked, t, left)
                                    : serve(graph, model, settings, asked, t, left);
  });
  auto stored = std::async(std::launch::async,
                           [&] { return settings["stored"] ? store(graph, model, left) : std::vector<double>(); });
  const std::vector<double> appended = append(graph, edges, settings, left);
  std::vector<Answer> answers;
  for (auto &part : served)
    for (Answer &answer : part.get())
      answers.push_back(std::move(answer));
  const double seconds = std::chrono::duration<double>(Clock::now() - begin).count();
  report(answers, edges, settings, seconds);
  reportTimes("appended", appended);
  reportTimes("stored", stored.get());
  if (settings["check"]) {
    const int64_t wrong = countWrong(answers, model, edges, x);
    std::printf("%lld answers differ from those of graphs made at once\n", static_cast<long long>(wrong));
    return wrong != 0;
  }
} catch (const std::exception &error) {
  std::fprintf(stderr, "serve: %s\n", error.what());
  return 1;
}
