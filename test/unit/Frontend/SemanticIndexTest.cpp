//===- SemanticIndexTest.cpp - What editors learn from Sema -----*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/Frontend/SemanticIndex.h"
#include "compiler/Frontend/Frontend.h"
#include <catch2/catch.hpp>

using namespace gnnc;

namespace {

constexpr llvm::StringLiteral program = R"(
fn twice(x) = 2 * x
layer Conv(in: dim, out: dim) {
  param W: real[in, out]
  vertex v (h: real[in], edge weight: real) -> real[out] {
    let z = h @ W
    let s = weight * u.z for e: u -> v
    return sum(e.weight * u.z for e: u -> v) + twice(sum(s))
  }
}
model M(in: dim, k: dim) {
  layer conv = Conv(in, out = k)
  edge u -> v { input w: real }
  vertex v { input x: real[in]; output y = conv(conv2(x, w), w); }
  layer conv2 = Conv(in, in)
  train { weight_decay 0.1 on conv }
}
)";

FrontendOptions indexing(SemanticIndex &index) {
  FrontendOptions options;
  options.index = &index;
  return options;
}

struct Indexed {
  SemanticIndex index;
  Frontend frontend{indexing(index)};
  llvm::StringRef text;

  Indexed() {
    frontend.loadBuffer(program, "test.gnn");
    REQUIRE(frontend.check());
    text = frontend.sources().getMemoryBuffer(frontend.sources().getNumBuffers())->getBuffer();
  }

  /// Where the name that `context` starts or ends with is: `context` holds `|` before it.
  const char *at(llvm::StringRef context) const {
    auto [before, after] = context.split('|');
    size_t found = text.find((before + after).str());
    REQUIRE(found != llvm::StringRef::npos);
    return text.data() + found + before.size();
  }
  bool means(llvm::StringRef use, llvm::StringRef definition) const {
    auto it = index.uses.find(at(use));
    return it != index.uses.end() && it->second.definition.Start.getPointer() == at(definition);
  }
  const SemanticIndex::Fact *fact(llvm::StringRef context, size_t length) const {
    const char *begin = at(context);
    auto it = index.facts.find({begin, begin + length});
    return it == index.facts.end() ? nullptr : &it->second;
  }
};

} // namespace

TEST_CASE_METHOD(Indexed, "names are traced to their definitions") {
  CHECK(means("h @ |W", "param |W"));
  CHECK(means("real[|in, out]", "Conv(|in: dim"));
  CHECK(means("weight * u.|z for", "let |z"));
  CHECK(means("sum(|e.weight", "for |e: u -> v)"));
  CHECK(means("sum(e.|weight", "edge |weight"));
  CHECK(means("* |u.z for e: u -> v)", "e: |u -> v)"));
  CHECK(means("e: u -> |v)", "vertex |v (h"));
  CHECK(means("+ |twice(", "fn |twice"));
  CHECK(means("2 * |x", "twice(|x)"));
  CHECK(means("conv = |Conv", "layer |Conv(in"));
  CHECK(means("Conv(in, |out = k", "in: dim, |out: dim"));
  CHECK(means("y = |conv(", "layer |conv ="));
  CHECK(means("w), |w)", "input |w"));
  CHECK(means("0.1 on |conv", "layer |conv ="));
}

TEST_CASE_METHOD(Indexed, "facts are in the names of the layer they stand in") {
  const SemanticIndex::Fact *z = fact("let |z", 1);
  REQUIRE(z);
  CHECK(z->type == "real[out]");
  CHECK(z->kind == GraphKind::V);
  CHECK(z->place == "for every vertex");
  const SemanticIndex::Fact *s = fact("let |s", 1);
  REQUIRE(s);
  CHECK(s->kind == GraphKind::E);
  CHECK(s->place == "for every edge of `e: u -> v`");
  const SemanticIndex::Fact *y = fact("output |y", 1);
  REQUIRE(y);
  CHECK(y->type == "real[k]");
  CHECK(y->hops == 2);
  const SemanticIndex::Fact *neighbour = fact("weight * |u.z for", 3);
  REQUIRE(neighbour);
  CHECK(neighbour->kind == GraphKind::S);
}
