//===- ArgumentTable.cpp - Arguments that the import reads ----------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/Import/ArgumentTable.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringRef.h"

using namespace gnnc::pt2;

/// Rows of the table: ops, then their arguments by the names of PyTorch's schema.
///   self          raising and the evaluator read it
///   alpha=1       has to be left out, none, or this number
///   dtype:real    has to be left out, none, float32 or float64
///   device*       does not change the values
static const std::pair<const char *, const char *> rows[] = {
    {"relu sigmoid tanh exp log sqrt rsqrt abs silu square reciprocal bitwise_not logical_not", "self"},
    {"elu", "self alpha=1 scale=1 input_scale=1"},
    {"mul maximum minimum eq ne lt le gt ge", "self other"},
    {"div", "self other rounding_mode=none"},
    {"pow", "self exponent"},
    {"add sub rsub", "self other alpha"},
    {"clamp", "self min max"},
    {"clamp_min", "self min"},
    {"leaky_relu", "self negative_slope"},
    {"where", "condition self other"},
    {"masked_fill", "self mask value"},
    {"alias detach lift_fresh_copy t numpy_T", "self"},
    {"clone contiguous", "self memory_format*"},
    {"to _to_copy", "self dtype:real layout=7 device* pin_memory* non_blocking* copy* memory_format*"},
    {"dropout native_dropout", "input p train=0"},
    {"full", "size fill_value dtype:real layout=7 device* pin_memory*"},
    {"zeros ones", "size dtype:real layout=7 device* pin_memory*"},
    {"scalar_tensor", "s dtype:real layout=7 device* pin_memory*"},
    {"new_full", "self size fill_value dtype:real layout=7 device* pin_memory*"},
    {"new_zeros new_ones", "self size dtype:real layout=7 device* pin_memory*"},
    {"full_like", "self fill_value dtype:real layout=7 device* pin_memory* memory_format*"},
    {"zeros_like ones_like", "self dtype:real layout=7 device* pin_memory* memory_format*"},
    {"view _unsafe_view", "self size"},
    {"reshape", "self shape"},
    {"expand", "self size implicit=0"},
    {"expand_as", "self other"},
    {"permute", "self dims"},
    {"transpose", "self dim0 dim1"},
    {"unsqueeze squeeze sym_size", "self dim"},
    {"linear", "input weight bias"},
    {"matmul", "self other"},
    {"mm", "self mat2"},
    {"addmm", "self mat1 mat2 beta alpha"},
    {"batch_norm", "input weight bias running_mean running_var training=0 momentum* eps cudnn_enabled*"},
    {"_native_batch_norm_legit_no_training", "input weight bias running_mean running_var momentum* eps"},
    {"layer_norm", "input normalized_shape weight bias eps cudnn_enable*"},
    {"native_layer_norm", "input normalized_shape weight bias eps"},
    {"softmax log_softmax", "self dim dtype:real"},
    {"_softmax _log_softmax", "self dim half_to_float=0"},
    {"sum mean", "self dim keepdim dtype:real"},
    {"amax amin", "self dim keepdim"},
    {"max", "self dim keepdim=0"},
    {"std var", "self unbiased dim correction keepdim=0"},
    {"linalg_vector_norm", "self ord dim keepdim dtype:real"},
    {"stack", "tensors dim"},
    {"arange", "start end step dtype* layout=7 device* pin_memory*"},
    {"repeat", "self repeats"},
    {"select", "self dim index"},
    {"index", "self indices"},
    {"index_select", "self dim index"},
    {"cat", "tensors dim"},
    {"scatter_add", "self dim index src"},
    {"index_add", "self dim index source alpha"},
    {"index_put", "self indices values accumulate"},
    {"scatter_reduce", "self dim index src reduce include_self"},
};

using Rules = llvm::StringMap<std::string>; // of an op: what may follow each name, `=1`, `:real`, `*` or nothing

static llvm::StringMap<Rules> makeTable() {
  llvm::StringMap<Rules> table;
  for (auto [ops, arguments] : rows) {
    llvm::SmallVector<llvm::StringRef> names, rules;
    llvm::StringRef(ops).split(names, ' ');
    llvm::StringRef(arguments).split(rules, ' ');
    for (llvm::StringRef name : names)
      for (llvm::StringRef rule : rules) {
        size_t end = rule.find_first_of("=:*");
        table[name][rule.substr(0, end)] = end == llvm::StringRef::npos ? "" : rule.substr(end).str();
      }
  }
  return table;
}

static bool fits(const Argument &argument, llvm::StringRef rule) {
  if (rule.empty() || rule == "*" || argument.kind == Argument::Kind::None)
    return true;
  if (rule == ":real")
    return argument.kind == Argument::Kind::Element &&
           (argument.integer == int(ScalarType::Float) || argument.integer == int(ScalarType::Double));
  int64_t number = 0;
  if (rule.drop_front().getAsInteger(10, number))
    return false; // `=none`
  return argument.isNumber() &&
         (argument.kind == Argument::Kind::Float ? argument.real == double(number) : argument.integer == number);
}

void gnnc::pt2::checkArguments(const Program &program) {
  static const llvm::StringMap<Rules> table = makeTable();
  for (const Node &node : program.nodes) {
    llvm::StringRef op = node.target;
    if (op.starts_with("_operator."))
      continue; // of sizes; they have operands only
    auto row = op.consume_front("aten.") ? table.find(op.split('.').first) : table.end();
    if (row == table.end())
      refuse(node, "this op cannot be imported");
    for (const auto &[name, argument] : node.inputs) {
      auto rule = row->second.find(name);
      if (rule == row->second.end())
        refuse(node, "has the argument `" + name + "`, which cannot be imported; write the model without it");
      if (fits(argument, rule->second))
        continue;
      if (rule->second == ":real")
        refuse(node, "has another `" + name + "` than float32 and float64, which cannot be imported");
      if (name == "train" || name == "training")
        refuse(node, "was exported in training mode; call `model.eval()` before the export");
      refuse(node, "has another `" + name +
                       "` than PyTorch's default, which cannot be imported; write the model without this argument");
    }
  }
}
