//===- SweepPlan.cpp - What the code of a sweep looks like ----------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/Kernels/SweepPlan.h"
#include "compiler/Kernels/KernelElements.h"
#include "gnn/program.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace gnnc::gnn;

namespace gnnc {

/// Whether edges read anything of the vertex at their other end.
static bool readsColumns(star::KernelOp kernel) {
  return hasInput(kernel, star::Access::Col) ||
         llvm::any_of(kernel.getStep().front(), [](Operation &op) { return traitsOf(&op).readsVertexIds; });
}

bool isEndShort(star::KernelOp kernel) {
  return llvm::none_of(kernel.getEnd().front(),
                       [](Operation &op) { return costOf(&op) == ElementCost::Transcendental; });
}

bool isAtMostOnePass(const StateLayout &layout) {
  return layout.reductions[0].type.getNumElements().constant().value_or(INT64_MAX) <= GNN_PASS_ELEMENTS;
}

/// Whether a tile of the last dimension can be folded by itself.
static bool foldsInTiles(star::KernelOp kernel, const StateLayout &layout, const RegionPlan &stepPlan) {
  ArrayRef<Reduction> reductions = layout.reductions;
  return !reductions.empty() && reductions[0].contributed.getRank() > 0 &&
         llvm::all_of(reductions,
                      [&](const Reduction &reduction) {
                        return !reduction.softmaxSum &&
                               reduction.contributed.getDims() == reductions[0].contributed.getDims();
                      }) &&
         kernel.getContribute().getEdges().empty() && stepPlan.buffers(Rate::Edge).empty();
}

/// Whether a tile of the last dimension can be ended by itself.
static bool endsInTiles(star::KernelOp kernel, const StateLayout &layout, const RegionPlan &endPlan) {
  auto ofTile = [&](Value value) { return fieldType(value).getDims() == layout.reductions[0].type.getDims(); };
  return layout.selectors.empty() && llvm::all_of(kernel.getYield().getValues(), ofTile) &&
         endPlan.buffers(Rate::Row).empty() && endPlan.buffers(Rate::Call).empty() &&
         llvm::all_of(kernel.getEnd().front().without_terminator(),
                      [](Operation &op) { return traitsOf(&op).isPointwise; });
}

bool takesPasses(star::KernelOp kernel, const StateLayout &layout) {
  const RegionPlan stepPlan = RegionPlan::ofStep(kernel), endPlan = RegionPlan::ofEnd(kernel);
  return foldsInTiles(kernel, layout, stepPlan) && layout.reductions[0].type.getRank() == 1 &&
         stepPlan.buffers(Rate::Row).empty() && endsInTiles(kernel, layout, endPlan);
}

namespace {

class SweepPlanner {
public:
  SweepPlanner(star::KernelOp kernel, const StateLayout &layout, const Machine &machine)
      : kernel(kernel), layout(layout), machine(machine), shape(VectorShape::of(kernel, machine)),
        contribute(kernel.getContribute()), stepPlan(RegionPlan::ofStep(kernel)), endPlan(RegionPlan::ofEnd(kernel)) {}

  SweepPlan make();

private:
  StatePlace chooseStates();
  unsigned maxEdgesAtOnce();
  bool fitsRegisters(const Bounds &bounds = {});
  bool foldsProduct(MatMulOp product);
  void planPanels();
  void planBounds();

  star::KernelOp kernel;
  const StateLayout &layout;
  const Machine &machine;
  VectorShape shape;
  star::ContributeOp contribute;
  RegionPlan stepPlan, endPlan;
  SweepPlan plan;
};

} // namespace

bool SweepPlanner::fitsRegisters(const Bounds &bounds) {
  unsigned maxVectors = shape.vectorsIn(machine.maxVectors);
  if (layout.inPasses && !isAtMostOnePass(layout))
    return false;
  if (!stepPlan.isSmall(shape.maxLanes, maxVectors, bounds))
    return false;
  uint64_t vectors = 0;
  for (auto [index, reduction] : llvm::enumerate(layout.reductions)) {
    std::optional<uint64_t> ofType = bounds.numVectors(reduction.contributed, shape.maxLanes);
    if (!ofType)
      return false;
    if (!kernel.getOnlineSoftmax(index)) // its state is no more than the weights of an edge were
      vectors += *ofType * reduction.componentTypes.size();
  }
  constexpr unsigned maxSpilled = 24; // which is still less than loops in memory take
  return vectors <= (bounds.dims.empty() ? maxVectors : maxSpilled);
}

StatePlace SweepPlanner::chooseStates() {
  if (machine.threads == 1 && fitsRegisters())
    return StatePlace::Registers;
  bool foldsTiles = foldsInTiles(kernel, layout, stepPlan);
  // Each thread would repeat the reductions of an edge for its tiles.
  bool isTiled = foldsTiles && kernel.getStep().front().getOps<gnn::ReduceOp>().empty();
  if (machine.threads > 1 && layout.selectors.empty() && !(isTiled && endsInTiles(kernel, layout, endPlan))) {
    plan.deal = planDeal(kernel, machine, /*withEnd=*/true);
    if (!plan.deal && !isTiled)
      plan.deal = planDeal(kernel, machine, /*withEnd=*/false);
    if (plan.deal)
      return StatePlace::Registers;
  }
  if (!machine.isDevice)
    planPanels();
  if (!plan.panels.empty())
    return StatePlace::Panels;
  if (layout.inPasses || foldsTiles)
    return StatePlace::Tiles;
  planBounds();
  return StatePlace::Memory;
}

SweepPlan SweepPlanner::make() {
  constexpr unsigned maxEndPoints = 16;
  plan.states = chooseStates();
  if (machine.isDevice) { // groups of threads share long rows, and wait for loads
    plan.hasPieces = plan.fusesProducts = true;
    plan.hotCols = hotColumns(kernel);
  } else {
    plan.hasShortRows = plan.closesInLoop = plan.prefetches = true;
  }
  plan.foldsBySegment = plan.states == StatePlace::Tiles && plan.closesInLoop;
  if (plan.states == StatePlace::Tiles && endsInTiles(kernel, layout, endPlan) &&
      (!plan.foldsBySegment || isEndShort(kernel)))
    plan.end = EndPlace::Tiles;
  if (plan.states == StatePlace::Registers &&
      (plan.deal ? plan.deal->withEnd : endPlan.isSmall(shape.maxLanes, maxEndPoints)))
    plan.end = EndPlace::Registers;
  plan.readsCol = readsColumns(kernel);
  plan.maxEdgesAtOnce = maxEdgesAtOnce();
  return plan;
}

unsigned SweepPlanner::maxEdgesAtOnce() {
  if (plan.prefetches) // by processors, which then fold edge by edge
    return 0;
  constexpr unsigned maxStepOps = 24; // of a step that is worth repeating
  // An end that goes through memory has all of a row in each thread, beside what is known of the edges.
  const bool endsWide = plan.states == StatePlace::Tiles && plan.end == EndPlace::Memory && layout.selectors.empty();
  const bool repeats = plan.states != StatePlace::Memory && llvm::range_size(kernel.getStep().front()) <= maxStepOps;
  return !repeats ? 1 : endsWide ? 2 : 4;
}

//===----------------------------------------------------------------------===//
// Panels
//===----------------------------------------------------------------------===//

/// Whether `field` is computed from `other`, or is it.
static bool dependsOn(Value field, Value other) {
  if (field == other)
    return true;
  Operation *op = field.getDefiningOp();
  return op && llvm::any_of(op->getOperands(), [&](Value operand) { return dependsOn(operand, other); });
}

/// Whether an element of `field` needs of `product` the element at the same place only.
static bool isElementwiseIn(Value field, Value product) {
  if (field == product || !dependsOn(field, product))
    return true;
  return isa<ElementwiseOpInterface>(field.getDefiningOp()) &&
         llvm::all_of(field.getDefiningOp()->getOperands(),
                      [&](Value operand) { return isElementwiseIn(operand, product); });
}

/// Whether edges do nothing with `product` but fold what they make of its elements.
bool SweepPlanner::foldsProduct(MatMulOp product) {
  Value field = product.getResult();
  if (fieldType(field).getRank() != 1 || !contribute.getEdges().empty())
    return false;
  for (auto [index, reduction] : llvm::enumerate(layout.reductions)) {
    Value filter = contribute.getFilter(index);
    if (reduction.selector || reduction.softmaxSum || kernel.getOnlineSoftmax(index) ||
        reduction.contributed.getDims() != fieldType(field).getDims() ||
        !isElementwiseIn(contribute.getValues()[index], field) || (filter && dependsOn(filter, field)))
      return false;
  }
  return true;
}

void SweepPlanner::planPanels() {
  ArrayRef<Value> buffers = stepPlan.buffers(Rate::Edge);
  llvm::DenseSet<Value> staged;
  for (Value field : buffers) {
    auto product = field.getDefiningOp<MatMulOp>();
    std::optional<Values> needs = stepPlan.edgeBuffersFor(field);
    if (!product || fieldType(product.getW()).getRank() < 2 || !needs)
      continue;
    PanelPlan &panel = plan.panels.emplace_back(PanelPlan{product, {}, true, false});
    for (Value need : *needs)
      if (staged.insert(need).second && need != field)
        panel.fills.push_back(need);
    panel.copiesX = !staged.contains(product.getX());
  }
  if (!plan.panels.empty())
    plan.panels.back().isFolded = staged.size() == buffers.size() && foldsProduct(plan.panels.back().product);
}

//===----------------------------------------------------------------------===//
// Versions of few elements
//===----------------------------------------------------------------------===//

/// Plans a version for each of 1, 2, 4 and 8 rows of an open dimension that has another inside of it, of as many
/// elements as states have registers for. Loops over the elements of few rows alone cost little.
void SweepPlanner::planBounds() {
  constexpr int64_t maxElements = 64, maxRows = 8;
  auto isInBits = [](star::OperandAttr operand) { return operand.getStorage() == star::Storage::Bits; };
  Block &step = kernel.getStep().front();
  if (!machine.hasMasks || !layout.selectors.empty() || llvm::any_of(inputsOf(kernel), isInBits) ||
      !contribute.getEdges().empty() ||
      !llvm::all_of(step.without_terminator(), [](Operation &op) { return traitsOf(&op).takesKnownPoints; }))
    return;
  SmallVector<FieldType> types;
  for (BlockArgument argument : step.getArguments())
    if (!argument.use_empty())
      types.push_back(fieldType(argument));
  for (Operation &op : step)
    for (Value result : op.getResults())
      types.push_back(fieldType(result));
  SmallVector<DimExpr> outer, inner; // open ones
  auto add = [](SmallVector<DimExpr> &dims, const DimExpr &dim) {
    if (!dim.constant() && !llvm::is_contained(dims, dim))
      dims.push_back(dim);
  };
  for (FieldType type : types)
    for (unsigned i = 0; i + 1 < type.getRank(); ++i)
      add(outer, type.getDim(i));
  for (FieldType type : types)
    if (type.getRank() > 0 && !llvm::is_contained(outer, lastDim(type)))
      add(inner, lastDim(type));
  if (outer.size() != 1)
    return;
  auto addVersion = [&](int64_t rows, int64_t elements) {
    Bounds bounds{{{outer[0], rows}}};
    for (const DimExpr &dim : inner)
      bounds.dims.push_back({dim, elements});
    if (fitsRegisters(bounds))
      plan.smallVersions.push_back(bounds);
  };
  const int64_t lanes = shape.maxLanes;
  for (int64_t rows = 1; rows <= maxRows; rows *= 2) {
    if (rows == 4 && lanes < maxElements / rows) // three heads of seven: a vector each, not two
      addVersion(rows, lanes);
    addVersion(rows, maxElements / rows);
  }
}

//===----------------------------------------------------------------------===//
// Printing
//===----------------------------------------------------------------------===//

void SweepPlan::print(llvm::raw_ostream &os) const {
  constexpr StringLiteral places[] = {"registers", "tiles", "panels", "memory"};
  constexpr StringLiteral endPlaces[] = {"registers", "tiles", "memory"};
  auto flag = [&](bool isSet, StringRef text) { os << (isSet ? ", " : "") << (isSet ? text : ""); };
  os << "  states in " << places[unsigned(states)];
  flag(foldsBySegment, "segment by segment");
  flag(fusesProducts, "fused products");
  os << "\n  end in " << endPlaces[unsigned(end)] << "\n  edges";
  os << (maxEdgesAtOnce ? " in blocks of up to " + std::to_string(maxEdgesAtOnce) : " one by one");
  flag(readsCol, "which read their other end");
  flag(prefetches, "prefetched");
  os << "\n  rows" << (hasPieces ? " in pieces" : " whole");
  flag(hasShortRows, "short ones by themselves");
  flag(closesInLoop, "closed in the loop over segments");
  os << "\n";
  if (deal) {
    os << "  dealt out";
    for (FieldType type : deal->widest)
      os << " " << type;
    os << " in " << deal->parts << " parts\n";
  }
  for (const PanelPlan &panel : panels)
    os << "  panel of " << panel.fills.size() << " fields" << (panel.copiesX ? ", copied" : "")
       << (panel.isFolded ? ", folded at once" : "") << "\n";
  for (const Bounds &version : smallVersions) {
    os << "  version for";
    for (const auto &[dim, most] : version.dims)
      os << " " << dim.str() << " <= " << most;
    os << "\n";
  }
  if (hotCols)
    os << "  hot columns: " << hotCols << "\n";
}

SweepPlan planTotals(star::KernelOp kernel, const Machine &machine) {
  SweepPlan plan;
  plan.readsCol = readsColumns(kernel);
  plan.fusesProducts = machine.isDevice;
  return plan;
}

SweepPlan planSweep(star::KernelOp kernel, const StateLayout &layout, const Machine &machine) {
  return SweepPlanner(kernel, layout, machine).make();
}

} // namespace gnnc
