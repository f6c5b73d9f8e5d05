//===- NpyTest.cpp - Tests of .npy files -----------------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Files written by NumPy are read, our own round-trip, and each way to be wrong has its message. The seeds of the fuzz
// harness serve as examples.
//
//===----------------------------------------------------------------------===//

#include "runtime/src/io/Npy.h"
#include "gnn/error.hpp"
#include "runtime/test/TemporaryFolder.h"
#include <catch2/catch.hpp>
#include <cstring>

using namespace gnn::rt;
using Catch::Matchers::Contains;

namespace {

Tensor readSeed(const std::string &name) { return readNpy(std::string(GNNC_FUZZ_CORPUS "/npy/") + name + ".npy"); }

template <class T> std::vector<T> valuesOf(const Tensor &tensor) {
  return std::vector<T>(tensor.values<T>().begin(), tensor.values<T>().end());
}

/// A version 1 file of this dictionary and so many bytes of data.
Tensor parse(const std::string &dictionary, size_t dataBytes = 0) {
  std::string text = dictionary + "\n";
  std::string file("\x93NUMPY\x01\x00", 8);
  file += char(text.size() & 255);
  file += char(text.size() >> 8);
  file += text + std::string(dataBytes, '\0');
  return parseNpy(copyBytes({file.data(), file.size()}), "f.npy");
}

std::string dictionary(const std::string &descr, const std::string &shape) {
  return "{'descr': '" + descr + "', 'fortran_order': False, 'shape': " + shape + ", }";
}

} // namespace

TEST_CASE("NumPy's files are read") {
  Tensor matrix = readSeed("f4_matrix");
  CHECK(matrix.shape() == std::vector<int64_t>{2, 3});
  CHECK(valuesOf<float>(matrix) == std::vector<float>{0, 1, 2, 3, 4, 5});
  CHECK(readSeed("f8_scalar").shape().empty());
  CHECK(valuesOf<double>(readSeed("f8_scalar")) == std::vector<double>{2.5});
  CHECK(valuesOf<float>(readSeed("f2_vector")) == std::vector<float>{1, -2, 0.5});
  CHECK(valuesOf<int64_t>(readSeed("u8_vector")) == std::vector<int64_t>{1, int64_t(1) << 62});
  CHECK(valuesOf<int32_t>(readSeed("i1_labels")) == std::vector<int32_t>{0, -1, 3});
  CHECK(valuesOf<bool>(readSeed("bool_mask")) == std::vector<bool>{true, false, true});
  CHECK(valuesOf<int32_t>(readSeed("big_endian")) == std::vector<int32_t>{1, 258});
  CHECK(valuesOf<float>(readSeed("fortran")) == std::vector<float>{0, 1, 2, 3, 4, 5});
  CHECK(readSeed("empty_rows").shape() == std::vector<int64_t>{0, 4});
  CHECK(valuesOf<int32_t>(readSeed("version2")) == std::vector<int32_t>{0, 1, 2});
  CHECK(valuesOf<int32_t>(readSeed("version3")) == std::vector<int32_t>{0, 1, 2});
  CHECK(valuesOf<float>(readSeed("aligned4096")) == std::vector<float>{1, 2});
  CHECK_THROWS_WITH(readSeed("object"), Contains("pickles, which are never read"));
  CHECK_THROWS_WITH(readSeed("text"), Contains("'descr' is '<U2'"));
}

TEST_CASE("tensors round-trip through files") {
  TemporaryFolder folder;
  Tensor tensor =
      GENERATE(Tensor::of<float>({1, 2, 3, 4, 5, 6}, {2, 3}), Tensor::of<double>({1}, {}), Tensor::of<int32_t>({7, 8}),
               Tensor::of<int64_t>({}, {0, 3}), Tensor::of<bool>({true, false}));
  writeNpy(folder.path("t.npy"), tensor);
  Tensor back = readNpy(folder.path("t.npy"));
  CHECK(back.element() == tensor.element());
  CHECK(back.shape() == tensor.shape());
  CHECK(std::memcmp(back.data(), tensor.data(), tensor.bytes()) == 0);
  CHECK(npyHeader(tensor).size() % 64 == 0);
}

TEST_CASE("what we write is what NumPy writes") {
  TemporaryFolder folder;
  writeNpy(folder.path("t.npy"), readSeed("f4_matrix"));
  CHECK(folder.read("t.npy") == TemporaryFolder::readBytes(GNNC_FUZZ_CORPUS "/npy/f4_matrix.npy"));
}

TEST_CASE("large aligned files are not copied") {
  FileBytes bytes = readFile(GNNC_FUZZ_CORPUS "/npy/f4_matrix.npy");
  CHECK(parseNpy(bytes, "f").data() == bytes.data + 128);
}

TEST_CASE("headers are read exactly") {
  CHECK(parse(dictionary("<f4", "(2,)"), 8).count() == 2);
  CHECK(parse("{'shape': (1, 2), 'fortran_order': True, 'descr': '<f4'}   ", 8).count() == 2);
  CHECK(parse("{\"descr\": \"<f4\", \"fortran_order\": False, \"shape\": ()}", 4).count() == 1);

  CHECK_THROWS_WITH(parse(dictionary("<f4", "(2,)"), 7), Contains("shape [2] needs 8 bytes, got 7"));
  CHECK_THROWS_WITH(parse(dictionary("<f4", "(2,)"), 9), Contains("needs 8 bytes, got 9"));
  CHECK_THROWS_WITH(parse(dictionary("<f4", "(2)"), 8), Contains("expected `,`"));
  CHECK_THROWS_WITH(parse(dictionary("<f4", "(-2,)")), Contains("non-negative integer"));
  CHECK_THROWS_WITH(parse(dictionary("<f4", "(99999999999999999999,)")), Contains("exceeds 64 bits"));
  CHECK_THROWS_WITH(parse(dictionary("<f4", "(4294967296, 4294967296)")), Contains("exceeds the address space"));
  CHECK_THROWS_WITH(parse(dictionary("<f4", "(1,1,1,1,1,1,1,1,1)"), 4), Contains("more than 8 extents"));
  CHECK_THROWS_WITH(parse(dictionary("<c8", "(1,)"), 8), Contains("'descr' is '<c8'"));
  CHECK_THROWS_WITH(parse("{'descr': '<f4', 'fortran_order': False}"), Contains("lacks 'shape'"));
  CHECK_THROWS_WITH(parse("{'descr': '<f4', 'descr': '<f4', 'fortran_order': False, 'shape': (1,)}", 4),
                    Contains("'descr' occurs twice"));
  CHECK_THROWS_WITH(parse("{'descr': '<f4', 'fortran_order': False, 'shape': (1,), 'x': 1}", 4),
                    Contains("unknown key 'x'"));
  CHECK_THROWS_WITH(parse("{'descr': '<f4', 'fortran_order': 0, 'shape': (1,)}", 4), Contains("byte 44 (header)"));
  CHECK_THROWS_WITH(parse("{'descr': '<f4', 'fortran_order': False, 'shape': (1,)} x", 4), Contains("expected ` `"));
  CHECK_THROWS_WITH(parse("{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': (1,)}", 4),
                    Contains("structured arrays"));
}

TEST_CASE("preambles are checked") {
  auto parseBytes = [](const std::string &file) { return parseNpy(copyBytes({file.data(), file.size()}), "f.npy"); };
  CHECK_THROWS_WITH(parseBytes(""), Contains("f.npy: byte 0: not a .npy file"));
  CHECK_THROWS_WITH(parseBytes(std::string("\x93NUMPX\x01\x00\x00\x00", 10)), Contains("not a .npy file"));
  CHECK_THROWS_WITH(parseBytes(std::string("\x93NUMPY\x04\x00\x00\x00", 10)), Contains(".npy version 4.0"));
  CHECK_THROWS_WITH(parseBytes(std::string("\x93NUMPY\x01\x00\xff\x00", 10)),
                    Contains("the header is 255 bytes long, but the file ends after 0"));
  CHECK_THROWS_WITH(parseBytes(std::string("\x93NUMPY\x02\x00\xff\xff\xff\xff", 12)),
                    Contains("the most that is read"));
  CHECK_THROWS_WITH(parseBytes(std::string("\x93NUMPY\x02\x00\xff\xff", 10)), Contains("ends within"));
}
