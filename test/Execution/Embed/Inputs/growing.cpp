// growing MODEL.so one|types|library [CLASSES|stored|ahead]: edges and vertices are appended, a few at a time, to a
// random graph. Over each snapshot, kept until the end, answers must have the bits of those over a graph made at once.
// With `stored` the model stores rows of earlier layers, and answers at once, too. With `ahead` it also answers over
// what is stored while there are later snapshots, which are then stored.
#include <gnn/gnn.hpp>

#include <cstdio>
#include <cstring>
#include <random>
#include <string>

namespace {

constexpr int64_t width = 6, numTypes = 3;

struct Relation {
  const char *name;
  uint32_t source, destination;
  bool hasTypes;
  std::vector<int64_t> src, dst, types{};

  gnn_edges_t part(int64_t begin, int64_t end) const {
    gnn_edges_t edges{};
    edges.name = name;
    edges.source = source;
    edges.destination = destination;
    edges.num_types = hasTypes ? numTypes : 0;
    edges.num_edges = end - begin;
    edges.src = src.data() + begin;
    edges.dst = dst.data() + begin;
    edges.edge_type = hasTypes ? types.data() + begin : nullptr;
    return edges;
  }
};

gnn::Tensor rows(int64_t begin, int64_t end) {
  std::vector<float> numbers;
  for (int64_t i = width * begin; i < width * end; ++i)
    numbers.push_back(float(i * 37 % 101 - 50) / 17);
  return gnn::Tensor::copy<float>(numbers, {end - begin, width});
}

struct Moment {
  gnn::Snapshot snapshot;
  std::vector<int64_t> vertices, edges; // of each type and relation
};

struct World {
  std::vector<std::string> types;
  std::vector<Relation> relations;

  std::vector<gnn_vertices_t> counts(const std::vector<int64_t> &of) const {
    std::vector<gnn_vertices_t> result;
    for (size_t t = 0; t < types.size(); ++t)
      result.push_back({types[t].c_str(), of[t]});
    return result;
  }
  gnn::Inputs features(const std::vector<int64_t> &begin, const std::vector<int64_t> &end) const {
    gnn::Inputs inputs;
    for (size_t t = 0; t < types.size(); ++t)
      inputs.emplace_back(types.size() > 1 ? types[t] + ".x" : "x", rows(begin[t], end[t]));
    return inputs;
  }
  std::vector<gnn_edges_t> edges(const std::vector<int64_t> &begin, const std::vector<int64_t> &end) const {
    std::vector<gnn_edges_t> result;
    for (size_t r = 0; r < relations.size(); ++r)
      result.push_back(relations[r].part(begin[r], end[r]));
    return result;
  }
};

/// Whether all answers are those over a graph made at once.
bool isRight(const World &world, gnn::Model &model, const Moment &moment) {
  const std::vector<int64_t> none(4, 0);
  const gnn::Graph whole = gnn::Graph::fromSchema(world.counts(moment.vertices), world.edges(none, moment.edges));
  const gnn::Inputs inputs = world.features(none, moment.vertices);
  const std::string asked = world.types.back();
  bool isRight = true;
  for (int64_t vertex = 0; vertex < moment.vertices.back(); ++vertex) {
    const std::string type = world.types.size() > 1 ? asked : "";
    const gnn::Tensor found = moment.snapshot.inferAt(model, {vertex}, type).begin()->second;
    const gnn::Tensor expected = model.inferAt(whole, inputs, {vertex}, type).begin()->second;
    isRight &= found.count() == expected.count() && found.count() > 0 &&
               std::memcmp(found.data<float>(), expected.data<float>(), 4 * size_t(found.count())) == 0;
  }
  return isRight;
}

} // namespace

int main(int argc, char **argv) try {
  const std::string kind = argv[2];
  std::mt19937_64 random(7);
  World world;
  if (kind == "library")
    world = {{"Author", "Paper"}, {{"writes", 0, 1, false, {}, {}}, {"cites", 1, 1, false, {}, {}}}};
  else
    world = {{"vertex"}, {{"edge", 0, 0, kind == "types", {}, {}}}};
  gnn::Model model(argv[1], /*threads=*/2);
  model.bindDim("in", width);
  const bool isAhead = argc > 3 && std::string(argv[3]) == "ahead";
  const bool stores = isAhead || (argc > 3 && std::string(argv[3]) == "stored");
  if (argc > 3 && !stores)
    model.bindDim("classes", std::stoi(argv[3]));
  if (kind == "types")
    model.bindDim("types", 2 * numTypes);
  model.initialize(5);

  std::vector<int64_t> vertices(world.types.size(), 0), edges(world.relations.size(), 0);
  gnn_growing_options_t options{};
  options.size = sizeof options;
  options.stored_bytes = stores ? 3000 : 0; // of some vertices
  gnn::GrowingGraph graph(world.counts(vertices), world.edges(edges, edges), world.features(vertices, vertices),
                          &options);
  std::vector<Moment> moments;
  int wrong = 0;
  for (int step = 0; step < 12; ++step) {
    std::vector<int64_t> moreVertices = vertices, moreEdges = edges;
    for (int64_t &count : moreVertices)
      count += step % 3 ? 0 : 8;
    for (size_t r = 0; r < world.relations.size(); ++r) {
      Relation &relation = world.relations[r];
      moreEdges[r] += 20;
      for (int i = 0; i < 20; ++i) {
        relation.src.push_back(int64_t(random() % uint64_t(moreVertices[relation.source])));
        relation.dst.push_back(random() % 3 ? int64_t(random() % uint64_t(moreVertices[relation.destination])) : 1);
        relation.types.push_back(int64_t(random() % numTypes));
      }
    }
    std::vector<gnn_vertices_t> added = world.counts(moreVertices);
    for (size_t t = 0; t < added.size(); ++t)
      added[t].count -= vertices[t];
    graph.append(added, world.features(vertices, moreVertices), world.edges(edges, moreEdges));
    vertices = moreVertices;
    edges = moreEdges;
    if (step == 2 || step == 5)
      graph.compact();
    moments.push_back({graph.snapshot(), vertices, edges});
    if (stores) { // what an earlier snapshot makes is not kept for a later one
      moments.back().snapshot.storedRows(model);
      if (isAhead && step > 0) {
        const Moment &stored = moments[moments.size() - 2];
        wrong += graph.storedSnapshot(model).numEdges() != stored.snapshot.numEdges();
        wrong += !isRight(world, model, {graph.storedSnapshot(model), stored.vertices, stored.edges});
      }
      if (isAhead)
        graph.snapshot().store(model);
      wrong += step > 0 && !isRight(world, model, moments[moments.size() - 2]);
      wrong += !isRight(world, model, moments.back());
    }
  }
  if (stores) {
    const gnn_stored_rows_t state = graph.snapshot().storedRows(model);
    std::printf("of %d vertices %d were known, and taken %d times\n", int(state.chosen), int(state.known),
                int(state.taken));
  }
  for (const Moment &moment : moments)
    wrong += !isRight(world, model, moment);
  std::printf("%d of %zu snapshots are wrong\n", wrong, moments.size());
} catch (const gnn::Error &error) {
  std::printf("error: %s\n", error.what());
}
