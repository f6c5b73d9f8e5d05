//===- SmithExpressions.cpp - Random expressions --------------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "test/Verify/ModelSmith.h"
#include <cctype>

namespace gnnc::verify {

/// A field of exactly this shape, or the product of a field of fewer dimensions with a parameter.
std::string ModelSmith::leaf(const Dims &shape, Site site) {
  std::vector<std::string> exact, narrower;
  auto offer = [&](const std::string &name, const Dims &offered) {
    if (offered == shape)
      exact.push_back(name);
    else if (isSubsequence(offered, shape))
      narrower.push_back(name);
  };
  const std::string own = site.ofEdges() ? "v." : "";
  for (const Field &field : vertexFields) {
    if (field.site.type == site.type)
      offer(own + field.name, field.shape);
    if (site.ofEdges() && field.site.type == otherType(site))
      offer(other(site) + "." + field.name, field.shape);
  }
  for (const Field &field : edgeFields)
    if (field.site == site)
      offer(field.name, field.shape);
  for (const Field &field : edgeInputs)
    if (site.ofEdges() && site.relation == field.site.relation)
      offer("e." + field.name, field.shape);
  // What is one for all is not for itself a field of vertices or edges.
  for (const Field &field : states)
    offer("(" + field.name + " + " + (site.ofEdges() ? other(site) + "." : "") + "x0)", field.shape);
  if (draw.chance(0.1))
    return indexed(shape, site);
  if (narrower.empty() || (!exact.empty() && draw.chance(0.8)))
    return exact[draw.below(exact.size())];
  const std::string name = narrower[draw.below(narrower.size())];
  return "(" + name + " * " + param(shape) + ")";
}

/// A function of Functions.def that was added later: a new one has a case here, and raises the bound. Steps lie apart
/// from the integers and halves that counts and shares are.
std::string ModelSmith::newerFunction(const std::string &x) {
  switch (newer.below(9)) {
  case 0:
    return "sin(3 * " + x + ")";
  case 1:
    return "cos(" + x + ")";
  case 2:
    return "atan2(" + x + ", 0.75)";
  case 3:
    return "atan2(0.75, " + x + ")";
  case 4:
    return "log1p(abs(" + x + "))";
  case 5:
    return "expm1(" + bounded(x) + ")";
  case 6:
    return "(" + x + " - floor(2 * " + x + " + 0.3) - ceil(" + x + " - 0.2))";
  case 7:
    return "(0.25 * round(3 * " + x + " + 0.2) + " + x + ")";
  default:
    return "(sign(" + x + " - 0.1) * " + x + ")";
  }
}

/// The draw of an older function is taken even where a newer one replaces it, so that the rest of a model stays.
std::string ModelSmith::scalarFunction(const std::string &x) {
  const int64_t function = draw.below(14);
  if (newer.chance(0.1))
    return newerFunction(x);
  switch (function) {
  case 0:
    return "sigmoid(" + x + ")";
  case 1:
    return "relu(" + x + ")";
  case 2:
    return "leaky_relu(" + x + ", 0.2)";
  case 3:
    return "exp(erf(" + x + "))";
  case 4:
    return "log(abs(" + x + ") + 0.5)";
  case 5:
    return "sqrt(abs(" + x + ") + 0.25)";
  case 6:
    return "rsqrt(abs(" + x + ") + 0.5)";
  case 7:
    return "elu(" + x + ")";
  case 8:
    return "(-" + x + ")";
  case 9:
    return "pow(abs(" + x + ") + 0.5, 1.5)";
  case 10:
    return "dropout(" + x + ", 0.25)";
  case 11:
    return "select(training, " + x + ", 0.5 * " + x + ")";
  case 12:
    return "stop_gradient(" + x + ")";
  default:
    return bounded(x);
  }
}

std::string ModelSmith::binary(const Dims &shape, Site site, int depth) {
  const std::string x = expression(shape, site, depth - 1), y = expression(subsequence(shape), site, depth - 1);
  switch (draw.below(8)) {
  case 0:
    return "(" + x + " - " + y + ")";
  case 1:
    return "(" + x + " * " + y + ")";
  case 2:
    return "(" + x + " / (abs(" + y + ") + 1))";
  case 3:
    return "maximum(" + x + ", " + y + ")";
  case 4:
    return "minimum(" + x + ", " + y + ")";
  case 5:
    return "(0.5 * " + x + " + 0.25)";
  default:
    return "(" + x + " + " + y + ")";
  }
}

std::string ModelSmith::select(const Dims &shape, Site site, int depth) {
  const Dims tested = subsequence(shape);
  std::string condition = expression(tested, site, depth - 1);
  condition += pick({" < ", " > ", " <= ", " >= "});
  condition += expression(tested, site, depth - 1);
  if (draw.chance(0.3))
    condition = "not (" + condition + ")";
  const std::string x = expression(shape, site, depth - 1), y = expression(subsequence(shape), site, depth - 1);
  return "select(" + condition + ", " + x + ", " + y + ")";
}

/// Something as wide as `a + b`, of parts of the widths `a` and `b`; or padded from `a`.
std::string ModelSmith::joined(const Dims &shape, Site site, int depth) {
  const std::string &width = shape.back();
  const size_t plus = width.find(" + ");
  Dims first = shape, second = shape;
  first.back() = width.substr(0, plus);
  second.back() = width.substr(plus + 3);
  const std::string x = expression(first, site, depth - 1);
  if (std::isdigit(second.back()[0]) || draw.chance(0.3))
    return "pad(" + x + ", " + width + ")";
  return "concat(" + x + ", " + expression(second, site, depth - 1) + ")";
}

/// Of one field at the two ends of edges, or of two fields: what cancels if inputs have an offset in common.
std::string ModelSmith::difference(const Dims &shape, Site edges) {
  std::vector<std::string> fields;
  for (const Field &field : vertexFields)
    if (field.site.type == edges.type && edges.type == otherType(edges) && field.shape == shape)
      fields.push_back(field.name);
  if (fields.empty())
    return leaf(shape, edges);
  const std::string name = fields[draw.below(fields.size())];
  const std::string subtracted = draw.chance(0.6) ? name : fields[draw.below(fields.size())];
  return "(" + other(edges) + "." + name + pick({" - ", " - ", " + "}) + "v." + subtracted + ")";
}

/// [prefix..., k] @ [k, rest...], where k is a width or a product (flattened).
std::string ModelSmith::product(const Dims &shape, Site site, int depth) {
  const size_t cut = draw.below(shape.size() + 1);
  const Dims prefix(shape.begin(), shape.begin() + cut);
  Dims weight(shape.begin() + cut, shape.end());
  Dims operand = prefix;
  if (prefix.empty() && draw.chance(0.2)) {
    operand = {dimNotIn({})};
    operand.push_back(dimNotIn(operand));
    weight.insert(weight.begin(), operand[0] + " * " + operand[1]);
    return "(flatten(" + expression(operand, site, depth - 1) + ") @ " + param(weight) + ")";
  }
  operand.push_back(widthNotIn(prefix));
  weight.insert(weight.begin(), operand.back());
  const std::string x = "(" + expression(operand, site, depth - 1) + " @ " + param(weight) + ")";
  return shape.size() == 1 && newer.chance(0.15) ? network(shape.front(), x) : x;
}

/// At times x, a short text, as it comes through a transposed parameter or a matrix of its own.
std::string ModelSmith::byMatrix(const Dims &shape, const std::string &x) {
  if (shape.size() != 1 || x.size() > 200 || !ofMatrices.chance(0.15))
    return x;
  const std::string &width = shape.front();
  const std::string y = bounded(x);
  switch (ofMatrices.below(3)) {
  case 0:
    return "(" + x + " @ transpose(" + param({width, width}) + "))";
  case 1:
    return "(" + y + " @ outer_product(" + y + ", " + param(shape) + "))";
  default:
    return "(" + y + " @ transpose(outer_product(" + param(shape) + ", " + y + ")))";
  }
}

/// At times x, a short text, as a part of what is wider.
std::string ModelSmith::sliced(const Dims &shape, const std::string &x) {
  if (shape.empty() || x.size() > 200 || !ofMatrices.chance(0.12))
    return x;
  const std::string width = "(" + shape.back() + ")", half = "0.5 * " + x;
  std::string others;
  for (size_t i = 1; i < shape.size(); ++i)
    others += ":, ";
  switch (ofMatrices.below(3)) {
  case 0:
    return "concat(" + half + ", " + x + ")[" + others + width + ":]";
  case 1:
    return "concat(" + x + ", " + half + ")[" + others + ":" + width + "]";
  default:
    return "concat(" + x + ", " + half + ")[" + others + "1:" + width + " + 1]";
  }
}

/// A layer without edges, applied where x stands: to all vertices, or to values of edges.
std::string ModelSmith::network(const std::string &width, const std::string &x) {
  imports = "import nn\n\n";
  const std::string layer = fresh("layer");
  layers += "  layer " + layer + " = MLP(" + width + ", 3, " + width + ")\n";
  return layer + "(" + x + ")";
}

/// A variance of equal numbers is 0 or what rounding leaves of it: no condition may hang on which.
static std::string awayFromZero(const std::string &function, const std::string &call) {
  return function == "var" ? "(0.5 + " + call + ")" : call;
}

std::string ModelSmith::reduction(const Dims &shape, Site site, int depth) {
  Dims operand = shape;
  const std::string dim = widthNotIn(shape);
  if (draw.chance(0.3)) {
    operand.push_back(dim);
    const std::string x = expression(operand, site, depth - 1);
    return "dot(" + x + ", " + param(operand) + ")";
  }
  operand.insert(operand.begin() + draw.below(shape.size() + 1), dim);
  const std::string name = pick({"sum", "mean", "max", "min", "logsumexp", "prod", "var"});
  return awayFromZero(name, name + "<" + dim + ">(" + expression(operand, site, depth - 1) + ")");
}

std::string ModelSmith::aggregation(const Dims &shape, Site site, int depth) {
  const std::optional<Site> edges = someEdges(site.type);
  if (!edges)
    return leaf(shape, site);
  std::string over = pattern(*edges);
  if (draw.chance(0.25))
    over += " if " + expression({}, *edges, 1) + " > " + expression({}, *edges, 0);
  if (shape.empty() && draw.chance(0.2))
    return "(0.25 * count(" + over.substr(1) + "))";
  const std::string name = pick({"sum", "mean", "max", "min", "sum", "sum", "prod", "var", "std", "logsumexp"});
  std::string value = attention(shape, *edges, depth) + expression(shape, *edges, depth - 1);
  if (name == "prod") // of the thousands of edges of a hub: no number may be above 1
    value = "tanh(" + value + ")";
  return awayFromZero(name, name + "(" + value + over + ")");
}

/// At times a factor that is normalised over the edges that are aggregated.
std::string ModelSmith::attention(const Dims &shape, Site edges, int depth) {
  return draw.chance(0.15) ? "softmax(" + expression(shape, edges, depth - 2) + ") * " : "";
}

/// Over all vertices.
std::string ModelSmith::total(const Dims &shape, Site site, int depth) {
  const std::string name = pick({"sum", "mean", "max", "min", "var"});
  return "(x0 * " + awayFromZero(name, name + "(" + expression(shape, site, depth - 1) + " for v)") + ")";
}

/// For each type of edges, then over the types.
std::string ModelSmith::overTypes(const Dims &shape, Site site, int depth) {
  const std::optional<Site> edges = someEdges(site.type);
  if (!edges)
    return leaf(shape, site);
  Dims table = shape;
  table.insert(table.begin(), "r");
  const std::string q = fresh("q");
  const std::string inner = pick({"sum", "mean", "max", "min"}), outer = pick({"sum", "mean", "max", "min"});
  const std::string scale = draw.chance(0.5) ? param(table) + "[" + q + "] * " : "";
  return outer + "(" + scale + inner + "(" + attention(shape, *edges, depth) + expression(shape, *edges, depth - 2) +
         pattern(*edges) + " if e.type == " + q + ") over " + q + " in r)";
}

/// A row of a table that a label of a vertex, or the type of an edge, chooses.
std::string ModelSmith::indexed(const Dims &shape, Site site) {
  Dims table = shape;
  const bool byType = hasTypes && site.ofEdges() && draw.chance(0.7);
  table.insert(table.begin(), byType ? "r" : "d + 2");
  const std::string end = !site.ofEdges() || draw.chance(0.3) ? "v" : other(site);
  return param(table) + "[" + (byType ? "e.type" : end + ".i0") + "]";
}

/// [k] @ [types, k, rest...][e.type]
std::string ModelSmith::typedProduct(const Dims &shape, Site site, int depth) {
  const std::string k = dimNotIn(shape);
  Dims weight = shape;
  weight.insert(weight.begin(), k);
  const bool byLabel = draw.chance(0.15);
  weight.insert(weight.begin(), byLabel ? "d + 2" : "r");
  return "(" + expression({k}, site, depth - 1) + " @ " + param(weight) + (byLabel ? "[v.i0]" : "[e.type]") + ")";
}

std::string ModelSmith::expression(const Dims &shape, Site site, int depth) {
  const bool isSum = !shape.empty() && shape.back().find(" + ") != std::string::npos;
  if (isSum && draw.chance(depth > 0 ? 0.5 : 0.25))
    return joined(shape, site, depth);
  if (site.ofEdges() && draw.chance(0.15))
    return difference(shape, site);
  if (depth <= 0)
    return leaf(shape, site);
  if (!site.ofEdges() && draw.chance(0.07))
    return total(shape, site, depth);
  if (hasTypes && !site.ofEdges() && depth > 1 && draw.chance(0.12))
    return overTypes(shape, site, depth);
  if (hasTypes && site.ofEdges() && shape.size() < 3 && draw.chance(0.25))
    return typedProduct(shape, site, depth);
  switch (draw.below(10)) {
  case 0:
  case 1:
    return scalarFunction(expression(shape, site, depth - 1));
  case 2:
  case 3:
    return sliced(shape, binary(shape, site, depth));
  case 4:
    return select(shape, site, depth - 1);
  case 5:
    return shape.empty() ? reduction(shape, site, depth) : byMatrix(shape, product(shape, site, depth));
  case 6:
    return shape.size() < 2 ? reduction(shape, site, depth) : product(shape, site, depth);
  case 7:
  case 8:
    return site.ofEdges() ? leaf(shape, site) : aggregation(shape, site, depth);
  default:
    return leaf(shape, site);
  }
}

} // namespace gnnc::verify
