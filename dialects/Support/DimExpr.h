//===- DimExpr.h - Polynomials over named dimensions ------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A dimension of a shape is an integer polynomial over dimension names, kept in a normal form, so that two are equal
// exactly when they print alike (docs/language.md, law 6). Front end, dialects and emission share it.
//
//===----------------------------------------------------------------------===//

#ifndef GNNC_DIALECTS_SUPPORT_DIMEXPR_H
#define GNNC_DIALECTS_SUPPORT_DIMEXPR_H

#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace gnnc {

/// An integer polynomial over dimension names in normal form: a map from monomials (sorted names, repeated for powers)
/// to nonzero coefficients. Prints as `heads * out + 1`: terms with factors first in lexicographic order, the constant
/// last. Arithmetic wraps nowhere: results whose coefficients leave int64 become `std::nullopt`, as do results of more
/// than 256 terms or of degree above 32.
class DimExpr {
public:
  using Monomial = std::vector<std::string>;

  DimExpr() = default; // zero
  DimExpr(int64_t constant);
  static DimExpr name(llvm::StringRef name);

  /// Parses what `str` prints (and any sum of products of names and integers, with parentheses).
  static std::optional<DimExpr> parse(llvm::StringRef text);

  std::optional<DimExpr> add(const DimExpr &other) const;
  std::optional<DimExpr> sub(const DimExpr &other) const;
  std::optional<DimExpr> mul(const DimExpr &other) const;
  /// Replaces every name that `lookup` knows.
  std::optional<DimExpr> substitute(const std::function<std::optional<DimExpr>(llvm::StringRef)> &lookup) const;

  /// The value if no name occurs.
  std::optional<int64_t> constant() const;
  const std::map<Monomial, int64_t> &terms() const { return normalForm; }
  std::string str() const;

  bool operator==(const DimExpr &other) const { return normalForm == other.normalForm; }
  bool operator!=(const DimExpr &other) const { return !(*this == other); }

private:
  std::map<Monomial, int64_t> normalForm;
};

} // namespace gnnc

#endif // GNNC_DIALECTS_SUPPORT_DIMEXPR_H
