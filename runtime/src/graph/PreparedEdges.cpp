//===- PreparedEdges.cpp - Prepared edges in files ------------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/src/graph/PreparedEdges.h"
#include "runtime/src/core/Checksum.h"
#include "runtime/src/core/Guard.h"
#include "runtime/src/core/Parallel.h"
#include "runtime/src/graph/Transforms.h"
#include "runtime/src/io/Safetensors.h"

#include <atomic>
#include <charconv>

namespace gnn::rt {

namespace {

constexpr char formatKey[] = "format", formatOfToday[] = "gnn-prepared-edges 1";

/// Of all tensors, in the order of their names, and of what else the file says.
std::string checksumOf(const Safetensors &content) {
  uint64_t sum = 0;
  for (const auto &[key, value] : content.metadata)
    if (key != "checksum")
      sum = checksum({value.data(), value.size()}, checksum({key.data(), key.size()}, sum));
  for (const auto &[name, tensor] : content.tensors)
    sum =
        checksum({static_cast<const char *>(tensor.data()), tensor.bytes()}, checksum({name.data(), name.size()}, sum));
  return std::to_string(sum);
}

/// safetensors of ours know signed integers only; the bits are the same.
template <class T> constexpr uint32_t storedAs() { return sizeof(T) == sizeof(int64_t) ? GNN_I64 : GNN_I32; }

class Writer {
public:
  explicit Writer(const EdgeSet &set) {
    putRows("to_destination", set.relation().csr(GNN_TO_DESTINATION), set.numEdgeTypes());
    putRows("to_source", set.relation().csr(GNN_TO_SOURCE), set.numEdgeTypes());
    if (set.order()) {
      put("order.id", set.order()->id);
      put("order.local", set.order()->local);
    }
    put("added_from", set.addedEdges());
    content.metadata = {{formatKey, formatOfToday},
                        {"transforms", std::to_string(set.transforms())},
                        {"given_edges", std::to_string(set.numGivenEdges())},
                        {"given_types", std::to_string(set.numGivenTypes())},
                        {"types", std::to_string(set.numEdgeTypes())}};
  }

  Safetensors content;

private:
  void putRows(const std::string &name, const Csr &rows, uint32_t numTypes) {
    put(name + ".offsets", rows.offsets);
    put(name + ".cols", rows.cols);
    if (rows.edgeIds.wide.empty())
      put(name + ".ids", rows.edgeIds.narrow);
    else
      put(name + ".ids", rows.edgeIds.wide);
    if (numTypes)
      put(name + ".types", rows.types);
  }

  template <class T> void put(const std::string &name, const Buffer<T> &values) {
    content.tensors[name] = Tensor::view(nullptr, const_cast<T *>(values.data()), storedAs<T>(),
                                         {int64_t(values.size())}, /*readOnly=*/true);
  }
};

class Reader {
public:
  Reader(const Safetensors &content, const std::string &file) : content(content), file(file) {}

  EdgeSetParts parts() const {
    EdgeSetParts parts;
    parts.transforms = uint32_t(number("transforms", UINT32_MAX));
    parts.givenEdges = number("given_edges", INT64_MAX / 2);
    parts.givenTypes = uint32_t(number("given_types", INT32_MAX / 2));
    parts.types = uint32_t(number("types", INT32_MAX));
    parts.addedFrom = buffer<int64_t>("added_from");
    parts.byDestination = rows("to_destination", parts.types);
    parts.bySource = rows("to_source", parts.types);
    if (content.tensors.count("order.id")) {
      auto order = std::make_shared<VertexOrder>();
      order->id = buffer<int64_t>("order.id");
      order->local = buffer<uint32_t>("order.local");
      parts.order = std::move(order);
    }
    check(parts);
    return parts;
  }

private:
  template <class... Parts> void expect(bool condition, const Parts &...parts) const {
    require(condition, GNN_ERROR_DATA, file, ": ", parts...);
  }

  int64_t number(const std::string &key, int64_t most) const {
    auto found = content.metadata.find(key);
    expect(found != content.metadata.end(), "says nothing of ", key);
    const std::string &text = found->second;
    int64_t value = -1;
    auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    expect(error == std::errc() && end == text.data() + text.size() && value >= 0 && value <= most, key, " is '", text,
           "', expected a number from 0 to ", most);
    return value;
  }

  const Tensor &tensor(const std::string &name) const {
    auto found = content.tensors.find(name);
    expect(found != content.tensors.end() && found->second.rank() == 1, "there is no list ", name);
    return found->second;
  }

  template <class T> Buffer<T> buffer(const std::string &name) const {
    auto owner = std::make_shared<Tensor>(tensor(name));
    expect(owner->element() == storedAs<T>(), name, " is of ", elementName(owner->element()));
    auto *data = static_cast<T *>(const_cast<void *>(owner->data()));
    const auto count = size_t(owner->count());
    return Buffer<T>(std::move(owner), data, count);
  }

  Csr rows(const std::string &name, uint32_t numTypes) const {
    Csr rows;
    rows.offsets = buffer<int64_t>(name + ".offsets");
    rows.cols = buffer<uint32_t>(name + ".cols");
    if (tensor(name + ".ids").element() == GNN_I64)
      rows.edgeIds.wide = buffer<int64_t>(name + ".ids");
    else
      rows.edgeIds.narrow = buffer<uint32_t>(name + ".ids");
    if (numTypes)
      rows.types = buffer<int32_t>(name + ".types");
    return rows;
  }

  void check(const EdgeSetParts &parts) const {
    expect((parts.transforms & ~knownTransforms) == 0 &&
               parts.types == numTypesUnder(parts.transforms, parts.givenTypes),
           parts.types, " types of ", parts.givenTypes, " given ones under the transforms ", parts.transforms);
    checkOffsets(parts.byDestination, "to_destination");
    checkOffsets(parts.bySource, "to_source");
    const int64_t vertices = parts.byDestination.numRows(), ids = parts.givenEdges + int64_t(parts.addedFrom.size());
    expect(parts.bySource.numRows() == vertices && vertices < int64_t(UINT32_MAX), parts.bySource.numRows(),
           " sources and ", vertices, " destinations");
    expect(parts.bySource.cols.size() == parts.byDestination.cols.size(), "the directions differ in their edges");
    checkEdges(parts.byDestination, "to_destination", vertices, ids, parts.types);
    checkEdges(parts.bySource, "to_source", vertices, ids, parts.types);
    expectAll(parts.addedFrom.size(), "added_from",
              [&](size_t i) { return parts.addedFrom[i] >= -1 && parts.addedFrom[i] < parts.givenEdges; });
    if (!parts.order)
      return;
    const VertexOrder &order = *parts.order;
    expect(order.id.size() == size_t(vertices) && order.local.size() == size_t(vertices), "the order has ",
           order.id.size(), " vertices, the graph ", vertices);
    expectAll(size_t(vertices), "order", [&](size_t v) {
      return order.id[v] >= 0 && order.id[v] < vertices && order.local[size_t(order.id[v])] == v;
    });
  }

  void checkOffsets(const Csr &rows, const char *name) const {
    const Buffer<int64_t> &offsets = rows.offsets;
    expect(!offsets.empty() && offsets[0] == 0 && offsets[offsets.size() - 1] == int64_t(rows.cols.size()), name,
           ".offsets don't span the edges");
    expectAll(offsets.size() - 1, name + std::string(".offsets"),
              [&](size_t i) { return offsets[i] <= offsets[i + 1]; });
  }

  void checkEdges(const Csr &rows, const std::string &name, int64_t vertices, int64_t ids, uint32_t numTypes) const {
    const size_t edges = rows.cols.size();
    expect(rows.edgeIds.narrow.size() + rows.edgeIds.wide.size() == edges, name, ".ids aren't as many as edges");
    expect(rows.types.size() == (numTypes ? edges : 0), name, ".types aren't as many as edges");
    expectAll(edges, name + ".cols", [&](size_t i) { return rows.cols[i] < vertices; });
    expectAll(edges, name + ".ids", [&](size_t i) { return uint64_t(rows.edgeIds[i]) < uint64_t(ids); });
    expectAll(rows.types.size(), name + ".types",
              [&](size_t i) { return rows.types[i] >= -1 && rows.types[i] < int64_t(numTypes); });
  }

  template <class IsGood> void expectAll(size_t count, const std::string &name, IsGood isGood) const {
    std::atomic<bool> areGood{true};
    parallelFor(tbb::blocked_range<size_t>(0, count, 1 << 16), [&](const tbb::blocked_range<size_t> &range) {
      bool good = true;
      for (size_t i = range.begin(); i < range.end(); ++i)
        good &= isGood(i);
      if (!good)
        areGood = false;
    });
    expect(areGood, name, " has an entry out of range");
  }

  const Safetensors &content;
  const std::string &file;
};

} // namespace

void writePrepared(const std::string &path, const EdgeSet &set, const std::string &stamp, FileSystem &files) {
  Safetensors content = Writer(set).content;
  content.metadata["stamp"] = stamp;
  content.metadata["checksum"] = checksumOf(content);
  writeSafetensors(path, content, files);
}

std::shared_ptr<const EdgeSet> parsePrepared(const FileBytes &bytes, const std::string &file,
                                             const std::string &stamp) {
  Safetensors content = parseSafetensors(bytes, file);
  if (content.metadata[formatKey] != formatOfToday || content.metadata["stamp"] != stamp)
    return nullptr;
  require(content.metadata["checksum"] == checksumOf(content), GNN_ERROR_DATA, file,
          ": damaged: the checksum differs from that of what was written; without the file it is made anew");
  return EdgeSet::fromParts(Reader(content, file).parts());
}

} // namespace gnn::rt
