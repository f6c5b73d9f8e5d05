//===- ModelSmith.h - Random models -----------------------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Writes valid models from a seed: expressions of wanted shapes over vertices and edges, whose numbers stay of moderate
// size and away from the poles of functions. The same seed gives the same text everywhere.
//
//===----------------------------------------------------------------------===//

#ifndef GNNC_TEST_VERIFY_MODELSMITH_H
#define GNNC_TEST_VERIFY_MODELSMITH_H

#include "test/Verify/Scenario.h"

namespace gnnc::verify {

class ModelSmith {
public:
  explicit ModelSmith(uint64_t seed);

  /// The source text of one model called `Smith`.
  std::string write();

private:
  using Dims = std::vector<std::string>;
  enum class Place { Vertex, Into, OutOf }; // where an expression stands: in the body, over `u -> v`, over `v -> w`

  struct Field {
    std::string name;
    Dims shape;
    Place place = Place::Vertex; // of edge fields: the direction
  };

  std::string expression(const Dims &shape, Place place, int depth);
  std::string leaf(const Dims &shape, Place place);
  std::string scalarFunction(const std::string &x);
  std::string binary(const Dims &shape, Place place, int depth);
  std::string select(const Dims &shape, Place place, int depth);
  std::string product(const Dims &shape, Place place, int depth);
  std::string reduction(const Dims &shape, Place place, int depth);
  std::string aggregation(const Dims &shape, int depth);
  std::string total(const Dims &shape, int depth);
  std::string overTypes(const Dims &shape, int depth);
  std::string indexed(const Dims &shape, Place place);
  std::string typedProduct(const Dims &shape, Place place, int depth);
  std::string bounded(const std::string &x) { return "tanh(" + x + ")"; }

  void writeInputs();
  void writeVertexField();
  void writeEdgeField();
  void writeRepeat();
  void writeState();
  void writeVertexParameter();
  void writeLoss();

  std::string param(const Dims &shape);
  std::string fresh(const char *prefix) { return prefix + std::to_string(++names); }
  std::string pick(std::initializer_list<const char *> choices);
  std::string dimNotIn(const Dims &shape);
  Dims randomShape();
  Dims subsequence(const Dims &shape);
  static bool isSubsequence(const Dims &inner, const Dims &outer);
  static std::string spell(const Dims &shape);

  Draw draw;
  int names = 0;
  bool hasTypes = false; // of edges, as many as the dimension `r`
  std::vector<Field> vertexFields, edgeFields, edgeInputs;
  std::vector<Field> states;
  std::string params, edgeBody, body;
};

} // namespace gnnc::verify

#endif // GNNC_TEST_VERIFY_MODELSMITH_H
