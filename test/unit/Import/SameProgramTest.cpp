//===- SameProgramTest.cpp - Whether two models compute alike -------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Pairs of outputs, and whether they are one program.
//
//===----------------------------------------------------------------------===//

#include "compiler/Import/SameProgram.h"
#include "compiler/Frontend/Frontend.h"
#include <catch2/catch.hpp>

using namespace gnnc;
using namespace gnnc::pt2;

namespace {

/// A model: what it asks of the graph, its statements, and its output.
struct Side {
  std::string graph, statements, output;
};

struct Pair {
  Side left, right;
  bool areSame;
};

} // namespace

static bool areSame(const Pair &pair) {
  const char *const sides[] = {"left", "right"};
  Frontend frontends[] = {Frontend(FrontendOptions()), Frontend(FrontendOptions())};
  std::vector<CheckedModel> models;
  std::vector<std::map<std::string, std::string>> tensors(2);
  for (size_t i = 0; i < 2; ++i) {
    const Side &side = i ? pair.right : pair.left;
    const std::string text = "model M() {\n" + (side.graph.empty() ? "" : "graph { " + side.graph + " }\n") +
                             "param W: real[3, 2]\nedge u -> v {\ninput a: real[3]\ninput w: real\n}\nvertex v {\n"
                             "input h: real[3]\ninput g: real[5]\n" +
                             side.statements + "\noutput y = " + side.output + "\n}\n}\n";
    INFO(text);
    REQUIRE(frontends[i].loadBuffer(text, sides[i]));
    std::optional<CheckedModel> model = frontends[i].check();
    std::string messages;
    llvm::raw_string_ostream os(messages);
    render(frontends[i].diagnostics(), frontends[i].sources(), os, DiagnosticFormat::Short);
    INFO(messages);
    REQUIRE(model);
    for (const Parameter &param : model->params)
      tensors[i][param.name] = param.name;
    models.push_back(*model);
  }
  return areSamePrograms({models[0], tensors[0]}, {models[1], tensors[1]});
}

TEST_CASE("pairs of programs are the same or not") {
  const std::string degree = "let d = v.in_degree";
  const std::vector<Pair> pairs = {
      // Products with weights and sums over edges change places.
      {{"", "", "sum(u.h for u -> v) @ W"}, {"", "let z = h @ W", "sum(u.z for u -> v)"}, true},
      {{"", "", "mean(u.h for u -> v) @ W"}, {"", "let z = h @ W", "mean(u.z for u -> v)"}, true},
      {{"", "", "mean(u.h for u -> v) @ W"}, {"", "let z = h @ W", "sum(u.z for u -> v)"}, false},
      {{"", "", "max(u.h for u -> v) @ W"}, {"", "let z = h @ W", "max(u.z for u -> v)"}, false},
      // A product inside a sum reads its operands where they are read.
      {{"", "", "sum((e.a * u.h) @ W for e: u -> v)"}, {"", "", "sum((e.a * v.h) @ W for e: u -> v)"}, false},
      {{"", "", "sum((e.a * u.h) @ W for e: u -> v)"}, {"", "", "sum(e.a * u.h for e: u -> v) @ W"}, true},
      // A root that is 0 where a number of edges is: of the same vertex.
      {{"", degree, "sum(select(u.d == 0, 0, rsqrt(maximum(u.d, 1))) * u.h for u -> v)"},
       {"", degree, "sum(select(u.d == 0, 0, rsqrt(u.d)) * u.h for u -> v)"},
       true},
      {{"", degree, "sum(select(u.d == 0, 0, rsqrt(maximum(v.d, 1))) * u.h for u -> v)"},
       {"", degree, "sum(select(u.d == 0, 0, rsqrt(u.d)) * u.h for u -> v)"},
       false},
      // Parts of a concatenation have extents.
      {{"", "let s = dot(h, h)\nlet t = dot(g, g)", "concat(s + (h - h), t + (g - g))"},
       {"", "let s = dot(h, h)\nlet t = dot(g, g)", "concat(s + (g - g), t + (h - h))"},
       false},
      // The edges.
      {{"symmetric", "", "sum(u.h for u -> v)"}, {"", "", "sum(u.h for u -> v)"}, false},
      {{"self_loops", "", "sum(u.h for u -> v)"}, {"", "", "sum(u.h for u -> v)"}, false},
      {{"one_loop", "", "sum(u.h for u -> v)"}, {"self_loops", "", "sum(u.h for u -> v)"}, false},
      {{"one_loop", "", "sum(u.h for u -> v)"}, {"one_loop", "", "sum(u.h for u -> v)"}, true},
      // At a vertex without edges a sum is 0, and 0 by 0 is NaN.
      {{"", "", "sum(u.h / v.in_degree for u -> v)"}, {"", "", "sum(u.h for u -> v) / v.in_degree"}, false},
      {{"", "", "sum(u.h * rsqrt(v.in_degree) for u -> v)"},
       {"", "", "sum(u.h for u -> v) * rsqrt(v.in_degree)"},
       false},
      {{"one_loop", "", "sum(u.h / v.in_degree for u -> v)"},
       {"one_loop", "", "sum(u.h for u -> v) / v.in_degree"},
       true},
      {{"", "", "sum(1 / maximum(v.in_degree, 1) * u.h for u -> v)"}, {"", "", "mean(u.h for u -> v)"}, true},
      // An input of edges is 1 on a loop that is added.
      {{"one_loop", "", "sum(select(e.is_added, 1, e.w) * u.h for e: u -> v)"},
       {"one_loop", "", "sum(e.w * u.h for e: u -> v)"},
       true},
      {{"one_loop", "", "sum(select(e.is_added, 2, e.w) * u.h for e: u -> v)"},
       {"one_loop", "", "sum(e.w * u.h for e: u -> v)"},
       false},
  };
  for (const Pair &pair : pairs) {
    INFO(pair.left.graph << ": " << pair.left.output << " and " << pair.right.graph << ": " << pair.right.output);
    CHECK(areSame(pair) == pair.areSame);
  }
}

TEST_CASE("a product of too many factors is compared with nothing") {
  std::string squares = "let x = h\n";
  for (int i = 0; i < 30; ++i)
    squares += "x = x * x\n";
  const Side side{"", squares, "x"};
  CHECK_FALSE(areSame({side, side, false}));
}
