//===- import_fuzz.cpp - Fuzzing what is imported --------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The input is a byte of options, a 16-bit length, a file of so many bytes of edges and one of vertices; behind a form
// feed that may have an earlier import's record. Edges that begin with GB are the metadata.yaml of a folder of
// GraphBolt; those that begin with NZ are arrays for an archive, each a byte for its name, a 16-bit length and so many
// bytes of its file. Any of that gives a data set or an error; what an import recorded gives the same features again.
//
//===----------------------------------------------------------------------===//

#include "gnn/error.hpp"
#include "runtime/src/io/Npy.h"
#include "tools/gnn-data/ImportTables.h"
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

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
  const bool hasSize = edges.substr(0, 2) == "%%" || edges.substr(0, 2) == "GB";
  size_t digits = 0;
  for (char c : edges.substr(0, hasSize ? edges.npos : 0))
    if ((digits = c >= '0' && c <= '9' ? digits + 1 : 0) > 5)
      return true;
  return false;
}

/// A folder with the arrays that metadata may name; it goes with the process.
class Folder {
public:
  Folder() {
    if (!mkdtemp(name))
      std::abort();
    using gnn::rt::Tensor;
    gnn::rt::writeNpy(path() + "/e", Tensor::of(std::vector<int64_t>{0, 1, 2, 1, 2, 0}, {2, 3}));
    gnn::rt::writeNpy(path() + "/x", Tensor::of(std::vector<float>{1, 2, 3}));
    gnn::rt::writeNpy(path() + "/i", Tensor::of(std::vector<int64_t>{2, 0}));
    gnn::rt::writeNpy(path() + "/p", Tensor::of(std::vector<int64_t>{2, 0, 1, 1}, {2, 2}));
    std::ofstream(path() + "/c") << "0,1\n1,2\n";
  }
  ~Folder() {
    for (const char *file : {"/e", "/x", "/i", "/p", "/c", "/metadata.yaml"})
      unlink((path() + file).c_str());
    rmdir(name);
  }
  std::string path() const { return name; }
  void describe(std::string_view metadata) const { std::ofstream(path() + "/metadata.yaml") << metadata; }

private:
  char name[32] = "/dev/shm/import_fuzz_XXXXXX";
};

template <class T> void put(std::string &bytes, T value) {
  bytes.append(reinterpret_cast<const char *>(&value), sizeof(value));
}

/// An archive of stored members whose checksums are right, as mutations alone would not find them.
std::string archiveOf(std::string_view parts) {
  constexpr const char *names[] = {"edge_index", "edges",     "edge_type",   "x",      "y",        "edge_attr",
                                   "train_mask", "val_idx",   "test_masks",  "format", "shape",    "data",
                                   "indices",    "indptr",    "row",         "col",    "adj_data", "adj_indices",
                                   "adj_indptr", "adj_shape", "attr_matrix", "labels"};
  std::string archive, directory;
  uint16_t count = 0;
  while (parts.size() >= 3) {
    const std::string name = std::string(names[uint8_t(parts[0]) % std::size(names)]) + ".npy";
    const std::string_view content = parts.substr(3, uint8_t(parts[1]) + 256u * uint8_t(parts[2]));
    parts.remove_prefix(3 + content.size());
    std::string header;
    for (uint16_t field : {uint16_t(20), uint16_t(0), uint16_t(0), uint16_t(0), uint16_t(0x21)})
      put(header, field);
    put(header, uint32_t(crc32(0, reinterpret_cast<const Bytef *>(content.data()), uInt(content.size()))));
    put(header, uint32_t(content.size()));
    put(header, uint32_t(content.size()));
    put(header, uint16_t(name.size()));
    put(header, uint16_t(0));
    directory += "PK\1\2";
    put(directory, uint16_t(20));
    directory += header + std::string(10, '\0');
    put(directory, uint32_t(archive.size()));
    directory += name;
    archive += "PK\3\4" + header + name;
    archive += content;
    ++count;
  }
  const uint32_t begin = uint32_t(archive.size());
  archive += directory + std::string("PK\5\6\0\0\0\0", 8);
  put(archive, count);
  put(archive, count);
  put(archive, uint32_t(directory.size()));
  put(archive, begin);
  put(archive, uint16_t(0));
  return archive;
}

struct Imported {
  gnn::rt::Dataset data;
  std::optional<gnn::rt::ImportRecord> record;
};

Imported import(const ImportOptions &options) {
  Imported result;
  result.data.source = "fuzz";
  Notes notes;
  result.record = importData(options, result.data, notes);
  return result;
}

/// Other columns may have been texts of more kinds than are kept, whose order is no other.
void requireSame(const gnn::rt::Dataset &a, const gnn::rt::Dataset &b) {
  const auto &x = a.vertexFeatures.at("x").dense, &y = b.vertexFeatures.at("x").dense;
  if (x.shape() != y.shape() || std::memcmp(x.data(), y.data(), x.bytes()) != 0)
    std::abort();
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  if (size < 3)
    return 0;
  std::string_view input(reinterpret_cast<const char *>(data) + 3, size - 3);
  const std::string_view edges = input.substr(0, data[1] + 256u * data[2]);
  std::string_view vertices = input.substr(edges.size());
  const size_t feed = vertices.find('\f');
  const std::string_view record = feed == vertices.npos ? std::string_view() : vertices.substr(feed + 1);
  vertices = vertices.substr(0, feed);
  if (isHuge(edges))
    return 0;
  const bool isArchive = edges.substr(0, 2) == "NZ", isFolder = edges.substr(0, 2) == "GB";
  static const Folder folder;
  if (isFolder)
    folder.describe(edges.substr(2));
  const MemoryFile edgeFile(isArchive ? archiveOf(edges.substr(2)) : edges), vertexFile(vertices);
  ImportOptions options;
  options.path = isFolder ? folder.path() : edgeFile.path();
  if (!vertices.empty())
    options.vertices = {vertexFile.path()};
  options.label = data[0] & 1 ? "2" : "";
  options.split = data[0] & 2 ? (vertices.empty() ? "50%,20%" : "3") : "";
  options.isUndirected = data[0] & 4;
  if (data[0] & 8)
    options.edgeTypes = {"3"};
  options.isScaled = data[0] & 16;
  options.labelKind = data[0] & 32 ? LabelKind::Class : data[0] & 64 ? LabelKind::Number : LabelKind::Auto;
  try {
    if (feed != vertices.npos && !record.empty())
      options.like = gnn::rt::ImportRecord::parse({record.data(), record.size()}, "record");
    const Imported first = import(options);
    if (data[0] & 128 && first.record && !options.like) {
      const std::string text = first.record->text();
      options.like = gnn::rt::ImportRecord::parse({text.data(), text.size()}, "record");
      const Imported again = import(options);
      if (first.data.vertexFeatures.count("x"))
        requireSame(first.data, again.data);
    }
  } catch (const gnn::Error &error) {
    if (error.code() == GNN_ERROR_INTERNAL)
      std::abort();
  }
  return 0;
}
