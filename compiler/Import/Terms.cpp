//===- Terms.cpp - Graph neural networks as terms -------------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/Import/Terms.h"
#include "compiler/Import/ExportedProgram.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

using namespace gnnc::pt2;

static constexpr double infinity = std::numeric_limits<double>::infinity();

static bool isConstant(const Term *term, double number) {
  return term->kind == Term::Kind::Constant && term->number == number;
}

static bool isFunction(const Term *term, llvm::StringRef name) {
  return term->kind == Term::Kind::Function && term->name == name;
}

bool gnnc::pt2::isLeaf(const Term *term) {
  switch (term->kind) {
  case Term::Kind::Input:
  case Term::Kind::Parameter:
  case Term::Kind::Constant:
  case Term::Kind::Transpose:
  case Term::Kind::Split:
    return true;
  default:
    return false;
  }
}

/// A sum that starts from 0 is never -0.
static bool isSum(const Term *term) { return term->kind == Term::Kind::Aggregate && term->name == "sum"; }

static double lowerBoundOf(const Term *term) {
  auto operand = [&](size_t i) { return term->operands[i]->lowerBound; };
  switch (term->kind) {
  case Term::Kind::Constant:
    return std::isnan(term->number) ? -infinity : term->number;
  case Term::Kind::Count:
    return term->filter == EdgeFilter::OneLoop ? 1 : 0;
  case Term::Kind::At:
  case Term::Kind::Dropout:
    return term->kind == Term::Kind::At ? operand(0) : -infinity;
  case Term::Kind::Function:
    if (term->name == "+")
      return operand(0) + operand(1);
    if (term->name == "*")
      return operand(0) >= 0 && operand(1) >= 0 ? 0 : -infinity;
    if (term->name == "maximum")
      return std::max(operand(0), operand(1));
    if (term->name == "rsqrt" || term->name == "relu" || term->name == "exp" || term->name == "sigmoid")
      return 0;
    return -infinity;
  default:
    return -infinity;
  }
}

bool gnnc::pt2::isBounded(const Term *term) {
  if (term->kind == Term::Kind::Constant)
    return std::isfinite(term->number);
  if (term->kind == Term::Kind::At)
    return isBounded(term->operands[0]);
  if (isFunction(term, "rsqrt"))
    return term->operands[0]->lowerBound >= 1;
  // 0 at vertices without edges, elsewhere the root of a count.
  if (isFunction(term, "select") && isFunction(term->operands[0], "==") && isConstant(term->operands[1], 0))
    return isFunction(term->operands[2], "rsqrt") && term->operands[2]->operands[0] == term->operands[0]->operands[0] &&
           term->operands[0]->operands[0]->kind == Term::Kind::Count;
  return false;
}

/// Terms are written, and gone through, by recursion.
static constexpr unsigned maxDepth = 200;

int TermBuilder::newDim(int64_t extent, const std::string &name) {
  dims.emplace_back(extent, name);
  return int(dims.size()) - 1;
}

const std::vector<std::pair<int, int>> &TermBuilder::equalities(const Term *term) const {
  static const std::vector<std::pair<int, int>> none;
  auto found = equals.find(term);
  return found == equals.end() ? none : found->second;
}

const Term *TermBuilder::make(Term term, std::vector<std::pair<int, int>> equal) {
  const bool isLeaf = pt2::isLeaf(&term), hasOwnDims = isLeaf || term.kind == Term::Kind::Spread;
  term.scope = isLeaf ? "" : scope;
  uint64_t bits;
  std::memcpy(&bits, &term.number, sizeof bits);
  std::string key = std::to_string(int(term.kind)) + "|" + term.name + "|" + std::to_string(bits) + "|" +
                    std::to_string(int(term.end)) + "|" + std::to_string(int(term.filter)) + "|" +
                    std::to_string(term.fromEnd) + "|" + term.scope;
  for (const Term *operand : term.operands)
    key += "," + std::to_string(operand->id);
  for (int dim : hasOwnDims ? term.shape : std::vector<int>())
    key += ";" + std::to_string(dim);
  // Every dropout draws anew.
  if (term.kind == Term::Kind::Dropout)
    key += "#" + std::to_string(terms.size());
  auto [place, isNew] = known.try_emplace(key, nullptr);
  if (isNew) {
    // A value that is read at an end of an edge has a name, so its own text is not nested in that of its readers.
    for (const Term *operand : term.operands)
      if (operand->scope == term.scope && term.kind != Term::Kind::At)
        term.depth = std::max(term.depth, operand->depth + 1);
    if (term.depth > maxDepth)
      throw ImportError((scope.empty() ? "the exported module" : scope) + " applies more than " +
                        std::to_string(maxDepth) +
                        " functions to one value in a row; make parts of it modules with weights of their own");
    term.lowerBound = lowerBoundOf(&term);
    term.id = unsigned(terms.size());
    terms.push_back(std::move(term));
    place->second = &terms.back();
    equals[place->second] = std::move(equal);
  }
  return place->second;
}

/// The shape of elementwise work on `operands`, whose dimensions are aligned from the last one.
static std::vector<int> align(const std::vector<const Term *> &operands, std::vector<std::pair<int, int>> &equal) {
  std::vector<int> shape;
  for (const Term *operand : operands)
    if (operand->shape.size() > shape.size())
      shape = operand->shape;
  for (const Term *operand : operands)
    for (size_t i = 0; i < operand->shape.size(); ++i) {
      int mine = shape[shape.size() - 1 - i], other = operand->shape[operand->shape.size() - 1 - i];
      if (mine != other)
        equal.emplace_back(mine, other);
    }
  return shape;
}

/// Where a term of `operands` is: an edge's if one is an edge's.
static Term at(Term::Kind kind, std::string name, std::vector<const Term *> operands) {
  Term term{kind, std::move(name), 0, End::Self, EdgeFilter::All, 0, std::move(operands), Place::Model, {}, "", 0};
  for (const Term *operand : term.operands)
    term.place = std::max(term.place, operand->place);
  return term;
}

const Term *TermBuilder::input(const std::string &name, std::vector<int> shape, Place place) {
  Term term = ::at(Term::Kind::Input, name, {});
  term.shape = std::move(shape);
  term.place = place;
  return make(std::move(term));
}

const Term *TermBuilder::parameter(const std::string &value, std::vector<int> shape) {
  Term term = ::at(Term::Kind::Parameter, value, {});
  term.shape = std::move(shape);
  return make(std::move(term));
}

const Term *TermBuilder::constant(double number) {
  Term term = ::at(Term::Kind::Constant, "", {});
  term.number = number;
  return make(std::move(term));
}

const Term *TermBuilder::at(End end, const Term *operand) {
  if (end == End::Self || operand->place == Place::Model)
    return operand;
  Term term = ::at(Term::Kind::At, "", {operand});
  term.end = end;
  term.place = Place::Edge;
  term.shape = operand->shape;
  return make(std::move(term));
}

const Term *TermBuilder::lastLoop(const Term *edge, const Term *otherwise) {
  Term term = ::at(Term::Kind::LastLoop, "", {edge, otherwise});
  term.place = Place::Vertex;
  term.shape = edge->shape;
  return make(std::move(term));
}

const Term *TermBuilder::withLoops(const Term *edge, const Term *loop) {
  if (edge == loop)
    return edge;
  const bool isLast = loop->kind == Term::Kind::LastLoop && loop->operands[0] == edge;
  Term test = ::at(isLast ? Term::Kind::IsAdded : Term::Kind::IsLoop, "", {});
  test.place = Place::Edge;
  return function("select", {make(std::move(test)), isLast ? loop->operands[1] : at(End::Target, loop), edge});
}

static const Term *sum(const Term *left, const Term *right) {
  if (isConstant(left, 0) || isConstant(right, 0))
    return isConstant(left, 0) ? right : left;
  return nullptr;
}

static const Term *multiply(const Term *left, const Term *right) {
  if (isConstant(left, 1) || isConstant(right, 1))
    return isConstant(left, 1) ? right : left;
  return nullptr;
}

/// The scores of which `left` over `right` is the softmax, or null: exp(x - max(x)) over the sum of that, which is at
/// least 1, so that a number of at most 1e-15 beside it changes one rounding at most.
static const Term *scoresOfSoftmax(const Term *left, const Term *right) {
  if (!isFunction(left, "exp") || !isFunction(left->operands[0], "-") || left->operands[0]->operands.size() != 2)
    return nullptr;
  const Term *scores = left->operands[0]->operands[0], *greatest = left->operands[0]->operands[1];
  if (greatest->kind != Term::Kind::At || right->kind != Term::Kind::At || right->end != greatest->end)
    return nullptr;
  greatest = greatest->operands[0], right = right->operands[0];
  if (isFunction(right, "+") && right->operands[1]->kind == Term::Kind::Constant &&
      std::abs(right->operands[1]->number) <= 1e-15)
    right = right->operands[0];
  const bool isSoftmax = isSum(right) && right->operands[0] == left && greatest->kind == Term::Kind::Aggregate &&
                         greatest->name == "max" && greatest->operands[0] == scores && greatest->end == right->end &&
                         greatest->filter == right->filter;
  return isSoftmax ? scores : nullptr;
}

/// A sum divided by the number of its terms, or by 1 where there are none, is a mean: both are 0 over nothing.
const Term *TermBuilder::divide(const Term *left, const Term *right) {
  if (isConstant(right, 1))
    return left;
  if (const Term *scores = scoresOfSoftmax(left, right)) {
    const Term *total =
        right->operands[0]->kind == Term::Kind::Aggregate ? right->operands[0] : right->operands[0]->operands[0];
    Term term = ::at(Term::Kind::Softmax, "", {scores});
    term.end = total->end;
    term.filter = total->filter;
    term.shape = scores->shape;
    return make(std::move(term));
  }
  const bool isMean = left->kind == Term::Kind::Aggregate && left->name == "sum" && isFunction(right, "maximum") &&
                      right->operands[0]->kind == Term::Kind::Count && isConstant(right->operands[1], 1) &&
                      right->operands[0]->filter == left->filter && right->operands[0]->end == left->end;
  return isMean ? aggregate("mean", left->end, left->filter, left->operands[0]) : nullptr;
}

static const Term *power(TermBuilder &terms, const Term *base, const Term *exponent) {
  if (isConstant(exponent, 1))
    return base;
  if (isConstant(exponent, 2))
    return terms.function("*", {base, base});
  // They differ at -0 and at -inf, which are not above the bound.
  if (isConstant(exponent, -0.5) && (base->lowerBound >= 0 || isSum(base)))
    return terms.function("rsqrt", {base});
  if (isConstant(exponent, 0.5) && base->lowerBound >= 0)
    return terms.function("sqrt", {base});
  return nullptr;
}

static const Term *chosen(const Term *condition, const Term *yes, const Term *no) {
  if (condition->kind == Term::Kind::Constant)
    return condition->number != 0 ? yes : no;
  return yes == no ? yes : nullptr;
}

/// The inverse root of a number is infinite at 0 alone, and a sum is never -0.
const Term *TermBuilder::equal(const Term *left, const Term *right) {
  if (isConstant(right, infinity) && isFunction(left, "rsqrt") &&
      (left->operands[0]->lowerBound >= 0 || isSum(left->operands[0])))
    return left->operands[0]->lowerBound > 0 ? constant(0) : function("==", {left->operands[0], constant(0)});
  if (right->kind == Term::Kind::Constant && left->lowerBound > right->number)
    return constant(0);
  return nullptr;
}

const Term *TermBuilder::function(const std::string &name, std::vector<const Term *> operands) {
  if (operands.size() == 2 && (name == "+" || name == "*") && operands[0]->kind == Term::Kind::Constant &&
      operands[1]->kind != Term::Kind::Constant && name == "+")
    std::swap(operands[0], operands[1]);
  const Term *simple = nullptr;
  if (operands.size() == 2 &&
      llvm::all_of(operands,
                   [](const Term *operand) { return isLeaf(operand) && operand->kind == Term::Kind::Constant; }) &&
      (name == "+" || name == "-" || name == "*"))
    return constant(name == "+"   ? operands[0]->number + operands[1]->number
                    : name == "-" ? operands[0]->number - operands[1]->number
                                  : operands[0]->number * operands[1]->number);
  if (name == "+")
    simple = sum(operands[0], operands[1]);
  else if (name == "-" && operands.size() == 2 && isConstant(operands[1], 0))
    simple = operands[0];
  else if (name == "*")
    simple = multiply(operands[0], operands[1]);
  else if (name == "/")
    simple = divide(operands[0], operands[1]);
  else if (name == "pow")
    simple = power(*this, operands[0], operands[1]);
  else if (name == "select")
    simple = chosen(operands[0], operands[1], operands[2]);
  else if (name == "==")
    simple = equal(operands[0], operands[1]);
  if (!simple)
    simple = flattenLast(name, operands);
  if (simple)
    return simple;
  Term term = ::at(Term::Kind::Function, name, operands);
  std::vector<std::pair<int, int>> equal;
  term.shape = align(operands, equal);
  return make(std::move(term), std::move(equal));
}

const Term *TermBuilder::transpose(const Term *parameter) {
  if (parameter->kind == Term::Kind::Transpose)
    return parameter->operands[0];
  Term term = ::at(Term::Kind::Transpose, "", {parameter});
  term.shape = {parameter->shape.rbegin(), parameter->shape.rend()};
  return make(std::move(term));
}

static bool isParameterView(const Term *term) {
  return term->kind == Term::Kind::Parameter || term->kind == Term::Kind::Transpose;
}

const Term *TermBuilder::split(const Term *term, int64_t first, int64_t second) {
  if (term->shape.empty())
    return term;
  if (extent(term->shape.back()) != first * second)
    return nullptr;
  std::optional<const Term *> &known = splits[{term->id, first, second, isParameterView(term) ? "" : scope}];
  if (!known)
    known = splitOperands(term, first, second);
  return *known;
}

const Term *TermBuilder::splitOperands(const Term *term, int64_t first, int64_t second) {
  if (isParameterView(term)) {
    Term view = ::at(Term::Kind::Split, "", {term});
    view.shape = {term->shape.begin(), term->shape.end() - 1};
    view.shape.push_back(newDim(first, "heads"));
    view.shape.push_back(newDim(second));
    return make(std::move(view));
  }
  switch (term->kind) {
  case Term::Kind::Flatten: {
    const std::vector<int> &shape = term->operands[0]->shape;
    return extent(shape.back()) == second ? term->operands[0] : nullptr;
  }
  case Term::Kind::Product: {
    const Term *parameter = term->operands[1]->shape.size() > 1 ? split(term->operands[1], first, second) : nullptr;
    return parameter ? product(term->operands[0], parameter) : nullptr;
  }
  case Term::Kind::Function: {
    std::vector<const Term *> operands;
    for (const Term *operand : term->operands) {
      operands.push_back(split(operand, first, second));
      if (!operands.back())
        return nullptr;
    }
    return function(term->name, operands);
  }
  case Term::Kind::At: {
    const Term *operand = split(term->operands[0], first, second);
    return operand ? at(term->end, operand) : nullptr;
  }
  default:
    return nullptr;
  }
}

const Term *TermBuilder::flatten(const Term *operand) {
  Term term = ::at(Term::Kind::Flatten, "", {operand});
  term.shape = {operand->shape.begin(), operand->shape.end() - 2};
  term.shape.push_back(newDim(extent(operand->shape.back()) * extent(operand->shape.end()[-2])));
  return make(std::move(term));
}

const Term *TermBuilder::flattenLast(const std::string &name, const std::vector<const Term *> &operands) {
  auto first = llvm::find_if(
      operands, [&](const Term *operand) { return operand->kind == Term::Kind::Flatten && operand->scope == scope; });
  if (first == operands.end())
    return nullptr;
  const std::vector<int> &shape = (*first)->operands[0]->shape;
  std::vector<const Term *> inner;
  for (const Term *operand : operands) {
    inner.push_back(split(operand, extent(shape.end()[-2]), extent(shape.back())));
    if (!inner.back())
      return nullptr;
  }
  return flatten(function(name, inner));
}

const Term *TermBuilder::product(const Term *left, const Term *parameter) {
  Term term = ::at(Term::Kind::Product, "", {left, parameter});
  term.shape = {left->shape.begin(), left->shape.end() - 1};
  term.shape.insert(term.shape.end(), parameter->shape.begin() + 1, parameter->shape.end());
  return make(std::move(term), {{left->shape.back(), parameter->shape.front()}});
}

const Term *TermBuilder::dot(const Term *left, const Term *right) {
  Term term = ::at(Term::Kind::Dot, "", {left, right});
  std::vector<std::pair<int, int>> equal;
  term.shape = align({left, right}, equal);
  term.shape.pop_back();
  return make(std::move(term), std::move(equal));
}

const Term *TermBuilder::count(End end, EdgeFilter filter) {
  Term term = ::at(Term::Kind::Count, "", {});
  term.end = end;
  term.filter = filter;
  term.place = Place::Vertex;
  return make(std::move(term));
}

const Term *TermBuilder::aggregate(const std::string &reduction, End end, EdgeFilter filter, const Term *operand) {
  if (operand->place == Place::Model && reduction == "sum")
    return function("*", {count(end, filter), operand});
  Term term = ::at(Term::Kind::Aggregate, reduction, {operand});
  term.end = end;
  term.filter = filter;
  term.place = Place::Vertex;
  term.shape = operand->shape;
  return make(std::move(term));
}

const Term *TermBuilder::reduce(const std::string &reduction, const Term *operand, unsigned fromEnd) {
  if (reduction == "sum" && fromEnd == 0 && isFunction(operand, "*") &&
      llvm::all_of(operand->operands, [](const Term *factor) { return !factor->shape.empty(); }) &&
      operand->operands[0]->kind != Term::Kind::Spread && operand->operands[1]->kind != Term::Kind::Spread)
    return dot(operand->operands[0], operand->operands[1]);
  Term term = ::at(Term::Kind::Reduce, reduction, {operand});
  term.fromEnd = fromEnd;
  term.shape = operand->shape;
  term.shape.erase(term.shape.end() - 1 - fromEnd);
  return make(std::move(term));
}

const Term *TermBuilder::total(const std::string &reduction, const Term *operand) {
  Term term = ::at(Term::Kind::Total, reduction, {operand});
  term.place = Place::Model;
  term.shape = operand->shape;
  return make(std::move(term));
}

const Term *TermBuilder::spread(const Term *operand, std::vector<int> shape) {
  Term term = ::at(Term::Kind::Spread, "", {operand});
  term.shape = std::move(shape);
  return make(std::move(term));
}

const Term *TermBuilder::concat(std::vector<const Term *> operands) {
  Term term = ::at(Term::Kind::Concat, "", operands);
  term.shape = operands[0]->shape;
  int64_t extent = 0;
  for (const Term *operand : operands)
    extent += this->extent(operand->shape.back());
  term.shape.back() = newDim(extent);
  return make(std::move(term));
}

const Term *TermBuilder::dropout(const Term *operand, double probability) {
  if (probability == 0)
    return operand;
  Term term = ::at(Term::Kind::Dropout, "", {operand});
  term.number = probability;
  term.shape = operand->shape;
  return make(std::move(term));
}
