//===- Raise.cpp - From tensors and indices to terms ----------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Goes over the nodes once. The open axis of a tensor ranges over a list of pieces: the vertices, or the edges of the
// data that a filter leaves, followed by whatever was concatenated to them. Loops that PyG adds are a piece of vertices
// behind a piece of edges. A tensor has one term for each piece. An index tensor has one end for each: the source or
// target of the edges, or the vertex itself. So gathering reads a term at an end, and scattering sums each piece:
// edges by an aggregation, loops by their own term.
//
//===----------------------------------------------------------------------===//

#include "compiler/Import/Raise.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/Format.h"
#include <cmath>
#include <set>

using namespace gnnc::pt2;

namespace {

struct Piece {
  bool isVertices = false;
  EdgeFilter filter = EdgeFilter::All; // of edges

  bool operator==(const Piece &other) const { return isVertices == other.isVertices && filter == other.filter; }
  bool operator!=(const Piece &other) const { return !(*this == other); }
};

constexpr Piece vertices{true, EdgeFilter::All}, edges{false, EdgeFilter::All};

struct Axis {
  int64_t size = 1;
  bool isOpen = false;
  int dim = -1; // that the terms have along it; -1: they are the same along it

  bool isLike(const Axis &other) const { return isOpen ? other.isOpen : !other.isOpen && size == other.size; }
};

/// What a value of the exported program is.
struct Meaning {
  enum class Kind { Real, Index, EdgeList, EdgeMask, Size, Nothing };
  Kind kind = Kind::Nothing;
  std::vector<Piece> pieces;       // that the open axis ranges over; empty: there is none
  std::vector<Axis> axes;          // Real, Index
  std::vector<const Term *> terms; // Real: one for each piece, or one
  std::vector<End> ends;           // Index: one for each piece
  std::vector<End> rows[2];        // EdgeList
  EdgeFilter mask = EdgeFilter::All;

  bool isVertexField() const { return pieces.size() == 1 && pieces[0].isVertices; }
};

class Raiser {
public:
  explicit Raiser(const Program &program) : program(program) {}
  RaisedProgram run();

private:
  using Handler = void (Raiser::*)(const Node &);
  static const llvm::StringMap<Handler> &handlers();

  // Inputs and modules.
  void addInput(const std::string &name);
  void addStored(const std::string &value);
  void findLayers();

  // Arguments.
  const Meaning &meaning(const Node &node, const Argument &argument);
  Meaning real(const Node &node, llvm::StringRef input);
  Meaning realOf(const Node &node, const Argument &argument);
  const Meaning &index(const Node &node, const Argument &argument);
  const Argument &need(const Node &node, llvm::StringRef input);
  const Argument &first(const Node &node);
  double number(const Node &node, llvm::StringRef input, double otherwise);
  int64_t integer(const Node &node, llvm::StringRef input, int64_t otherwise);
  std::vector<Axis> axesOf(const Node &node, const Argument &sizes, std::vector<Piece> &pieces);
  size_t axisOf(const Node &node, int64_t axis, size_t rank);
  void set(const Node &node, Meaning meaning, size_t output = 0);

  // Elementwise work.
  Meaning apply(const Node &node, const std::string &function, const std::vector<Meaning> &operands);
  Meaning constant(double value) { return {Meaning::Kind::Real, {}, {}, {terms().constant(value)}, {}, {}, {}}; }
  void unary(const Node &node);
  void binary(const Node &node);
  void addScaled(const Node &node);
  void compare(const Node &node);
  void clamp(const Node &node);
  void leakyRelu(const Node &node);
  void where(const Node &node);
  void maskedFill(const Node &node);
  void same(const Node &node);
  void dropout(const Node &node);

  // Shapes and constants.
  void fill(const Node &node);
  void view(const Node &node);
  void expand(const Node &node);
  void permute(const Node &node);
  void unsqueeze(const Node &node);
  void size(const Node &node);
  void addSizes(const Node &node);
  void nothing(const Node &node) {}

  // Products and norms.
  Meaning multiply(const Node &node, const Meaning &left, const Meaning &matrix);
  void linear(const Node &node);
  void matmul(const Node &node);
  void addmm(const Node &node);
  void batchNorm(const Node &node);
  void layerNorm(const Node &node);
  void softmax(const Node &node);
  void overFeatures(const Node &node);

  // Indices.
  void arange(const Node &node);
  void repeat(const Node &node);
  void select(const Node &node);
  void indexTensor(const Node &node);
  void indexSelect(const Node &node);
  void concatenate(const Node &node);
  void scatterAdd(const Node &node);
  void indexAdd(const Node &node);
  void scatterReduce(const Node &node);
  void indexPut(const Node &node);
  Meaning gather(const Node &node, const Meaning &from, const Meaning &at);
  Meaning keepEdges(const Node &node, const Meaning &from, EdgeFilter filter);
  void scatter(const Node &node, const Meaning &into, const Meaning &at, const Meaning &what,
               const std::string &reduction);
  const Term *sumPieces(const Node &node, const Meaning &at, const Meaning &what);

  TermBuilder &terms() { return result.terms; }

  const Program &program;
  RaisedProgram result;
  std::map<std::string, Meaning> meanings;
  std::vector<std::string> scopes; // of each node: the layer that it belongs to
  std::string vertexSymbol, edgeSymbol;
};

} // namespace

//===----------------------------------------------------------------------===//
// Inputs and modules
//===----------------------------------------------------------------------===//

static const std::string openHint = "; pass dynamic_shapes with an open dimension of vertices and one of edges to "
                                    "torch.export.export";

void Raiser::addInput(const std::string &name) {
  const TensorType &type = program.tensors.at(name);
  const bool isEdgeList = type.element == ScalarType::Long && type.sizes.size() == 2 && !type.sizes[0].isOpen() &&
                          type.sizes[0].number == 2;
  if (isEdgeList) {
    if (!type.sizes[1].isOpen())
      throw ImportError("the number of edges is fixed at " + std::to_string(type.sizes[1].number) + " in " + name +
                        openHint);
    Meaning list{Meaning::Kind::EdgeList, {edges}, {}, {}, {}, {{End::Source}, {End::Target}}, {}};
    meanings[name] = list;
    result.inputs.push_back({name, Place::Model, {}});
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
  Meaning field{Meaning::Kind::Real, {isOfEdges ? edges : vertices}, {{0, true, -1}}, {}, {}, {}, {}};
  std::vector<int> shape;
  for (const Size &size : llvm::drop_begin(type.sizes)) {
    if (size.isOpen())
      throw ImportError("the input " + name + " has two open dimensions; leave the number of features fixed");
    input.sizes.push_back(size.number);
    field.axes.push_back({size.number, false, size.number == 1 ? -1 : terms().newDim(size.number)});
    if (size.number != 1)
      shape.push_back(field.axes.back().dim);
  }
  field.terms = {terms().input(name, shape, input.place)};
  meanings[name] = field;
  result.inputs.push_back(input);
}

void Raiser::addStored(const std::string &value) {
  const StoredTensor &tensor = program.storeds.at(value);
  Meaning stored{Meaning::Kind::Real, {}, {}, {}, {}, {}, {}};
  std::vector<int> shape;
  for (const Size &size : tensor.type.sizes) {
    stored.axes.push_back({size.number, false, size.number == 1 ? -1 : terms().newDim(size.number)});
    if (size.number != 1)
      shape.push_back(stored.axes.back().dim);
  }
  stored.terms = {terms().parameter(value, shape)};
  meanings[value] = stored;
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
  for (const Node &node : program.nodes) {
    if (node.modules.empty())
      continue;
    if (followsEdges(node.target))
      following.insert(node.modules.back().path);
    for (const auto &[name, argument] : node.inputs)
      if (program.storeds.count(argument.text))
        for (const ModuleCall &module : node.modules)
          weighted.insert(module.path);
  }
  const bool isWhole = following.count("") != 0;
  auto hasFollowing = [&](const std::string &module) {
    return llvm::any_of(following, [&](const std::string &path) { return isWithin(path, module); });
  };
  for (const Node &node : program.nodes) {
    const ModuleCall *layer = nullptr;
    for (const ModuleCall &module : node.modules)
      if (!layer && !isWhole && !module.path.empty() &&
          (following.count(module.path) || (weighted.count(module.path) && !hasFollowing(module.path))))
        layer = &module;
    scopes.push_back(layer ? layer->path : "");
    if (layer && llvm::none_of(result.layers, [&](const LayerModule &other) { return other.path == layer->path; }))
      result.layers.push_back({layer->path, layer->type});
  }
}

//===----------------------------------------------------------------------===//
// Arguments
//===----------------------------------------------------------------------===//

const Argument &Raiser::need(const Node &node, llvm::StringRef input) {
  if (const Argument *argument = node.find(input))
    return *argument;
  refuse(node, "has no argument " + input.str());
}

const Argument &Raiser::first(const Node &node) {
  if (node.inputs.empty())
    refuse(node, "has no arguments");
  return node.inputs.front().second;
}

const Meaning &Raiser::meaning(const Node &node, const Argument &argument) {
  auto found = meanings.find(argument.text);
  if (found == meanings.end() || found->second.kind == Meaning::Kind::Nothing)
    refuse(node, "reads " + argument.text + ", which cannot be expressed");
  return found->second;
}

Meaning Raiser::realOf(const Node &node, const Argument &argument) {
  if (argument.isNumber())
    return constant(argument.kind == Argument::Kind::Float ? argument.real : double(argument.integer));
  const Meaning &value = meaning(node, argument);
  if (value.kind != Meaning::Kind::Real)
    refuse(node, "computes with the indices " + argument.text + "; indices can only gather and scatter");
  return value;
}

Meaning Raiser::real(const Node &node, llvm::StringRef input) { return realOf(node, need(node, input)); }

const Meaning &Raiser::index(const Node &node, const Argument &argument) {
  const Meaning &value = meaning(node, argument);
  if (value.kind != Meaning::Kind::Index)
    refuse(node, argument.text + " is not a list of vertices that the edges give");
  return value;
}

double Raiser::number(const Node &node, llvm::StringRef input, double otherwise) {
  const Argument *argument = node.find(input);
  if (!argument || argument->kind == Argument::Kind::None)
    return otherwise;
  if (!argument->isNumber())
    refuse(node, "has an argument " + input.str() + " that is no number");
  return argument->kind == Argument::Kind::Float ? argument->real : double(argument->integer);
}

int64_t Raiser::integer(const Node &node, llvm::StringRef input, int64_t otherwise) {
  const Argument *argument = node.find(input);
  if (!argument || argument->kind == Argument::Kind::None)
    return otherwise;
  if (argument->kind != Argument::Kind::Int && argument->kind != Argument::Kind::Bool)
    refuse(node, "has an argument " + input.str() + " that is no integer");
  return argument->integer;
}

size_t Raiser::axisOf(const Node &node, int64_t axis, size_t rank) {
  if (axis < 0)
    axis += int64_t(rank);
  if (axis < 0 || axis >= int64_t(rank))
    refuse(node, "names a dimension that its operand does not have");
  return size_t(axis);
}

/// -1 gives an axis of size -1.
std::vector<Axis> Raiser::axesOf(const Node &node, const Argument &sizes, std::vector<Piece> &pieces) {
  std::vector<Axis> axes;
  for (const Argument &item : sizes.items) {
    if (item.kind == Argument::Kind::Int) {
      axes.push_back({item.integer, false, -1});
      continue;
    }
    const Meaning &size = meaning(node, item);
    if (size.kind != Meaning::Kind::Size || !pieces.empty())
      refuse(node, "has a shape with more than one open dimension");
    pieces = size.pieces;
    axes.push_back({0, true, -1});
  }
  return axes;
}

void Raiser::set(const Node &node, Meaning meaning, size_t output) {
  if (output < node.outputs.size())
    meanings[node.outputs[output]] = std::move(meaning);
}

//===----------------------------------------------------------------------===//
// Elementwise work
//===----------------------------------------------------------------------===//

/// Broadcasting as PyTorch does it, from the last axis on. Terms align from their last dimension, so that must give the
/// same pairs.
Meaning Raiser::apply(const Node &node, const std::string &function, const std::vector<Meaning> &operands) {
  Meaning all{Meaning::Kind::Real, {}, {}, {}, {}, {}, {}};
  for (const Meaning &operand : operands) {
    if (!operand.pieces.empty() && all.pieces.empty())
      all.pieces = operand.pieces;
    if (!operand.pieces.empty() && operand.pieces != all.pieces)
      refuse(node, "combines values of vertices with values of edges, or of different edges");
    if (operand.axes.size() > all.axes.size())
      all.axes.insert(all.axes.begin(), operand.axes.size() - all.axes.size(), Axis());
    for (size_t i = 0; i < operand.axes.size(); ++i) {
      Axis &axis = all.axes[all.axes.size() - 1 - i];
      const Axis &other = operand.axes[operand.axes.size() - 1 - i];
      const bool isOne = !axis.isOpen && axis.size == 1, isOtherOne = !other.isOpen && other.size == 1;
      if (!isOne && !isOtherOne && !axis.isLike(other))
        refuse(node, "combines shapes that do not fit");
      if (isOne || (axis.dim < 0 && !isOtherOne))
        axis = isOtherOne ? axis : other;
    }
  }
  for (const Meaning &operand : operands) {
    size_t skipped = 0; // dimensions of the result, from the last one, that this operand had to have
    for (size_t i = 0; i < operand.axes.size(); ++i) {
      const bool hasDim = operand.axes[operand.axes.size() - 1 - i].dim >= 0;
      if (!hasDim && all.axes[all.axes.size() - 1 - i].dim >= 0)
        ++skipped;
      else if (hasDim && skipped)
        refuse(node, "multiplies a row by a column of features, which cannot be expressed yet");
    }
  }
  for (size_t piece = 0; piece < std::max<size_t>(all.pieces.size(), 1); ++piece) {
    std::vector<const Term *> arguments;
    for (const Meaning &operand : operands)
      arguments.push_back(operand.terms[operand.pieces.empty() ? 0 : piece]);
    all.terms.push_back(terms().function(function, arguments));
  }
  return all;
}

static llvm::StringRef opOf(const Node &node) {
  return llvm::StringRef(node.target).split('.').second.split('.').first;
}

void Raiser::unary(const Node &node) {
  llvm::StringRef op = opOf(node);
  for (const char *option : {"alpha", "scale", "input_scale"})
    if (number(node, option, 1) != 1)
      refuse(node, std::string("has ") + option + " other than 1, which cannot be expressed yet");
  Meaning self = real(node, "self");
  if (op == "square")
    return set(node, apply(node, "*", {self, self}));
  if (op == "reciprocal")
    return set(node, apply(node, "/", {constant(1), self}));
  set(node, apply(node, op.str(), {self}));
}

void Raiser::binary(const Node &node) {
  llvm::StringRef op = opOf(node);
  if (const Argument *mode = node.find("rounding_mode"); mode && mode->kind != Argument::Kind::None)
    refuse(node, "rounds a quotient, which cannot be expressed");
  const bool hasExponent = node.find("exponent") != nullptr;
  Meaning left = real(node, "self"), right = real(node, hasExponent ? "exponent" : "other");
  const std::string name = op == "mul" ? "*" : op == "div" ? "/" : op.str();
  set(node, apply(node, name, {left, right}));
}

/// self + alpha * other
void Raiser::addScaled(const Node &node) {
  Meaning other = real(node, "other");
  if (double alpha = number(node, "alpha", 1); alpha != 1)
    other = apply(node, "*", {constant(alpha), other});
  const std::string name = opOf(node) == "add" ? "+" : "-";
  Meaning self = real(node, "self");
  if (opOf(node) == "rsub")
    std::swap(self, other);
  set(node, apply(node, name, {self, other}));
}

void Raiser::compare(const Node &node) {
  static const std::map<llvm::StringRef, std::string> names = {{"eq", "=="}, {"ne", "!="}, {"lt", "<"},
                                                               {"le", "<="}, {"gt", ">"},  {"ge", ">="}};
  const std::string &name = names.at(opOf(node));
  const Argument &left = need(node, "self"), &right = need(node, "other");
  const bool areIndices = !left.isNumber() && !right.isNumber() && meaning(node, left).kind == Meaning::Kind::Index &&
                          meaning(node, right).kind == Meaning::Kind::Index;
  if (!areIndices)
    return set(node, apply(node, name, {realOf(node, left), realOf(node, right)}));
  const Meaning &from = index(node, left), &to = index(node, right);
  const bool asksForLoops = (name == "==" || name == "!=") && from.pieces == std::vector<Piece>{edges} &&
                            to.pieces == from.pieces && from.ends[0] != to.ends[0] && from.axes.size() == 1 &&
                            to.axes.size() == 1;
  if (!asksForLoops)
    refuse(node, "compares vertices in a way that cannot be expressed; the two ends of the edges can be compared");
  Meaning mask{Meaning::Kind::EdgeMask, {edges}, {{0, true, -1}}, {}, {}, {}, {}};
  mask.mask = name == "==" ? EdgeFilter::Loops : EdgeFilter::NoLoops;
  set(node, mask);
}

void Raiser::clamp(const Node &node) {
  Meaning value = real(node, "self");
  for (auto [bound, function] : {std::pair("min", "maximum"), std::pair("max", "minimum")})
    if (const Argument *argument = node.find(bound); argument && argument->kind != Argument::Kind::None)
      value = apply(node, function, {value, realOf(node, *argument)});
  set(node, value);
}

void Raiser::leakyRelu(const Node &node) {
  set(node, apply(node, "leaky_relu", {real(node, "self"), constant(number(node, "negative_slope", 0.01))}));
}

void Raiser::where(const Node &node) {
  set(node, apply(node, "select", {real(node, "condition"), real(node, "self"), real(node, "other")}));
}

void Raiser::maskedFill(const Node &node) {
  set(node, apply(node, "select", {real(node, "mask"), real(node, "value"), real(node, "self")}));
}

/// Ops that change nothing, once views are values.
void Raiser::same(const Node &node) {
  if (const Argument *type = node.find("dtype"); type && type->kind == Argument::Kind::Element)
    if (type->integer != int(ScalarType::Float) && type->integer != int(ScalarType::Double))
      refuse(node, "converts to an element type other than float32 and float64");
  set(node, meaning(node, first(node)));
}

void Raiser::dropout(const Node &node) {
  Meaning value = realOf(node, first(node));
  for (const Term *&term : value.terms)
    term = terms().dropout(term, number(node, "p", 0.5));
  set(node, value);
}

//===----------------------------------------------------------------------===//
// Shapes and constants
//===----------------------------------------------------------------------===//

void Raiser::fill(const Node &node) {
  llvm::StringRef op = opOf(node);
  const double value = op.ends_with("ones") || op == "ones_like"               ? 1
                       : op == "full" || op == "full_like" || op == "new_full" ? number(node, "fill_value", 0)
                       : op == "scalar_tensor"                                 ? number(node, "s", 0)
                                                                               : 0;
  Meaning filled = constant(value);
  if (op.ends_with("_like")) {
    const Meaning like = real(node, "self");
    filled.pieces = like.pieces;
    filled.axes = like.axes;
    for (Axis &axis : filled.axes)
      axis.dim = -1;
  } else if (const Argument *size = node.find("size")) {
    filled.axes = axesOf(node, *size, filled.pieces);
  }
  filled.terms.assign(std::max<size_t>(filled.pieces.size(), 1), terms().constant(value));
  set(node, filled);
}

/// Axes of extent 1 come and go; all others stay.
void Raiser::view(const Node &node) {
  Meaning value = meaning(node, need(node, "self"));
  if (value.kind != Meaning::Kind::Real && value.kind != Meaning::Kind::Index)
    refuse(node, "changes the shape of a list of edges");
  std::vector<Piece> pieces;
  std::vector<Axis> wanted = axesOf(node, need(node, node.find("size") ? "size" : "shape"), pieces);
  std::vector<Axis> kept;
  for (const Axis &axis : value.axes)
    if (axis.isOpen || axis.size != 1)
      kept.push_back(axis);
  size_t next = 0;
  for (Axis &axis : wanted) {
    if (!axis.isOpen && axis.size == 1)
      continue;
    const bool isAny = !axis.isOpen && axis.size == -1;
    if (isAny && next == kept.size()) {
      axis.size = 1;
      continue;
    }
    if (next == kept.size() || !(isAny || axis.isLike(kept[next])) || (axis.isOpen && pieces != value.pieces))
      refuse(node, "reshapes features, which cannot be expressed yet");
    axis = kept[next++];
  }
  if (next != kept.size())
    refuse(node, "reshapes features, which cannot be expressed yet");
  value.axes = wanted;
  set(node, value);
}

void Raiser::expand(const Node &node) {
  Meaning value = meaning(node, need(node, "self"));
  if (value.kind != Meaning::Kind::Real && value.kind != Meaning::Kind::Index)
    refuse(node, "changes the shape of a list of edges");
  std::vector<Piece> pieces;
  std::vector<Axis> wanted;
  if (opOf(node) == "expand_as") {
    const Meaning &other = meaning(node, need(node, "other"));
    wanted = other.axes;
    pieces = other.pieces;
  } else {
    wanted = axesOf(node, need(node, "size"), pieces);
  }
  if (wanted.size() < value.axes.size())
    refuse(node, "expands to fewer dimensions");
  for (size_t i = 0; i < wanted.size(); ++i) {
    Axis &axis = wanted[wanted.size() - 1 - i];
    axis.dim = -1;
    if (i >= value.axes.size())
      continue;
    const Axis &old = value.axes[value.axes.size() - 1 - i];
    if (old.isOpen || old.size != 1) {
      if (!old.isLike(axis) && !(axis.size == -1 && !axis.isOpen))
        refuse(node, "expands to a shape that does not fit");
      axis = old;
    } else if (axis.size == -1 && !axis.isOpen) {
      axis = old;
    }
  }
  if (!value.pieces.empty() && !pieces.empty() && pieces != value.pieces)
    refuse(node, "expands values of vertices to edges, or the other way round");
  if (value.pieces.empty() && !pieces.empty()) {
    value.pieces = pieces;
    value.terms.assign(pieces.size(), value.terms[0]);
  }
  value.axes = wanted;
  set(node, value);
}

void Raiser::permute(const Node &node) {
  Meaning value = real(node, "self");
  const bool isMatrix = value.pieces.empty() && value.axes.size() == 2;
  bool swaps = opOf(node) == "t" || opOf(node) == "transpose" || opOf(node) == "numpy_T";
  if (const Argument *dims = node.find("dims"))
    swaps = dims->items.size() == 2 && dims->items[0].integer == 1 && dims->items[1].integer == 0;
  if (!isMatrix || !swaps || value.terms[0]->kind == Term::Kind::Function)
    refuse(node, "permutes features, which cannot be expressed yet");
  std::swap(value.axes[0], value.axes[1]);
  if (value.terms[0]->shape.size() == 2)
    value.terms[0] = terms().transpose(value.terms[0]);
  set(node, value);
}

void Raiser::unsqueeze(const Node &node) {
  Meaning value = meaning(node, need(node, "self"));
  if (value.kind != Meaning::Kind::Real && value.kind != Meaning::Kind::Index)
    refuse(node, "changes the shape of a list of edges");
  if (!node.find("dim") || node.find("dim")->kind != Argument::Kind::Int)
    refuse(node, "squeezes all dimensions of extent 1; name one");
  int64_t axis = integer(node, "dim", 0);
  if (opOf(node) == "unsqueeze") {
    size_t place = axisOf(node, axis, value.axes.size() + 1);
    value.axes.insert(value.axes.begin() + place, Axis());
  } else {
    size_t place = axisOf(node, axis, value.axes.size());
    if (value.axes[place].isOpen || value.axes[place].size != 1)
      return set(node, value); // PyTorch squeezes nothing then
    value.axes.erase(value.axes.begin() + place);
  }
  set(node, value);
}

void Raiser::size(const Node &node) {
  const Meaning &value = meaning(node, need(node, "self"));
  const int64_t axis = integer(node, "dim", 0);
  const bool isOpen = value.kind == Meaning::Kind::EdgeList ? axis == 1 || axis == -1
                                                            : value.axes[axisOf(node, axis, value.axes.size())].isOpen;
  if (!isOpen)
    refuse(node, "takes a size that is not open");
  set(node, {Meaning::Kind::Size, value.pieces, {}, {}, {}, {}, {}});
}

void Raiser::addSizes(const Node &node) {
  Meaning sum{Meaning::Kind::Size, {}, {}, {}, {}, {}, {}};
  for (const auto &[name, argument] : node.inputs) {
    if (argument.kind != Argument::Kind::SymInt)
      return; // whoever reads it is refused
    llvm::append_range(sum.pieces, meaning(node, argument).pieces);
  }
  set(node, sum);
}

//===----------------------------------------------------------------------===//
// Products and norms
//===----------------------------------------------------------------------===//

/// `matrix` is a parameter [in, out]. Of extents 1 there is no dimension: the product is a dot product, or a multiple.
Meaning Raiser::multiply(const Node &node, const Meaning &left, const Meaning &matrix) {
  const Term *weight = matrix.terms.empty() ? nullptr : matrix.terms[0];
  if (!weight || !matrix.pieces.empty() || matrix.axes.size() != 2 ||
      (weight->kind != Term::Kind::Parameter && weight->kind != Term::Kind::Transpose))
    refuse(node, "multiplies by a matrix that is no parameter, which cannot be expressed yet");
  if (left.axes.empty() || !left.axes.back().isLike(matrix.axes[0]) || left.axes.back().isOpen)
    refuse(node, "multiplies matrices that do not fit");
  Meaning product = left;
  product.axes.back() = matrix.axes[1];
  const bool hasIn = matrix.axes[0].dim >= 0, hasOut = matrix.axes[1].dim >= 0;
  if (hasIn && left.axes.back().dim < 0)
    refuse(node, "multiplies equal features by a matrix, which cannot be expressed");
  for (const Term *&term : product.terms)
    term = !hasIn   ? terms().function("*", {term, weight})
           : hasOut ? terms().product(term, weight)
                    : terms().dot(term, weight);
  return product;
}

static void transposeAxes(Meaning &matrix, TermBuilder &terms) {
  if (matrix.axes.size() != 2 || matrix.terms.size() != 1)
    return;
  std::swap(matrix.axes[0], matrix.axes[1]);
  if (matrix.terms[0]->shape.size() == 2 &&
      (matrix.terms[0]->kind == Term::Kind::Parameter || matrix.terms[0]->kind == Term::Kind::Transpose))
    matrix.terms[0] = terms.transpose(matrix.terms[0]);
}

void Raiser::linear(const Node &node) {
  Meaning matrix = real(node, "weight");
  transposeAxes(matrix, terms());
  Meaning product = multiply(node, real(node, "input"), matrix);
  const Argument *bias = node.find("bias");
  set(node, bias && bias->kind != Argument::Kind::None ? apply(node, "+", {product, realOf(node, *bias)}) : product);
}

void Raiser::matmul(const Node &node) {
  set(node, multiply(node, real(node, "self"), real(node, node.find("mat2") ? "mat2" : "other")));
}

void Raiser::addmm(const Node &node) {
  if (number(node, "alpha", 1) != 1 || number(node, "beta", 1) != 1)
    refuse(node, "scales a product, which cannot be expressed yet");
  set(node, apply(node, "+", {multiply(node, real(node, "mat1"), real(node, "mat2")), real(node, "self")}));
}

/// (x - mean) / sqrt(variance + eps), then weight and bias if there are any.
void Raiser::batchNorm(const Node &node) {
  if (integer(node, "training", 0))
    refuse(node, "normalises by the batch; call model.eval() before torch.export.export");
  Meaning value = real(node, "input");
  if (value.axes.size() != 2)
    refuse(node, "normalises tensors that are not [N, features]");
  Meaning scale =
      apply(node, "rsqrt", {apply(node, "+", {real(node, "running_var"), constant(number(node, "eps", 1e-5))})});
  value = apply(node, "*", {apply(node, "-", {value, real(node, "running_mean")}), scale});
  for (auto [input, function] : {std::pair("weight", "*"), std::pair("bias", "+")})
    if (const Argument *argument = node.find(input); argument && argument->kind == Argument::Kind::Tensor)
      value = apply(node, function, {value, realOf(node, *argument)});
  set(node, value);
}

void Raiser::layerNorm(const Node &node) {
  Meaning value = real(node, "input");
  const Argument &shape = need(node, "normalized_shape");
  if (shape.items.size() != 1 || value.axes.size() < 2 || value.axes.back().dim < 0)
    refuse(node, "normalises over more than the last dimension, which cannot be expressed yet");
  auto mean = [&](Meaning of) {
    for (const Term *&term : of.terms)
      term = terms().reduce("mean", term);
    of.axes.back() = Axis();
    return of;
  };
  Meaning centred = apply(node, "-", {value, mean(value)});
  Meaning variance = mean(apply(node, "*", {centred, centred}));
  value = apply(node, "*",
                {centred, apply(node, "rsqrt", {apply(node, "+", {variance, constant(number(node, "eps", 1e-5))})})});
  for (auto [input, function] : {std::pair("weight", "*"), std::pair("bias", "+")})
    if (const Argument *argument = node.find(input); argument && argument->kind == Argument::Kind::Tensor)
      value = apply(node, function, {value, realOf(node, *argument)});
  set(node, value);
}

void Raiser::softmax(const Node &node) {
  Meaning value = real(node, "self");
  if (value.axes.empty() || axisOf(node, integer(node, "dim", -1), value.axes.size()) + 1 != value.axes.size() ||
      value.axes.back().dim < 0)
    refuse(node, "normalises over a dimension other than the features");
  Meaning total = value;
  for (const Term *&term : total.terms)
    term = terms().reduce("logsumexp", term);
  total.axes.back() = Axis();
  Meaning logs = apply(node, "-", {value, total});
  set(node, opOf(node).contains("log_softmax") ? logs : apply(node, "exp", {logs}));
}

/// A sum, mean or maximum over the features.
void Raiser::overFeatures(const Node &node) {
  Meaning value = real(node, "self");
  const Argument *dims = node.find("dim");
  const bool isLast = dims && dims->items.size() == 1 && !value.axes.empty() &&
                      axisOf(node, dims->items[0].integer, value.axes.size()) + 1 == value.axes.size() &&
                      value.axes.back().dim >= 0;
  if (!isLast)
    refuse(node, "aggregates over vertices, or over several dimensions, which cannot be expressed yet");
  const std::string name = opOf(node) == "amax" ? "max" : opOf(node) == "amin" ? "min" : opOf(node).str();
  for (const Term *&term : value.terms)
    term = terms().reduce(name, term);
  if (integer(node, "keepdim", 0))
    value.axes.back() = Axis();
  else
    value.axes.pop_back();
  set(node, value);
}

//===----------------------------------------------------------------------===//
// Indices
//===----------------------------------------------------------------------===//

void Raiser::arange(const Node &node) {
  const Argument &end = need(node, "end");
  const bool isAll = number(node, "start", 0) == 0 && number(node, "step", 1) == 1 &&
                     end.kind == Argument::Kind::SymInt && meaning(node, end).isVertexField();
  if (!isAll)
    refuse(node, "counts something other than the vertices, which cannot be expressed");
  set(node, {Meaning::Kind::Index, {vertices}, {{0, true, -1}}, {}, {End::Self}, {}, {}});
}

/// A list [1, n] of vertices twice is a list of edges from each to itself.
void Raiser::repeat(const Node &node) {
  const Meaning &value = meaning(node, need(node, "self"));
  const Argument &repeats = need(node, "repeats");
  const bool isPairs = value.kind == Meaning::Kind::Index && value.axes.size() == 2 && value.axes[1].isOpen &&
                       repeats.items.size() == 2 && repeats.items[0].integer == 2 && repeats.items[1].integer == 1;
  if (!isPairs)
    refuse(node, "repeats features, which cannot be expressed yet");
  set(node, {Meaning::Kind::EdgeList, value.pieces, {}, {}, {}, {value.ends, value.ends}, {}});
}

void Raiser::select(const Node &node) {
  const Meaning &list = meaning(node, need(node, "self"));
  int64_t row = integer(node, "index", 0);
  row += row < 0 ? 2 : 0;
  if (list.kind != Meaning::Kind::EdgeList || integer(node, "dim", 0) != 0 || row < 0 || row > 1)
    refuse(node, "selects one row of a tensor that is no list of edges");
  set(node, {Meaning::Kind::Index, list.pieces, {{0, true, -1}}, {}, list.rows[row], {}, {}});
}

Meaning Raiser::keepEdges(const Node &node, const Meaning &from, EdgeFilter filter) {
  if (from.pieces != std::vector<Piece>{edges} || (from.kind == Meaning::Kind::Real && !from.axes[0].isOpen))
    refuse(node, "filters something other than the edges of the data");
  Meaning kept = from;
  kept.pieces[0].filter = filter;
  // A term of an edge is the same whatever the filter; what it is aggregated over has the filter.
  return kept;
}

Meaning Raiser::gather(const Node &node, const Meaning &from, const Meaning &at) {
  if (from.kind != Meaning::Kind::Real || !from.isVertexField() || !from.axes[0].isOpen)
    refuse(node, "gathers rows of something other than values of vertices");
  if (at.axes.size() != 1)
    refuse(node, "gathers by an index of several dimensions");
  Meaning rows = from;
  rows.pieces = at.pieces;
  rows.terms.clear();
  for (auto [piece, end] : llvm::zip(at.pieces, at.ends))
    rows.terms.push_back(terms().at(end, piece.filter, from.terms[0]));
  return rows;
}

void Raiser::indexTensor(const Node &node) {
  const Meaning &self = meaning(node, need(node, "self"));
  const Argument &indices = need(node, "indices");
  if (indices.items.empty() || llvm::any_of(llvm::drop_end(indices.items),
                                            [](const Argument &item) { return item.kind != Argument::Kind::None; }))
    refuse(node, "takes elements by several indices, which cannot be expressed");
  const Meaning &last = meaning(node, indices.items.back());
  const size_t axis = indices.items.size() - 1;
  if (last.kind == Meaning::Kind::EdgeMask && axis == (self.kind == Meaning::Kind::EdgeList ? 1 : 0))
    return set(node, keepEdges(node, self, last.mask));
  if (last.kind != Meaning::Kind::Index || axis != 0)
    refuse(node, "takes elements by a mask that is not that of loops, or along features, which cannot be expressed");
  set(node, gather(node, self, last));
}

void Raiser::indexSelect(const Node &node) {
  const Meaning &self = meaning(node, need(node, "self"));
  if (self.kind != Meaning::Kind::Real || axisOf(node, integer(node, "dim", 0), self.axes.size()) != 0)
    refuse(node, "selects along a dimension other than the vertices");
  set(node, gather(node, self, index(node, need(node, "index"))));
}

void Raiser::concatenate(const Node &node) {
  std::vector<Meaning> parts;
  for (const Argument &item : need(node, "tensors").items)
    parts.push_back(meaning(node, item));
  if (parts.empty() || llvm::any_of(parts, [&](const Meaning &part) { return part.kind != parts[0].kind; }))
    refuse(node, "concatenates indices with numbers");
  Meaning whole = parts[0];
  const bool isList = whole.kind == Meaning::Kind::EdgeList;
  const size_t axis = axisOf(node, integer(node, "dim", 0), isList ? 2 : whole.axes.size());
  const bool isAlongRows = isList ? axis == 1 : whole.axes[axis].isOpen;
  if (isAlongRows) {
    for (const Meaning &part : llvm::drop_begin(parts)) {
      if (part.axes.size() != whole.axes.size() || part.pieces.empty())
        refuse(node, "concatenates rows of different shapes");
      for (size_t i = 0; i < whole.axes.size(); ++i)
        if (!whole.axes[i].isLike(part.axes[i]))
          refuse(node, "concatenates rows of different shapes");
      llvm::append_range(whole.pieces, part.pieces);
      llvm::append_range(whole.terms, part.terms);
      llvm::append_range(whole.ends, part.ends);
      for (int row : {0, 1})
        llvm::append_range(whole.rows[row], part.rows[row]);
    }
    return set(node, whole);
  }
  if (whole.kind != Meaning::Kind::Real || axis + 1 != whole.axes.size())
    refuse(node, "concatenates along a dimension other than rows and features");
  for (const Meaning &part : parts)
    if (part.pieces != whole.pieces || part.axes.size() != whole.axes.size() || part.axes.back().dim < 0)
      refuse(node, "concatenates features of different vertices or edges, or a single feature");
  for (size_t piece = 0; piece < whole.terms.size(); ++piece) {
    std::vector<const Term *> operands;
    for (const Meaning &part : parts)
      operands.push_back(part.terms[piece]);
    whole.terms[piece] = terms().concat(operands);
  }
  whole.axes.back().dim = whole.terms[0]->shape.back();
  whole.axes.back().size = terms().extent(whole.axes.back().dim);
  set(node, whole);
}

/// Factors of a product.
static void addFactors(const Term *term, std::vector<const Term *> &factors) {
  if (term->kind == Term::Kind::Function && term->name == "*")
    for (const Term *operand : term->operands)
      addFactors(operand, factors);
  else
    factors.push_back(term);
}

/// The sum over all pieces of what arrives at a vertex. A factor that all pieces have at that end, and that is finite
/// for every graph, is taken out: the sum of nothing is 0 either way.
const Term *Raiser::sumPieces(const Node &node, const Meaning &at, const Meaning &what) {
  std::vector<std::vector<const Term *>> factors(at.pieces.size());
  for (size_t piece = 0; piece < at.pieces.size(); ++piece)
    addFactors(what.terms[piece], factors[piece]);
  std::vector<const Term *> common;
  auto find = [&](size_t piece, const Term *own) {
    return llvm::find_if(factors[piece], [&](const Term *factor) {
      return at.ends[piece] == End::Self
                 ? factor == own
                 : factor->kind == Term::Kind::At && factor->end == at.ends[piece] && factor->operands[0] == own;
    });
  };
  for (const Term *factor : std::vector<const Term *>(factors[0])) {
    const Term *own = at.ends[0] == End::Self                                       ? factor
                      : factor->kind == Term::Kind::At && factor->end == at.ends[0] ? factor->operands[0]
                                                                                    : nullptr;
    if (!own || own->kind == Term::Kind::Constant || !isBounded(own) || !own->shape.empty())
      continue;
    bool isCommon = true;
    for (size_t piece = 0; piece < factors.size(); ++piece)
      isCommon &= factors[piece].size() > 1 && find(piece, own) != factors[piece].end();
    if (!isCommon)
      continue;
    for (size_t piece = 0; piece < factors.size(); ++piece)
      factors[piece].erase(find(piece, own));
    common.push_back(own);
  }
  const Term *total = nullptr;
  for (size_t piece = 0; piece < at.pieces.size(); ++piece) {
    const Term *term = factors[piece][0];
    for (const Term *factor : llvm::drop_begin(factors[piece]))
      term = terms().function("*", {term, factor});
    if (!at.pieces[piece].isVertices)
      term = terms().aggregate("sum", at.ends[piece], at.pieces[piece].filter, term);
    total = total ? terms().function("+", {total, term}) : term;
  }
  for (const Term *factor : common)
    total = terms().function("*", {factor, total});
  return total;
}

void Raiser::scatter(const Node &node, const Meaning &into, const Meaning &at, const Meaning &what,
                     const std::string &reduction) {
  if (!into.isVertexField() || !into.axes[0].isOpen)
    refuse(node, "scatters into something other than values of vertices");
  if (what.pieces != at.pieces || what.axes.empty() || !what.axes[0].isOpen)
    refuse(node, "scatters by indices of other edges than those of its values");
  bool fits = into.axes.size() == what.axes.size() && (at.axes.size() == what.axes.size() || at.axes.size() == 1);
  for (size_t i = 1; fits && i < what.axes.size(); ++i)
    fits = into.axes[i].size == what.axes[i].size && (at.axes.size() == 1 || at.axes[i].size == what.axes[i].size);
  if (!fits)
    refuse(node, "scatters into a part of a tensor, which cannot be expressed");
  Meaning whole = what;
  whole.pieces = {vertices};
  whole.axes[0] = into.axes[0];
  if (reduction == "sum") {
    whole.terms = {terms().function("+", {into.terms[0], sumPieces(node, at, what)})};
    return set(node, whole);
  }
  const bool startsFromZero = into.terms[0]->kind == Term::Kind::Constant && into.terms[0]->number == 0;
  if (!startsFromZero || at.pieces.size() != 1 || at.pieces[0].isVertices || what.terms[0]->place != Place::Edge)
    refuse(node, "takes a " + reduction +
                     " over edges and added loops, or from a start other than 0, which cannot be "
                     "expressed yet");
  whole.terms = {terms().aggregate(reduction, at.ends[0], at.pieces[0].filter, what.terms[0])};
  set(node, whole);
}

void Raiser::scatterAdd(const Node &node) {
  Meaning into = real(node, "self");
  if (axisOf(node, integer(node, "dim", 0), into.axes.size()) != 0)
    refuse(node, "scatters along features");
  const Meaning &at = index(node, need(node, "index"));
  Meaning what = real(node, "src");
  if (at.axes.size() != what.axes.size())
    refuse(node, "scatters by an index of another rank");
  scatter(node, into, at, what, "sum");
}

void Raiser::indexAdd(const Node &node) {
  Meaning into = real(node, "self");
  const Meaning &at = index(node, need(node, "index"));
  if (axisOf(node, integer(node, "dim", 0), into.axes.size()) != 0 || at.axes.size() != 1 ||
      number(node, "alpha", 1) != 1)
    refuse(node, "adds along features, or multiples");
  scatter(node, into, at, real(node, "source"), "sum");
}

void Raiser::scatterReduce(const Node &node) {
  static const std::map<std::string, std::string> names = {
      {"amax", "max"}, {"amin", "min"}, {"mean", "mean"}, {"sum", "sum"}};
  auto name = names.find(need(node, "reduce").text);
  Meaning into = real(node, "self");
  if (name == names.end() || axisOf(node, integer(node, "dim", 0), into.axes.size()) != 0)
    refuse(node, "reduces by " + need(node, "reduce").text + ", which cannot be expressed yet");
  if (integer(node, "include_self", 1) && name->second != "sum")
    refuse(node, "includes the start in a " + name->second + ", which cannot be expressed yet");
  const Meaning &at = index(node, need(node, "index"));
  Meaning what = real(node, "src");
  if (at.axes.size() != what.axes.size())
    refuse(node, "scatters by an index of another rank");
  scatter(node, into, at, what, name->second);
}

/// What index_add decomposes to.
void Raiser::indexPut(const Node &node) {
  const Argument &indices = need(node, "indices");
  if (indices.items.size() != 1 || !integer(node, "accumulate", 0))
    refuse(node, "writes elements by an index; two writes of one element would be undefined");
  scatter(node, real(node, "self"), index(node, indices.items[0]), real(node, "values"), "sum");
}

//===----------------------------------------------------------------------===//
// The table
//===----------------------------------------------------------------------===//

const llvm::StringMap<Raiser::Handler> &Raiser::handlers() {
  static const llvm::StringMap<Handler> table = [] {
    llvm::StringMap<Handler> table;
    auto add = [&](Handler handler, std::initializer_list<const char *> names) {
      for (const char *name : names)
        table[name] = handler;
    };
    add(&Raiser::unary, {"aten.relu", "aten.elu", "aten.sigmoid", "aten.tanh", "aten.exp", "aten.log", "aten.sqrt",
                         "aten.rsqrt", "aten.abs", "aten.silu", "aten.square", "aten.reciprocal"});
    add(&Raiser::binary, {"aten.mul", "aten.div", "aten.pow", "aten.maximum", "aten.minimum"});
    add(&Raiser::addScaled, {"aten.add", "aten.sub", "aten.rsub"});
    add(&Raiser::compare, {"aten.eq", "aten.ne", "aten.lt", "aten.le", "aten.gt", "aten.ge"});
    add(&Raiser::clamp, {"aten.clamp", "aten.clamp_min"});
    add(&Raiser::leakyRelu, {"aten.leaky_relu"});
    add(&Raiser::where, {"aten.where"});
    add(&Raiser::maskedFill, {"aten.masked_fill"});
    add(&Raiser::same, {"aten.alias", "aten.clone", "aten.contiguous", "aten.detach", "aten.to", "aten._to_copy",
                        "aten.lift_fresh_copy"});
    add(&Raiser::dropout, {"aten.dropout", "aten.native_dropout"});
    add(&Raiser::fill, {"aten.full", "aten.full_like", "aten.new_full", "aten.new_ones", "aten.new_zeros", "aten.ones",
                        "aten.ones_like", "aten.scalar_tensor", "aten.zeros", "aten.zeros_like"});
    add(&Raiser::view, {"aten.view", "aten.reshape", "aten._unsafe_view"});
    add(&Raiser::expand, {"aten.expand", "aten.expand_as"});
    add(&Raiser::permute, {"aten.permute", "aten.t", "aten.transpose", "aten.numpy_T"});
    add(&Raiser::unsqueeze, {"aten.unsqueeze", "aten.squeeze"});
    add(&Raiser::size, {"aten.sym_size"});
    add(&Raiser::addSizes, {"_operator.add"});
    add(&Raiser::nothing,
        {"_operator.eq", "_operator.ge", "_operator.gt", "_operator.le", "_operator.lt", "_operator.ne"});
    add(&Raiser::linear, {"aten.linear"});
    add(&Raiser::matmul, {"aten.matmul", "aten.mm"});
    add(&Raiser::addmm, {"aten.addmm"});
    add(&Raiser::batchNorm, {"aten.batch_norm", "aten._native_batch_norm_legit_no_training"});
    add(&Raiser::layerNorm, {"aten.layer_norm", "aten.native_layer_norm"});
    add(&Raiser::softmax, {"aten.softmax", "aten._softmax", "aten.log_softmax", "aten._log_softmax"});
    add(&Raiser::overFeatures, {"aten.amax", "aten.amin", "aten.mean", "aten.sum"});
    add(&Raiser::arange, {"aten.arange"});
    add(&Raiser::repeat, {"aten.repeat"});
    add(&Raiser::select, {"aten.select"});
    add(&Raiser::indexTensor, {"aten.index"});
    add(&Raiser::indexSelect, {"aten.index_select"});
    add(&Raiser::concatenate, {"aten.cat"});
    add(&Raiser::scatterAdd, {"aten.scatter_add"});
    add(&Raiser::indexAdd, {"aten.index_add"});
    add(&Raiser::indexPut, {"aten.index_put"});
    add(&Raiser::scatterReduce, {"aten.scatter_reduce"});
    return table;
  }();
  return table;
}

RaisedProgram Raiser::run() {
  for (const auto &[name, type] : program.tensors)
    if (type.element == ScalarType::Half || type.element == ScalarType::BFloat16)
      throw ImportError(name + " is of half precision; call model.float() before the export");
  for (const std::string &input : program.userInputs)
    if (const TensorType &type = program.tensors.at(input); type.element == ScalarType::Long && type.sizes.size() == 2)
      edgeSymbol = type.sizes[1].symbol;
  for (const std::string &input : program.userInputs)
    addInput(input);
  if (llvm::count_if(result.inputs, [](const RaisedInput &input) { return input.place == Place::Model; }) != 1)
    throw ImportError("the program has no input of edges [2, E], or several; gnnc imports models that read one list of "
                      "edges");
  if (vertexSymbol.empty())
    throw ImportError("the program reads no features of vertices [N, features]");
  for (const std::string &value : program.storedOrder)
    addStored(value);
  findLayers();
  for (size_t i = 0; i < program.nodes.size(); ++i) {
    const Node &node = program.nodes[i];
    llvm::StringRef target = node.target;
    // The overload decides about types of arguments only.
    llvm::StringRef op = target.starts_with("_operator.") ? target : target.rsplit('.').first;
    auto handler = handlers().find(op);
    if (handler == handlers().end())
      refuse(node, "this op cannot be imported");
    terms().scope = scopes[i];
    (this->*handler->second)(node);
  }
  for (const std::string &output : program.outputs) {
    const Meaning &value = meanings[output];
    if (value.kind != Meaning::Kind::Real || !value.isVertexField() || value.terms[0]->place == Place::Model)
      throw ImportError("the program returns " + output +
                        ", which is no value of vertices; other results cannot be "
                        "imported yet");
    result.outputs.push_back(value.terms[0]);
  }
  if (result.outputs.empty())
    throw ImportError("the program returns nothing");
  return std::move(result);
}

RaisedProgram gnnc::pt2::raise(const Program &program) { return Raiser(program).run(); }

void RaisedProgram::print(llvm::raw_ostream &os) const {
  static const char *const ends[] = {"source", "target", "self"};
  static const char *const filters[] = {"all edges", "edges but loops", "loops"};
  static const char *const kinds[] = {"input",         "parameter", "constant", "at", "",
                                      "transpose",     "product",   "dot",      "",   "count",
                                      "over features", "concat",    "dropout"};
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
    if (term->kind == Term::Kind::Aggregate || term->kind == Term::Kind::Count)
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
