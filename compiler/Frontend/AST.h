//===- AST.h - The syntax tree ----------------------------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The parser's result for one file: nodes in an arena, children as array references, a source range on every node and
// every name. Nothing here is resolved or typed; that is Sema's part.
//
//===----------------------------------------------------------------------===//

#ifndef GNNC_FRONTEND_AST_H
#define GNNC_FRONTEND_AST_H

#include "compiler/Frontend/CheckedModel.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/Allocator.h"
#include <optional>

namespace gnnc::ast {

struct Name {
  llvm::StringRef text;
  llvm::SMRange range;
};

//===----------------------------------------------------------------------===//
// Expressions
//
//===----------------------------------------------------------------------===//

struct Expr {
  enum class Kind {
    Error,
    Number,
    Truth,
    Name,
    Member,
    Index,
    Slice,
    Call,
    Unary,
    Binary,
    If,
    Comprehension,
    Over,
    List
  };

  Kind kind;
  llvm::SMRange range;
  unsigned depth = 1; // of the tree below, this node included
  bool parenthesized = false;

protected:
  Expr(Kind kind, llvm::SMRange range) : kind(kind), range(range) {}
};

template <Expr::Kind kindOfNode> struct ExprOf : Expr {
  explicit ExprOf(llvm::SMRange range) : Expr(kindOfNode, range) {}
  static bool classof(const Expr *expr) { return expr->kind == kindOfNode; }
};

/// An expression that could not be parsed; the error has been reported.
struct ErrorExpr : ExprOf<Expr::Kind::Error> {
  using ExprOf::ExprOf;
};

struct NumberExpr : ExprOf<Expr::Kind::Number> {
  using ExprOf::ExprOf;
  double value = 0;
  std::optional<int64_t> integer; // written without point and exponent
};

/// `true`, `false`
struct TruthExpr : ExprOf<Expr::Kind::Truth> {
  using ExprOf::ExprOf;
  bool value = false;
};

struct NameExpr : ExprOf<Expr::Kind::Name> {
  using ExprOf::ExprOf;
  Name name;
};

/// `u.h`
struct MemberExpr : ExprOf<Expr::Kind::Member> {
  using ExprOf::ExprOf;
  Expr *base = nullptr;
  Name member;
};

/// `W[e.type]`
struct IndexExpr : ExprOf<Expr::Kind::Index> {
  using ExprOf::ExprOf;
  Expr *base = nullptr, *index = nullptr;
};

/// `y[a:b]`, `y[:, a:b]`: a range of each of the first dimensions
struct SliceExpr : ExprOf<Expr::Kind::Slice> {
  using ExprOf::ExprOf;
  struct Range {
    Expr *begin = nullptr, *end = nullptr; // null: where the dimension begins, or ends
    llvm::SMRange range;
  };
  Expr *base = nullptr;
  llvm::ArrayRef<Range> ranges;
};

struct Argument {
  std::optional<Name> label; // `heads = 8`
  Expr *value = nullptr;
};

/// `f(x)`, `sum<heads>(x)`, `real(x)`, `v.in_degree(e.type)`
struct CallExpr : ExprOf<Expr::Kind::Call> {
  using ExprOf::ExprOf;
  Expr *receiver = nullptr; // `v`
  Name callee;
  llvm::ArrayRef<Expr *> dims;
  llvm::ArrayRef<Argument> args;
};

enum class UnaryOp { Negate, Not };

struct UnaryExpr : ExprOf<Expr::Kind::Unary> {
  using ExprOf::ExprOf;
  UnaryOp op = UnaryOp::Negate;
  Expr *operand = nullptr;
};

enum class BinaryOp { Add, Sub, Mul, Div, MatMul, Equal, NotEqual, Less, LessEqual, Greater, GreaterEqual, And, Or };

llvm::StringRef spelling(BinaryOp op);

struct BinaryExpr : ExprOf<Expr::Kind::Binary> {
  using ExprOf::ExprOf;
  BinaryOp op = BinaryOp::Add;
  llvm::SMRange opRange;
  Expr *lhs = nullptr, *rhs = nullptr;
};

/// `value if condition else otherwise`, where the condition is known when the model is compiled
struct IfExpr : ExprOf<Expr::Kind::If> {
  using ExprOf::ExprOf;
  Expr *value = nullptr, *condition = nullptr, *otherwise = nullptr;
};

/// `[e:] source [: Type] -> target [: Type]`, `source -relation-> target`; or `v`: the vertices
struct Pattern {
  bool isVertices = false; // then only `source` and its type
  std::optional<Name> edge;
  Name source, target;
  std::optional<Name> sourceType, targetType, relation;
  llvm::SMRange range;
};

/// `body for pattern [if filter]`; without a body in `count(for u -> v)`.
struct ComprehensionExpr : ExprOf<Expr::Kind::Comprehension> {
  using ExprOf::ExprOf;
  Expr *body = nullptr;
  Pattern pattern;
  Expr *filter = nullptr;
};

/// `[mean, max]`: of functions or aggregations that are given to a layer
struct ListExpr : ExprOf<Expr::Kind::List> {
  using ExprOf::ExprOf;
  llvm::ArrayRef<Expr *> items;
};

/// `body over r in relations`: one value for each edge type; `f(x) over f in functions`: one for each of a list
struct OverExpr : ExprOf<Expr::Kind::Over> {
  using ExprOf::ExprOf;
  Expr *body = nullptr;
  Name binder;
  Expr *dim = nullptr;
};

//===----------------------------------------------------------------------===//
// Types and statements
//
//===----------------------------------------------------------------------===//

/// `[sparse] element [dims] [row_normalized]`
struct TypeExpr {
  ElementKind element = ElementKind::Real;
  llvm::ArrayRef<Expr *> dims;
  bool sparse = false, rowNormalized = false;
  llvm::SMRange range;
};

struct WeightDecl;

struct Stmt {
  enum class Kind { Let, Assign, Return, Repeat, If, Input, Target, Output, Loss, Weight };

  Kind kind;
  llvm::SMRange range;
  Name name;             // Let, Assign, Input, Target, Output; the counter of Repeat, may be empty
  Expr *value = nullptr; // Let, Assign, Return, Output (may be absent), Loss; the count of Repeat, the condition of If
  TypeExpr type;         // Input, Target
  llvm::ArrayRef<Stmt *> body;      // Repeat, If
  llvm::ArrayRef<Stmt *> otherwise; // If: the block behind `else`, or the `if` that stands there
  bool isDamaged = false;           // Input, Target: the type could not be read
  const WeightDecl *weight = nullptr;
  llvm::StringRef doc;
};

//===----------------------------------------------------------------------===//
// Declarations
//
//===----------------------------------------------------------------------===//

/// `heads: dim = 8`, `nn: layer in -> out`, `aggrs: aggregation[] = [mean, max]`
struct ComponentParam {
  enum class Kind { Dim, Int, Real, Bool, Layer, Aggregation, Function };
  Name name;
  Kind kind = Kind::Dim;
  bool hasKind = true; // else it is a mistake that was reported
  bool isList = false; // Aggregation, Function
  Expr *takes = nullptr, *gives = nullptr; // Layer: the dimensions of its input and its result
  Expr *fallback = nullptr;

  /// `dim = 8`, `layer in -> out`
  std::string type() const;
  llvm::StringRef doc;
};

/// `dim`, `int`, `real`, `bool`, `layer`, `aggregation` or `fn`
llvm::StringRef spelling(ComponentParam::Kind kind);

/// `left == right`
struct WhereClause {
  Expr *left = nullptr, *right = nullptr;
  llvm::SMRange range;
};

/// `param W: real[in, out] = glorot_uniform`, `param b: real[out] = zeros if bias`
struct WeightDecl {
  Name name;
  TypeExpr type;
  std::optional<Name> initializer;
  Expr *initArgument = nullptr;
  Expr *condition = nullptr; // under which it exists; null: always
  bool isState = false;
  bool isDamaged = false; // only its name could be read
  llvm::StringRef doc;
  llvm::SMRange range;
};

/// `layer conv1 = GCNConv(in, hidden)`
struct InstanceDecl {
  Name name, layer;
  llvm::ArrayRef<Argument> args;
  bool isDamaged = false; // only its name could be read
  llvm::SMRange range;
};

/// `h: real[in]`, `edge weight: real = 1`, `edge a: real[k]?`
struct FormalDecl {
  Name name;
  std::optional<TypeExpr> type; // absent only in functions
  bool ofEdges = false;
  Expr *fallback = nullptr;  // the constant that it is where a call leaves it out
  Expr *condition = nullptr; // `given(a)`, under which an input without a constant may be read; null: it always may

  /// True if a call may leave the input out.
  bool isOptional() const { return fallback || condition; }
  /// As the source has it, if it has a type: `edge weight: real = 1`.
  std::string text() const;
  llvm::StringRef doc;
};

/// `vertex v (formals) -> type { ... }`, `edge u -> v (formals) -> type { ... }`. The bodies of models have no formals
/// and no type, but types of vertices: `vertex p: Paper { ... }`.
struct BodyDecl {
  bool isEdge = false;
  Name vertex; // of a vertex body
  std::optional<Name> vertexType;
  Pattern pattern; // of an edge body
  llvm::ArrayRef<FormalDecl> formals;
  std::optional<TypeExpr> result;
  llvm::ArrayRef<Stmt *> statements;
  llvm::SMRange head, range;
};

/// The names that a body gives to its vertex, or to its edge's ends and the edge.
inline llvm::SmallVector<const Name *, 3> binders(const BodyDecl &body) {
  if (!body.isEdge)
    return {&body.vertex};
  llvm::SmallVector<const Name *, 3> names{&body.pattern.source, &body.pattern.target};
  if (body.pattern.edge)
    names.push_back(&*body.pattern.edge);
  return names;
}

/// `weight_decay 5e-4 on conv1`, `one_loop if add_self_loops`: an entry of a `train`, `graph` or `schedule` block.
struct Setting {
  Name name;
  std::optional<Name> word;    // `adam`
  std::optional<double> value; // `0.01`
  llvm::ArrayRef<Name> on;
  llvm::SMRange valueRange;
  Expr *condition = nullptr; // in a `graph` block: under which the property is asked for; null: always
};

/// `vertex Paper` in a `graph` block
struct VertexTypeDecl {
  Name name;
  llvm::StringRef doc;
};

/// `edge Author -writes-> Paper`, `pairs Author -reviews-> Paper`, `pairs candidates` in a `graph` block
struct RelationDecl {
  bool isPairs = false;
  Name name;
  std::optional<Name> source, target; // both or none
  llvm::StringRef doc;
};

/// A layer or a model.
struct ComponentDecl {
  bool isModel = false;
  bool isDamaged = false;    // by syntax errors, so that only its name can be relied on
  bool isIncomplete = false; // what could not be read may have defined more names
  Name name;
  llvm::ArrayRef<ComponentParam> params;
  llvm::ArrayRef<WhereClause> where;
  llvm::ArrayRef<WeightDecl> weights;
  llvm::ArrayRef<InstanceDecl> instances;
  llvm::ArrayRef<BodyDecl> bodies;
  llvm::ArrayRef<VertexTypeDecl> vertexTypes;
  llvm::ArrayRef<RelationDecl> relations;
  llvm::ArrayRef<Setting> graph, training, schedule;
  llvm::StringRef doc;
  llvm::SMRange range;
};

/// `fn silu(x) = x * sigmoid(x)`, `fn f(x) { ... return ... }`
struct FunctionDecl {
  bool isDamaged = false;
  Name name;
  llvm::ArrayRef<FormalDecl> formals;
  llvm::ArrayRef<Stmt *> statements; // the last one returns
  llvm::StringRef doc;
  llvm::SMRange range;
};

struct File {
  std::vector<Name> imports;
  std::vector<ComponentDecl *> components;
  std::vector<FunctionDecl *> functions;
  bool isIncomplete = false; // there may be more

  /// Prints the file as a program: one item a line, every operation in parentheses.
  void print(llvm::raw_ostream &os) const;
};

/// Owns nodes. They have no destructors to run.
class Arena {
public:
  template <typename Node, typename... Args> Node *create(Args &&...args) {
    return new (allocator.Allocate<Node>()) Node{std::forward<Args>(args)...};
  }
  template <typename T> llvm::ArrayRef<T> copy(llvm::ArrayRef<T> items) { return items.copy(allocator); }

private:
  llvm::BumpPtrAllocator allocator;
};

} // namespace gnnc::ast

#endif // GNNC_FRONTEND_AST_H
