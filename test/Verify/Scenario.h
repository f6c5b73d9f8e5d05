//===- Scenario.h - Graphs and numbers to compare on ------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A scenario is all that compiled code and the oracle are given alike: a graph as it comes from data, and numbers for
// every dimension, parameter and input of a model. Numbers are drawn from a seed; every one of them is a float, so that
// both precisions start from the same.
//
//===----------------------------------------------------------------------===//

#ifndef GNNC_TEST_VERIFY_SCENARIO_H
#define GNNC_TEST_VERIFY_SCENARIO_H

#include "compiler/Interpreter/Interpreter.h"
#include <string>
#include <vector>

namespace gnnc::verify {

/// splitmix64: the same numbers everywhere.
class Draw {
public:
  explicit Draw(uint64_t seed) : state(seed) {}

  uint64_t word();
  int64_t below(int64_t bound) { return int64_t(word() % uint64_t(bound)); }
  /// In (-1, 1), exactly a float, and at least 1/64 away from 0.
  double number();
  bool chance(double probability) { return (word() >> 11) * 0x1p-53 < probability; }

private:
  uint64_t state;
};

/// Kinds of graphs; every relation of a model gets edges of the kind that is asked for:
///   empty     no vertices              one     a vertex of each type without edges    loop   one edge more
///   isolated  a few vertices, 2 edges  multi   edges that repeat, also loops          random 4 edges a vertex
///   lopsided  every second vertex type has no vertices
///   half      half of all edges enter one vertex, and most of the others leave one
///   hub       3000 edges into one vertex, past the length of a segment; and 1500 out of another
const std::vector<std::string> &graphNames();
bool isGraphName(const std::string &name);

struct Scenario {
  std::string name;
  std::vector<OracleGraph> given; // of each relation, before the model's transforms
  OracleBindings bindings;        // for the oracle: transformed, edge tables extended
  /// Edge inputs as given, before they are extended to added edges.
  std::map<std::string, std::vector<double>> givenEdgeInputs;
  std::vector<int64_t> lossRows; // vertices, or pairs, with mask 1
  std::map<std::string, std::vector<double>> cotangents{}; // of outputs
  double offset = 0;             // most real inputs are drawn around it or its negative
};

/// Draws a scenario for `model` over a graph of kind `name`. `dims` beats defaults; a dimension with neither is small.
/// Targets of classes have some unlabelled vertices, outside the mask. The numbers of most real inputs are drawn around
/// `offset` or its negative, which cancel in differences and in sums; those of the others, of parameters and of targets
/// around 0.
Scenario drawScenario(const CheckedModel &model, const std::string &name, const std::map<std::string, int64_t> &dims,
                      uint64_t seed, double offset = 0);

} // namespace gnnc::verify

#endif // GNNC_TEST_VERIFY_SCENARIO_H
