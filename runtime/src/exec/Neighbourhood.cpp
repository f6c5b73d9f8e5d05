//===- Neighbourhood.cpp - What the answers for some vertices need --------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/src/exec/Neighbourhood.h"

#include "runtime/src/core/Guard.h"
#include "runtime/src/core/UniqueNumber.h"
#include "runtime/src/graph/SortEdges.h"
#include "runtime/src/program/Obstacles.h"
#include "runtime/src/program/Steps.h"

#include <algorithm>
#include <cassert>
#include <numeric>

namespace gnn::rt {

namespace {

constexpr uint32_t ofPairs = UINT32_MAX - 1; // in place of a relation and direction

int32_t colDepthOf(const gnn_step_t &step) { return step.kind == GNN_STEP_SWEEP ? step.col_depth : step.row_depth; }

/// Ids of edges that stay take 32 bits where they fit.
void narrow(std::vector<int64_t> &ids, std::vector<uint32_t> &narrowed) {
  if (std::any_of(ids.begin(), ids.end(), [](int64_t id) { return id > int64_t(UINT32_MAX); }))
    return;
  narrowed.assign(ids.begin(), ids.end());
  std::vector<int64_t>().swap(ids);
}

} // namespace

/// The edges of rows of one relation in one direction, rows in the order in which their vertices are met.
class Neighbourhood::Walk {
public:
  uint32_t relation, direction, rowType, colType;
  int32_t depth;                               // of the deepest rows
  bool touchesTables = false;                  // of edges
  bool needsIds = false;                       // of edges
  bool keepsIds = false;                       // of edges, though it touches their tables, which are whole then
  std::vector<int64_t> offsets{0}, edges{};    // edges: ids
  std::vector<uint32_t> cols{}, narrowEdges{}; // narrowEdges: in place of `edges`
  std::vector<int32_t> types{};
  std::vector<int64_t> found{};  // edges of the rows at hand, by their places in the whole relation or behind it,
  std::vector<RowEdge> others{}; // in these
  ChosenEdges chosen{};          // where they were chosen elsewhere

  int64_t rows() const { return int64_t(offsets.size()) - 1; }
  /// Whether tables of edges have the rows of this walk.
  bool hasOwnRows() const { return touchesTables && !keepsIds; }
  /// What only growing needs goes, and what is left takes no more than it must.
  void settle() {
    std::vector<int64_t>().swap(found);
    std::vector<RowEdge>().swap(others);
    chosen = ChosenEdges();
    if (!hasOwnRows())
      narrow(edges, narrowEdges);
    offsets.shrink_to_fit();
    edges.shrink_to_fit();
    cols.shrink_to_fit();
    types.shrink_to_fit();
  }
  void add(const ChosenEdges &some) {
    for (uint32_t count : some.counts)
      offsets.push_back(offsets.back() + count);
    cols.insert(cols.end(), some.cols.begin(), some.cols.end());
    edges.insert(edges.end(), some.ids.begin(), some.ids.end());
    types.insert(types.end(), some.types.begin(), some.types.end());
  }
  void clear() {
    offsets.resize(1);
    edges.clear();
    cols.clear();
    types.clear();
  }
};

/// The same edges by their cols: what gradients of the rows at `depth` go back over.
class Neighbourhood::Back {
public:
  Back(const Walk &walk, int32_t depth) : walk(walk), depth(depth) {}

  const Walk &walk;
  const int32_t depth;
  std::vector<int64_t> offsets{}, edges{};
  std::vector<uint32_t> cols{}, positions{}, narrowEdges{}; // positions: in the walk
  std::vector<int32_t> types{};

  void settle() {
    if (!walk.hasOwnRows())
      std::vector<uint32_t>().swap(positions);
    if (walk.hasOwnRows() || !walk.needsIds)
      std::vector<int64_t>().swap(edges);
    narrow(edges, narrowEdges);
  }

  /// A counting sort, which leaves the edges of a row by type and in the order of the walk.
  void sort(int64_t numRows, int64_t numCols) {
    const auto numEdges = size_t(walk.offsets[size_t(numCols)]);
    require(numEdges <= UINT32_MAX, GNN_ERROR_MEMORY, "a step goes back over ", numEdges,
            " edges of its vertices' neighbourhood, the most is 2^32 - 1");
    std::vector<uint32_t> colOfEdge(numEdges), byType(walk.types.empty() ? 0 : numEdges);
    for (int64_t col = 0; col < numCols; ++col)
      std::fill(colOfEdge.begin() + walk.offsets[size_t(col)], colOfEdge.begin() + walk.offsets[size_t(col) + 1],
                uint32_t(col));
    std::iota(byType.begin(), byType.end(), 0);
    std::stable_sort(byType.begin(), byType.end(),
                     [&](uint32_t a, uint32_t b) { return walk.types[a] < walk.types[b]; });
    offsets.assign(size_t(numRows) + 1, 0);
    for (size_t e = 0; e < numEdges; ++e)
      ++offsets[walk.cols[e] + 1];
    std::partial_sum(offsets.begin(), offsets.end(), offsets.begin());
    std::vector<int64_t> next(offsets.begin(), offsets.end() - 1);
    cols.resize(numEdges);
    positions.resize(numEdges);
    types.resize(byType.size());
    edges.resize(walk.edges.empty() ? 0 : numEdges);
    for (size_t i = 0; i < numEdges; ++i) {
      const size_t e = byType.empty() ? i : byType[i];
      const auto to = size_t(next[walk.cols[e]]++);
      cols[to] = colOfEdge[e];
      positions[to] = uint32_t(e);
      if (!types.empty())
        types[to] = walk.types[e];
      if (!edges.empty())
        edges[to] = walk.edges[e];
    }
  }
};

/// The pairs whose ends are the seeds, by the places of these.
struct Neighbourhood::PairRows {
  SortedEdges sorted{};
  std::vector<int64_t> numbers{}; // of all, from 0 on
};

/// What steps of the same depths go over: rows, and of sweeps also cols.
class Neighbourhood::Layer : public View {
public:
  Layer(const Neighbourhood &all, int32_t rowDepth, int32_t colDepth)
      : rowDepth(rowDepth), colDepth(colDepth), all(all) {}

  int64_t rows(uint32_t vertexType) const override { return all.rows(std::max(rowDepth, 0), vertexType); }
  const int64_t *ids(uint32_t vertexType) const override {
    if (all.library.isTable(vertexType))
      return nullptr;
    return all.binding.order(vertexType) ? all.ids[vertexType].data() : all.vertices[vertexType].data();
  }
  gnn_block_t block(uint32_t relation, uint32_t direction) const override {
    if (isOfPairs(all.library, relation))
      return blockOfPairs(relation, direction);
    for (const auto &back : all.backs)
      if (back->walk.relation == relation && back->walk.direction != direction && back->depth == colDepth)
        if (rowDepth < 0 || rowDepth == colDepth + 1)
          return blockOf(*back, back->walk.colType, back->walk.rowType,
                         back->walk.hasOwnRows() ? back->positions.data() : nullptr, back->walk);
    for (const auto &walk : all.walks)
      if (walk->relation == relation && walk->direction == direction && walk->depth >= rowDepth)
        return blockOf(*walk, walk->rowType, walk->colType, nullptr, *walk);
    assert(false && "asked for edges that no step goes over");
    return {};
  }
  uint64_t content(uint32_t) const override { return number; }
  const Relation *lasting(uint32_t) const override { return nullptr; }
  bool stays(uint32_t) const override { return all.lasts; }

  const int32_t rowDepth, colDepth;
  uint64_t number = 0;

private:
  gnn_block_t blockOfPairs(uint32_t relation, uint32_t direction) const {
    const gnn_relation_t &ends = all.library.relation(relation);
    const bool toSource = direction == GNN_TO_SOURCE;
    const Csr &csr = toSource ? all.pairs->sorted.bySource : all.pairs->sorted.byDestination;
    gnn_block_t block{};
    block.size = sizeof block;
    block.num_rows = csr.numRows();
    block.num_cols = all.rows(/*depth=*/0, toSource ? ends.destination_type : ends.source_type);
    block.offsets = csr.offsets.data();
    block.ends = block.offsets + 1;
    block.cols = csr.cols.data();
    block.row_id = ids(toSource ? ends.source_type : ends.destination_type);
    block.col_id = ids(toSource ? ends.destination_type : ends.source_type);
    block.edge_id32 = csr.edgeIds.narrow.data(); // of all that fit into a step
    block.edge_type = csr.types.empty() ? nullptr : csr.types.data();
    return block;
  }
  template <class Edges>
  gnn_block_t blockOf(const Edges &from, uint32_t rowType, uint32_t colType, const uint32_t *positions,
                      const Walk &walk) const {
    const bool hasIds = walk.needsIds && !walk.hasOwnRows(), areNarrow = hasIds && !from.narrowEdges.empty();
    return {sizeof(gnn_block_t),
            0,
            rows(rowType),
            all.numStored(colType) > 0 ? int64_t(all.vertices[colType].size())
                                       : all.rows(std::min(std::max(colDepth, 0), all.deepest()), colType),
            from.offsets.data(),
            from.offsets.data() + 1,
            from.cols.data(),
            ids(rowType),
            ids(colType),
            hasIds && !areNarrow ? from.edges.data() : nullptr,
            areNarrow ? from.narrowEdges.data() : positions,
            from.types.empty() ? nullptr : from.types.data(),
            /*row_pos=*/nullptr};
  }

  const Neighbourhood &all;
};

Neighbourhood::Neighbourhood(const Library &opened, const Binding &bound,
                             const std::vector<const gnn_program_t *> &programs, bool isToLast)
    : library(opened), binding(bound), lasts(isToLast), vertices(library.table().num_vertex_types),
      ids(vertices.size()), places(vertices.size()), taken(vertices.size()), numTaken(vertices.size(), 0) {
  for (const gnn_program_t *program : programs)
    prepare(*program);
  for (const auto &walk : walks)
    walk->keepsIds = lasts && walk->touchesTables && walk->needsIds;
  int32_t depths = 1;
  for (const auto &layer : layers)
    depths = std::max({depths, layer->rowDepth + 1, layer->colDepth + 1});
  numRows.assign(size_t(depths), std::vector<int64_t>(vertices.size(), 0));
  for (uint32_t type = 0; type < vertices.size(); ++type)
    if (library.isTable(type))
      for (std::vector<int64_t> &counts : numRows)
        counts[type] = binding.rows(type);
}

/// For what the steps of a program go over.
void Neighbourhood::prepare(const gnn_program_t &program) {
  assert(obstacleToSamples(library, program).empty() || obstacleToNeighbourhoods(library, program).empty());
  for (const ProgramStep step : library.steps(program)) {
    if (!findLayer(step))
      layers.push_back(std::make_unique<Layer>(*this, step->row_depth, colDepthOf(step)));
    if (!step.isSweep())
      continue;
    if (step.isSweepOver(GNN_RELATION_PAIRS)) {
      if (!pairs)
        pairs = std::make_unique<PairRows>();
      continue;
    }
    Walk &walk = walkOf(step);
    walk.touchesTables |= step.hasPerEdge();
    walk.needsIds |= step.needs(GNN_KERNEL_EDGE_ID);
    if (isBack(step) && std::none_of(backs.begin(), backs.end(), [&](auto &back) {
          return &back->walk == &walk && back->depth == step->col_depth;
        }))
      backs.push_back(std::make_unique<Back>(walk, step->col_depth));
  }
}

Neighbourhood::~Neighbourhood() = default;

/// The walk of a sweep's edges, made if there is none.
Neighbourhood::Walk &Neighbourhood::walkOf(const gnn_step_t &step) {
  const uint32_t relation = step.relation, direction = directionOf(step);
  const int32_t depth = isBack(step) ? step.col_depth : step.row_depth;
  for (const auto &walk : walks)
    if (walk->relation == relation && walk->direction == direction) {
      walk->depth = std::max(walk->depth, depth);
      return *walk;
    }
  const gnn_relation_t &of = library.relation(relation);
  walks.push_back(std::make_unique<Walk>());
  Walk &walk = *walks.back();
  walk.relation = relation;
  walk.direction = direction;
  walk.rowType = direction == GNN_TO_SOURCE ? of.source_type : of.destination_type;
  walk.colType = direction == GNN_TO_SOURCE ? of.destination_type : of.source_type;
  walk.depth = depth;
  return walk;
}

void Neighbourhood::forget() {
  for (uint32_t type = 0; type < vertices.size(); ++type) {
    vertices[type].insert(vertices[type].end(), taken[type].begin(), taken[type].end()); // if growing failed
    taken[type].clear();
    numTaken[type] = 0;
    places[type].clear(vertices[type]);
    vertices[type].clear();
    ids[type].clear();
  }
  for (const auto &walk : walks)
    walk->clear();
}

/// Where vertices have their places that are taken from stored rows, until it is known how many others there are.
static uint32_t placeOfTaken(size_t number) { return UINT32_MAX - 2 - uint32_t(number); }

uint32_t Neighbourhood::meet(uint32_t vertexType, int64_t vertex, int32_t depth) {
  return places[vertexType].meet(uint32_t(vertex), [&] {
    std::vector<int64_t> &met = vertices[vertexType], &others = taken[vertexType];
    const auto place = uint32_t(met.size());
    if (storing && storing->take(vertexType, vertex, depth, place)) {
      others.push_back(vertex);
      return placeOfTaken(others.size() - 1);
    }
    met.push_back(vertex);
    return place;
  });
}

/// Who is taken from stored rows comes after the others.
void Neighbourhood::placeStored() {
  for (const auto &walk : walks) {
    const std::vector<int64_t> &others = taken[walk->colType];
    const auto first = uint32_t(vertices[walk->colType].size());
    if (others.empty())
      continue;
    const uint32_t last = placeOfTaken(others.size() - 1);
    for (uint32_t &col : walk->cols)
      if (col >= last)
        col = first + (placeOfTaken(0) - col);
  }
  for (uint32_t type = 0; type < vertices.size(); ++type) {
    vertices[type].insert(vertices[type].end(), taken[type].begin(), taken[type].end());
    numTaken[type] = int64_t(taken[type].size());
    taken[type].clear();
  }
}

/// Calls `use(i)` for all i below `count`, and before that touches what `address(i)` says: memory that is read here and
/// there is waited for once, not once an access.
template <class Address, class Use> static void forEachAhead(size_t count, Address address, Use use) {
  constexpr size_t ahead = 16;
  for (size_t i = 0; i < count; ++i) {
    if (i + ahead < count)
      __builtin_prefetch(address(i + ahead));
    use(i);
  }
}

/// Adds the edges of the rows up to `rows`, which are met at a depth.
void Neighbourhood::follow(Walk &walk, int64_t rows, int32_t depth, const EdgeChooser *chooser,
                           const ChangedRows *changed) {
  const Relation &relation = binding.relation(walk.relation);
  const Csr &csr = relation.csr(walk.direction);
  const size_t firstRow = size_t(walk.rows()), firstEdge = walk.cols.size();
  const int64_t *all = csr.offsets.data(), *met = vertices[walk.rowType].data() + firstRow;
  const VertexOrder *order = binding.order(walk.rowType);
  const auto bound = int64_t(csr.cols.size());
  const bool hasTypes = relation.isPaged() ? relation.hasTypes() : !csr.types.empty();
  walk.found.clear();
  walk.others.clear();
  const bool needsIds = walk.touchesTables || walk.needsIds;
  const RowsOfEdges fresh{walk.relation, walk.direction, depth,   {met, size_t(rows) - firstRow},
                          order,         needsIds,       hasTypes};
  const bool isElsewhere = chooser && chooser->chooseElsewhere(fresh, walk.chosen);
  if (isElsewhere)
    walk.add(walk.chosen);
  if (isElsewhere && !relation.isPaged())
    walk.found.swap(walk.chosen.places);
  forEachAhead(
      isElsewhere ? 0 : fresh.vertices.size(), [&](size_t i) { return all + met[i]; },
      [&](size_t i) {
        const int64_t vertex = met[i], begin = all[vertex], end = all[vertex + 1];
        if (chooser) {
          const int64_t id = order ? order->id[size_t(vertex)] : vertex;
          chooser->choose({walk.relation, walk.direction, depth, id, begin, end - begin}, walk.found);
        } else if (const size_t first = walk.others.size();
                   changed && changed->find(walk.relation, walk.direction, vertex, walk.others)) {
          for (size_t other = first; other < walk.others.size(); ++other)
            walk.found.push_back(bound + int64_t(other));
        } else {
          for (int64_t e = begin; e < end; ++e)
            walk.found.push_back(e);
        }
        walk.offsets.push_back(int64_t(firstEdge + walk.found.size()));
      });
  auto take = [&](auto &to, const auto &from, auto RowEdge::*ofOther) {
    to.resize(firstEdge + walk.found.size());
    auto isBound = [&](size_t i) { return walk.found[i] < bound; };
    forEachAhead(
        walk.found.size(), [&](size_t i) { return isBound(i) ? &from[size_t(walk.found[i])] : nullptr; },
        [&](size_t i) {
          to[firstEdge + i] =
              isBound(i) ? from[size_t(walk.found[i])] : walk.others[size_t(walk.found[i] - bound)].*ofOther;
        });
  };
  if (!isElsewhere)
    take(walk.cols, csr.cols, &RowEdge::col);
  if (needsIds)
    for (int64_t edge : walk.found)
      walk.edges.push_back(edge < bound ? csr.edgeIds[size_t(edge)] : walk.others[size_t(edge - bound)].id);
  const bool readsTypes = library.relation(walk.relation).types >= 0;
  if (!relation.isPaged() && (hasTypes || (changed && readsTypes))) // no edge may have been bound
    take(walk.types, csr.types, &RowEdge::type);
  if (library.isTable(walk.colType))
    return;
  uint32_t *cols = walk.cols.data() + firstEdge;
  forEachAhead(
      walk.cols.size() - firstEdge, [&](size_t i) { return places[walk.colType].address(cols[i]); },
      [&](size_t i) { cols[i] = meet(walk.colType, cols[i], depth + 1); });
}

/// What only growing needs goes.
void Neighbourhood::settle() {
  std::vector<PlaceMap>().swap(places);
  for (const auto &back : backs)
    back->settle();
  for (const auto &walk : walks)
    walk->settle();
  for (std::vector<int64_t> &of : vertices)
    of.shrink_to_fit();
}

void Neighbourhood::expand(uint32_t vertexType, Span<const int64_t> seeds, const EdgeChooser *chooser,
                           const ChangedRows *changed, StoredUse *stored, int32_t depth) {
  assert((!lasts || layers.empty() || layers[0]->number == 0) && "once, if it lasts");
  forget();
  storing = nullptr;
  for (int64_t seed : seeds)
    meet(vertexType, seed, depth);
  assert(vertices[vertexType].size() == seeds.size() && "each seed once");
  for (size_t i = 0; stored && i < seeds.size(); ++i)
    stored->expect(vertexType, seeds[i], std::max(depth, 1), uint32_t(i));
  storing = stored;
  grow(chooser, changed, depth);
}

void Neighbourhood::expandPairs(EdgeList list, const EdgeChooser *chooser) {
  forget();
  const gnn_relation_t &relation = library.relation(*pairsRelation(library));
  for (uint32_t &end : list.src)
    end = meet(relation.source_type, end, /*depth=*/0);
  for (uint32_t &end : list.dst)
    end = meet(relation.destination_type, end, /*depth=*/0);
  grow(chooser, /*changed=*/nullptr);
  pairs->sorted =
      sortEdges(list, rows(/*depth=*/0, relation.source_type), rows(/*depth=*/0, relation.destination_type));
  pairs->numbers.resize(list.src.size());
  std::iota(pairs->numbers.begin(), pairs->numbers.end(), 0);
}

/// Depth by depth, from the first on, the edges of those who are met, and whom they read.
void Neighbourhood::grow(const EdgeChooser *chooser, const ChangedRows *changed, int32_t first) {
  for (int32_t depth = 0; depth <= deepest(); ++depth) {
    std::vector<int64_t> &counts = numRows[size_t(depth)];
    for (uint32_t type = 0; type < vertices.size(); ++type)
      if (!library.isTable(type))
        counts[type] = depth < first ? 0 : int64_t(vertices[type].size());
    // What a deeper step reads is read at this depth too.
    for (const auto &walk : walks)
      if (depth >= first && depth <= walk->depth)
        follow(*walk, counts[walk->rowType], depth, chooser, changed);
  }
  placeStored();
  for (const auto &back : backs)
    back->sort(rows(std::min(back->depth + 1, deepest()), back->walk.colType), rows(back->depth, back->walk.rowType));
  for (const auto &layer : layers)
    layer->number = uniqueNumber();
  for (uint32_t type = 0; type < vertices.size(); ++type)
    if (const VertexOrder *order = binding.order(type))
      for (int64_t vertex : vertices[type])
        ids[type].push_back(order->id[size_t(vertex)]);
  if (lasts)
    settle();
}

size_t Neighbourhood::bytes() const {
  size_t bytes = 0;
  auto add = [&](const auto &vector) { bytes += vector.capacity() * sizeof(vector[0]); };
  for (const auto *tables : {&vertices, &ids})
    for (const std::vector<int64_t> &table : *tables)
      add(table);
  for (const PlaceMap &map : places)
    bytes += map.bytes();
  for (const auto &walk : walks) {
    add(walk->offsets);
    add(walk->edges);
    add(walk->narrowEdges);
    add(walk->cols);
    add(walk->types);
    add(walk->found);
    add(walk->others);
    add(walk->chosen.counts);
    add(walk->chosen.places);
    add(walk->chosen.cols);
    add(walk->chosen.ids);
    add(walk->chosen.types);
  }
  if (pairs)
    add(pairs->numbers);
  for (const auto &back : backs) {
    add(back->offsets);
    add(back->edges);
    add(back->narrowEdges);
    add(back->cols);
    add(back->positions);
    add(back->types);
  }
  return bytes;
}

const Neighbourhood::Layer *Neighbourhood::findLayer(const gnn_step_t &step) const {
  for (const auto &layer : layers)
    if (layer->rowDepth == step.row_depth && layer->colDepth == colDepthOf(step))
      return layer.get();
  return nullptr;
}

const View &Neighbourhood::viewOf(const gnn_step_t &step) const {
  const Layer *layer = findLayer(step);
  assert(layer && "a step of a program that it was made for");
  return *layer;
}

StepCounts Neighbourhood::countsOf(const gnn_step_t &step) const {
  if (step.kind != GNN_STEP_SWEEP)
    return {viewOf(step).rows(step.vertex_type), 0};
  const gnn_block_t block = viewOf(step).block(step.relation, step.direction);
  return {block.num_rows, block.num_rows > 0 ? block.ends[block.num_rows - 1] : 0};
}

int64_t Neighbourhood::edges(uint32_t relation) const {
  if (pairs && isOfPairs(library, relation))
    return int64_t(pairs->numbers.size());
  size_t most = 0;
  for (const auto &walk : walks)
    if (walk->relation == relation)
      most = std::max(most, walk->cols.size());
  return int64_t(most);
}

uint32_t Neighbourhood::edgeRowsOf(const Library &library, const gnn_step_t &step) {
  return isOfPairs(library, step.relation) ? ofPairs : 2 * step.relation + directionOf(step);
}

bool Neighbourhood::readsWholeTables(const gnn_step_t &step) const {
  const Walk *walk = isOfPairs(library, step.relation) ? nullptr : findWalk(step.relation, directionOf(step));
  return walk && walk->keepsIds;
}

const Neighbourhood::Walk *Neighbourhood::findWalk(uint32_t relation, uint32_t direction) const {
  for (const auto &walk : walks)
    if (walk->relation == relation && walk->direction == direction)
      return walk.get();
  return nullptr;
}

Span<const int64_t> Neighbourhood::offsetsOf(uint32_t relation, uint32_t direction) const {
  const Walk *walk = findWalk(relation, direction);
  return walk ? Span<const int64_t>(walk->offsets) : Span<const int64_t>();
}

Span<const int32_t> Neighbourhood::typesOf(uint32_t relation, uint32_t direction) const {
  const Walk *walk = findWalk(relation, direction);
  return walk ? Span<const int32_t>(walk->types) : Span<const int32_t>();
}

const std::vector<int64_t> &Neighbourhood::edgesOf(uint32_t edgeRows) const {
  return edgeRows == ofPairs ? pairs->numbers : findWalk(edgeRows / 2, edgeRows % 2)->edges;
}

} // namespace gnn::rt
