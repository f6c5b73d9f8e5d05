//===- PagedEdges.cpp - Edges prepared outside of memory ------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/src/graph/PagedEdges.h"

#include "runtime/src/core/Guard.h"
#include "runtime/src/core/Parallel.h"
#include "runtime/src/graph/EdgeDigest.h"
#include "runtime/src/graph/EdgeFile.h"
#include "runtime/src/graph/PropagatedOrder.h"
#include "runtime/src/graph/SortEdges.h"
#include "runtime/src/graph/Transforms.h"
#include "runtime/src/graph/VertexOrders.h"
#include "runtime/src/io/InputFile.h"

#include <algorithm>
#include <optional>
#include <tuple>

namespace gnn::rt {

namespace {

/// Is told of the share of something that is done.
using Report = std::function<void(double)>;

/// An edge on its way into a row. The order is that of the edges of a row.
template <class Id> struct Record {
  uint32_t row, col;
  int32_t type; // 0 where edges have none
  Id id;

  static Record of(uint32_t row, uint32_t col, int32_t type, int64_t id) { return {row, col, type, Id(id)}; }
  void addTo(EdgeFile::Writer &writer) const { writer.add(col, int64_t(id), type); }
  /// Loops that were added, of type -1, come last.
  bool operator<(const Record &other) const {
    return std::make_tuple(uint32_t(type), col, id) < std::make_tuple(uint32_t(other.type), other.col, other.id);
  }
};

/// The same of edges without types whose ids nobody asks for: half as much to write and to read.
struct BareRecord {
  uint32_t row, col;

  static BareRecord of(uint32_t row, uint32_t col, int32_t, int64_t) { return {row, col}; }
  void addTo(EdgeFile::Writer &writer) const { writer.add(col, /*id=*/0, /*type=*/0); }
  bool operator<(const BareRecord &other) const { return col < other.col; }
};

/// The list as it is given, checked.
class GivenList {
public:
  GivenList(const EdgeTables &tables, int64_t numSources, int64_t numDestinations)
      : tables(tables), sources(numSources), destinations(numDestinations) {}

  int64_t size() const { return tables.index->shape()[1]; }
  bool hasTypes() const { return tables.types != nullptr; }

  /// Calls `body(src, dst, type, id)` for each edge, and tells `report` how far that is.
  template <class Body> void forAll(const Report &report, Body body) const {
    for (int64_t begin = 0; begin < size(); begin += edgesOfPiece) {
      const int64_t count = std::min(edgesOfPiece, size() - begin);
      const Tensor ends = tables.index->columns(begin, count).as(GNN_I64, tables.indexName);
      const Tensor types = hasTypes() ? tables.types->rows(begin, count).as(GNN_I64, tables.typesName) : Tensor();
      const int64_t *src = ends.data<int64_t>(), *dst = src + count, *type = types ? types.data<int64_t>() : nullptr;
      check(src, count, begin, sources, tables.indexName, "source");
      check(dst, count, begin, destinations, tables.indexName, "destination");
      if (type)
        check(type, count, begin, mostTypes(), tables.typesName, "type");
      for (int64_t i = 0; i < count; ++i)
        body(src[i], dst[i], type ? int32_t(type[i]) : 0, begin + i);
      report(double(begin + count) / double(size()));
    }
  }

private:
  int64_t mostTypes() const { return tables.numTypes > 0 ? tables.numTypes : maxEdgeTypes; }

  static void check(const int64_t *ids, int64_t count, int64_t first, int64_t bound, const std::string &where,
                    const char *what) {
    for (int64_t i = 0; i < count; ++i)
      if (uint64_t(ids[i]) >= uint64_t(bound))
        fail(GNN_ERROR_DATA, where, ": edge ", first + i, ": ", what, " ", ids[i],
             " is out of range, expected 0 <= ", what, " < ", bound, fromOneHint({ids, size_t(count)}, bound));
  }

  const EdgeTables &tables;
  const int64_t sources, destinations;
};

/// The edges of the set, in local order: those given, by rising id, then loops that are added. Where the last loop of a
/// vertex is unlike its others, the last loops come between these.
class Edges {
public:
  Edges(const GivenList &list, int64_t numVertices, uint32_t transforms, const VertexOrder *vertexOrder)
      : given(list), vertices(numVertices), leavesOutLoops(transforms & GNN_GRAPH_NO_LOOPS),
        keepsOneLoop(transforms & GNN_GRAPH_ONE_LOOP), hasKinds(transforms & GNN_GRAPH_LOOP_KINDS),
        addsLoops(transforms & loopsForAll), order(vertexOrder) {}

  const GivenList &list() const { return given; }
  bool hasTypes() const { return hasKinds || given.hasTypes(); }

  /// Calls `body(src, dst, type, id, prepared)` for each edge: `prepared` is the type that the set has in place of
  /// `type`.
  template <class Body> void forAll(const Report &report, Body body) const {
    std::vector<bool> hasLoop(addsLoops ? size_t(vertices) : 0);
    std::vector<Loop> last(keepsOneLoop || hasKinds ? size_t(vertices) : 0);
    given.forAll(report, [&](int64_t src, int64_t dst, int32_t type, int64_t id) {
      if (src != dst)
        return body(local(src), local(dst), type, id, hasKinds ? GNN_EDGE_NO_LOOP : type);
      if (leavesOutLoops)
        return;
      if (hasKinds && hasLoop[size_t(src)])
        body(local(src), local(src), last[size_t(src)].type, last[size_t(src)].id, GNN_EDGE_EARLIER_LOOP);
      if (addsLoops)
        hasLoop[size_t(src)] = true;
      if (last.empty())
        body(local(src), local(dst), type, id, type);
      else
        last[size_t(src)] = {id, type};
    });
    for (int64_t v = 0; v < int64_t(last.size()); ++v)
      if (hasLoop[size_t(v)])
        body(local(v), local(v), last[size_t(v)].type, last[size_t(v)].id,
             hasKinds ? GNN_EDGE_LAST_LOOP : last[size_t(v)].type);
    const int32_t added = hasKinds ? GNN_EDGE_ADDED_LOOP : given.hasTypes() ? -1 : 0;
    int64_t id = given.size();
    for (int64_t v = 0; v < int64_t(hasLoop.size()); ++v)
      if (!hasLoop[size_t(v)])
        body(local(v), local(v), -1, id++, added);
  }

private:
  struct Loop {
    int64_t id;
    int32_t type;
  };

  uint32_t local(int64_t id) const { return order ? order->local[size_t(id)] : uint32_t(id); }

  const GivenList &given;
  const int64_t vertices;
  const bool leavesOutLoops, keepsOneLoop, hasKinds, addsLoops;
  const VertexOrder *order;
};

/// Counts become offsets.
int64_t sumUp(Buffer<int64_t> &offsets) {
  int64_t sum = 0;
  for (int64_t &offset : offsets)
    sum += std::exchange(offset, sum);
  return sum;
}

/// Buckets of rows in a file without a name: all edges of a bucket are in memory at a time.
template <class Record> class Buckets {
public:
  /// `workBytes`: of the records in memory. A row is in one bucket, however long it is.
  Buckets(int64_t numEdges, size_t workBytes, const std::string &folder, FileSystem &files)
      : what("the file for sorting in " + folder), files(files),
        file(openScratch(files, folder, uint64_t(numEdges) * sizeof(Record), "the file for sorting")),
        atOnce(std::max<int64_t>(int64_t(workBytes / (2 * sizeof(Record))), 256)) {}
  ~Buckets() { files.close(file); }
  Buckets(const Buckets &) = delete;
  Buckets &operator=(const Buckets &) = delete;

  /// Edges by rows that have `offsets`; those of before are gone.
  void begin(const Buffer<int64_t> &ofRows) {
    offsets = &ofRows;
    firstRows.assign(1, 0);
    for (int64_t row = 1; row < numRows(); ++row)
      if (offsetOf(row + 1) - offsetOf(firstRows.back()) > atOnce)
        firstRows.push_back(row);
    open.resize(firstRows.size());
    const size_t most = std::max<size_t>(size_t(atOnce) / firstRows.size(), 64);
    for (size_t b = 0; b < open.size(); ++b) {
      open[b].records = Buffer<Record>(most);
      open[b].count = 0;
      open[b].next = offsetOf(firstRows[b]);
      open[b].end = offsetOf(b + 1 < open.size() ? firstRows[b + 1] : numRows());
    }
  }
  void add(const Record &record) {
    const auto after = std::upper_bound(firstRows.begin(), firstRows.end(), int64_t(record.row));
    Open &bucket = open[size_t(after - firstRows.begin()) - 1];
    bucket.records[bucket.count++] = record;
    if (bucket.count == bucket.records.size())
      flush(bucket);
  }
  /// Sorts all of them, and tells `report` how far that is.
  void sortTo(EdgeFile &sorted, uint32_t direction, const Report &report) {
    for (Open &bucket : open) {
      flush(bucket);
      bucket.records = Buffer<Record>();
    }
    EdgeFile::Writer writer(sorted, direction);
    Buffer<Record> given, placed;
    for (size_t b = 0; b < firstRows.size(); ++b) {
      const int64_t first = firstRows[b], end = b + 1 < firstRows.size() ? firstRows[b + 1] : numRows();
      place(first, end, given, placed);
      const auto count = size_t(offsetOf(end) - offsetOf(first));
      for (size_t i = 0; i < count; ++i)
        placed[i].addTo(writer);
      report(double(b + 1) / double(firstRows.size()));
    }
    writer.finish();
  }

private:
  /// What is not in the file yet of a bucket.
  struct Open {
    Buffer<Record> records;
    size_t count;
    int64_t next; // where the first of them goes
    int64_t end;  // where those of the next bucket begin
  };

  void flush(Open &bucket) {
    requireSame(int64_t(bucket.count) <= bucket.end - bucket.next);
    writeAll(files, file, bucket.records.data(), bucket.count * sizeof(Record), uint64_t(bucket.next) * sizeof(Record),
             what);
    bucket.next += int64_t(bucket.count);
    bucket.count = 0;
  }

  /// Edges are counted in one pass and sorted in another. A file whose time is kept, as that of a mapping may be, can
  /// change between these.
  static void requireSame(bool condition) {
    require(condition, GNN_ERROR_IO, "the file of the edges was changed while it was used");
  }

  /// Sorts the edges of rows [first, end) into `placed`.
  void place(int64_t first, int64_t end, Buffer<Record> &given, Buffer<Record> &placed) {
    const int64_t begin = offsetOf(first);
    const auto count = size_t(offsetOf(end) - begin);
    if (placed.size() < count) {
      given = Buffer<Record>();
      placed = Buffer<Record>();
      given = Buffer<Record>(count);
      placed = Buffer<Record>(count);
    }
    readAll(files, file, given.data(), count * sizeof(Record), uint64_t(begin) * sizeof(Record), what);
    std::vector<int64_t> next(offsets->begin() + first, offsets->begin() + end);
    for (size_t i = 0; i < count; ++i) {
      const int64_t row = given[i].row;
      requireSame(row >= first && row < end && next[size_t(row - first)] < offsetOf(row + 1));
      placed[size_t(next[size_t(row - first)]++ - begin)] = given[i];
    }
    parallelFor(tbb::blocked_range<int64_t>(first, end, 256), [&](const tbb::blocked_range<int64_t> &range) {
      for (int64_t row = range.begin(); row < range.end(); ++row) {
        auto *from = placed.begin() + (offsetOf(row) - begin), *to = placed.begin() + (offsetOf(row + 1) - begin);
        if (!std::is_sorted(from, to))
          std::sort(from, to);
      }
    });
  }

  int64_t numRows() const { return int64_t(offsets->size()) - 1; }
  int64_t offsetOf(int64_t row) const { return (*offsets)[size_t(row)]; }

  const std::string what;
  FileSystem &files;
  const int file;
  const int64_t atOnce; // edges in memory
  const Buffer<int64_t> *offsets = nullptr;
  std::vector<int64_t> firstRows; // of buckets
  std::vector<Open> open;
};

/// What is prepared, step by step.
class Preparation {
public:
  Preparation(const EdgeTables &tables, int64_t numSources, int64_t numDestinations, const PagingOptions &options,
              FileSystem &files)
      : options(options), files(files), tables(tables), list(tables, numSources, numDestinations),
        numPasses(3 + passesFor(options.order) + (options.toSource ? 2 : 0)) {
    if (options.order == GNN_ORDER_DEGREE)
      parts.order = orderByDegree(numDestinations);
    else if (options.order == GNN_ORDER_COMMUNITY)
      parts.order = orderByCommunities(numDestinations);
    edges.emplace(list, numDestinations, options.transforms, parts.order.get());
    count(numSources, numDestinations);
    if (!options.ids && !edges->hasTypes())
      sort<BareRecord>();
    else if (!hasWideIds())
      sort<Record<uint32_t>>();
    else
      sort<Record<int64_t>>();
  }

  EdgeSetParts take() { return std::move(parts); }

private:
  static unsigned passesFor(uint32_t order) {
    return order == GNN_ORDER_DEGREE ? 1 : order == GNN_ORDER_COMMUNITY ? 4 : 0;
  }

  /// Of the next pass over the edges.
  Report report() {
    return [this, pass = passes++](double share) {
      if (options.onProgress)
        options.onProgress((pass + share) / numPasses);
    };
  }

  std::shared_ptr<const VertexOrder> orderByDegree(int64_t numVertices) {
    std::vector<int64_t> degrees(size_t(numVertices), 0);
    list.forAll(report(), [&](int64_t, int64_t dst, int32_t, int64_t) { ++degrees[size_t(dst)]; });
    return degreeOrder(degrees);
  }

  static Buffer<int64_t> zeros(int64_t rows) {
    Buffer<int64_t> counts(size_t(rows) + 1);
    std::fill(counts.begin(), counts.end(), 0);
    return counts;
  }

  /// Each edge makes its ends neighbours of each other, in a file that is there as long as this.
  std::shared_ptr<const VertexOrder> orderByCommunities(int64_t numVertices) {
    Buffer<int64_t> offsets = zeros(numVertices);
    list.forAll(report(), [&](int64_t src, int64_t dst, int32_t, int64_t) {
      offsets[size_t(src)] += src != dst;
      offsets[size_t(dst)] += src != dst;
    });
    const int64_t count = sumUp(offsets);
    EdgeFile neighbours(options.folder, {/*ids=*/false, /*wideIds=*/false, /*types=*/false}, count, 1, files);
    {
      Buckets<BareRecord> buckets(count, options.workBytes, options.folder, files);
      buckets.begin(offsets);
      list.forAll(report(), [&](int64_t src, int64_t dst, int32_t, int64_t) {
        if (src == dst)
          return;
        buckets.add({uint32_t(src), uint32_t(dst)});
        buckets.add({uint32_t(dst), uint32_t(src)});
      });
      buckets.sortTo(neighbours, GNN_TO_DESTINATION, report());
    }
    return propagatedOrder(neighbours, offsets, report());
  }

  void count(int64_t numSources, int64_t numDestinations) {
    Buffer<int64_t> &in = parts.byDestination.offsets = zeros(numDestinations);
    Buffer<int64_t> &out = parts.bySource.offsets = options.toSource ? zeros(numSources) : offsetsOfNone(numSources);
    int32_t largest = 0;
    numIds = list.size();
    edges->forAll(report(), [&](uint32_t src, uint32_t dst, int32_t type, int64_t id, int32_t) {
      ++in[dst];
      if (options.toSource)
        ++out[src];
      largest = std::max(largest, type);
      numIds = std::max(numIds, id + 1);
      if (id < list.size())
        parts.digest += digestOfEdge(idOf(src), idOf(dst), id, list.hasTypes() ? std::optional(type) : std::nullopt);
    });
    sumUp(in);
    if (options.toSource)
      sumUp(out);
    parts.transforms = options.transforms;
    parts.givenEdges = list.size();
    if (list.hasTypes())
      parts.givenTypes = tables.numTypes > 0 ? uint32_t(tables.numTypes) : uint32_t(largest) + 1;
    parts.types = numTypesUnder(options.transforms, parts.givenTypes);
    parts.addedFrom = Buffer<int64_t>(size_t(numIds - list.size()));
    std::fill(parts.addedFrom.begin(), parts.addedFrom.end(), -1); // all are loops
  }
  int64_t idOf(uint32_t local) const { return parts.order ? parts.order->id[local] : int64_t(local); }

  bool hasWideIds() const { return numIds > int64_t(UINT32_MAX); }

  template <class AnyRecord> void sort() {
    const Buffer<int64_t> &in = parts.byDestination.offsets;
    const int64_t numEdges = in.end()[-1];
    const EdgeFields fields{options.ids, hasWideIds(), edges->hasTypes()};
    auto sorted = std::make_shared<EdgeFile>(options.folder, fields, numEdges, options.toSource ? 2 : 1, files);
    Buckets<AnyRecord> buckets(numEdges, options.workBytes, options.folder, files);
    buckets.begin(in);
    edges->forAll(report(), [&](uint32_t src, uint32_t dst, int32_t, int64_t id, int32_t type) {
      buckets.add(AnyRecord::of(dst, src, type, id));
    });
    buckets.sortTo(*sorted, GNN_TO_DESTINATION, report());
    if (options.toSource) {
      buckets.begin(parts.bySource.offsets);
      const Report told = report();
      size_t row = 0;
      sorted->forPieces(GNN_TO_DESTINATION, 0, numEdges, [&](const EdgePiece &piece) {
        for (int64_t e = piece.begin; e < piece.end; ++e) {
          while (in[row + 1] <= e)
            ++row;
          const int64_t i = e - piece.begin;
          buckets.add(AnyRecord::of(piece.cols[i], uint32_t(row), piece.types ? piece.types[i] : 0,
                                    fields.ids ? piece.id(i) : 0)); // what is the same but for an id is one
        }
        told(double(piece.end) / double(numEdges));
      });
      buckets.sortTo(*sorted, GNN_TO_SOURCE, report());
    }
    parts.file = std::move(sorted);
  }

  const PagingOptions &options;
  FileSystem &files;
  const EdgeTables &tables;
  const GivenList list;
  const unsigned numPasses;
  unsigned passes = 0;
  std::optional<Edges> edges;
  EdgeSetParts parts;
  int64_t numIds = 0;
};

} // namespace

bool canPage(uint32_t transforms, uint32_t order) {
  constexpr uint32_t others = GNN_GRAPH_SYMMETRIC | GNN_GRAPH_INVERSE_RELATIONS | GNN_GRAPH_MARK_LOOPS;
  return (transforms & others) == 0 && order != GNN_ORDER_LOCALITY && order != GNN_ORDER_METIS;
}

std::shared_ptr<const EdgeSet> pagedEdges(const EdgeTables &tables, int64_t numSources, int64_t numDestinations,
                                          bool isBetweenTypes, const PagingOptions &options, FileSystem &files) {
  require(canPage(options.transforms, options.order), GNN_ERROR_INTERNAL, "edges that can't be paged");
  for (int64_t count : {numSources, numDestinations})
    require(count >= 0 && count < int64_t(UINT32_MAX), GNN_ERROR_DATA, tables.indexName, ": ", count,
            " vertices, the most is 2^32 - 2");
  EdgeSetParts parts = Preparation(tables, numSources, numDestinations, options, files).take();
  parts.isBetweenTypes = isBetweenTypes;
  return EdgeSet::fromParts(std::move(parts));
}

} // namespace gnn::rt
