//===- SchemaTest.cpp - Several vertex and edge types -----------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Laws 15 and 16 of docs/language.md: what they permit, as the checked model, and what they forbid.
//
//===----------------------------------------------------------------------===//

#include "FrontendTesting.h"
#include <catch2/catch.hpp>

using namespace gnnc;
using namespace gnnc::testing;

namespace {

using Codes = std::vector<std::string>;

/// A model about authors (x: real[k], h: real[d]) and papers (x: real[d], h: real[d]); `papers` ends the body of
/// papers.
Outcome model(const std::string &papers, const std::string &more = "") {
  Outcome outcome =
      check("import nn\nlayer Own(d: dim) {\n  param W: real[d, d]\n  vertex v (h: real[d]) -> real[d] {\n"
            "    let z = h @ W\n    let m = mean(u.z for u -> v)\n    return z + m\n  }\n}\n"
            "layer Score(d: dim) { edge a -> b (h: real[d]) -> real { return dot(a.h, b.h) } }\n"
            "layer Pool(d: dim) {\n  param W: real[d, d]\n  vertex v (h: real[d]) -> real[d] {\n"
            "    let z = relu(h @ W)\n    return sum(u.z for u -> v)\n  }\n}\n"
            "layer Twice(d: dim) {\n  vertex v (h: real[d]) -> real[d] {\n"
            "    let m = mean(u.h for u -> v)\n    return sum(u.m for u -> v)\n  }\n}\n"
            "model M(d: dim, k: dim) {\n  graph {\n    vertex Author, Paper\n    edge Author -writes-> "
            "Paper\n    edge Author -reads-> Paper\n    edge Paper -cites-> Paper\n    pairs Author -likes-> "
            "Paper\n    self_loops on cites\n  }\n  param W: real[k, d]\n  layer own = Own(d)\n  layer score = "
            "Score(d)\n  layer twice = Twice(d)\n  layer pool = Pool(d)\n  layer dense = Linear(d, d)\n"
            "  vertex a: Author {\n    input x: real[k]\n    let h = x @ W\n    let only = h\n  }\n"
            "  edge e: a -writes-> p { input weight: real }\n"
            "  vertex p: Paper {\n    input x: real[d]\n    let h = relu(x)\n    output y = x\n" +
            papers + "\n  }\n" + more + "\n}\n");
  UNSCOPED_INFO(outcome.rendered);
  return outcome;
}

bool has(const std::string &text, const std::string &part) { return text.find(part) != std::string::npos; }

} // namespace

TEST_CASE("law 15: tables of a schema") {
  std::string text = model("").model;
  CHECK(has(text, "vertices 0 Author\n  vertices 1 Paper\n"));
  CHECK(has(text, "relation 0 writes from 0 to 1\n  relation 1 reads from 0 to 1\n  relation 2 cites from 1 to 1 "
                  "self_loops\n  relation 3 likes from 0 to 1 pairs\n"));
  CHECK(has(text, "input Author.x : V [k]\n  input writes.weight : E []\n  input Paper.x : V(1) [d]\n"));
  CHECK(check("model M() { graph { vertex A, A } vertex v { output y = count(for v) * 1 } }").codes ==
        Codes{"E0102", "E0413"});
  CHECK(check("model M() { graph { vertex A\n edge A -r-> A\n edge A -r-> A } vertex v { output y = v.in_degree(r) } }")
            .codes == Codes{"E0102"});
  CHECK(check("model M() { graph { edge A -r-> A } vertex v { output y = v.in_degree } }").codes.front() == "E0111");
  CHECK(check("model M() { graph { vertex A\n edge A r A } vertex v { output y = v.in_degree } }").codes.front() ==
        "E0003");
  CHECK(
      check(
          "model M() { graph { vertex A\n pairs A -r-> A\n inverse_relations on r } vertex v { input x: real\n output "
          "y = x } }")
          .codes == Codes{"E0412"});
  CHECK(check("layer L(d: dim) { vertex v: A (h: real[d]) -> real[d] { return h } }").codes == Codes{"E0007"});
}

TEST_CASE("law 15: patterns") {
  CHECK(has(model("let s = sum(u.h for u: Author -writes-> p)").model, "V(1) [d] = aggregate sum"));
  CHECK(has(model("let s = sum(e.weight * u.x for e: u -writes-> p)").model, "E [k] = mul"));
  CHECK(has(model("let s = sum(weight * u.x for u -writes-> p)").model, "E [k] = mul"));
  // Where one relation fits it needs no name.
  CHECK(has(model("let s = sum(w.h for p -> w)").model, "toward source over 2"));
  CHECK(has(model("let s = sum(w.h for e: p -cites-> w: Paper)").model, "toward source over 2"));
  CHECK(model("let s = sum(u.h for u -> p)").codes == Codes{"E0413"});
  CHECK(model("let s = sum(u.h for u: Autor -writes-> p)").codes == Codes{"E0101"});
  CHECK(model("let s = sum(u.h for e: u: Autor -writes-> p)").codes == Codes{"E0111"});
  CHECK(model("let s = sum(u.h for u -write-> p)").codes == Codes{"E0111"});
  CHECK(model("let s = sum(u.h for u: Paper -writes-> p)").codes == Codes{"E0412"});
  CHECK(model("let s = sum(u.h for p -writes-> u)").codes == Codes{"E0412"});
  CHECK(model("let s = sum(u.h for u -likes-> p)").codes == Codes{"E0407"});
  CHECK(model("let a = u.h for u -writes-> p\nlet s = sum(a for u -reads-> p)").codes == Codes{"E0402"});
  // Only edges between vertices of one type can be loops.
  CHECK(has(model("let s = sum(q.h for q -cites-> p if q != p)").model, "V(1) [] i64 = vertex_id"));
  CHECK(model("let s = sum(u.h for u -writes-> p if u != p)").codes == Codes{"E0412"});
}

TEST_CASE("law 15: fields of a type") {
  CHECK(model("let q = sum(u.x @ W for u -writes-> p)").codes.empty());
  CHECK(model("let q = sum(u.y for u -writes-> p)").codes == Codes{"E0414"});
  CHECK(model("let q = sum(u.weight for u -writes-> p)").codes == Codes{"E0202"});
  CHECK(model("let W = x").codes == Codes{"E0102"});
  CHECK(model("", "  vertex b: Author { let back = sum(w.y for b -writes-> w) }").codes.empty());
  CHECK(model("", "  vertex b { let z = h }").codes == Codes{"E0413"});
  CHECK(model("", "  vertex b: Writer { let z = h }").codes == Codes{"E0111"});
  CHECK(model("", "  vertex Paper: Paper { let z = h }").codes == Codes{"E0102"});
  // Degrees belong to a relation.
  CHECK(has(model("let n = p.in_degree(reads)").model, "V(1) [] = in_degree over 1"));
  CHECK(has(model("let n = sum(u.out_degree for u -reads-> p)").model, "V [] = out_degree over 1"));
  CHECK(model("let n = p.out_degree").codes.empty());
  CHECK(model("let n = p.in_degree").codes == Codes{"E0413"});
  CHECK(model("let n = p.in_degree(reds)").codes == Codes{"E0111"});
  CHECK(model("let n = p.out_degree(reads)").codes == Codes{"E0412"});
  CHECK(model("let n = sum(u.in_degree for u -reads-> p)").codes == Codes{"E0412"});
}

TEST_CASE("law 15: layers over a relation") {
  // The layer's fields are computed for the vertices at both ends.
  std::string text = model("let s = own(h for u: Author -writes-> p)").model;
  CHECK(has(text, "V(1) [d] = matmul"));
  CHECK(has(text, "V [d] = matmul"));
  CHECK(has(text, "V(1) [d] = aggregate mean %"));
  // Against the edges what the layer calls edges into its vertex are those out of it.
  CHECK(has(model("let s = own(h for p -cites-> w)").model, "toward source over 2"));
  CHECK(has(model("", "  vertex b: Author { let s = own(h for b -reads-> w) }").model, "toward source over 1"));
  // Between vertices of one type the relation needs no name if there is one; without edges none is needed.
  CHECK(has(model("let s = own(h)").model, "toward destination over 2"));
  CHECK(model("", "  vertex b: Author { let s = own(h) }").codes == Codes{"E0412"});
  CHECK(model("", "  vertex b: Author { let s = dense(h) }").codes.empty());
  // An end that the layer does not read needs no such field.
  CHECK(has(model("let s = pool(only for u -writes-> p)").model, "V(1) [d] = aggregate sum"));
  CHECK(model("let s = own(only for u -writes-> p)").codes == Codes{"E0414"});
  CHECK(model("let s = own(x for u -writes-> p)").codes == Codes{"E0414"});
  CHECK(model("let s = twice(h for u -writes-> p)").codes == Codes{"E0414"});
  CHECK(model("let s = twice(h)").codes.empty());
  CHECK(model("let s = own(h for u -writes-> p if u.out_degree > 1)").codes == Codes{"E0006"});
  CHECK(model("let s = own(h, h for u -writes-> p)").codes == Codes{"E0104"});
  CHECK(model("let s = score(h for u -writes-> p)\nlet t = sum(s for u -writes-> p)").codes.empty());
}

TEST_CASE("law 16: pairs and losses of edges") {
  std::string text =
      model("", "  edge a -likes-> p {\n    target liked: real\n    output s = dot(a.h, p.h) + score(h)\n"
                "    loss binary_cross_entropy(s, liked)\n  }")
          .model;
  CHECK(has(text, "target likes.liked : E(3) []"));
  CHECK(has(text, "E(3) [] = binary_cross_entropy"));
  CHECK(has(text, "loss binary_cross_entropy = %"));
  text =
      check(
          "model M(d: dim, types: dim) {\n  graph { pairs candidates }\n  param R: real[types, d]\n  vertex v { param "
          "z: real[d] }\n  edge e: a -candidates-> b { output s = sum<d>(a.z * R[e.type] * b.z) }\n}\n")
          .model;
  CHECK(has(text, "relation 0 edge from 0 to 0\n  relation 1 candidates from 0 to 0 pairs types types\n"));
  CHECK(model("", "  edge a -likes-> p { output s = a.h }").codes == Codes{"E0202"});
  CHECK(model("", "  edge a -likes-> p { output s = h }").codes == Codes{"E0101"});
  CHECK(model("", "  edge a -likes-> p { input type: i32 }").codes == Codes{"E0102"});
  CHECK(model("", "  edge a -> p { output s = dot(a.h, p.h) }").codes == Codes{"E0413"});
  CHECK(model("", "  edge a -likes-> p { target t: real[d]\n loss mean_squared_error(a.h, t) }").codes ==
        Codes{"E0207"});
}
