//===- LoopChecker.h - The loops that layers are about ----------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `graph { one_loop if add_self_loops }` in a layer: of the loops of a vertex the last alone, or one that is added;
// `no_loops`: none. Where all parts of a model are about the same loops, the graph is prepared with these. Otherwise it
// has all, and SeparateLoops.h makes each part leave out what is not among its edges.
//
//===----------------------------------------------------------------------===//

#ifndef GNNC_FRONTEND_SEMA_LOOPCHECKER_H
#define GNNC_FRONTEND_SEMA_LOOPCHECKER_H

#include "compiler/Frontend/Sema/SemaContext.h"
#include <array>

namespace gnnc {

class ElementwiseChecker;
class Evaluator;
class SchemaChecker;

/// Finds out which loops the parts of a model are about.
class LoopChecker : Checker {
public:
  LoopChecker(SemaContext &sema, Evaluator &evaluator, ElementwiseChecker &elementwise, SchemaChecker &schema)
      : Checker(sema), declarations(sema.declarations), model(sema.model), context(sema.context), root(sema.root),
        relationInfo(sema.relationInfo), evaluator(evaluator), elementwise(elementwise), schema(schema) {}

  /// Reads the `graph` block of a layer, in whose frame evaluation stands.
  void declare(const ast::ComponentDecl &layer, Frame &frame);
  /// Those of a relation that the layer is about that is being evaluated, or, outside of layers, the model.
  Loops loopsOf(unsigned relation) const;
  /// Notes that something depends on the loops of a relation, which are returned.
  Loops noteUse(unsigned relation, llvm::SMRange range);
  /// Asks of the graph the loops that all uses are about, or all loops.
  void settle();

private:
  /// An aggregation or a degree.
  struct Use {
    unsigned relation;
    Loops loops;
    llvm::SMRange range;            // of the call of a layer in the model, or of what is no layer's
    const ast::InstanceDecl *layer; // that is called there; null: none
  };

  const ast::InstanceDecl *calledInModel() const;
  void checkSetting(const ast::Setting &setting, const ast::ComponentDecl &layer);
  void settle(unsigned relation, const std::array<const Use *, 3> &first);
  bool checkDifference(unsigned relation, const Use &use, const Use &other);
  std::string withoutLoops(const Use &use) const;

  const Declarations &declarations;
  CheckedModel &model;
  const EvalContext &context;
  const Frame &root;
  const std::vector<RelationInfo> &relationInfo;
  Evaluator &evaluator;
  ElementwiseChecker &elementwise;
  SchemaChecker &schema;

  std::vector<Use> uses;
};

} // namespace gnnc

#endif // GNNC_FRONTEND_SEMA_LOOPCHECKER_H
