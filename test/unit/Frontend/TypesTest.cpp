//===- TypesTest.cpp - Edge types, all vertices, state ----------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Laws 12 to 14 of docs/language.md: what they permit, as the checked model, and what they forbid.
//
//===----------------------------------------------------------------------===//

#include "FrontendTesting.h"
#include <catch2/catch.hpp>

using namespace gnnc;
using namespace gnnc::testing;

namespace {

using Codes = std::vector<std::string>;

/// A layer `L` with `h: real[d]`, and parameters for each of `types` edge types.
std::string program(const std::string &body) {
  return "layer L(d: dim, k: dim, types: dim, other: dim) {\n  param W: real[types, d, k]\n  param c: real[types]\n"
         "  param b: real[other]\n  state s: real[d] = zeros\n"
         "  vertex v (h: real[d], kind: i32) {\n" +
         body + "\n  }\n}\n";
}

std::string values(const std::string &body) { return layerModel(program(body)); }

Codes codes(const std::string &body) {
  Outcome outcome = check(program(body));
  UNSCOPED_INFO(outcome.rendered);
  return outcome.codes;
}

bool has(const std::string &text, const std::string &part) { return text.find(part) != std::string::npos; }

} // namespace

TEST_CASE("law 12: edge types index") {
  std::string text = values("return sum(c[e.type] * (u.h @ W[e.type]) for e: u -> v)");
  CHECK(has(text, "relation 0 edge from 0 to 0 types types"));
  CHECK(has(text, "E [] i32 = edge_type"));
  CHECK(has(text, "E [] = index %1, %"));
  CHECK(has(text, "E [k] = typed_matmul"));
  // One value however often it is read, and an index like any other.
  CHECK(text.find("edge_type") == text.rfind("edge_type"));
  CHECK(has(values("return c[kind] * h"), "V [] = index %1, %"));
  CHECK(has(values("return h @ W[kind]"), "V [k] = typed_matmul"));
  CHECK(has(values("return h @ W[1]"), "V [k] = matmul"));
  CHECK(has(values("let y = h @ W[0]\nrepeat 2 as i { y = y + h @ W[i + 1] }\nreturn y"), "constant 2"));
  CHECK(codes("repeat 2 as h { s = s }\nreturn h") == Codes{"E0102", "E0411"});
  CHECK(has(values("return sum(u.h for e: u -> v if e.type == 2)"), "relation 0 edge from 0 to 0 types 0"));
  CHECK(codes("return sum((c[e.type] + b[e.type]) * u.h for e: u -> v)") == Codes{"E0309"});
  CHECK(codes("return sum(u.h / v.in_degree(e.type) for e: u -> v)") == Codes{"E0309"});
  CHECK(codes("return c[h] * h") == Codes{"E0310"});
  CHECK(codes("return h * c[-1]") == Codes{"E0310"});
  CHECK(codes("return h[kind][0]") == Codes{"E0306"});
  CHECK(codes("let w = W[e.type] for e: u -> v\nreturn sum(u.h @ w for u -> v)") == Codes{"E0204"});
  CHECK(codes("return sum(c[type] * u.h for e: u -> v)") == Codes{"E0101"});
}

TEST_CASE("law 12: degrees by type") {
  // Also before anything has said how many types there are.
  std::string text = values("return sum(u.h / v.in_degree(e.type) @ W[e.type] for e: u -> v)");
  CHECK(has(text, "V [types] = in_degree"));
  CHECK(has(text, "D [types] = read_destination"));
  CHECK(has(values("return sum(c[e.type] * u.out_degree(e.type) * u.h for e: u -> v)"), "S [types] = read_source"));
  CHECK(codes("return sum(e.in_degree(e.type) * u.h for e: u -> v)") == Codes{"E0104"});
  CHECK(codes("return sum(v.relu(h) * u.h for e: u -> v)") == Codes{"E0103"});
}

TEST_CASE("law 12: over types") {
  std::string text = values("return max(sum(u.h for e: u -> v if e.type == r) over r in types)");
  CHECK(has(text, "V [types, d] = aggregate sum %"));
  CHECK(has(text, "toward destination by type"));
  CHECK(has(text, "V [d] = reduce max %"));
  // Inside of such a comprehension r is the type of the edge.
  CHECK(
      has(values("return sum(mean(u.h @ W[r] for e: u -> v if e.type == r) over r in types)"), "E [k] = typed_matmul"));
  // A sum of products is one product over types and the contracted dimension.
  text = values("return sum(sum(u.h for e: u -> v if r == e.type) @ W[r] over r in types)");
  CHECK(has(text, "V [d * types] = reshape"));
  CHECK(has(text, "V [k] = matmul"));
  CHECK(has(values("return min(h @ W[r] over r in types)"), "V [types, k] = reduce sum"));
  CHECK(has(values("let n = count(for e: u -> v if e.type == r) over r in types\nreturn h * sum<types>(n)"),
            "V [types] = aggregate count"));
  CHECK(has(values("return sum(sum(u.h for e: u -> v if e.type == r) / v.in_degree(r) over r in types)"),
            "V [types] = in_degree"));
  // The softmax is over the edges of the same type.
  text = values("return sum(sum(softmax(dot(u.h, v.h)) * u.h for e: u -> v if e.type == r) over r in types)");
  CHECK(has(text, "V [types] = aggregate max"));
  CHECK(!has(text, "= softmax"));
  CHECK(has(values("return sum(flatten(sum(u.h @ W[r] for e: u -> v if e.type == r)) over r in types)"),
            "V [k] = reduce sum"));
  CHECK(codes("return sum(h over r in types)") == Codes{"E0208"});
  CHECK(codes("return sum(c[r] * sum(u.h for e: u -> v if e.type == r) over r in other)") == Codes{"E0310"});
  CHECK(codes("return h * sum(r over r in types)") == Codes{"E0107"});
  CHECK(codes("return h * sum(c[h] over h in types)") == Codes{"E0102"});
}

TEST_CASE("law 13: all vertices") {
  CHECK(has(values("return h - mean(h for v)"), "P [d] = total mean"));
  CHECK(has(values("return sum(u.h - max(h for v) for u -> v)"), "P [d] = total max"));
  std::string text = values("return h * count(for v) + std(h for v)");
  CHECK(has(text, "dim num_vertices of vertices 0"));
  CHECK(has(text, "vertices 0 vertex rows num_vertices"));
  CHECK(has(text, "P [num_vertices] = broadcast"));
  CHECK(codes("return h - mean(h for w)") == Codes{"E0410"});
  CHECK(codes("return h - sum(h for v if kind > 0)") == Codes{"E0410"});
  CHECK(codes("return h - prod(h for v)") == Codes{"E0410"});
  CHECK(codes("let m = h for v\nreturn h") == Codes{"E0003"});
  CHECK(codes("return h * sum(c for v)") == Codes{"E0208"});
  CHECK(check("fn f(x) = mean(x for v)\nlayer L(d: dim) { vertex v (h: real[d]) { return f(h) } }").codes ==
        Codes{"E0410"});
}

TEST_CASE("law 13: parameters of vertices") {
  Outcome outcome = check("model M(d: dim) { vertex v { param z: real[d] = normal(1); output y = z } }");
  CHECK(has(outcome.model, "param z : [num_vertices, d] normal(1)"));
  CHECK(has(outcome.model, "V [d] = rows %0"));
  CHECK(check("model M(d: dim) { vertex v { state z: real[d]; output y = v.in_degree } }").codes == Codes{"E0007"});
  CHECK(check("model M(d: dim) { edge u -> v { param z: real[d] } vertex v { output y = v.in_degree } }").codes ==
        Codes{"E0007"});
  CHECK(check("model M(num_vertices: dim) { vertex v { param z: real[num_vertices]; output y = z } }").codes ==
        Codes{"E0102"});
  CHECK(codes("param z: real[d]\nreturn h") == Codes{"E0007"});
}

TEST_CASE("law 14: state and training") {
  std::string text = values("s = 0.9 * s + 0.1 * mean(h for v)\nreturn h - select(training, mean(h for v), s)");
  CHECK(has(text, "P [] bool = training"));
  CHECK(has(text, "update s = %"));
  CHECK(has(text, "P [d] = select"));
  CHECK(codes("s = h\nreturn h") == Codes{"E0307"});
  CHECK(codes("repeat 2 { s = 2 * s }\nreturn h") == Codes{"E0411"});
  CHECK(codes("let training = h\nreturn h") == Codes{"E0102"});
}

TEST_CASE("spread, products and gradients that stop") {
  std::string text = values("return var(u.h for u -> v)");
  CHECK(has(text, "aggregate var"));
  CHECK(!has(text, "sqrt"));
  CHECK(has(values("return std(u.h for u -> v)"), "V [d] = sqrt"));
  CHECK(has(values("return prod(u.h for u -> v)"), "aggregate prod"));
  CHECK(has(values("return logsumexp(u.h for u -> v)"), "aggregate logsumexp"));
  CHECK(has(values("return h * (std<d>(h) + prod<d>(h))"), "reduce prod"));
  CHECK(has(values("return stop_gradient(h)"), "V [d] = stop_gradient"));
  CHECK(codes("return var<d, k>(h) * h") == Codes{"E0104"});
}
