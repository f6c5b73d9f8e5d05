//===- CompiledRun.cpp - What compiled code computes ----------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Turns a scenario into features and parameters of the runtime and results back into doubles.
//
//===----------------------------------------------------------------------===//

#include "test/Verify/CompiledRun.h"
#include "compiler/Interpreter/Context.h"
#include "gnn/error.hpp"
#include "runtime/src/exec/WholeGraph.h"
#include <cassert>

using namespace gnn::rt;

namespace gnnc::verify {

static Tensor tensorOf(const std::vector<double> &numbers, uint32_t element, std::vector<int64_t> shape) {
  Tensor doubles = Tensor::of(numbers, std::move(shape));
  return element == GNN_F64 ? doubles : doubles.converted(element, "scenario");
}

static std::vector<double> numbersOf(const Tensor &tensor) {
  const Tensor doubles = tensor.element() == GNN_F64 ? tensor : tensor.converted(GNN_F64, "result");
  return {doubles.data<double>(), doubles.data<double>() + doubles.count()};
}

static uint32_t elementOf(ElementKind element, uint32_t real) {
  switch (element) {
  case ElementKind::Real:
    return real;
  case ElementKind::F32:
    return GNN_F32;
  case ElementKind::F64:
    return GNN_F64;
  case ElementKind::I32:
    return GNN_I32;
  case ElementKind::I64:
    return GNN_I64;
  default:
    return GNN_BOOL;
  }
}

/// The CSR of a sparse input, whose nonzeros a scenario lists vertex by vertex.
static SparseMatrix sparseFeature(const OracleGraph &incidence, const std::vector<double> &values, int64_t rows,
                                  int64_t columns, uint32_t real) {
  std::vector<int64_t> indptr(rows + 1, 0);
  for (int64_t vertex : incidence.dst)
    ++indptr[vertex + 1];
  for (int64_t vertex = 0; vertex < rows; ++vertex)
    indptr[vertex + 1] += indptr[vertex];
  return SparseMatrix(rows, columns, Tensor::of(indptr), Tensor::of(incidence.src),
                      tensorOf(values, real, {int64_t(values.size())}), "scenario");
}

/// The features of a scenario, as a data set would have them.
static Features featuresOf(const CheckedModel &model, const Scenario &scenario, uint32_t real) {
  const OracleBindings &bindings = scenario.bindings;
  const OracleContext context(model, bindings);
  Features features;
  for (const Value &value : model.values) {
    if (value.kind != ValueKind::Input && value.kind != ValueKind::Target)
      continue;
    const bool ofEdges = value.type.kind == GraphKind::E;
    if (ofEdges && model.relations[value.type.type].isSparseInput) {
      const int64_t columns = context.numVertices(model.relations[value.type.type].sourceType);
      features[value.name].sparse = sparseFeature(context.relation(value.type.type), bindings.inputs.at(value.name),
                                                  scenario.bindings.numVertices[0], columns, real);
      continue;
    }
    const std::vector<double> &numbers =
        ofEdges ? scenario.givenEdgeInputs.at(value.name) : bindings.inputs.at(value.name);
    std::vector<int64_t> shape = context.zeros(value.type).shape;
    shape.insert(shape.begin(),
                 ofEdges ? int64_t(scenario.given[value.type.type].src.size()) : context.numVertices(value.type.type));
    features[value.name].dense = tensorOf(numbers, elementOf(value.type.element, real), shape);
  }
  return features;
}

static Dims bindAllDims(const std::shared_ptr<const Library> &library, const CheckedModel &model,
                        const Scenario &scenario) {
  Dims dims(library);
  for (const Dimension &dim : model.dims)
    if (std::optional<int64_t> size = evaluateDim(model, scenario.bindings, DimExpr::name(dim.name)))
      dims.bind(dim.name, *size, "scenario");
  dims.finish();
  return dims;
}

static std::shared_ptr<const Graph> prepareGraph(const OracleGraph &given, int64_t numVertices, bool degreeOrder) {
  EdgeOptions options;
  options.order = degreeOrder ? GNN_ORDER_DEGREE : GNN_ORDER_GIVEN;
  return Graph::fromEdges({given.src.data(), given.src.size()}, {given.dst.data(), given.dst.size()}, numVertices,
                          options);
}

/// Parameters and states by library index.
static std::map<uint32_t, Tensor> parametersOf(const Library &library, const Dims &dims, const Scenario &scenario) {
  std::map<uint32_t, Tensor> parameters;
  for (uint32_t i = 0; i < library.tensors().size(); ++i) {
    const gnn_tensor_info_t &info = library.tensor(i);
    if (info.role == GNN_ROLE_PARAM || info.role == GNN_ROLE_STATE)
      parameters[i] = tensorOf(scenario.bindings.params.at(info.name), info.element, dims.shapeOf(info));
  }
  return parameters;
}

static uint32_t kindOf(Program program) {
  return program == Program::Infer   ? GNN_PROGRAM_INFER
         : program == Program::Train ? GNN_PROGRAM_TRAIN
                                     : GNN_PROGRAM_EVALUATE;
}

/// Results in the order that program.h states for each kind of program.
static CompiledResults collect(const Library &library, const CheckedModel &model, const Binding &binding,
                               const WholeGraph &executor, const gnn_program_t &program) {
  CompiledResults results;
  for (uint32_t i = 0; i < program.num_results; ++i) {
    const gnn_tensor_info_t &info = library.tensor(program.results[i]);
    const std::vector<double> numbers = numbersOf(binding.inOriginalOrder(info, executor.result(i)));
    if (info.role == GNN_ROLE_GRAD)
      results.gradients[library.tensor(info.source).name] = numbers;
    else if (program.kind == GNN_PROGRAM_TRAIN)
      results.loss = numbers.at(0);
    else if (i < model.outputs.size())
      results.outputs[model.outputs[i].name] = numbers;
    else if (i == model.outputs.size())
      results.vertexLosses = numbers;
  }
  return results;
}

bool canRun(const std::string &path, const std::string &isa) {
  try {
    Library::open(path, isa);
    return true;
  } catch (const gnn::Error &error) {
    if (error.code() == GNN_ERROR_MISMATCH)
      return false;
    throw;
  }
}

CompiledResults runCompiled(const std::string &path, const CheckedModel &model, const Scenario &scenario, Program kind,
                            const RunOptions &options) {
  const std::shared_ptr<const Library> library = Library::open(path, options.isa);
  const gnn_program_t *program = library->program(kindOf(kind));
  if (!program)
    throw gnn::Error(GNN_ERROR_MISMATCH, path + " has no such program");
  const Dims dims = bindAllDims(library, model, scenario);
  Binding binding(library, dims, prepareGraph(scenario.given[0], scenario.bindings.numVertices[0], options.degreeOrder),
                  featuresOf(model, scenario, library->table().real), /*withTargets=*/kind != Program::Infer,
                  "scenario");
  if (kind == Program::Train)
    binding.setLossRows({scenario.lossRows.data(), scenario.lossRows.size()});
  std::map<uint32_t, Tensor> parameters = parametersOf(*library, dims, scenario);
  Team team(options.threads);
  WholeGraph executor(*library, dims, binding, *program, team);
  for (auto &[index, tensor] : parameters)
    executor.place(index, tensor.mutableData());
  executor.run(stepKey(scenario.bindings.seed, scenario.bindings.step));
  return collect(*library, model, binding, executor, *program);
}

} // namespace gnnc::verify
