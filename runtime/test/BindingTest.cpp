//===- BindingTest.cpp - Tests of data over several types -----------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What graphs say of dimensions, how a model's types are found in them, degrees by type, pairs, and what is refused.
//
//===----------------------------------------------------------------------===//

#include "runtime/src/bind/Binding.h"
#include "FakeLibrary.h"
#include "gnn/error.hpp"

#include <catch2/catch.hpp>

using namespace gnn::rt;
using Catch::Matchers::Contains;

namespace {

using Ids = std::vector<int64_t>;

/// FakeLibrary with the numbers of vertices and edge types as dimensions, degrees by type, a second type of vertices
/// with a relation to the first, and pairs.
struct TypedLibrary : FakeLibrary {
  enum { InByType = FakeLibrary::NumTensors, PairTarget, PairMask, Age };

  TypedLibrary() {
    dims.insert(dims.end(), {{"relations", -1, -1}, {"num_A", -1, -1}, {"pair_types", -1, -1}});
    ownTerms = {{1, 1, 0, &ownDims[0]}, {1, 1, 0, &ownDims[1]}, {1, 1, 0, &ownDims[2]}};
    for (const gnn_term_t &term : ownTerms)
      extents.push_back({1, 0, &term});
    types = FakeLibrary::NumExtents;
    vertices = types + 1;
    vertexTypes[0] = {"A", int32_t(vertices), 0};
    vertexTypes.push_back({"B", -1, 0});
    relations[0] = {"links", 0, 0, GNN_RELATION_EDGES, 0, int32_t(types), 0};
    relations.push_back({"of", 1, 0, GNN_RELATION_EDGES, 0, -1, 0});
    relations.push_back({"candidates", 0, 1, GNN_RELATION_PAIRS, 0, int32_t(types + 2), 0});
    tensors.push_back(like(Degree, "in_by_type"));
    tensors.back().rank = 1;
    tensors.back().shape = &types;
    tensors.push_back(like(Label, "linked", GNN_DOMAIN_EDGE, 2));
    tensors.back().element = GNN_F32;
    tensors.push_back(like(Mask, "pair_mask", GNN_DOMAIN_EDGE, 2));
    tensors.push_back(like(Label, "age", GNN_DOMAIN_VERTEX, 1));
    tensors.back().role = GNN_ROLE_INPUT;
    tensors.erase(tensors.begin() + Mask); // a loss is over one thing
    tensors.insert(tensors.begin() + Mask, like(Loss, "%unused"));
    refresh();
  }

  gnn_tensor_info_t like(Tensor other, const char *name, uint32_t domain = GNN_DOMAIN_VERTEX, uint32_t type = 0) const {
    gnn_tensor_info_t info = tensors[other];
    info.name = name;
    info.domain = domain;
    info.type = type;
    return info;
  }

  void refresh() {
    library.num_dims = uint32_t(dims.size());
    library.num_extents = uint32_t(extents.size());
    library.num_vertex_types = uint32_t(vertexTypes.size());
    library.num_relations = uint32_t(relations.size());
    library.num_tensors = uint32_t(tensors.size());
    library.dims = dims.data();
    library.extents = extents.data();
    library.vertex_types = vertexTypes.data();
    library.relations = relations.data();
    library.tensors = tensors.data();
  }

  /// A parameter with a number for each vertex of type A.
  void addTable() {
    tensors.push_back(like(W, "z", GNN_DOMAIN_PARAM));
    tensors.back().rank = 1;
    tensors.back().shape = &vertices;
    tensors.back().fan_in = tensors.back().fan_out = One;
    refresh();
  }

  uint32_t ownDims[3] = {2, 3, 4};
  std::vector<gnn_term_t> ownTerms;
  uint32_t types = 0, vertices = 0; // extents
};

struct TypedData {
  std::shared_ptr<const Graph> graph() const {
    return Graph::fromSchema(
        vertices, {{linksName, linksSource, 0, src, dst, typed ? Span<const int64_t>(types) : Span<const int64_t>(), 3},
                   {"of", 1, 0, ofSrc, ofDst, {}}});
  }
  Features features() const {
    Features result;
    result["A.x"].dense = Tensor::zeros(GNN_F32, {vertices[0].count, 6});
    result["B.x"].dense = Tensor::zeros(GNN_F32, {2, 9}); // not the one that the model reads
    result["y"].dense = Tensor::zeros(GNN_I64, {vertices[0].count});
    result["age"].dense = Tensor::of<int64_t>({7, 8});
    return result;
  }

  Ids src{0, 1, 2, 3, 3}, dst{1, 1, 1, 1, 0}, types{0, 2, 2, 0, 1}, ofSrc{0, 1, 1}, ofDst{3, 3, 2};
  std::vector<VertexSet> vertices{{"A", 4}, {"B", 2}};
  std::string linksName = "links";
  uint32_t linksSource = 0;
  bool typed = true;
};

struct Bound {
  explicit Bound(const TypedData &data, const Features &features, int64_t relations = -1)
      : library(Library::fromTable(&fake.library, "typed.so")), dims(library) {
    if (relations >= 0)
      dims.bind("relations", relations, "the test");
    auto graph = data.graph();
    bindDims(dims, *library, *graph, features, "test data");
    dims.bind("pair_types", 3, "the test");
    dims.finish();
    binding.emplace(library, dims, graph, features, /*withTargets=*/true, "test data");
  }
  explicit Bound(const TypedData &data) : Bound(data, data.features()) {}

  TypedLibrary fake;
  std::shared_ptr<const Library> library;
  Dims dims;
  std::optional<Binding> binding;
};

} // namespace

TEST_CASE("a graph binds numbers of edge types") {
  Bound bound{TypedData()};
  CHECK(bound.dims.value("relations") == 3);
  CHECK(bound.dims.value("in") == 6);
  CHECK(bound.binding->rows(1) == 2);
  CHECK(bound.binding->relation(1).block(GNN_TO_DESTINATION).num_cols == 2);
  CHECK(bound.binding->data(TypedLibrary::Age).data<int32_t>()[1] == 8);
  CHECK(bound.binding->numEdges() == 8);
}

TEST_CASE("numbers of vertices are those of each graph, and no dimensions of the model") {
  Bound bound{TypedData()};
  const uint32_t vertices = bound.fake.vertices;
  CHECK_THROWS_WITH(bound.dims.value("num_A"), Contains("no dimension 'num_A'"));
  CHECK_THROWS_WITH(bound.dims.bind("num_A", 4, "the test"), Contains("it has in, classes, relations, pair_types"));
  CHECK(bound.dims.extents()[vertices] == -1);
  CHECK_FALSE(bound.dims.known(vertices).has_value());
  CHECK(bound.binding->dimensions().extents()[vertices] == 4);
  for (int64_t count : {9, 4, 7}) {
    TypedData other;
    other.vertices[0].count = count;
    Binding binding(bound.library, bound.dims, other.graph(), other.features(), true, "other data");
    CHECK(binding.dimensions().extents()[vertices] == count);
    CHECK(binding.dimensions().extents()[bound.fake.types] == 3);
  }
  CHECK(bound.binding->dimensions().extents()[vertices] == 4);
}

TEST_CASE("numbers of vertices that have parameters are dimensions of the model") {
  TypedLibrary fake;
  fake.addTable();
  auto library = Library::fromTable(&fake.library, "typed.so");
  Dims dims(library);
  TypedData data;
  bindDims(dims, *library, *data.graph(), data.features(), "test data");
  CHECK(dims.value("num_A") == 4);
  dims.bind("pair_types", 3, "the test");
  dims.finish();
  CHECK(Binding(library, dims, data.graph(), data.features(), true, "data").dimensions().extents()[fake.vertices] == 4);
  data.vertices[0].count = 5;
  CHECK_THROWS_WITH(Binding(library, dims, data.graph(), data.features(), true, "other data"),
                    Contains("other data has 5 vertices of type A, but Fake has parameters for each of 4"));
}

TEST_CASE("numbers are rows of one where a model reads those") {
  TypedLibrary fake;
  fake.tensors[TypedLibrary::Age].rank = 1;
  uint32_t one = FakeLibrary::One;
  fake.tensors[TypedLibrary::Age].shape = &one;
  auto library = Library::fromTable(&fake.library, "typed.so");
  Dims dims(library);
  TypedData data;
  bindDims(dims, *library, *data.graph(), data.features(), "test data");
  dims.bind("pair_types", 3, "the test");
  dims.finish();
  Binding binding(library, dims, data.graph(), data.features(), true, "test data");
  CHECK(binding.data(TypedLibrary::Age).shape() == Ids{2, 1});
}

TEST_CASE("rows of bits take whole 16-bit units") {
  uint32_t shape[] = {FakeLibrary::One, FakeLibrary::In}, both[] = {FakeLibrary::In, FakeLibrary::One};
  for (uint32_t *dims : {shape, both}) {
    TypedLibrary fake;
    gnn_tensor_info_t &tensor = fake.tensors[FakeLibrary::DropZ];
    tensor.element = GNN_BITS;
    tensor.rank = 2;
    tensor.shape = dims;
    auto library = Library::fromTable(&fake.library, "typed.so");
    Dims open(library);
    TypedData data;
    Features features = data.features();
    features["A.x"].dense = Tensor::zeros(GNN_F32, {4, 17});
    bindDims(open, *library, *data.graph(), features, "test data");
    open.bind("pair_types", 3, "the test");
    open.finish();
    CHECK(open.rowBytes(tensor) == (dims == shape ? 4 : 34));
  }
}

TEST_CASE("an input that is stored in 16 bits is rounded once, when it is bound") {
  const auto [element, sixth] = GENERATE(std::pair(GNN_BF16, uint16_t(0x3e2b)), std::pair(GNN_F16, uint16_t(0x3155)));
  TypedLibrary fake;
  fake.tensors[FakeLibrary::X].element = element;
  fake.tensors[FakeLibrary::X].flags = GNN_INPUT_ROW_NORMALIZED;
  auto library = Library::fromTable(&fake.library, "typed.so");
  Dims dims(library);
  TypedData data;
  Features features = data.features();
  features["A.x"].dense = Tensor::of<double>(std::vector<double>(4 * 6, 3), {4, 6});
  bindDims(dims, *library, *data.graph(), features, "test data");
  dims.bind("pair_types", 3, "the test");
  dims.finish();
  Binding binding(library, dims, data.graph(), features, true, "test data");
  const Tensor &bound = binding.data(FakeLibrary::X);
  CHECK(bound.element() == element);
  CHECK(bound.bytes() == 4 * 6 * 2);
  CHECK(binding.tensorBytes(FakeLibrary::X) == bound.bytes());
  CHECK(static_cast<const uint16_t *>(bound.data())[23] == sixth);
}

TEST_CASE("degrees by type count the edges of each") {
  Bound bound{TypedData()};
  const Tensor &degrees = bound.binding->data(TypedLibrary::InByType);
  CHECK(degrees.shape() == Ids{4, 3});
  CHECK(std::vector<float>(degrees.data<float>(), degrees.data<float>() + 12) ==
        std::vector<float>{0, 1, 0, 2, 0, 2, 0, 0, 0, 0, 0, 0});
  CHECK(bound.binding->data(FakeLibrary::Degree).data<float>()[1] == 4);
}

TEST_CASE("inverse relations double the types that a model sees, self loops have none") {
  TypedData data;
  TypedLibrary fake;
  fake.relations[0].transforms = GNN_GRAPH_INVERSE_RELATIONS | GNN_GRAPH_SELF_LOOPS;
  auto library = Library::fromTable(&fake.library, "typed.so");
  Dims dims(library);
  bindDims(dims, *library, *data.graph(), data.features(), "test data");
  dims.bind("pair_types", 3, "the test");
  dims.finish();
  CHECK(dims.value("relations") == 6);
  Binding binding(library, dims, data.graph(), data.features(), true, "test data");
  const Tensor &degrees = binding.data(TypedLibrary::InByType);
  double sum = 0;
  for (int64_t i = 0; i < degrees.count(); ++i)
    sum += numberAt(degrees, i);
  CHECK(sum == 10); // each given edge and its inverse, also of a loop
}

TEST_CASE("a graph that does not fit the model's types is refused") {
  TypedData data;
  SECTION("no such type of vertices") {
    data.vertices[1].name = "C";
    CHECK_THROWS_WITH(Bound(data), Contains("type 'B'") && Contains("test data") && Contains("A, C"));
  }
  SECTION("no such relation") {
    data.linksName = "lines";
    CHECK_THROWS_WITH(Bound(data), Contains("A -links-> A") && Contains("lines, of"));
  }
  SECTION("a relation of other ends") {
    data.linksSource = 1;
    data.src.assign(5, 0);
    CHECK_THROWS_WITH(Bound(data), Contains("A -links-> A") && Contains("between other types"));
  }
  SECTION("edges without types") {
    data.typed = false;
    CHECK_THROWS_WITH(Bound(data), Contains("types of the edges of 'links'") && Contains("none in test data"));
  }
  SECTION("another number of types") {
    CHECK_THROWS_WITH(Bound(data, data.features(), 2), Contains("'relations' is 2") && Contains("3"));
    CHECK(Bound(data, data.features(), 4).dims.value("relations") == 4); // data may lack some
    Bound bound(data);
    data.types = {0, 0, 0, 3, 0};
    auto more = Graph::fromSchema(
        data.vertices, {{"links", 0, 0, data.src, data.dst, data.types}, {"of", 1, 0, data.ofSrc, data.ofDst, {}}});
    CHECK_THROWS_WITH(Binding(bound.library, bound.dims, more, data.features(), true, "other data"),
                      Contains("'links' in other data have 4 types") && Contains("3"));
    auto none = Graph::fromSchema(data.vertices, {{"links", 0, 0, {}, {}, {}}, {"of", 1, 0, {}, {}, {}}});
    Binding(bound.library, bound.dims, none, data.features(), true, "no edges");
  }
}

TEST_CASE("pairs are a relation that is set, with targets and a loss over them") {
  Bound bound{TypedData()};
  Binding &binding = *bound.binding;
  REQUIRE(pairsRelation(binding.library()) == 2u);
  CHECK(binding.relation(2).numEdges() == 0);
  binding.setPairs({{3, 0, 3}, {1, 0, 0}, {2, 0, 1}}, {1, 1, 0});
  gnn_block_t block = binding.relation(2).block(GNN_TO_DESTINATION);
  CHECK(block.num_rows == 2);
  CHECK(block.num_cols == 4);
  CHECK(Ids(block.edge_id32, block.edge_id32 + 3) == Ids{1, 2, 0});
  CHECK(std::vector<int32_t>(block.edge_type, block.edge_type + 3) == std::vector<int32_t>{0, 1, 2});
  CHECK(binding.data(TypedLibrary::PairTarget).data<float>()[1] == 1);
  CHECK(binding.data(TypedLibrary::PairMask).shape() == Ids{3});
  CHECK(numberAt(binding.data(TypedLibrary::PairMask), 2) == 1);
  CHECK(numberAt(binding.data(FakeLibrary::Scale), 0) == Approx(1.0 / 3));

  CHECK_THROWS_WITH(binding.setPairs({{4}, {0}, {0}}, {1}), Contains("pair 0 of test data: source 4"));
  CHECK_THROWS_WITH(binding.setPairs({{0}, {-1}, {0}}, {1}), Contains("destination -1"));
  CHECK_THROWS_WITH(binding.setPairs({{0, 0}, {0, 1}, {0, 3}}, {1, 1}), Contains("pair 1 of test data: type 3"));
  CHECK_THROWS_WITH(binding.setPairs({{0}, {0}, {}}, {1}), Contains("types of pairs"));
  CHECK(binding.relation(2).numEdges() == 3);
}

TEST_CASE("a library's wrong types and relations are refused") {
  auto refused = [](auto change, const char *what) {
    TypedLibrary fake;
    change(fake);
    CHECK_THROWS_WITH(Library::fromTable(&fake.library, "typed.so"), Contains(what));
  };
  refused([](TypedLibrary &fake) { fake.relations[0].types = 99; }, "relation 0");
  refused([](TypedLibrary &fake) { fake.relations[0].kind = 3; }, "relation 0");
  refused([](TypedLibrary &fake) { fake.relations[1].kind = GNN_RELATION_SPARSE_INPUT; }, "relation 1");
  refused([](TypedLibrary &fake) { fake.relations[2].transforms = GNN_GRAPH_SELF_LOOPS; }, "relation 2");
  refused([](TypedLibrary &fake) { fake.vertexTypes[1].is_table = 1; }, "vertex type 1");
  refused([](TypedLibrary &fake) { fake.tensors[TypedLibrary::PairMask].domain = GNN_DOMAIN_PARAM; }, "tensor");
  refused([](TypedLibrary &fake) { fake.tensors[TypedLibrary::Age].element = GNN_BITS; }, "tensor");
  refused([](TypedLibrary &fake) { fake.tensors[FakeLibrary::W].element = GNN_BF16; }, "tensor");
  refused([](TypedLibrary &fake) { fake.tensors[FakeLibrary::W].element = GNN_F16; }, "tensor");
  refused([](TypedLibrary &fake) { fake.tensors[FakeLibrary::Y].element = GNN_BF16; }, "tensor");
  refused([](TypedLibrary &fake) { fake.tensors[FakeLibrary::Loss].element = GNN_BF16; }, "tensor");
  refused([](TypedLibrary &fake) { fake.tensors[FakeLibrary::X].element = GNN_F16 + 1; }, "tensor");
  refused([](TypedLibrary &fake) { fake.library.real = GNN_F64, fake.tensors[FakeLibrary::X].element = GNN_BF16; },
          "tensor");
}
