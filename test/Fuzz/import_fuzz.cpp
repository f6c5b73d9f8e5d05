//===- import_fuzz.cpp - Fuzzing tables ------------------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The input is a byte of options, a 16-bit length, a table of so many bytes of edges and one of vertices. Any of that
// gives a data set or an error.
//
//===----------------------------------------------------------------------===//

#include "gnn/error.hpp"
#include "tools/gnn-data/ImportTables.h"
#include <sys/mman.h>
#include <unistd.h>

using namespace gnn::data_tool;

namespace {

/// A file in memory, which has a path while this is there.
class MemoryFile {
public:
  explicit MemoryFile(std::string_view text) : file(memfd_create("table", MFD_CLOEXEC)) {
    if (write(file, text.data(), text.size()) != ssize_t(text.size()))
      std::abort();
  }
  ~MemoryFile() { close(file); }
  std::string path() const { return "/proc/self/fd/" + std::to_string(file); }

private:
  int file;
};

/// A size that is legal, but slow to write.
bool isHuge(std::string_view edges) {
  size_t digits = 0;
  for (char c : edges.substr(0, 512))
    if ((digits = c >= '0' && c <= '9' ? digits + 1 : 0) > 5)
      return edges.substr(0, 2) == "%%";
  return false;
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  if (size < 3)
    return 0;
  std::string_view input(reinterpret_cast<const char *>(data) + 3, size - 3);
  const std::string_view edges = input.substr(0, data[1] + 256u * data[2]);
  const std::string_view vertices = input.substr(edges.size());
  if (isHuge(edges))
    return 0;
  const MemoryFile edgeFile(edges), vertexFile(vertices);
  ImportOptions options;
  options.edges = edgeFile.path();
  options.vertices = vertexFile.path();
  options.label = data[0] & 1 ? "2" : "";
  options.split = data[0] & 2 ? "3" : "";
  options.isUndirected = data[0] & 4;
  options.edgeType = data[0] & 8 ? "3" : "";
  options.isScaled = data[0] & 16;
  try {
    gnn::rt::Dataset result;
    result.source = "fuzz";
    Notes notes;
    ImportRecord record;
    std::set<std::string> columns;
    std::optional<VertexIds> known;
    if (!vertices.empty())
      known = importVertices(options, result, notes, record, columns);
    const VertexIds ids = importEdges(options, std::move(known), result, notes, record, columns);
    result.numVertices = ids.size();
    ids.lines();
    result.finish();
  } catch (const gnn::Error &error) {
    if (error.code() == GNN_ERROR_INTERNAL)
      std::abort();
  }
  return 0;
}
