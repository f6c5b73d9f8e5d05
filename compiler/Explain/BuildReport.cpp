//===- BuildReport.cpp - A report from a star module ----------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads programs of launches: who makes each field, who reads it and how, and which fields are gradients, which are
// those that depend on the weights of the loss.
//
//===----------------------------------------------------------------------===//

#include "compiler/Explain/KernelCost.h"
#include "compiler/Explain/Report.h"
#include "dialects/Gnn/IR/ProgramVariants.h"
#include "dialects/Gnn/IR/SourceName.h"
#include "dialects/Gnn/IR/TypeRules.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringExtras.h"
#include <map>

using namespace gnnc;
using gnn::fieldOf;
using gnn::FieldType;
using llvm::isa;
using mlir::Operation;
using mlir::Value;
using star::Access;

//===----------------------------------------------------------------------===//
// Names, places and sizes
//===----------------------------------------------------------------------===//

SourcePlace gnnc::placeOf(mlir::Location loc) {
  SourcePlace place;
  loc->walk([&](mlir::Location inner) {
    auto at = llvm::dyn_cast<mlir::FileLineColLoc>(inner);
    if (!at)
      return mlir::WalkResult::advance();
    place = {at.getFilename().str(), at.getLine(), at.getColumn()};
    return mlir::WalkResult::interrupt();
  });
  return place;
}

std::string gnnc::shortPlace(const SourcePlace &place) {
  return gnn::sourceFileName(place.file) + ":" + std::to_string(place.line);
}

/// `real[heads, out]`.
static std::string typeText(FieldType type) {
  mlir::Type element = type.getElement();
  std::string text;
  llvm::raw_string_ostream os(text);
  type.isReal() ? os << "real" : element.isInteger(1) ? os << "bool" : os << element;
  if (type.getRank())
    os << "["
       << llvm::join(llvm::map_to_vector(type.getDims(), [](mlir::StringAttr dim) { return dim.getValue(); }), ", ")
       << "]";
  return text;
}

namespace {

/// Builds the report of one program.
class ProgramReporter {
public:
  ProgramReporter(star::ProgramOp program, const gnn::CostModel &sizes) : program(program), sizes(sizes) {}

  ProgramReport run();

private:
  struct Origin {
    unsigned step = 0; // 0: a leaf
    bool isGradient = false;
    std::string name;
  };

  SizedField sized(Value value) { return {origins[value].name, typeText(fieldOf(value)), bytes(value)}; }
  SizedField sizedOnEdge(Value value, Value argument);
  int64_t bytes(Value value);
  void addLeaf(Operation &op);
  void addLaunch(star::LaunchOp launch);
  void addProduct(Operation &op);
  void addLines(StepReport &step, star::KernelOp kernel, const KernelCost &cost);
  void addMessages(star::KernelOp kernel, const KernelCost &cost, star::LaunchOp launch);
  void define(Operation &op, llvm::ArrayRef<bool> gradients, llvm::ArrayRef<std::string> names);
  std::string resultName(star::KernelOp kernel, unsigned index);
  std::string whyStopped(Value value, Operation *user, unsigned operand);
  llvm::SmallVector<mlir::OpOperand *> readersOf(Value value);
  void addReaders();
  void addKept();
  void addTensors();

  star::ProgramOp program;
  const gnn::CostModel &sizes;
  mlir::SymbolTableCollection symbols;
  ProgramReport report;
  llvm::DenseMap<Value, Origin> origins;
  llvm::DenseMap<Operation *, unsigned> stepOf; // number
  llvm::StringMap<unsigned> numUnnamed;
  llvm::SetVector<Value> fields;
};

} // namespace

int64_t ProgramReporter::bytes(Value value) {
  FieldType type = fieldOf(value);
  switch (star::storageOf(value, symbols)) {
  case star::Storage::Elements:
    return sizes.bytes(type);
  case star::Storage::Bits:
    return sizes.keptBytes(type);
  case star::Storage::Bf16:
  case star::Storage::F16:
    return sizes.bytes(type) / 2;
  }
  llvm_unreachable("no other storage");
}

static std::string relationName(Operation *op, unsigned relation) {
  gnn::ModelAttr model = gnn::ModelAttr::of(op);
  return model ? model.getRelations()[relation].getName().str() : "edge";
}

static std::string vertexTypeName(Operation *op, int64_t type) {
  gnn::ModelAttr model = gnn::ModelAttr::of(op);
  return type < 0 ? "parameters" : model ? model.getVertexTypes()[type].getName().str() : "vertex";
}

//===----------------------------------------------------------------------===//
// Steps
//===----------------------------------------------------------------------===//

/// The type of what one edge reads of an operand that the step of a kernel has as `argument`: a single entry where the
/// edge picks one, for instance by its type.
static FieldType typeOnEdge(Value argument) {
  FieldType entry;
  for (Operation *user : argument.getUsers()) {
    auto index = llvm::dyn_cast<gnn::IndexOp>(user);
    if (!index || index.getOperand(0) != argument)
      return fieldOf(argument);
    entry = fieldOf(index.getResult());
  }
  return entry ? entry : fieldOf(argument);
}

SizedField ProgramReporter::sizedOnEdge(Value value, Value argument) {
  FieldType type = typeOnEdge(argument);
  const int64_t all = std::max<int64_t>(sizes.bytes(fieldOf(value)), 1);
  return {origins[value].name, typeText(type), bytes(value) * sizes.bytes(type) / all};
}

void ProgramReporter::addLeaf(Operation &op) {
  Origin origin;
  if (auto name = op.getAttrOfType<mlir::StringAttr>("name"))
    origin.name = name.getValue().str();
  else if (isa<gnn::TableRowsOp, gnn::RowsTableOp>(op))
    origin = origins[op.getOperand(0)];
  else
    origin.name = op.getName().stripDialect().str();
  origin.isGradient |= isa<gnn::LossMaskOp, gnn::LossScaleOp, gnn::CotangentOp>(op);
  for (Value result : op.getResults()) {
    origins[result] = origin;
    if (!isa<gnn::TableRowsOp, gnn::RowsTableOp>(op))
      fields.insert(result);
  }
}

void ProgramReporter::define(Operation &op, llvm::ArrayRef<bool> gradients, llvm::ArrayRef<std::string> names) {
  for (auto [result, isGradient, name] : llvm::zip(op.getResults(), gradients, names)) {
    std::string unique = name.empty() ? "value" : isGradient ? "d " + name : name;
    if (unsigned number = numUnnamed[unique]++)
      unique += "'" + (number > 1 ? std::to_string(number) : "");
    origins[result] = {stepOf[&op], isGradient, unique};
    fields.insert(result);
  }
}

/// The name that the source gives a result, or what it is computed from.
std::string ProgramReporter::resultName(star::KernelOp kernel, unsigned index) {
  unsigned numRows = kernel.getYield().getValues().size();
  Value value = kernel.isOfTotals() ? kernel.getContribute().getValues()[index]
                : index < numRows   ? kernel.getYield().getValues()[index]
                                    : kernel.getContribute().getEdges()[index - numRows];
  mlir::Location loc = value.getLoc();
  std::string name = gnn::sourceName(loc);
  if (!name.empty())
    return name;
  if (auto argument = llvm::dyn_cast<mlir::BlockArgument>(value); argument && kernel.isSweep())
    for (unsigned i = 0; i < kernel.getAggregators().size(); ++i)
      if (kernel.getReduction(i) == argument) {
        std::string folded = gnn::sourceName(kernel.getContribute().getValues()[i].getLoc());
        mlir::Attribute aggregator = kernel.getAggregators()[i];
        llvm::StringRef what = isa<gnn::LogSumExpAttr>(aggregator) ? "logsumexp" : "sum";
        return folded.empty() ? what.str() : (what + " of " + folded).str();
      }
  SourcePlace place = placeOf(loc);
  return place.line ? "line " + std::to_string(place.line) : "";
}

static void addPlace(std::vector<SourcePlace> &places, const SourcePlace &place) {
  if (place.line && !llvm::is_contained(places, place))
    places.push_back(place);
}

/// Source lines of what was fused, and of what a backward step computes again.
void ProgramReporter::addLines(StepReport &step, star::KernelOp kernel, const KernelCost &cost) {
  for (Operation *op : cost.work()) {
    bool isEdge = cost.rateOfWork(op) == KernelCost::Rate::Edge;
    ++(isEdge ? step.edgeOps : step.vertexOps);
    SourcePlace place = placeOf(op->getLoc());
    bool isAgain = step.backward && !cost.isGradient(op->getResult(0));
    addPlace(isAgain ? step.recomputes : isEdge ? step.perEdge : step.perVertex, place);
  }
  auto byLine = [](const SourcePlace &a, const SourcePlace &b) {
    return std::tie(a.file, a.line) < std::tie(b.file, b.line);
  };
  for (auto *places : {&step.perEdge, &step.perVertex, &step.recomputes})
    llvm::stable_sort(*places, byLine);
}

/// Adds the fields that message-passing frameworks would store on edges for this step: the gathered ones, and one for
/// each place of the source.
void ProgramReporter::addMessages(star::KernelOp kernel, const KernelCost &cost, star::LaunchOp launch) {
  if (gnn::ModelAttr model = gnn::ModelAttr::of(launch); model && model.getRelations()[kernel.getId()].getSparseInput())
    return;
  std::map<std::tuple<std::string, unsigned, unsigned>, SizedField> byPlace;
  unsigned index = 0;
  for (auto input : kernel.getInputs().getAsRange<star::OperandAttr>()) {
    Value argument = kernel.getStep().getArgument(index), value = launch.getOperands()[index++];
    if ((input.getAccess() != Access::Col && input.getAccess() != Access::Row) || argument.use_empty())
      continue;
    FieldType type = typeOnEdge(argument);
    report.messagePassing.push_back({"gather of " + origins[value].name, typeText(type), sizes.bytes(type)});
  }
  for (Operation *op : cost.work()) {
    FieldType type = fieldOf(op->getResults().back());
    SourcePlace place = placeOf(op->getLoc());
    bool isGathered = isa<gnn::IndexOp>(op) && isa<mlir::BlockArgument>(op->getOperand(0));
    if (cost.rateOfWork(op) != KernelCost::Rate::Edge || !type.isReal() || isGathered)
      continue;
    SizedField &field = byPlace[{place.file, place.line, place.column}];
    if (sizes.bytes(type) > field.bytes)
      field = {op->getName().stripDialect().str() + " of line " + std::to_string(place.line), typeText(type),
               sizes.bytes(type)};
  }
  for (auto &[place, field] : byPlace)
    report.messagePassing.push_back(field);
}

void ProgramReporter::addLaunch(star::LaunchOp launch) {
  auto kernel = mlir::SymbolTable::lookupNearestSymbolFrom<star::KernelOp>(launch, launch.getKernelAttr());
  llvm::SmallVector<bool> gradients;
  StepReport step;
  for (Value operand : launch.getOperands()) {
    gradients.push_back(origins[operand].isGradient);
    step.backward |= origins[operand].isGradient && origins[operand].step > 0;
  }
  KernelCost cost(kernel, sizes, gradients);
  step.number = stepOf[launch] = report.steps.size() + 1;
  step.kind = star::stringifyKernelKind(kernel.getKind()).str();
  step.kernel = kernel.getSymName().str();
  step.place = placeOf(launch.getLoc());
  step.relation = kernel.isSweep() ? kernel.getId() : 0;
  step.over = kernel.isSweep()
                  ? relationName(launch, kernel.getId()) + " to " + gnn::stringifyEnd(*kernel.getToward()).str()
                  : vertexTypeName(launch, int64_t(kernel.getId()));
  step.edgeFlops = cost.flops(KernelCost::Rate::Edge);
  step.vertexFlops = cost.flops(KernelCost::Rate::Vertex);
  step.reductions = kernel.isSweep() ? kernel.getAggregators().size() : 0;
  step.softmaxSums = llvm::count_if(kernel.getAggregators(), [](auto a) { return isa<star::SoftmaxSumAttr>(a); });
  unsigned index = 0;
  for (auto [input, value] : llvm::zip(kernel.getInputs().getAsRange<star::OperandAttr>(), launch.getOperands())) {
    auto &list = input.getAccess() == Access::Col    ? step.gathers
                 : input.getAccess() == Access::Edge ? step.edgeReads
                 : input.getAccess() == Access::Row  ? step.vertexReads
                                                     : step.whole;
    const bool isOfEdges = input.getAccess() == Access::Col || input.getAccess() == Access::Edge;
    list.push_back(isOfEdges ? sizedOnEdge(value, kernel.getStep().getArgument(index)) : sized(value));
    ++index;
  }
  if (star::ScheduleAttr schedule = kernel.getScheduleAttr())
    for (const Knob &knob : knobs())
      if (int64_t value = schedule.valueOf(knob))
        step.schedule.emplace_back(knob.name.str(), value);
  if (std::optional<star::MappingAttr> mapping = kernel.getMapping())
    step.threads = mapping->getThreads();
  addLines(step, kernel, cost);
  llvm::SmallVector<std::string> names;
  for (unsigned index = 0; index < launch.getNumResults(); ++index)
    names.push_back(resultName(kernel, index));
  define(*launch, cost.gradientOutputs(), names);
  for (auto [output, value] : llvm::zip(kernel.getOutputs().getAsRange<star::OperandAttr>(), launch.getResults())) {
    auto &list = output.getAccess() == Access::Edge  ? step.edgeWrites
                 : output.getAccess() == Access::Row ? step.vertexWrites
                                                     : step.whole;
    list.push_back(sized(value));
  }
  if (kernel.isSweep() && !step.backward)
    addMessages(kernel, cost, launch);
  report.steps.push_back(std::move(step));
}

void ProgramReporter::addProduct(Operation &op) {
  StepReport step;
  step.number = stepOf[&op] = report.steps.size() + 1;
  step.kind = "product";
  step.over = vertexTypeName(&op, fieldOf(op.getOperand(0)).getId());
  step.place = placeOf(op.getLoc());
  addPlace(step.perVertex, step.place);
  step.vertexOps = 1;
  bool isGradient = llvm::any_of(op.getOperands(), [&](Value operand) { return origins[operand].isGradient; });
  step.backward = isGradient;
  Value result = op.getResult(0);
  bool isReduction = isa<star::MatMulTNOp>(op);
  step.ofBf16 = isReduction ? llvm::cast<star::MatMulTNOp>(op).getOfBf16() : llvm::cast<star::MatMulOp>(op).getOfBf16();
  Value matrix = isReduction ? result : op.getOperand(1);
  step.vertexFlops = 2 * sizes.width(fieldOf(matrix));
  for (Value operand : op.getOperands())
    (fieldOf(operand).isVertex() ? step.vertexReads : step.whole).push_back(sized(operand));
  define(op, {isGradient}, {gnn::sourceName(op.getLoc())});
  (fieldOf(result).isVertex() ? step.vertexWrites : step.whole).push_back(sized(result));
  report.steps.push_back(std::move(step));
}

//===----------------------------------------------------------------------===//
// Ends of steps, and kept fields
//===----------------------------------------------------------------------===//

/// Why the step `user` of `value` is another than the one that makes it.
std::string ProgramReporter::whyStopped(Value value, Operation *user, unsigned operand) {
  std::string name = origins[value].name, next = "step " + std::to_string(stepOf.lookup(user));
  if (isa<star::MatMulOp>(user))
    return name + ": dense product follows (" + next + ")";
  if (isa<star::MatMulTNOp>(user))
    return name + ": product summed over vertices follows (" + next + ")";
  auto launch = llvm::dyn_cast<star::LaunchOp>(user);
  if (!launch)
    return {};
  auto kernel = mlir::SymbolTable::lookupNearestSymbolFrom<star::KernelOp>(launch, launch.getKernelAttr());
  switch (kernel.getInput(operand).getAccess()) {
  case Access::Col:
    return name + ": read at the other end of edges, so all rows come first (" + next + ")";
  case Access::Edge:
    return name + ": stored on edges (" + next + ")";
  case Access::Whole:
    return name + ": every row needs all of it (" + next + ")";
  case Access::Row:
    break;
  }
  auto makerLaunch = value.getDefiningOp<star::LaunchOp>();
  auto maker =
      makerLaunch ? mlir::SymbolTable::lookupNearestSymbolFrom<star::KernelOp>(makerLaunch, makerLaunch.getKernelAttr())
                  : star::KernelOp();
  if (!maker)
    return name + ": made by a product (" + next + ")";
  if (!kernel.isSweep())
    return name + ": joins what is made later (" + next + ")";
  if (!maker.isSweep())
    return name + ": edges follow (" + next + ")";
  if (maker.getId() != kernel.getId() || maker.getToward() != kernel.getToward())
    return name + ": other edges follow, or the same towards the other end (" + next + ")";
  return name + ": edges need the finished reduction of their vertex (" + next + ")";
}

/// The operands of steps that read a field, under each of its types, in the order of steps.
llvm::SmallVector<mlir::OpOperand *> ProgramReporter::readersOf(Value value) {
  llvm::SmallVector<Value> views = {value};
  for (Operation *user : value.getUsers())
    if (isa<gnn::TableRowsOp, gnn::RowsTableOp>(user))
      views.push_back(user->getResult(0));
  llvm::SmallVector<mlir::OpOperand *> readers;
  for (Value view : views)
    for (mlir::OpOperand &use : view.getUses())
      if (stepOf.count(use.getOwner()))
        readers.push_back(&use);
  llvm::stable_sort(readers,
                    [&](auto *a, auto *b) { return stepOf.lookup(a->getOwner()) < stepOf.lookup(b->getOwner()); });
  return readers;
}

void ProgramReporter::addReaders() {
  for (Value value : fields) {
    unsigned from = origins[value].step;
    llvm::SmallVector<mlir::OpOperand *> readers = readersOf(value);
    if (from == 0 || readers.empty())
      continue;
    StepReport &step = report.steps[from - 1];
    std::string why = whyStopped(value, readers.front()->getOwner(), readers.front()->getOperandNumber());
    if (!why.empty())
      step.stops.push_back(why);
    FieldType type = fieldOf(value);
    LeftField left = {sized(value), type.isEdge() ? "edge" : type.isVertex() ? "vertex" : "whole", {}};
    for (mlir::OpOperand *reader : readers)
      if (unsigned number = stepOf.lookup(reader->getOwner()); left.readBy.empty() || left.readBy.back() != number)
        left.readBy.push_back(number);
    step.leaves.push_back(std::move(left));
  }
}

/// Why backward reads a field from memory instead of computing it again.
static std::pair<std::string, std::string> whyKept(Value value, star::Storage storage) {
  FieldType type = fieldOf(value);
  if (type.getElement().isInteger(1))
    return {"compact",
            storage == star::Storage::Bits ? "truth values: one bit an element" : "a truth value: one byte an element"};
  if (type.getElement().isInteger(64))
    return {"compact", "the edge that won: an index instead of the values"};
  auto launch = value.getDefiningOp<star::LaunchOp>();
  if (!launch)
    return {"kept", "computing it again would take a product"};
  auto kernel = mlir::SymbolTable::lookupNearestSymbolFrom<star::KernelOp>(launch, launch.getKernelAttr());
  unsigned index = llvm::cast<mlir::OpResult>(value).getResultNumber();
  unsigned numRows = kernel.getYield().getValues().size();
  if (kernel.isSweep() && index < numRows) {
    Value yielded = kernel.getYield().getValues()[index];
    for (unsigned i = 0; i < kernel.getAggregators().size(); ++i)
      if (kernel.getReduction(i) == yielded)
        return isa<gnn::LogSumExpAttr>(kernel.getAggregators()[i])
                   ? std::pair<std::string, std::string>(
                         "compact", "row statistics of a softmax: weights of edges are computed again from them")
                   : std::pair<std::string, std::string>("kept", "computing it again would take a sweep");
  }
  return {"kept", "forward stores it for a later step anyway, or it is cheaper to load than to compute again"};
}

void ProgramReporter::addKept() {
  for (Value value : fields) {
    const Origin &origin = origins[value];
    if (origin.step == 0 || origin.isGradient || report.steps[origin.step - 1].backward || !fieldOf(value).isVertex())
      continue;
    bool isRead = llvm::any_of(value.getUsers(), [&](Operation *user) {
      return stepOf.count(user) && report.steps[stepOf[user] - 1].backward;
    });
    if (!isRead)
      continue;
    auto [form, reason] = whyKept(value, star::storageOf(value, symbols));
    report.steps[origin.step - 1].keeps.push_back({sized(value), form, reason});
  }
}

void ProgramReporter::addTensors() {
  for (Value value : fields) {
    const Origin &origin = origins[value];
    FieldType type = fieldOf(value);
    TensorReport tensor;
    tensor.field = sized(value);
    tensor.from = tensor.until = origin.step;
    tensor.ofVertices = type.isVertex();
    bool isResult = false, isKept = false;
    for (Operation *user : value.getUsers()) {
      isResult |= isa<star::ReturnOp>(user);
      tensor.until = std::max(tensor.until, stepOf.lookup(user));
      isKept |= stepOf.count(user) && report.steps[stepOf[user] - 1].backward;
    }
    isKept &= origin.step > 0 && !origin.isGradient && !report.steps[origin.step - 1].backward;
    tensor.role = isResult                           ? "result"
                  : isKept                           ? "kept for backward"
                  : origin.isGradient && origin.step ? "gradient"
                  : origin.step                      ? "between steps"
                  : type.isParameter()               ? "parameter"
                                                     : "input";
    if (type.isEdge()) {
      report.edgeTensors.push_back(tensor.field);
      continue;
    }
    report.tensors.push_back(tensor);
  }
}

ProgramReport ProgramReporter::run() {
  report.name = program.getSymName().str();
  for (Operation &op : program.getBody().front().without_terminator()) {
    if (auto launch = llvm::dyn_cast<star::LaunchOp>(op))
      addLaunch(launch);
    else if (isa<star::MatMulOp, star::MatMulTNOp>(op))
      addProduct(op);
    else
      addLeaf(op);
  }
  addReaders();
  addKept();
  addTensors();
  return std::move(report);
}

//===----------------------------------------------------------------------===//
// Reports
//===----------------------------------------------------------------------===//

static int64_t sum(llvm::ArrayRef<SizedField> fields) {
  int64_t bytes = 0;
  for (const SizedField &field : fields)
    bytes += field.bytes;
  return bytes;
}

int64_t StepReport::edgeBytes() const {
  constexpr int64_t index = 4; // of the vertex at the other end
  return kind == "sweep" ? index + sum(gathers) + sum(edgeReads) + sum(edgeWrites) : 0;
}

int64_t StepReport::vertexBytes() const {
  constexpr int64_t offset = 8; // of the first edge
  return sum(vertexReads) + sum(vertexWrites) + (kind == "sweep" ? offset : 0);
}

double StepReport::intensity() const {
  int64_t bytes = kind == "sweep" ? edgeBytes() : vertexBytes();
  return bytes ? double(kind == "sweep" ? edgeFlops : vertexFlops) / bytes : 0;
}

std::string StepReport::bound() const {
  constexpr double balance = 8; // flops a byte: what a core computes while a byte comes from memory
  return intensity() < balance ? "memory" : "arithmetic";
}

Report gnnc::buildReport(mlir::ModuleOp module) {
  gnn::ModelAttr model = gnn::ModelAttr::of(module);
  gnn::CostModel sizes(model);
  Report report;
  report.model = model.getName().str();
  for (gnn::DimensionAttr dimension : model.getDimensions())
    if (dimension.getFixed() < 0)
      report.dimensions.emplace_back(dimension.getName().str(), sizes.dimension(dimension.getName()));
  for (auto program : module.getOps<star::ProgramOp>()) {
    if (std::string text = gnn::variantText(program); !text.empty())
      report.variants.push_back(program.getSymName().str() + " (" + text + ")");
    if (gnn::programKind(program.getSymName()) == program.getSymName())
      report.programs.push_back(ProgramReporter(program, sizes).run());
  }
  // The forward pass that frameworks run is that of inference: training moves work of the backward pass into it.
  auto infer = llvm::find_if(report.programs, [](const ProgramReport &program) { return program.name == "infer"; });
  if (infer != report.programs.end())
    for (ProgramReport &program : report.programs)
      program.messagePassing = infer->messagePassing;
  return report;
}
