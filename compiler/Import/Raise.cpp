//===- Raise.cpp - From tensors and indices to terms ----------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Goes over the nodes once. OpRaiser.h says what a value becomes. Gathering reads a term at an end, and scattering sums
// each piece: edges by an aggregation, loops by their own term.
//
//===----------------------------------------------------------------------===//

#include "compiler/Import/Raise.h"
#include "compiler/Import/OpRaiser.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/Format.h"
#include <set>

using namespace gnnc::pt2;

namespace {

class Raiser {
public:
  explicit Raiser(const Program &program) : context{program, {}, {}} {}
  RaisedProgram run();

private:
  void addInput(const std::string &name);
  void addStored(const std::string &value);
  void findLayers();
  void raiseNodes();
  void requireReal(const Node &node, const std::string &output);

  RaiseContext context;
  std::vector<std::string> scopes; // of each node: the layer that it belongs to
  std::string vertexSymbol, edgeSymbol;
};

} // namespace

static const std::string openHint = "; pass dynamic_shapes with an open dimension of vertices and one of edges to "
                                    "torch.export.export";

void Raiser::addInput(const std::string &name) {
  const TensorType &type = context.program.tensors.at(name);
  const bool isEdgeList = type.element == ScalarType::Long && type.sizes.size() == 2 && !type.sizes[0].isOpen() &&
                          type.sizes[0].number == 2;
  if (isEdgeList) {
    if (!type.sizes[1].isOpen())
      throw ImportError("the number of edges is fixed at " + std::to_string(type.sizes[1].number) + " in " + name +
                        openHint);
    Meaning list{Meaning::Kind::EdgeList, {edges}, {}, {}, {}, {{End::Source}, {End::Target}}, {}, {}};
    context.meanings[name] = list;
    context.result.inputs.push_back({name, Place::Model, {}});
    return;
  }
  if (type.element != ScalarType::Float && type.element != ScalarType::Double)
    throw ImportError("the input " + name +
                      " is neither real numbers nor a list of edges [2, E]; models that read "
                      "other integers cannot be imported yet");
  if (type.sizes.empty() || !type.sizes[0].isOpen())
    throw ImportError("the first dimension of the input " + name + " is fixed" + openHint);
  const bool isOfEdges = type.sizes[0].symbol == edgeSymbol;
  if (!isOfEdges && !vertexSymbol.empty() && vertexSymbol != type.sizes[0].symbol)
    throw ImportError("the input " + name +
                      " has its own number of rows; models with several types of vertices cannot "
                      "be imported yet");
  if (!isOfEdges)
    vertexSymbol = type.sizes[0].symbol;
  RaisedInput input{name, isOfEdges ? Place::Edge : Place::Vertex, {}};
  Meaning field{Meaning::Kind::Real, {isOfEdges ? edges : vertices}, {{0, true, -1}}, {}, {}, {}, {}, {}};
  std::vector<int> shape;
  for (const Size &size : llvm::drop_begin(type.sizes)) {
    if (size.isOpen())
      throw ImportError("the input " + name + " has two open dimensions; leave the number of features fixed");
    input.sizes.push_back(size.number);
    field.axes.push_back({size.number, false, size.number == 1 ? -1 : context.result.terms.newDim(size.number)});
    if (size.number != 1)
      shape.push_back(field.axes.back().dim);
  }
  field.terms = {context.result.terms.input(name, shape, input.place)};
  context.meanings[name] = field;
  context.result.inputs.push_back(input);
}

void Raiser::addStored(const std::string &value) {
  const StoredTensor &tensor = context.program.storeds.at(value);
  Meaning stored{Meaning::Kind::Real, {}, {}, {}, {}, {}, {}, {}};
  std::vector<int> shape;
  for (const Size &size : tensor.type.sizes) {
    stored.axes.push_back({size.number, false, size.number == 1 ? -1 : context.result.terms.newDim(size.number)});
    if (size.number != 1)
      shape.push_back(stored.axes.back().dim);
  }
  // A number that training does not change becomes a constant.
  const bool isConstant = !tensor.isParameter && shape.empty() && tensor.numbers.size() == 1;
  stored.terms = {isConstant ? context.result.terms.constant(tensor.numbers[0])
                             : context.result.terms.parameter(value, shape)};
  context.meanings[value] = stored;
}

/// Ops that follow edges.
static bool followsEdges(llvm::StringRef target) {
  llvm::StringRef name = target.split('.').second.split('.').first;
  return name.starts_with("scatter") || name == "index_add" || name == "index_select" || name == "index" ||
         name == "gather";
}

static bool isWithin(llvm::StringRef path, llvm::StringRef module) {
  return path == module || (path.starts_with(module) && path.drop_front(module.size()).starts_with("."));
}

/// A layer is a module that follows edges itself, or the outermost one with weights inside which no module does. If the
/// exported module follows edges itself, all is its own.
void Raiser::findLayers() {
  std::set<std::string> following, weighted;
  for (const Node &node : context.program.nodes) {
    if (node.modules.empty())
      continue;
    if (followsEdges(node.target))
      following.insert(node.modules.back().path);
    for (const auto &[name, argument] : node.inputs)
      if (context.program.storeds.count(argument.text))
        for (const ModuleCall &module : node.modules)
          weighted.insert(module.path);
  }
  const bool isWhole = following.count("") != 0;
  auto hasFollowing = [&](const std::string &module) {
    return llvm::any_of(following, [&](const std::string &path) { return isWithin(path, module); });
  };
  for (const Node &node : context.program.nodes) {
    const ModuleCall *layer = nullptr;
    for (const ModuleCall &module : node.modules)
      if (!layer && !isWhole && !module.path.empty() &&
          (following.count(module.path) || (weighted.count(module.path) && !hasFollowing(module.path))))
        layer = &module;
    scopes.push_back(layer ? layer->path : "");
    if (layer &&
        llvm::none_of(context.result.layers, [&](const LayerModule &other) { return other.path == layer->path; }))
      context.result.layers.push_back({layer->path, layer->type});
  }
}

void Raiser::raiseNodes() {
  RaiseTable table;
  addElementwiseOps(table, context);
  addShapeOps(table, context);
  addProductOps(table, context);
  addIndexOps(table, context);
  for (size_t i = 0; i < context.program.nodes.size(); ++i) {
    const Node &node = context.program.nodes[i];
    llvm::StringRef target = node.target;
    // The overload decides about types of arguments only.
    const RaiseTable::Handler *handler =
        table.find(target.starts_with("_operator.") ? target : target.rsplit('.').first);
    if (!handler)
      refuse(node, "this op cannot be imported");
    context.result.terms.scope = scopes[i];
    (*handler)(node);
    for (const std::string &output : node.outputs)
      if (context.meanings.count(output) && context.meanings.at(output).kind == Meaning::Kind::Real)
        requireReal(node, output);
  }
}

/// Integers and truth values follow other rules: a quotient is rounded, and a sum of truth values is an `or`.
void Raiser::requireReal(const Node &node, const std::string &output) {
  static const llvm::StringSet<> givesTruth = {"eq",    "ne",      "lt",        "le",    "gt",          "ge",
                                               "view",  "reshape", "unsqueeze", "alias", "expand_as",   "expand",
                                               "index", "squeeze", "detach",    "clone", "index_select"};
  auto type = context.program.tensors.find(output);
  if (type == context.program.tensors.end())
    refuse(node, "has a result without an element type");
  const ScalarType element = type->second.element;
  const bool isReal = element == ScalarType::Float || element == ScalarType::Double;
  if (!isReal && !(element == ScalarType::Bool && givesTruth.contains(opOf(node))))
    refuse(node, "computes integers or truth values, which cannot be expressed yet; convert its operands by .float()");
}

RaisedProgram Raiser::run() {
  for (const auto &[name, type] : context.program.tensors)
    if (type.element == ScalarType::Half || type.element == ScalarType::BFloat16)
      throw ImportError(name + " has half precision; call model.float() before the export");
  for (const std::string &input : context.program.userInputs)
    if (const TensorType &type = context.program.tensors.at(input);
        type.element == ScalarType::Long && type.sizes.size() == 2)
      edgeSymbol = type.sizes[1].symbol;
  for (const std::string &input : context.program.userInputs)
    addInput(input);
  if (llvm::count_if(context.result.inputs, [](const RaisedInput &input) { return input.place == Place::Model; }) != 1)
    throw ImportError("the program has no input of edges [2, E], or several; gnnc imports models that read one list of "
                      "edges");
  if (vertexSymbol.empty())
    throw ImportError("the program reads no features of vertices [N, features]");
  for (const std::string &value : context.program.storedOrder)
    addStored(value);
  findLayers();
  raiseNodes();
  for (const std::string &output : context.program.outputs) {
    const Meaning &value = context.meanings[output];
    if (value.kind != Meaning::Kind::Real || !value.isVertexField() || value.terms[0]->place == Place::Model)
      throw ImportError("the program returns " + output +
                        ", which is no value of vertices; other results cannot be "
                        "imported yet");
    context.result.outputs.push_back(value.terms[0]);
  }
  if (context.result.outputs.empty())
    throw ImportError("the program returns nothing");
  return std::move(context.result);
}

RaisedProgram gnnc::pt2::raise(const Program &program) { return Raiser(program).run(); }

void RaisedProgram::print(llvm::raw_ostream &os) const {
  static const char *const ends[] = {"source", "target", "self"};
  static const char *const filters[] = {"all edges", "edges but loops", "loops", "edges with one loop each"};
  static const char *const kinds[] = {
      "input",     "parameter",     "constant",      "at",      "",        "is loop", "is added",
      "last loop", "transpose",     "split",         "product", "dot",     "",        "count",
      "softmax",   "over features", "over vertices", "spread",  "flatten", "concat",  "dropout"};
  std::set<const Term *> seen;
  std::vector<const Term *> order, open(outputs.begin(), outputs.end());
  while (!open.empty()) {
    const Term *term = open.back();
    open.pop_back();
    if (!seen.insert(term).second)
      continue;
    order.push_back(term);
    llvm::append_range(open, term->operands);
  }
  llvm::sort(order, [](const Term *left, const Term *right) { return left->id < right->id; });
  std::map<const Term *, size_t> numbers;
  for (const Term *term : order) {
    numbers.emplace(term, numbers.size());
    os << '%' << numbers[term] << " : "
       << (term->place == Place::Model    ? "model"
           : term->place == Place::Vertex ? "vertex"
                                          : "edge");
    os << " [";
    llvm::interleaveComma(term->shape, os, [&](int dim) { os << terms.extent(dim); });
    os << "] = " << kinds[int(term->kind)] << (*kinds[int(term->kind)] && !term->name.empty() ? " " : "") << term->name;
    if (term->kind == Term::Kind::Constant || term->kind == Term::Kind::Dropout)
      os << ' ' << llvm::format("%.9g", term->number);
    if (term->kind == Term::Kind::At)
      os << ' ' << ends[int(term->end)];
    if (term->kind == Term::Kind::Aggregate || term->kind == Term::Kind::Count || term->kind == Term::Kind::Softmax)
      os << " of " << filters[int(term->filter)] << " by " << ends[int(term->end)];
    for (const Term *operand : term->operands)
      os << (operand == term->operands.front() ? " %" : ", %") << numbers[operand];
    os << (term->scope.empty() ? "" : "  # " + term->scope) << "\n";
  }
  os << "outputs";
  for (const Term *output : outputs)
    os << " %" << numbers[output];
  os << "\n";
}
