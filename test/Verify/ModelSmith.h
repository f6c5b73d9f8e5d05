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
#include <optional>

namespace gnnc::verify {

class ModelSmith {
public:
  explicit ModelSmith(uint64_t seed);

  /// The source text of one model called `Smith`.
  std::string write();

private:
  /// Names of dimensions. The last may be a sum, `a + b` or `a + 2`: the width of what is joined or padded.
  using Dims = std::vector<std::string>;

  /// Where an expression stands: in a body of vertices v of `type`, over the edges u -> v of `relation` into them, or
  /// over the edges v -> w out of them.
  struct Site {
    enum Kind { Vertex, Into, OutOf } kind = Vertex;
    unsigned type = 0;
    unsigned relation = 0; // Into, OutOf

    bool ofEdges() const { return kind != Vertex; }
    bool operator==(const Site &other) const {
      return kind == other.kind && type == other.type && relation == other.relation;
    }
  };

  struct Field {
    std::string name;
    Dims shape;
    Site site;
  };

  struct EdgeKind {
    std::string name; // empty without a schema
    unsigned source = 0, destination = 0;
  };

  std::string expression(const Dims &shape, Site site, int depth);
  std::string leaf(const Dims &shape, Site site);
  std::string newerFunction(const std::string &x);
  std::string scalarFunction(const std::string &x);
  std::string binary(const Dims &shape, Site site, int depth);
  std::string select(const Dims &shape, Site site, int depth);
  std::string joined(const Dims &shape, Site site, int depth);
  std::string difference(const Dims &shape, Site edges);
  std::string product(const Dims &shape, Site site, int depth);
  std::string byMatrix(const Dims &shape, const std::string &x);
  std::string sliced(const Dims &shape, const std::string &x);
  std::string network(const std::string &width, const std::string &x);
  std::string reduction(const Dims &shape, Site site, int depth);
  std::string attention(const Dims &shape, Site edges, int depth);
  std::string aggregation(const Dims &shape, Site site, int depth);
  std::string total(const Dims &shape, Site site, int depth);
  std::string overTypes(const Dims &shape, Site site, int depth);
  std::string indexed(const Dims &shape, Site site);
  std::string typedProduct(const Dims &shape, Site site, int depth);
  std::string bounded(const std::string &x) { return "tanh(" + x + ")"; }

  void writeSchema();
  void writeInputs();
  void writeSparseInput();
  void writeVertexField();
  void writeEdgeField();
  void writeRepeat();
  void writeState();
  void writeVertexParameter();
  void writeLayer();
  void writeOutput();
  void writeLoss();
  void writePairs();
  void enter(unsigned type);

  Site here() const { return {Site::Vertex, current}; }
  /// Edges at vertices of `type`, if there are any.
  std::optional<Site> someEdges(unsigned type);
  unsigned otherType(Site site) const;
  /// ` for e: u -cites-> v`
  std::string pattern(Site site) const;
  static std::string other(Site site) { return site.kind == Site::Into ? "u" : "w"; }

  std::string param(const Dims &shape);
  std::string fresh(const char *prefix) { return prefix + std::to_string(++names); }
  std::string pick(std::initializer_list<const char *> choices);
  std::string dimNotIn(const Dims &shape);
  std::string widthNotIn(const Dims &shape);
  Dims randomShape();
  Dims subsequence(const Dims &shape);
  static bool isSubsequence(const Dims &inner, const Dims &outer);
  static std::string spell(const Dims &shape);

  Draw draw;
  Draw newer; // draws the functions of newerFunction: models of old seeds change only where one of these stands
  int names = 0;
  Draw ofFunctions; // draws parameters that are functions and aggregations
  Draw ofMatrices;  // draws slices, transposed parameters and matrices of vertices or edges
  Draw newerLoops; // draws layers about other loops than the rest of the model
  bool isStack = false; // mostly layers
  bool hasTypes = false; // of edges, as many as the dimension `r`
  bool hasInverses = false;
  bool hasPairs = false;
  unsigned numTypes = 1;
  unsigned current = 0; // type of the body that is written
  std::vector<EdgeKind> edgeKinds;
  std::vector<Field> vertexFields, edgeFields, edgeInputs, states;
  std::string imports, graph, params, layers, edgeBody, body;
};

} // namespace gnnc::verify

#endif // GNNC_TEST_VERIFY_MODELSMITH_H
