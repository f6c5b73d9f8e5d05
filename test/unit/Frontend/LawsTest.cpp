//===- LawsTest.cpp - The laws of the language ------------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One case for each law of docs/language.md: what it permits, as the checked model, and what it forbids, as the code of
// the error.
//
//===----------------------------------------------------------------------===//

#include "FrontendTesting.h"
#include <catch2/catch.hpp>

using namespace gnnc;
using namespace gnnc::testing;

namespace {

/// A layer `L` of one vertex body with `h: real[d]`, `W: real[d, k]`, `b: real[k]` and an edge input `weight`.
std::string program(const std::string &body, const std::string &result = "") {
  return "layer L(d: dim, k: dim) {\n  param W: real[d, k]\n  param b: real[k]\n  vertex v (h: real[d], edge weight: "
         "real) " +
         (result.empty() ? "" : "-> " + result) + " {\n" + body + "\n  }\n}\n";
}

/// The values of the model as printed, without the tables, parameters and inputs.
std::string values(const std::string &body) {
  std::string model = layerModel(program(body));
  size_t begin = model.find("%3 : E [] = input  // weight\n");
  INFO(model);
  REQUIRE(begin != std::string::npos);
  model = model.substr(model.find('\n', begin) + 1);
  return model.substr(0, model.find("  output"));
}

std::vector<std::string> codes(const std::string &body) {
  Outcome outcome = check(program(body));
  UNSCOPED_INFO(outcome.rendered);
  return outcome.codes;
}

using Codes = std::vector<std::string>;

size_t count(const std::string &text, const std::string &part) {
  size_t n = 0;
  for (size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1))
    ++n;
  return n;
}

} // namespace

TEST_CASE("law 1: names") {
  CHECK(values("return sum(u.h + h for u -> v)") == values("return sum(u.h + v.h for u -> v)"));
  CHECK(values("return sum(weight * u.h for u -> v)") == values("return sum(e.weight * u.h for e: u -> v)"));
  CHECK(codes("let W = h\nreturn h") == Codes{"E0102"});
  CHECK(codes("return sum(h.h for h -> v)") == Codes{"E0102"});
  CHECK(codes("return sum(v.h for v -> v)") == Codes{"E0404"});
  CHECK(codes("let v = h\nreturn v.h") == Codes{"E0102"});
  CHECK(codes("let in_degree = h\nreturn h") == Codes{"E0102"});
  CHECK(codes("return u") == Codes{"E0101"});
  CHECK(codes("return sum(weight * u for u -> v)") == Codes{"E0107"});
  CHECK(check("layer L(d: dim) { param v: real[d]\n vertex v (h: real[d]) -> real[d] { return h } }").codes ==
        Codes{"E0102"});
  CHECK(check("layer L(d: dim) { edge u -> v (u: real[d]) -> real { return 1 } }").codes == Codes{"E0102", "E0202"});
  // Binders are not keywords.
  CHECK(values("return sum(e.h for e -> v)") == values("return sum(u.h for u -> v)"));
}

TEST_CASE("law 2: versions") {
  // `old` captures the first version of z, the second sum reads the second.
  std::string text =
      values("let z = relu(h)\nlet old = u.z for u -> v\nz = exp(z)\nreturn sum(old) + sum(u.z for u -> v)");
  CHECK(count(text, "read_source") == 2);
  CHECK(count(text, "aggregate sum") == 2);
  // `repeat` is unrolled; lets are per iteration, and each iteration draws anew.
  text = values("repeat 3 {\n let m = dropout(sum(u.h for u -> v), 0.5)\n h = h + m\n }\nreturn h");
  CHECK(count(text, "aggregate sum") == 3);
  CHECK(text.find("site 3") != std::string::npos);
  CHECK(codes("repeat 2 { let m = h }\nreturn m") == Codes{"E0101"});
  CHECK(codes("h = h @ W\nreturn h") == Codes{"E0307"});
  CHECK(codes("repeat d { h = relu(h) }\nreturn h") == Codes{"E0408"});
  CHECK(codes("W = 2\nreturn h") == Codes{"E0108"});
}

TEST_CASE("law 3: edge sets") {
  CHECK(codes("let a = u.h for u -> v\nreturn sum(a for v -> w)") == Codes{"E0402"});
  CHECK(codes("let a = u.h for u -> v if u.in_degree > 2\nreturn sum(a for u -> v)") == Codes{"E0402"});
  CHECK(codes("let a = u.h for u -> v\nlet b2 = w.h for v -> w\nreturn sum(a + b2)") == Codes{"E0402"});
  CHECK(codes("let a = u.h for u -> v\nreturn sum(a for u -> v if u.in_degree > 2)").empty());
  // Another name for the same neighbour and the same condition make the same edge set.
  CHECK(codes("let a = u.h for u -> v if u.in_degree > 2\nreturn sum(a for x -> v if x.in_degree > 2 and weight > 0)")
            .empty());
  CHECK(codes("let a = u.h for u -> v\nlet s = a * h\nreturn sum(s)") == Codes{"E0203"});
  CHECK(values("return sum(softmax(weight for v -> w))").find("softmax %3 toward source") != std::string::npos);
  std::string text = values("return sum(softmax(weight for w -> v if weight > 0) * u.h for u -> v if weight > 0)");
  CHECK(count(text, "toward destination filtered") == 2);
  // The ends of an edge, in whatever order, are one vertex or two.
  text = values("return sum(u.h for u -> v if u != v)");
  CHECK(count(text, "vertex_id") == 1);
  CHECK(text.find("E [] bool = not_equal") != std::string::npos);
  CHECK(codes("let a = u.h for u -> v if u != v\nreturn sum(a for x -> v if v != x and weight > 0)").empty());
  CHECK(codes("let a = u.h for u -> v if u != v\nreturn sum(a for u -> v if u == v)") == Codes{"E0402"});
  CHECK(codes("return sum(select(w == v, 2, 1) * w.h for v -> w)").empty());
  CHECK(codes("return count(for u -> v if u < v) * h") == Codes{"E0107", "E0107"});
  CHECK(codes("return count(for u -> v if u == u) * h") == Codes{"E0107", "E0107"});
  CHECK(codes("return count(for e: u -> v if e == u) * h") == Codes{"E0107", "E0107"});
  CHECK(codes("return select(v == v, h, 0)") == Codes{"E0107", "E0107"});
  // The inputs of edges belong to every set, but alone to none.
  CHECK(codes("return sum(weight)") == Codes{"E0206"});
}

TEST_CASE("law 4: hops") {
  std::string text =
      values("let a = sum(u.h for u -> v)\nlet c = max(u.a for u -> v)\nreturn c + mean(w.h for v -> w)");
  CHECK(text.find("aggregate sum %4 toward destination  // a hops 1") != std::string::npos);
  CHECK(text.find("toward destination  // c hops 2") != std::string::npos);
  CHECK(text.find("toward source  // hops 1") != std::string::npos);
  CHECK(codes("return sum(u.w.h for u -> v)") == Codes{"E0403"});
  CHECK(codes("return u.h") == Codes{"E0401"});
  CHECK(codes("return sum(sum(u.h for w -> v) for u -> v)") == Codes{"E0401"});
  // An aggregation in a comprehension is a field of v.
  CHECK(codes("return sum(u.h / max(w.h for w -> v) for u -> v)").empty());
}

TEST_CASE("law 5: precedence") {
  CHECK(values("return v.in_degree * h @ W / 2") == values("return ((v.in_degree * h) @ W) / 2"));
  CHECK(values("return -h @ W") == values("return (-h) @ W"));
  CHECK(values("return sum(u.h for u -> v if not weight > 1 or weight < 0 and weight + 1 == 2)") ==
        values("return sum(u.h for u -> v if (not (weight > 1)) or ((weight < 0) and ((weight + 1) == 2)))"));
  CHECK(codes("return count(for u -> v if 0 < weight < 1)") == Codes{"E0003"});
}

TEST_CASE("law 6: shapes") {
  CHECK(codes("return h @ W + h") == Codes{"E0301"});
  CHECK(codes("return h @ W @ W") == Codes{"E0311"});
  CHECK(codes("return dot(h, b) * h") == Codes{"E0311"});
  CHECK(check("layer L(a: dim, b: dim) { vertex v (h: real[a * b]) -> real[b * a] { return h } }").codes.empty());
  CHECK(check("layer L(a: dim, b: dim) { vertex v (h: real[a]) -> real[b] { return h } }").codes == Codes{"E0303"});
  CHECK(check("layer L(a: dim, b: dim) where a == b { vertex v (h: real[a]) -> real[b] { return h } }").codes.empty());
  CHECK(
      check("layer L(a: dim) { param W: real[a, a]\n vertex v (h: real[a]) -> real[a] { return dot(W, h) } }").codes ==
      Codes{"E0302"});
  // A default that names another dimension makes no two names equal.
  const std::string pool =
      "layer L(in: dim, pool: dim = in) { param P: real[in, pool] vertex v (h: real[in]) -> real[in] ";
  CHECK(layerModel(pool + "{ return h + sum<pool>(P) } }").find("param P : [in, in]") != std::string::npos);
  CHECK(check(pool + "{ return h + sum<in>(P) } }").codes == Codes{"E0301"});
  CHECK(layerModel("layer L(in: dim, k: dim, pool: dim = 2 * in) where in == k { param P: real[k, pool] vertex v (h: "
                   "real[in]) -> "
                   "real[pool] { return h @ P } }")
            .find("param P : [k, 2 * k]") != std::string::npos);
  CHECK(check("layer L(in: dim, pool: dim = in) where in == pool { vertex v (h: real[in]) -> real[pool] { return h } }")
            .codes.empty());
  // In a model the dimension that `where` replaces is gone, with what was said of it.
  FrontendOptions equal = defaultOptions();
  equal.defines = {{"a", "4"}};
  Outcome outcome = check(
      "model M(a: dim, b: dim = 3) where a == b { vertex v { input x: real[a]; input y: real[b]; output z = x + y } }",
      equal);
  CHECK(outcome.model.find("dim a") == std::string::npos);
  CHECK(outcome.model.find("dim b fixed 4 default 3") != std::string::npos);
  CHECK(outcome.model.find("V [4] = add") != std::string::npos);
  equal.defines.push_back({"b", "5"});
  CHECK(check("model M(a: dim, b: dim) where a == b { vertex v { input x: real[a]; output z = x } }", equal).codes ==
        Codes{"E0308"});
  // -D makes no two names equal.
  FrontendOptions options = defaultOptions();
  options.layer = "L";
  options.defines = {{"a", "4"}, {"b", "4"}};
  CHECK(check("layer L(a: dim, b: dim) { vertex v (h: real[a]) -> real[b] { return h } }", options).codes ==
        Codes{"E0303"});
  // Inside a layer its own names count: arguments that are equal are not confused.
  CHECK(check("layer L(a: dim, b: dim) { param W: real[a, b]\n param c: real[b]\n vertex v (h: real[a]) -> real[b] { "
              "return h @ W + c } }\n"
              "model M(d: dim) { layer l = L(d, d)\n vertex v { input x: real[d]; output y = l(x) } }")
            .codes.empty());
}

TEST_CASE("law 7: reductions") {
  CHECK(values("return sum<d>(h) * h").find("reduce sum %2 dims [0]") != std::string::npos);
  CHECK(values("return maximum(h, 0)").find("maximum") != std::string::npos);
  CHECK(values("return softmax<d>(h)").find("reduce logsumexp %2 dims [0]") != std::string::npos);
  CHECK(codes("return sum(h)") == Codes{"E0206"});
  CHECK(codes("return sum<k>(h)") == Codes{"E0304"});
  CHECK(codes("return max(h, 0)") == Codes{"E0104"});
}

TEST_CASE("law 8: degrees") {
  CHECK(values("return v.in_degree * h").find("in_degree") != std::string::npos);
  CHECK(values("return sum(u.out_degree for u -> v)").find("out_degree") != std::string::npos);
  CHECK(values("return count(for u -> v if weight > 0)").find("aggregate count") != std::string::npos);
  CHECK(values("return mean(u.h for u -> v)").find("aggregate mean") != std::string::npos);
}

TEST_CASE("law 9: nothing there") {
  // Aggregations of what no edge changes have no meaning of their own; the rest is arithmetic of the aggregators.
  CHECK(codes("return sum(1 for u -> v) * h") == Codes{"E0208"});
  CHECK(codes("return sum(u.h for u -> v if d > 2)") == Codes{"E0208"});
}

TEST_CASE("law 10: randomness") {
  // Per edge in a comprehension, per vertex outside; sites in source order, also where nothing is drawn.
  std::string text =
      values("let none = dropout(h, 0)\nlet a = dropout(none, 0.5)\nreturn sum(dropout(u.a, 0.25) for u -> v)");
  CHECK(text.find("V [d] = dropout_mask site 2 p 0.5") != std::string::npos);
  CHECK(text.find("E [d] = dropout_mask site 3 p 0.25") != std::string::npos);
  CHECK(codes("return dropout(b, 0.5)") == Codes{"E0211"});
  CHECK(codes("return dropout(h, 1)") == Codes{"E0211"});
  CHECK(codes("return dropout(h, d)") == Codes{"E0209"});
}

TEST_CASE("law 11: ties") {
  // One argument of `max` gets the gradient: the reduction is kept as one value, so that its order decides.
  CHECK(count(values("return max(u.h for u -> v)"), "aggregate max") == 1);
}

TEST_CASE("law 17: options") {
  auto same = [](const std::string &body, const std::string &without) {
    INFO(body);
    CHECK(values(body) == values(without));
  };
  same("let y = 2 * h\nif 1 < 2 and not false { y = relu(y) } else { y = tanh(dropout(y, 0.5)) }\nreturn y",
       "let y = 2 * h\ny = relu(y)\nreturn y");
  same("if true != (2 >= 3) { let z = h + h return z }\nreturn tanh(h)", "let z = h + h return z");
  same("if false { h = tanh(h) } else if 1 == 1 { h = relu(h) } else { h = -h }\nreturn h", "h = relu(h)\nreturn h");
  same("let z = dropout(tanh(h), 0.5) if 0 > 1 else h\nreturn dropout(z, 0.5)", "let z = h\nreturn dropout(z, 0.5)");
  same("repeat 3 as i { if i == 1 { h = tanh(h) } }\nreturn h", "h = tanh(h)\nreturn h");
  // An `if` at whose condition a block begins is no filter.
  same("let s = weight for u -> v if true { s = 2 * s }\nreturn h * sum(s)",
       "let s = weight for u -> v s = 2 * s\nreturn h * sum(s)");
  same("return sum(u.h for u -> v if not false)", "return sum(u.h for u -> v)");
  // Constants fold in conditions of all kinds.
  same("return select(h > 0 and 2 > 1 or false, h, 0)", "return select(h > 0, h, 0)");
  same("return select(not (h > 0) == true, h, 0)", "return select(not (h > 0), h, 0)");

  // What is not taken is checked, each block once.
  CHECK(codes("if 2 > 1 { h = relu(h) } else { h = relu(hh) }\nreturn h") == Codes{"E0101"});
  CHECK(codes("if true { return h }\nreturn h @ h") == Codes{"E0204"});
  CHECK(codes("if true { if true { h = relu(h) } else { h = h @ W } }\nreturn h") == Codes{"E0307"});
  CHECK(codes("return h if true else h @ W").empty());
  CHECK(codes("return h if true else h + b") == Codes{"E0301"});
  CHECK(codes("if 1 > 2 { h = h / (1 - 1) }\nreturn h").empty()); // its constants are none then
  // A constant decides.
  CHECK(codes("if weight > 0 { h = relu(h) }\nreturn h") == Codes{"E0209"});
  CHECK(codes("if d > 2 { h = relu(h) }\nreturn h") == Codes{"E0209"});
  CHECK(codes("if 1 { h = relu(h) }\nreturn h") == Codes{"E0205"});
  CHECK(codes("return true + 1") == Codes{"E0201"});
  CHECK(codes("return dropout(h, false)") == Codes{"E0209"});
  CHECK(codes("return sum(u.h for u -> v if false)") == Codes{"E0208"});
  CHECK(codes("repeat 2 { if true { return h } }\nreturn h") == Codes{"E0007"});
  CHECK(codes("if true { let z = h }\nreturn z") == Codes{"E0101"});
  CHECK(codes("else { h = relu(h) }\nreturn h") == Codes{"E0003"});
}

TEST_CASE("sparse inputs") {
  auto sparse = [](const std::string &body) {
    Outcome outcome =
        check("model M(d: dim, k: dim) {\n  param W: real[d, k]\n  vertex v {\n    input x: sparse real[d]\n" + body +
              "\n  }\n}\n");
    UNSCOPED_INFO(outcome.rendered);
    return outcome;
  };
  CHECK(sparse("output y = dropout(x, 0.5) @ W").model.find("E(1) [] = dropout_mask site 1 p 0.5") !=
        std::string::npos);
  CHECK(sparse("output y = (v.in_degree * x) @ W").model.find("D(1) [] = read_destination") != std::string::npos);
  CHECK(sparse("output y = sum<d>(x / 2)").model.find("V [] = aggregate sum") != std::string::npos);
  CHECK(sparse("output y = -x @ W").codes.empty());
  CHECK(sparse("output y = x").codes == Codes{"E0202"});
  CHECK(sparse("output y = relu(x) @ W").codes == Codes{"E0210"});
  CHECK(sparse("output y = sum(u.x for u -> v)").codes == Codes{"E0210"});
  CHECK(sparse("output y = (x + 1) @ W").codes == Codes{"E0210"});
  // The hop count is that of the graph.
  CHECK(sparse("output y = x @ W").model.find("hops") == std::string::npos);
}

TEST_CASE("edge bodies") {
  std::string text = layerModel("layer L(d: dim) {\n  edge u -> v (h: real[d], edge w: real) -> real { return w * "
                                "dot(u.h, v.h) / sqrt(d) }\n}\n");
  CHECK(text.find("E [] = input  // w") != std::string::npos);
  CHECK(text.find("P [] = reduce sum") != std::string::npos); // sqrt(d): a sum of d ones
  CHECK(check("model M(d: dim) {\n  vertex v { input x: real[d] }\n  edge u -> v { output score = dot(u.x, v.x) }\n}\n")
            .codes.empty());
}

TEST_CASE("models") {
  auto model = [](const std::string &body) {
    Outcome outcome = check(
        "model M(d: dim) {\n  graph { self_loops; symmetric; inverse_relations }\n  train { optimizer sgd\n lr 0.5\n "
        "patience 3 }\n  vertex v {\n"
        "    input x: real[d] row_normalized\n" +
        body + "\n  }\n}\n");
    UNSCOPED_INFO(outcome.rendered);
    return outcome;
  };
  Outcome outcome = model("output y = x\ntarget t: real[d]\nloss mean_squared_error(y, t)");
  CHECK(outcome.model.find("self_loops symmetric inverse_relations") != std::string::npos);
  CHECK(outcome.model.find("input x : V [d] row_normalized") != std::string::npos);
  CHECK(outcome.model.find("loss mean_squared_error = %2 of y") != std::string::npos);
  CHECK(outcome.model.find("train sgd lr 0.5 weight_decay 0 epochs 200 patience 3") != std::string::npos);
  CHECK(model("output y = x\ntarget t: real[d]\nloss binary_cross_entropy(y, t)").codes.empty());
  outcome =
      model("output y = x\ntarget t: real[d]\nloss 0.5 * mean_squared_error(y, t) - binary_cross_entropy(x, t) / 4");
  CHECK(outcome.codes.empty());
  CHECK(outcome.model.find("loss mean_squared_error = %8 of y") != std::string::npos);
  CHECK(model("output y = x\ntarget t: real[d]\nloss mean<d>(x) * mean_squared_error(y, t)").codes == Codes{"E0207"});
  CHECK(model("output y = x\ntarget t: real[d]\nloss mean_squared_error(y, t) + 1").codes == Codes{"E0207"});
  CHECK(model("output y = x\noutput y").codes == Codes{"E0102"});
  CHECK(model("return x").codes == Codes{"E0007"});
  CHECK(model("output y = x\nlet z = cross_entropy(y, y)").codes == Codes{"E0207"});
  CHECK(model("output y = u.x for u -> v").codes == Codes{"E0202"});
}

TEST_CASE("functions") {
  CHECK(check("fn f(x: real[n], y: real[n]) = dot(x, y)\nlayer L(d: dim) { vertex v (h: real[d]) -> real { return f(h, "
              "h) } }")
            .codes.empty());
  CHECK(check("fn f(x: real[n], y: real[n]) = dot(x, y)\nlayer L(d: dim, k: dim) { param b: real[k]\n vertex v (h: "
              "real[d]) -> real { return f(h, b) } }")
            .codes == Codes{"E0303"});
  CHECK(check("fn f(x) = h\nlayer L(d: dim) { vertex v (h: real[d]) -> real[d] { return f(h) } }").codes ==
        Codes{"E0101"});
  CHECK(check("fn f(x) = g(x)\nfn g(x) = f(x)\nlayer L(d: dim) { vertex v (h: real[d]) -> real[d] { return f(h) } }")
            .codes == Codes{"E0106"});
  CHECK(check("fn sum(x) = x").codes == Codes{"E0102"});
  CHECK(check("layer L(d: dim) { layer l = L(d)\n vertex v (h: real[d]) -> real[d] { return l(h) } }").codes ==
        Codes{"E0106"});
}

TEST_CASE("the fans of an indexed parameter are those of its matrices") {
  auto model = [](const std::string &param, const std::string &value) {
    return check("model M(d: dim, n: dim) {\n  param W: real[" + param +
                 "]\n  vertex v { input x: real[d]; output y = " + value + " }\n}\n")
        .model;
  };
  CHECK(model("4, d, n", "sum(u.x @ W[e.type] for e: u -> v)").find("fan d, n") != std::string::npos);
  CHECK(model("4, d, n", "x @ W[2]").find("fan d, n") != std::string::npos);
  CHECK(model("d, 4, n", "x @ W").find("fan d, 4 * n") != std::string::npos); // one weight of several heads
  CHECK(model("4, d", "sum(u.x * W[e.type] for e: u -> v)").find("fan 4, d") != std::string::npos); // entries: vectors
}

TEST_CASE("weight decay is of layers, and of parameters of the model and its vertices") {
  auto decayed = [](const std::string &on, const std::string &graph = "", const std::string &type = "") {
    return check("import nn\nmodel M(d: dim) {\n" + graph +
                 "  param W: real[d, d]\n  layer l = Linear(d, d)\n  train { weight_decay 0.1 on " + on +
                 " }\n  vertex v" + type +
                 " { param z: real[d]; output y = l(z @ W); target t: real[d]; loss mean_squared_error(y, t) }\n}\n");
  };
  Outcome plain = decayed("l, W, z");
  INFO(plain.rendered << plain.model);
  CHECK(plain.codes.empty());
  CHECK(plain.model.find("weight_decay 0.1 on l, W, z") != std::string::npos);
  Outcome typed = decayed("z", "  graph { vertex A, B; edge A -r-> B }\n", ": B");
  INFO(typed.rendered << typed.model);
  CHECK(typed.model.find("weight_decay 0.1 on B.z") != std::string::npos);
  CHECK(decayed("x").codes == std::vector<std::string>{"E0109"});
}
