//===- ExprParser.cpp - Expressions -----------------------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Expressions, patterns and types.
//
//===----------------------------------------------------------------------===//

#include "compiler/Frontend/Parser/ExprParser.h"
#include "compiler/Frontend/ForeignSyntax.h"
#include "compiler/Frontend/Parser.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringSwitch.h"
#include <algorithm>
#include <cmath>
#include <cstdlib>

using namespace gnnc;
using namespace gnnc::ast;

/// type = [ "sparse" ] element [ "[" dim { "," dim } "]" ] [ "row_normalized" ]
/// element = "real" | "f32" | "f64" | "i32" | "i64" | "bool"
std::optional<TypeExpr> ExprParser::parseType() {
  TypeExpr type;
  type.range = token().range();
  type.sparse = consumeIf(TokenKind::kw_sparse);
  switch (token().kind) {
  case TokenKind::kw_real:
    type.element = ElementKind::Real;
    break;
  case TokenKind::kw_f32:
    type.element = ElementKind::F32;
    break;
  case TokenKind::kw_f64:
    type.element = ElementKind::F64;
    break;
  case TokenKind::kw_i32:
    type.element = ElementKind::I32;
    break;
  case TokenKind::kw_i64:
    type.element = ElementKind::I64;
    break;
  case TokenKind::kw_bool:
    type.element = ElementKind::Bool;
    break;
  default:
    std::optional<ForeignElement> meant = foreignElement(token().text);
    if (!meant || at(TokenKind::Error)) {
      unexpected("a type (`real`, `f32`, `f64`, `i32`, `i64` or `bool`)");
      return std::nullopt;
    }
    type.element = meant->element;
    foreign(token().range(), "there is no type `" + token().text + "`")
        .fix("`" + token().text + "` is `" + meant->spelling + "` here", token().range(), meant->spelling);
  }
  consume();
  if (at(TokenKind::LBracket)) {
    Token open = consume();
    llvm::SmallVector<Expr *> dims;
    if (!parseList(open, TokenKind::RBracket, [&] { return dims.emplace_back(parseExpr()) != nullptr; }))
      return std::nullopt;
    type.dims = state.arena.copy<Expr *>(dims);
  }
  type.rowNormalized = consumeIf(TokenKind::kw_row_normalized);
  type.range = rangeFrom(type.range);
  return type;
}

namespace {

struct Operator {
  BinaryOp op;
  unsigned precedence; // 1 binds weakest
};

/// or < and < comparisons < + - < @ * /
std::optional<Operator> binaryOperator(TokenKind kind) {
  switch (kind) {
  case TokenKind::kw_or:
    return Operator{BinaryOp::Or, 1};
  case TokenKind::kw_and:
    return Operator{BinaryOp::And, 2};
  case TokenKind::EqualEqual:
    return Operator{BinaryOp::Equal, 3};
  case TokenKind::NotEqual:
    return Operator{BinaryOp::NotEqual, 3};
  case TokenKind::Less:
    return Operator{BinaryOp::Less, 3};
  case TokenKind::LessEqual:
    return Operator{BinaryOp::LessEqual, 3};
  case TokenKind::Greater:
    return Operator{BinaryOp::Greater, 3};
  case TokenKind::GreaterEqual:
    return Operator{BinaryOp::GreaterEqual, 3};
  case TokenKind::Plus:
    return Operator{BinaryOp::Add, 4};
  case TokenKind::Minus:
    return Operator{BinaryOp::Sub, 4};
  case TokenKind::Star:
    return Operator{BinaryOp::Mul, 5};
  case TokenKind::Slash:
    return Operator{BinaryOp::Div, 5};
  case TokenKind::At:
    return Operator{BinaryOp::MatMul, 5};
  default:
    return std::nullopt;
  }
}

llvm::StringRef textOf(llvm::SMRange range) {
  return {range.Start.getPointer(), static_cast<size_t>(range.End.getPointer() - range.Start.getPointer())};
}

constexpr unsigned comparisonPrecedence = 3, additivePrecedence = 4;

} // namespace

bool gnnc::isElementKeyword(TokenKind kind) {
  return kind == TokenKind::kw_real || kind == TokenKind::kw_f32 || kind == TokenKind::kw_f64 ||
         kind == TokenKind::kw_i32 || kind == TokenKind::kw_i64 || kind == TokenKind::kw_bool;
}

bool gnnc::takesDims(llvm::StringRef callee) {
  return llvm::StringSwitch<bool>(callee)
      .Cases("sum", "mean", "max", "min", "softmax", "logsumexp", true)
      .Cases("var", "std", "prod", true)
      .Default(false);
}

/// Its condition ends before the first `{` or `else` outside of brackets, or before the next `if`.
IfRole gnnc::roleOfIf(llvm::function_ref<TokenKind(unsigned)> kindBehind) {
  constexpr unsigned maxLength = 1024; // of a condition, in tokens
  unsigned open = 0;
  for (unsigned i = 0; i < maxLength; ++i) {
    const TokenKind kind = kindBehind(i);
    if (startsItem(kind))
      return IfRole::Condition;
    switch (kind) {
    case TokenKind::LParen:
    case TokenKind::LBracket:
      ++open;
      break;
    case TokenKind::RParen:
    case TokenKind::RBracket:
      if (open == 0)
        return IfRole::Condition;
      --open;
      break;
    case TokenKind::LBrace:
      return IfRole::Statement;
    case TokenKind::kw_else:
      if (open == 0)
        return IfRole::Expression;
      break;
    case TokenKind::kw_if:
      if (open == 0)
        return IfRole::Condition;
      break;
    case TokenKind::RBrace:
    case TokenKind::Semicolon:
    case TokenKind::End:
      return IfRole::Condition;
    default:
      break;
    }
  }
  return IfRole::Condition;
}

IfRole ExprParser::roleOfIf() {
  return gnnc::roleOfIf([&](unsigned i) { return peek(i + 1).kind; });
}

llvm::StringRef ast::spelling(ComponentParam::Kind kind) {
  static constexpr llvm::StringLiteral spellings[] = {"dim", "int", "real", "bool", "layer", "aggregation", "fn"};
  return spellings[static_cast<unsigned>(kind)];
}

llvm::StringRef ast::spelling(BinaryOp op) {
  static constexpr llvm::StringLiteral spellings[] = {
      "+", "-", "*", "/", "@", "==", "!=", "<", "<=", ">", ">=", "and", "or"};
  return spellings[static_cast<unsigned>(op)];
}

bool ExprParser::tooDeep(llvm::SMRange range) {
  if (state.depth < maxDepth)
    return false;
  state.diagnostics
      .report(DiagnosticCode::E0005, range, "this nests more than " + llvm::Twine(maxDepth) + " levels deep")
      .help("give parts of it a name with `let`");
  return true;
}

/// Sets the depth of a new node. Trees are walked by recursion later, so chains (`a + b + ...`) count as depth too.
Expr *ExprParser::finish(Expr *expr, std::initializer_list<const Expr *> children) {
  for (const Expr *child : children)
    if (child)
      expr->depth = std::max(expr->depth, child->depth + 1);
  if (expr->depth <= maxDepth)
    return expr;
  state.diagnostics
      .report(DiagnosticCode::E0005, expr->range, "this expression has more than " + llvm::Twine(maxDepth) + " levels")
      .help("give parts of it a name with `let`");
  return nullptr;
}

/// value = expr [ "for" pattern [ "if" expr ] | "over" NAME "in" expr ]
/// `defined`: the name that a statement gives it.
Expr *ExprParser::parseValue(llvm::StringRef defined) {
  llvm::SMRange start = token().range();
  Expr *body = parseExpr();
  // `over` and `in` are no keywords: a dimension is often called `in`.
  bool isOver = at(TokenKind::Identifier) && token().text == "over" && peek(1).is(TokenKind::Identifier) &&
                peek(2).is(TokenKind::Identifier) && peek(2).text == "in";
  if (body && isOver) {
    consume();
    auto *over = create<OverExpr>(body->range);
    over->body = body;
    Token binder = consume();
    over->binder = {binder.text, binder.range()};
    consume();
    if (!(over->dim = parseBinary(additivePrecedence)))
      return nullptr;
    over->range = rangeFrom(start);
    return finish(over, {body, over->dim});
  }
  if (body && at(TokenKind::kw_if) && !token().startsLine && roleOfIf() != IfRole::Statement) {
    unexpected("an operator");
    return nullptr;
  }
  if (!body || at(TokenKind::Error)) // behind it stands what the lexer has reported
    return nullptr;
  if (!at(TokenKind::kw_for))
    return body;
  llvm::SMRange loop = consume().range();
  unsigned errorsBefore = state.diagnostics.numErrors();
  auto *comprehension = create<ComprehensionExpr>(body->range);
  comprehension->body = body;
  std::optional<Pattern> pattern = parsePattern(/*allowVertices=*/true);
  if (!pattern)
    return nullptr;
  comprehension->pattern = *pattern;
  if (!defined.empty() && at(TokenKind::LBrace)) { // `let m = 0`, and in the next line `for u -> v { m = m + u.h }`
    if (state.diagnostics.numErrors() == errorsBefore)
      foreign(rangeFrom(loop), "there are no loops over neighbours")
          .help("neighbours are aggregated: `let " + defined + " = sum(" +
                (pattern->isVertices ? "x" : pattern->source.text + ".h") + " for " + textOf(pattern->range) + ")`");
    skipBalanced();
    return nullptr;
  }
  if (at(TokenKind::kw_if) && roleOfIf() != IfRole::Statement && !(comprehension->filter = parseFilter()))
    return nullptr;
  comprehension->range = rangeFrom(start);
  return finish(comprehension, {body, comprehension->filter});
}

/// The condition of a comprehension, from its `if` on.
Expr *ExprParser::parseFilter() {
  consume();
  return parseExpr();
}

/// pattern = [ NAME ":" ] end ( "->" | "-" NAME "->" ) end
std::optional<Pattern> ExprParser::parsePattern(bool allowVertices) {
  Pattern pattern;
  pattern.range = token().range();
  if (!parsePatternStart(pattern))
    return std::nullopt;
  bool ends = at(TokenKind::RParen) || at(TokenKind::Comma) || at(TokenKind::kw_if) || at(TokenKind::LBrace);
  if (allowVertices && !pattern.edge && ends) {
    pattern.isVertices = true;
    pattern.range = rangeFrom(pattern.range);
    return pattern;
  }
  bool isBackward = at(TokenKind::Less) && peek(1).is(TokenKind::Minus);
  if (isBackward) {
    llvm::SMRange arrow = consume().range();
    arrow.End = consume().range().End;
    foreign(arrow, "edges are written in their direction")
        .help("`u -> v` is the edge from u to v, `v -> u` the one from v to u");
  } else if (at(TokenKind::Minus)) {
    if (!(pattern.relation = parseArrow()))
      return std::nullopt;
  } else if (token().text == "in" && (peek(1).is(TokenKind::Integer) || peek(1).text == "range")) {
    foreign(token().range(), "there are no loops over numbers").help(adviceOnStatement("for"));
    return std::nullopt;
  } else if (at(TokenKind::Identifier) && token().text == "in" && peek(1).is(TokenKind::Identifier)) {
    Token word = consume();
    bool isPlain = !peek(1).is(TokenKind::LParen) && !peek(1).is(TokenKind::Dot);
    llvm::StringRef source = pattern.source.text, target = isPlain ? token().text : "v";
    Diagnostic &wrong = foreign(word.range(), "neighbours are named by the edges to them");
    wrong.help("the edges into `" + target + "` are `" + source + " -> " + target + "`: `sum(" + source + ".h for " +
               source + " -> " + target + ")`");
    if (!isPlain)
      return std::nullopt;
  } else if (!expect(TokenKind::Arrow, "between the ends of an edge")) {
    return std::nullopt;
  }
  std::optional<Name> target = parseName("the destination vertex");
  if (!target)
    return std::nullopt;
  pattern.target = *target;
  if (consumeIf(TokenKind::Colon) && !(pattern.targetType = parseName("a vertex type")))
    return std::nullopt;
  if (isBackward) {
    std::swap(pattern.source, pattern.target);
    std::swap(pattern.sourceType, pattern.targetType);
  }
  pattern.range = rangeFrom(pattern.range);
  return pattern;
}

/// end = NAME [ ":" NAME ], after the edge's name. In `a: b ->` the one is an edge unless the other is a vertex type.
bool ExprParser::parsePatternStart(Pattern &pattern) {
  std::optional<Name> first = parseName("a vertex or an edge");
  if (!first)
    return false;
  pattern.source = *first;
  if (!consumeIf(TokenKind::Colon))
    return true;
  std::optional<Name> second = parseName("the source vertex");
  if (!second)
    return false;
  if (!at(TokenKind::Colon) && state.vertexTypes.contains(second->text)) {
    pattern.sourceType = second;
    return true;
  }
  pattern.edge = first;
  pattern.source = *second;
  return !consumeIf(TokenKind::Colon) || (pattern.sourceType = parseName("a vertex type"));
}

/// The relation in `-relation->`.
std::optional<Name> ExprParser::parseArrow() {
  consume();
  std::optional<Name> relation = parseName("a relation");
  return relation && expect(TokenKind::Arrow, "after a relation") ? relation : std::nullopt;
}

/// expr = operation [ "if" operation "else" expr ]
Expr *ExprParser::parseExpr() {
  if (tooDeep(token().range()))
    return nullptr;
  llvm::SMRange start = token().range();
  Expr *value = parseBinary(1);
  if (!value || !at(TokenKind::kw_if) || roleOfIf() != IfRole::Expression)
    return value;
  ++state.depth;
  auto leave = llvm::make_scope_exit([&] { --state.depth; });
  consume();
  Expr *condition = parseBinary(1);
  if (!condition || !expect(TokenKind::kw_else, "before the other value"))
    return nullptr;
  Expr *otherwise = parseExpr();
  if (!otherwise)
    return nullptr;
  auto *choice = create<IfExpr>(rangeFrom(start));
  choice->value = value;
  choice->condition = condition;
  choice->otherwise = otherwise;
  return finish(choice, {value, condition, otherwise});
}

/// operation = unary { OPERATOR unary }

Expr *ExprParser::parseBinary(unsigned minPrecedence) {
  if (tooDeep(token().range()))
    return nullptr;
  ++state.depth;
  llvm::SMRange start = token().range();
  Expr *lhs = parseUnary();
  while (lhs) {
    std::optional<Operator> op = binaryOperator(token().kind);
    if (!op || op->precedence < minPrecedence)
      break;
    Token opToken = consume();
    if (opToken.is(TokenKind::Star) && at(TokenKind::Star) && opToken.text.end() == token().text.begin()) {
      unexpected("an expression");
      consume();
    }
    Expr *rhs = parseBinary(op->precedence + 1);
    if (!rhs) {
      lhs = nullptr;
      break;
    }
    auto *binary = create<BinaryExpr>(rangeFrom(start));
    binary->op = op->op;
    binary->opRange = opToken.range();
    binary->lhs = lhs;
    binary->rhs = rhs;
    lhs = finish(binary, {binary->lhs, rhs});
    std::optional<Operator> next = binaryOperator(token().kind);
    if (lhs && op->precedence == comparisonPrecedence && next && next->precedence == comparisonPrecedence) {
      state.diagnostics.report(DiagnosticCode::E0003, token().range(), "comparisons cannot be chained")
          .help("join two comparisons with `and`");
      lhs = nullptr;
    }
  }
  --state.depth;
  return lhs;
}

/// unary = ( "-" | "not" ) unary | postfix
Expr *ExprParser::parseUnary() {
  if (!at(TokenKind::Minus) && !at(TokenKind::kw_not))
    return parsePostfix();
  if (tooDeep(token().range()))
    return nullptr;
  ++state.depth;
  Token op = consume();
  Expr *operand = op.is(TokenKind::Minus) ? parseUnary() : parseBinary(comparisonPrecedence);
  --state.depth;
  if (!operand)
    return nullptr;
  auto *unary = create<UnaryExpr>(rangeFrom(op.range()));
  unary->op = op.is(TokenKind::Minus) ? UnaryOp::Negate : UnaryOp::Not;
  unary->operand = operand;
  return finish(unary, {operand});
}

/// postfix = primary { "." NAME [ arguments ] | "[" ( expr | range { "," range } ) "]" }
Expr *ExprParser::parsePostfix() {
  llvm::SMRange start = token().range();
  Expr *expr = parsePrimary();
  while (expr && (at(TokenKind::Dot) || at(TokenKind::LBracket))) {
    if (at(TokenKind::Dot)) {
      expr = parseMember(expr, start);
      continue;
    }
    Token open = consume();
    Expr *index = at(TokenKind::Colon) ? nullptr : parseExpr();
    if (at(TokenKind::Colon)) {
      expr = parseSlice(expr, index, open, start);
      continue;
    }
    if (index && at(TokenKind::Comma)) {
      unexpected("`]`");
      return nullptr;
    }
    if (!index || !expectClose(TokenKind::RBracket, open))
      return nullptr;
    const auto *name = llvm::dyn_cast<NameExpr>(expr);
    if (name && at(TokenKind::LParen) && !token().startsLine)
      return parseListedLayer(name->name, start);
    auto *access = create<IndexExpr>(rangeFrom(start));
    access->base = expr;
    access->index = index;
    expr = finish(access, {expr, index});
  }
  return expr;
}

/// range = [ expr ] ":" [ expr ]
/// Parses the ranges of `base[...]`. The current token is the first colon; `first` is the bound before it, or null.
Expr *ExprParser::parseSlice(Expr *base, Expr *first, const Token &open, llvm::SMRange start) {
  auto *slice = create<SliceExpr>(start);
  slice->base = base;
  slice->depth = base->depth + 1;
  llvm::SmallVector<SliceExpr::Range> ranges;
  auto parseBound = [&](Expr *&bound) {
    if (!(bound = parseExpr()))
      return false;
    slice->depth = std::max(slice->depth, bound->depth + 1);
    return true;
  };
  auto parseRange = [&] {
    SliceExpr::Range &range = ranges.emplace_back();
    const bool isFirst = ranges.size() == 1;
    range.range = isFirst && first ? first->range : token().range();
    range.begin = isFirst ? first : nullptr;
    if (!at(TokenKind::Colon) && !parseBound(range.begin))
      return false;
    if (!consumeIf(TokenKind::Colon)) {
      unexpected("`:`");
      return false;
    }
    const bool isOpen = at(TokenKind::RBracket) || at(TokenKind::Comma);
    if (!isOpen && !parseBound(range.end))
      return false;
    range.range = rangeFrom(range.range);
    return true;
  };
  if (!parseList(open, TokenKind::RBracket, parseRange))
    return nullptr;
  slice->ranges = state.arena.copy<SliceExpr::Range>(ranges);
  slice->range = rangeFrom(start);
  return finish(slice, {base, first});
}

/// `convs[0](h)`, from the arguments on: reported once for each list.
Expr *ExprParser::parseListedLayer(const Name &list, llvm::SMRange start) {
  if (!parseCall(list))
    return nullptr;
  if (state.layerLists.insert(list.text).second)
    foreign(rangeFrom(start), "there are no lists of layers")
        .help("a layer is applied by its name: `" + list.text + "0(h)`, declared as `layer " + list.text + "0 = ...`");
  return create<ErrorExpr>(rangeFrom(start));
}

/// `.field`, `.in_degree(e.type)`
Expr *ExprParser::parseMember(Expr *base, llvm::SMRange start) {
  consume();
  std::optional<Name> member = parseName("a field");
  if (!member)
    return nullptr;
  if (at(TokenKind::LParen))
    return parseCall(*member, base);
  auto *access = create<MemberExpr>(rangeFrom(start));
  access->base = base;
  access->member = *member;
  return finish(access, {base});
}

/// "[" expr { "," expr } "]"
Expr *ExprParser::parseListOfFunctions() {
  Token open = consume();
  auto *list = create<ListExpr>(open.range());
  llvm::SmallVector<Expr *> items;
  if (!parseList(open, TokenKind::RBracket, [&] { return items.emplace_back(parseExpr()) != nullptr; }))
    return nullptr;
  list->items = state.arena.copy<Expr *>(items);
  list->range = rangeFrom(list->range);
  for (const Expr *item : items)
    list->depth = std::max(list->depth, item->depth + 1);
  return finish(list, {});
}

/// primary = NUMBER | "true" | "false" | NAME | call | "(" expr ")" | list
Expr *ExprParser::parsePrimary() {
  if (at(TokenKind::Integer) || at(TokenKind::Float))
    return parseNumber();
  if (at(TokenKind::LParen)) {
    Token open = consume();
    Expr *inner = parseExpr();
    if (!inner || !expectClose(TokenKind::RParen, open))
      return nullptr;
    inner->parenthesized = true;
    return inner;
  }
  if (at(TokenKind::LBracket))
    return parseListOfFunctions();
  if (at(TokenKind::Dot) && peek(1).is(TokenKind::Integer)) {
    llvm::SMRange point = consume().range();
    std::string number = "0." + token().text.str();
    state.diagnostics.report(DiagnosticCode::E0002, {point.Start, token().range().End}, "a number begins with a digit")
        .at("no digit before the point")
        .fix("write `" + number + "`", point, "0.");
    auto *expr = create<NumberExpr>({point.Start, consume().range().End});
    expr->value = std::strtod(number.c_str(), nullptr);
    return expr;
  }
  if (at(TokenKind::kw_true) || at(TokenKind::kw_false)) {
    Token word = consume();
    auto *truth = create<TruthExpr>(word.range());
    truth->value = word.is(TokenKind::kw_true);
    return truth;
  }
  bool isCast = isElementKeyword(token().kind) && peek(1).is(TokenKind::LParen);
  if (!at(TokenKind::Identifier) && !isCast) {
    unexpected("an expression");
    return nullptr;
  }
  Token word = consume();
  Name name{word.text, word.range()};
  if (at(TokenKind::LParen) || (at(TokenKind::Less) && takesDims(name.text)))
    return parseCall(name);
  auto *reference = create<NameExpr>(name.range);
  reference->name = name;
  return reference;
}

Expr *ExprParser::parseNumber() {
  Token number = consume();
  auto *expr = create<NumberExpr>(number.range());
  llvm::SmallString<32> text(number.text);
  expr->value = std::strtod(text.c_str(), nullptr);
  int64_t integer;
  if (number.is(TokenKind::Integer) && !number.text.getAsInteger(10, integer))
    expr->integer = integer;
  if (std::isfinite(expr->value))
    return expr;
  state.diagnostics.report(DiagnosticCode::E0002, number.range(), "this number is too large")
      .at("no float type holds it");
  return nullptr;
}

/// call = NAME [ "<" dim { "," dim } ">" ] "(" [ argument { "," argument } ] ")"
Expr *ExprParser::parseCall(Name callee, Expr *receiver) {
  llvm::SMRange start = receiver ? receiver->range : callee.range;
  auto *call = create<CallExpr>(start);
  call->callee = callee;
  call->receiver = receiver;
  if (at(TokenKind::Less)) {
    Token open = consume();
    llvm::SmallVector<Expr *> dims;
    auto dim = [&] { return dims.emplace_back(parseBinary(additivePrecedence)) != nullptr; };
    if (!parseList(open, TokenKind::Greater, dim))
      return nullptr;
    call->dims = state.arena.copy<Expr *>(dims);
  }
  if (!at(TokenKind::LParen)) {
    unexpected("`(`");
    return nullptr;
  }
  Token open = consume();
  llvm::SmallVector<Argument, 0> args;
  if (!parseList(open, TokenKind::RParen, [&] { return parseArgument(args); }))
    return nullptr;
  call->args = state.arena.copy<Argument>(args);
  call->range = rangeFrom(start);
  for (const Argument &arg : args)
    call->depth = std::max(call->depth, arg.value->depth + 1);
  for (const Expr *dim : call->dims)
    call->depth = std::max(call->depth, dim->depth + 1);
  return finish(call, {receiver});
}

/// `given(a)`, as the `?` behind the type of an input means it.
Expr *ExprParser::createGiven(const Name &input, llvm::SMRange range) {
  auto *name = create<NameExpr>(range);
  name->name = input;
  auto *call = create<CallExpr>(range);
  call->callee = {"given", range};
  const Argument argument{std::nullopt, name};
  call->args = state.arena.copy<Argument>(argument);
  return call;
}

/// argument = [ NAME "=" ] value | "for" pattern [ "if" expr ]
bool ExprParser::parseArgument(llvm::SmallVectorImpl<Argument> &args) {
  Argument &arg = args.emplace_back();
  if (at(TokenKind::Identifier) && peek(1).is(TokenKind::Equal)) {
    Token label = consume();
    arg.label = Name{label.text, label.range()};
    consume();
  }
  if (!at(TokenKind::kw_for))
    return (arg.value = parseValue()) != nullptr;
  // `count(for u -> v)`: a comprehension without a body.
  auto *comprehension = create<ComprehensionExpr>(token().range());
  consume();
  std::optional<Pattern> pattern = parsePattern(/*allowVertices=*/true);
  if (!pattern || (consumeIf(TokenKind::kw_if) && !(comprehension->filter = parseExpr())))
    return false;
  comprehension->pattern = *pattern;
  comprehension->range = rangeFrom(comprehension->range);
  arg.value = finish(comprehension, {comprehension->filter});
  return arg.value != nullptr;
}
