//===- OpRaiser.h - What families of ops have in common --------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The open axis of a tensor ranges over a list of pieces: the vertices, or the edges of the data that a filter leaves,
// followed by whatever was concatenated to them. Loops that PyG adds are a piece of vertices behind a piece of edges. A
// tensor has one term for each piece. An index tensor has one end for each: the source or target of the edges, or the
// vertex itself.
//
//===----------------------------------------------------------------------===//

#ifndef GNNC_IMPORT_OPRAISER_H
#define GNNC_IMPORT_OPRAISER_H

#include "compiler/Import/Raise.h"
#include "llvm/ADT/StringMap.h"
#include <functional>
#include <memory>

namespace gnnc::pt2 {

struct Piece {
  bool isVertices = false;
  EdgeFilter filter = EdgeFilter::All; // of edges

  bool operator==(const Piece &other) const { return isVertices == other.isVertices && filter == other.filter; }
  bool operator!=(const Piece &other) const { return !(*this == other); }
};

constexpr Piece vertices{true, EdgeFilter::All}, edges{false, EdgeFilter::All};

/// Edges that are no loops, and behind them one for each vertex: the edges of OneLoop.
inline const std::vector<Piece> edgesThenLoops = {{false, EdgeFilter::NoLoops}, vertices};

struct Axis {
  int64_t size = 1;
  bool isOpen = false;
  int dim = -1; // that the terms have along it; -1: they are the same along it

  bool isLike(const Axis &other) const { return isOpen ? other.isOpen : !other.isOpen && size == other.size; }
};

/// Meaning of a value of the exported program.
struct Meaning {
  enum class Kind { Real, Index, EdgeList, EdgeMask, Size, Stack, Nothing };
  Kind kind = Kind::Nothing;
  std::vector<Piece> pieces;       // that the open axis ranges over; empty: there is none
  std::vector<Axis> axes;          // Real, Index
  std::vector<const Term *> terms; // Real: one for each piece, or one
  std::vector<End> ends;           // Index: one for each piece
  std::vector<End> rows[2];        // EdgeList
  EdgeFilter mask = EdgeFilter::All;
  std::vector<Meaning> stacked; // Stack: values that lie along one more axis, the last

  bool isVertexField() const { return pieces.size() == 1 && pieces[0].isVertices; }
};

/// State of raising: the meanings so far, and the result.
struct RaiseContext {
  const Program &program;
  RaisedProgram result;
  std::map<std::string, Meaning> meanings; // by the name of the value
};

/// Base of the classes that raise a family of ops: reads arguments as meanings, and sets the meanings of results.
class OpRaiser {
public:
  explicit OpRaiser(RaiseContext &context) : context(context) {}

protected:
  const Meaning &meaning(const Node &node, const Argument &argument);
  Meaning real(const Node &node, llvm::StringRef input);
  Meaning realOf(const Node &node, const Argument &argument);
  const Meaning &index(const Node &node, const Argument &argument);
  const Argument &need(const Node &node, llvm::StringRef input);
  const Argument &first(const Node &node);
  double number(const Node &node, llvm::StringRef input, double otherwise);
  int64_t integer(const Node &node, llvm::StringRef input, int64_t otherwise);
  /// A shape. Its open dimension sets `pieces`; -1 gives an axis of size -1.
  std::vector<Axis> axesOf(const Node &node, const Argument &sizes, std::vector<Piece> &pieces);
  size_t axisOf(const Node &node, int64_t axis, size_t rank);
  void set(const Node &node, Meaning meaning, size_t output = 0);
  /// `function` of each element, with broadcasting.
  Meaning apply(const Node &node, const std::string &function, const std::vector<Meaning> &operands);
  /// `term` of `operand`, with the dimensions of `axes` that lie behind its own.
  const Term *aligned(const Meaning &operand, const Term *term, const std::vector<Axis> &axes);
  Meaning constant(double value) { return {Meaning::Kind::Real, {}, {}, {terms().constant(value)}, {}, {}, {}, {}}; }
  TermBuilder &terms() { return context.result.terms; }

private:
  RaiseContext &context;
};

/// `relu` of `aten.relu.default`.
inline llvm::StringRef opOf(const Node &node) {
  return llvm::StringRef(node.target).split('.').second.split('.').first;
}

/// Handlers of ops, by their names without the overload.
class RaiseTable {
public:
  using Handler = std::function<void(const Node &)>;

  /// Adds methods of one class, all of one object.
  template <class Raiser> class Family {
  public:
    Family(RaiseTable &table, RaiseContext &context) : table(table), raiser(std::make_shared<Raiser>(context)) {}

    void add(void (Raiser::*method)(const Node &), std::initializer_list<const char *> names) {
      for (const char *name : names)
        table.handlers[name] = [raiser = raiser, method](const Node &node) { ((*raiser).*method)(node); };
    }

  private:
    RaiseTable &table;
    std::shared_ptr<Raiser> raiser;
  };

  /// Null if the op cannot be imported.
  const Handler *find(llvm::StringRef op) const {
    auto found = handlers.find(op);
    return found == handlers.end() ? nullptr : &found->second;
  }

private:
  llvm::StringMap<Handler> handlers;
};

void addElementwiseOps(RaiseTable &table, RaiseContext &context);
void addShapeOps(RaiseTable &table, RaiseContext &context);
void addProductOps(RaiseTable &table, RaiseContext &context);
void addIndexOps(RaiseTable &table, RaiseContext &context);

} // namespace gnnc::pt2

#endif // GNNC_IMPORT_OPRAISER_H
