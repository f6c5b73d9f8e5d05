//===- DimExpr.cpp - Polynomials over named dimensions ----------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Arithmetic, printing and parsing of `DimExpr`. Sizes are capped (terms, degree), so that a hostile source cannot make
// a polynomial explode.
//
//===----------------------------------------------------------------------===//

#include "dialects/Support/DimExpr.h"
#include "llvm/ADT/StringExtras.h"
#include <algorithm>

using namespace gnnc;

namespace {

constexpr size_t maxTerms = 256;
constexpr size_t maxDegree = 32;
constexpr unsigned maxNesting = 64;

/// Reads `sum = product {("+"|"-") product}`, `product = atom {"*" atom}`, `atom = name | integer | "(" sum ")"`.
class DimParser {
public:
  explicit DimParser(llvm::StringRef text) : rest(text) {}

  std::optional<DimExpr> parse() {
    std::optional<DimExpr> result = parseSum();
    skipSpace();
    return result && rest.empty() ? result : std::nullopt;
  }

private:
  void skipSpace() { rest = rest.ltrim(" \t"); }

  bool consume(char c) {
    skipSpace();
    return rest.consume_front(llvm::StringRef(&c, 1));
  }

  std::optional<DimExpr> parseSum() {
    if (++nesting > maxNesting)
      return std::nullopt;
    std::optional<DimExpr> sum = consume('-') ? negate(parseProduct()) : parseProduct();
    while (sum) {
      if (consume('+'))
        sum = combine(sum, parseProduct(), &DimExpr::add);
      else if (consume('-'))
        sum = combine(sum, parseProduct(), &DimExpr::sub);
      else
        break;
    }
    --nesting;
    return sum;
  }

  std::optional<DimExpr> parseProduct() {
    std::optional<DimExpr> product = parseAtom();
    while (product && consume('*'))
      product = combine(product, parseAtom(), &DimExpr::mul);
    return product;
  }

  std::optional<DimExpr> parseAtom() {
    if (consume('(')) {
      std::optional<DimExpr> inner = parseSum();
      return consume(')') ? inner : std::nullopt;
    }
    auto isWord = [](char c) { return llvm::isAlnum(c) || c == '_'; };
    llvm::StringRef word = rest.take_while(isWord);
    rest = rest.drop_front(word.size());
    if (word.empty())
      return std::nullopt;
    if (!llvm::isDigit(word.front()))
      return DimExpr::name(word);
    int64_t value;
    return word.getAsInteger(10, value) ? std::nullopt : std::optional<DimExpr>(DimExpr(value));
  }

  using Operation = std::optional<DimExpr> (DimExpr::*)(const DimExpr &) const;
  static std::optional<DimExpr> combine(const std::optional<DimExpr> &a, const std::optional<DimExpr> &b,
                                        Operation op) {
    return a && b ? ((*a).*op)(*b) : std::nullopt;
  }
  static std::optional<DimExpr> negate(const std::optional<DimExpr> &a) {
    return combine(DimExpr(0), a, &DimExpr::sub);
  }

  llvm::StringRef rest;
  unsigned nesting = 0;
};

std::optional<DimExpr> power(const DimExpr &base, size_t exponent) {
  std::optional<DimExpr> result = DimExpr(1);
  while (exponent-- && result)
    result = result->mul(base);
  return result;
}

} // namespace

DimExpr::DimExpr(int64_t constant) {
  if (constant)
    normalForm[{}] = constant;
}

DimExpr DimExpr::name(llvm::StringRef name) {
  DimExpr result;
  result.normalForm[{name.str()}] = 1;
  return result;
}

std::optional<DimExpr> DimExpr::parse(llvm::StringRef text) { return DimParser(text).parse(); }

std::optional<DimExpr> DimExpr::add(const DimExpr &other) const {
  DimExpr result = *this;
  for (const auto &[monomial, coefficient] : other.normalForm) {
    int64_t &sum = result.normalForm[monomial];
    if (__builtin_add_overflow(sum, coefficient, &sum))
      return std::nullopt;
    if (sum == 0)
      result.normalForm.erase(monomial);
  }
  return result.normalForm.size() <= maxTerms ? std::optional<DimExpr>(result) : std::nullopt;
}

std::optional<DimExpr> DimExpr::sub(const DimExpr &other) const {
  std::optional<DimExpr> negated = other.mul(DimExpr(-1));
  return negated ? add(*negated) : std::nullopt;
}

std::optional<DimExpr> DimExpr::mul(const DimExpr &other) const {
  if (normalForm.size() * other.normalForm.size() > maxTerms)
    return std::nullopt;
  DimExpr result;
  for (const auto &[a, coefficientOfA] : normalForm) {
    for (const auto &[b, coefficientOfB] : other.normalForm) {
      DimExpr term;
      Monomial monomial(a.size() + b.size());
      std::merge(a.begin(), a.end(), b.begin(), b.end(), monomial.begin());
      int64_t product;
      if (monomial.size() > maxDegree || __builtin_mul_overflow(coefficientOfA, coefficientOfB, &product))
        return std::nullopt;
      term.normalForm[monomial] = product;
      std::optional<DimExpr> sum = result.add(term);
      if (!sum)
        return std::nullopt;
      result = *sum;
    }
  }
  return result;
}

std::optional<DimExpr> DimExpr::substitute(const std::function<std::optional<DimExpr>(llvm::StringRef)> &lookup) const {
  std::optional<DimExpr> result = DimExpr(0);
  for (const auto &[monomial, coefficient] : normalForm) {
    std::optional<DimExpr> term = DimExpr(coefficient);
    for (auto it = monomial.begin(); it != monomial.end() && term;) {
      auto next = std::find_if(it, monomial.end(), [&](const std::string &name) { return name != *it; });
      std::optional<DimExpr> factor = power(lookup(*it).value_or(DimExpr::name(*it)), next - it);
      term = factor ? term->mul(*factor) : std::nullopt;
      it = next;
    }
    result = term ? result->add(*term) : std::nullopt;
    if (!result)
      return std::nullopt;
  }
  return result;
}

std::optional<int64_t> DimExpr::constant() const {
  if (normalForm.empty())
    return 0;
  if (normalForm.size() == 1 && normalForm.begin()->first.empty())
    return normalForm.begin()->second;
  return std::nullopt;
}

std::string DimExpr::str() const {
  std::string text;
  auto append = [&](const Monomial &monomial, int64_t coefficient) {
    // The magnitude is taken in uint64, where that of INT64_MIN exists.
    uint64_t magnitude = coefficient < 0 ? 0 - static_cast<uint64_t>(coefficient) : static_cast<uint64_t>(coefficient);
    if (text.empty())
      text += coefficient < 0 ? "-" : "";
    else
      text += coefficient < 0 ? " - " : " + ";
    if (monomial.empty() || magnitude != 1)
      text += std::to_string(magnitude) + (monomial.empty() ? "" : " * ");
    for (size_t i = 0; i < monomial.size(); ++i)
      text += (i ? " * " : "") + monomial[i];
  };
  for (const auto &[monomial, coefficient] : normalForm)
    if (!monomial.empty())
      append(monomial, coefficient);
  if (auto constant = normalForm.find({}); constant != normalForm.end())
    append({}, constant->second);
  return text.empty() ? "0" : text;
}
