//===- Sema.h - Semantic analysis -------------------------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Resolves names, infers shapes and graph kinds, and writes the CheckedModel of one component. Layers and functions are
// inlined where they are called: their bodies are evaluated symbolically, so checking and expanding are one walk.
// Shapes are compared in the dimension names of the layer that is being read (`Frame`); only what is written to the
// model is translated to the model's names and -D values. So whether a layer is right depends neither on its caller nor
// on -D, and a mistake in it is reported once.
//
// The parts: SemaComponent (layers, models), SemaInstances (layers inside of them), SemaStatements, SemaModels (what
// only models have), SemaExpressions (names, operators), SemaProducts, SemaCalls (functions, layers), SemaBuiltins,
// SemaEdges (comprehensions, edge sets), SemaAggregation, SemaTypes (edge types), SemaSchema (vertex types, relations),
// SemaVertices (what ranges over all vertices), SemaLints (warnings), SemaShapes (dimensions, alignment, element
// types), SemaSparse, SemaIndexing (what editors want to know).
//
//===----------------------------------------------------------------------===//

#ifndef GNNC_FRONTEND_SEMA_H
#define GNNC_FRONTEND_SEMA_H

#include "compiler/Frontend/AST.h"
#include "compiler/Frontend/Diagnostics.h"
#include "compiler/Frontend/ModelBuilder.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringMap.h"
#include <memory>
#include <set>

namespace gnnc {

/// What every file declares, by name.
struct Declarations {
  llvm::StringMap<const ast::ComponentDecl *> layers;
  llvm::StringMap<const ast::FunctionDecl *> functions;
  bool isIncomplete = false;                // a file could not be read as a whole
  llvm::StringMap<std::string> notImported; // layers of the standard library that the file may have meant: their module
};

/// The edges that an edge field has a value for (law 3).
struct EdgeSet {
  unsigned relation = 0;
  std::optional<End> toward;    // the end that groups the edges; none: any (inputs of edges, results of edge bodies)
  std::vector<unsigned> filter; // structural numbers of the conditions, sorted
  std::optional<unsigned> filterValue; // their conjunction, an edge value
  std::optional<DimExpr> byType;       // `e.type == r`: the dimension of r; aggregations give a row for each edge type
  std::string spelling;                // `u -> v if e.weight > 0`
  llvm::SMRange range;
};

/// What an expression denotes.
struct Operand {
  enum class Tag {
    Error,  // reported already: whatever uses it stays silent
    Number, // a compile-time constant
    Field,  // `id`, of any graph kind
    Sparse, // a sparse input, maybe scaled: `id` is the E value of its nonzeros
  };
  Tag tag = Tag::Error;
  double number = 0;
  bool isInteger = false;
  unsigned id = 0;
  Shape shape;                     // in the dimension names of the current frame
  std::vector<std::string> labels; // of a layer's result: what the layer calls the dimensions of `shape`
  const EdgeSet *edges = nullptr;  // Field of kind S, D, E
  llvm::SMRange range;
  llvm::SMRange origin; // where the name that it was read by is defined

  bool isError() const { return tag == Tag::Error; }
  bool isNumber() const { return tag == Tag::Number; }
  bool isField() const { return tag == Tag::Field; }
  bool isSparse() const { return tag == Tag::Sparse; }
};

struct Instance;

/// What a name stands for.
struct Entity {
  enum class Kind { Dim, Number, Field, Instance };
  Kind kind = Kind::Field;
  Operand operand;  // Number, Field
  Operand otherEnd; // in a layer over edges between two vertex types: the field of the vertices at the other end
  DimExpr dim;      // Dim
  Instance *instance = nullptr; // Instance
  bool assignable = false;
  std::optional<unsigned> state; // of a `state`: its index among the model's parameters
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

  std::optional<unsigned> relation; // none: it has no edges, since it computes a field of the other end
  End ownEnd = End::Destination;
  bool flipped = false; // what the layer calls edges into its vertex are the edges out of it
  std::vector<Lack> ownLacks, otherLacks;
};

/// What is known of a relation beside what the checked model says.
struct RelationInfo {
  Scope *scope = nullptr;           // of the fields of its edges
  std::optional<unsigned> edgeType; // the value of `e.type`
  std::optional<DimExpr> types;     // how many edge types there are, in the component's dimensions before -D
  llvm::SMRange typesRange;         // where that is said, or, before, where it had to be known
  std::map<std::tuple<ValueKind, bool>, unsigned> degrees; // values, by whether they are by type
};

/// Where a state gets its next value.
struct StateAssignment {
  unsigned state; // its index among the model's parameters
  llvm::SMRange range;
  std::vector<std::pair<const void *, llvm::SMRange>> calls; // that led there, outermost first
};

/// How much work the expansion of a whole program may still take; about one for each expression that is evaluated.
struct SemaBudget {
  size_t steps = 1'000'000;
  bool exhausted = false; // reported
};

class SemanticIndex;

struct SemaOptions {
  std::vector<std::pair<std::string, std::string>> defines;
  bool warnsOfUnused = true;
  bool generic = false;           // check a layer for any argument: missing constants are made up
  SemanticIndex *index = nullptr; // for editors: what names mean
  struct {
    std::string input; // of this one, which is of vertices, the source does not say whether it is sparse
    bool isSparse = false;
  } form = {};
};

class Sema {
public:
  Sema(const Declarations &declarations, DiagnosticEngine &diagnostics, SemaOptions options, SemaBudget &budget);

  /// Checks a model, or a layer as if it were one, and expands it.
  CheckedModel run(const ast::ComponentDecl &component);

private:
  static constexpr unsigned maxCallDepth = 48;
  static constexpr unsigned maxEvalDepth = 300; // nesting of expressions across calls: evaluation is recursive
  static constexpr unsigned maxErrors = 200;    // then the rest is not looked at
  static constexpr int64_t maxRepeat = 4096;
  static constexpr int64_t maxDim = INT32_MAX;
  static constexpr int64_t maxElements = int64_t(1) << 40; // of a parameter, or of what a vertex or edge has

  struct Context {
    Frame *frame = nullptr;
    Scope *scope = nullptr;
    const ast::BodyDecl *body = nullptr; // null in functions and outside of bodies
    const Comprehension *comprehension = nullptr;
    const TypeBinder *over = nullptr;
    unsigned vertexType = 0;            // of the body's vertex
    const EdgeUse *use = nullptr;       // in layers; null: the edges between vertices of that type
    const Scope *callerScope = nullptr; // in layers: the names that the call sees
    bool atOtherEnd = false;            // fields are those of the vertices at the other end of `use`
  };
  using CallArgs = llvm::ArrayRef<Operand>;

  // SemaComponent.cpp, SemaInstances.cpp
  void declareParams(const ast::ComponentDecl &component, Frame &frame);
  void declareModelParam(const ast::ComponentParam &param, Frame &frame);
  void declareModelDim(const ast::ComponentParam &param, Frame &frame);
  void declareWhere(const ast::ComponentDecl &component, Frame &frame);
  void declareWeights(const ast::ComponentDecl &component, Frame &frame);
  /// A parameter or state; with `rows`, one for each of that many vertices.
  Operand addParameter(const ast::WeightDecl &weight, const std::string &name, std::optional<DimExpr> rows = {});
  void declareInstances(const ast::ComponentDecl &component, Frame &frame);
  void declareInstance(const ast::InstanceDecl &decl, Instance &instance);
  std::optional<std::vector<const ast::Expr *>> matchLayerArgs(const ast::InstanceDecl &decl,
                                                               const ast::ComponentDecl &layer);
  bool bindLayerParams(const ast::InstanceDecl &decl, Instance &instance);
  bool bindLayerParam(const ast::ComponentParam &param, const ast::Expr *given, const ast::InstanceDecl &decl,
                      Instance &instance);
  bool checkLayerWhere(const ast::InstanceDecl &decl, Instance &instance);
  void equate(const std::string &name, const DimExpr &other, llvm::SMRange range);
  void checkBinders(const ast::BodyDecl &body);
  std::optional<unsigned> bodyType(const ast::BodyDecl &body);
  void applyGraph(const ast::Setting &setting, bool GraphTransforms::*property);
  std::optional<Initializer> initializer(const ast::WeightDecl &weight, double &argument);
  void checkModelBodies(const ast::ComponentDecl &model);
  bool hasOneBody(const ast::ComponentDecl &layer);
  void checkLayerAlone(const ast::ComponentDecl &layer);
  void applySettings(const ast::ComponentDecl &model);
  void applyTraining(const ast::Setting &setting, const ast::ComponentDecl &model);
  std::vector<std::string> decayedBy(const ast::Name &subject, const ast::ComponentDecl &component);
  std::optional<std::string> define(llvm::StringRef name);

  // SemaSchedule.cpp
  /// What the `schedule` of a component asks for, where its values are at `prefix`.
  void requestSchedule(const ast::ComponentDecl &component, llvm::StringRef prefix);
  bool givesEdgeValues(llvm::StringRef subject) const;
  void checkScheduleFits(const ast::Setting &setting, const ScheduleRequest &request);
  void checkSizes();
  void checkDefines(const ast::ComponentDecl &component);

  // SemaStatements.cpp, SemaModels.cpp
  /// Evaluates statements in order; the operand of `return`, if one is reached.
  std::optional<Operand> evalBlock(llvm::ArrayRef<ast::Stmt *> statements);
  std::string placeOf(const ast::Stmt &stmt) const;
  void evalLet(const ast::Stmt &stmt);
  void evalAssign(const ast::Stmt &stmt);
  void evalRepeat(const ast::Stmt &stmt);
  void evalInput(const ast::Stmt &stmt);
  void evalOutput(const ast::Stmt &stmt);
  void evalLoss(const ast::Stmt &stmt);
  Operand addInput(const ast::Name &name, const ast::TypeExpr &type, llvm::StringRef doc, bool isTarget, bool ofEdges);
  Operand addSparseInput(const ast::Name &name, const ast::TypeExpr &type, Shape shape, llvm::StringRef doc);
  unsigned addNonzeros(const ast::Name &name, const ast::TypeExpr &type, const Shape &shape);
  bool allowed(const ast::Stmt &stmt);
  bool checkLossOperands(const ast::CallExpr &call, const Operand &prediction, const Operand &target);
  void adviseOnLoss(Diagnostic &mismatch, const ast::CallExpr &call, const Operand &prediction, const Operand &target);

  // SemaLints.cpp: warnings
  void lintLoss(const ast::CallExpr &call, const Operand &prediction);
  void lintUnused(const ast::ComponentDecl &component);
  void lintStatements(llvm::ArrayRef<ast::Stmt *> statements);
  void lintUnused(const ast::Name &name, llvm::StringRef what, bool isBound = false);
  bool declare(const ast::Name &name, Entity entity);
  void declareField(const ast::Name &name, Operand operand, bool assignable, Operand otherEnd = {});

  // SemaExpressions.cpp
  Operand eval(const ast::Expr &expr);
  Operand dispatch(const ast::Expr &expr);
  Operand evalName(const ast::NameExpr &expr);
  Operand evalMember(const ast::MemberExpr &expr);
  Operand ownField(const ast::Name &name);
  Operand neighbourField(const ast::Name &name, End end, llvm::SMRange range);
  Operand edgeField(const ast::Name &name, llvm::SMRange range);
  Operand fieldOf(const ast::Name &name, End end, llvm::SMRange range);
  Operand evalUnary(const ast::UnaryExpr &expr);
  Operand evalBinary(const ast::BinaryExpr &expr);
  Operand arithmetic(ValueKind kind, Operand a, Operand b, llvm::SMRange range, llvm::StringRef what);
  Operand comparison(ValueKind kind, Operand a, Operand b, llvm::SMRange range);
  Operand logical(ValueKind kind, Operand a, Operand b, llvm::SMRange range);
  Operand unknownName(const ast::Name &name);
  bool mayBeLost(llvm::StringRef name) const;

  // SemaProducts.cpp
  /// What stands to the right of `@`: `W`, `W[i]`, or `W[r]` for every edge type r.
  struct Weight {
    Operand table;
    std::optional<Operand> index;
    const TypeBinder *over = nullptr;
    llvm::SMRange range;

    Shape shape() const; // without the dimension that is indexed
  };
  Weight evalWeight(const ast::Expr &expr);
  Operand matmul(const ast::BinaryExpr &expr, Operand a, const Weight &weight);
  Operand matmulEachType(const Operand &a, const Weight &weight, llvm::SMRange range);
  Operand contractTypes(const Operand &a, const Weight &weight, llvm::SMRange range);
  bool checkProduct(const ast::BinaryExpr &expr, Operand &a, const Weight &weight);
  void lintGrouping(const ast::BinaryExpr &expr, const Operand &scale, const Operand &product, const Shape &weight,
                    const Shape &result);

  // SemaTypes.cpp
  Operand edgeType(llvm::SMRange range);
  bool recordTypes(unsigned relation, const DimExpr &dim, llvm::SMRange range);
  void checkTypesKnown();
  const TypeBinder *typeBinder(const ast::Expr &expr) const;
  const TypeBinder *typeCondition(const ast::Expr &condition, const Comprehension &comprehension) const;
  /// An integer index; none for the binder of `over` where it stands for every type.
  std::optional<Operand> evalIndexValue(const ast::Expr &expr, const TypeBinder *&over);
  bool checkIndex(const Operand &base, const std::optional<Operand> &index, const TypeBinder *over,
                  const ast::IndexExpr &expr);
  void noteEntries(const Operand &table);
  Operand evalIndex(const ast::IndexExpr &expr);
  Operand indexed(const Operand &base, const std::optional<Operand> &index, const TypeBinder *over,
                  llvm::SMRange range);
  Operand evalOver(const ast::OverExpr &expr);
  Operand overBuiltin(const ast::CallExpr &call, const ast::OverExpr &over);
  bool bindOver(const ast::OverExpr &expr, TypeBinder &binder);
  bool checkOver(const Operand &body, const TypeBinder &binder);
  Operand degree(ValueKind degreeKind, unsigned relation, bool byType, llvm::SMRange range);
  Operand degreeCall(const ast::CallExpr &call);
  Operand ofType(const Operand &table, const Operand &edgeType, const Operand &ofLoop, llvm::SMRange range);
  Operand degreeIn(ValueKind degreeKind, const ast::Name &relation, unsigned vertexType, std::optional<End> end,
                   llvm::SMRange range);
  Operand degreeOf(ValueKind kind, unsigned vertexType, bool byType, llvm::SMRange range);
  std::optional<unsigned> degreeRelation(ValueKind kind, unsigned vertexType, llvm::SMRange range);

  // SemaSchema.cpp
  void declareSchema(const ast::ComponentDecl &component);
  void declareRelation(const ast::RelationDecl &decl, const ast::ComponentDecl &component);
  bool isModelBody() const { return context.frame->component->isModel; }
  std::optional<unsigned> vertexTypeNamed(const ast::Name &name);
  std::optional<unsigned> relationNamed(llvm::StringRef name) const;
  Diagnostic &unknownRelation(const ast::Name &name);
  unsigned typeAt(unsigned relation, End end) const;
  std::string describeRelation(unsigned relation) const;
  /// The relation that a pattern names or leaves to be found; `ownEnd`: where the body's vertex stands, if one does.
  std::optional<unsigned> resolvePattern(const ast::Pattern &pattern, std::optional<End> ownEnd);
  std::optional<unsigned> resolveInModel(const ast::Pattern &pattern, std::optional<End> ownEnd);
  std::optional<unsigned> layerRelation(llvm::SMRange range);
  std::optional<unsigned> onlyRelation(llvm::ArrayRef<unsigned> candidates, llvm::SMRange range, llvm::StringRef none,
                                       llvm::StringRef help = "");
  std::string turnedAround(const ast::Pattern &pattern, std::optional<unsigned> &named);
  bool joinsTwoTypes(const EdgeUse &use) const;
  bool isTwoSided() const;
  Operand evalBothEnds(const ast::Expr &expr, Operand &otherEnd);
  /// An entity's value where it is read, at the own or the other end; reports that there is none.
  Operand valueAt(const Entity &entity, bool atOther, const ast::Name &name);
  Operand evalFieldOf(const ast::Expr &expr, unsigned vertexType);
  Entity *fieldAt(const ast::Name &name, End end);

  // SemaCalls.cpp
  Operand evalCall(const ast::CallExpr &call);
  Operand methodCall(const ast::CallExpr &call);
  Operand callFunction(const ast::CallExpr &call, const ast::FunctionDecl &function);
  Operand callLayer(const ast::CallExpr &call, Instance &instance);
  struct LayerArgument {
    const ast::Expr *expr;
    Operand own, otherEnd;
    Shape expected; // what the layer takes, in the caller's dimensions; set where it is bound
  };
  bool bindFormal(const ast::FormalDecl &formal, LayerArgument &given, Frame &callee);
  void noteLacks(EdgeUse &use, const ast::FormalDecl &formal, const LayerArgument &given);
  std::optional<llvm::StringRef> laterFieldThatFits(const ast::FormalDecl &formal, const Operand &argument,
                                                    const Shape &expected);
  void adviseOnArgument(Diagnostic &mismatch, const ast::FormalDecl &formal, const Operand &argument,
                        const Shape &expected, const Frame &callee);
  bool checkFormal(const ast::FormalDecl &formal, const Operand &argument, const Shape &expected, Frame &callee);
  /// The arguments of a layer, and the pattern that stands behind the last one.
  std::optional<std::vector<LayerArgument>> layerArgs(const ast::CallExpr &call, const ast::BodyDecl &body,
                                                      const ast::Pattern *&pattern);
  std::optional<EdgeUse> layerUse(const ast::CallExpr &call, const ast::BodyDecl &body, const ast::Pattern *pattern);
  bool evalLayerArg(LayerArgument &argument, const ast::FormalDecl &formal, const std::optional<EdgeUse> &use);
  bool bindFunctionFormal(const ast::FormalDecl &formal, const Operand &argument, llvm::SMRange call);
  Operand evalBody(const ast::BodyDecl &body, Frame &frame);
  std::optional<std::vector<Operand>> evalArgs(const ast::CallExpr &call, unsigned min, unsigned max,
                                               llvm::StringRef usage);
  bool enter(const ast::Name &callee, const void *decl);

  // SemaBuiltins.cpp
  std::optional<Operand> evalBuiltin(const ast::CallExpr &call);
  Operand unaryBuiltin(const ast::CallExpr &call, ValueKind kind);
  Operand binaryBuiltin(const ast::CallExpr &call, ValueKind kind);
  Operand selectBuiltin(const ast::CallExpr &call);
  Operand dotBuiltin(const ast::CallExpr &call);
  Operand concatBuiltin(const ast::CallExpr &call);
  Operand flattenBuiltin(const ast::CallExpr &call);
  Operand padBuiltin(const ast::CallExpr &call);
  Operand dropoutBuiltin(const ast::CallExpr &call);
  Operand castBuiltin(const ast::CallExpr &call, ElementKind element);
  Operand stopGradientBuiltin(const ast::CallExpr &call);
  Operand reduceBuiltin(const ast::CallExpr &call);
  /// One of `sum mean max min prod logsumexp var std` over a dimension.
  Operand reduceBy(llvm::StringRef name, const Operand &value, size_t position, llvm::SMRange range);
  std::optional<size_t> findDimension(const ast::Expr &expr, const Operand &value, llvm::StringRef reduction);
  Operand reduce(Operand value, Reduction reduction, size_t position, llvm::SMRange range);

  // SemaEdges.cpp
  Operand evalComprehension(const ast::ComprehensionExpr &expr);
  const EdgeSet *edgeSet(const ast::ComprehensionExpr &expr, Comprehension &comprehension);
  bool narrow(EdgeSet &set, const ast::Expr &condition, Comprehension &comprehension);
  bool checkPatternNames(const ast::Pattern &pattern, bool ownIsSource);
  /// In a comprehension: the value of a vertex field at the end where the body's vertex stands.
  Operand inContext(Operand operand);
  Operand readAt(Operand operand, End end, llvm::SMRange range);
  /// An edge field's value on the edge of the current comprehension.
  Operand onThisEdge(Operand operand, const ast::Name &name);
  std::optional<Operand> loopCondition(const ast::BinaryExpr &expr);
  Operand vertexId(End end, llvm::SMRange range);
  bool checkSameEdges(llvm::ArrayRef<Operand> operands, llvm::SMRange range);
  /// What a binder stands for; reports one that stands for nothing here.
  struct Place {
    enum class Kind { Unknown, Own, Neighbour, Edge } kind = Kind::Unknown;
    End end = End::Destination; // Neighbour
  };
  Place place(const ast::NameExpr &binder, llvm::StringRef member);
  void unboundVertex(const ast::NameExpr &base, llvm::StringRef member);

  // SemaAggregation.cpp
  Operand aggregateBuiltin(const ast::CallExpr &call);
  Operand deviation(const Operand &variance, llvm::SMRange range);
  bool checkAggregated(const ast::CallExpr &call, const Operand &edge);
  void aggregatedWhere(const ast::CallExpr &call, const Operand &edge);
  /// An edge field at the end that its set names, as a field of vertices.
  Operand aggregate(Reduction reduction, const Operand &edge, llvm::SMRange range);
  Operand countBuiltin(const ast::CallExpr &call);
  Operand softmaxOverEdges(const ast::CallExpr &call, Operand scores);
  Operand softmaxByType(const Operand &scores, llvm::SMRange range);

  // SemaVertices.cpp
  Operand totalBuiltin(const ast::CallExpr &call, const ast::ComprehensionExpr &vertices);
  bool checkVertices(const ast::ComprehensionExpr &expr);
  Operand total(Reduction reduction, const Operand &x, llvm::SMRange range);
  Operand numVertices(llvm::SMRange range);
  DimExpr vertexCount(unsigned vertexType, llvm::SMRange range);
  void evalVertexParameter(const ast::Stmt &stmt);
  void assignState(const ast::Stmt &stmt, const Entity &entity, const Operand &value);
  void stateAgain(const ast::Stmt &stmt, const StateAssignment &earlier);
  Operand training(llvm::SMRange range);

  // SemaIndexing.cpp: for editors
  /// What a name in the source means here: `Scope::find`, and a note of it.
  Entity *lookup(const ast::Name &name);
  void noteUse(const ast::Name &name, llvm::SMRange definition);
  /// Where a name is mentioned without being read: its own definition, settings.
  void noteMention(const ast::Name &name, llvm::SMRange definition);
  void noteFact(llvm::SMRange range, const Operand &operand);
  void noteDefinition(const ast::Name &name, const Entity &entity);

  // SemaShapes.cpp
  std::optional<DimExpr> evalDim(const ast::Expr &expr);
  std::optional<Shape> evalShape(const ast::TypeExpr &type);
  Operand extent(const DimExpr &dim, llvm::SMRange range);
  Shape translate(const Shape &shape, llvm::SMRange range);
  DimExpr translate(const DimExpr &dim, llvm::SMRange range);
  Shape substitute(const Shape &shape, const Frame &callee);
  DimExpr canonical(DimExpr dim);
  bool alignShapes(llvm::MutableArrayRef<Operand> operands, llvm::SMRange range, llvm::StringRef what);
  Operand broadcast(const Operand &operand, const Shape &shape, llvm::ArrayRef<unsigned> positions);
  bool unifyElements(llvm::MutableArrayRef<Operand> operands, llvm::SMRange range);
  Operand materialize(const Operand &number, ElementKind element);
  std::string conversion(const Operand &a, const Operand &b) const;
  bool requireFloat(Operand &operand, llvm::SMRange range, llvm::StringRef what);
  bool requireConstant(const Operand &operand, llvm::StringRef what);
  ElementKind element(const Operand &operand) const;
  GraphKind kind(const Operand &operand) const;
  Operand apply(ValueKind kind, llvm::ArrayRef<Operand> operands, Shape shape, ElementKind element, llvm::SMRange range,
                llvm::function_ref<void(Value &)> details = {});
  std::string describeType(const Operand &operand) const;

  // SemaSparse.cpp
  Operand sparseMatmul(const Operand &sparse, const Operand &weight, llvm::SMRange range);
  Operand sparseScale(ValueKind kind, const Operand &a, const Operand &b, llvm::SMRange range);
  Operand sparseRowSum(const Operand &sparse, llvm::SMRange range);
  Operand sparseElsewhere(const Operand &sparse, llvm::SMRange range, llvm::StringRef what);

  // Sema.cpp
  Diagnostic &error(DiagnosticCode code, llvm::SMRange range, const llvm::Twine &message);
  Operand fieldOperand(unsigned id, Shape shape, const EdgeSet *edges, llvm::SMRange range);
  Operand numberOperand(double number, bool isInteger, llvm::SMRange range);
  /// The name of a vertex field among the model's inputs and parameters.
  std::string qualified(llvm::StringRef name) const;
  void nameValue(const Operand &operand, llvm::StringRef name);
  const EdgeSet *keep(EdgeSet set);
  std::vector<std::string> visibleNames() const;
  bool outOfBudget(llvm::SMRange range);
  bool tooDeep(llvm::SMRange range);
  void spend(size_t steps) { budget.steps -= std::min(budget.steps, steps); }

  const Declarations &declarations;
  DiagnosticEngine &diagnostics;
  SemaOptions options;
  SemaBudget &budget;
  CheckedModel model;
  ModelBuilder builder{model};
  Context context;
  Frame root;
  std::vector<std::unique_ptr<Instance>> instances;
  std::vector<std::unique_ptr<EdgeSet>> edgeSets;
  std::vector<std::pair<const void *, llvm::SMRange>>
      callStack;                          // declarations being expanded and where they are called
  std::vector<RelationInfo> relationInfo; // of the relations of the graph and of pairs
  std::vector<Scope *> typeScopes;        // of the fields of each vertex type
  std::map<unsigned, unsigned> vertexIds; // values, by vertex type
  std::vector<std::unique_ptr<Scope>> scopes;
  std::optional<unsigned> trainingValue;
  std::vector<StateAssignment> stateAssignments;
  std::map<std::string, llvm::SMRange> outputRanges; // where each output is named
  llvm::StringMap<llvm::SMRange> goneNames;          // of blocks of `repeat`, which have ended
  std::set<const char *> definitions,
      readDefinitions;        // by where the name stands: those that were come to, that are read
  bool skippedRepeat = false; // a `repeat` of 0 iterations, in which nothing is read
  const ast::BodyDecl *modelBody = nullptr;
  unsigned evalDepth = 0;
};

/// "did you mean `x`?" if one of the candidates is near, else empty.
std::string suggest(llvm::StringRef name, std::vector<std::string> candidates);
/// The nearest candidate, if one is near: at most one edit for names under three letters, else two.
std::optional<std::string> nearest(llvm::StringRef name, std::vector<std::string> candidates);
/// `[heads, out]`
std::string str(const Shape &shape);
/// The shape of an elementwise result; none if the two do not align.
std::optional<Shape> alignedShape(const Shape &a, const Shape &b);
/// `real`, `i32`
llvm::StringRef spelling(ElementKind element);
bool isFloat(ElementKind element);
bool isInteger(ElementKind element);
/// The source text of a range, on one line.
std::string sourceText(llvm::SMRange range);
/// Whether `name` is a field that every vertex has: `in_degree`, `out_degree`.
std::optional<ValueKind> degreeKind(llvm::StringRef name);
/// The name of a reduction in the language; none for `var` and `std`, which are made of others.
std::optional<Reduction> reductionNamed(llvm::StringRef name);
/// Whether `name` is a function of the language itself.
bool isBuiltin(llvm::StringRef name);
std::vector<std::string> builtinNames();

} // namespace gnnc

#endif // GNNC_FRONTEND_SEMA_H
