//===- StarOps.cpp - Verifiers of star ops --------------------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Rules are numbered as in the descriptions of the ops. Sweeps, maps and kernels hold the same regions, so that one set
// of checks, on a `RegionShape`, serves the three.
//
//===----------------------------------------------------------------------===//

#include "dialects/Star/IR/Star.h"

using namespace gnnc;
using namespace gnnc::star;
using gnn::AggregatorInterface;
using gnn::FieldType;
using gnn::GraphKind;
using mlir::failure;
using mlir::LogicalResult;
using mlir::Operation;
using mlir::success;

#define GET_OP_CLASSES
#include "dialects/Star/IR/StarOps.cpp.inc"

FieldType star::typeInStep(FieldType stored, Access access, gnn::End toward, unsigned relation) {
  bool toDestination = toward == gnn::End::Destination;
  switch (access) {
  case Access::Row:
    return stored.withKind(toDestination ? GraphKind::D : GraphKind::S, relation);
  case Access::Col:
    return stored.withKind(toDestination ? GraphKind::S : GraphKind::D, relation);
  case Access::Edge:
  case Access::Whole:
    return stored;
  }
  llvm_unreachable("all accesses handled");
}

//===----------------------------------------------------------------------===//
// Regions of sweeps, maps and kernels
//===----------------------------------------------------------------------===//

namespace {

struct RegionShape {
  RegionShape(Operation *op, bool isSweep, unsigned relation = 0, gnn::End toward = gnn::End::Destination)
      : op(op), isSweep(isSweep), relation(relation), toward(toward) {}

  Operation *op;
  bool isSweep;
  unsigned relation;
  gnn::End toward;
  llvm::SmallVector<std::pair<Access, FieldType>> inputs, outputs;
  llvm::SmallVector<AggregatorInterface> aggregators;
  mlir::Region *step = nullptr, *end = nullptr;

  LogicalResult verify();

private:
  LogicalResult verifyArguments(mlir::Block &block, llvm::ArrayRef<FieldType> expected, llvm::StringRef region);
  LogicalResult verifyStep();
  LogicalResult verifyReductions(unsigned firstArgument);
  LogicalResult verifyTotals();
  LogicalResult verifyTotalsOfEdges();
  LogicalResult verifySoftmaxes(ContributeOp contribute);
  LogicalResult verifyEnd();
  LogicalResult verifyBody(mlir::Block &block);
};

void addOperands(llvm::SmallVectorImpl<std::pair<Access, FieldType>> &list, Access access, mlir::TypeRange types) {
  for (mlir::Type type : types)
    list.emplace_back(access, llvm::cast<FieldType>(type));
}

bool sameValue(FieldType a, FieldType b) { return a.getDims() == b.getDims() && a.getElement() == b.getElement(); }

LogicalResult RegionShape::verifyArguments(mlir::Block &block, llvm::ArrayRef<FieldType> expected,
                                           llvm::StringRef region) {
  if (block.getNumArguments() < expected.size())
    return op->emitOpError() << "has " << block.getNumArguments() << " arguments in `" << region
                             << "`, expected at least " << expected.size() << " (rule 1)";
  for (auto [index, type] : llvm::enumerate(expected))
    if (block.getArgument(index).getType() != type)
      return op->emitOpError() << "argument " << index << " of `" << region << "` is "
                               << block.getArgument(index).getType() << ", expected " << type << " (rule 1)";
  return success();
}

LogicalResult RegionShape::verifyBody(mlir::Block &block) {
  for (Operation &inner : block.without_terminator())
    if (llvm::isa<OnlineSoftmaxOp>(inner) && block.getParent() == step)
      continue;
    else if (!llvm::isa<gnn::GnnDialect>(inner.getDialect()) || inner.getNumRegions() != 0 || !mlir::isPure(&inner))
      return inner.emitOpError("cannot stand in a region of a step");
  return success();
}

LogicalResult RegionShape::verifyStep() {
  mlir::Block &block = step->front();
  llvm::SmallVector<FieldType> expected;
  for (auto [access, type] : inputs)
    expected.push_back(typeInStep(type, access, toward, relation));
  if (mlir::failed(verifyArguments(block, expected, "step")) || mlir::failed(verifyBody(block)))
    return failure();
  if (block.getNumArguments() != expected.size())
    return op->emitOpError() << "has " << block.getNumArguments() << " arguments in `step`, expected "
                             << expected.size() << " (rule 1)";

  auto contribute = llvm::dyn_cast<ContributeOp>(block.getTerminator());
  if (!contribute)
    return op->emitOpError("expects `step` to end in `star.contribute` (rule 2)");
  if (contribute.getValues().size() != aggregators.size())
    return contribute.emitOpError() << "gives " << contribute.getValues().size() << " values for " << aggregators.size()
                                    << " reductions (rule 2)";
  if (mlir::failed(verifySoftmaxes(contribute)))
    return failure();
  auto edgeOutputs = llvm::make_filter_range(outputs, [](auto output) { return output.first == Access::Edge; });
  if (contribute.getEdges().size() != size_t(std::distance(edgeOutputs.begin(), edgeOutputs.end())))
    return contribute.emitOpError("gives another number of edge results than there are (rule 2)");
  for (auto [value, output] : llvm::zip(contribute.getEdges(), edgeOutputs))
    if (!sameValue(llvm::cast<FieldType>(value.getType()), output.second))
      return contribute.emitOpError() << "gives " << value.getType() << " for an edge result of type " << output.second
                                      << " (rule 2)";
  return success();
}

/// Softmax sums and the ops that weight their edges name normalisers that fold the same scores.
LogicalResult RegionShape::verifySoftmaxes(ContributeOp contribute) {
  auto isNormaliser = [&](uint64_t index) {
    return index < aggregators.size() && llvm::isa<gnn::LogSumExpAttr>(aggregators[index]) && !contribute.getBy(index);
  };
  llvm::DenseSet<uint64_t> weighted;
  for (auto softmax : step->getOps<OnlineSoftmaxOp>()) {
    uint64_t index = softmax.getReduction();
    if (!isNormaliser(index) || contribute.getValues()[index] != softmax.getScore() || !weighted.insert(index).second)
      return softmax.emitOpError() << "should be the only one of a `#gnn.logsumexp` that folds its score (rule 4)";
  }
  for (auto [index, aggregator] : llvm::enumerate(aggregators))
    if (auto sum = llvm::dyn_cast<SoftmaxSumAttr>(aggregator)) {
      if (!weighted.contains(sum.getNormaliser()) || contribute.getBy(index))
        return contribute.emitOpError() << "lacks the weights of softmax sum " << index << " (rule 4)";
      auto type = llvm::cast<FieldType>(contribute.getValues()[index].getType());
      auto scores = llvm::cast<FieldType>(contribute.getValues()[sum.getNormaliser()].getType());
      bool fits = sum.getDims().size() == scores.getRank() && type.getElement() == scores.getElement();
      for (unsigned i = 0; fits && i < scores.getRank(); ++i)
        fits = sum.getDims()[i] >= 0 && sum.getDims()[i] < int64_t(type.getRank()) &&
               type.getDims()[sum.getDims()[i]] == scores.getDims()[i];
      if (!fits)
        return contribute.emitOpError() << "gives softmax sum " << index
                                        << " dimensions other than its normaliser's (rule 4)";
    }
  return success();
}

LogicalResult RegionShape::verifyReductions(unsigned firstArgument) {
  mlir::Block &block = end->front();
  unsigned next = firstArgument;
  auto contribute = llvm::cast<ContributeOp>(step->front().getTerminator());
  for (auto [index, aggregator] : llvm::enumerate(aggregators)) {
    unsigned count = aggregator.tracksArg() ? 2 : 1;
    if (next + count > block.getNumArguments())
      return op->emitOpError() << "lacks the argument of `end` for reduction " << index << " (rule 1)";
    auto type = llvm::cast<FieldType>(block.getArgument(next).getType());
    auto contributed = llvm::cast<FieldType>(contribute.getValues()[index].getType());
    bool isSplit = bool(contribute.getBy(index));
    bool folds = !isSplit || type.getRank() > 0;
    if (!type.isVertex() || !folds ||
        !sameValue(isSplit ? type.withDims(type.getDims().drop_front()) : type, contributed))
      return op->emitOpError() << "reduction " << index << " is " << type << " but folds " << contributed
                               << " (rule 2)";
    next += count;
  }
  if (next != block.getNumArguments())
    return op->emitOpError() << "has " << block.getNumArguments() << " arguments in `end`, expected " << next
                             << " (rule 1)";
  return success();
}

LogicalResult RegionShape::verifyTotals() {
  auto totals = llvm::count_if(outputs, [](auto output) { return output.first == Access::Whole; });
  if (size_t(totals) != aggregators.size())
    return op->emitOpError() << "has " << totals << " totals and " << aggregators.size() << " aggregators";
  for (AggregatorInterface aggregator : aggregators)
    if (!llvm::isa<gnn::SumAttr, gnn::MaxAttr, gnn::MinAttr>(aggregator))
      return op->emitOpError() << "cannot fold a total by " << aggregator;
  return success();
}

/// Verifies the totals of a sweep, each of which is folded separately for every value of an integer on edges.
LogicalResult RegionShape::verifyTotalsOfEdges() {
  auto contribute = llvm::cast<ContributeOp>(step->front().getTerminator());
  if (outputs.size() != aggregators.size())
    return op->emitOpError() << "has " << outputs.size() << " results and " << aggregators.size()
                             << " totals, expected totals alone (rule 5)";
  for (auto [index, output] : llvm::enumerate(outputs)) {
    auto [access, type] = output;
    auto contributed = llvm::cast<FieldType>(contribute.getValues()[index].getType());
    if (access != Access::Whole || !llvm::isa<gnn::SumAttr>(aggregators[index]) || !contribute.getBy(index) ||
        type.getRank() == 0 || !sameValue(type.withDims(type.getDims().drop_front()), contributed))
      return op->emitOpError() << "result " << index << " is " << type << ", which is no total of " << contributed
                               << " by an integer (rule 5)";
  }
  return success();
}

LogicalResult RegionShape::verifyEnd() {
  mlir::Block &block = end->front();
  llvm::SmallVector<FieldType> expected;
  for (auto [access, type] : inputs)
    if (access == Access::Row || access == Access::Whole)
      expected.push_back(type);
  if (mlir::failed(verifyArguments(block, expected, "end")) || mlir::failed(verifyBody(block)))
    return failure();

  const bool isOfTotals = isSweep && llvm::any_of(outputs, [](auto output) { return output.first == Access::Whole; });
  if (mlir::failed(isOfTotals ? verifyTotalsOfEdges() : isSweep ? verifyReductions(expected.size()) : verifyTotals()))
    return failure();
  if ((!isSweep || isOfTotals) && block.getNumArguments() != expected.size())
    return op->emitOpError() << "has " << block.getNumArguments() << " arguments in `end`, expected " << expected.size()
                             << " (rule 1)";

  auto yield = llvm::dyn_cast<YieldOp>(block.getTerminator());
  if (!yield)
    return op->emitOpError("expects `end` to end in `star.yield` (rule 3)");
  auto yielded = llvm::make_filter_range(
      outputs, [&](auto output) { return output.first == Access::Row || (output.first == Access::Whole && !isSweep); });
  if (yield.getValues().size() != size_t(std::distance(yielded.begin(), yielded.end())))
    return yield.emitOpError("yields another number of values than there are results (rule 3)");
  for (auto [value, output] : llvm::zip(yield.getValues(), yielded))
    if (!sameValue(llvm::cast<FieldType>(value.getType()), output.second))
      return yield.emitOpError() << "yields " << value.getType() << " for a result of type " << output.second
                                 << " (rule 3)";
  return success();
}

LogicalResult RegionShape::verify() {
  if (isSweep && mlir::failed(verifyStep()))
    return failure();
  return verifyEnd();
}

llvm::SmallVector<AggregatorInterface> aggregatorsOf(mlir::ArrayAttr attribute) {
  return llvm::to_vector(attribute.getAsRange<AggregatorInterface>());
}

} // namespace

LogicalResult SweepOp::verifyRegions() {
  RegionShape shape(*this, /*isSweep=*/true, getRelation(), getToward());
  addOperands(shape.inputs, Access::Row, getRows().getTypes());
  addOperands(shape.inputs, Access::Col, getCols().getTypes());
  addOperands(shape.inputs, Access::Edge, getEdges().getTypes());
  addOperands(shape.inputs, Access::Whole, getWhole().getTypes());
  addOperands(shape.outputs, Access::Row, getRowResults().getTypes());
  addOperands(shape.outputs, Access::Edge, getEdgeResults().getTypes());
  addOperands(shape.outputs, Access::Whole, getTotals().getTypes());
  shape.aggregators = aggregatorsOf(getAggregators());
  shape.step = &getStep();
  shape.end = &getEnd();
  return shape.verify();
}

LogicalResult MapOp::verifyRegions() {
  RegionShape shape(*this, /*isSweep=*/false);
  addOperands(shape.inputs, Access::Row, getRows().getTypes());
  addOperands(shape.inputs, Access::Whole, getWhole().getTypes());
  addOperands(shape.outputs, Access::Row, getRowResults().getTypes());
  addOperands(shape.outputs, Access::Whole, getTotals().getTypes());
  shape.aggregators = aggregatorsOf(getAggregators());
  shape.end = &getEnd();
  return shape.verify();
}

//===----------------------------------------------------------------------===//
// Products
//===----------------------------------------------------------------------===//

/// That a product whose operands are rounded to bf16 is one of f32.
template <class Product> static LogicalResult verifyRounding(Product op) {
  if (op.getOfBf16() && !llvm::cast<FieldType>(op.getX().getType()).getElement().isF32())
    return op.emitOpError("rounds operands of f32 to bf16, no others");
  return success();
}

LogicalResult MatMulOp::verify() {
  auto x = llvm::cast<FieldType>(getX().getType()), w = llvm::cast<FieldType>(getW().getType());
  auto result = llvm::cast<FieldType>(getResult().getType());
  if (w.getRank() == 0 || x.getElement() != w.getElement())
    return emitOpError("multiplies with a parameter [k, n..] of the same element type");
  auto k = w.getDims().take_front(), n = w.getDims().drop_front();
  if (x.getDims() != (getTransposeW() ? n : k) || result != x.withDims(getTransposeW() ? k : n))
    return emitOpError() << "does not give " << result << " from " << x << " and " << w;
  return verifyRounding(*this);
}

LogicalResult MatMulTNOp::verify() {
  auto x = llvm::cast<FieldType>(getX().getType()), g = llvm::cast<FieldType>(getG().getType());
  auto result = llvm::cast<FieldType>(getResult().getType());
  if (x.getId() != g.getId() || x.getElement() != g.getElement())
    return emitOpError("multiplies fields of one vertex type and element type");
  llvm::SmallVector<mlir::StringAttr> dims(x.getDims());
  llvm::append_range(dims, g.getDims());
  if (x.getRank() != 1 || result != x.withKind(GraphKind::P, 0).withDims(dims))
    return emitOpError() << "does not give " << result << " from " << x << " and " << g;
  return verifyRounding(*this);
}

//===----------------------------------------------------------------------===//
// Kernels
//===----------------------------------------------------------------------===//

LogicalResult KernelOp::verifyRegions() {
  RegionShape shape(*this, isSweep(), getId(), getToward().value_or(gnn::End::Destination));
  for (auto input : getInputs().getAsRange<OperandAttr>())
    shape.inputs.emplace_back(input.getAccess(), input.getType());
  for (auto output : getOutputs().getAsRange<OperandAttr>())
    shape.outputs.emplace_back(output.getAccess(), output.getType());
  if (isSweep() != getToward().has_value() || isSweep() == getStep().empty())
    return emitOpError("a sweep has a direction and a `step`, a map has neither");
  if (!llvm::is_sorted(shape.inputs, [](auto a, auto b) { return a.first < b.first; }))
    return emitOpError("expects inputs in the order row, col, edge, whole");
  shape.aggregators = aggregatorsOf(getAggregators());
  shape.step = &getStep();
  shape.end = &getEnd();
  return shape.verify();
}

unsigned KernelOp::getNumRowOutputs() {
  return llvm::count_if(getOutputs().getAsRange<OperandAttr>(),
                        [](OperandAttr output) { return output.getAccess() == Access::Row; });
}

mlir::BlockArgument KernelOp::getReduction(unsigned index) {
  mlir::Block &block = getEnd().front();
  unsigned position = block.getNumArguments();
  for (unsigned i = getAggregators().size(); i-- > index;)
    position -= getAggregator(i).tracksArg() ? 2 : 1;
  return block.getArgument(position);
}

OnlineSoftmaxOp KernelOp::getOnlineSoftmax(unsigned index) {
  for (auto softmax : getStep().getOps<OnlineSoftmaxOp>())
    if (softmax.getReduction() == index)
      return softmax;
  return {};
}

ContributeOp KernelOp::getContribute() {
  return isSweep() ? llvm::cast<ContributeOp>(getStep().front().getTerminator()) : ContributeOp();
}

YieldOp KernelOp::getYield() { return llvm::cast<YieldOp>(getEnd().front().getTerminator()); }

/// Whether `indexOf` has an entry for each of `numValues`, -1 or a position in `list`; null: the list is empty.
static LogicalResult verifyChoice(ContributeOp op, mlir::OperandRange list, mlir::DenseI64ArrayAttr indexOf,
                                  llvm::StringRef name) {
  if (list.empty() != !indexOf)
    return op.emitOpError() << "expects `" << name << "_of` where there is `" << name << "`";
  if (!indexOf)
    return success();
  if (indexOf.size() != int64_t(op.getValues().size()))
    return op.emitOpError() << "expects an entry of `" << name << "_of` for each value";
  for (int64_t index : indexOf.asArrayRef())
    if (index < -1 || index >= int64_t(list.size()))
      return op.emitOpError() << "has no `" << name << "` " << index;
  return success();
}

LogicalResult ContributeOp::verify() {
  if (mlir::failed(verifyChoice(*this, getFilters(), getFilterOfAttr(), "filter")))
    return failure();
  return verifyChoice(*this, getBy(), getByOfAttr(), "by");
}

LogicalResult OnlineSoftmaxOp::verify() {
  auto score = llvm::cast<FieldType>(getScore().getType()), weight = llvm::cast<FieldType>(getWeight().getType());
  if (weight.getKind() != GraphKind::E || !sameValue(score, weight))
    return emitOpError("gives weights of edges in the shape of the scores");
  return success();
}

static mlir::Value chosen(mlir::OperandRange list, mlir::DenseI64ArrayAttr indexOf, unsigned value) {
  int64_t index = indexOf ? indexOf.asArrayRef()[value] : -1;
  return index < 0 ? mlir::Value() : list[index];
}

mlir::Value ContributeOp::getFilter(unsigned index) { return chosen(getFilters(), getFilterOfAttr(), index); }
mlir::Value ContributeOp::getBy(unsigned index) { return chosen(getBy(), getByOfAttr(), index); }

LogicalResult LaunchOp::verifySymbolUses(mlir::SymbolTableCollection &symbols) {
  auto kernel = symbols.lookupNearestSymbolFrom<KernelOp>(*this, getKernelAttr());
  if (!kernel)
    return emitOpError() << "names no kernel: " << getKernelAttr();
  auto matches = [](mlir::ArrayAttr declared, mlir::TypeRange types) {
    return declared.size() == types.size() &&
           llvm::all_of(llvm::zip(declared.getAsRange<OperandAttr>(), types),
                        [](auto pair) { return std::get<0>(pair).getType() == std::get<1>(pair); });
  };
  if (!matches(kernel.getInputs(), getOperands().getTypes()))
    return emitOpError("operands are not the kernel's inputs");
  if (!matches(kernel.getOutputs(), getResults().getTypes()))
    return emitOpError("results are not the kernel's outputs");
  for (auto [index, operand] : llvm::enumerate(getOperands())) {
    Storage storage = storageOf(operand, symbols);
    if (kernel.getInput(index).getStorage() != storage)
      return emitOpError() << "operand " << index << " is stored as " << stringifyStorage(storage)
                           << ", which is not how the kernel reads it";
  }
  return success();
}

//===----------------------------------------------------------------------===//
// Programs
//===----------------------------------------------------------------------===//

LogicalResult ProgramOp::verifyRegions() {
  for (Operation &op : getBody().front())
    if (!llvm::isa<ReturnOp, SweepOp, MapOp, MatMulOp, MatMulTNOp, LaunchOp, gnn::InputOp, gnn::TargetOp, gnn::ParamOp,
                   gnn::StateOp, gnn::LossMaskOp, gnn::LossScaleOp, gnn::CotangentOp, gnn::DegreeOp, gnn::CountOp,
                   gnn::TableRowsOp, gnn::RowsTableOp>(op))
      return op.emitOpError("is neither a leaf, a view nor a step");
  return success();
}

LogicalResult ReturnOp::verify() {
  if (getOperands().size() != getRoles().size())
    return emitOpError() << "has " << getOperands().size() << " operands but " << getRoles().size() << " names";
  return success();
}
