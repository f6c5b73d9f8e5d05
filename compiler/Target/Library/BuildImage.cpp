//===- BuildImage.cpp - Tables from outlined programs ---------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/Target/Library/BuildImage.h"
#include "compiler/Target/Library/DescribeDevice.h"
#include "compiler/Target/Library/DescribePrograms.h"
#include "compiler/Target/Library/DescribeTunings.h"
#include "dialects/Gnn/IR/ProgramVariants.h"
#include "dialects/Gnn/IR/TypeRules.h"
#include "dialects/Star/Analysis/StepDepths.h"
#include "dialects/Star/IR/Star.h"
#include "dialects/Support/ExtentTable.h"
#include "llvm/ADT/TypeSwitch.h"
#include <limits>

using namespace gnnc;
using gnn::fieldOf;
using gnn::FieldType;
using llvm::isa;
using mlir::Operation;
using mlir::Value;

namespace {

/// Ends the name of an input as nonzeros where programs read it as a table too.
constexpr llvm::StringLiteral nonzerosSuffix = ".nonzeros";

class ImageBuilder {
public:
  explicit ImageBuilder(mlir::ModuleOp module)
      : module(module), model(gnn::ModelAttr::of(module)), extents(module), symbols(module) {}

  LibraryImage build();

private:
  void addModel();
  void addKernel(star::KernelOp kernel);
  void addProgram(star::ProgramOp program);
  void addResults(star::ProgramOp program);
  void addRooms();
  void addLaunch(star::LaunchOp launch, StepImage &step);
  void addProduct(Operation &op, StepImage &step);

  uint32_t extent(llvm::StringRef text) { return extents.insert(*DimExpr::parse(text)); }
  uint32_t numElements(llvm::ArrayRef<mlir::StringAttr> dims);
  uint32_t addTensor(uint32_t role, std::string name, FieldType type, int32_t source = -1);
  uint32_t leafTensor(Operation *leaf);
  uint32_t tensor(Value value);
  uint32_t named(llvm::StringRef name) const { return byName.lookup(name); }
  bool isNonzeros(FieldType type) const {
    return type.isEdge() && image.relations[type.getId()].kind == GNN_RELATION_SPARSE_INPUT;
  }
  uint32_t singleRow();

  mlir::ModuleOp module;
  gnn::ModelAttr model;
  ExtentTable extents;
  mlir::SymbolTable symbols;
  mlir::SymbolTableCollection collection;
  LibraryImage image;
  llvm::StringMap<uint32_t> byName; // tensors
  llvm::StringMap<uint32_t> kernelIndex;
  llvm::DenseMap<Value, uint32_t> tensors; // of the current program; views have the tensor of what they view
  std::optional<uint32_t> singleRowType;
  unsigned numTemporaries = 0;
};

uint32_t elementOf(mlir::Type type) {
  return llvm::TypeSwitch<mlir::Type, uint32_t>(type)
      .Case([](mlir::FloatType type) { return type.isF64() ? GNN_F64 : GNN_F32; })
      .Case([](mlir::IntegerType type) {
        return type.getWidth() == 1 ? GNN_BOOL : type.getWidth() == 32 ? GNN_I32 : GNN_I64;
      });
}

/// The field in memory behind a chain of views.
Value viewed(Value value) {
  while (value.getDefiningOp() && isa<gnn::TableRowsOp, gnn::RowsTableOp>(value.getDefiningOp()))
    value = value.getDefiningOp()->getOperand(0);
  return value;
}

/// Whether a field of vertices, or of an end of edges, is of those that are rows.
bool isOfRows(star::KernelOp kernel, FieldType type) {
  return type.isVertex() || (type.getKind() == gnn::GraphKind::D) ==
                                (kernel.getToward().value_or(gnn::End::Destination) == gnn::End::Destination);
}

/// The arguments, as flags GNN_KERNEL_*, that a kernel needs beside its operands.
uint32_t needsOf(star::KernelOp kernel) {
  uint32_t needs = 0;
  kernel->walk([&](Operation *op) {
    if (isa<gnn::EdgeIdOp>(op))
      needs |= GNN_KERNEL_EDGE_ID;
    if (isa<gnn::EdgeTypeOp>(op))
      needs |= GNN_KERNEL_EDGE_TYPE;
    if (auto id = llvm::dyn_cast<gnn::VertexIdOp>(op))
      needs |= isOfRows(kernel, fieldOf(id)) ? GNN_KERNEL_ROW_ID : GNN_KERNEL_COL_ID;
    auto mask = llvm::dyn_cast<gnn::DropoutMaskOp>(op);
    if (!mask)
      return;
    needs |= GNN_KERNEL_RANDOM;
    if (fieldOf(mask.getResult()).isVertex())
      needs |= GNN_KERNEL_ROW_ID;
    else
      needs |= mask.getSparse() ? GNN_KERNEL_ROW_ID | GNN_KERNEL_COL_ID : GNN_KERNEL_EDGE_ID;
  });
  for (auto aggregator : kernel.getAggregators().getAsRange<gnn::AggregatorInterface>())
    if (aggregator.tracksArg())
      needs |= GNN_KERNEL_EDGE_ID;
  return needs;
}

/// A product that leaves int64 becomes its largest number, which the runtime refuses when it computes sizes.
uint32_t ImageBuilder::numElements(llvm::ArrayRef<mlir::StringAttr> dims) {
  DimExpr product(1);
  for (mlir::StringAttr dim : dims)
    product = product.mul(*DimExpr::parse(dim.getValue())).value_or(std::numeric_limits<int64_t>::max());
  return extents.insert(product);
}

//===----------------------------------------------------------------------===//
// Tensors
//===----------------------------------------------------------------------===//

uint32_t ImageBuilder::addTensor(uint32_t role, std::string name, FieldType type, int32_t source) {
  TensorImage tensor;
  tensor.role = role;
  tensor.domain = type.isParameter() ? GNN_DOMAIN_PARAM : type.isVertex() ? GNN_DOMAIN_VERTEX : GNN_DOMAIN_EDGE;
  tensor.type = type.isParameter() ? 0 : type.getId();
  tensor.element = elementOf(type.getElement());
  for (mlir::StringAttr dim : type.getDims())
    tensor.shape.push_back(extent(dim.getValue()));
  tensor.source = source;
  tensor.name = std::move(name);
  byName[tensor.name] = image.tensors.size();
  image.tensors.push_back(std::move(tensor));
  return image.tensors.size() - 1;
}

/// Leaves other than those that the model lists are added when a program first uses them.
uint32_t ImageBuilder::leafTensor(Operation *leaf) {
  FieldType type = fieldOf(leaf->getResult(0));
  auto findOrAdd = [&](std::string name, uint32_t role, int32_t source = -1) {
    auto known = byName.find(name);
    return known != byName.end() ? known->second : addTensor(role, name, type, source);
  };
  return llvm::TypeSwitch<Operation *, uint32_t>(leaf)
      .Case([&](gnn::InputOp op) {
        auto nonzeros = byName.find((op.getName() + nonzerosSuffix).str());
        return nonzeros != byName.end() && isNonzeros(type) ? nonzeros->second : named(op.getName());
      })
      .Case<gnn::TargetOp, gnn::ParamOp, gnn::StateOp>([&](auto op) { return named(op.getName()); })
      .Case([&](gnn::LossMaskOp) { return findOrAdd("%mask", GNN_ROLE_MASK); })
      .Case([&](gnn::LossScaleOp) { return findOrAdd("%scale", GNN_ROLE_SCALE); })
      .Case([&](gnn::CotangentOp op) {
        return findOrAdd("%cotangent." + op.getName().str(), GNN_ROLE_COTANGENT, int32_t(named(op.getName())));
      })
      .Case([&](gnn::DegreeOp op) {
        bool in = op.getKind() == gnn::DegreeKind::In;
        bool byType = gnn::fieldOf(op.getResult()).getRank() > 0;
        return findOrAdd((in ? "%in_degree." : "%out_degree.") + std::to_string(op.getRelation()) +
                             (byType ? ".types" : ""),
                         in ? GNN_ROLE_DEGREE_IN : GNN_ROLE_DEGREE_OUT, op.getRelation());
      })
      .Case([&](gnn::CountOp op) {
        bool in = op.getToward() == gnn::End::Destination;
        bool byType = gnn::fieldOf(op.getResult()).getRank() > 0;
        return findOrAdd((in ? "%count_in." : "%count_out.") + std::to_string(op.getRelation()) +
                             (byType ? ".types" : ""),
                         in ? GNN_ROLE_COUNT_IN : GNN_ROLE_COUNT_OUT, op.getRelation());
      });
}

uint32_t ImageBuilder::tensor(Value value) {
  value = viewed(value);
  auto known = tensors.find(value);
  if (known != tensors.end())
    return known->second;
  Operation *op = value.getDefiningOp();
  bool isStep = isa<star::LaunchOp, star::MatMulOp, star::MatMulTNOp>(op);
  uint32_t index =
      isStep ? addTensor(GNN_ROLE_TEMP, "%" + std::to_string(numTemporaries++), fieldOf(value)) : leafTensor(op);
  switch (star::storageOf(value, collection)) {
  case star::Storage::Elements:
    break;
  case star::Storage::Bits:
    image.tensors[index].element = GNN_BITS;
    break;
  case star::Storage::Bf16:
    image.tensors[index].element = GNN_BF16;
    break;
  case star::Storage::F16:
    image.tensors[index].element = GNN_F16;
    break;
  }
  return tensors[value] = index;
}

/// The vertex type of maps that compute parameters.
uint32_t ImageBuilder::singleRow() {
  if (!singleRowType) {
    singleRowType = image.vertexTypes.size();
    image.vertexTypes.push_back({"%one", int32_t(extents.insert(DimExpr(1))), /*isTable=*/true});
  }
  return *singleRowType;
}

//===----------------------------------------------------------------------===//
// The model's own tables
//===----------------------------------------------------------------------===//

void ImageBuilder::addModel() {
  image.name = model.getName().str();
  image.real = model.getReal().isF64() ? GNN_F64 : GNN_F32;
  for (gnn::DimensionAttr dim : model.getDimensions())
    image.dims.push_back({dim.getName().str(), dim.getFixed(), dim.getFallback()});
  for (gnn::VertexTypeAttr type : model.getVertexTypes())
    image.vertexTypes.push_back({type.getName().str(), type.getRows().empty() ? -1 : int32_t(extent(type.getRows()))});
  for (gnn::RelationAttr relation : model.getRelations())
    image.relations.push_back({relation.getName().str(), relation.getSource(), relation.getDestination(),
                               uint32_t(relation.getSparseInput() ? GNN_RELATION_SPARSE_INPUT
                                        : relation.getPairs()     ? GNN_RELATION_PAIRS
                                                                  : GNN_RELATION_EDGES),
                               uint32_t((relation.getSelfLoops() ? GNN_GRAPH_SELF_LOOPS : 0) |
                                        (relation.getSymmetric() ? GNN_GRAPH_SYMMETRIC : 0) |
                                        (relation.getInverseRelations() ? GNN_GRAPH_INVERSE_RELATIONS : 0) |
                                        (relation.getOneLoop() ? GNN_GRAPH_ONE_LOOP : 0) |
                                        (relation.getMarkLoops() ? GNN_GRAPH_MARK_LOOPS : 0) |
                                        (relation.getNoLoops() ? GNN_GRAPH_NO_LOOPS : 0) |
                                        (relation.getLoopKinds() ? GNN_GRAPH_LOOP_KINDS : 0)),
                               relation.getTypes().empty() ? -1 : int32_t(extent(relation.getTypes()))});
  for (const RelationImage &relation : image.relations)
    if (relation.kind == GNN_RELATION_SPARSE_INPUT)
      image.vertexTypes[relation.sourceType].isTable = true;
  for (gnn::ParameterAttr param : model.getParams()) {
    TensorImage &tensor = image.tensors[addTensor(param.getState() ? GNN_ROLE_STATE : GNN_ROLE_PARAM,
                                                  param.getName().str(), param.getType())];
    tensor.init = uint32_t(param.getInit());
    tensor.initArgument = param.getInitArg() ? param.getInitArg().getValueAsDouble() : 0;
    tensor.fanIn = extent(param.getFanIn());
    tensor.fanOut = extent(param.getFanOut());
  }
  for (gnn::InputAttr input : model.getInputs()) {
    const bool isInBothForms =
        llvm::count_if(model.getInputs(), [&](gnn::InputAttr other) { return other.getName() == input.getName(); }) > 1;
    const llvm::StringRef suffix = isInBothForms && input.getSparse() ? nonzerosSuffix : "";
    uint32_t role = input.getTarget() ? GNN_ROLE_TARGET : input.getSparse() ? GNN_ROLE_WEIGHTS : GNN_ROLE_INPUT;
    int32_t source = input.getSparse() ? int32_t(input.getType().getId()) : -1;
    uint32_t index = addTensor(role, (input.getName() + suffix).str(), input.getType(), source);
    image.tensors[index].flags = input.getRowNormalized() ? GNN_INPUT_ROW_NORMALIZED : 0;
  }
}

void ImageBuilder::addKernel(star::KernelOp kernel) {
  KernelImage result;
  result.kind = kernel.isSweep() ? GNN_KERNEL_SWEEP : GNN_KERNEL_MAP;
  result.name = kernel.getSymName().str();
  result.needs = needsOf(kernel);
  for (auto operands : {kernel.getInputs(), kernel.getOutputs()})
    for (auto operand : operands.getAsRange<star::OperandAttr>())
      result.access.push_back(uint32_t(operand.getAccess()));
  result.numInputs = kernel.getInputs().size();
  if (!kernel.isSweep() || kernel.isOfTotals())
    for (mlir::Attribute aggregator : kernel.getAggregators())
      result.totalFolds.push_back(isa<gnn::MaxAttr>(aggregator)   ? GNN_FOLD_MAX
                                  : isa<gnn::MinAttr>(aggregator) ? GNN_FOLD_MIN
                                                                  : GNN_FOLD_SUM);
  result.scratchBytes = extent(kernel.getScratchBytes().value_or("0"));
  result.stateBytes = extent(kernel.getStateBytes().value_or("0"));
  if (std::optional<llvm::StringRef> passes = kernel.getPasses())
    result.passes = int32_t(extent(*passes));
  result.knobs = knobsOf(kernel.getScheduleAttr());
  kernelIndex[result.name] = image.kernels.size();
  image.kernels.push_back(std::move(result));
}

//===----------------------------------------------------------------------===//
// Programs
//===----------------------------------------------------------------------===//

/// Results get their tensors first, so that the steps that compute them write there.
void ImageBuilder::addResults(star::ProgramOp program) {
  auto end = llvm::cast<star::ReturnOp>(program.getBody().front().getTerminator());
  for (auto [operand, attribute] : llvm::zip(end.getOperands(), end.getRoles())) {
    auto result = llvm::cast<gnn::ResultAttr>(attribute);
    Value value = viewed(operand);
    bool isStep = isa<star::LaunchOp, star::MatMulOp, star::MatMulTNOp>(value.getDefiningOp());
    if (!isStep || tensors.count(value))
      continue;
    bool isGradient = result.getRole() == gnn::ResultRole::Gradient,
         isOutput = result.getRole() == gnn::ResultRole::Output;
    bool ofVertices =
        result.getRole() == gnn::ResultRole::VertexLoss; // @train has a loss of the same name that is one number
    bool isState = result.getRole() == gnn::ResultRole::State;
    llvm::StringRef prefix = isGradient ? "grad." : isState ? "next." : isOutput ? "" : ofVertices ? "%vertex_" : "%";
    std::string name = (prefix + result.getName()).str();
    auto known = byName.find(name);
    if (known == byName.end())
      addTensor(isGradient ? GNN_ROLE_GRAD
                : isState  ? GNN_ROLE_STATE_NEXT
                           : GNN_ROLE_OUTPUT,
                name, fieldOf(operand), isGradient || isState ? int32_t(named(result.getName())) : -1);
    tensors[value] = byName[name];
  }
}

void ImageBuilder::addLaunch(star::LaunchOp launch, StepImage &step) {
  auto kernel = symbols.lookup<star::KernelOp>(launch.getKernel());
  step.kind = kernel.isSweep() ? GNN_STEP_SWEEP : GNN_STEP_MAP;
  step.kernel = kernelIndex.lookup(launch.getKernel());
  if (kernel.isSweep()) {
    step.relation = kernel.getId();
    step.direction = *kernel.getToward() == gnn::End::Destination ? GNN_TO_DESTINATION : GNN_TO_SOURCE;
    const RelationImage &relation = image.relations[step.relation];
    step.vertexType = step.direction == GNN_TO_DESTINATION ? relation.destinationType : relation.sourceType;
  } else {
    step.vertexType = int64_t(kernel.getId()) < 0 ? singleRow() : uint32_t(kernel.getId());
  }
}

void ImageBuilder::addProduct(Operation &op, StepImage &step) {
  Value left = op.getOperand(0), right = op.getOperand(1);
  step.vertexType = fieldOf(left).getId();
  step.k = numElements(fieldOf(left).getDims());
  if (auto matmul = llvm::dyn_cast<star::MatMulOp>(op)) {
    step.kind = GNN_STEP_MATMUL;
    step.flags = (matmul.getTransposeW() ? GNN_MATMUL_TRANSPOSE_B : 0) | (matmul.getOfBf16() ? GNN_MATMUL_BF16 : 0);
    step.n = numElements(fieldOf(matmul.getResult()).getDims());
  } else {
    step.kind = GNN_STEP_MATMUL_TN;
    step.flags = llvm::cast<star::MatMulTNOp>(op).getOfBf16() ? GNN_MATMUL_BF16 : 0;
    step.n = numElements(fieldOf(right).getDims());
  }
}

void ImageBuilder::addProgram(star::ProgramOp program) {
  ProgramImage result;
  result.name = program.getSymName().str();
  if (std::string text = gnn::variantText(program); !text.empty())
    result.name += " (" + text + ")";
  if (mlir::DictionaryAttr orders = gnn::ordersOf(program))
    result.orders = gnn::ordersText(orders);
  if (mlir::DictionaryAttr inputs = gnn::inputsOf(program))
    for (mlir::NamedAttribute input : inputs)
      result.inputs[input.getName().str()] = llvm::cast<mlir::StringAttr>(input.getValue()).str();
  const llvm::StringRef kind = gnn::programKind(program.getSymName());
  result.kind = kind == "train"       ? GNN_PROGRAM_TRAIN
                : kind == "evaluate"  ? GNN_PROGRAM_EVALUATE
                : kind == "vjp"       ? GNN_PROGRAM_VJP
                : kind == "vjp_train" ? GNN_PROGRAM_VJP_TRAIN
                                      : GNN_PROGRAM_INFER;
  tensors.clear();
  addResults(program);
  const star::StepDepths depths(program);
  for (Operation &op : program.getBody().front().without_terminator()) {
    StepImage step;
    if (auto launch = llvm::dyn_cast<star::LaunchOp>(op))
      addLaunch(launch, step);
    else if (isa<star::MatMulOp, star::MatMulTNOp>(op))
      addProduct(op, step);
    else
      continue;
    for (Value operand : op.getOperands())
      step.tensors.push_back(tensor(operand));
    for (Value value : op.getResults())
      step.tensors.push_back(tensor(value));
    step.rowDepth = depths.of(&op).rows;
    step.colDepth = depths.of(&op).cols;
    result.steps.push_back(std::move(step));
  }
  for (Value operand : program.getBody().front().getTerminator()->getOperands())
    result.results.push_back(tensor(operand));
  image.programs.push_back(std::move(result));
}

static bool mayBeNegative(const DimExpr &dim) {
  return llvm::any_of(dim.terms(), [](const auto &term) { return term.second < 0; });
}

/// A pad is right only where the operand has room in the result, which open dimensions decide at run time: the room
/// becomes an extent, and the runtime refuses extents below 0. A slice has to begin and end within the operand, and to
/// have an element; what the adjoint of a concatenation takes does so whatever the dimensions are.
void ImageBuilder::addRooms() {
  module.walk([&](gnn::PadOp pad) {
    unsigned dim = pad.getDim();
    DimExpr whole = fieldOf(pad.getResult()).getDim(dim), part = fieldOf(pad.getOperand()).getDim(dim);
    if (std::optional<DimExpr> used = part.add(*DimExpr::parse(pad.getOffset())))
      if (std::optional<DimExpr> room = whole.sub(*used); room && !room->constant())
        extents.insert(*room);
  });
  module.walk([&](gnn::SliceOp slice) {
    DimExpr whole = fieldOf(slice.getOperand()).getDim(slice.getDim()),
            part = fieldOf(slice.getResult()).getDim(slice.getDim()), offset = *DimExpr::parse(slice.getOffset());
    const std::optional<DimExpr> end = part.add(offset);
    const std::optional<DimExpr> others = mayBeNegative(part) ? part.sub(DimExpr(1)) : std::nullopt;
    for (const std::optional<DimExpr> &room : {std::optional(offset), others, end ? whole.sub(*end) : std::nullopt})
      if (room && mayBeNegative(*room))
        extents.insert(*room);
  });
}

LibraryImage ImageBuilder::build() {
  addModel();
  for (auto kernel : module.getOps<star::KernelOp>())
    addKernel(kernel);
  for (auto program : module.getOps<star::ProgramOp>())
    addProgram(program);
  describePrograms(image);
  addRooms();
  image.device = describeDevice(module, extents);
  image.extents.assign(extents.extents().begin(), extents.extents().end());
  return std::move(image);
}

} // namespace

LibraryImage gnnc::buildImage(mlir::ModuleOp module) { return ImageBuilder(module).build(); }
