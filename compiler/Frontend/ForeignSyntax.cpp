//===- ForeignSyntax.cpp - What other languages write ---------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/Frontend/ForeignSyntax.h"
#include "compiler/Frontend/Sema/Wording.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"

using namespace gnnc;
using llvm::StringSwitch;

static constexpr char powers[] = "a power is `pow(x, 2)`";
static constexpr char choice[] = "`select(condition, a, b)` is `a` where the condition holds, else `b`";
static constexpr char repetition[] = "`repeat` is a statement of a body: `repeat 3 { h = step(h) }`";
static constexpr char functions[] = "functions stand outside of models: `fn f(x) = x * x`";
static constexpr char joined[] = "`concat(a, b)` joins values along their last dimension";
static constexpr char neighbours[] = "neighbours are aggregated: `sum(u.h for u -> v)`";

//===----------------------------------------------------------------------===//
// Syntax
//===----------------------------------------------------------------------===//

/// Where an expression should begin, or has ended.
static std::string adviceOnExpression(const Token &found) {
  // The token before, on whose last character `**` ends: an operator with an operand before it.
  if (found.text == "*" && found.text.data()[-1] == '*')
    return powers;
  return StringSwitch<std::string>(found.text)
      .Cases("if", "else", "where", choice)
      .Cases("while", "repeat", repetition)
      .Case("lambda", functions)
      .Case("[", joined)
      .Case("dim", "dimensions stand in angle brackets: `sum<d>(x)`")
      .Case("{", "braces hold statements; parentheses group: `(a + b) * c`")
      .Default("");
}

std::string gnnc::adviceOn(const Token &found, llvm::StringRef expected) {
  const llvm::StringRef text = found.text;
  if (expected == "an expression" || expected == "an operator")
    return adviceOnExpression(found);
  if (expected == "a statement")
    return StringSwitch<std::string>(text)
        .Case("else", "`else` stands behind the block of an `if`: `if c { ... } else { ... }`")
        .Cases("import", "fn", "it stands outside of layers and models")
        .Cases("graph", "train", "schedule", "it stands beside the bodies")
        .Default("a statement is `let name = ...`, or `name = ...` for a new version of what a `let` defined");
  if (expected.starts_with("`param`"))
    return StringSwitch<std::string>(text)
        .Cases("def", "fn", "function", "forward", "a model says what a vertex computes in a body: `vertex v { ... }`")
        .Case("import", "`import` stands at the beginning of a file")
        .Default("an item is `param W: real[in, out]`, `layer conv = GCNConv(in, out)` or a body `vertex v { ... }`");
  if (expected == "`]`")
    return StringSwitch<std::string>(text)
        .Case(",", "`x[0]` is one entry of the first dimension; several dimensions take ranges: `x[0:1, a:b]`")
        .Case(":", "a range takes all entries between its ends: `x[a:b]`")
        .Default("");
  if (expected == "`:`")
    return "beside a range every dimension has one: `x[:, 0:1]` has the first column alone";
  if (expected == "`)`")
    return StringSwitch<std::string>(text)
        .Case(",", joined)
        .Case("->", "a vertex sees its own neighbours: `let m = sum(u.h for u -> v)`, then `sum(u.m for u -> v)`")
        .Case("if", choice)
        .Case("=", "`==` compares")
        .Default("");
  if (expected == "an initialiser")
    return "an initialiser is a word: `zeros`, `glorot_uniform`, `constant(0.5)`";
  if (expected.starts_with("`import`")) {
    if (std::string keyword = suggest(text, {"import", "layer", "model", "fn"}); !keyword.empty())
      return keyword;
    return StringSwitch<std::string>(text)
        .Case("class", "`model GCN(in: dim, classes: dim) { ... }`")
        .Cases("def", "function", "func", functions)
        .Case("}", "this brace closes nothing")
        .Default("a file consists of imports, layers, models and functions: `model M(d: dim) { ... }`");
  }
  if (expected.starts_with("`->`") && text == "in")
    return "the edges into v are `u -> v`: `sum(u.h for u -> v)`";
  if (expected.starts_with("a type") && text == "[")
    return "the element type stands before the dimensions: `W: real[in, out]`";
  if (expected == "a name for the vertex" && text == "{")
    return "a body names its vertex: `vertex v { ... }`";
  if (expected.starts_with("a name") && (text == "int" || text == "float" || text == "real" || text == "bool"))
    return "the type stands behind the name: `x: real[d]`, `n: i32`";
  return "";
}

std::string gnnc::adviceOnStatement(llvm::StringRef word) {
  return StringSwitch<std::string>(word)
      .Cases("while", "loop", "for", repetition)
      .Case("elif", "`if c { ... } else if d { ... }`, where `c` and `d` are constants")
      .Case("switch", choice)
      .Cases("def", "lambda", functions)
      .Default("");
}

const ForeignSign *gnnc::foreignSign(llvm::StringRef rest) {
  static constexpr ForeignSign signs[] = {
      {"&&", TokenKind::kw_and, "conditions are joined by `and`"},
      {"&", TokenKind::kw_and, "conditions are joined by `and`"},
      {"||", TokenKind::kw_or, "conditions are joined by `or`"},
      {"|", TokenKind::kw_or, "conditions are joined by `or`"},
      {"!", TokenKind::kw_not, "the opposite of a condition is `not c`"},
      {"~", TokenKind::kw_not, "the opposite of a condition is `not c`"},
      {"^", TokenKind::Star, "a power is `pow(x, 2)`"},
      {"%", TokenKind::Slash, "there is no remainder; what repeats is an input of its own"},
      {"?", TokenKind::Error, "`select(condition, a, b)` is `a` where the condition holds, else `b`"},
      {"$", TokenKind::Error, "names consist of letters a-z, digits and `_`"},
      {"\\", TokenKind::Error, "an expression goes on in the next line by itself"},
      {"\xe2\x86\x92", TokenKind::Arrow, "an arrow is `->`"},                                       // →
      {"\xe2\x87\x92", TokenKind::Arrow, "an arrow is `->`"},                                       // ⇒
      {"\xc3\x97", TokenKind::Star, "a product is `a * b`, that with a matrix `x @ W`"},            // ×
      {"\xc2\xb7", TokenKind::Star, "a product is `a * b`, that with a matrix `x @ W`"},            // ·
      {"\xe2\x8b\x85", TokenKind::Star, "a product is `a * b`, that with a matrix `x @ W`"},        // ⋅
      {"\xe2\x8a\x99", TokenKind::Star, "the elementwise product is `a * b`"},                      // ⊙
      {"\xe2\x88\x92", TokenKind::Minus, "a minus is `-`"},                                         // −
      {"\xe2\x80\x93", TokenKind::Minus, "a minus is `-`"},                                         // –
      {"\xe2\x89\xa4", TokenKind::LessEqual, "`<=`"},                                               // ≤
      {"\xe2\x89\xa5", TokenKind::GreaterEqual, "`>=`"},                                            // ≥
      {"\xe2\x89\xa0", TokenKind::NotEqual, "`!=`"},                                                // ≠
      {"\xe2\x88\xa5", TokenKind::Error, "`concat(a, b)` joins values along their last dimension"}, // ∥
      {"\xe2\x88\x91", TokenKind::Error, "neighbours are aggregated: `sum(u.h for u -> v)`"},       // ∑
      {"\xc2\xb2", TokenKind::Error, "a power is `pow(x, 2)`"},                                     // ²
  };
  for (const ForeignSign &sign : signs)
    if (rest.starts_with(sign.text))
      return &sign;
  return nullptr;
}

std::string gnnc::inAscii(llvm::StringRef name) {
  static constexpr std::pair<llvm::StringLiteral, llvm::StringLiteral> greek[] = {
      {"\xce\xb1", "alpha"},   {"\xce\xb2", "beta"},  {"\xce\xb3", "gamma"}, {"\xce\xb4", "delta"},
      {"\xce\xb5", "epsilon"}, {"\xce\xb7", "eta"},   {"\xce\xb8", "theta"}, {"\xce\xbb", "lambda"},
      {"\xce\xbc", "mu"},      {"\xce\xbd", "nu"},    {"\xcf\x80", "pi"},    {"\xcf\x81", "rho"},
      {"\xcf\x83", "sigma"},   {"\xcf\x84", "tau"},   {"\xcf\x86", "phi"},   {"\xcf\x88", "psi"},
      {"\xcf\x89", "omega"},   {"\xce\x94", "Delta"}, {"\xce\xa3", "Sigma"},
  };
  std::string text;
  while (!name.empty()) {
    const auto *letter = llvm::find_if(greek, [&](const auto &entry) { return name.starts_with(entry.first); });
    if (letter != std::end(greek))
      text += letter->second;
    else if (llvm::isAlnum(name.front()) || name.front() == '_')
      text += name.front();
    else
      return "";
    name = name.drop_front(letter != std::end(greek) ? letter->first.size() : 1);
  }
  return text;
}

std::optional<ForeignElement> gnnc::foreignElement(llvm::StringRef word) {
  constexpr ForeignElement real{ElementKind::Real, "real"}, i32{ElementKind::I32, "i32"}, i64{ElementKind::I64, "i64"};
  return StringSwitch<std::optional<ForeignElement>>(word)
      .Cases("float", "Float", "number", "Tensor", "tensor", "Real", real)
      .Cases("vector", "matrix", "half", "float16", "bfloat16", real)
      .Cases("float32", "FloatTensor", ForeignElement{ElementKind::F32, "f32"})
      .Cases("double", "float64", ForeignElement{ElementKind::F64, "f64"})
      .Cases("int", "integer", "int32", "Int", "uint", "int8", "byte", i32)
      .Cases("long", "int64", "LongTensor", "Long", i64)
      .Cases("boolean", "Bool", ForeignElement{ElementKind::Bool, "bool"})
      .Default(std::nullopt);
}

//===----------------------------------------------------------------------===//
// Names
//===----------------------------------------------------------------------===//

std::string gnnc::adviceOnFunction(llvm::StringRef name) {
  std::string lower = name.lower();
  return StringSwitch<std::string>(lower)
      .Cases("cat", "concatenate", "hstack", "stack", "append", joined)
      .Cases("matmul", "mm", "bmm", "spmm", "einsum", "the product with a parameter is `x @ W`")
      .Cases("mul", "multiply", "elementwise products are `a * b`")
      .Case("add", "sums of two values are `a + b`")
      .Cases("clamp", "clip", "bounds are `minimum(maximum(x, a), b)`")
      .Cases("where", "ifelse", "cond", choice)
      .Cases("log_softmax", "logsoftmax", "`cross_entropy` takes logits, and does it itself")
      .Cases("swish", "selu", "prelu", "mish", "activations are `relu leaky_relu elu gelu silu softplus tanh sigmoid`")
      .Cases("global_mean_pool", "global_add_pool", "global_max_pool", "readout", "pool",
             "`mean(x for v)` is over all vertices; of each of several graphs `mean(a.h for a -of-> m)`")
      .Cases("scatter", "scatter_add", "scatter_mean", "propagate", "message", "aggregate", "neighbors", "neighbours",
             neighbours)
      .Cases("segment_sum", "update_all", "spdot", neighbours)
      .Cases("norm", "normalize", "the length of a vector is `sqrt(dot(h, h))`")
      .Cases("batch_norm", "batchnorm", "batchnorm1d", "`layer norm = BatchNorm(d)` beside the bodies, then `norm(h)`")
      .Cases("layer_norm", "layernorm", "`layer norm = LayerNorm(d)` beside the bodies, then `norm(h)`")
      .Case("linear", "`layer encode = Linear(in, out)` beside the bodies, then `encode(x)`; or `x @ W`")
      .Case("ginepsconv", "`GINConv(in, out, MLP(in, hidden, out), train_eps = true)` learns its eps")
      .Case("embedding", "a parameter in a vertex body has a row for each vertex: `param z: real[d] = normal(1)`")
      .Cases("degree", "deg", "a vertex has the fields `v.in_degree` and `v.out_degree`")
      .Cases("view", "squeeze", "unsqueeze",
             "`flatten(x)` joins dimensions, `reshape(x, a, b)` parts them; elsewhere dimensions align by name")
      .Cases("t", "permute", "`transpose(x)` exchanges two dimensions; elementwise, dimensions align by name")
      .Cases("outer", "einsum", "`outer_product(a, b)` multiplies every element of a by every one of b")
      .Cases("bmm", "matmul", "mm", "`x @ W` multiplies by a parameter, or by a matrix of each vertex or edge")
      .Case("square", powers)
      .Cases("argmax", "topk", "outputs are logits; `gnn-train predict` names the greatest")
      .Cases("nll_loss", "nll", "crossentropyloss", "crossentropy", "ce", "`loss cross_entropy(logits, label)`")
      .Cases("bce_loss", "bceloss", "bce", "bcewithlogitsloss", "binary_cross_entropy_with_logits",
             "`loss binary_cross_entropy(logit, y)`")
      .Cases("mse_loss", "mseloss", "mse", "l2_loss", "`loss mean_squared_error(y1, y2)`")
      .Cases("zeros", "ones", "zeros_like", "ones_like", "a constant is a number: `0`, `1`")
      .Cases("len", "size", "shape", "a dimension is a number: `sqrt(d)`; `count(for v)` is the number of vertices")
      .Case("print", "nothing is printed; `output h = ...` in a model gives it out")
      .Default("");
}

llvm::StringRef gnnc::parameterMeant(llvm::StringRef name) {
  return StringSwitch<llvm::StringRef>(name)
      .Cases("in_channels", "in_feats", "in_features", "in_dim", "in_size", "input_dim", "in")
      .Cases("out_channels", "out_feats", "out_features", "out_dim", "out_size", "output_dim", "out")
      .Cases("hidden_channels", "hidden_feats", "hidden_dim", "hidden_size", "hidden")
      .Cases("num_heads", "n_heads", "heads")
      .Case("negative_slope", "slope")
      .Cases("dropout", "feat_drop", "attn_drop")
      .Cases("K", "num_layers", "k", "steps")
      .Case("num_relations", "relations")
      .Default("");
}

std::string gnnc::adviceOnName(llvm::StringRef name) {
  return StringSwitch<std::string>(name)
      .Cases("True", "False",
             "the constants are `true` and `false`; a condition is a comparison, such as `v.in_degree > 0`")
      .Cases("None", "null", "nil", "there is no empty value")
      .Cases("edge_index", "adj", "edges", "edge_attr", "the edges come with the graph: `sum(u.h for u -> v)`")
      .Cases("pi", "inf", "nan", "write the number")
      .Case("edge_weight", "a field of edges is declared: `edge weight: real` among a layer's inputs")
      .Default("");
}

llvm::StringRef gnnc::blockOfSetting(llvm::StringRef name) {
  return StringSwitch<llvm::StringRef>(name)
      .Cases("self_loops", "symmetric", "inverse_relations", "graph")
      .Cases("optimizer", "lr", "weight_decay", "epochs", "patience", "train")
      .Default("");
}

llvm::StringRef gnnc::settingMeant(llvm::StringRef name) {
  return StringSwitch<llvm::StringRef>(name)
      .Cases("learning_rate", "rate", "lr0", "`lr 0.01`")
      .Cases("l2", "decay", "regularization", "weightdecay", "`weight_decay 5e-4`")
      .Cases("num_epochs", "epoch", "iterations", "max_epochs", "`epochs 200`")
      .Case("early_stopping", "`patience 10`")
      .Cases("optim", "optimiser", "`optimizer adam`")
      .Cases("batch", "batch_size", "fanout", "how a graph is sampled is said to `gnn-train --batch`")
      .Cases("undirected", "to_undirected", "bidirected", "`symmetric` adds the reverse edges that are missing")
      .Cases("add_self_loops", "loops", "self_loop", "`self_loops` adds the self loops that are missing")
      .Cases("reverse", "inverse", "add_inverse", "`inverse_relations` adds an edge of another type against every edge")
      .Default("");
}
