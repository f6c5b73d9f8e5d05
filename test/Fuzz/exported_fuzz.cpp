//===- exported_fuzz.cpp - Fuzzing the import of .pt2 files ---------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Any bytes give a program or an ImportError. The entries of a .pt2 file have checksums, so that changed bytes of the
// file are refused early: mutations change one entry and write the archive anew, and in its JSON they change a string
// or a number.
//
//===----------------------------------------------------------------------===//

#include "compiler/Import/ArgumentTable.h"
#include "compiler/Import/Functionalize.h"
#include "compiler/Import/ProgramText.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/CRC.h"
#include <cstring>
#include <random>

using namespace gnnc::pt2;

extern "C" size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t maxSize);

namespace {

struct Entry {
  std::string name, bytes;
};

template <class Number> Number load(llvm::StringRef bytes, size_t at) {
  Number number = 0;
  if (at + sizeof number <= bytes.size())
    std::memcpy(&number, bytes.data() + at, sizeof number);
  return number;
}

template <class... Numbers> void store(std::string &bytes, Numbers... numbers) {
  (bytes.append(reinterpret_cast<const char *>(&numbers), sizeof numbers), ...);
}

/// The stored entries of a zip file, from their local headers.
std::vector<Entry> unpack(llvm::StringRef bytes) {
  std::vector<Entry> entries;
  size_t at = 0;
  while (load<uint32_t>(bytes, at) == 0x04034b50) {
    const size_t size = load<uint32_t>(bytes, at + 18), name = load<uint16_t>(bytes, at + 26),
                 extra = load<uint16_t>(bytes, at + 28);
    at += 30;
    entries.push_back({bytes.substr(at, name).str(), bytes.substr(at + name + extra, size).str()});
    at += name + extra + size;
  }
  return entries;
}

std::string pack(const std::vector<Entry> &entries) {
  std::string file, directory;
  for (const auto &[name, bytes] : entries) {
    const uint32_t at = file.size(), size = bytes.size();
    const uint32_t sum =
        llvm::crc32(llvm::ArrayRef<uint8_t>(reinterpret_cast<const uint8_t *>(bytes.data()), bytes.size()));
    std::string facts;
    store(facts, uint16_t(20), uint16_t(0), uint16_t(0), uint16_t(0), uint16_t(33), sum, size, size,
          uint16_t(name.size()), uint16_t(0));
    store(file, uint32_t(0x04034b50));
    file += facts + name + bytes;
    store(directory, uint32_t(0x02014b50), uint16_t(20));
    directory += facts;
    store(directory, uint16_t(0), uint16_t(0), uint16_t(0), uint32_t(0), at);
    directory += name;
  }
  const uint32_t begin = file.size();
  file += directory;
  store(file, uint32_t(0x06054b50), uint16_t(0), uint16_t(0), uint16_t(entries.size()), uint16_t(entries.size()),
        uint32_t(directory.size()), begin, uint16_t(0));
  return file;
}

/// Replaces a string of `json` by another, or a number by one that is at the edge of something.
void changeToken(std::string &json, std::mt19937 &random) {
  static const char *const numbers[] = {"0", "1", "-1", "2", "7", "64", "4294967296", "9223372036854775807", "1e400"};
  auto token = [&] {
    size_t begin = json.find(random() % 2 ? ": \"" : ": ", random() % json.size());
    if (begin == std::string::npos)
      return std::pair<size_t, size_t>(0, 0);
    begin += 2;
    size_t end = json.find_first_of(",}]", begin);
    return std::pair<size_t, size_t>(begin, end == std::string::npos ? 0 : end - begin);
  };
  auto [at, length] = token();
  if (!length)
    return;
  if (json[at] == '"' || random() % 4 == 0) {
    auto [otherAt, otherLength] = token();
    json.replace(at, length, std::string(json, otherAt, otherLength));
  } else {
    json.replace(at, length, numbers[random() % std::size(numbers)]);
  }
}

} // namespace

extern "C" size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t maxSize, unsigned seed) {
  std::mt19937 random(seed);
  std::vector<Entry> entries = unpack({reinterpret_cast<const char *>(data), size});
  if (entries.empty() || random() % 8 == 0)
    return LLVMFuzzerMutate(data, size, maxSize);
  size_t chosen = random() % entries.size();
  for (size_t i = 0; i < entries.size(); ++i)
    if (llvm::StringRef(entries[i].name).ends_with("model.json") && random() % 4)
      chosen = i;
  std::string &bytes = entries[chosen].bytes;
  if (llvm::StringRef(entries[chosen].name).ends_with(".json") && !bytes.empty() && random() % 8) {
    for (size_t changes = 1 + random() % 3; changes > 0; --changes)
      changeToken(bytes, random);
  } else {
    const size_t room = bytes.size() + 64;
    const size_t old = bytes.size();
    bytes.resize(room);
    bytes.resize(LLVMFuzzerMutate(reinterpret_cast<uint8_t *>(bytes.data()), old, room));
  }
  const std::string file = pack(entries);
  if (file.size() > maxSize)
    return LLVMFuzzerMutate(data, size, maxSize);
  std::memcpy(data, file.data(), file.size());
  return file.size();
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  try {
    const Program program = functionalize(readProgram({reinterpret_cast<const char *>(data), size}, "fuzz.pt2"));
    checkArguments(program);
    const RaisedProgram raised = raise(program);
    writeProgram(program, raised, /*stdlib=*/""); // with a library each layer would take seconds
  } catch (const ImportError &) {
  }
  return 0;
}
