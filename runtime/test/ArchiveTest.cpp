//===- ArchiveTest.cpp - Tests of .npz and safetensors files ---*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Files of the reference writers are read, our own round-trip, and broken ones are refused with the member or tensor
// named.
//
//===----------------------------------------------------------------------===//

#include "gnn/error.hpp"
#include "runtime/src/io/Npz.h"
#include "runtime/src/io/Safetensors.h"
#include "runtime/test/TemporaryFolder.h"
#include <catch2/catch.hpp>
#include <cstring>

using namespace gnn::rt;
using Catch::Matchers::Contains;

namespace {

NpzArchive openSeed(const std::string &name) {
  std::string path = std::string(GNNC_FUZZ_CORPUS "/npz/") + name;
  return NpzArchive(readFile(path), name);
}

Safetensors parse(const std::string &json, size_t dataBytes = 0) {
  uint64_t length = json.size();
  std::string file(reinterpret_cast<const char *>(&length), 8);
  file += json + std::string(dataBytes, '\0');
  return parseSafetensors(copyBytes({file.data(), file.size()}), "f");
}

std::string entry(const std::string &name, const std::string &dtype, const std::string &shape,
                  const std::string &offsets) {
  return "\"" + name + R"(":{"dtype":")" + dtype + R"(","shape":)" + shape + R"(,"data_offsets":)" + offsets + "}";
}

} // namespace

TEST_CASE("stored and deflated archives are read") {
  NpzArchive stored = openSeed("stored.npz"), deflated = openSeed("deflated.npz");
  CHECK(stored.names().size() == 10);
  CHECK(stored.read("labels").values<int32_t>()[1] == 1);
  CHECK(stored.read("adj_indptr").values<int32_t>()[3] == 4);
  CHECK(deflated.read("attr_matrix").values<float>()[4] == 1);
  CHECK_THROWS_WITH(stored.read("node_names"), Contains("stored.npz(node_names)") && Contains("'descr' is '<U1'"));
  CHECK_THROWS_WITH(stored.read("absent"), Contains("no array 'absent'"));
}

TEST_CASE("what is no archive, or too large, is refused") {
  CHECK_THROWS_WITH(NpzArchive(copyBytes({"PK", 2}), "f.npz"), Contains("f.npz: not a sound zip archive"));
  CHECK_THROWS_WITH(NpzArchive(copyBytes({"", 0}), "f.npz"), Contains("not a sound zip archive"));
  NpzArchive small(readFile(GNNC_FUZZ_CORPUS "/npz/one.npz"), "one.npz", 100);
  CHECK_THROWS_WITH(small.read("a"), Contains("expands to 152 bytes, the limit is 100"));
}

TEST_CASE("a damaged member is noticed by its check sum") {
  FileBytes bytes = readFile(GNNC_FUZZ_CORPUS "/npz/one.npz");
  std::string text(bytes.data, bytes.size);
  size_t data = text.find("{'descr'") + 118 + 8; // the second element
  bytes.data[data] ^= 1;
  CHECK_THROWS_WITH(NpzArchive(bytes, "one.npz").read("a"), Contains("damaged"));
}

TEST_CASE("the reference writer's safetensors are read") {
  Safetensors content = readSafetensors(GNNC_FUZZ_CORPUS "/safetensors/five.safetensors");
  CHECK(content.metadata.at("made") == "by the reference writer");
  CHECK(content.tensors.size() == 5);
  CHECK(content.tensors["w"].shape() == std::vector<int64_t>{2, 3});
  CHECK(content.tensors["w"].values<float>()[5] == 5);
  CHECK(content.tensors["n"].shape().empty());
  CHECK(content.tensors["n"].values<int64_t>()[0] == 7);
  CHECK(content.tensors["h"].values<float>()[1] == 2);
  CHECK(readSafetensors(GNNC_FUZZ_CORPUS "/safetensors/none.safetensors").tensors.empty());
}

TEST_CASE("safetensors round-trip, with the same bytes each time") {
  TemporaryFolder folder;
  Safetensors content;
  content.tensors["b"] = Tensor::of<double>({1, 2});
  content.tensors["a.weight"] = Tensor::of<float>({1, 2, 3}, {3, 1});
  content.tensors["flag"] = Tensor::of<bool>({true});
  content.tensors["none"] = Tensor::of<int64_t>({}, {0, 4});
  content.metadata["epoch"] = "12 \"quoted\" \xc3\xbc";
  writeSafetensors(folder.path("a"), content);
  Safetensors back = readSafetensors(folder.path("a"));
  CHECK(back.metadata == content.metadata);
  CHECK(back.tensors.size() == 4);
  for (const auto &[name, tensor] : content.tensors) {
    CHECK(back.tensors[name].shape() == tensor.shape());
    CHECK(back.tensors[name].element() == tensor.element());
    CHECK(std::memcmp(back.tensors[name].data(), tensor.data(), tensor.bytes()) == 0);
  }
  writeSafetensors(folder.path("b"), back);
  CHECK(folder.read("a") == folder.read("b"));
}

TEST_CASE("broken safetensors are refused") {
  std::string a = entry("a", "F32", "[1]", "[0,4]");
  CHECK(parse("{" + a + "}  ", 4).tensors.size() == 1);
  CHECK_THROWS_WITH(parse("{" + a + "," + a + "}", 4), Contains("the key \"a\" occurs twice"));
  CHECK_THROWS_WITH(parse("{" + a + "," + entry("b", "F32", "[1]", "[2,6]") + "}", 6),
                    Contains("tensor 'b'") && Contains("expected to begin at 4"));
  CHECK_THROWS_WITH(parse("{" + a + "," + entry("b", "F32", "[1]", "[8,12]") + "}", 12),
                    Contains("expected to begin at 4"));
  CHECK_THROWS_WITH(parse("{" + a + "}", 8), Contains("4 bytes after the last tensor"));
  CHECK_THROWS_WITH(parse("{" + a + "}", 3), Contains("to end at most at 3"));
  CHECK_THROWS_WITH(parse("{" + entry("a", "F32", "[2]", "[0,4]") + "}", 4),
                    Contains("span 4 bytes, shape [2] needs 8"));
  CHECK_THROWS_WITH(parse("{" + entry("a", "F32", "[4294967296,4294967296]", "[0,4]") + "}", 4),
                    Contains("address space"));
  CHECK_THROWS_WITH(parse("{" + entry("a", "F32", "[18446744073709551616]", "[0,4]") + "}", 4),
                    Contains("expected a non-negative integer"));
  CHECK_THROWS_WITH(parse("{" + entry("a", "F32", "[-1]", "[0,4]") + "}", 4),
                    Contains("expected a non-negative integer"));
  CHECK_THROWS_WITH(parse("{" + entry("a", "F8_E4M3", "[4]", "[0,4]") + "}", 4),
                    Contains("dtype \"F8_E4M3\" is not supported"));
  CHECK_THROWS_WITH(parse(R"({"a":{"dtype":"F32","shape":[1]}})", 4),
                    Contains("expected an object of dtype, shape and data_offsets"));
  CHECK_THROWS_WITH(parse(R"({"__metadata__":{"a":1}})"), Contains("__metadata__.a is no string"));
  CHECK_THROWS_WITH(parse(" {}"), Contains("does not begin with `{`"));
  CHECK_THROWS_WITH(parse("{\"a\":" + std::string(100, '[')), Contains("nested more than 16 deep"));
  CHECK_THROWS_WITH(parse("{\"\xff\":1}"), Contains("bad JSON"));
  CHECK_THROWS_WITH(parseSafetensors(copyBytes({"\xff\xff\xff\xff\xff\xff\xff\xff{}", 10}), "f"),
                    Contains("at most 2 are possible"));
  CHECK_THROWS_WITH(parseSafetensors(copyBytes({"abc", 3}), "f"), Contains("at least 8 bytes, got 3"));
}
