//===- OutlineKernels.cpp - Code of steps apart from programs -------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels are equal when their printed forms are, names and locations aside.
//
//===----------------------------------------------------------------------===//

#include "dialects/Gnn/IR/Depth.h"
#include "dialects/Gnn/IR/SourceName.h"
#include "dialects/Star/Transforms/ChooseStorage.h"
#include "dialects/Star/Transforms/Passes.h"
#include "dialects/Support/ExtentTable.h"
#include "mlir/IR/AttrTypeSubElements.h"
#include "llvm/ADT/StringExtras.h"

using namespace gnnc;
using namespace gnnc::star;
using mlir::Operation;

namespace gnnc::star {
#define GEN_PASS_DEF_OUTLINEKERNELS
#include "dialects/Star/Transforms/Passes.h.inc"
} // namespace gnnc::star

namespace {

/// The name of the value at `loc` as a symbol, `conv1_z` for `conv1.z`; empty if it has none.
std::string nameOf(mlir::Location loc) {
  std::string name = gnn::sourceName(loc);
  for (char &c : name)
    c = llvm::isAlnum(c) ? c : '_';
  return name;
}

/// The name of what the kernel computes: that of its first named result, else of the step, else of an op inside.
std::string nameOf(KernelOp kernel) {
  std::string name;
  auto propose = [&](mlir::Location loc) {
    if (name.empty())
      name = nameOf(loc);
  };
  for (mlir::Value value : kernel.getYield().getValues())
    if (Operation *op = value.getDefiningOp())
      propose(op->getLoc());
  propose(kernel.getLoc());
  kernel.walk([&](Operation *op) { propose(op->getLoc()); });
  return name;
}

class OutlineKernels : public star::impl::OutlineKernelsBase<OutlineKernels> {
public:
  using OutlineKernelsBase::OutlineKernelsBase;

private:
  void runOnOperation() override;

  void addOperands(llvm::SmallVectorImpl<mlir::Attribute> &list, Access access, mlir::ValueRange values);
  KernelOp makeKernel(SweepOp sweep);
  KernelOp makeKernel(MapOp map);
  /// The kernel to launch instead of `fresh`: an equal one, or `fresh` under a name of its own.
  KernelOp share(KernelOp fresh);
  template <typename StepOp> void outline(StepOp step);
  void collectExtents();

  llvm::StringMap<KernelOp> kernels;
  llvm::StringMap<unsigned> counters;
  llvm::DenseMap<mlir::Value, Storage> storage; // of fields that are not stored as elements
};

void OutlineKernels::addOperands(llvm::SmallVectorImpl<mlir::Attribute> &list, Access access, mlir::ValueRange values) {
  for (mlir::Value value : values)
    list.push_back(
        OperandAttr::get(&getContext(), access, llvm::cast<gnn::FieldType>(value.getType()), storage.lookup(value)));
}

KernelOp OutlineKernels::makeKernel(SweepOp sweep) {
  mlir::OpBuilder builder = mlir::OpBuilder::atBlockEnd(getOperation().getBody());
  llvm::SmallVector<mlir::Attribute> inputs, outputs;
  addOperands(inputs, Access::Row, sweep.getRows());
  addOperands(inputs, Access::Col, sweep.getCols());
  addOperands(inputs, Access::Edge, sweep.getEdges());
  addOperands(inputs, Access::Whole, sweep.getWhole());
  addOperands(outputs, Access::Row, sweep.getRowResults());
  addOperands(outputs, Access::Edge, sweep.getEdgeResults());
  addOperands(outputs, Access::Whole, sweep.getTotals());
  auto kernel =
      builder.create<KernelOp>(sweep.getLoc(), "sweep", KernelKind::Sweep, sweep.getRelation(), sweep.getTowardAttr(),
                               builder.getArrayAttr(inputs), builder.getArrayAttr(outputs), sweep.getAggregators(),
                               /*scratch_bytes=*/nullptr, /*state_bytes=*/nullptr, /*passes=*/nullptr,
                               /*schedule=*/nullptr, /*mapping=*/nullptr);
  kernel.getStep().takeBody(sweep.getStep());
  kernel.getEnd().takeBody(sweep.getEnd());
  return kernel;
}

KernelOp OutlineKernels::makeKernel(MapOp map) {
  mlir::OpBuilder builder = mlir::OpBuilder::atBlockEnd(getOperation().getBody());
  llvm::SmallVector<mlir::Attribute> inputs, outputs;
  addOperands(inputs, Access::Row, map.getRows());
  addOperands(inputs, Access::Whole, map.getWhole());
  addOperands(outputs, Access::Row, map.getRowResults());
  addOperands(outputs, Access::Whole, map.getTotals());
  auto kernel =
      builder.create<KernelOp>(map.getLoc(), "map", KernelKind::Map, map.getVertexType(), gnn::EndAttr(),
                               builder.getArrayAttr(inputs), builder.getArrayAttr(outputs), map.getAggregators(),
                               /*scratch_bytes=*/nullptr, /*state_bytes=*/nullptr, /*passes=*/nullptr,
                               /*schedule=*/nullptr, /*mapping=*/nullptr);
  kernel.getEnd().takeBody(map.getEnd());
  return kernel;
}

KernelOp OutlineKernels::share(KernelOp fresh) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  fresh->print(stream, mlir::OpPrintingFlags().printGenericOpForm().useLocalScope());
  KernelOp &known = kernels[stream.str()];
  if (known) {
    fresh.erase();
    ++numShared;
    return known;
  }
  std::string name = nameOf(fresh);
  std::string stem = (name.empty() ? "" : name + "_") + stringifyKernelKind(fresh.getKind()).str();
  unsigned number = counters[stem]++;
  fresh.setSymName(number == 0 ? stem : stem + "_" + std::to_string(number));
  ++numKernels;
  return known = fresh;
}

template <typename StepOp> void OutlineKernels::outline(StepOp step) {
  KernelOp kernel = share(makeKernel(step));
  mlir::OpBuilder builder(step);
  auto launch =
      builder.create<LaunchOp>(step.getLoc(), step->getResultTypes(), kernel.getSymName(), step->getOperands());
  gnn::declareDepth(launch, gnn::declaredDepth(step));
  for (auto [old, result] : llvm::zip(step->getResults(), launch.getResults()))
    if (auto known = storage.find(old); known != storage.end()) {
      Storage chosen = known->second;
      storage.erase(known);
      storage[result] = chosen;
    }
  step->replaceAllUsesWith(launch);
  step->erase();
}

void OutlineKernels::collectExtents() {
  ExtentTable table(getOperation());
  auto insert = [&](llvm::StringRef text) {
    std::optional<DimExpr> expr = DimExpr::parse(text);
    assert(expr && "dimensions are written in their canonical form");
    table.insert(*expr);
  };
  mlir::AttrTypeWalker walker;
  walker.addWalk([&](gnn::FieldType type) {
    for (mlir::StringAttr dim : type.getDims())
      insert(dim.getValue());
  });
  walker.addWalk([&](gnn::ParameterAttr parameter) {
    insert(parameter.getFanIn());
    insert(parameter.getFanOut());
  });
  getOperation().walk<mlir::WalkOrder::PreOrder>([&](Operation *op) {
    walker.walk(op->getAttrDictionary());
    llvm::for_each(op->getResultTypes(), [&](mlir::Type type) { walker.walk(type); });
    for (mlir::Region &region : op->getRegions())
      for (mlir::Type type : region.getArgumentTypes())
        walker.walk(type);
    if (auto extent = llvm::dyn_cast<gnn::ExtentOp>(op))
      insert(extent.getValue());
    if (auto pad = llvm::dyn_cast<gnn::PadOp>(op))
      insert(pad.getOffset());
    if (auto slice = llvm::dyn_cast<gnn::SliceOp>(op))
      insert(slice.getOffset());
  });
  table.store(getOperation());
}

void OutlineKernels::runOnOperation() {
  kernels.clear();
  counters.clear();
  storage = chooseStorage(getOperation(), reals);
  for (auto [value, chosen] : storage)
    if (Operation *maker = value.getDefiningOp(); isNarrow(chosen) && !llvm::isa<SweepOp, MapOp>(maker))
      maker->setAttr(storedAs, mlir::StringAttr::get(&getContext(), stringifyStorage(chosen)));
  for (auto program : getOperation().getOps<ProgramOp>())
    for (Operation &op : llvm::make_early_inc_range(program.getBody().front())) {
      if (auto sweep = llvm::dyn_cast<SweepOp>(op))
        outline(sweep);
      else if (auto map = llvm::dyn_cast<MapOp>(op))
        outline(map);
    }
  collectExtents();
}

} // namespace
