//===- Manifest.cpp - What a library says about itself --------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Keys are in the order in which a reader wants them.
//
//===----------------------------------------------------------------------===//

#include "compiler/Target/Library/Manifest.h"
#include "compiler/Version.h"
#include "dialects/Gnn/IR/ProgramVariants.h"
#include "dialects/Gnn/IR/SourceName.h"
#include "dialects/Star/IR/Star.h"
#include <nlohmann/json.hpp>

using namespace gnnc;
using Json = nlohmann::ordered_json;

static constexpr int schemaVersion = 1;

static Json orNull(int64_t value) { return value < 0 ? Json() : Json(value); }

static std::string elementName(mlir::Type type) {
  std::string name;
  llvm::raw_string_ostream(name) << type;
  return name == "i1" ? "bool" : name;
}

/// Name, shape and element type, and what there is one value for.
static Json describeField(llvm::StringRef name, gnn::FieldType type, gnn::ModelAttr model) {
  Json shape = Json::array();
  for (mlir::StringAttr dim : type.getDims())
    shape.push_back(dim.str());
  Json result = {{"name", name.str()}};
  if (type.isVertex())
    result["vertex_type"] = model.getVertexTypes()[type.getId()].getName().str();
  else if (type.isEdge())
    result["relation"] = model.getRelations()[type.getId()].getName().str();
  result["shape"] = shape;
  result["element"] = elementName(type.getElement());
  return result;
}

template <typename Range, typename Function> static Json list(Range &&range, Function describe) {
  Json result = Json::array();
  for (auto element : range)
    result.push_back(describe(element));
  return result;
}

static Json describeDim(gnn::DimensionAttr dim) {
  return {{"name", dim.getName().str()},
          {"value", orNull(dim.getFixed())},
          {"default", orNull(dim.getFallback())},
          {"doc", dim.getDoc().str()}};
}

/// Whether a dimension is the number of vertices of the graph that the model runs over. (That of vertices with
/// parameters is the model's.)
static bool isOfGraph(gnn::DimensionAttr dim, gnn::ModelAttr model) {
  auto hasDim = [&](gnn::ParameterAttr param) {
    return llvm::any_of(param.getType().getDims(),
                        [&](mlir::StringAttr extent) { return extent.getValue() == dim.getName(); });
  };
  for (auto [id, type] : llvm::enumerate(model.getVertexTypes())) {
    auto isColumns = [id = id](gnn::RelationAttr relation) {
      return relation.getSparseInput() && relation.getSource() == id;
    };
    if (type.getRows() == dim.getName() && llvm::none_of(model.getRelations(), isColumns))
      return llvm::none_of(model.getParams(), hasDim);
  }
  return false;
}

static Json describeRelation(gnn::RelationAttr relation, gnn::ModelAttr model) {
  auto typeName = [&](unsigned id) { return model.getVertexTypes()[id].getName().str(); };
  return {{"name", relation.getName().str()},
          {"source", typeName(relation.getSource())},
          {"destination", typeName(relation.getDestination())},
          {"sparse_input", relation.getSparseInput()},
          {"self_loops", relation.getSelfLoops()},
          {"one_loop", relation.getOneLoop()},
          {"no_loops", relation.getNoLoops()},
          {"loop_kinds", relation.getLoopKinds()},
          {"symmetric", relation.getSymmetric()},
          {"inverse_relations", relation.getInverseRelations()}};
}

static Json describeParam(gnn::ParameterAttr param, gnn::ModelAttr model) {
  Json result = describeField(param.getName(), param.getType(), model);
  result["trained"] = !param.getState();
  result["init"] = gnn::stringifyInit(param.getInit()).str();
  result["init_arg"] = param.getInitArg() ? param.getInitArg().getValueAsDouble() : 0.0;
  result["doc"] = param.getDoc().str();
  return result;
}

static Json describeInput(gnn::InputAttr input, gnn::ModelAttr model) {
  Json result = describeField(input.getName(), input.getType(), model);
  if (input.getSparse()) {
    // The caller binds rows of vertices; that they are a relation inside is ours.
    gnn::RelationAttr relation = model.getRelations()[input.getType().getId()];
    result.erase("relation");
    result["vertex_type"] = model.getVertexTypes()[relation.getDestination()].getName().str();
    result["shape"] = Json::array({model.getVertexTypes()[relation.getSource()].getRows().str()});
  }
  result["sparse"] = input.getSparse();
  result["row_normalized"] = input.getRowNormalized();
  result["doc"] = input.getDoc().str();
  return result;
}

static Json describeTraining(gnn::ModelAttr model) {
  gnn::TrainingAttr training = model.getTraining();
  int64_t lossOutput = training.getLossOutput();
  return {{"loss", training.getLoss().str()},
          {"loss_output", lossOutput < 0 ? Json() : Json(model.getOutputs()[lossOutput].getName().str())},
          {"optimizer", training.getOptimizer().str()},
          {"learning_rate", training.getLearningRate().getValueAsDouble()},
          {"weight_decay", training.getWeightDecay().getValueAsDouble()},
          {"decayed_layers", list(training.getDecayedLayers(), [](mlir::StringAttr name) { return Json(name.str()); })},
          {"epochs", training.getEpochs()},
          {"patience", training.getPatience()}};
}

static Json describeProgram(const ProgramImage &program) {
  auto count = [&](uint32_t kind) {
    return llvm::count_if(program.steps, [=](const StepImage &step) { return step.kind == kind; });
  };
  int32_t hops = 0;
  for (const StepImage &step : program.steps)
    hops = std::max({hops, step.rowDepth, step.colDepth});
  static const char *const kinds[] = {"infer", "train", "evaluate", "vjp", "vjp_train"};
  Json result = {{"name", kinds[program.kind]},
                 {"sweeps", count(GNN_STEP_SWEEP)},
                 {"maps", count(GNN_STEP_MAP)},
                 {"products", count(GNN_STEP_MATMUL) + count(GNN_STEP_MATMUL_TN)},
                 {"hops", hops}};
  if (!program.orders.empty())
    result["orders"] = program.orders;
  if (!program.inputs.empty())
    result["inputs"] = program.inputs;
  return result;
}

static Json describeKernel(star::KernelOp kernel) {
  Json result = {{"name", kernel.getSymName().str()},
                 {"kind", star::stringifyKernelKind(kernel.getKind()).str()},
                 {"source", nullptr}};
  kernel.getLoc()->walk([&](mlir::Location loc) {
    auto place = llvm::dyn_cast<mlir::FileLineColLoc>(loc);
    if (!place)
      return mlir::WalkResult::advance();
    result["source"] = {{"file", gnn::sourceFileName(place.getFilename())}, {"line", place.getLine()}};
    return mlir::WalkResult::interrupt();
  });
  return result;
}

std::string gnnc::manifestOf(mlir::ModuleOp module, const LibraryImage &image) {
  gnn::ModelAttr model = gnn::ModelAttr::of(module);
  const llvm::SmallVector<gnn::InputAttr> inputs = gnn::declaredInputs(model);
  auto isTarget = [](gnn::InputAttr input) { return input.getTarget(); };
  auto describeOne = [&](gnn::InputAttr input) { return describeInput(input, model); };
  auto isOfModel = [&](gnn::DimensionAttr dim) { return !isOfGraph(dim, model); };
  auto describeVertexType = [&](gnn::VertexTypeAttr type) {
    bool isCounted = llvm::any_of(model.getDimensions(), [&](gnn::DimensionAttr dim) {
      return dim.getName() == type.getRows() && isOfGraph(dim, model);
    });
    return Json{{"name", type.getName().str()},
                {"rows", type.getRows().empty() || isCounted ? Json() : Json(type.getRows().str())}};
  };
  auto describeOutput = [&](gnn::OutputAttr output) {
    Json result = describeField(output.getName(), output.getType(), model);
    result["doc"] = output.getDoc().str();
    return result;
  };

  Json manifest = {
      {"schema", schemaVersion},
      {"gnnc", gnncVersion},
      {"abi", GNN_ABI_VERSION},
      {"model", model.getName().str()},
      {"digest", image.digest},
      {"command", image.command},
      {"doc", model.getDoc().str()},
      {"real", elementName(model.getReal())},
      {"isas", list(image.isas, [](const IsaImage &isa) { return Json(isa.name); })},
      {"devices", list(image.chips, [](const std::string &chip) { return Json(chip); })},
      {"dims", list(llvm::make_filter_range(model.getDimensions(), isOfModel), describeDim)},
      {"vertex_types", list(model.getVertexTypes(), describeVertexType)},
      {"relations",
       list(model.getRelations(), [&](gnn::RelationAttr relation) { return describeRelation(relation, model); })},
      {"params", list(model.getParams(), [&](gnn::ParameterAttr param) { return describeParam(param, model); })},
      {"inputs", list(llvm::make_filter_range(inputs, std::not_fn(isTarget)), describeOne)},
      {"targets", list(llvm::make_filter_range(inputs, isTarget), describeOne)},
      {"outputs", list(model.getOutputs(), describeOutput)},
      {"programs", list(image.programs, describeProgram)},
      {"kernels", list(module.getOps<star::KernelOp>(), describeKernel)}};
  if (model.getTraining())
    manifest["training"] = describeTraining(model);
  return manifest.dump(2, ' ', /*ensure_ascii=*/false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}
