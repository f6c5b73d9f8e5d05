//===- Scope.h - Names, frames and the place of evaluation ------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The meanings of names, the components that are being expanded, and what encloses the expression that is evaluated.
//
//===----------------------------------------------------------------------===//

#ifndef GNNC_FRONTEND_SEMA_SCOPE_H
#define GNNC_FRONTEND_SEMA_SCOPE_H

#include "compiler/Frontend/AST.h"
#include "compiler/Frontend/Sema/Operand.h"
#include "llvm/ADT/StringMap.h"
#include <map>
#include <memory>
#include <set>

namespace gnnc {

struct Instance;

/// The dimensions of the operand and the result of a parameter that is a layer: `layer in -> out`.
struct LayerType {
  Shape takes, gives; // in the dimensions of the frame whose parameter it is
};

/// The meaning of a name.
struct Entity {
  enum class Kind { Dim, Constant, Field, Instance, Function };
  Kind kind = Kind::Field;
  Operand operand;  // Constant, Field
  Operand otherEnd; // in a layer over edges between two vertex types: the field of the vertices at the other end
  DimExpr dim;      // Dim
  Instance *instance = nullptr;           // Instance; null: any layer of `layerType`
  std::optional<LayerType> layerType;     // Instance that is a parameter
  std::vector<llvm::StringRef> functions; // Function: the names of one, or of a list; "": any function
  bool isList = false;                    // Function
  bool assignable = false;
  std::optional<unsigned> state; // of a `state`: its index among the model's parameters
  const ast::Expr *condition = nullptr; // under which a weight or an input exists; null: always
  bool isConstantElse = false;          // and has a value elsewhere
  bool isInput = false;                 // of a layer
  llvm::SMRange range;           // where it is defined
};

/// Names of a body or block; looks outwards. A name is defined once on the way out: shadowing is an error (law 1).
struct Scope {
  explicit Scope(Scope *parent) : parent(parent) {}
  Entity *find(llvm::StringRef name);

  Scope *parent;
  llvm::StringMap<Entity> names;
};

/// One use of a component (or of a function: then it shares `component` with its caller).
struct Frame {
  const ast::ComponentDecl *component = nullptr;
  Frame *caller = nullptr;
  llvm::SMRange call;
  std::string prefix;                                     // of parameter names: `conv1.`
  std::map<std::string, DimExpr, std::less<>> dims;       // parameters, in the caller's dimensions (model: -D, default)
  std::map<std::string, DimExpr, std::less<>> equalities; // from `where`
  std::unique_ptr<Scope> scope;
  bool declaresOneLoop = false; // `graph { one_loop if c }`, whether c holds or not
  std::optional<Loops> loops;   // of a layer: that it, or else the layer around it, is about; none: those of the model
  /// Inputs that may be left out and are not: in the call that is evaluated; outside of calls, in any of them.
  std::set<llvm::StringRef> given;
};

/// `layer conv1 = GCNConv(in, hidden)`: one set of parameters, however often it is called.
struct Instance {
  const ast::ComponentDecl *layer = nullptr; // null: erroneous
  Frame frame;
};

/// `over r in relations`, while its body is evaluated.
struct TypeBinder {
  ast::Name name;
  DimExpr dim; // in the dimension names of the current frame
  const TypeBinder *outer = nullptr;
};

/// A comprehension that is being evaluated.
struct Comprehension {
  const ast::Pattern *pattern;
  const EdgeSet *set;
  End ownEnd;           // where the body's vertex stands; meaningless in an edge body
  bool flipped = false; // the pattern's source stands at the edges' destination (EdgeUse)
  bool inEdgeBody = false;
  const TypeBinder *types = nullptr; // `e.type == r`: r
  const Comprehension *outer = nullptr;
};

/// Which edges a layer is about, and where the vertex stands that it is called for.
struct EdgeUse {
  /// Something that the layer is applied to and that vertices at one end do not have.
  struct Lack {
    std::string why;
    llvm::SMRange argument;
  };

  std::optional<unsigned> relation; // none: it has no edges, since it computes a field of the other end, or values of
  const EdgeSet *onEdges = nullptr; // these edges: then its vertex stands for one of them
  End ownEnd = End::Destination;
  bool flipped = false; // what the layer calls edges into its vertex are the edges out of it
  std::vector<Lack> ownLacks, otherLacks;
};

/// Where evaluation stands: the component, its names, and what encloses the expression.
struct EvalContext {
  Frame *frame = nullptr;
  Scope *scope = nullptr;
  const ast::BodyDecl *body = nullptr; // null in functions and outside of bodies
  const Comprehension *comprehension = nullptr;
  const TypeBinder *over = nullptr;
  unsigned vertexType = 0;            // of the body's vertex
  const EdgeUse *use = nullptr;       // in layers; null: the edges between vertices of that type
  const Scope *callerScope = nullptr; // in layers: the names that the call sees
  bool atOtherEnd = false;            // fields are those of the vertices at the other end of `use`

  bool isModelBody() const { return frame->component->isModel; }
  /// 1 if the first of `shape` is the dimension of the types that an `over` around the expression ranges over, else 0.
  unsigned numTypeDims(const Shape &shape) const {
    for (const TypeBinder *binder = over; binder && !shape.empty(); binder = binder->outer)
      if (shape.front() == binder->dim)
        return 1;
    return 0;
  }
};

} // namespace gnnc

#endif // GNNC_FRONTEND_SEMA_SCOPE_H
