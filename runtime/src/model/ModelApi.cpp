//===- ModelApi.cpp - Models in the C interface ---------------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/src/model/ModelApi.h"

#include "runtime/src/core/Options.h"
#include "runtime/src/model/Model.h"
#include "runtime/src/model/OpenEngine.h"

#include <algorithm>

using namespace gnn::rt;

Features gnn::rt::featuresOf(const gnn_input_t *inputs, uint32_t count, const Engine &engine) {
  require(inputs || count == 0, GNN_ERROR_ARGUMENT, "inputs is NULL");
  Features features;
  for (uint32_t i = 0; i < count; ++i) {
    const gnn_input_t &input = inputs[i];
    require(input.name, GNN_ERROR_ARGUMENT, "input ", i, " has no name");
    Feature &feature = features[input.name];
    require(!feature.dense && !feature.sparse, GNN_ERROR_ARGUMENT, "input ", input.name, " is given twice");
    if (input.dense) {
      const Tensor &given = input.dense->value;
      feature.dense = given.device() == engine.ordinal() ? given : given.onHost();
      continue;
    }
    require(input.indptr && input.indices && input.values, GNN_ERROR_ARGUMENT, "input ", input.name,
            " is neither dense nor has indptr, indices and values");
    feature.sparse = SparseMatrix(input.indptr->value.count() - 1, input.columns, input.indptr->value.onHost(),
                                  input.indices->value.onHost(), input.values->value.onHost(), input.name);
  }
  return features;
}

namespace {

/// All of them, or none.
void handOut(std::vector<std::pair<std::string, Tensor>> &outputs, gnn_tensor_t **out) {
  std::vector<std::unique_ptr<gnn_tensor_t>> handles;
  for (auto &output : outputs)
    handles.push_back(std::make_unique<gnn_tensor_t>(gnn_tensor_t{std::move(output.second)}));
  for (size_t i = 0; i < handles.size(); ++i)
    out[i] = handles[i].release();
}

/// `open` gives the library, with code for an instruction set by name.
template <class Open> gnn_model_t *makeModel(const gnn_model_options_t *given, const char *function, Open &&open) {
  const gnn_model_options_t options = readOptions(given, function);
  std::shared_ptr<const Library> library = open(options.isa ? options.isa : "");
  const std::optional<InputForm> form =
      parseInputForm(options.inputs ? options.inputs : "auto", "gnn_model_options_t: inputs");
  const PlanChoice plans = parsePlanChoice(options.plans ? options.plans : "tried", "gnn_model_options_t: plans");
  auto engine =
      openEngine(library, options.device ? options.device : "cpu", options.threads, options.device_bytes, plans);
  auto model = std::make_shared<Model>(std::move(library), std::move(engine));
  if (form)
    model->setInputForm(*form);
  return new gnn_model_t{std::move(model), options.device_outputs != 0};
}

} // namespace

extern "C" {

gnn_status_t gnn_model_open(const char *path, const gnn_model_options_t *options, gnn_model_t **out) {
  return guard([&] {
    require(path && out, GNN_ERROR_ARGUMENT, "gnn_model_open: NULL argument");
    *out = makeModel(options, "gnn_model_open", [&](const char *isa) { return Library::open(path, isa); });
  });
}

gnn_status_t gnn_model_from_table(const gnn_library_t *table, const gnn_model_options_t *options, gnn_model_t **out) {
  return guard([&] {
    require(table && out, GNN_ERROR_ARGUMENT, "gnn_model_from_table: NULL argument");
    *out = makeModel(options, "gnn_model_from_table",
                     [&](const char *isa) { return Library::fromTable(table, "the compiled library", isa); });
  });
}

gnn_status_t gnn_model_from_linked(const gnn_library_t *table, const char *name, const char *digest,
                                   const gnn_model_options_t *options, gnn_model_t **out) {
  return guard([&] {
    require(table && name && digest && out, GNN_ERROR_ARGUMENT, "gnn_model_from_linked: NULL argument");
    *out = makeModel(options, "gnn_model_from_linked", [&](const char *isa) {
      auto library = Library::fromTable(table, std::string("the linked library of ") + name, isa);
      const std::string found = manifestText(*table, "digest");
      require(library->name() == name && found == digest, GNN_ERROR_MISMATCH,
              "the program was compiled with the header of ", name, " with the digest ", digest,
              ", but is linked with a library of ", library->name(), " with the digest ", found,
              ": take the header of that library or, where two libraries have one name, write one of them under "
              "another (gnnc -o)");
      return library;
    });
  });
}

void gnn_model_destroy(gnn_model_t *model) { delete model; }

const char *gnn_model_name(const gnn_model_t *model) { return model->value->library()->table().name; }
const char *gnn_model_manifest(const gnn_model_t *model) { return model->value->library()->table().manifest; }
const char *gnn_model_isa(const gnn_model_t *model) { return model->value->engine().code().c_str(); }
const char *gnn_model_device(const gnn_model_t *model) { return model->value->engine().device().c_str(); }

gnn_status_t gnn_model_device_seconds(gnn_model_t *model, double *out) {
  return guard([&] {
    require(model && out, GNN_ERROR_ARGUMENT, "gnn_model_device_seconds: NULL argument");
    Model::Use use(*model->value);
    const std::optional<double> seconds = model->value->engine().deviceSeconds();
    require(seconds.has_value(), GNN_ERROR_ARGUMENT, "the model computes on the processor");
    *out = *seconds;
  });
}

gnn_status_t gnn_model_bind_dim(gnn_model_t *model, const char *name, int64_t value) {
  return guard([&] {
    require(model && name, GNN_ERROR_ARGUMENT, "gnn_model_bind_dim: NULL argument");
    Model::Use use(*model->value);
    model->value->dims().bind(name, value, "bound by the application");
  });
}

gnn_status_t gnn_model_dim(const gnn_model_t *model, const char *name, int64_t *out) {
  return guard([&] {
    require(model && name && out, GNN_ERROR_ARGUMENT, "gnn_model_dim: NULL argument");
    Model::Use use(*model->value, Model::Use::Shared);
    *out = model->value->dims().value(name);
  });
}

gnn_status_t gnn_model_initialize(gnn_model_t *model, uint64_t seed) {
  return guard([&] {
    require(model, GNN_ERROR_ARGUMENT, "gnn_model_initialize: NULL argument");
    Model::Use use(*model->value);
    model->value->initialize(seed);
  });
}

gnn_status_t gnn_model_load(gnn_model_t *model, const char *path) {
  return guard([&] {
    require(model && path, GNN_ERROR_ARGUMENT, "gnn_model_load: NULL argument");
    Model::Use use(*model->value);
    model->value->load(path);
  });
}

gnn_status_t gnn_model_save(const gnn_model_t *model, const char *path) {
  return guard([&] {
    require(model && path, GNN_ERROR_ARGUMENT, "gnn_model_save: NULL argument");
    Model::Use use(*model->value);
    model->value->save(path);
  });
}

uint32_t gnn_model_num_parameters(const gnn_model_t *model) { return uint32_t(model->value->parameters().size()); }

const char *gnn_model_parameter_name(const gnn_model_t *model, uint32_t index) {
  return model->value->library()->tensor(model->value->parameters()[index]).name;
}

gnn_status_t gnn_model_parameter(gnn_model_t *model, const char *name, gnn_tensor_t **out) {
  return guard([&] {
    require(model && name && out, GNN_ERROR_ARGUMENT, "gnn_model_parameter: NULL argument");
    Model::Use use(*model->value);
    Model &owner = *model->value;
    std::optional<uint32_t> index = owner.library()->findTensor(name);
    const std::vector<uint32_t> &known = owner.parameters();
    require(index && std::count(known.begin(), known.end(), *index), GNN_ERROR_ARGUMENT, owner.library()->name(),
            " has no parameter '", name, "'");
    owner.materialize();
    *out = new gnn_tensor_t{owner.parameter(*index).lent()};
  });
}

uint32_t gnn_model_num_outputs(const gnn_model_t *model) {
  const gnn_program_t *program = model->value->library()->program(GNN_PROGRAM_INFER);
  return program ? program->num_results : 0;
}

const char *gnn_model_output_name(const gnn_model_t *model, uint32_t index) {
  const Library &library = *model->value->library();
  return library.tensor(library.program(GNN_PROGRAM_INFER)->results[index]).name;
}

gnn_status_t gnn_model_infer(gnn_model_t *model, const gnn_graph_t *graph, const gnn_input_t *inputs,
                             uint32_t num_inputs, gnn_tensor_t **out) {
  return guard([&] {
    require(model && graph && out, GNN_ERROR_ARGUMENT, "gnn_model_infer: NULL argument");
    Model::Use use(*model->value, Model::Use::Shared);
    auto outputs = model->value->inference().infer(graph->value, featuresOf(inputs, num_inputs, model->value->engine()),
                                                   model->staysThere);
    handOut(outputs, out);
  });
}

gnn_status_t gnn_model_infer_at(gnn_model_t *model, const gnn_graph_t *graph, const gnn_input_t *inputs,
                                uint32_t num_inputs, const char *vertex_type, const gnn_tensor_t *vertices,
                                gnn_tensor_t **out) {
  return guard([&] {
    require(model && graph && vertices && out, GNN_ERROR_ARGUMENT, "gnn_model_infer_at: NULL argument");
    require(vertices->value.element() == GNN_I64 && vertices->value.rank() == 1, GNN_ERROR_ARGUMENT,
            "gnn_model_infer_at: vertices are i64 [any]");
    Model::Use use(*model->value, Model::Use::Shared);
    const Tensor ids = vertices->value.onHost();
    auto outputs =
        model->value->inference().inferAt(graph->value, featuresOf(inputs, num_inputs, model->value->engine()),
                                          vertex_type ? vertex_type : "", {ids.data<int64_t>(), size_t(ids.count())});
    handOut(outputs, out);
  });
}

} // extern "C"
