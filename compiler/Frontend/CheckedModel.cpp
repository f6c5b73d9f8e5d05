//===- CheckedModel.cpp - Prints checked models -----------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The printed form of a CheckedModel, for tests and for reading.
//
//===----------------------------------------------------------------------===//

#include "compiler/Frontend/CheckedModel.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include <cstdio>
#include <cstdlib>

using namespace gnnc;

namespace {

llvm::StringRef name(GraphKind kind) {
  static constexpr llvm::StringLiteral names[] = {"P", "V", "S", "D", "E"};
  return names[static_cast<unsigned>(kind)];
}

llvm::StringRef name(ElementKind kind) {
  static constexpr llvm::StringLiteral names[] = {"real", "f32", "f64", "i32", "i64", "bool"};
  return names[static_cast<unsigned>(kind)];
}

llvm::StringRef name(Reduction reduction) {
  static constexpr llvm::StringLiteral names[] = {"sum", "mean", "max", "min", "count", "logsumexp", "prod", "var"};
  return names[static_cast<unsigned>(reduction)];
}

llvm::StringRef name(Initializer init) {
  static constexpr llvm::StringLiteral names[] = {"zeros",           "ones",    "glorot_uniform", "glorot_normal",
                                                  "kaiming_uniform", "uniform", "normal",         "constant"};
  return names[static_cast<unsigned>(init)];
}

llvm::StringRef name(ValueKind kind) {
  static constexpr llvm::StringLiteral names[] = {"input",
                                                  "target",
                                                  "param",
                                                  "state",
                                                  "constant",
                                                  "training",
                                                  "in_degree",
                                                  "out_degree",
                                                  "edge_type",
                                                  "vertex_id",
                                                  "rows",
                                                  "dropout_mask",
                                                  "neg",
#define UNARY(KIND, NAME, USAGE, DOC) NAME,
#include "compiler/Frontend/Functions.def"
                                                  "not",
                                                  "cast",
                                                  "add",
                                                  "sub",
                                                  "mul",
                                                  "div",
#define BINARY(KIND, NAME, OPERANDS, CONSTANT, USAGE, DOC) NAME,
#include "compiler/Frontend/Functions.def"
                                                  "equal",
                                                  "not_equal",
                                                  "less",
                                                  "less_equal",
                                                  "greater",
                                                  "greater_equal",
                                                  "and",
                                                  "or",
                                                  "select",
                                                  "stop_gradient",
                                                  "broadcast",
                                                  "reduce",
                                                  "matmul",
                                                  "reshape",
                                                  "concat",
                                                  "pad",
                                                  "slice",
                                                  "transpose",
                                                  "index",
                                                  "typed_matmul",
                                                  "read_source",
                                                  "read_destination",
                                                  "aggregate",
                                                  "softmax",
                                                  "total",
                                                  "cross_entropy",
                                                  "binary_cross_entropy",
                                                  "mean_squared_error"};
  static_assert(std::size(names) == static_cast<size_t>(ValueKind::MeanSquaredError) + 1);
  return names[static_cast<unsigned>(kind)];
}

/// The shortest decimal that reads back as `number`.
std::string shortest(double number) {
  char text[32];
  for (int precision = 6; precision <= 17; ++precision) {
    std::snprintf(text, sizeof text, "%.*g", precision, number);
    if (std::strtod(text, nullptr) == number)
      break;
  }
  return text;
}

struct Printer {
  const CheckedModel &model;
  llvm::raw_ostream &os;

  void shape(const Shape &dims) {
    os << '[';
    llvm::interleaveComma(dims, os, [&](const DimExpr &dim) { os << dim.str(); });
    os << ']';
  }

  void type(const ValueType &t) {
    os << name(t.kind);
    if (t.type)
      os << '(' << t.type << ')';
    os << ' ';
    shape(t.shape);
    if (t.element != ElementKind::Real)
      os << ' ' << name(t.element);
  }

  void tables() {
    for (const Dimension &dim : model.dims) {
      os << "  dim " << dim.name;
      if (dim.fixed >= 0)
        os << " fixed " << dim.fixed;
      if (dim.fallback >= 0)
        os << " default " << dim.fallback;
      if (dim.vertexType >= 0)
        os << " of vertices " << dim.vertexType;
      os << '\n';
    }
    for (size_t i = 0; i < model.vertexTypes.size(); ++i) {
      os << "  vertices " << i << ' ' << model.vertexTypes[i].name;
      if (model.vertexTypes[i].rows != DimExpr(0))
        os << " rows " << model.vertexTypes[i].rows.str();
      os << '\n';
    }
    for (size_t i = 0; i < model.relations.size(); ++i) {
      const Relation &relation = model.relations[i];
      os << "  relation " << i << ' ' << relation.name << " from " << relation.sourceType << " to "
         << relation.destinationType << (relation.isSparseInput ? " sparse" : "")
         << (relation.transforms.selfLoops ? " self_loops" : "") << (relation.transforms.oneLoop ? " one_loop" : "")
         << (relation.transforms.marksLoops ? " mark_loops" : "") << (relation.transforms.noLoops ? " no_loops" : "")
         << (relation.transforms.loopKinds ? " loop_kinds" : "") << (relation.transforms.symmetric ? " symmetric" : "")
         << (relation.transforms.inverseRelations ? " inverse_relations" : "") << (relation.isPairs ? " pairs" : "");
      if (relation.isTyped)
        os << " types " << relation.types.str();
      os << '\n';
    }
    for (const Input &input : model.inputs) {
      os << (input.isTarget ? "  target " : "  input ") << input.name << " : ";
      type(input.type);
      os << (input.sparse ? " sparse" : "") << (input.rowNormalized ? " row_normalized" : "") << '\n';
    }
    for (const Parameter &param : model.params) {
      os << (param.isState ? "  state " : "  param ") << param.name << " : ";
      shape(param.shape);
      os << ' ' << name(param.init);
      if (param.init >= Initializer::Uniform)
        os << '(' << shortest(param.initArgument) << ')';
      os << " fan " << param.fanIn.str() << ", " << param.fanOut.str() << '\n';
    }
  }

  /// Prints the attributes of a value.
  void attributes(const Value &value) {
    switch (value.kind) {
    case ValueKind::Constant:
      os << ' ' << shortest(value.number);
      break;
    case ValueKind::DropoutMask:
      os << " site " << value.site << " p " << shortest(value.number);
      break;
    case ValueKind::Broadcast:
    case ValueKind::Reduce:
    case ValueKind::Concat:
    case ValueKind::Transpose:
      os << " dims [";
      llvm::interleaveComma(value.dims, os);
      os << ']';
      break;
    case ValueKind::Slice:
      os << " dims [" << value.dims[0] << "] from " << value.offset.str();
      break;
    case ValueKind::Aggregate:
    case ValueKind::Softmax:
      os << (value.toward == End::Destination ? " toward destination" : " toward source")
         << (value.filtered ? " filtered" : "") << (value.byType ? " by type" : "");
      [[fallthrough]];
    case ValueKind::ReadSource:
    case ValueKind::ReadDestination:
    case ValueKind::InDegree:
    case ValueKind::OutDegree:
    case ValueKind::EdgeType:
      if (value.relation)
        os << " over " << value.relation;
      break;
    default:
      break;
    }
  }

  void value(unsigned id) {
    const Value &v = model.values[id];
    os << "  %" << id << " : ";
    type(v.type);
    os << " = " << name(v.kind);
    if (v.kind == ValueKind::Aggregate || v.kind == ValueKind::Reduce || v.kind == ValueKind::Total)
      os << ' ' << name(v.reduction);
    for (size_t i = 0; i < v.operands.size(); ++i)
      os << (i ? ", %" : " %") << v.operands[i];
    attributes(v);
    if (!v.name.empty() || v.hops)
      os << "  //";
    if (!v.name.empty())
      os << ' ' << v.name;
    if (v.hops)
      os << " hops " << v.hops;
    os << '\n';
  }

  void training() {
    const TrainingDefaults &t = model.training;
    os << "  train " << t.optimizer << " lr " << shortest(t.learningRate) << " weight_decay "
       << shortest(t.weightDecay);
    if (!t.decayedLayers.empty())
      os << " on " << llvm::join(t.decayedLayers, ", ");
    os << " epochs " << t.epochs;
    if (t.patience >= 0)
      os << " patience " << t.patience;
    os << '\n';
  }
};

} // namespace

void CheckedModel::print(llvm::raw_ostream &os) const {
  Printer printer{*this, os};
  os << "model " << name << '\n';
  printer.tables();
  for (unsigned id = 0; id < values.size(); ++id)
    printer.value(id);
  for (const Output &output : outputs)
    os << "  output " << output.name << " = %" << output.value << '\n';
  for (const StateUpdate &update : stateUpdates)
    os << "  update " << params[update.state].name << " = %" << update.value << '\n';
  if (loss >= 0) {
    os << "  loss " << lossKind << " = %" << loss;
    if (lossOutput >= 0)
      os << " of " << outputs[lossOutput].name;
    os << '\n';
    printer.training();
  }
}
