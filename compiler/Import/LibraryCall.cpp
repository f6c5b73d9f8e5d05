//===- LibraryCall.cpp - Raised layers as calls of the library ------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Parameters of the library's layer are read from its declaration. Dimensions follow from the shapes of weights. For
// each option there are a few choices, the first of which is to leave it out; choices are tried with the fewest options
// first.
//
//===----------------------------------------------------------------------===//

#include "compiler/Import/LibraryCall.h"
#include "compiler/Frontend/Frontend.h"
#include "compiler/Import/SameProgram.h"
#include "compiler/Interpreter/Context.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"
#include <charconv>
#include <map>

using namespace gnnc;
using namespace gnnc::pt2;

/// A class of PyTorch or PyG, the library's layer, and the names of the weights: `W=lin.weight`. A name that one side
/// lacks is of an option that is not used.
static const struct {
  llvm::StringRef className, layer, weights;
} rows[] = {
    {"GCNConv", "GCNConv", "W=lin.weight b=bias"},
    {"GATConv", "GATConv",
     "a_src=att_src a_dst=att_dst W=lin.weight W_edge=lin_edge.weight a_edge=att_edge W_res=res.weight b=bias"},
    {"GATv2Conv", "GATv2Conv",
     "a=att W_src=lin_l.weight W_src=lin_r.weight b_src=lin_l.bias b_src=lin_r.bias W_dst=lin_r.weight "
     "b_dst=lin_r.bias W_edge=lin_edge.weight "
     "W_res=res.weight b=bias"},
    {"SAGEConv", "SAGEConv", "W_self=lin_r.weight W=lin_l.weight b=lin_l.bias P=lin.weight p=lin.bias"},
    {"GraphConv", "GraphConv", "W_self=lin_root.weight W=lin_rel.weight b=lin_rel.bias"},
    {"GINConv", "GINConv", "e=eps"},
    {"GINEConv", "GINEConv", "e=eps W_edge=lin.weight b_edge=lin.bias"},
    {"Linear", "Linear", "W=weight b=bias"},
};

static FrontendOptions optionsFor(const std::string &stdlib) {
  FrontendOptions options;
  options.stdlibPath = stdlib;
  return options;
}

namespace {

/// Searches the calls of one layer of the library.
class Search {
public:
  Search(const RaisedLayer &layer, const std::string &stdlib, llvm::StringRef name, llvm::StringRef weights)
      : layer(layer), name(name), weightNames(weights), library(optionsFor(stdlib)) {}
  std::optional<LibraryCall> run();

private:
  using Choices = std::vector<std::string>; // of one option; `` leaves it out

  bool bindDims(const ast::ComponentDecl &declaration);
  void bind(llvm::ArrayRef<ast::Expr *> names, const std::vector<LayerDim> &shape);
  std::vector<Choices> choicesOf(const ast::ComponentDecl &declaration);
  std::string inner();
  std::string modelOf(const std::string &instance, const std::vector<std::string> &inputs) const;
  std::optional<LibraryCall> compare(const std::vector<std::string> &options, LibraryCall call);

  const RaisedLayer &layer;
  const std::string name;
  llvm::StringRef weightNames;
  Frontend library;                          // with a candidate as its model
  std::map<std::string, LayerDim> dims;      // of the library's layer
  std::map<std::string, size_t> sameTensors; // weights of the library's layer: indices of the raised layer's
  std::vector<std::string> dimArguments;     // without options, by their place
  const CheckedModel *raised = nullptr;
  std::map<std::string, std::string> raisedTensors;
};

} // namespace

static std::string numberText(double number) {
  char text[40];
  return std::string(text, std::to_chars(text, text + sizeof text, number).ptr);
}

/// Dimensions that a weight, an input or a result names are those of the raised one. Where the raised one has fewer,
/// the others have the extent 1.
void Search::bind(llvm::ArrayRef<ast::Expr *> names, const std::vector<LayerDim> &shape) {
  if (names.size() != shape.size())
    return;
  for (auto [name, dim] : llvm::zip(names, shape))
    if (name->kind == ast::Expr::Kind::Name)
      dims.try_emplace(static_cast<const ast::NameExpr *>(name)->name.text.str(), dim);
}

/// The dimensions of the stored tensor as the layer reads it, where those of extent 1 are left out of the raised one.
static std::vector<LayerDim> withOnes(const RaisedLayer::Weight &weight, size_t rank) {
  std::vector<int64_t> sizes;
  for (const Size &size : weight.tensor->type.sizes)
    sizes.push_back(size.number);
  if (weight.isTransposed)
    std::reverse(sizes.begin(), sizes.end());
  while (sizes.size() > rank && sizes.front() == 1)
    sizes.erase(sizes.begin());
  if (sizes.size() != rank)
    return weight.shape;
  std::vector<LayerDim> shape;
  auto next = weight.shape.begin();
  for (int64_t size : sizes) {
    if (size == 1)
      shape.push_back({1, "1"});
    else if (next != weight.shape.end() && next->extent == size)
      shape.push_back(*next++);
    else
      return weight.shape;
  }
  return shape;
}

bool Search::bindDims(const ast::ComponentDecl &declaration) {
  llvm::SmallVector<llvm::StringRef> pairs;
  weightNames.split(pairs, ' ', -1, /*KeepEmpty=*/false);
  for (llvm::StringRef pair : pairs) {
    const llvm::StringRef own = pair.split('=').first, theirs = pair.split('=').second;
    auto weight = llvm::find_if(layer.weights, [&](const auto &other) { return other.moduleName == theirs; });
    auto declared = llvm::find_if(declaration.weights, [&](const auto &other) { return other.name.text == own; });
    if (weight == layer.weights.end() || declared == declaration.weights.end())
      continue;
    sameTensors.try_emplace(own.str(), size_t(weight - layer.weights.begin()));
    bind(declared->type.dims, withOnes(*weight, declared->type.dims.size()));
  }
  for (const ast::BodyDecl &body : declaration.bodies) {
    size_t next = 0;
    for (const ast::FormalDecl &formal : body.formals)
      if (!formal.ofEdges && next < layer.inputs.size() && formal.type)
        bind(formal.type->dims, layer.inputs[next++].shape);
    if (body.result)
      bind(body.result->dims, layer.result);
  }
  for (const ast::ComponentParam &param : declaration.params)
    if (param.kind == ast::ComponentParam::Kind::Dim && !param.fallback) {
      auto dim = dims.find(param.name.text.str());
      if (dim == dims.end())
        return false;
      dimArguments.push_back(dim->second.text);
    }
  return true;
}

/// The network inside GIN: a product, or two with a function between them.
std::string Search::inner() {
  std::vector<size_t> matrices;
  size_t numBiases = 0;
  for (size_t i = 0; i < layer.weights.size(); ++i) {
    llvm::StringRef name = layer.weights[i].moduleName;
    if (!name.consume_front("nn."))
      continue;
    if (name.ends_with("weight") && layer.weights[i].shape.size() == 2)
      matrices.push_back(i);
    numBiases += name.ends_with("bias");
  }
  if (matrices.empty() || matrices.size() > 2)
    return "";
  const bool isOne = matrices.size() == 1;
  std::string text = (isOne ? "Linear(" : "MLP(") + layer.weights[matrices[0]].shape[0].text;
  for (size_t i = 0; i < matrices.size(); ++i) {
    const RaisedLayer::Weight &matrix = layer.weights[matrices[i]];
    text += ", " + matrix.shape[1].text;
    const std::string number = isOne ? "" : std::to_string(i + 1);
    sameTensors["nn.W" + number] = matrices[i];
    const std::string bias = llvm::StringRef(matrix.moduleName).drop_back(6).str() + "bias";
    for (size_t j = 0; j < layer.weights.size(); ++j)
      if (layer.weights[j].moduleName == bias)
        sameTensors["nn.b" + number] = j;
  }
  return text + (isOne && numBiases == 0 ? ", bias = false)" : ")");
}

std::vector<Search::Choices> Search::choicesOf(const ast::ComponentDecl &declaration) {
  using ParamKind = ast::ComponentParam::Kind;
  static const std::set<std::string> aggregations = {"sum", "mean", "max", "min"};
  std::vector<std::string> used;
  for (const std::string &function : layer.functions)
    if (aggregations.count(function))
      used.push_back(function);
  std::vector<Choices> all;
  for (const ast::ComponentParam &param : declaration.params) {
    const std::string is = param.name.text.str() + " = ";
    Choices choices{""};
    switch (param.kind) {
    case ParamKind::Dim:
      if (auto dim = dims.find(param.name.text.str()); param.fallback && dim != dims.end())
        choices.push_back(is + dim->second.text);
      break;
    case ParamKind::Int:
      break;
    case ParamKind::Real:
      for (double number : layer.numbers)
        choices.push_back(is + numberText(number));
      break;
    case ParamKind::Bool:
      if (param.fallback && param.fallback->kind == ast::Expr::Kind::Truth)
        choices.push_back(is + (static_cast<const ast::TruthExpr *>(param.fallback)->value ? "false" : "true"));
      break;
    case ParamKind::Layer:
      choices = {inner()};
      break;
    case ParamKind::Aggregation:
      for (const std::string &one : used) {
        choices.push_back(is + (param.isList ? "[" + one + "]" : one));
        for (const std::string &other : used)
          if (param.isList && other != one)
            choices.push_back(is + "[" + one + ", " + other + "]");
      }
      break;
    case ParamKind::Function:
      break;
    }
    all.push_back(choices);
  }
  return all;
}

/// A model whose output is the layer's result, of inputs `i0`, `i1` …
std::string Search::modelOf(const std::string &instance, const std::vector<std::string> &inputs) const {
  std::string text = "model Judge() {\n  layer call = " + instance + "\n", vertices, edges, arguments;
  for (size_t i = 0; i < layer.inputs.size(); ++i) {
    std::vector<std::string> shape;
    for (const LayerDim &dim : layer.inputs[i].shape)
      shape.push_back(std::to_string(dim.extent));
    const std::string input = "i" + std::to_string(i);
    (layer.inputs[i].isOfEdges ? edges : vertices) +=
        "input " + input + ": real" + (shape.empty() ? "" : "[" + llvm::join(shape, ", ") + "]") + "\n";
    arguments += (i ? ", " : "") + (inputs[i].empty() ? "" : inputs[i] + " = ") + input;
  }
  if (!edges.empty())
    text += "edge u -> v {\n" + edges + "}\n";
  return text + "vertex v {\n" + vertices + "output y = call(" + arguments + ")\n}\n}\n";
}

/// `options` with the extents in place of what the model calls the dimensions.
static std::string withExtents(std::string text, const std::map<std::string, LayerDim> &dims,
                               const RaisedLayer &layer) {
  std::map<std::string, int64_t> extents;
  for (const auto &[name, dim] : dims)
    extents[dim.text] = dim.extent;
  for (const RaisedLayer::Weight &weight : layer.weights)
    for (const LayerDim &dim : weight.shape)
      extents[dim.text] = dim.extent;
  std::string result;
  for (size_t i = 0; i < text.size();) { // an argument, up to a comma, a parenthesis or the `=` of an option
    size_t end = text.find_first_of("(),=", i);
    end = end == std::string::npos ? text.size() : end;
    auto extent = extents.find(llvm::StringRef(text).slice(i, end).trim().str());
    result += extent != extents.end() && (end == text.size() || text[end] != '=') ? " " + std::to_string(extent->second)
                                                                                  : text.substr(i, end - i);
    if (end < text.size())
      result += text[end];
    i = end + 1;
  }
  return result;
}

std::optional<LibraryCall> Search::compare(const std::vector<std::string> &options, LibraryCall call) {
  std::vector<std::string> arguments = dimArguments;
  for (const std::string &option : options)
    if (!option.empty())
      arguments.push_back(option);
  call.instance = name + "(" + llvm::join(arguments, ", ") + ")";
  const std::string instance = withExtents(call.instance, dims, layer);
  if (!library.reloadBuffer("import nn\n" + modelOf(instance, call.inputs), "judge"))
    return std::nullopt;
  std::optional<CheckedModel> model = library.check();
  if (!model)
    return std::nullopt;
  std::map<std::string, std::string> tensors;
  for (const Parameter &param : model->params) {
    auto same = sameTensors.find(llvm::StringRef(param.name).split('.').second.str());
    if (same == sameTensors.end())
      return std::nullopt;
    if (layer.weights[same->second].tensor->isParameter == param.isState) // a number that training does not change
      return std::nullopt;
    tensors[param.name] = std::to_string(same->second);
    LibraryCall::Weight weight{same->first, same->second, {}};
    for (const DimExpr &dim : param.shape)
      weight.sizes.push_back(evaluateDim(*model, {}, dim).value_or(0));
    call.weights.push_back(weight);
  }
  // The library's layer has all weights of the raised one.
  if (call.weights.size() != layer.weights.size() || !areSamePrograms({*raised, raisedTensors}, {*model, tensors}))
    return std::nullopt;
  return call;
}

std::optional<LibraryCall> Search::run() {
  if (!library.loadBuffer("import nn\n", "judge"))
    return std::nullopt;
  auto found = library.declared().layers.find(name);
  if (found == library.declared().layers.end() || !bindDims(*found->second))
    return std::nullopt;
  std::vector<std::string> extents;
  for (int64_t dim : layer.dims)
    extents.push_back(std::to_string(dim));
  std::vector<std::string> places(layer.inputs.size());
  Frontend own{FrontendOptions()};
  if (!own.loadBuffer("layer Raised" + layer.body + modelOf("Raised(" + llvm::join(extents, ", ") + ")", places),
                      "judge"))
    return std::nullopt;
  std::optional<CheckedModel> model = own.check();
  if (!model)
    return std::nullopt;
  raised = &*model;
  for (size_t i = 0; i < layer.weights.size(); ++i)
    raisedTensors["call." + layer.weights[i].name] = std::to_string(i);

  // Ways to give the inputs of edges.
  std::vector<std::vector<std::string>> ways{places}; // each name once
  std::vector<std::string> edgeNames;
  for (const ast::BodyDecl &body : found->second->bodies)
    for (const ast::FormalDecl &formal : body.formals)
      if (formal.ofEdges)
        edgeNames.push_back(formal.name.text.str());
  for (size_t i = 0; i < layer.inputs.size(); ++i)
    if (layer.inputs[i].isOfEdges) {
      std::vector<std::vector<std::string>> more;
      for (const std::string &edgeName : edgeNames)
        for (std::vector<std::string> way : ways)
          if (!llvm::is_contained(way, edgeName)) {
            way[i] = edgeName;
            more.push_back(way);
          }
      ways = more;
    }
  const std::vector<Choices> choices = choicesOf(*found->second);
  std::vector<std::vector<std::string>> all{{}};
  for (const Choices &some : choices) {
    if (all.size() * some.size() > 4096)
      return std::nullopt;
    std::vector<std::vector<std::string>> longer;
    for (const std::vector<std::string> &start : all)
      for (const std::string &choice : some) {
        longer.push_back(start);
        longer.back().push_back(choice);
      }
    all = std::move(longer);
  }
  auto numOptions = [](const std::vector<std::string> &some) {
    return llvm::count_if(some, [](const std::string &option) { return !option.empty(); });
  };
  llvm::stable_sort(all, [&](const auto &left, const auto &right) { return numOptions(left) < numOptions(right); });
  for (const std::vector<std::string> &way : ways)
    for (const std::vector<std::string> &some : all)
      if (std::optional<LibraryCall> call = compare(some, {"", way, {}}))
        return call;
  return std::nullopt;
}

std::optional<LibraryCall> gnnc::pt2::findLibraryCall(const RaisedLayer &layer, const std::string &stdlib) {
  for (const auto &row : rows)
    if (row.className == layer.className)
      if (std::optional<LibraryCall> call = Search(layer, stdlib, row.layer, row.weights).run())
        return call;
  return std::nullopt;
}

std::set<std::string> gnnc::pt2::libraryNames(const std::string &stdlib) {
  Frontend library(optionsFor(stdlib));
  library.loadBuffer("import nn\n", "judge");
  std::set<std::string> names;
  for (const auto &layer : library.declared().layers)
    names.insert(layer.getKey().str());
  return names;
}
