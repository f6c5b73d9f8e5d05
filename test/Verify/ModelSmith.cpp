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

ModelSmith::ModelSmith(uint64_t seed)
    : draw(seed * 0x9e3779b97f4a7c15 + 77), newer(seed * 0x9e3779b97f4a7c15 + 78),
      ofFunctions(seed * 0x9e3779b97f4a7c15 + 80), ofMatrices(seed * 0x9e3779b97f4a7c15 + 81),
      newerLoops(seed * 0x9e3779b97f4a7c15 + 79) {}

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

/// A dimension, or a sum of two or of one and a number. A reduction names it, so the shape must not have the same sum.
std::string ModelSmith::widthNotIn(const Dims &shape) {
  const std::string first = dimNotIn(shape);
  if (draw.chance(0.4))
    return first;
  std::string sum;
  if (draw.chance(0.3)) {
    sum = first + " + " + std::to_string(1 + draw.below(9));
  } else {
    const std::string second = dimNotIn(shape);
    sum = std::min(first, second) + " + " + std::max(first, second);
  }
  return std::find(shape.begin(), shape.end(), sum) == shape.end() ? sum : first;
}

std::optional<ModelSmith::Site> ModelSmith::someEdges(unsigned type) {
  std::vector<Site> found;
  for (unsigned i = 0; i < edgeKinds.size(); ++i) {
    if (edgeKinds[i].destination == type)
      found.insert(found.end(), 2, {Site::Into, type, i});
    if (edgeKinds[i].source == type)
      found.push_back({Site::OutOf, type, i});
  }
  if (found.empty())
    return std::nullopt;
  return found[draw.below(found.size())];
}

unsigned ModelSmith::otherType(Site site) const {
  const EdgeKind &edges = edgeKinds[site.relation];
  return site.kind == Site::Into ? edges.source : edges.destination;
}

std::string ModelSmith::pattern(Site site) const {
  const std::string &name = edgeKinds[site.relation].name;
  const std::string arrow = name.empty() ? " -> " : " -" + name + "-> ";
  return site.kind == Site::Into ? " for e: u" + arrow + "v" : " for e: v" + arrow + "w";
}

ModelSmith::Dims ModelSmith::randomShape() {
  if (draw.chance(0.5))
    return vertexFields[draw.below(vertexFields.size())].shape;
  Dims shape;
  for (int64_t rank = draw.below(5) % 3; rank > 0; --rank)
    shape.push_back(rank == 1 ? widthNotIn(shape) : dimNotIn(shape));
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
// The model
//===----------------------------------------------------------------------===//

/// Goes on with the vertices of `type`.
void ModelSmith::enter(unsigned type) {
  if (!body.empty())
    body += "  }\n";
  current = type;
  body += numTypes == 1 ? "  vertex v {\n" : "  vertex v: T" + std::to_string(type) + " {\n";
}

/// One type of vertices and one relation; or two or three types with relations between them.
void ModelSmith::writeSchema() {
  hasTypes = draw.chance(0.4);
  hasPairs = draw.chance(0.12);
  edgeKinds = {{}};
  if (draw.chance(0.35)) {
    numTypes = 2 + draw.below(2);
    graph = "    vertex T0, T1" + std::string(numTypes > 2 ? ", T2\n" : "\n");
    edgeKinds.clear();
    for (unsigned i = 0; i < numTypes; ++i) {
      const EdgeKind edges = {"r" + std::to_string(i), i == 0 ? 0 : unsigned(draw.below(numTypes)), i};
      edgeKinds.push_back(edges);
      graph += "    edge T" + std::to_string(edges.source) + " -" + edges.name + "-> T" + std::to_string(i) + "\n";
    }
  }
  const std::string on = numTypes > 1 ? " on r0\n" : "\n";
  if (draw.chance(0.5))
    graph += "    " + pick({"self_loops", "symmetric"}) + on;
  hasInverses = draw.chance(0.15);
  if (hasInverses)
    graph += "    inverse_relations" + on;
  if (hasPairs)
    graph += "    pairs links\n";
}

void ModelSmith::writeInputs() {
  for (unsigned type = numTypes; type-- > 0;) {
    enter(type);
    body += "    input x0: real\n    input x1: real[a]\n    input x2: real[b, c]\n    input i0: i32\n";
    const Site site = {Site::Vertex, type};
    for (const Field &field : {Field{"x0", {}, site}, Field{"x1", {"a"}, site}, Field{"x2", {"b", "c"}, site}})
      vertexFields.push_back(field);
  }
  if (draw.chance(0.5)) {
    const std::string over = pattern({Site::Into, edgeKinds[0].destination, 0});
    edgeBody = "  edge" + over.substr(over.find(':') + 1) + " {\n    input f0: real\n    input f1: real[a]\n  }\n";
    edgeInputs = {{"f0", {}, {}}, {"f1", {"a"}, {}}};
  }
  if (draw.chance(0.3))
    writeSparseInput();
}

void ModelSmith::writeSparseInput() {
  Dims shape = randomShape();
  Dims weight = shape;
  weight.insert(weight.begin(), "d + 3");
  body += "    input s: sparse real[d + 3]" + pick({"", " row_normalized"}) + "\n";
  const std::string name = fresh("h");
  body += "    let " + name + " = " + pick({"s", "dropout(s, 0.5)"});
  body += " @ " + param(weight) + "\n";
  vertexFields.push_back({name, shape, here()});
}

void ModelSmith::writeVertexField() {
  const Dims shape = randomShape();
  const std::string name = fresh("h");
  std::string value = expression(shape, here(), 3);
  if (draw.chance(0.3) && numTypes == 1)
    value = value + " / (1 + v.in_degree)";
  const std::optional<Site> edges = someEdges(current);
  if (hasTypes && edges && edges->kind == Site::Into && draw.chance(0.2))
    value = value + " + mean(" + param({"r"}) + "[e.type] / v.in_degree(e.type)" + pattern(*edges) + ")";
  if (draw.chance(0.6))
    value = bounded(value);
  body += "    let " + name + " = " + value + "\n";
  vertexFields.push_back({name, shape, here()});
}

void ModelSmith::writeEdgeField() {
  const std::optional<Site> edges = someEdges(current);
  if (!edges)
    return;
  const Dims shape = randomShape();
  const std::string name = fresh("k");
  const std::string value = expression(shape, *edges, 2) + pattern(*edges);
  body += "    let " + name + " = " + (draw.chance(0.5) ? "softmax(" + value + ")" : value) + "\n";
  edgeFields.push_back({name, shape, *edges});
}

/// A state that moves towards a mean over the vertices.
void ModelSmith::writeState() {
  const Dims shape = randomShape();
  const std::string name = fresh("s");
  params += "  state " + name + ": " + spell(shape) + " = " + pick({"zeros", "ones"}) + "\n";
  states.push_back({name, shape, {}});
  if (draw.chance(0.8))
    body += "    " + name + " = 0.75 * " + name + " + 0.25 * " + pick({"mean(", "max(", "sum("}) +
            bounded(expression(shape, here(), 2)) + " for v)\n";
}

/// A learned row for each vertex.
void ModelSmith::writeVertexParameter() {
  const Dims shape = randomShape();
  const std::string name = fresh("z");
  body += "    param " + name + ": " + spell(shape) + " = normal(1)\n";
  vertexFields.push_back({name, shape, here()});
}

/// A layer of the standard library over the input [a].
void ModelSmith::writeLayer() {
  std::optional<Site> edges = someEdges(current);
  if (!edges || edges->kind != Site::Into)
    return;
  if (imports.empty())
    imports = "import nn\n\n";
  const std::string layer = fresh("layer"), name = fresh("h");
  // GCNConv reads degrees at both ends, which two types do not have.
  const int64_t choice = numTypes == 1 ? draw.below(4) : 1 + draw.below(3);
  const char *const calls[] = {"GCNConv(a, c, add_self_loops = false)", "SAGEConv(a, c)", "GINConv(a, c, MLP(a, b, c))",
                               "GATConv(a, c, d, add_self_loops = false)"};
  const char *const sages[] = {"SAGEConv(a, c, aggr = [mean, max])", "SAGEConv(a, c, aggr = sum)",
                               "GraphConv(a, c, mean)", "EdgeConv(a, c, MLP(2 * a, b, c, act = tanh), aggr = sum)"};
  // Functions, the model's own among them, aggregations and lists of both.
  const char *const withFunctions[] = {"GINConv(a, c, MLP(a, b, c, act = tanh))",
                                       "GINConv(a, c, MLP(a, b, c, act = bent), train_eps = true)",
                                       "PNAConv(a, c, 1.5, [mean, max], [identity, attenuation])",
                                       "PNAConv(a, c, 0.5, [sum], [linear, scaled], mean_degree = 3.0)",
                                       "SAGEConv(a, c, aggr = [min, sum], project = true)",
                                       "EdgeConv(a, c, MLP(2 * a, b, c, act = bent), aggr = mean)",
                                       "GATConv(a, c, d, concat = false, add_self_loops = false)",
                                       "TransformerConv(a, c, d, concat = false, beta = true)"};
  // About other loops than the rest of the model: `e.type` excludes that.
  const char *const ofLoops[] = {"GCNConv(a, c)", "ChebConv(a, c, 2)", "ChebConv(a, c, 1)", "GATConv(a, c, d)"};
  const bool hasLoops = numTypes == 1 && !hasTypes && newerLoops.chance(isStack ? 0.8 : 0.2);
  const bool isNewer = choice == 1 && newer.chance(0.5);
  const bool hasFunctions = !hasLoops && numTypes == 1 && ofFunctions.chance(0.4);
  if (hasFunctions)
    imports = "import nn\n\nfn bent(x) = x * sigmoid(2 * x)\n"
              "fn scaled(x, degree, delta, mean_degree) = delta * x / (1 + degree)\n\n";
  layers += "  layer " + layer + " = " +
            (hasFunctions ? withFunctions[ofFunctions.below(8)]
             : hasLoops   ? ofLoops[choice]
             : isNewer    ? sages[newer.below(numTypes == 1 ? 4 : 3)]
                          : calls[choice]) +
            "\n";
  const std::string over = pattern(*edges);
  const std::string by = numTypes == 1 ? "" : " for" + over.substr(over.find(':') + 1);
  const bool hasRows = choice == 3 && !hasFunctions;
  const std::string call = layer + "(x1" + by + ")";
  body += "    let " + name + " = " + (hasRows ? "reshape(" + call + ", d, c)" : call) + "\n";
  vertexFields.push_back({name, hasRows ? Dims{"d", "c"} : Dims{"c"}, here()});
}

/// A field carried through two or three hops.
void ModelSmith::writeRepeat() {
  const Dims shape = {dimNames[draw.below(4)]};
  const std::string name = fresh("h");
  body += "    let " + name + " = " + bounded(expression(shape, here(), 1)) + "\n";
  vertexFields.push_back({name, shape, here()});
  body += "    repeat " + pick({"2", "3"}) + " {\n";
  body += "      " + name + " = " + bounded(expression(shape, here(), 3) + " + " + name) + "\n    }\n";
}

void ModelSmith::writeOutput() {
  const Dims shape = {"c"};
  std::string logits = bounded(expression(shape, here(), 3));
  // So that what was written last is not dead.
  int used = 0;
  for (size_t i = vertexFields.size(); i-- > 0 && used < 2;) {
    const Field &field = vertexFields[i];
    if (field.site.type != current)
      continue;
    ++used;
    Dims weight = field.shape;
    logits += isSubsequence(field.shape, shape) ? " + " + field.name : "";
    if (field.shape.size() == 1 && field.shape != shape) {
      weight.push_back("c");
      logits += " + " + field.name + " @ " + param(weight);
    }
  }
  if (draw.chance(0.5)) { // what is joined or padded, with a gradient of its own for each element
    const Dims sum = {widthNotIn({})};
    const std::string weight = param({sum[0], "c"});
    logits += " + " + scalarFunction(expression(sum, here(), 2)) + " @ " + weight;
  }
  if (!edgeFields.empty() && isSubsequence(edgeFields.back().shape, shape) && edgeFields.back().site.type == current)
    logits += " + mean(" + edgeFields.back().name + pattern(edgeFields.back().site) + ")";
  body += "    output y = " + logits + "\n";
}

void ModelSmith::writeLoss() {
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

/// A score for pairs of vertices of the first type, and the loss.
void ModelSmith::writePairs() {
  edgeKinds.push_back({"links", 0, 0});
  const Site site = {Site::Into, 0, unsigned(edgeKinds.size() - 1)};
  const std::string loss = pick({"binary_cross_entropy", "mean_squared_error"});
  body += "  }\n  edge e: u -links-> v {\n    output score = " + bounded(expression({}, site, 3)) +
          " + u.x0 * v.x0\n    target t: real\n    loss " + loss + "(score, t)\n";
}

std::string ModelSmith::write() {
  writeSchema();
  isStack = newerLoops.chance(0.15);
  writeInputs();
  if (draw.chance(0.2))
    writeVertexParameter();
  if (draw.chance(0.2))
    writeState();
  for (int64_t i = 2 + draw.below(4); i > 0; --i) {
    if (numTypes > 1 && draw.chance(0.5))
      enter(draw.below(numTypes));
    if (isStack && newerLoops.chance(0.6))
      writeLayer();
    else if (draw.chance(0.3))
      writeEdgeField();
    else if (draw.chance(0.15))
      writeRepeat();
    else if (draw.chance(0.12))
      writeLayer();
    else
      writeVertexField();
  }
  writeOutput();
  if (hasPairs)
    writePairs();
  else
    writeLoss();
  std::string dims;
  for (const std::string &dim : dimNames)
    dims += (dims.empty() ? "" : ", ") + dim + ": dim = " + std::to_string(1 + draw.below(draw.chance(0.7) ? 17 : 5));
  if (hasTypes)
    dims += ", r: dim = " + std::to_string((hasInverses ? 2 : 1) * (1 + draw.below(4)));
  const std::string schema = graph.empty() ? "" : "  graph {\n" + graph + "  }\n";
  return imports + "model Smith(" + dims + ") {\n" + schema + params + layers + edgeBody + body + "  }\n}\n";
}

} // namespace gnnc::verify
