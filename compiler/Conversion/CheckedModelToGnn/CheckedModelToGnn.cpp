//===- CheckedModelToGnn.cpp - From checked models to the gnn dialect -----===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One op for each value, in the order of the model; means and counts in the few ops that they are made of.
//
//===----------------------------------------------------------------------===//

#include "compiler/Conversion/CheckedModelToGnn/CheckedModelToGnn.h"
#include "compiler/Conversion/CheckedModelToGnn/FieldTypes.h"
#include "dialects/Gnn/IR/ElementBuilder.h"
#include "dialects/Gnn/IR/ProgramVariants.h"
#include "dialects/Gnn/IR/SourceName.h"
#include "dialects/Gnn/IR/TypeRules.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/IR/Verifier.h"

using namespace mlir;
using namespace gnnc::gnn;
using gnnc::CheckedModel, gnnc::FieldTypes, gnnc::InputForms, gnnc::Output, gnnc::RealType, gnnc::Reduction,
    gnnc::Relation, gnnc::ValueKind;
using CheckedValue = gnnc::Value;

namespace {

class Importer {
public:
  Importer(const CheckedModel &model, MLIRContext &context, const llvm::SourceMgr &sources, RealType real)
      : model(model), sources(sources), types(model, context, real), builder(UnknownLoc::get(&context), &context) {}

  /// Adds the program to a module that has the model's tables.
  void run(ModuleOp module, StringRef program);

private:
  Location locationOf(const CheckedValue &value);
  Value import(const CheckedValue &value);
  Value importLeaf(const CheckedValue &value, FieldType type);
  Value importUnary(const CheckedValue &value, FieldType type);
  Value importBinary(const CheckedValue &value);
  Value importShape(const CheckedValue &value, FieldType type);
  Value importReduce(const CheckedValue &value);
  Value importGraph(const CheckedValue &value, FieldType type);
  Value importAggregate(const CheckedValue &value, FieldType type);
  Value meanOverEdges(Value x, Value filter, const CheckedValue &value, FieldType type);
  Value importVariance(Value x, Value filter, const CheckedValue &value, FieldType type);
  Value readBack(Value folded, const CheckedValue &value);
  Value importTotal(const CheckedValue &value, FieldType type);
  Value importLoss(const CheckedValue &value, FieldType type);
  void importReturn();

  Value operand(const CheckedValue &value, unsigned index) { return values[value.operands[index]]; }
  template <typename Op, typename... Args> Value make(Args &&...args) {
    return builder.create<Op>(std::forward<Args>(args)...);
  }
  Value constant(FieldType type, double number) { return make<ConstantOp>(type, number); }
  /// `x`, whose dimensions are the first of `like`, with its others.
  Value spread(Value x, FieldType like);
  /// A P value as a field of edges, on which it can be aggregated.
  Value onEdges(Value x, unsigned relation);
  Value edgeType(const CheckedValue &value);
  Value aggregate(AggregatorInterface aggregator, Value x, Value filter, const CheckedValue &value);
  Value countEdges(Value filter, const CheckedValue &value, FieldType type);
  AggregatorInterface aggregatorOf(Reduction reduction);
  unsigned vertexTypeAt(const CheckedValue &value);

  const CheckedModel &model;
  const llvm::SourceMgr &sources;
  FieldTypes types;
  ImplicitLocOpBuilder builder;
  std::vector<Value> values;
};

} // namespace

Location Importer::locationOf(const CheckedValue &value) {
  MLIRContext *context = builder.getContext();
  Location loc = UnknownLoc::get(context);
  unsigned buffer = value.range.isValid() ? sources.FindBufferContainingLoc(value.range.Start) : 0;
  if (buffer != 0) {
    auto [line, column] = sources.getLineAndColumn(value.range.Start, buffer);
    StringRef file = sources.getMemoryBuffer(buffer)->getBufferIdentifier();
    loc = FileLineColLoc::get(context, file, line, column);
  }
  if (!value.name.empty())
    loc = NameLoc::get(builder.getStringAttr(value.name), loc);
  return locationAt(loc, value.place);
}

void Importer::run(ModuleOp module, StringRef name) {
  builder.setInsertionPointToEnd(module.getBody());
  auto program = builder.create<ProgramOp>(name);
  builder.setInsertionPointToEnd(&program.getBody().emplaceBlock());
  values.reserve(model.values.size());
  for (const CheckedValue &value : model.values) {
    builder.setLoc(locationOf(value));
    values.push_back(import(value));
  }
  importReturn();
}

Value Importer::import(const CheckedValue &value) {
  FieldType type = types.field(value.type);
  switch (value.kind) {
  case ValueKind::Input:
  case ValueKind::Target:
  case ValueKind::Param:
  case ValueKind::State:
  case ValueKind::Constant:
  case ValueKind::Training:
  case ValueKind::InDegree:
  case ValueKind::OutDegree:
  case ValueKind::EdgeType:
  case ValueKind::VertexId:
  case ValueKind::DropoutMask:
    return importLeaf(value, type);
#define UNARY(KIND, NAME, USAGE, DOC) case ValueKind::KIND:
#include "compiler/Frontend/Functions.def"
  case ValueKind::Neg:
  case ValueKind::Not:
  case ValueKind::Cast:
  case ValueKind::StopGradient:
    return importUnary(value, type);
  case ValueKind::Select:
    return make<SelectOp>(operand(value, 0), operand(value, 1), operand(value, 2));
  case ValueKind::Index:
    return make<IndexOp>(operand(value, 0), operand(value, 1));
  case ValueKind::TypedMatMul:
    return make<TypedMatMulOp>(operand(value, 0), operand(value, 1), operand(value, 2));
  case ValueKind::Broadcast:
  case ValueKind::Reduce:
  case ValueKind::MatMul:
  case ValueKind::Reshape:
  case ValueKind::Concat:
  case ValueKind::Pad:
  case ValueKind::Slice:
  case ValueKind::Transpose:
    return importShape(value, type);
  case ValueKind::Rows:
  case ValueKind::ReadSource:
  case ValueKind::ReadDestination:
  case ValueKind::Aggregate:
  case ValueKind::Softmax:
  case ValueKind::Total:
    return importGraph(value, type);
  case ValueKind::CrossEntropy:
  case ValueKind::BinaryCrossEntropy:
  case ValueKind::MeanSquaredError:
    return importLoss(value, type);
  default:
    return importBinary(value);
  }
}

Value Importer::importLeaf(const CheckedValue &value, FieldType type) {
  switch (value.kind) {
  case ValueKind::Input:
    return make<InputOp>(type, value.name);
  case ValueKind::Target:
    return make<TargetOp>(type, value.name);
  case ValueKind::Param:
    return make<ParamOp>(type, value.name);
  case ValueKind::State:
    return make<StateOp>(type, value.name);
  case ValueKind::Constant:
    return constant(type, value.number);
  case ValueKind::Training:
    return make<TrainingOp>(type);
  case ValueKind::EdgeType:
    return make<EdgeTypeOp>(type);
  case ValueKind::VertexId:
    return make<VertexIdOp>(type);
  case ValueKind::InDegree:
    return make<DegreeOp>(type, DegreeKind::In, value.relation);
  case ValueKind::OutDegree:
    return make<DegreeOp>(type, DegreeKind::Out, value.relation);
  default:
    assert(value.kind == ValueKind::DropoutMask);
    bool sparse = type.isEdge() && model.relations[type.getId()].isSparseInput;
    return make<DropoutMaskOp>(type, value.site, llvm::APFloat(value.number), sparse);
  }
}

Value Importer::importUnary(const CheckedValue &value, FieldType type) {
  Value x = operand(value, 0);
  switch (value.kind) {
#define UNARY(KIND, NAME, USAGE, DOC)                                                                                  \
  case ValueKind::KIND:                                                                                                \
    return make<KIND##Op>(type, x);
#include "compiler/Frontend/Functions.def"
  case ValueKind::Neg:
    return make<NegOp>(type, x);
  case ValueKind::Not:
    return make<NotOp>(type, x);
  case ValueKind::StopGradient:
    return make<StopGradientOp>(type, x);
  default:
    assert(value.kind == ValueKind::Cast);
    return make<CastOp>(type, x);
  }
}

Value Importer::importBinary(const CheckedValue &value) {
  Value a = operand(value, 0), b = operand(value, 1);
  switch (value.kind) {
  case ValueKind::Add:
    return make<AddOp>(a, b);
  case ValueKind::Sub:
    return make<SubOp>(a, b);
  case ValueKind::Mul:
    return make<MulOp>(a, b);
  case ValueKind::Div:
    return make<DivOp>(a, b);
#define BINARY(KIND, NAME, OPERANDS, CONSTANT, USAGE, DOC)                                                             \
  case ValueKind::KIND:                                                                                                \
    return make<KIND##Op>(a, b);
#include "compiler/Frontend/Functions.def"
  case ValueKind::Equal:
    return make<CompareOp>(Predicate::Eq, a, b);
  case ValueKind::NotEqual:
    return make<CompareOp>(Predicate::Ne, a, b);
  case ValueKind::Less:
    return make<CompareOp>(Predicate::Lt, a, b);
  case ValueKind::LessEqual:
    return make<CompareOp>(Predicate::Le, a, b);
  case ValueKind::Greater:
    return make<CompareOp>(Predicate::Gt, a, b);
  case ValueKind::GreaterEqual:
    return make<CompareOp>(Predicate::Ge, a, b);
  case ValueKind::And:
    return make<AndOp>(a, b);
  default:
    assert(value.kind == ValueKind::Or);
    return make<OrOp>(a, b);
  }
}

Value Importer::importShape(const CheckedValue &value, FieldType type) {
  Value x = operand(value, 0);
  switch (value.kind) {
  case ValueKind::Broadcast:
    return make<BroadcastOp>(type, x, SmallVector<int64_t>(value.dims.begin(), value.dims.end()));
  case ValueKind::Reduce:
    return importReduce(value);
  case ValueKind::MatMul: {
    Value w = operand(value, 1);
    auto transposed = w.getDefiningOp<TransposeOp>();
    if (transposed && fieldOf(w).getRank() == 2)
      return make<MatMulOp>(x, transposed.getOperand(), /*transposeW=*/true);
    return make<MatMulOp>(x, w);
  }
  case ValueKind::Reshape:
    return make<ReshapeOp>(type, x);
  case ValueKind::Concat: {
    SmallVector<Value> parts;
    for (unsigned index : value.operands)
      parts.push_back(values[index]);
    return make<ConcatOp>(type, parts, value.dims[0]);
  }
  case ValueKind::Pad:
    return make<PadOp>(type, x, type.getRank() - 1, "0");
  case ValueKind::Transpose:
    return make<TransposeOp>(x, SmallVector<int64_t>(value.dims.begin(), value.dims.end()));
  default:
    assert(value.kind == ValueKind::Slice);
    return make<SliceOp>(type, x, value.dims[0], value.offset.str());
  }
}

Value Importer::importReduce(const CheckedValue &value) {
  Value x = operand(value, 0);
  unsigned dim = value.dims[0];
  Value reduced = make<ReduceOp>(aggregatorOf(value.reduction), x, dim);
  if (value.reduction != Reduction::Mean)
    return reduced;
  FieldType type = fieldOf(reduced);
  Value count = make<ExtentOp>(type.withKind(GraphKind::P, 0).withDims({}), fieldOf(x).getDims()[dim]);
  return make<DivOp>(reduced, spread(count, type));
}

Value Importer::importGraph(const CheckedValue &value, FieldType type) {
  switch (value.kind) {
  case ValueKind::Rows:
    return make<TableRowsOp>(type, operand(value, 0));
  case ValueKind::ReadSource:
    return make<ReadSourceOp>(type, operand(value, 0));
  case ValueKind::ReadDestination:
    return make<ReadDestinationOp>(type, operand(value, 0));
  case ValueKind::Softmax: {
    Value filter = value.filtered ? onEdges(operand(value, 1), value.relation) : Value();
    End toward = value.toward == gnnc::End::Source ? End::Source : End::Destination;
    return make<SoftmaxOp>(type, onEdges(operand(value, 0), value.relation), filter, toward, vertexTypeAt(value));
  }
  case ValueKind::Total:
    return importTotal(value, type);
  default:
    assert(value.kind == ValueKind::Aggregate);
    return importAggregate(value, type);
  }
}

Value Importer::importAggregate(const CheckedValue &value, FieldType type) {
  bool isCount = value.reduction == Reduction::Count;
  Value filter = value.filtered ? onEdges(values[value.operands.back()], value.relation) : Value();
  if (isCount)
    return countEdges(filter, value, type);
  Value x = onEdges(operand(value, 0), value.relation);
  if (value.reduction == Reduction::Var)
    return importVariance(x, filter, value, type);
  if (value.reduction == Reduction::Mean)
    return meanOverEdges(x, filter, value, type);
  return aggregate(aggregatorOf(value.reduction), x, filter, value);
}

Value Importer::meanOverEdges(Value x, Value filter, const CheckedValue &value, FieldType type) {
  Value sum = aggregate(SumAttr::get(builder.getContext()), x, filter, value);
  Value count = countEdges(filter, value, type);
  Value atLeastOne = make<MaximumOp>(count, constant(fieldOf(count).withKind(GraphKind::P, 0), 1));
  return make<DivOp>(sum, spread(atLeastOne, type));
}

/// The variance of the deviations c = x - m from the mean m as it is rounded: mean(c^2) - mean(c)^2. The mean of c is
/// as small as the rounding, and the variance is the same for every m, so no gradient flows through m.
Value Importer::importVariance(Value x, Value filter, const CheckedValue &value, FieldType type) {
  Value rounded = meanOverEdges(x, filter, value, type);
  Value mean = readBack(make<StopGradientOp>(rounded.getType(), rounded), value);
  Value deviation = make<SubOp>(x, mean);
  Value residue = meanOverEdges(deviation, filter, value, type);
  Value squares = meanOverEdges(make<MulOp>(deviation, deviation), filter, value, type);
  Value variance = make<SubOp>(squares, make<MulOp>(residue, residue));
  return make<MaximumOp>(variance, constant(fieldOf(variance).withKind(GraphKind::P, 0), 0));
}

/// Reads the aggregate `value` back at the edges that `folded` was aggregated over; by type, each edge reads its own
/// entry.
Value Importer::readBack(Value folded, const CheckedValue &value) {
  const bool atSource = value.toward == gnnc::End::Source;
  FieldType type = fieldOf(folded).withKind(atSource ? GraphKind::S : GraphKind::D, value.relation);
  Value read = atSource ? make<ReadSourceOp>(type, folded) : make<ReadDestinationOp>(type, folded);
  return value.byType ? make<IndexOp>(read, edgeType(value)) : read;
}

/// The mean of no vertices is 0. In a sample, which has fewer vertices than the graph, the mean is over the vertices
/// that are summed.
Value Importer::importTotal(const CheckedValue &value, FieldType type) {
  Value folded = make<TotalOp>(aggregatorOf(value.reduction), operand(value, 0));
  if (value.reduction != Reduction::Mean)
    return folded;
  Value count = make<TotalOp>(aggregatorOf(Reduction::Sum), operand(value, 0), /*ones=*/true);
  Value atLeastOne = make<MaximumOp>(count, constant(fieldOf(count), 1));
  return make<DivOp>(folded, spread(atLeastOne, type));
}

Value Importer::importLoss(const CheckedValue &value, FieldType type) {
  Value prediction = operand(value, 0), target = operand(value, 1);
  switch (value.kind) {
  case ValueKind::CrossEntropy:
    return make<CrossEntropyOp>(type, prediction, target);
  case ValueKind::BinaryCrossEntropy:
    return make<BinaryCrossEntropyOp>(type, prediction, target);
  default:
    assert(value.kind == ValueKind::MeanSquaredError);
    return make<MeanSquaredErrorOp>(type, prediction, target);
  }
}

void Importer::importReturn() {
  SmallVector<Value> results;
  SmallVector<Attribute> roles;
  MLIRContext *context = builder.getContext();
  for (const Output &output : model.outputs) {
    results.push_back(values[output.value]);
    roles.push_back(ResultAttr::get(context, ResultRole::Output, output.name));
  }
  if (model.loss >= 0) {
    results.push_back(values[model.loss]);
    roles.push_back(ResultAttr::get(context, ResultRole::VertexLoss, "loss"));
  }
  for (const gnnc::StateUpdate &update : model.stateUpdates) {
    results.push_back(values[update.value]);
    roles.push_back(ResultAttr::get(context, ResultRole::State, model.params[update.state].name));
  }
  builder.setLoc(builder.getUnknownLoc());
  builder.create<ReturnOp>(results, builder.getArrayAttr(roles));
}

//===----------------------------------------------------------------------===//
// Short hands
//===----------------------------------------------------------------------===//

Value Importer::spread(Value x, FieldType like) {
  FieldType type = fieldOf(x).withDims(like.getDims());
  SmallVector<int64_t> dims = llvm::to_vector(llvm::seq<int64_t>(0, fieldOf(x).getRank()));
  return type == x.getType() ? x : make<BroadcastOp>(type, x, dims);
}

Value Importer::onEdges(Value x, unsigned relation) {
  FieldType type = fieldOf(x);
  if (!type.isParameter())
    return x;
  Value one = constant(type.withKind(GraphKind::E, relation), 1);
  return type.getElement().isInteger(1) ? make<AndOp>(x, one) : make<MulOp>(x, one);
}

unsigned Importer::vertexTypeAt(const CheckedValue &value) {
  const Relation &relation = model.relations[value.relation];
  return value.toward == gnnc::End::Source ? relation.sourceType : relation.destinationType;
}

Value Importer::edgeType(const CheckedValue &value) {
  return make<EdgeTypeOp>(FieldType::get(builder.getContext(), GraphKind::E, value.relation, {}, builder.getI32Type()));
}

Value Importer::aggregate(AggregatorInterface aggregator, Value x, Value filter, const CheckedValue &value) {
  End toward = value.toward == gnnc::End::Source ? End::Source : End::Destination;
  Value by;
  StringAttr byDim;
  if (value.byType) {
    by = edgeType(value);
    byDim = builder.getStringAttr(types.dim(model.relations[value.relation].types));
  }
  return builder.create<AggregateOp>(aggregator, x, filter, by, byDim, toward, vertexTypeAt(value)).getResult();
}

/// The number of edges that `value` folds, in the numbers of `type`. Without a filter executors know it before they
/// fold them, and no sweep has a sum of another width. Others are summed in i64, exactly.
Value Importer::countEdges(Value filter, const CheckedValue &value, FieldType type) {
  if (!filter && !value.byType) {
    FieldType count = type.withDims({});
    End toward = value.toward == gnnc::End::Source ? End::Source : End::Destination;
    return make<CountOp>(count, toward, value.relation);
  }
  FieldType one = FieldType::get(builder.getContext(), GraphKind::E, value.relation, {}, builder.getI64Type());
  Value count = aggregate(SumAttr::get(builder.getContext()), constant(one, 1), filter, value);
  return make<CastOp>(fieldOf(count).withElement(type.getElement()), count);
}

AggregatorInterface Importer::aggregatorOf(Reduction reduction) {
  MLIRContext *context = builder.getContext();
  switch (reduction) {
  case Reduction::Max:
    return MaxAttr::get(context);
  case Reduction::Min:
    return MinAttr::get(context);
  case Reduction::Prod:
    return ProdAttr::get(context);
  case Reduction::LogSumExp:
    return LogSumExpAttr::get(context);
  default:
    return SumAttr::get(context);
  }
}

OwningOpRef<ModuleOp> gnnc::importModel(const CheckedModel &model, MLIRContext &context, const llvm::SourceMgr &sources,
                                        RealType real) {
  context.loadDialect<GnnDialect>();
  OwningOpRef<ModuleOp> module = ModuleOp::create(UnknownLoc::get(&context));
  (*module)->setAttr(ModelAttr::attributeName, modelTables(model, FieldTypes(model, context, real), context));
  Importer(model, context, sources, real).run(*module, "forward");
  return failed(verify(*module)) ? OwningOpRef<ModuleOp>() : std::move(module);
}

OwningOpRef<ModuleOp> gnnc::importForms(const InputForms &forms, bool isSparseFirst, MLIRContext &context,
                                        const llvm::SourceMgr &sources, RealType real) {
  context.loadDialect<GnnDialect>();
  const CheckedModel &first = isSparseFirst ? forms.sparse : forms.dense,
                     &second = isSparseFirst ? forms.dense : forms.sparse;
  OwningOpRef<ModuleOp> module = ModuleOp::create(UnknownLoc::get(&context));
  const FieldTypes types(first, context, real);
  const FieldType other = types.field(second.inputs[forms.input].type);
  (*module)->setAttr(ModelAttr::attributeName, withForm(modelTables(first, types, context), forms.input, other));
  Importer(first, context, sources, real).run(*module, "forward");
  Importer(second, context, sources, real).run(*module, "forward.2");
  for (auto program : module->getOps<ProgramOp>()) {
    const bool isSparse = (program.getSymName() == "forward") == isSparseFirst;
    const NamedAttribute form(StringAttr::get(&context, first.inputs[forms.input].name),
                              StringAttr::get(&context, isSparse ? "sparse" : "dense"));
    program->setAttr(inputsName, DictionaryAttr::get(&context, form));
  }
  return failed(verify(*module)) ? OwningOpRef<ModuleOp>() : std::move(module);
}
