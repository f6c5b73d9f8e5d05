//===- InterfaceCalls.cpp - Random calls of the C interface ---------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// interface-calls [--seed N] [--count N]: so many sequences of 50 random calls, each sequence in a world of its own.
// This file has the calls on tensors, graphs and data sets; InterfaceWorld.h says what is checked.
//
//===----------------------------------------------------------------------===//

#include "InterfaceWorld.h"

#include <algorithm>
#include <cstring>

namespace {

constexpr int64_t callsOfSequence = 50;

size_t bytesOf(uint32_t element) { return element == GNN_BOOL ? 1 : element == GNN_F32 || element == GNN_I32 ? 4 : 8; }

} // namespace

void World::callSomething() {
  using Call = void (World::*)();
  static constexpr Call calls[] = {&World::createTensor,
                                   &World::createTensorWrongly,
                                   &World::viewTensor,
                                   &World::shareTensor,
                                   &World::exchangeTensor,
                                   &World::fileTensor,
                                   &World::writeTensor,
                                   &World::destroyTensor,
                                   &World::createGraph,
                                   &World::createGraph,
                                   &World::createGraphWrongly,
                                   &World::createSchema,
                                   &World::transformGraph,
                                   &World::askGraph,
                                   &World::extendEdges,
                                   &World::destroyGraph,
                                   &World::useDataset,
                                   &World::openModel,
                                   &World::openModel,
                                   &World::openModelWrongly,
                                   &World::bindDim,
                                   &World::askModel,
                                   &World::initializeModel,
                                   &World::useParameter,
                                   &World::saveModel,
                                   &World::loadModel,
                                   &World::infer,
                                   &World::infer,
                                   &World::infer,
                                   &World::inferWrongly,
                                   &World::inferWrongly,
                                   &World::destroyModel,
                                   &World::createTrainer,
                                   &World::createTrainer,
                                   &World::createTrainerWrongly,
                                   &World::createTrainerWrongly,
                                   &World::step,
                                   &World::step,
                                   &World::evaluate,
                                   &World::saveTrainer,
                                   &World::resumeTrainer,
                                   &World::resumeTrainer,
                                   &World::destroyTrainer};
  (this->*calls[random.below(int64_t(sizeof calls / sizeof *calls))])();
}

// ---- Tensors --------------------------------------------------------------------------------------------------------

void World::createTensor() {
  const uint32_t element = uint32_t(random.below(GNN_BOOL + 1));
  std::vector<int64_t> shape;
  for (int64_t rank = random.below(GNN_MAX_RANK + 1); rank > 0; --rank)
    shape.push_back(random.below(3));
  gnn_tensor_t *tensor = nullptr;
  accept(gnn_tensor_create(element, uint32_t(shape.size()), shape.data(), &tensor), "gnn_tensor_create");
  addTensor(tensor, element, shape);
}

void World::createTensorWrongly() {
  const int64_t negative[] = {2, -1}, huge[] = {INT64_MAX, 4}, good[] = {2, 3};
  double numbers[6] = {};
  auto create = [&](gnn_status_t expected, const char *what, uint32_t element, uint32_t rank, const int64_t *shape) {
    refuseHandle<gnn_tensor_t>(expected, what,
                               [&](gnn_tensor_t **out) { return gnn_tensor_create(element, rank, shape, out); });
    refuseHandle<gnn_tensor_t>(expected, what, [&](gnn_tensor_t **out) {
      auto release = [](void *) { std::abort(); }; // never of a view that was not made
      return gnn_tensor_view(numbers, element, rank, shape, release, nullptr, out);
    });
  };
  switch (random.below(6)) {
  case 0:
    return create(GNN_ERROR_ARGUMENT, "a negative extent", GNN_F32, 2, negative);
  case 1:
    return create(GNN_ERROR_MEMORY, "a tensor beyond the address space", GNN_F64, 2, huge);
  case 2:
    return create(GNN_ERROR_ARGUMENT, "an unknown element type", uint32_t(GNN_BITS + random.below(100)), 2, good);
  case 3:
    return create(GNN_ERROR_ARGUMENT, "too many extents", GNN_F32, GNN_MAX_RANK + 1, good);
  case 4:
    return create(GNN_ERROR_ARGUMENT, "no shape", GNN_F32, 1, nullptr);
  default:
    return refuse(GNN_ERROR_ARGUMENT, "no place for a tensor",
                  [] { return gnn_tensor_create(GNN_F32, 0, nullptr, nullptr); });
  }
}

void World::viewTensor() {
  struct Owned {
    World *world;
    std::vector<double> numbers;
  };
  auto release = [](void *context) {
    auto *owned = static_cast<Owned *>(context);
    ++owned->world->viewsReleased;
    delete owned;
  };
  auto owned = std::make_unique<Owned>();
  owned->world = this;
  owned->numbers.assign(6, 1.5);
  const uint32_t element = random.oneIn(2) ? GNN_F64 : GNN_I64;
  const int64_t shape[] = {2, 3};
  if (random.oneIn(3))
    return refuseHandle<gnn_tensor_t>(GNN_ERROR_ARGUMENT, "a view that is not aligned", [&](gnn_tensor_t **out) {
      void *odd = reinterpret_cast<char *>(owned->numbers.data()) + 4;
      return gnn_tensor_view(odd, element, 1, shape, release, owned.get(), out);
    });
  gnn_tensor_t *tensor = nullptr;
  accept(gnn_tensor_view(owned->numbers.data(), element, 2, shape, release, owned.get(), &tensor), "gnn_tensor_view");
  expect(gnn_tensor_data(tensor) == owned.release()->numbers.data(), "a view shows the memory that it is of");
  ++viewsMade;
  addTensor(tensor, element, {2, 3});
}

void World::shareTensor() {
  if (tensors.empty())
    return refuseHandle<gnn_tensor_t>(GNN_ERROR_ARGUMENT, "no tensor",
                                      [](gnn_tensor_t **out) { return gnn_tensor_share(nullptr, out); });
  const TensorHandle from = any(tensors);
  gnn_tensor_t *shared = nullptr;
  accept(random.oneIn(2) ? gnn_tensor_share(from.handle, &shared) : gnn_tensor_to_host(from.handle, &shared),
         "gnn_tensor_share");
  expect(gnn_tensor_data(shared) == gnn_tensor_data(from.handle), "handles share the memory");
  addTensor(shared, from.element, from.shape);
}

void World::exchangeTensor() {
  if (tensors.empty())
    return refuseHandle<gnn_tensor_t>(GNN_ERROR_ARGUMENT, "no tensor of DLPack",
                                      [](gnn_tensor_t **out) { return gnn_tensor_from_dlpack(nullptr, out); });
  const TensorHandle from = any(tensors);
  gnn_dl_managed_tensor_t *managed = nullptr;
  accept(gnn_tensor_to_dlpack(from.handle, &managed), "gnn_tensor_to_dlpack");
  auto isRefused = [&](gnn_status_t expected, const char *what) {
    refuseHandle<gnn_tensor_t>(expected, what,
                               [&](gnn_tensor_t **out) { return gnn_tensor_from_dlpack(managed, out); });
    managed->deleter(managed); // it is the caller's still
  };
  switch (random.below(5)) {
  case 0:
    managed->version.major = 7;
    return isRefused(GNN_ERROR_VERSION, "another version of DLPack");
  case 1:
    managed->tensor.dtype.lanes = 4;
    return isRefused(GNN_ERROR_MISMATCH, "elements of several lanes");
  case 2:
    managed->tensor.ndim = -1;
    return isRefused(GNN_ERROR_DATA, "a negative rank");
  default:
    break;
  }
  gnn_tensor_t *tensor = nullptr;
  accept(gnn_tensor_from_dlpack(managed, &tensor), "gnn_tensor_from_dlpack");
  addTensor(tensor, from.element, from.shape);
}

void World::fileTensor() {
  if (tensors.empty())
    return refuseHandle<gnn_tensor_t>(GNN_ERROR_IO, "a file that is not there",
                                      [&](gnn_tensor_t **out) { return gnn_npy_load("/no/such/file", out); });
  const TensorHandle from = any(tensors);
  if (random.oneIn(4))
    return refuse(GNN_ERROR_IO, "a folder that is not there",
                  [&] { return gnn_npy_save(from.handle, folder.path("no/such/file.npy").c_str()); });
  const std::string path = newPath();
  accept(gnn_npy_save(from.handle, path.c_str()), "gnn_npy_save");
  gnn_tensor_t *tensor = nullptr;
  accept(gnn_npy_load(path.c_str(), &tensor), "gnn_npy_load");
  expect(!std::memcmp(gnn_tensor_data(tensor), gnn_tensor_data(from.handle),
                      size_t(gnn_tensor_count(tensor)) * bytesOf(from.element)),
         "a file has the tensor that was saved");
  addTensor(tensor, from.element, from.shape);
  std::string bytes = TemporaryFolder::readBytes(path);
  bytes.resize(size_t(random.below(int64_t(bytes.size()))));
  folder.write("damaged", bytes);
  refuseHandle<gnn_tensor_t>(GNN_ERROR_DATA, "half a file",
                             [&](gnn_tensor_t **out) { return gnn_npy_load(folder.path("damaged").c_str(), out); });
}

void World::writeTensor() {
  if (tensors.empty())
    return refuse(GNN_ERROR_ARGUMENT, "no tensor to write to", [] {
      void *data = nullptr;
      return gnn_tensor_mutable_data(nullptr, &data);
    });
  const TensorHandle &tensor = any(tensors);
  void *to = nullptr;
  accept(gnn_tensor_mutable_data(tensor.handle, &to), "gnn_tensor_mutable_data");
  std::memset(to, int(random.below(2)), size_t(gnn_tensor_count(tensor.handle)) * bytesOf(tensor.element));
}

void World::destroyTensor() {
  gnn_tensor_destroy(nullptr);
  if (tensors.empty())
    return;
  std::swap(any(tensors), tensors.back());
  gnn_tensor_destroy(tensors.back().handle);
  tensors.pop_back();
}

// ---- Graphs ---------------------------------------------------------------------------------------------------------

namespace {

struct Edges {
  std::vector<int64_t> src, dst, type;

  Edges(Random &random, int64_t vertices, int64_t most) {
    for (int64_t count = vertices ? random.below(most) : 0; count > 0; --count) {
      src.push_back(random.below(vertices));
      dst.push_back(random.oneIn(4) ? src.back() : random.below(vertices));
      type.push_back(random.below(3));
    }
  }
  int64_t count() const { return int64_t(src.size()); }
};

} // namespace

void World::createGraph() {
  const int64_t vertices = random.below(12);
  const Edges edges(random, vertices, 40);
  const bool hasTypes = random.oneIn(3), hasOptions = hasTypes || random.oneIn(2);
  uint32_t transforms = hasOptions ? uint32_t(random.below(hasTypes ? 8 : 4)) : 0;
  gnn_graph_options_t options{sizeof options, transforms, uint32_t(random.below(3)), hasTypes ? 3u : 0u,
                              hasTypes ? edges.type.data() : nullptr};
  gnn_graph_t *graph = nullptr;
  accept(gnn_graph_from_edges(edges.src.data(), edges.dst.data(), edges.count(), vertices,
                              hasOptions ? &options : nullptr, &graph),
         "gnn_graph_from_edges");
  place(graphs, 4, gnn_graph_destroy) = {graph, vertices, edges.count(), hasTypes, false, transforms};
}

void World::createGraphWrongly() {
  const int64_t src[] = {0, 1, 2}, dst[] = {1, 2, 0}, types[] = {0, 1, 5}, outside[] = {0, 3, -1};
  gnn_graph_options_t options{sizeof options, 0, 0, 0, nullptr};
  auto create = [&](gnn_status_t expected, const char *what, const int64_t *from, int64_t edges, int64_t vertices) {
    refuseHandle<gnn_graph_t>(expected, what, [&](gnn_graph_t **out) {
      return gnn_graph_from_edges(from, dst, edges, vertices, &options, out);
    });
  };
  switch (random.below(9)) {
  case 0:
    return create(GNN_ERROR_DATA, "an id out of range", outside, 3, 3);
  case 1:
    return create(GNN_ERROR_ARGUMENT, "a negative number of edges", src, -1, 3);
  case 2:
    return create(GNN_ERROR_ARGUMENT, "a negative number of vertices", src, 0, -1);
  case 3:
    return create(GNN_ERROR_ARGUMENT, "too many vertices", src, 3, int64_t(UINT32_MAX));
  case 4:
    return create(GNN_ERROR_ARGUMENT, "no sources", nullptr, 3, 3);
  case 5:
    options.transforms = 2u * GNN_GRAPH_LOOP_KINDS << random.below(20); // the last one is GNN_GRAPH_LOOP_KINDS
    return create(GNN_ERROR_ARGUMENT, "an unknown transform", src, 3, 3);
  case 6:
    options.order = 4 + uint32_t(random.below(100));
    return create(GNN_ERROR_ARGUMENT, "an unknown order", src, 3, 3);
  case 7:
    options.edge_type = types;
    options.num_types = 3;
    return create(GNN_ERROR_DATA, "a type out of range", src, 3, 3);
  default:
    options.transforms = GNN_GRAPH_INVERSE_RELATIONS;
    return create(GNN_ERROR_MISMATCH, "inverse relations without types", src, 3, 3);
  }
}

void World::createSchema() {
  const int64_t authors = 1 + random.below(5), papers = 1 + random.below(5);
  const Edges cites(random, authors, 20), writes(random, std::min(authors, papers), 20);
  gnn_vertices_t types[] = {{"Author", authors}, {"Paper", papers}};
  gnn_edges_t relations[] = {{"knows", 0, 0, 0, 0, cites.count(), cites.src.data(), cites.dst.data(), nullptr},
                             {"writes", 0, 1, 0, 0, writes.count(), writes.src.data(), writes.dst.data(), nullptr}};
  auto isRefused = [&](gnn_status_t expected, const char *what) {
    refuseHandle<gnn_graph_t>(expected, what,
                              [&](gnn_graph_t **out) { return gnn_graph_from_schema(types, 2, relations, 2, out); });
  };
  switch (random.below(7)) {
  case 0:
    types[1].name = "Author";
    return isRefused(GNN_ERROR_ARGUMENT, "two types of vertices of one name");
  case 1:
    relations[1].name = nullptr;
    return isRefused(GNN_ERROR_ARGUMENT, "a relation without a name");
  case 2:
    relations[1].destination = 2;
    return isRefused(GNN_ERROR_ARGUMENT, "a relation to no type of vertices");
  case 3:
    relations[0].num_edges = -3;
    return isRefused(GNN_ERROR_ARGUMENT, "a negative number of edges");
  default:
    break;
  }
  gnn_graph_t *graph = nullptr;
  accept(gnn_graph_from_schema(types, 2, relations, 2, &graph), "gnn_graph_from_schema");
  place(graphs, 4, gnn_graph_destroy) = {graph, authors, cites.count(), false, true, 0};
}

void World::transformGraph() {
  if (graphs.empty())
    return refuseHandle<gnn_graph_t>(GNN_ERROR_ARGUMENT, "no graph",
                                     [](gnn_graph_t **out) { return gnn_graph_transform(nullptr, 0, out); });
  GraphHandle from = any(graphs);
  constexpr uint32_t unknown = 2 * GNN_GRAPH_LOOP_KINDS; // which chains are refused is for transform-chains
  const uint32_t transforms = uint32_t(random.below(GNN_GRAPH_NO_LOOPS)) | (random.below(2) ? unknown : 0);
  const uint32_t fresh = transforms & ~from.transforms;
  if ((fresh & unknown) || ((fresh & GNN_GRAPH_INVERSE_RELATIONS) && !from.hasTypes))
    return refuseHandle<gnn_graph_t>(
        (fresh & unknown) ? GNN_ERROR_ARGUMENT : GNN_ERROR_MISMATCH, "an impossible transform",
        [&](gnn_graph_t **out) { return gnn_graph_transform(from.handle, transforms, out); });
  gnn_graph_t *graph = nullptr;
  accept(gnn_graph_transform(from.handle, transforms, &graph), "gnn_graph_transform");
  from.transforms |= transforms;
  expect(gnn_graph_transforms(graph) == from.transforms && gnn_graph_num_vertices(graph) == from.vertices,
         "a graph has the transforms that were asked for");
  from.handle = graph;
  place(graphs, 4, gnn_graph_destroy) = from;
}

void World::askGraph() {
  if (graphs.empty())
    return;
  const GraphHandle &graph = any(graphs);
  const uint32_t types = gnn_graph_num_vertex_types(graph.handle), relations = gnn_graph_num_relations(graph.handle);
  expect(types == (graph.isSchema ? 2u : 1u) && relations == types, "a graph has its types and relations");
  gnn_vertices_t vertices{};
  gnn_edges_t edges{};
  gnn_block_t block{};
  accept(gnn_graph_vertex_type(graph.handle, 0, &vertices), "gnn_graph_vertex_type");
  accept(gnn_graph_relation(graph.handle, relations - 1, &edges), "gnn_graph_relation");
  accept(gnn_graph_block(graph.handle, uint32_t(random.below(2)), &block), "gnn_graph_block");
  expect(vertices.count == graph.vertices && block.num_rows == graph.vertices, "a graph has its vertices");
  refuse(GNN_ERROR_ARGUMENT, "no such type of vertices",
         [&] { return gnn_graph_vertex_type(graph.handle, types, &vertices); });
  refuse(GNN_ERROR_ARGUMENT, "no such relation",
         [&] { return gnn_graph_relation(graph.handle, relations + 5, &edges); });
  refuse(GNN_ERROR_ARGUMENT, "no such direction", [&] { return gnn_graph_block(graph.handle, 2, &block); });
}

void World::extendEdges() {
  if (graphs.empty())
    return;
  const GraphHandle graph = any(graphs);
  const gnn_tensor_t *rows =
      tensorOf<float>(GNN_F32, std::vector<float>(size_t(graph.givenEdges * 2), 3), {graph.givenEdges, 2});
  gnn_tensor_t *extended = nullptr;
  accept(gnn_graph_extend_edges(graph.handle, rows, &extended), "gnn_graph_extend_edges");
  addTensor(extended, GNN_F32, {gnn_graph_num_edge_ids(graph.handle), 2});
  const gnn_tensor_t *others =
      tensorOf<float>(GNN_F32, std::vector<float>(size_t(graph.givenEdges + 1)), {graph.givenEdges + 1});
  refuseHandle<gnn_tensor_t>(GNN_ERROR_MISMATCH, "a table of other edges",
                             [&](gnn_tensor_t **out) { return gnn_graph_extend_edges(graph.handle, others, out); });
}

void World::destroyGraph() {
  gnn_graph_destroy(nullptr);
  if (graphs.empty())
    return;
  std::swap(any(graphs), graphs.back());
  gnn_graph_destroy(graphs.back().handle);
  graphs.pop_back();
}

// ---- Data sets ------------------------------------------------------------------------------------------------------

void World::useDataset() {
  const char *kinds[] = {"karate", "planted", "relational"};
  const size_t kind = size_t(random.below(3));
  gnn_generate_options_t options{};
  options.size = sizeof options;
  options.num_vertices = kind ? 40 : 0;
  options.num_edges = kind ? 80 : 0;
  options.seed = uint64_t(random.below(100));
  gnn_dataset_t *made = nullptr, *loaded = nullptr;
  accept(gnn_dataset_generate(kinds[kind], kind ? &options : nullptr, &made), "gnn_dataset_generate");
  const std::string path = newPath();
  accept(gnn_dataset_save(made, path.c_str()), "gnn_dataset_save");
  accept(gnn_dataset_load(path.c_str(), &loaded), "gnn_dataset_load");
  expect(gnn_dataset_num_vertices(loaded) == gnn_dataset_num_vertices(made) &&
             gnn_dataset_num_edges(loaded) == gnn_dataset_num_edges(made) &&
             gnn_dataset_num_classes(loaded) == gnn_dataset_num_classes(made) &&
             gnn_dataset_num_features(loaded) == gnn_dataset_num_features(made),
         "a data set is what was saved");
  gnn_tensor_t *labels = nullptr;
  accept(gnn_dataset_tensor(loaded, "labels", &labels), "gnn_dataset_tensor");
  addTensor(labels, GNN_I64, {gnn_dataset_num_vertices(made)});
  refuseHandle<gnn_tensor_t>(GNN_ERROR_ARGUMENT, "a tensor that no data set has",
                             [&](gnn_tensor_t **out) { return gnn_dataset_tensor(made, "nonsense", out); });
  refuseHandle<gnn_tensor_t>(GNN_ERROR_MISMATCH, "a feature that is not there", [&](gnn_tensor_t **out) {
    return gnn_dataset_dense_feature(made, GNN_FEATURE_VERTEX, "nonsense", out);
  });
  refuseHandle<gnn_dataset_t>(GNN_ERROR_ARGUMENT, "an unknown kind of data",
                              [&](gnn_dataset_t **out) { return gnn_dataset_generate("nonsense", nullptr, out); });
  refuseHandle<gnn_dataset_t>(GNN_ERROR_IO, "a folder that is not there",
                              [&](gnn_dataset_t **out) { return gnn_dataset_load("/no/such/folder", out); });
  gnn_graph_t *graph = nullptr;
  accept(gnn_dataset_graph(loaded, GNN_GRAPH_SELF_LOOPS, uint32_t(random.below(3)), &graph), "gnn_dataset_graph");
  gnn_graph_destroy(graph);
  gnn_dataset_destroy(loaded);
  gnn_dataset_destroy(made);
}

// ---- Sequences ------------------------------------------------------------------------------------------------------

int main(int argc, char **argv) {
  const Campaign campaign = parseCampaign(argc, argv, /*count=*/400);
  int64_t calls = 0;
  const int64_t failures = campaign.run([&](Random &random) {
    World world(random);
    for (int64_t i = 0; i < callsOfSequence; ++i)
      world.callSomething();
    calls += world.calls();
  });
  std::cout << calls << " calls in " << campaign.count << " sequences from seed " << campaign.seed << ": " << failures
            << " sequences fail\n";
  return failures ? 1 : 0;
}
