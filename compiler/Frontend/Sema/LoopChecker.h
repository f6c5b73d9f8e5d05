//===- LoopChecker.h - The loops that layers are about ----------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `graph { one_loop if add_self_loops }` in a layer: of the loops of a vertex the last alone, or one that is added. The
// graph is prepared with these loops, so all layers of a model must be about the same ones.
//
//===----------------------------------------------------------------------===//

#ifndef GNNC_FRONTEND_SEMA_LOOPCHECKER_H
#define GNNC_FRONTEND_SEMA_LOOPCHECKER_H

#include "compiler/Frontend/Sema/SemaContext.h"

namespace gnnc {

class ElementwiseChecker;
class Evaluator;
class SchemaChecker;

/// Finds out which loops the parts of a model are about.
class LoopChecker : Checker {
public:
  LoopChecker(SemaContext &sema, Evaluator &evaluator, ElementwiseChecker &elementwise, SchemaChecker &schema)
      : Checker(sema), declarations(sema.declarations), model(sema.model), context(sema.context), root(sema.root), evaluator(evaluator),
        elementwise(elementwise), schema(schema) {}

  /// Reads the `graph` block of a layer, in whose frame evaluation stands.
  void declare(const ast::ComponentDecl &layer, Frame &frame);
  /// Notes that something depends on the loops of a relation.
  void noteUse(unsigned relation, llvm::SMRange range);
  /// Asks of the graph the loops that all uses are about; reports uses that differ.
  void settle();

private:
  /// An aggregation or a degree.
  struct Use {
    unsigned relation;
    bool hasOneLoop;
    llvm::SMRange range;            // of the call of a layer in the model, or of what is no layer's
    const ast::InstanceDecl *layer; // that is called there; null: none
  };

  const ast::InstanceDecl *calledInModel() const;
  void checkSetting(const ast::Setting &setting, const ast::ComponentDecl &layer);
  void reportDifference(const Use &one, const Use &all);
  std::string withoutLoops(const Use &use) const;

  const Declarations &declarations;
  CheckedModel &model;
  const EvalContext &context;
  const Frame &root;
  Evaluator &evaluator;
  ElementwiseChecker &elementwise;
  SchemaChecker &schema;

  std::vector<Use> uses;
};

} // namespace gnnc

#endif // GNNC_FRONTEND_SEMA_LOOPCHECKER_H
