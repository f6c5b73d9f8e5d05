//===- Functionalize.cpp - In-place ops become new values -----------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/Import/Functionalize.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/ADT/Twine.h"

using namespace gnnc::pt2;

/// `aten.relu_.default` is `aten.relu.default` in place.
static bool isInPlace(llvm::StringRef target) {
  llvm::StringRef name = target.split('.').second.split('.').first;
  return name.ends_with("_") && !name.starts_with("_");
}

static std::string withoutUnderscore(llvm::StringRef target) {
  auto [space, rest] = target.split('.');
  auto [name, overload] = rest.split('.');
  return (llvm::Twine(space) + "." + name.drop_back() + "." + overload).str();
}

/// Ops whose result may share the memory of their first operand.
static bool isView(llvm::StringRef target) {
  static const llvm::StringSet<> views = {
      "alias",         "as_strided",       "chunk",   "contiguous", "detach",
      "diagonal",      "dropout",          "expand",  "expand_as",  "flatten",
      "narrow",        "permute",          "reshape", "select",     "slice",
      "split",         "split_with_sizes", "squeeze", "t",          "to",
      "transpose",     "unbind",           "unfold",  "unsqueeze",  "view",
      "view_as",       "_to_copy",         "movedim", "swapaxes",   "feature_dropout",
      "alpha_dropout", "type_as",          "numpy_T", "unflatten"};
  return views.contains(target.split('.').second.split('.').first);
}

namespace {

/// A tensor's memory: its newest version, and whether that is not to be written.
struct Memory {
  std::string newest;
  bool isFixed = false; // an input or a weight
  size_t version = 0;
};

struct Alias {
  size_t memory;
  bool isView = false;
  size_t version = 0; // of the memory when a view was made
};

class Functionalizer {
public:
  explicit Functionalizer(const Program &program) : result(program) { result.nodes.clear(); }

  Program run(const Program &program) {
    for (const std::string &input : program.userInputs)
      own(input, /*isFixed=*/true);
    for (const std::string &value : program.storedOrder)
      own(value, /*isFixed=*/true);
    for (Node node : program.nodes) {
      if (node.target == "aten._assert_scalar.default" || node.target == "aten._assert_tensor_metadata.default" ||
          node.target == "aten.sym_constrain_range_for_size.default" ||
          node.target == "aten.sym_constrain_range.default")
        continue;
      for (auto &[name, argument] : node.inputs)
        renew(argument, node);
      add(std::move(node), program);
    }
    for (std::string &output : result.outputs)
      output = newest(output, nullptr);
    return std::move(result);
  }

private:
  void own(const std::string &value, bool isFixed = false) {
    aliases[value] = {memories.size(), false, 0};
    memories.push_back({value, isFixed, 0});
  }

  /// The value that a read of `value` reads now.
  std::string newest(const std::string &value, const Node *reader) {
    auto alias = aliases.find(value);
    if (alias == aliases.end())
      return value; // a size
    const Memory &memory = memories[alias->second.memory];
    if (!alias->second.isView)
      return memory.newest;
    if (alias->second.version == memory.version)
      return value;
    const std::string why = "reads " + value +
                            ", a view of a tensor that was written in between; write x = op(x) in "
                            "place of x.op_()";
    if (reader)
      refuse(*reader, why);
    throw ImportError("the program " + why);
  }

  void renew(Argument &argument, const Node &reader) {
    if (argument.kind == Argument::Kind::Tensor)
      argument.text = newest(argument.text, &reader);
    for (Argument &item : argument.items)
      renew(item, reader);
  }

  void add(Node node, const Program &program) {
    const bool writes = isInPlace(node.target);
    const Argument *first = node.inputs.empty() ? nullptr : &node.inputs.front().second;
    const Alias *source = first && aliases.count(first->text) ? &aliases.at(first->text) : nullptr;
    if (writes && (!source || node.outputs.size() != 1))
      refuse(node, "is in place, but of no tensor");
    if (writes && (memories[source->memory].isFixed || source->isView))
      refuse(node, std::string("writes ") + (source->isView ? "a view of a tensor" : "an input or a weight") +
                       "; write x = op(x) in place of x.op_()");
    if (writes) {
      const size_t memory = source->memory;
      node.target = withoutUnderscore(node.target);
      memories[memory].newest = node.outputs.front();
      memories[memory].version += 1;
      aliases[node.outputs.front()] = {memory, false, 0};
    } else {
      for (const std::string &output : node.outputs)
        if (source && isView(node.target))
          aliases[output] = {source->memory, true, memories[source->memory].version};
        else if (program.tensors.count(output))
          own(output);
    }
    result.nodes.push_back(std::move(node));
  }

  Program result;
  std::map<std::string, Alias> aliases;
  std::vector<Memory> memories;
};

} // namespace

Program gnnc::pt2::functionalize(const Program &program) { return Functionalizer(program).run(program); }
