//===- ReportJson.cpp - The report as JSON --------------------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/Explain/Report.h"
#include <nlohmann/json.hpp>

using Json = nlohmann::ordered_json;
using namespace gnnc;

static Json toJson(const SourcePlace &place);
static Json toJson(const SizedField &field);
static Json toJson(const KeptField &kept);
static Json toJson(const LeftField &left);
static Json toJson(const TensorReport &tensor);
static Json toJson(const StepReport &step);

template <typename T> static Json listOf(const std::vector<T> &list) {
  Json json = Json::array();
  for (const T &entry : list)
    json.push_back(toJson(entry));
  return json;
}

static Json toJson(const SourcePlace &place) {
  return {{"file", place.file}, {"line", place.line}, {"column", place.column}};
}

static Json toJson(const SizedField &field) {
  return {{"name", field.name}, {"type", field.type}, {"bytes", field.bytes}};
}

static Json toJson(const KeptField &kept) {
  Json json = toJson(kept.field);
  json["form"] = kept.form;
  json["reason"] = kept.reason;
  return json;
}

static Json toJson(const LeftField &left) {
  Json json = toJson(left.field);
  json["of"] = left.of;
  json["read_by"] = left.readBy;
  return json;
}

static Json toJson(const TensorReport &tensor) {
  Json json = toJson(tensor.field);
  json["role"] = tensor.role;
  json["of"] = tensor.ofVertices ? "vertices" : "parameters";
  json["from_step"] = tensor.from;
  json["until_step"] = tensor.until;
  return json;
}

static Json toJson(const StepReport &step) {
  Json json = {{"step", step.number}, {"kind", step.kind},         {"kernel", step.kernel},
               {"over", step.over},   {"backward", step.backward}, {"place", toJson(step.place)}};
  json["fused"] = {{"per_edge", listOf(step.perEdge)}, {"per_vertex", listOf(step.perVertex)},
                   {"edge_ops", step.edgeOps},         {"vertex_ops", step.vertexOps},
                   {"reductions", step.reductions},    {"softmax_sums", step.softmaxSums}};
  json["schedule"] = Json::object();
  for (const auto &[knob, value] : step.schedule)
    json["schedule"][knob] = value;
  if (step.threads)
    json["threads"] = step.threads;
  if (step.ofBf16)
    json["product_inputs"] = "bf16";
  json["recomputes"] = listOf(step.recomputes);
  json["leaves"] = listOf(step.leaves);
  json["keeps"] = listOf(step.keeps);
  json["stops"] = step.stops;
  if (step.kind == "sweep")
    json["edge"] = {{"bytes", step.edgeBytes()},
                    {"gathers", listOf(step.gathers)},
                    {"reads", listOf(step.edgeReads)},
                    {"writes", listOf(step.edgeWrites)},
                    {"flops", step.edgeFlops}};
  json["vertex"] = {{"bytes", step.vertexBytes()},
                    {"reads", listOf(step.vertexReads)},
                    {"writes", listOf(step.vertexWrites)},
                    {"flops", step.vertexFlops}};
  json["whole"] = listOf(step.whole);
  json["flops_per_byte"] = step.intensity();
  json["bound"] = step.bound();
  return json;
}

std::string gnnc::reportJson(const Report &report) {
  Json json = {{"model", report.model},
               {"dimensions", Json::object()},
               {"programs", Json::array()},
               {"variants", report.variants}};
  for (const auto &[name, value] : report.dimensions)
    json["dimensions"][name] = value;
  for (const ProgramReport &program : report.programs)
    json["programs"].push_back({{"name", program.name},
                                {"steps", listOf(program.steps)},
                                {"tensors", listOf(program.tensors)},
                                {"edge_tensors", listOf(program.edgeTensors)},
                                {"message_passing", listOf(program.messagePassing)}});
  return json.dump(2, ' ', /*ensure_ascii=*/false, Json::error_handler_t::replace) + "\n";
}
