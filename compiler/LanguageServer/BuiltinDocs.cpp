//===- BuiltinDocs.cpp - What editors say of the language's functions -----===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/LanguageServer/BuiltinDocs.h"

using namespace gnnc;
using llvm::StringRef;

namespace {

struct BuiltinDoc {
  llvm::StringLiteral name, usage, doc;
};

constexpr BuiltinDoc docs[] = {
    {"exp", "exp(x)", "The exponential, elementwise."},
    {"log", "log(x)", "The natural logarithm, elementwise."},
    {"sqrt", "sqrt(x)", "The square root, elementwise."},
    {"rsqrt", "rsqrt(x)", "1 / sqrt(x), elementwise."},
    {"sigmoid", "sigmoid(x)", "1 / (1 + exp(-x)), elementwise."},
    {"tanh", "tanh(x)", "The hyperbolic tangent, elementwise."},
    {"erf", "erf(x)", "The error function, elementwise."},
    {"abs", "abs(x)", "The absolute value, elementwise."},
    {"maximum", "maximum(a, b)", "The greater of the two, elementwise."},
    {"minimum", "minimum(a, b)", "The lesser of the two, elementwise."},
    {"pow", "pow(a, b)", "a to the power of b, elementwise."},
    {"select", "select(condition, a, b)", "`a` where the condition holds, else `b`; elementwise."},
    {"dot", "dot(a, b)", "The sum of the products over the last dimension."},
    {"concat", "concat(a, b, ...)", "The values joined along their last dimension."},
    {"flatten", "flatten(x)", "All dimensions as one, in row-major order; under `over` all but that of the types."},
    {"pad", "pad(x, d)", "Zeros after the last dimension, up to `d`."},
    {"dropout", "dropout(x, p)",
     "In training each element is kept with probability 1 - p and divided by 1 - p, drawn for every vertex or edge; "
     "otherwise `x`."},
    {"stop_gradient", "stop_gradient(x)", "`x`, as if it were a constant: no gradient flows through it."},
    {"sum", "sum(x for u -> v)",
     "The sum over the edges into `v`; `sum<d>(x)` over a dimension, `sum(x for v)` over all vertices."},
    {"mean", "mean(x for u -> v)",
     "The mean over the edges into `v`; `mean<d>(x)` over a dimension, `mean(x for v)` over all vertices."},
    {"max", "max(x for u -> v)",
     "The greatest over the edges into `v`; `max<d>(x)` over a dimension, `max(x for v)` over all vertices. "
     "`maximum(a, b)` is elementwise."},
    {"min", "min(x for u -> v)",
     "The least over the edges into `v`; `min<d>(x)` over a dimension, `min(x for v)` over all vertices. "
     "`minimum(a, b)` is elementwise."},
    {"prod", "prod(x for u -> v)", "The product over the edges into `v`; `prod<d>(x)` over a dimension."},
    {"var", "var(x for u -> v)",
     "The biased variance over the edges into `v`; `var<d>(x)` over a dimension, `var(x for v)` over all vertices."},
    {"std", "std(x for u -> v)",
     "The biased standard deviation over the edges into `v`; `std<d>(x)` over a dimension, `std(x for v)` over all "
     "vertices."},
    {"count", "count(for u -> v)", "The number of edges into `v`; `count(for v)` that of all vertices."},
    {"softmax", "softmax(x for u -> v)",
     "Normalised over the edges that share `v`; stays a field of edges. `softmax<d>(x)` normalises over a dimension."},
    {"logsumexp", "logsumexp(x for u -> v)",
     "The logarithm of the sum of exponentials over the edges into `v`; `logsumexp<d>(x)` over a dimension."},
    {"cross_entropy", "loss cross_entropy(logits, label)",
     "Minus the logarithm of the softmax at the label, an `i32` or `i64`."},
    {"binary_cross_entropy", "loss binary_cross_entropy(logits, y)",
     "The mean over the elements of the cross entropy between sigmoid(logits) and `y`."},
    {"mean_squared_error", "loss mean_squared_error(a, b)", "The mean over the elements of the squared difference."},
};

const BuiltinDoc *find(StringRef name) {
  for (const BuiltinDoc &doc : docs)
    if (doc.name == name)
      return &doc;
  return nullptr;
}

} // namespace

StringRef lsp::builtinUsage(StringRef name) {
  const BuiltinDoc *doc = find(name);
  return doc ? StringRef(doc->usage) : "";
}

StringRef lsp::builtinDoc(StringRef name) {
  const BuiltinDoc *doc = find(name);
  return doc ? StringRef(doc->doc) : "";
}
