//===- Sema.cpp - Semantic analysis: shared parts ---------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Set-up, operands, limits, and how messages name things.
//
//===----------------------------------------------------------------------===//

#include "compiler/Frontend/Sema.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include <algorithm>

using namespace gnnc;

Sema::Sema(const Declarations &declarations, DiagnosticEngine &diagnostics, SemaOptions options, SemaBudget &budget)
    : declarations(declarations), diagnostics(diagnostics), options(std::move(options)), budget(budget) {}

/// Reports, and shows through which calls the place was reached.
Diagnostic &Sema::error(DiagnosticCode code, llvm::SMRange range, const llvm::Twine &message) {
  constexpr size_t maxShown = 3;
  Diagnostic &diagnostic = diagnostics.report(code, range, message);
  size_t first = callStack.size() > maxShown ? callStack.size() - maxShown : 0;
  for (size_t i = callStack.size(); i-- > first;)
    diagnostic.label(callStack[i].second, "in this call");
  return diagnostic;
}

Operand Sema::fieldOperand(unsigned id, Shape shape, const EdgeSet *edges, llvm::SMRange range) {
  Operand operand;
  operand.tag = Operand::Tag::Field;
  operand.id = id;
  operand.shape = std::move(shape);
  operand.edges = edges;
  operand.range = range;
  return operand;
}

Operand Sema::numberOperand(double number, bool isInteger, llvm::SMRange range) {
  Operand operand;
  operand.tag = Operand::Tag::Number;
  operand.number = number;
  operand.isInteger = isInteger;
  operand.range = range;
  return operand;
}

std::string Sema::qualified(llvm::StringRef name) const {
  bool ofEdges = context.comprehension;
  unsigned relation = ofEdges ? context.comprehension->set->relation : 0;
  bool isPlain = ofEdges ? relationInfo[relation].scope == root.scope.get() : root.component->vertexTypes.empty();
  const std::string &owner = ofEdges ? model.relations[relation].name : model.vertexTypes[context.vertexType].name;
  return isPlain ? name.str() : owner + "." + name.str();
}

/// Gives a value the name that the source gives it, if it is the first.
void Sema::nameValue(const Operand &operand, llvm::StringRef name) {
  if (!operand.isField() && !operand.isSparse())
    return;
  std::string &current = model.values[operand.id].name;
  if (current.empty())
    current = context.frame->prefix + name.str();
}

const EdgeSet *Sema::keep(EdgeSet set) {
  edgeSets.push_back(std::make_unique<EdgeSet>(std::move(set)));
  return edgeSets.back().get();
}

/// Whether the expansion has grown past what the compiler takes on; reports it the first time.
bool Sema::outOfBudget(llvm::SMRange range) {
  if (budget.exhausted)
    return true;
  if (diagnostics.numErrors() > maxErrors)
    return budget.exhausted = true;
  const bool isLong = builder.hasLongChain();
  if (!isLong && !builder.isFull() && budget.steps != 0)
    return false;
  if (diagnostics.isMuted())
    return true; // reported by what comes after
  budget.exhausted = true;
  if (isLong) {
    error(DiagnosticCode::E0602, range, "too many operations follow one another")
        .at("the limit was reached here")
        .note("at most " + llvm::Twine(ModelBuilder::maxChain) +
              " operations in a row, between sums over edges, softmaxes, totals and matrix products; `repeat` is "
              "unrolled");
    return true;
  }
  error(DiagnosticCode::E0602, range, "the program is too large when layers and functions are inlined")
      .at("the limit was reached here")
      .note("a model has at most " + llvm::Twine(ModelBuilder::maxValues) + " values; `repeat` is unrolled");
  return true;
}

bool Sema::tooDeep(llvm::SMRange range) {
  if (evalDepth < maxEvalDepth)
    return false;
  error(DiagnosticCode::E0005, range, "this nests more than " + llvm::Twine(maxEvalDepth) + " levels deep across calls")
      .at("the limit was reached here");
  return true;
}

Entity *Scope::find(llvm::StringRef name) {
  for (Scope *scope = this; scope; scope = scope->parent)
    if (auto it = scope->names.find(name); it != scope->names.end())
      return &it->second;
  return nullptr;
}

/// All names in reach, sorted.
std::vector<std::string> Sema::visibleNames() const {
  std::vector<std::string> names;
  for (Scope *scope = context.scope; scope; scope = scope->parent)
    for (const auto &entry : scope->names)
      names.push_back(entry.getKey().str());
  llvm::sort(names);
  return names;
}

//===----------------------------------------------------------------------===//
// How messages name things
//===----------------------------------------------------------------------===//

std::optional<std::string> gnnc::nearest(llvm::StringRef name, std::vector<std::string> candidates) {
  constexpr size_t maxLength = 64;         // edit distance takes quadratic time
  unsigned best = name.size() < 3 ? 2 : 3; // one more than what is allowed
  std::optional<std::string> result;
  if (name.size() > maxLength)
    return result;
  llvm::sort(candidates);
  for (const std::string &candidate : candidates)
    if (candidate != name && name.equals_insensitive(candidate))
      return candidate;
  for (const std::string &candidate : candidates) {
    unsigned distance = name.edit_distance(candidate, /*AllowReplacements=*/true, best);
    if (distance < best && distance < std::max(name.size(), candidate.size())) {
      best = distance;
      result = candidate;
    }
  }
  return result;
}

std::string gnnc::suggest(llvm::StringRef name, std::vector<std::string> candidates) {
  std::optional<std::string> near = nearest(name, std::move(candidates));
  return near ? "did you mean `" + *near + "`?" : "";
}

std::string gnnc::str(const Shape &shape) {
  std::string text = "[";
  for (size_t i = 0; i < shape.size(); ++i)
    text += (i ? ", " : "") + shape[i].str();
  return text + "]";
}

llvm::StringRef gnnc::spelling(ElementKind element) {
  static constexpr llvm::StringLiteral names[] = {"real", "f32", "f64", "i32", "i64", "bool"};
  return names[static_cast<unsigned>(element)];
}

bool gnnc::isFloat(ElementKind element) {
  return element == ElementKind::Real || element == ElementKind::F32 || element == ElementKind::F64;
}

bool gnnc::isInteger(ElementKind element) { return element == ElementKind::I32 || element == ElementKind::I64; }

std::string gnnc::sourceText(llvm::SMRange range) {
  constexpr size_t maxShown = 60;
  if (!range.isValid())
    return "";
  llvm::StringRef text(range.Start.getPointer(), range.End.getPointer() - range.Start.getPointer());
  std::string line;
  for (char c : text) {
    bool isBlank = c == ' ' || c == '\n' || c == '\t' || c == '\r';
    if (!isBlank)
      line += c;
    else if (!line.empty() && line.back() != ' ')
      line += ' ';
    if (line.size() == maxShown)
      return line + "...";
  }
  return line;
}

std::string Sema::describeType(const Operand &operand) const {
  if (operand.isNumber())
    return "a number";
  if (operand.isSparse())
    return "sparse real" + str(operand.shape);
  return spelling(element(operand)).str() + (operand.shape.empty() ? "" : str(operand.shape));
}
