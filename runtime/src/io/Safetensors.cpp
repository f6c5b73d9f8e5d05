//===- Safetensors.cpp - Named tensors in files ----------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The header is JSON and is checked entry by entry before any tensor is made.
//
//===----------------------------------------------------------------------===//

#include "runtime/src/io/Safetensors.h"
#include "runtime/src/core/Elements.h"
#include "runtime/src/core/Guard.h"
#include "runtime/src/io/AtomicFiles.h"
#include "runtime/src/io/Json.h"
#include <algorithm>
#include <cstring>

using namespace gnn::rt;
using nlohmann::json;

namespace {

constexpr uint64_t maxHeaderBytes = 100'000'000;
constexpr char metadataKey[] = "__metadata__";

struct ElementCode {
  const char *code;
  ForeignElement element;
};

constexpr ElementCode elementCodes[] = {
    {"F64", ForeignElement::F64},   {"F32", ForeignElement::F32}, {"F16", ForeignElement::F16},
    {"BF16", ForeignElement::BF16}, {"I64", ForeignElement::I64}, {"I32", ForeignElement::I32},
    {"I16", ForeignElement::I16},   {"I8", ForeignElement::I8},   {"U64", ForeignElement::U64},
    {"U32", ForeignElement::U32},   {"U16", ForeignElement::U16}, {"U8", ForeignElement::U8},
    {"BOOL", ForeignElement::Bool},
};

struct Entry {
  std::string name;
  ForeignElement element;
  std::vector<int64_t> shape;
  uint64_t begin, end;
};

uint64_t unsignedField(const json &value, const std::string &what) {
  require(value.is_number_unsigned(), GNN_ERROR_DATA, what, " is ", value.dump(), ", expected a non-negative integer");
  return value.get<uint64_t>();
}

Entry parseEntry(const std::string &name, const json &value, const std::string &file) {
  std::string what = file + ": tensor '" + name + "'";
  require(value.is_object() && value.size() == 3 && value.contains("dtype") && value.contains("shape") &&
              value.contains("data_offsets"),
          GNN_ERROR_DATA, what, ": expected an object of dtype, shape and data_offsets");
  Entry entry{name, ForeignElement::F32, {}, 0, 0};
  const json &dtype = value["dtype"], &shape = value["shape"], &offsets = value["data_offsets"];
  auto code = std::find_if(std::begin(elementCodes), std::end(elementCodes),
                           [&](const ElementCode &known) { return dtype == known.code; });
  require(code != std::end(elementCodes), GNN_ERROR_DATA, what, ": dtype ", dtype.dump(), " is not supported");
  entry.element = code->element;
  require(shape.is_array() && shape.size() <= GNN_MAX_RANK, GNN_ERROR_DATA, what, ": shape is no list of at most ",
          GNN_MAX_RANK, " extents");
  for (const json &extent : shape)
    entry.shape.push_back(int64_t(std::min<uint64_t>(unsignedField(extent, what + ": shape"), INT64_MAX)));
  require(offsets.is_array() && offsets.size() == 2, GNN_ERROR_DATA, what, ": data_offsets is no pair");
  entry.begin = unsignedField(offsets[0], what + ": data_offsets");
  entry.end = unsignedField(offsets[1], what + ": data_offsets");
  return entry;
}

std::map<std::string, std::string> parseMetadata(const json &value, const std::string &file) {
  require(value.is_object(), GNN_ERROR_DATA, file, ": ", metadataKey, " is no object");
  std::map<std::string, std::string> metadata;
  for (const auto &item : value.items()) {
    require(item.value().is_string(), GNN_ERROR_DATA, file, ": ", metadataKey, ".", item.key(), " is no string");
    metadata[item.key()] = item.value().get<std::string>();
  }
  return metadata;
}

/// Requires that the entries, in the order of their data, fill `dataBytes` without gap or overlap.
void checkLayout(std::vector<Entry> &entries, uint64_t dataBytes, const std::string &file) {
  std::sort(entries.begin(), entries.end(), [](const Entry &a, const Entry &b) {
    return std::tie(a.begin, a.end, a.name) < std::tie(b.begin, b.end, b.name);
  });
  uint64_t position = 0;
  for (const Entry &entry : entries) {
    std::string what = file + ": tensor '" + entry.name + "'";
    require(entry.begin == position && entry.end >= entry.begin && entry.end <= dataBytes, GNN_ERROR_DATA, what,
            ": data_offsets [", entry.begin, ", ", entry.end, "], expected to begin at ", position,
            " and to end at most at ", dataBytes);
    int64_t count = 0;
    try {
      count = countElements(entry.shape, nativeElement(entry.element));
    } catch (const gnn::Error &error) {
      fail(GNN_ERROR_DATA, what, ": ", error.what());
    }
    uint64_t bytes = uint64_t(count) * foreignBytes(entry.element);
    require(entry.end - entry.begin == bytes, GNN_ERROR_DATA, what, ": data_offsets [", entry.begin, ", ", entry.end,
            "] span ", entry.end - entry.begin, " bytes, shape ", shapeText(entry.shape), " needs ", bytes);
    position = entry.end;
  }
  require(position == dataBytes, GNN_ERROR_DATA, file, ": ", dataBytes - position, " bytes after the last tensor");
}

Tensor makeTensor(const Entry &entry, const FileBytes &bytes, size_t dataOffset, const std::string &file) {
  char *data = bytes.data + dataOffset + entry.begin;
  size_t elementSize = foreignBytes(entry.element);
  if (isNative(entry.element) && reinterpret_cast<uintptr_t>(data) % elementSize == 0)
    return Tensor::view(bytes.owner, data, nativeElement(entry.element), entry.shape);
  return copyForeign(data, entry.element, /*swapBytes=*/false, entry.shape, contiguousStrides(entry.shape, elementSize),
                     file + ": tensor '" + entry.name + "'");
}

const char *codeOf(uint32_t element) {
  constexpr const char *codes[] = {"F32", "F64", "I32", "I64", "BOOL"};
  return codes[element];
}

} // namespace

Safetensors gnn::rt::parseSafetensors(const FileBytes &bytes, const std::string &file) {
  uint64_t headerBytes = 0;
  require(bytes.size >= sizeof(headerBytes), GNN_ERROR_DATA, file,
          ": byte 0: a safetensors file has at least 8 bytes, got ", bytes.size);
  std::memcpy(&headerBytes, bytes.data, sizeof(headerBytes));
  uint64_t most = std::min<uint64_t>(bytes.size - sizeof(headerBytes), maxHeaderBytes);
  require(headerBytes <= most, GNN_ERROR_DATA, file, ": byte 0: the header is ", headerBytes, " bytes long, at most ",
          most, " are possible");
  size_t dataOffset = sizeof(headerBytes) + size_t(headerBytes);
  Span<const char> text = bytes.span().slice(sizeof(headerBytes), size_t(headerBytes));
  require(!text.empty() && text[0] == '{', GNN_ERROR_DATA, file, ": byte 8: the header does not begin with `{`");
  json header = parseJson(text, file);

  Safetensors result;
  std::vector<Entry> entries;
  for (const auto &item : header.items()) {
    if (item.key() == metadataKey)
      result.metadata = parseMetadata(item.value(), file);
    else
      entries.push_back(parseEntry(item.key(), item.value(), file));
  }
  checkLayout(entries, bytes.size - dataOffset, file);
  for (const Entry &entry : entries)
    result.tensors[entry.name] = makeTensor(entry, bytes, dataOffset, file);
  return result;
}

Safetensors gnn::rt::readSafetensors(const std::string &path) { return parseSafetensors(readFile(path), path); }

void gnn::rt::writeSafetensors(const std::string &path, const Safetensors &content, FileSystem &files) {
  // Wider elements first keeps every tensor aligned, as the reference writer does.
  std::vector<const std::pair<const std::string, Tensor> *> order;
  for (const auto &named : content.tensors)
    order.push_back(&named);
  std::sort(order.begin(), order.end(), [](const auto *a, const auto *b) {
    size_t bytesOfA = elementBytes(a->second.element()), bytesOfB = elementBytes(b->second.element());
    return bytesOfA != bytesOfB ? bytesOfA > bytesOfB : a->first < b->first;
  });
  json header = json::object();
  if (!content.metadata.empty())
    header[metadataKey] = content.metadata;
  uint64_t position = 0;
  std::vector<Span<const char>> pieces(1);
  for (const auto *named : order) {
    const Tensor &tensor = named->second;
    require(named->first != metadataKey, GNN_ERROR_ARGUMENT, "a tensor can't be called ", metadataKey);
    header[named->first] = {{"dtype", codeOf(tensor.element())},
                            {"shape", tensor.shape()},
                            {"data_offsets", {position, position + tensor.bytes()}}};
    position += tensor.bytes();
    pieces.push_back({static_cast<const char *>(tensor.data()), tensor.bytes()});
  }
  std::string text = header.dump();
  text.resize((text.size() + 7) / 8 * 8, ' ');
  uint64_t headerBytes = text.size();
  std::string start(reinterpret_cast<const char *>(&headerBytes), sizeof(headerBytes));
  start += text;
  pieces[0] = {start.data(), start.size()};
  atomicWrite(path, pieces, files);
}
