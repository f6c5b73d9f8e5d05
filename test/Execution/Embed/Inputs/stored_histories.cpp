// stored_histories MODEL.so chain|library THREADS [FIRST_SEED]: GNNC_HISTORY_STEPS random steps (40000) of graphs that
// grow while rows are stored. Edges and vertices are appended and prepared anew, snapshots are taken, stored and
// released, and answers computed over any of them in any order. The reference is a naive model: plain loops over the
// edges of each snapshot, in integers that f32 holds exactly.
#include <gnn/gnn.hpp>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <memory>
#include <mutex>
#include <random>
#include <string>
#include <thread>

namespace {

constexpr int64_t width = 2, maxEdges = 40, numEdgeTypes = 2;
using Row = std::array<int64_t, width>;
using Rows = std::vector<Row>;

int64_t featureOf(int64_t type, int64_t vertex, int64_t column) { return (vertex * 7 + column * 3 + type) % 5 - 2; }

struct Relation {
  const char *name;
  uint32_t source, destination; // vertex types
  bool hasTypes;
  std::vector<int64_t> src{}, dst{}, types{};
};

/// The reference: edges and numbers of vertices, and the output computed from them.
struct NaiveGraph {
  bool isChain;
  std::vector<const char *> typeNames;
  std::vector<int64_t> counts; // [vertex types]
  std::vector<Relation> relations;

  explicit NaiveGraph(bool chain) : isChain(chain) {
    if (isChain) {
      typeNames = {"vertex"};
      relations = {{"edge", 0, 0, false}};
    } else {
      typeNames = {"Author", "Paper"};
      relations = {{"writes", 0, 1, false}, {"cites", 1, 1, true}};
    }
    counts.assign(typeNames.size(), 0);
  }

  uint32_t askedType() const { return uint32_t(counts.size()) - 1; }
  Rows inputs(uint32_t type) const {
    Rows rows(size_t(counts[type]), Row{});
    for (size_t v = 0; v < rows.size(); ++v)
      for (size_t c = 0; c < width; ++c)
        rows[v][c] = featureOf(type, int64_t(v), int64_t(c));
    return rows;
  }
  Rows outputs() const { return isChain ? chainOutputs() : libraryOutputs(); }

private:
  /// Adds `factor` times the row at the other end of each edge to the row at its end. `of`: rows at the other ends.
  template <class Factor>
  static void addSum(Rows &to, const std::vector<int64_t> &ends, const std::vector<int64_t> &others, const Rows &of,
                     Factor factor) {
    for (size_t e = 0; e < ends.size(); ++e)
      for (size_t c = 0; c < width; ++c)
        to[size_t(ends[e])][c] += factor(e) * of[size_t(others[e])][c];
  }
  /// The largest row at the other ends of edges, element by element; 0 without edges.
  static Rows maxima(size_t numRows, const std::vector<int64_t> &ends, const std::vector<int64_t> &others,
                     const Rows &of) {
    Rows result(numRows, Row{});
    std::vector<bool> hasEdges(numRows, false);
    for (size_t e = 0; e < ends.size(); ++e) {
      Row &row = result[size_t(ends[e])];
      for (size_t c = 0; c < width; ++c)
        row[c] = hasEdges[size_t(ends[e])] ? std::max(row[c], of[size_t(others[e])][c]) : of[size_t(others[e])][c];
      hasEdges[size_t(ends[e])] = true;
    }
    return result;
  }

  Rows chainOutputs() const {
    const std::vector<int64_t> &src = relations[0].src, &dst = relations[0].dst;
    auto once = [](size_t) { return int64_t(1); };
    const Rows x = inputs(0);
    Rows a = x;
    addSum(a, dst, src, x, once);
    for (int64_t v : src) // the degree
      for (int64_t &number : a[size_t(v)])
        ++number;
    Rows b = a;
    const Rows largest = maxima(a.size(), src, dst, a);
    for (int64_t v : dst) // once for each edge into v
      for (size_t c = 0; c < width; ++c)
        b[size_t(v)][c] += largest[size_t(v)][c];
    Rows next = b;
    addSum(next, dst, src, b, [](size_t) { return int64_t(-1); });
    Rows out = next;
    addSum(out, src, dst, next, once);
    return out;
  }

  Rows libraryOutputs() const {
    const Relation &writes = relations[0], &cites = relations[1];
    auto once = [](size_t) { return int64_t(1); };
    const Rows x = inputs(1);
    Rows z = x, k = inputs(0);
    addSum(z, cites.dst, cites.src, x, [&](size_t e) { return cites.types[e] + 1; });
    addSum(z, cites.src, cites.dst, x, [&](size_t e) { return cites.types[e] + numEdgeTypes + 1; });
    addSum(k, writes.src, writes.dst, z, once);
    std::vector<int64_t> ends = cites.dst, others = cites.src; // each edge also against its direction
    ends.insert(ends.end(), cites.src.begin(), cites.src.end());
    others.insert(others.end(), cites.dst.begin(), cites.dst.end());
    Rows out = maxima(z.size(), ends, others, z);
    addSum(out, writes.dst, writes.src, k, once);
    return out;
  }
};

struct Moment {
  gnn::Snapshot snapshot;
  std::shared_ptr<const Rows> rows; // of the reference
};

struct Totals {
  std::atomic<int64_t> answers{0}, wrong{0}, taken{0};
};

/// One graph from its beginning on. Steps may come from several threads.
class History {
public:
  History(bool isChain, gnn::Model &answering, uint64_t seed, Totals &counted)
      : model(answering), totals(counted), number(seed), naive(isChain) {
    std::mt19937_64 random(seed);
    gnn_growing_options_t options{};
    options.size = sizeof options;
    options.stored_bytes = random() % 2 ? 1 << 20 : int64_t(500 + random() % 1500);
    std::vector<gnn_vertices_t> vertices;
    for (uint32_t type = 0; type < naive.counts.size(); ++type)
      vertices.push_back({naive.typeNames[type], naive.counts[type] = int64_t(4 + random() % 8)});
    std::vector<gnn_edges_t> edges;
    for (Relation &relation : naive.relations)
      edges.push_back(append(relation, 4 + random() % 16, random));
    graph = std::make_unique<gnn::GrowingGraph>(vertices, edges, features(std::vector<int64_t>(vertices.size(), 0)),
                                                &options);
    publish();
  }
  ~History() { totals.taken += newest->snapshot.storedRows(model).taken; }

  void step(std::mt19937_64 &random) {
    const uint64_t choice = random() % 100;
    if (choice < 10)
      return grow(random);
    if (choice < 12)
      return graph->compact();
    if (choice < 22)
      return keep(random);
    if (choice < 26)
      return release(random);
    if (choice < 31) {
      any(random)->snapshot.store(model);
      return;
    }
    if (choice < 40) {
      const gnn::Snapshot stored = graph->storedSnapshot(model);
      return answer(stored, *rowsOf(stored), random, "the stored snapshot");
    }
    const std::shared_ptr<const Moment> moment = any(random);
    answer(moment->snapshot, *moment->rows, random, "a snapshot");
  }

private:
  /// Which snapshot it is: nothing is ever taken away.
  static std::vector<int64_t> sizesOf(const gnn::Snapshot &snapshot) {
    return {snapshot.numVertices(0), snapshot.numVertices(1), snapshot.numEdges(0), snapshot.numEdges(1)};
  }

  static int64_t endOf(int64_t numVertices, std::mt19937_64 &random) {
    const int64_t among = std::min<int64_t>(numVertices, 14); // few, so that edges meet
    return random() % 4 ? int64_t(random() % uint64_t(among)) : numVertices - 1;
  }

  /// Extends the reference, and returns the edges that are new. They stay until the relation is extended again.
  gnn_edges_t append(Relation &relation, uint64_t count, std::mt19937_64 &random) {
    const size_t begin = relation.src.size();
    for (uint64_t i = 0; i < count; ++i) {
      relation.src.push_back(endOf(naive.counts[relation.source], random));
      relation.dst.push_back(endOf(naive.counts[relation.destination], random));
      relation.types.push_back(int64_t(random() % uint64_t(numEdgeTypes)));
    }
    gnn_edges_t edges{};
    edges.name = relation.name;
    edges.source = relation.source;
    edges.destination = relation.destination;
    edges.num_types = relation.hasTypes ? uint32_t(numEdgeTypes) : 0;
    edges.num_edges = int64_t(count);
    edges.src = relation.src.data() + begin;
    edges.dst = relation.dst.data() + begin;
    edges.edge_type = relation.hasTypes ? relation.types.data() + begin : nullptr;
    return edges;
  }

  gnn::Inputs features(const std::vector<int64_t> &begin) const {
    gnn::Inputs inputs;
    for (uint32_t type = 0; type < naive.counts.size(); ++type) {
      std::vector<float> numbers;
      for (int64_t v = begin[type]; v < naive.counts[type]; ++v)
        for (int64_t c = 0; c < width; ++c)
          numbers.push_back(float(featureOf(type, v, c)));
      const std::string name = naive.counts.size() > 1 ? std::string(naive.typeNames[type]) + ".x" : "x";
      inputs.emplace_back(name, gnn::Tensor::copy<float>(numbers, {naive.counts[type] - begin[type], width}));
    }
    return inputs;
  }

  void publish() {
    newest = std::make_shared<Moment>(Moment{graph->snapshot(), std::make_shared<const Rows>(naive.outputs())});
    known[sizesOf(newest->snapshot)] = newest->rows;
    if (kept.empty())
      kept.push_back(newest);
  }

  void grow(std::mt19937_64 &random) {
    const std::lock_guard<std::mutex> lock(mutex);
    const std::vector<int64_t> before = naive.counts;
    std::vector<gnn_vertices_t> vertices;
    for (uint32_t type = 0; type < before.size(); ++type) {
      // Rarely so many that the graph has no room for them and is prepared anew, by the call that appends.
      const int64_t more = random() % 40 == 0 && before[type] < 2000 ? 1100 : random() % 4 == 0 ? 1 : 0;
      naive.counts[type] += more;
      vertices.push_back({naive.typeNames[type], more});
    }
    std::vector<gnn_edges_t> edges;
    for (Relation &relation : naive.relations)
      if (random() % 4 && int64_t(relation.src.size()) < maxEdges - 3)
        edges.push_back(append(relation, 1 + random() % 2, random));
    graph->append(vertices, features(before), edges);
    publish();
  }

  void keep(std::mt19937_64 &random) {
    const std::lock_guard<std::mutex> lock(mutex);
    // A snapshot of its own: an earlier one may be of an epoch before.
    auto moment = std::make_shared<Moment>(Moment{graph->snapshot(), newest->rows});
    if (kept.size() < 6)
      kept.push_back(std::move(moment));
    else
      kept[random() % kept.size()] = std::move(moment);
  }

  void release(std::mt19937_64 &random) {
    const std::lock_guard<std::mutex> lock(mutex);
    if (kept.size() > 1)
      kept.erase(kept.begin() + std::ptrdiff_t(random() % kept.size()));
  }

  std::shared_ptr<const Moment> any(std::mt19937_64 &random) {
    const std::lock_guard<std::mutex> lock(mutex);
    return kept[random() % kept.size()];
  }

  std::shared_ptr<const Rows> rowsOf(const gnn::Snapshot &snapshot) {
    const std::lock_guard<std::mutex> lock(mutex);
    return known.at(sizesOf(snapshot));
  }

  void answer(const gnn::Snapshot &snapshot, const Rows &expected, std::mt19937_64 &random, const char *what) {
    std::vector<int64_t> asked;
    for (uint64_t i = 0, count = 1 + random() % 3; i < count; ++i)
      asked.push_back(endOf(int64_t(expected.size()), random));
    const std::string type = naive.counts.size() > 1 ? naive.typeNames[naive.askedType()] : "";
    const gnn::Tensor got = snapshot.inferAt(model, asked, type).at("out");
    ++totals.answers;
    for (size_t i = 0; i < asked.size(); ++i)
      for (size_t c = 0; c < width; ++c) {
        const float value = got.data<float>()[i * width + c];
        const int64_t right = expected[size_t(asked[i])][c];
        if (value == float(right))
          continue;
        if (totals.wrong++ < 10)
          std::printf("history %llu: vertex %lld over %s of %lld edges is %g, expected %lld\n",
                      (unsigned long long)number, (long long)asked[i], what, (long long)snapshot.numEdges(), value,
                      (long long)right);
      }
  }

  gnn::Model &model;
  Totals &totals;
  const uint64_t number;
  std::mutex mutex; // of all that follows but `graph`, and of who appends
  NaiveGraph naive;
  std::unique_ptr<gnn::GrowingGraph> graph;
  std::shared_ptr<const Moment> newest;
  std::vector<std::shared_ptr<const Moment>> kept;
  std::map<std::vector<int64_t>, std::shared_ptr<const Rows>> known; // by sizes of the snapshot
};

} // namespace

int main(int argc, char **argv) try {
  const bool isChain = std::string(argv[2]) == "chain";
  const int numThreads = std::atoi(argv[3]);
  const uint64_t first = argc > 4 ? std::strtoull(argv[4], nullptr, 10) : 1;
  const char *given = std::getenv("GNNC_HISTORY_STEPS");
  const int64_t steps = given && *given ? std::atoll(given) : 40000, stepsOfHistory = 200;
  gnn::Model model(argv[1], /*threads=*/1);
  model.bindDim("in", width);
  model.initialize(1);
  Totals totals;
  for (int64_t done = 0; done < steps && totals.wrong == 0; done += stepsOfHistory) {
    const uint64_t seed = first + uint64_t(done / stepsOfHistory);
    History history(isChain, model, seed, totals);
    std::vector<std::thread> threads;
    for (int t = 0; t < numThreads; ++t)
      threads.emplace_back([&, t] {
        std::mt19937_64 random(seed * 1000 + uint64_t(t));
        for (int64_t i = 0; i < stepsOfHistory / numThreads; ++i)
          history.step(random);
      });
    for (std::thread &thread : threads)
      thread.join();
  }
  std::printf("%lld rows were taken in %lld answers, %lld wrong\n", (long long)totals.taken, (long long)totals.answers,
              (long long)totals.wrong);
  return totals.wrong != 0;
} catch (const gnn::Error &error) {
  std::printf("error: %s\n", error.what());
  return 1;
}
