//===- ModelSmith.cpp - Random models -------------------------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "test/Verify/ModelSmith.h"
#include <algorithm>

namespace gnnc::verify {

static const std::vector<std::string> dimNames = {"a", "b", "c", "d"};

ModelSmith::ModelSmith(uint64_t seed) : draw(seed * 0x9e3779b97f4a7c15 + 77) {}

//===----------------------------------------------------------------------===//
// Small choices
//===----------------------------------------------------------------------===//

std::string ModelSmith::pick(std::initializer_list<const char *> choices) {
  return choices.begin()[draw.below(choices.size())];
}

std::string ModelSmith::dimNotIn(const Dims &shape) {
  Dims left;
  for (const std::string &dim : dimNames)
    if (std::find(shape.begin(), shape.end(), dim) == shape.end())
      left.push_back(dim);
  return left[draw.below(left.size())];
}

ModelSmith::Dims ModelSmith::randomShape() {
  if (draw.chance(0.5))
    return vertexFields[draw.below(vertexFields.size())].shape;
  Dims shape;
  for (int64_t rank = draw.below(5) % 3; rank > 0; --rank)
    shape.push_back(dimNotIn(shape));
  return shape;
}

ModelSmith::Dims ModelSmith::subsequence(const Dims &shape) {
  Dims result;
  for (const std::string &dim : shape)
    if (draw.chance(0.7))
      result.push_back(dim);
  return result;
}

bool ModelSmith::isSubsequence(const Dims &inner, const Dims &outer) {
  size_t found = 0;
  for (const std::string &dim : outer)
    if (found < inner.size() && inner[found] == dim)
      ++found;
  return found == inner.size();
}

std::string ModelSmith::spell(const Dims &shape) {
  std::string text = "real";
  for (size_t i = 0; i < shape.size(); ++i)
    text += (i == 0 ? "[" : ", ") + shape[i];
  return shape.empty() ? text : text + "]";
}

std::string ModelSmith::param(const Dims &shape) {
  const std::string name = fresh("p");
  params += "  param " + name + ": " + spell(shape) + " = " + pick({"glorot_uniform", "zeros", "ones"}) + "\n";
  return name;
}

//===----------------------------------------------------------------------===//
// Expressions
//===----------------------------------------------------------------------===//

/// A field of exactly this shape, or the product of a field of fewer dimensions with a parameter.
std::string ModelSmith::leaf(const Dims &shape, Place place) {
  std::vector<std::string> exact, narrower;
  auto offer = [&](const std::string &name, const Dims &offered) {
    if (offered == shape)
      exact.push_back(name);
    else if (isSubsequence(offered, shape))
      narrower.push_back(name);
  };
  for (const Field &field : vertexFields) {
    offer((place == Place::Vertex ? "" : "v.") + field.name, field.shape);
    if (place != Place::Vertex)
      offer((place == Place::Into ? "u." : "w.") + field.name, field.shape);
  }
  for (const Field &field : edgeFields)
    if (field.place == place)
      offer(field.name, field.shape);
  for (const Field &field : edgeInputs)
    if (place != Place::Vertex)
      offer("e." + field.name, field.shape);
  // What is one for all is not for itself a field of vertices or edges.
  for (const Field &field : states)
    offer("(" + field.name + " + " +
              (place == Place::Vertex ? "x0"
               : place == Place::Into ? "u.x0"
                                      : "w.x0") +
              ")",
          field.shape);
  if (draw.chance(0.1))
    return indexed(shape, place);
  if (narrower.empty() || (!exact.empty() && draw.chance(0.8)))
    return exact[draw.below(exact.size())];
  const std::string name = narrower[draw.below(narrower.size())];
  return "(" + name + " * " + param(shape) + ")";
}

std::string ModelSmith::scalarFunction(const std::string &x) {
  switch (draw.below(14)) {
  case 0:
    return "sigmoid(" + x + ")";
  case 1:
    return "relu(" + x + ")";
  case 2:
    return "leaky_relu(" + x + ", 0.2)";
  case 3:
    return "exp(tanh(" + x + "))";
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

std::string ModelSmith::binary(const Dims &shape, Place place, int depth) {
  const std::string x = expression(shape, place, depth - 1), y = expression(subsequence(shape), place, depth - 1);
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

std::string ModelSmith::select(const Dims &shape, Place place, int depth) {
  const Dims tested = subsequence(shape);
  std::string condition = expression(tested, place, depth - 1);
  condition += pick({" < ", " > ", " <= ", " >= "});
  condition += expression(tested, place, depth - 1);
  if (draw.chance(0.3))
    condition = "not (" + condition + ")";
  const std::string x = expression(shape, place, depth - 1), y = expression(subsequence(shape), place, depth - 1);
  return "select(" + condition + ", " + x + ", " + y + ")";
}

/// [prefix..., k] @ [k, rest...], where k is a dimension, a sum (of joined or padded operands) or a product
/// (flattened).
std::string ModelSmith::product(const Dims &shape, Place place, int depth) {
  const size_t cut = draw.below(shape.size() + 1);
  const Dims prefix(shape.begin(), shape.begin() + cut);
  Dims weight(shape.begin() + cut, shape.end());
  const std::string k = dimNotIn(prefix);
  Dims operand = prefix;
  operand.push_back(k);
  std::string x = expression(operand, place, depth - 1), contracted = k;
  switch (draw.below(6)) {
  case 0:
    x = "concat(" + x + ", " + expression(operand, place, depth - 1) + ")";
    contracted = "2 * " + k;
    break;
  case 1:
    x = "pad(" + x + ", " + k + " + 2)";
    contracted = k + " + 2";
    break;
  case 2:
    if (!prefix.empty())
      break;
    operand.push_back(dimNotIn(operand));
    contracted = operand[0] + " * " + operand[1];
    x = "flatten(" + expression(operand, place, depth - 1) + ")";
    break;
  default:
    break;
  }
  weight.insert(weight.begin(), contracted);
  return "(" + x + " @ " + param(weight) + ")";
}

std::string ModelSmith::reduction(const Dims &shape, Place place, int depth) {
  Dims operand = shape;
  const std::string dim = dimNotIn(shape);
  if (draw.chance(0.3)) {
    operand.push_back(dim);
    const std::string x = expression(operand, place, depth - 1);
    return "dot(" + x + ", " + param(operand) + ")";
  }
  operand.insert(operand.begin() + draw.below(shape.size() + 1), dim);
  const std::string name = pick({"sum", "mean", "max", "min", "logsumexp", "prod", "var"});
  return name + "<" + dim + ">(" + expression(operand, place, depth - 1) + ")";
}

std::string ModelSmith::aggregation(const Dims &shape, int depth) {
  const Place place = draw.chance(0.6) ? Place::Into : Place::OutOf;
  std::string pattern = place == Place::Into ? " for e: u -> v" : " for e: v -> w";
  if (draw.chance(0.25)) {
    pattern += " if " + expression({}, place, 1);
    pattern += " > " + expression({}, place, 0);
  }
  if (shape.empty() && draw.chance(0.2))
    return "(0.25 * count(" + pattern.substr(1) + "))";
  const std::string name = pick({"sum", "mean", "max", "min", "sum", "sum", "prod", "var", "std", "logsumexp"});
  return name + "(" + expression(shape, place, depth - 1) + pattern + ")";
}

/// Over all vertices.
std::string ModelSmith::total(const Dims &shape, int depth) {
  const std::string name = pick({"sum", "mean", "max", "min", "var"});
  return "(x0 * " + name + "(" + expression(shape, Place::Vertex, depth - 1) + " for v))";
}

/// For each type of edges, then over the types.
std::string ModelSmith::overTypes(const Dims &shape, int depth) {
  Dims table = shape;
  table.insert(table.begin(), "r");
  const Place place = draw.chance(0.7) ? Place::Into : Place::OutOf;
  const std::string pattern = place == Place::Into ? " for e: u -> v" : " for e: v -> w", q = fresh("q");
  const std::string inner = pick({"sum", "mean", "max", "min"}), outer = pick({"sum", "mean", "max", "min"});
  const std::string scale = draw.chance(0.5) ? param(table) + "[" + q + "] * " : "";
  return outer + "(" + scale + inner + "(" + expression(shape, place, depth - 2) + pattern + " if e.type == " + q +
         ") over " + q + " in r)";
}

/// A row of a table that a label of a vertex, or the type of an edge, chooses.
std::string ModelSmith::indexed(const Dims &shape, Place place) {
  Dims table = shape;
  const bool byType = hasTypes && place != Place::Vertex && draw.chance(0.7);
  table.insert(table.begin(), byType ? "r" : "d + 2");
  const std::string end = place == Place::Vertex || draw.chance(0.3) ? "v" : place == Place::Into ? "u" : "w";
  return param(table) + "[" + (byType ? "e.type" : end + ".i0") + "]";
}

/// [prefix..., k] @ [types, k, rest...][e.type]
std::string ModelSmith::typedProduct(const Dims &shape, Place place, int depth) {
  const std::string k = dimNotIn(shape);
  Dims weight = shape;
  weight.insert(weight.begin(), k);
  weight.insert(weight.begin(), "r");
  const std::string index = draw.chance(0.15) ? "[v.i0]" : "[e.type]";
  return "(" + expression({k}, place, depth - 1) + " @ " + param(weight) + index + ")";
}

std::string ModelSmith::expression(const Dims &shape, Place place, int depth) {
  if (depth <= 0)
    return leaf(shape, place);
  if (place == Place::Vertex && draw.chance(0.07))
    return total(shape, depth);
  if (hasTypes && place == Place::Vertex && depth > 1 && draw.chance(0.12))
    return overTypes(shape, depth);
  if (hasTypes && place != Place::Vertex && shape.size() < 3 && draw.chance(0.25))
    return typedProduct(shape, place, depth);
  switch (draw.below(10)) {
  case 0:
  case 1:
    return scalarFunction(expression(shape, place, depth - 1));
  case 2:
  case 3:
    return binary(shape, place, depth);
  case 4:
    return select(shape, place, depth - 1);
  case 5:
    if (!shape.empty())
      return product(shape, place, depth);
    return reduction(shape, place, depth);
  case 6:
    if (shape.size() < 2)
      return reduction(shape, place, depth);
    return product(shape, place, depth);
  case 7:
  case 8:
    if (place == Place::Vertex)
      return aggregation(shape, depth);
    return leaf(shape, place);
  default:
    return leaf(shape, place);
  }
}

//===----------------------------------------------------------------------===//
// The model
//===----------------------------------------------------------------------===//

void ModelSmith::writeInputs() {
  hasTypes = draw.chance(0.4);
  body += "    input x0: real\n    input x1: real[a]\n    input x2: real[b, c]\n    input i0: i32\n";
  vertexFields = {{"x0", {}}, {"x1", {"a"}}, {"x2", {"b", "c"}}};
  if (draw.chance(0.5)) {
    edgeBody = "  edge u -> v {\n    input f0: real\n    input f1: real[a]\n  }\n";
    edgeInputs = {{"f0", {}}, {"f1", {"a"}}};
  }
  if (draw.chance(0.3)) {
    Dims shape = randomShape();
    Dims weight = shape;
    weight.insert(weight.begin(), "d + 3");
    body += "    input s: sparse real[d + 3]" + pick({"", " row_normalized"}) + "\n";
    const std::string name = fresh("h");
    body += "    let " + name + " = " + pick({"s", "dropout(s, 0.5)"});
    body += " @ " + param(weight) + "\n";
    vertexFields.push_back({name, shape});
  }
}

void ModelSmith::writeVertexField() {
  const Dims shape = randomShape();
  const std::string name = fresh("h");
  std::string value = expression(shape, Place::Vertex, 3);
  if (draw.chance(0.3))
    value = value + " / (1 + v.in_degree)";
  if (hasTypes && draw.chance(0.2))
    value = value + " + mean(1 / (1 + v.in_degree(e.type)) for e: u -> v)";
  if (draw.chance(0.6))
    value = bounded(value);
  body += "    let " + name + " = " + value + "\n";
  vertexFields.push_back({name, shape});
}

void ModelSmith::writeEdgeField() {
  const Place place = draw.chance(0.7) ? Place::Into : Place::OutOf;
  const Dims shape = randomShape();
  const std::string name = fresh("k"), pattern = place == Place::Into ? " for e: u -> v" : " for e: v -> w";
  std::string value = expression(shape, place, 2);
  body += "    let " + name + " = " + (draw.chance(0.5) ? "softmax(" + value + pattern + ")" : value + pattern) + "\n";
  edgeFields.push_back({name, shape, place});
}

/// A state that moves towards a mean over the vertices.
void ModelSmith::writeState() {
  const Dims shape = randomShape();
  const std::string name = fresh("s");
  params += "  state " + name + ": " + spell(shape) + " = " + pick({"zeros", "ones"}) + "\n";
  states.push_back({name, shape});
  if (draw.chance(0.8))
    body += "    " + name + " = 0.75 * " + name + " + 0.25 * " + pick({"mean(", "max(", "sum("}) +
            bounded(expression(shape, Place::Vertex, 2)) + " for v)\n";
}

/// A learned row for each vertex.
void ModelSmith::writeVertexParameter() {
  const Dims shape = randomShape();
  const std::string name = fresh("z");
  body += "    param " + name + ": " + spell(shape) + " = normal(1)\n";
  vertexFields.push_back({name, shape});
}

/// A field carried through two or three hops.
void ModelSmith::writeRepeat() {
  const Dims shape = {dimNames[draw.below(4)]};
  const std::string name = fresh("h");
  body += "    let " + name + " = " + bounded(expression(shape, Place::Vertex, 1)) + "\n";
  vertexFields.push_back({name, shape});
  body += "    repeat " + pick({"2", "3"}) + " {\n";
  body += "      " + name + " = " + bounded(expression(shape, Place::Vertex, 3) + " + " + name) + "\n    }\n";
}

void ModelSmith::writeLoss() {
  const Dims shape = {"c"};
  std::string logits = bounded(expression(shape, Place::Vertex, 3));
  // So that what was written last is not dead.
  for (size_t i = 0; i < 2 && i < vertexFields.size(); ++i) {
    const Field &field = vertexFields[vertexFields.size() - 1 - i];
    Dims weight = field.shape;
    logits += isSubsequence(field.shape, shape) ? " + " + field.name : "";
    if (field.shape.size() == 1 && field.shape != shape) {
      weight.push_back("c");
      logits += " + " + field.name + " @ " + param(weight);
    }
  }
  if (!edgeFields.empty() && isSubsequence(edgeFields.back().shape, shape))
    logits += " + mean(" + edgeFields.back().name +
              (edgeFields.back().place == Place::Into ? " for e: u -> v)" : " for e: v -> w)");
  body += "    output y = " + logits + "\n";
  switch (draw.below(3)) {
  case 0:
    body += "    target t: i32\n    loss cross_entropy(y, t)\n";
    break;
  case 1:
    body += "    target t: real[c]\n    loss mean_squared_error(y, t)\n";
    break;
  default:
    body += "    target t: real[c]\n    loss binary_cross_entropy(y, t)\n";
  }
}

std::string ModelSmith::write() {
  writeInputs();
  if (draw.chance(0.2))
    writeVertexParameter();
  if (draw.chance(0.2))
    writeState();
  for (int64_t i = 2 + draw.below(4); i > 0; --i) {
    if (draw.chance(0.35))
      writeEdgeField();
    else if (draw.chance(0.2))
      writeRepeat();
    else
      writeVertexField();
  }
  writeLoss();
  std::string dims;
  for (const std::string &dim : dimNames)
    dims += (dims.empty() ? "" : ", ") + dim + ": dim = " + std::to_string(1 + draw.below(draw.chance(0.2) ? 20 : 5));
  if (hasTypes)
    dims += ", r: dim = " + std::to_string(1 + draw.below(4));
  const std::string graph = pick({"", "  graph { self_loops }\n", "  graph { symmetric }\n"});
  return "model Smith(" + dims + ") {\n" + graph + params + edgeBody + "  vertex v {\n" + body + "  }\n}\n";
}

} // namespace gnnc::verify
