//===- ProgramText.cpp - The text of an imported model --------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/Import/ProgramText.h"
#include "compiler/Formatter/Formatter.h"
#include "compiler/Import/LibraryCall.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/SourceMgr.h"
#include <charconv>
#include <cmath>
#include <functional>
#include <set>

using namespace gnnc::pt2;
using Kind = Term::Kind;

namespace {

/// Dimensions that must be equal, as classes.
class DimClasses {
public:
  int find(int dim) {
    auto [place, isNew] = parents.try_emplace(dim, dim);
    return isNew || place->second == dim ? dim : place->second = find(place->second);
  }
  void join(int left, int right) {
    left = find(left), right = find(right);
    parents[std::max(left, right)] = std::min(left, right);
  }

private:
  std::map<int, int> parents;
};

/// A body: the model's, or that of one layer.
struct Scope {
  std::string path, type;
  std::vector<const Term *> members; // in order of construction
  std::vector<const Term *> formals; // what a layer reads of outside, but parameters
  const Term *result = nullptr;      // of a layer
  std::vector<const Term *> parameters;
  std::map<const Term *, std::string> names; // of formals, parameters, and terms that have a `let`
  DimClasses classes;
  std::map<int, std::string> dimNames;  // by class
  std::vector<int> dims;                // classes that are parameters of the layer or model
  std::map<int, std::vector<int>> sums; // classes of concatenated features: the parts
  std::map<int, std::vector<int>> products; // classes of flattened features: the dimensions
  std::set<std::string> taken;
  std::string instance, declaration; // of a layer
  std::string body;                  // of a layer: what follows its name where it is written out
  std::optional<LibraryCall> library;
};

class Writer {
public:
  Writer(const Program &program, const RaisedProgram &raised, const std::string &stdlib)
      : program(program), raised(raised), stdlib(stdlib) {}
  ProgramText write();

private:
  // Partition.
  void collect();
  void orient();
  bool isInside(const Term *term, const Scope &scope) const { return scopeOf(term) == scope.path; }
  std::string scopeOf(const Term *term) const { return demoted.count(term->scope) ? "" : term->scope; }
  bool isTransposed(const Term *parameter) const;
  const std::vector<int> &shapeOf(const Term *parameter) const { return views.at(parameter->name)->shape; }
  bool fill(Scope &scope);
  Scope *callOf(const Term *term);

  // Names.
  std::string fresh(Scope &scope, const std::string &wish);
  void nameParameters(Scope &scope);
  void nameDims(Scope &scope, const std::vector<const Term *> &sources, const Term *result);
  std::string dimText(Scope &scope, int dim);
  bool isEdgeField(const Term *term);
  void nameFields(Scope &scope);

  // Text.
  std::string type(Scope &scope, const std::vector<int> &shape);
  std::string layerBody(Scope &scope);
  std::string loops(Scope &scope);
  std::string weights(Scope &scope);
  std::string statements(Scope &scope);
  std::string expression(Scope &scope, const Term *term, int level, End self = End::Self);
  std::string functionText(Scope &scope, const Term *term, int level, End self);
  bool readsAdded(Scope &scope, const Term *term);
  std::string call(Scope &scope, Scope &layer);
  std::string declare(const std::string &modelName);
  void askLibrary(Scope &layer);
  std::vector<LayerDim> layerDims(const std::vector<int> &shape);

  const Program &program;
  const RaisedProgram &raised;
  const std::string &stdlib;
  std::vector<const Term *> used; // in order of construction
  std::map<const Term *, std::vector<const Term *>> users;
  std::set<std::string> demoted; // modules that are no layers: what they compute is written where it is used
  std::map<std::string, const Term *> views; // of parameters: how all that read them do
  std::vector<std::unique_ptr<Scope>> layers;
  Scope model;
  ProgramText result;
};

} // namespace

static bool isView(const Term *term) { return term->kind == Kind::Transpose || term->kind == Kind::Split; }

/// A parameter, or the one of which the term is a view.
static const Term *parameterOf(const Term *term) {
  while (isView(term))
    term = term->operands[0];
  return term->kind == Kind::Parameter ? term : nullptr;
}

//===----------------------------------------------------------------------===//
// Partition into layers
//===----------------------------------------------------------------------===//

void Writer::collect() {
  std::set<const Term *> seen;
  std::vector<const Term *> open(raised.outputs.begin(), raised.outputs.end());
  while (!open.empty()) {
    const Term *term = open.back();
    open.pop_back();
    if (!seen.insert(term).second)
      continue;
    used.push_back(term);
    for (const Term *operand : term->operands) {
      users[operand].push_back(term);
      open.push_back(operand);
    }
  }
  llvm::sort(used, [](const Term *left, const Term *right) { return left->id < right->id; });
}

/// A weight is stored as all that read it do.
void Writer::orient() {
  for (const Term *term : used) {
    const Term *parameter = parameterOf(term);
    if (!parameter || (!users[term].empty() && llvm::all_of(users[term], isView)))
      continue;
    auto [place, isNew] = views.try_emplace(parameter->name, term);
    if (!isNew && place->second != term)
      throw ImportError(program.storeds.at(parameter->name).name +
                        " is read both as it is and transposed, or in two shapes, which cannot be expressed yet");
  }
}

bool Writer::isTransposed(const Term *parameter) const {
  for (const Term *view = views.at(parameter->name); isView(view); view = view->operands[0])
    if (view->kind == Kind::Transpose)
      return true;
  return false;
}

/// Finds what a scope computes, reads and gives. False for a layer that is none: one with several results, say.
bool Writer::fill(Scope &scope) {
  std::set<const Term *> reads, parameters, results;
  for (const Term *term : used) {
    if (isLeaf(term) || !isInside(term, scope))
      continue;
    scope.members.push_back(term);
    for (const Term *operand : term->operands)
      if (const Term *parameter = parameterOf(operand))
        parameters.insert(parameter);
      else if (operand->kind != Kind::Constant && (isLeaf(operand) || !isInside(operand, scope)))
        reads.insert(operand);
    if (llvm::is_contained(raised.outputs, term) ||
        llvm::any_of(users[term], [&](const Term *user) { return !isInside(user, scope); }))
      results.insert(term);
  }
  auto byOrder = [](const Term *left, const Term *right) { return left->id < right->id; };
  scope.formals.assign(reads.begin(), reads.end());
  llvm::sort(scope.formals, [&](const Term *left, const Term *right) { // those of vertices first
    return left->place != right->place ? left->place < right->place : byOrder(left, right);
  });
  for (const Term *term : scope.members) // in the order of their first use
    for (const Term *operand : term->operands)
      if (const Term *parameter = parameterOf(operand); parameter && parameters.erase(parameter))
        scope.parameters.push_back(parameter);
  if (scope.path.empty())
    return true;
  if (results.size() != 1 || (*results.begin())->place != Place::Vertex)
    return false;
  scope.result = *results.begin();
  return !scope.formals.empty() && scope.formals.front()->place != Place::Model &&
         llvm::any_of(scope.formals, [](const Term *term) { return term->place == Place::Vertex; }) &&
         llvm::all_of(scope.formals, [](const Term *term) {
           return term->place == Place::Vertex || (term->place == Place::Edge && term->kind == Kind::Input);
         });
}

/// The layer that gives `term`, or null.
Scope *Writer::callOf(const Term *term) {
  for (const std::unique_ptr<Scope> &layer : layers)
    if (layer->result == term)
      return layer.get();
  return nullptr;
}

//===----------------------------------------------------------------------===//
// Names
//===----------------------------------------------------------------------===//

static std::string identifier(llvm::StringRef text) {
  std::string name;
  for (char c : text)
    name += llvm::isAlnum(c) ? c : '_';
  return name.empty() || llvm::isDigit(name[0]) ? "_" + name : name;
}

std::string Writer::fresh(Scope &scope, const std::string &wish) {
  static const llvm::StringSet<> reserved = {
#define KEYWORD(SPELLING) #SPELLING,
#include "compiler/Frontend/Tokens.def"
      "u", "v", "w", "e", "in_degree", "out_degree", "training", "type"};
  std::string name = wish;
  for (int i = 2; reserved.contains(name) || !scope.taken.insert(name).second; ++i)
    name = wish + std::to_string(i);
  return name;
}

/// `lin_l.weight` is `W_l`, or `W` where there is only one matrix.
void Writer::nameParameters(Scope &scope) {
  std::vector<std::pair<std::string, std::string>> parts; // the kind, and what tells it from others of the kind
  std::map<std::string, int> counts;
  for (const Term *parameter : scope.parameters) {
    llvm::StringRef name = program.storeds.at(parameter->name).name;
    llvm::StringRef base = llvm::StringRef(scope.path).split('@').first;
    if (!base.empty() && name.consume_front(base))
      name.consume_front(".");
    auto [owner, last] = name.rsplit('.');
    if (last.empty())
      std::swap(owner, last);
    std::string kind = last == "weight" ? (shapeOf(parameter).size() > 1 ? "W" : "scale")
                       : last == "bias" ? "b"
                                        : identifier(last);
    llvm::StringRef rest = owner;
    if (!rest.consume_front("lin_") && rest == "lin")
      rest = "";
    parts.emplace_back(kind, rest.str());
    counts[kind] += 1;
  }
  for (auto [parameter, part] : llvm::zip(scope.parameters, parts)) {
    std::string wish = part.first;
    if (counts[part.first] > 1 && !part.second.empty())
      wish += "_" + llvm::StringRef(identifier(part.second)).ltrim('_').str();
    scope.names[parameter] = fresh(scope, wish);
  }
}

/// `in` is the last dimension of the first source, `out` that of the result, and all others are `hidden`.
void Writer::nameDims(Scope &scope, const std::vector<const Term *> &sources, const Term *output) {
  for (const Term *term : scope.members) {
    for (auto [left, right] : raised.terms.equalities(term))
      scope.classes.join(left, right);
  }
  for (const Term *term : scope.members)
    if (term->kind == Kind::Concat)
      for (const Term *operand : term->operands)
        scope.sums[scope.classes.find(term->shape.back())].push_back(operand->shape.back());
  for (const Term *term : scope.members)
    if (term->kind == Kind::Flatten) {
      const std::vector<int> &inner = term->operands[0]->shape;
      scope.products[scope.classes.find(term->shape.back())] = {inner.end()[-2], inner.back()};
    }
  std::map<int, std::string> names; // by class, of dimensions that have one
  for (int dim = 0; dim < raised.terms.numDims(); ++dim)
    if (!raised.terms.nameOf(dim).empty())
      names[scope.classes.find(dim)] = raised.terms.nameOf(dim);
  auto name = [&](int dim, const std::string &wish) {
    int dimClass = scope.classes.find(dim);
    if (scope.sums.count(dimClass) || scope.products.count(dimClass) || scope.dimNames.count(dimClass))
      return;
    auto own = names.find(dimClass);
    scope.dimNames[dimClass] = fresh(scope, own == names.end() || wish == "in" ? wish : own->second);
    scope.dims.push_back(dimClass);
  };
  for (const Term *source : sources)
    if (!source->shape.empty())
      name(source->shape.back(), "in");
  int outClass = output && !output->shape.empty() ? scope.classes.find(output->shape.back()) : -1;
  if (auto product = scope.products.find(outClass); product != scope.products.end())
    outClass = scope.classes.find(product->second[1]);
  const bool hasOut = outClass >= 0 && !scope.dimNames.count(outClass) && !scope.sums.count(outClass);
  if (hasOut)
    scope.dimNames[outClass] = fresh(scope, "out");
  auto all = [&](const Term *term) {
    for (int dim : term->shape)
      name(dim, "hidden");
  };
  llvm::for_each(sources, all);
  for (const Term *parameter : scope.parameters)
    all(views.at(parameter->name));
  for (const Term *term : scope.members)
    if (!parameterOf(term))
      all(term);
  if (hasOut)
    scope.dims.push_back(outClass);
}

std::string Writer::dimText(Scope &scope, int dim) {
  const int dimClass = scope.classes.find(dim);
  if (auto sum = scope.sums.find(dimClass); sum != scope.sums.end()) {
    std::vector<std::string> parts;
    for (int part : sum->second)
      parts.push_back(dimText(scope, part));
    return llvm::join(parts, " + ");
  }
  if (auto product = scope.products.find(dimClass); product != scope.products.end())
    return dimText(scope, product->second[0]) + " * " + dimText(scope, product->second[1]);
  auto name = scope.dimNames.find(dimClass);
  return name != scope.dimNames.end() ? name->second : std::to_string(raised.terms.extent(dim));
}

/// The softmax that the term is, but for dropout, or null.
static const Term *softmaxOf(const Term *term) {
  while (term->kind == Kind::Dropout || term->kind == Kind::Spread)
    term = term->operands[0];
  return term->kind == Kind::Softmax ? term : nullptr;
}

/// Whether the term gets a `let` over edges: weights of edges do, and what several terms read.
bool Writer::isEdgeField(const Term *term) {
  if (term->kind == Kind::At || term->kind == Kind::IsLoop || term->kind == Kind::IsAdded || term->kind == Kind::Spread)
    return false;
  size_t readers = 0;
  bool isAlone = false; // dropout of it is what has a name
  for (const Term *user : users[term]) {
    readers += user->kind == Kind::Spread ? users[user].size() : 1;
    isAlone |= user->kind == Kind::Dropout;
  }
  return readers > 1 || (softmaxOf(term) && !isAlone);
}

/// Terms that neighbours read, or that several terms read, are fields with a name. So are arguments of layers that
/// begin with another layer: a long model reads line by line.
void Writer::nameFields(Scope &scope) {
  auto isField = [&](const Term *term) {
    if (term->place == Place::Model || scope.names.count(term))
      return false;
    if (term->place == Place::Edge)
      return isEdgeField(term);
    int readers = 0;
    bool isReadAtEnd = false;
    std::set<const Term *> calls;
    for (const Term *user : users[term]) {
      if (isInside(user, scope))
        readers += 1;
      else if (scope.path.empty())
        for (const std::unique_ptr<Scope> &layer : layers)
          if (isInside(user, *layer) && llvm::is_contained(layer->formals, term))
            calls.insert(layer->result);
      isReadAtEnd |= isInside(user, scope) && user->kind == Kind::At;
    }
    readers += int(calls.size()) + (llvm::is_contained(raised.outputs, term) ? 1 : 0);
    if (isReadAtEnd || (readers > 1 && term->kind != Kind::Count))
      return true;
    if (calls.empty())
      return false;
    bool hasCall = false;
    auto look = [&](const Term *inner, auto &self) -> void {
      hasCall |= callOf(inner) != nullptr;
      if (!hasCall && isInside(inner, scope))
        for (const Term *operand : inner->operands)
          self(operand, self);
    };
    look(term, look);
    return hasCall;
  };
  for (const Term *term : used) {
    const bool isOwn = (isInside(term, scope) && !isLeaf(term)) || (scope.path.empty() && callOf(term));
    if (!isOwn || term == scope.result || !isField(term))
      continue;
    const bool isRoot = term->kind == Kind::Function && (term->name == "rsqrt" || term->name == "select");
    scope.names[term] = fresh(scope, term->place == Place::Edge    ? (softmaxOf(term) ? "alpha" : "m")
                                     : scope.path.empty()          ? "h"
                                     : term->kind == Kind::Product ? "z"
                                     : term->kind == Kind::Dot     ? "s"
                                     : isRoot                      ? "c"
                                                                   : "t");
  }
}

//===----------------------------------------------------------------------===//
// Text
//===----------------------------------------------------------------------===//

static std::string numberText(double number) {
  if (!std::isfinite(number))
    throw ImportError("the program computes with an infinite constant, which cannot be expressed");
  char text[40];
  auto end = number == std::trunc(number) && std::abs(number) < 1e15
                 ? std::to_chars(text, text + sizeof text, int64_t(number)).ptr
                 : std::to_chars(text, text + sizeof text, number).ptr;
  return std::string(text, end);
}

std::string Writer::type(Scope &scope, const std::vector<int> &shape) {
  if (shape.empty())
    return "real";
  std::vector<std::string> dims;
  for (int dim : shape)
    dims.push_back(dimText(scope, dim));
  return "real[" + llvm::join(dims, ", ") + "]";
}

// Levels of precedence: 1 comparison, 2 sum, 3 product, 4 unary, 5 primary.
std::string Writer::functionText(Scope &scope, const Term *term, int level, End self) {
  static const std::map<llvm::StringRef, int> levels = {{"==", 1}, {"!=", 1}, {"<", 1}, {"<=", 1}, {">", 1},
                                                        {">=", 1}, {"+", 2},  {"-", 2}, {"*", 3},  {"/", 3}};
  auto infix = levels.find(term->name);
  if (infix == levels.end()) {
    std::vector<std::string> arguments;
    for (const Term *operand : term->operands)
      arguments.push_back(expression(scope, operand, 0, self));
    return term->name + "(" + llvm::join(arguments, ", ") + ")";
  }
  const int mine = infix->second;
  // A product of matrices binds as a multiple does, so it is put into parentheses beside one.
  auto operand = [&](const Term *inner, int wanted) {
    std::string text = expression(scope, inner, wanted, self);
    return mine == 3 && inner->kind == Kind::Product && !scope.names.count(inner) && wanted == 3 ? "(" + text + ")"
                                                                                                 : text;
  };
  std::string text =
      operand(term->operands[0], mine == 1 ? 2 : mine) + " " + term->name + " " + operand(term->operands[1], mine + 1);
  return mine < level ? "(" + text + ")" : text;
}

/// `self`: inside an aggregation, the end that the aggregating vertex is.
std::string Writer::expression(Scope &scope, const Term *term, int level, End self) {
  if (auto name = scope.names.find(term); name != scope.names.end())
    return name->second;
  if (Scope *layer = scope.path.empty() ? callOf(term) : nullptr)
    return call(scope, *layer);
  auto filter = [&] {
    static const char *const filters[] = {"", " if u != v", " if u == v", ""};
    std::string text = term->end == End::Target ? "u -> v" : "v -> u";
    const bool readsEdge = !term->operands.empty() && readsAdded(scope, term->operands[0]);
    return (readsEdge ? "e: " : "") + text + filters[int(term->filter)];
  };
  switch (term->kind) {
  case Kind::Input:
  case Kind::Parameter:
    return scope.names.at(term);
  case Kind::Transpose:
  case Kind::Split:
    return scope.names.at(parameterOf(term));
  case Kind::IsLoop:
    return level > 1 ? "(u == v)" : "u == v";
  case Kind::IsAdded:
    return "e.is_added";
  case Kind::LastLoop:
    throw ImportError("the program reads values of loops for something other than edges with one loop at each vertex");
  case Kind::Softmax:
    return "softmax(" + expression(scope, term->operands[0], 0, term->end) + " for " + filter() + ")";
  case Kind::Spread:
    return expression(scope, term->operands[0], level, self);
  case Kind::Flatten:
    return "flatten(" + expression(scope, term->operands[0], 0, self) + ")";
  case Kind::Constant: {
    std::string text = numberText(term->number);
    return text[0] == '-' && level > 1 ? "(" + text + ")" : text;
  }
  case Kind::At:
    return (term->end == self ? "v." : "u.") + scope.names.at(term->operands[0]);
  case Kind::Function:
    return functionText(scope, term, level, self);
  case Kind::Product: {
    std::string left = expression(scope, term->operands[0], 4, self);
    std::string text = left + " @ " + expression(scope, term->operands[1], 4, self);
    return level > 3 ? "(" + text + ")" : text;
  }
  case Kind::Dot:
    return "dot(" + expression(scope, term->operands[0], 0, self) + ", " +
           expression(scope, term->operands[1], 0, self) + ")";
  case Kind::Aggregate:
    return term->name + "(" + expression(scope, term->operands[0], 0, term->end) + " for " + filter() + ")";
  case Kind::Count:
    if (term->filter == EdgeFilter::All || term->filter == EdgeFilter::OneLoop)
      return term->end == End::Target ? "v.in_degree" : "v.out_degree";
    return "count(for " + filter() + ")";
  case Kind::Reduce:
    return term->name + "<" + dimText(scope, term->operands[0]->shape.end()[-1 - int(term->fromEnd)]) + ">(" +
           expression(scope, term->operands[0], 0, self) + ")";
  case Kind::Total:
    return term->name + "(" + expression(scope, term->operands[0], 0, self) + " for v)";
  case Kind::Concat: {
    std::vector<std::string> parts;
    for (const Term *operand : term->operands)
      parts.push_back(expression(scope, operand, 0, self));
    return "concat(" + llvm::join(parts, ", ") + ")";
  }
  case Kind::Dropout:
    return "dropout(" + expression(scope, term->operands[0], 0, self) + ", " + numberText(term->number) + ")";
  }
  llvm_unreachable("all kinds handled");
}

/// Whether the text of the term says `e.is_added`.
bool Writer::readsAdded(Scope &scope, const Term *term) {
  if (term->kind == Kind::IsAdded)
    return true;
  return term->place == Place::Edge && !scope.names.count(term) && term->kind != Kind::At &&
         llvm::any_of(term->operands, [&](const Term *operand) { return readsAdded(scope, operand); });
}

std::string Writer::call(Scope &scope, Scope &layer) {
  std::vector<std::string> arguments;
  for (const Term *formal : layer.formals)
    arguments.push_back(expression(scope, formal, 0));
  if (layer.library)
    for (auto [argument, input] : llvm::zip(arguments, layer.library->inputs))
      if (!input.empty())
        argument = input + " = " + argument;
  return layer.instance + "(" + llvm::join(arguments, ", ") + ")";
}

/// The edges that the body is about, if these are not those of the data.
std::string Writer::loops(Scope &scope) {
  bool hasOneLoop = false, hasAll = false;
  for (const Term *term : scope.members) {
    const bool isOver = term->kind == Kind::Aggregate || term->kind == Kind::Count || term->kind == Kind::Softmax;
    hasOneLoop |= isOver && term->filter == EdgeFilter::OneLoop;
    hasAll |= isOver && (term->filter == EdgeFilter::All || term->filter == EdgeFilter::Loops);
  }
  if (hasOneLoop && hasAll)
    throw ImportError((scope.path.empty() ? "the module" : scope.path) +
                      " reads both the edges of the data and edges with one loop at each vertex; give each of them a "
                      "module of its own");
  return hasOneLoop ? "graph { one_loop }\n" : "";
}

std::string Writer::weights(Scope &scope) {
  std::string text;
  for (const Term *parameter : scope.parameters) {
    const std::vector<int> &shape = shapeOf(parameter);
    const StoredTensor &tensor = program.storeds.at(parameter->name);
    const bool isParameter = tensor.isParameter;
    text += std::string(isParameter ? "param " : "state ") + scope.names[parameter] + ": " + type(scope, shape) +
            (tensor.type.sizes.size() < 2 || !isParameter ? " = zeros\n" : "\n");
  }
  return text;
}

std::string Writer::statements(Scope &scope) {
  std::string text;
  auto lets = scope.names;
  for (const Term *term : used) {
    const bool isOwn = (isInside(term, scope) && !isLeaf(term)) || (scope.path.empty() && callOf(term));
    auto name = lets.find(term);
    if (!isOwn || name == lets.end())
      continue;
    scope.names.erase(term);
    std::string over; // the edges, unless the softmax says so
    if (term->place == Place::Edge && !softmaxOf(term))
      over = readsAdded(scope, term) ? " for e: u -> v" : " for u -> v";
    text += "let " + name->second + " = " + expression(scope, term, 0, End::Target) + over + "\n";
    scope.names[term] = name->second;
  }
  return text;
}

/// The body of a layer and its parameters in parentheses, without the name.
std::string Writer::layerBody(Scope &scope) {
  for (const Term *formal : scope.formals)
    scope.names[formal] = fresh(scope, formal->place == Place::Vertex ? "h" : formal->name);
  nameParameters(scope);
  std::vector<const Term *> sources;
  llvm::copy_if(scope.formals, std::back_inserter(sources),
                [](const Term *term) { return term->place == Place::Vertex; });
  nameDims(scope, sources, scope.result);
  nameFields(scope);
  std::vector<std::string> dims, formals;
  for (int dim : scope.dims)
    dims.push_back(scope.dimNames[dim] + ": dim");
  for (const Term *formal : scope.formals)
    formals.push_back((formal->place == Place::Edge ? "edge " : "") + scope.names[formal] + ": " +
                      type(scope, formal->shape));
  std::string text = "(" + llvm::join(dims, ", ") + ") {\n" + loops(scope) + weights(scope);
  text += (scope.parameters.empty() ? "" : "\n") + ("vertex v (" + llvm::join(formals, ", ") + ") -> ") +
          type(scope, scope.result->shape) + " {\n";
  text += statements(scope);
  text += "return " + expression(scope, scope.result, 0) + "\n}\n}\n";
  return text;
}

/// `convs.0` is `conv0`.
static std::string instanceName(llvm::StringRef path) {
  auto [owner, last] = path.split('@').first.rsplit('.');
  if (!last.empty() && llvm::all_of(last, llvm::isDigit)) {
    owner.consume_back("s");
    return identifier(owner) + last.str();
  }
  return identifier(path.split('@').first);
}

static std::string className(llvm::StringRef type, llvm::StringRef otherwise) {
  llvm::StringRef name = type.rsplit('.').second;
  return name.empty() ? otherwise.str() : identifier(name);
}

std::vector<LayerDim> Writer::layerDims(const std::vector<int> &shape) {
  std::vector<LayerDim> dims;
  for (int dim : shape)
    dims.push_back({raised.terms.extent(dim), dimText(model, dim)});
  return dims;
}

/// Sets the call of the library's layer that is the same program, if there is one. The model's dimensions have names.
void Writer::askLibrary(Scope &scope) {
  RaisedLayer layer{className(scope.type, ""), scope.body, {}, {}, layerDims(scope.result->shape), {}, {}, {}};
  for (int dim : scope.dims)
    layer.dims.push_back(raised.terms.extent(dim));
  for (const Term *formal : scope.formals)
    layer.inputs.push_back({formal->place == Place::Edge, layerDims(formal->shape)});
  for (const Term *parameter : scope.parameters) {
    const StoredTensor &tensor = program.storeds.at(parameter->name);
    llvm::StringRef name = tensor.name;
    if (name.consume_front(llvm::StringRef(scope.path).split('@').first))
      name.consume_front(".");
    layer.weights.push_back(
        {scope.names.at(parameter), name.str(), &tensor, isTransposed(parameter), layerDims(shapeOf(parameter))});
  }
  for (const Term *term : scope.members) {
    if (term->kind == Kind::Dropout)
      layer.numbers.insert(term->number);
    if (term->kind == Kind::Function || term->kind == Kind::Aggregate)
      layer.functions.insert(term->name);
    for (const Term *operand : term->operands)
      if (operand->kind == Kind::Constant)
        layer.numbers.insert(operand->number);
  }
  const std::string module = llvm::StringRef(scope.path).split('@').first.str() + ".";
  for (const auto &[value, tensor] : program.storeds) // numbers of the module, which constants may be made of
    if (!tensor.isParameter && tensor.numbers.size() == 1 && llvm::StringRef(tensor.name).starts_with(module))
      layer.numbers.insert(tensor.numbers[0]);
  scope.library = findLibraryCall(layer, stdlib);
}

/// The layers that are written out. Those with equal bodies are one declaration.
std::string Writer::declare(const std::string &modelName) {
  std::string text;
  std::map<std::string, std::string> declarations; // by class and body: the name
  std::set<std::string> names;
  if (llvm::any_of(layers, [](const std::unique_ptr<Scope> &layer) { return layer->library.has_value(); })) {
    text = "import nn\n\n";
    names = libraryNames(stdlib);
  }
  names.insert(modelName);
  for (const std::unique_ptr<Scope> &layer : layers) {
    if (layer->library)
      continue;
    auto [place, isNew] = declarations.try_emplace(layer->type + layer->body, "");
    if (isNew) {
      const std::string wish = className(layer->type, "Layer");
      place->second = wish;
      for (int i = 2; !names.insert(place->second).second; ++i)
        place->second = wish + std::to_string(i);
      text += "/// " + layer->type + "\nlayer " + place->second + layer->body + "\n";
    }
    layer->declaration = place->second;
  }
  return text;
}

ProgramText Writer::write() {
  collect();
  orient();
  for (const LayerModule &module : raised.layers) {
    auto layer = std::make_unique<Scope>();
    layer->path = module.path;
    layer->type = module.type;
    if (fill(*layer))
      layers.push_back(std::move(layer));
    else
      demoted.insert(module.path);
  }
  fill(model);
  for (const std::unique_ptr<Scope> &layer : layers)
    for (const Term *parameter : layer->parameters)
      if (llvm::any_of(used, [&](const Term *term) {
            return !isLeaf(term) && !isInside(term, *layer) &&
                   llvm::any_of(term->operands, [&](const Term *operand) { return parameterOf(operand) == parameter; });
          }))
        throw ImportError(program.storeds.at(parameter->name).name +
                          " is used by several modules, or by one that is called twice, which cannot be expressed yet");

  std::string modelType;
  for (const Node &node : program.nodes)
    if (modelType.empty() && !node.modules.empty() && node.modules[0].path.empty())
      modelType = node.modules[0].type;
  const std::string modelName = className(modelType, "Model");
  for (const std::unique_ptr<Scope> &layer : layers)
    layer->body = layerBody(*layer);

  // The model.
  std::vector<const Term *> inputs;
  std::string declared;
  for (const std::unique_ptr<Scope> &layer : layers)
    layer->instance = fresh(model, instanceName(layer->path));
  nameParameters(model);
  for (const RaisedInput &input : raised.inputs)
    for (const Term *term : used)
      if (term->kind == Kind::Input && term->name == input.name)
        inputs.push_back(term);
  for (const Term *input : inputs)
    model.names[input] = result.inputs[input->name] = fresh(model, identifier(input->name));
  Scope all; // dimensions of the model are equal where any layer needs it
  for (const Term *term : used)
    for (auto [left, right] : raised.terms.equalities(term))
      model.classes.join(left, right);
  std::vector<const Term *> own = model.members;
  model.members = used;
  nameDims(model, inputs, raised.outputs[0]);
  model.members = own;
  std::string text;
  for (const std::unique_ptr<Scope> &layer : layers)
    askLibrary(*layer);
  text = declare(modelName);
  nameFields(model);
  std::vector<std::string> dims;
  for (int dim : model.dims)
    dims.push_back(model.dimNames[dim] + ": dim = " + std::to_string(raised.terms.extent(dim)));
  text += "/// " + (modelType.empty() ? "The exported module." : modelType) + "\nmodel " + modelName + "(" +
          llvm::join(dims, ", ") + ") {\n" + loops(model);
  for (const std::unique_ptr<Scope> &layer : layers) {
    std::vector<std::string> arguments;
    for (int dim : layer->dims)
      arguments.push_back(dimText(model, dim));
    text += "layer " + layer->instance + " = " +
            (layer->library ? layer->library->instance : layer->declaration + "(" + llvm::join(arguments, ", ") + ")") +
            "\n";
  }
  text += weights(model);
  if (!layers.empty() || !model.parameters.empty())
    text += "\n";
  for (const Term *input : inputs)
    if (input->place == Place::Edge)
      text += "edge u -> v { input " + model.names[input] + ": " + type(model, input->shape) + " }\n";
  text += "vertex v {\n";
  for (const Term *input : inputs)
    if (input->place == Place::Vertex)
      text += "input " + model.names[input] + ": " + type(model, input->shape) + "\n";
  text += statements(model);
  for (const Term *output : raised.outputs) {
    result.outputs.push_back(fresh(model, "y"));
    text += "output " + result.outputs.back() + " = " + expression(model, output, 0) + "\n";
  }
  text += "}\n}\n";

  auto addWeights = [&](Scope &scope) {
    for (const Term *parameter : scope.parameters) {
      std::vector<int64_t> sizes;
      for (int dim : shapeOf(parameter))
        sizes.push_back(raised.terms.extent(dim));
      result.weights.push_back({(scope.path.empty() ? "" : scope.instance + ".") + scope.names[parameter],
                                parameter->name, isTransposed(parameter), sizes});
    }
  };
  for (const std::unique_ptr<Scope> &layer : layers) {
    if (!layer->library)
      addWeights(*layer);
    else
      for (const LibraryCall::Weight &weight : layer->library->weights) {
        const Term *parameter = layer->parameters[weight.raised];
        result.weights.push_back(
            {layer->instance + "." + weight.name, parameter->name, isTransposed(parameter), weight.sizes});
      }
  }
  addWeights(model);

  gnnc::DiagnosticEngine diagnostics;
  std::optional<std::string> formatted = gnnc::format(text, diagnostics);
  if (!formatted)
    throw std::logic_error("the imported program does not parse:\n" + text);
  result.text = *formatted;
  return std::move(result);
}

ProgramText gnnc::pt2::writeProgram(const Program &program, const RaisedProgram &raised, const std::string &stdlib) {
  return Writer(program, raised, stdlib).write();
}
