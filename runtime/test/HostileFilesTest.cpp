//===- HostileFilesTest.cpp - Tests with damaged files ---------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every seed file of the fuzz harnesses, cut at every length and with every bit flipped: the readers answer with data
// or a data error, nothing else.
//
//===----------------------------------------------------------------------===//

#include "gnn/error.hpp"
#include "runtime/src/io/Npy.h"
#include "runtime/src/io/Npz.h"
#include "runtime/src/io/Safetensors.h"
#include "runtime/test/TemporaryFolder.h"
#include <catch2/catch.hpp>
#include <functional>

using namespace gnn::rt;

namespace {

using Reader = std::function<void(const FileBytes &)>;

/// Whether the reader takes the bytes; any exception but a data error (or, for a size that can't be, a memory error)
/// fails the test.
bool accepts(const Reader &reader, Span<const char> bytes) {
  try {
    reader(copyBytes(bytes));
    return true;
  } catch (const gnn::Error &error) {
    CHECK((error.code() == GNN_ERROR_DATA || error.code() == GNN_ERROR_MEMORY));
    CHECK(std::string(error.what()).find("seed") == 0);
    return false;
  }
}

/// `wholeOnly`: no proper beginning of an accepted file is accepted.
void damage(const std::string &folder, const Reader &reader, bool wholeOnly) {
  size_t seeds = 0, accepted = 0;
  for (const auto &entry : std::filesystem::directory_iterator(std::string(GNNC_FUZZ_CORPUS "/") + folder)) {
    std::string bytes = TemporaryFolder::readBytes(entry.path().string());
    INFO(entry.path().string());
    ++seeds;
    accepted += accepts(reader, bytes);
    for (size_t length = 0; length < bytes.size(); ++length) {
      bool taken = accepts(reader, {bytes.data(), length});
      if (taken && wholeOnly)
        FAIL("the first " << length << " bytes are accepted");
    }
    for (size_t bit = 0; bit < bytes.size() * 8; ++bit) {
      bytes[bit / 8] ^= char(1 << bit % 8);
      accepts(reader, bytes);
      bytes[bit / 8] ^= char(1 << bit % 8);
    }
  }
  CHECK(seeds >= 3);
  CHECK(accepted >= 2);
}

} // namespace

TEST_CASE("damaged .npy files are refused or harmless") {
  damage(
      "npy", [](const FileBytes &bytes) { parseNpy(bytes, "seed"); }, true);
}

TEST_CASE("damaged safetensors files are refused or harmless") {
  damage(
      "safetensors", [](const FileBytes &bytes) { parseSafetensors(bytes, "seed"); }, true);
}

TEST_CASE("damaged .npz files are refused or harmless") {
  Reader readAll = [](const FileBytes &bytes) {
    NpzArchive archive(bytes, "seed");
    for (const auto &member : archive.names())
      archive.read(member.first);
  };
  damage("npz", readAll, true);
}
