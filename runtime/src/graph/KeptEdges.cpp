//===- KeptEdges.cpp - Edges prepared outside of memory, kept -------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The file: a line with the version, the head, which is JSON, and tables. Before the head is its length, behind it and
// behind each table a checksum. Of each direction that the file has, the edges are tables in pieces, as in an EdgeFile.
//
//===----------------------------------------------------------------------===//

#include "runtime/src/graph/KeptEdges.h"

#include "runtime/src/core/Checksum.h"
#include "runtime/src/core/Guard.h"
#include "runtime/src/graph/EdgeFile.h"
#include "runtime/src/graph/SortEdges.h"
#include "runtime/src/io/AtomicFiles.h"
#include "runtime/src/io/InputFile.h"
#include "runtime/src/io/Json.h"

#include <algorithm>

namespace gnn::rt {

namespace {

using nlohmann::json;

constexpr char firstLine[] = "gnnc edges 2\n";
constexpr size_t firstBytes = sizeof firstLine - 1;
constexpr uint64_t mostHeadBytes = 1 << 20;
constexpr size_t checksumBytes = sizeof(uint64_t); // behind each table

template <class T> Span<const char> bytesOf(const T *data, size_t count) {
  return {reinterpret_cast<const char *>(data), count * sizeof(T)};
}

class Writer {
public:
  explicit Writer(const AtomicFiles::Put &to) : to(to) {}

  template <class T> void table(const T *data, size_t count) {
    const Span<const char> bytes = bytesOf(data, count);
    const uint64_t sum = checksum(bytes);
    to(bytes);
    to(bytesOf(&sum, 1));
  }
  void head(const std::string &text) {
    const auto size = uint64_t(text.size());
    to({firstLine, firstBytes});
    to(bytesOf(&size, 1));
    table(text.data(), text.size());
  }
  void edges(const Relation &relation, uint32_t direction) {
    table(relation.csr(direction).offsets.data(), relation.csr(direction).offsets.size());
    relation.forPieces(direction, 0, relation.numEdges(), [&](const EdgePiece &piece) {
      const auto count = size_t(piece.end - piece.begin);
      if (piece.wideIds)
        table(piece.wideIds, count);
      else if (piece.narrowIds)
        table(piece.narrowIds, count);
      table(piece.cols, count);
      if (piece.types)
        table(piece.types, count);
    });
  }

private:
  const AtomicFiles::Put &to;
};

class Reader {
public:
  Reader(const std::string &path, FileSystem &files) : file(std::make_shared<const InputFile>(path, files)) {}

  /// Null where the file is of another version, or no such file at all.
  json head() {
    char line[firstBytes];
    if (file->bytes() < firstBytes + sizeof(uint64_t))
      return nullptr;
    take(line, firstBytes);
    if (!std::equal(line, line + firstBytes, firstLine))
      return nullptr;
    uint64_t size = 0;
    take(&size, sizeof size);
    expect(size <= mostHeadBytes, "its head has ", size, " bytes");
    const Buffer<char> text = table<char>(size);
    return parseJson({text.data(), text.size()}, file->path());
  }
  template <class T> Buffer<T> table(uint64_t count) {
    expect(count <= left() / sizeof(T), "it ends in a table");
    Buffer<T> table{size_t(count)};
    into(table, size_t(count));
    return table;
  }
  /// To the begin of a table that is as large at least.
  template <class T> void into(Buffer<T> &to, size_t count) {
    uint64_t sum = 0;
    expect(count * sizeof(T) + sizeof sum <= left(), "it ends in a table");
    take(to.data(), count * sizeof(T));
    take(&sum, sizeof sum);
    expect(sum == checksum(bytesOf(to.data(), count)), "the checksum differs from that of what was written");
  }
  uint64_t left() const { return file->bytes() - at; }
  uint64_t place() const { return at; }
  const std::shared_ptr<const InputFile> &source() const { return file; }

  template <class... Parts> void expect(bool condition, const Parts &...parts) const {
    require(condition, GNN_ERROR_DATA, file->path(), ": damaged: ", parts..., "; without the file it is made anew");
  }

private:
  void take(void *to, size_t bytes) {
    file->read(to, bytes, at);
    at += bytes;
  }

  const std::shared_ptr<const InputFile> file;
  uint64_t at = 0;
};

/// What the file is of.
json stampedHead(const PagingOptions &options, const std::string &stamp) {
  return {{"stamp", stamp}, {"ids", options.ids}, {"to_source", options.toSource}};
}

/// Of a head whose checksum is right; one that somebody has made up may say anything.
int64_t numberOf(const Reader &reader, const json &head, const char *name, int64_t most) {
  const auto found = head.find(name);
  reader.expect(found != head.end() && found->is_number_integer(), name, " is no number");
  const auto number = found->get<int64_t>();
  reader.expect(number >= 0 && number <= most, name, " is ", number);
  return number;
}

Buffer<int64_t> readOffsets(Reader &reader, int64_t rows, int64_t edges) {
  Buffer<int64_t> offsets = reader.table<int64_t>(uint64_t(rows) + 1);
  reader.expect(offsets[0] == 0 && offsets.end()[-1] == edges && std::is_sorted(offsets.begin(), offsets.end()),
                "offsets don't span the edges");
  return offsets;
}

std::shared_ptr<const VertexOrder> readOrder(Reader &reader, int64_t vertices) {
  auto order = std::make_shared<VertexOrder>();
  order->id = reader.table<int64_t>(uint64_t(vertices));
  order->local = Buffer<uint32_t>(size_t(vertices));
  std::fill(order->local.begin(), order->local.end(), UINT32_MAX);
  for (int64_t v = 0; v < vertices; ++v) {
    const int64_t id = order->id[size_t(v)];
    reader.expect(id >= 0 && id < vertices && order->local[size_t(id)] == UINT32_MAX, "the order is none");
    order->local[size_t(id)] = uint32_t(v);
  }
  return order;
}

/// Goes once over the edges of a direction, and tells of them whom they will be read by.
class Check {
public:
  Check(Reader &from, const EdgeFields &kept, int64_t numEdges, int64_t idBound, int32_t typeBound)
      : reader(from), fields(kept), edges(numEdges), ids(idBound), types(typeBound) {}

  void tell(EdgeFile &file, uint32_t direction, int64_t numCols, const std::function<void(double)> &report) {
    const auto most = size_t(std::min(edges, edgesOfPiece));
    Buffer<int64_t> wide(fields.ids && fields.wideIds ? most : 0);
    Buffer<uint32_t> narrow(fields.ids && !fields.wideIds ? most : 0), cols(most);
    Buffer<int32_t> type(fields.types ? most : 0);
    EdgeFile::Writer writer(file, direction, reader.place());
    for (int64_t begin = 0; begin < edges; begin += edgesOfPiece) {
      const auto count = size_t(std::min(edgesOfPiece, edges - begin));
      if (!wide.empty())
        reader.into(wide, count);
      if (!narrow.empty())
        reader.into(narrow, count);
      reader.into(cols, count);
      if (!type.empty())
        reader.into(type, count);
      bool good = true;
      for (size_t e = 0; e < count; ++e) {
        const int64_t id = !wide.empty() ? wide[e] : !narrow.empty() ? narrow[e] : 0;
        const int32_t ofEdge = type.empty() ? 0 : type[e];
        good &= cols[e] < numCols && (!fields.ids || uint64_t(id) < uint64_t(ids)) &&
                (type.empty() || (ofEdge >= -1 && ofEdge < types));
        writer.add(cols[e], id, ofEdge);
      }
      reader.expect(good, "an edge is out of range");
      report(double(begin) / double(edges));
    }
    writer.finish();
  }

private:
  Reader &reader;
  const EdgeFields fields;
  const int64_t edges, ids;
  const int32_t types;
};

EdgeSetParts readParts(Reader &reader, const json &head, const PagingOptions &options) {
  auto number = [&](const char *name, int64_t most) { return numberOf(reader, head, name, most); };
  constexpr int64_t mostVertices = int64_t(UINT32_MAX) - 1, mostEdges = int64_t(1) << 48;
  const int64_t sources = number("sources", mostVertices), destinations = number("destinations", mostVertices);
  const int64_t edges = number("edges", mostEdges), added = number("added", destinations);
  EdgeSetParts parts;
  parts.givenEdges = number("given_edges", mostEdges);
  parts.transforms = options.transforms;
  parts.givenTypes = parts.types = uint32_t(number("types", maxEdgeTypes));
  reader.expect(head.contains("digest") && head["digest"].is_number_unsigned(), "digest is no number");
  parts.digest = head["digest"].get<uint64_t>();
  const EdgeFields fields{options.ids, number("wide_ids", 1) != 0, number("has_types", 1) != 0};
  if (options.order != GNN_ORDER_GIVEN) {
    reader.expect(sources == destinations, "ordered vertices have two types");
    parts.order = readOrder(reader, destinations);
  }
  parts.addedFrom = Buffer<int64_t>(size_t(added));
  std::fill(parts.addedFrom.begin(), parts.addedFrom.end(), -1); // all are loops
  const unsigned directions = options.toSource ? 2 : 1;
  reader.expect(uint64_t(edges) * fields.bytes() * directions <= reader.left(), "it ends in the edges");
  auto sorted = std::make_shared<EdgeFile>(reader.source(), fields, edges, checksumBytes);
  Check check(reader, fields, edges, parts.givenEdges + added, int32_t(parts.types));
  auto report = [&](unsigned direction) {
    return [&, direction](double share) {
      if (options.onProgress)
        options.onProgress((direction + share) / directions);
    };
  };
  parts.byDestination.offsets = readOffsets(reader, destinations, edges);
  check.tell(*sorted, GNN_TO_DESTINATION, sources, report(0));
  parts.bySource.offsets = options.toSource ? readOffsets(reader, sources, edges) : offsetsOfNone(sources);
  if (options.toSource)
    check.tell(*sorted, GNN_TO_SOURCE, destinations, report(1));
  reader.expect(reader.left() == 0, "there is more behind the last table");
  if (options.onProgress)
    options.onProgress(1);
  parts.file = std::move(sorted);
  return parts;
}

} // namespace

void writeKept(const std::string &path, const EdgeSet &set, const PagingOptions &options, const std::string &stamp,
               FileSystem &files) {
  const Relation &relation = set.relation();
  json head = stampedHead(options, stamp);
  head.update({{"sources", relation.numSources()},
               {"destinations", relation.numDestinations()},
               {"edges", relation.numEdges()},
               {"added", set.addedEdges().size()},
               {"given_edges", set.numGivenEdges()},
               {"types", set.numEdgeTypes()},
               {"has_types", int(relation.hasTypes())},
               {"wide_ids", int(relation.hasWideIds())},
               {"digest", set.digest()}});
  AtomicFiles atomic(files);
  atomic.write(path, [&](const AtomicFiles::Put &put) {
    Writer writer(put);
    writer.head(head.dump());
    if (set.order())
      writer.table(set.order()->id.data(), set.order()->id.size());
    writer.edges(relation, GNN_TO_DESTINATION);
    if (options.toSource)
      writer.edges(relation, GNN_TO_SOURCE);
  });
  atomic.commit();
}

std::shared_ptr<const EdgeSet> readKept(const std::string &path, const PagingOptions &options, const std::string &stamp,
                                        FileSystem &files) {
  Reader reader(path, files);
  const json head = reader.head();
  if (!head.is_object())
    return nullptr;
  const json expected = stampedHead(options, stamp);
  for (const auto &[name, value] : expected.items())
    if (!head.contains(name) || head[name] != value)
      return nullptr;
  return EdgeSet::fromParts(readParts(reader, head, options));
}

} // namespace gnn::rt
