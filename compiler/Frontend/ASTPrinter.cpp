//===- ASTPrinter.cpp - Prints the syntax tree ------------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The tree as a program with every operation in parentheses: what `--emit=ast` shows. It parses to the same tree.
//
//===----------------------------------------------------------------------===//

#include "compiler/Frontend/AST.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Casting.h"
#include "llvm/Support/Format.h"

using namespace gnnc;
using namespace gnnc::ast;

namespace {

struct Printer {
  llvm::raw_ostream &os;

  void pattern(const Pattern &p) {
    if (p.edge)
      os << p.edge->text << ": ";
    end(p.source, p.sourceType);
    if (p.isVertices)
      return;
    os << ' ';
    arrow(p.relation);
    os << ' ';
    end(p.target, p.targetType);
  }

  void end(const Name &vertex, const std::optional<Name> &type) {
    os << vertex.text;
    if (type)
      os << ": " << type->text;
  }

  void arrow(const std::optional<Name> &relation) {
    if (relation)
      os << '-' << relation->text;
    os << "->";
  }

  void comprehension(const ComprehensionExpr &expr) {
    if (expr.body) {
      print(*expr.body);
      os << ' ';
    }
    os << "for ";
    pattern(expr.pattern);
    if (expr.filter) {
      os << " if ";
      print(*expr.filter);
    }
  }

  void arguments(llvm::ArrayRef<Argument> args) {
    os << '(';
    llvm::interleaveComma(args, os, [&](const Argument &arg) {
      if (arg.label)
        os << arg.label->text << " = ";
      print(*arg.value);
    });
    os << ')';
  }

  void print(const Expr &expr) {
    switch (expr.kind) {
    case Expr::Kind::Error:
      os << "<error>";
      break;
    case Expr::Kind::Number:
      os << llvm::StringRef(expr.range.Start.getPointer(), expr.range.End.getPointer() - expr.range.Start.getPointer());
      break;
    case Expr::Kind::Truth:
      os << (llvm::cast<TruthExpr>(expr).value ? "true" : "false");
      break;
    case Expr::Kind::Name:
      os << llvm::cast<NameExpr>(expr).name.text;
      break;
    case Expr::Kind::Member: {
      const auto &member = llvm::cast<MemberExpr>(expr);
      print(*member.base);
      os << '.' << member.member.text;
      break;
    }
    case Expr::Kind::Index: {
      const auto &access = llvm::cast<IndexExpr>(expr);
      print(*access.base);
      os << '[';
      print(*access.index);
      os << ']';
      break;
    }
    case Expr::Kind::Slice: {
      const auto &slice = llvm::cast<SliceExpr>(expr);
      print(*slice.base);
      os << '[';
      llvm::interleaveComma(slice.ranges, os, [&](const SliceExpr::Range &range) {
        if (range.begin)
          print(*range.begin);
        os << ':';
        if (range.end)
          print(*range.end);
      });
      os << ']';
      break;
    }
    case Expr::Kind::List:
      os << '[';
      llvm::interleaveComma(llvm::cast<ListExpr>(expr).items, os, [&](const Expr *item) { print(*item); });
      os << ']';
      break;
    case Expr::Kind::Over: {
      const auto &over = llvm::cast<OverExpr>(expr);
      print(*over.body);
      os << " over " << over.binder.text << " in ";
      print(*over.dim);
      break;
    }
    case Expr::Kind::Call: {
      const auto &call = llvm::cast<CallExpr>(expr);
      if (call.receiver) {
        print(*call.receiver);
        os << '.';
      }
      os << call.callee.text;
      if (!call.dims.empty()) {
        os << '<';
        llvm::interleaveComma(call.dims, os, [&](const Expr *dim) { print(*dim); });
        os << '>';
      }
      arguments(call.args);
      break;
    }
    case Expr::Kind::Unary: {
      const auto &unary = llvm::cast<UnaryExpr>(expr);
      os << (unary.op == UnaryOp::Not ? "(not " : "(-");
      print(*unary.operand);
      os << ')';
      break;
    }
    case Expr::Kind::Binary: {
      const auto &binary = llvm::cast<BinaryExpr>(expr);
      os << '(';
      print(*binary.lhs);
      os << ' ' << spelling(binary.op) << ' ';
      print(*binary.rhs);
      os << ')';
      break;
    }
    case Expr::Kind::If: {
      const auto &choice = llvm::cast<IfExpr>(expr);
      os << '(';
      print(*choice.value);
      os << " if ";
      print(*choice.condition);
      os << " else ";
      print(*choice.otherwise);
      os << ')';
      break;
    }
    case Expr::Kind::Comprehension:
      comprehension(llvm::cast<ComprehensionExpr>(expr));
      break;
    }
  }

  void type(const TypeExpr &t) {
    static constexpr llvm::StringLiteral elements[] = {"real", "f32", "f64", "i32", "i64", "bool"};
    os << (t.sparse ? "sparse " : "") << elements[static_cast<unsigned>(t.element)];
    if (!t.dims.empty()) {
      os << '[';
      llvm::interleaveComma(t.dims, os, [&](const Expr *dim) { print(*dim); });
      os << ']';
    }
    os << (t.rowNormalized ? " row_normalized" : "");
  }

  void statement(const Stmt &stmt, unsigned indent) {
    os.indent(indent);
    switch (stmt.kind) {
    case Stmt::Kind::Let:
      os << "let " << stmt.name.text << " = ";
      break;
    case Stmt::Kind::Assign:
      os << stmt.name.text << " = ";
      break;
    case Stmt::Kind::Return:
      os << "return ";
      break;
    case Stmt::Kind::Repeat:
      os << "repeat ";
      break;
    case Stmt::Kind::If:
      os << "if ";
      break;
    case Stmt::Kind::Input:
    case Stmt::Kind::Target:
      os << (stmt.kind == Stmt::Kind::Input ? "input " : "target ") << stmt.name.text << ": ";
      type(stmt.type);
      break;
    case Stmt::Kind::Output:
      os << "output " << stmt.name.text << (stmt.value ? " = " : "");
      break;
    case Stmt::Kind::Loss:
      os << "loss ";
      break;
    case Stmt::Kind::Weight:
      return weight(*stmt.weight);
    }
    if (stmt.value)
      print(*stmt.value);
    if (stmt.kind == Stmt::Kind::Repeat) {
      os << (stmt.name.text.empty() ? "" : " as ") << stmt.name.text << ' ';
      block(stmt.body, indent);
    } else if (stmt.kind == Stmt::Kind::If) {
      os << ' ';
      block(stmt.body, indent);
      if (!stmt.otherwise.empty()) {
        os << " else ";
        block(stmt.otherwise, indent);
      }
    }
    os << '\n';
  }

  void block(llvm::ArrayRef<Stmt *> statements, unsigned indent) {
    os << "{\n";
    for (const Stmt *stmt : statements)
      statement(*stmt, indent + 2);
    os.indent(indent) << '}';
  }

  void formals(llvm::ArrayRef<FormalDecl> list) {
    os << '(';
    llvm::interleaveComma(list, os, [&](const FormalDecl &formal) {
      os << (formal.ofEdges ? "edge " : "") << formal.name.text;
      if (formal.type) {
        os << ": ";
        type(*formal.type);
        os << (formal.condition ? "?" : "");
        if (formal.fallback) {
          os << " = ";
          print(*formal.fallback);
        }
      }
    });
    os << ')';
  }

  void graph(const ComponentDecl &decl) {
    if (decl.vertexTypes.empty() && decl.relations.empty() && decl.graph.empty())
      return;
    os << "  graph {\n";
    for (const VertexTypeDecl &type : decl.vertexTypes)
      os << "    vertex " << type.name.text << '\n';
    for (const RelationDecl &relation : decl.relations) {
      os << (relation.isPairs ? "    pairs " : "    edge ");
      if (relation.source) {
        os << relation.source->text << ' ';
        arrow(relation.name);
        os << ' ' << relation.target->text << '\n';
      } else {
        os << relation.name.text << '\n';
      }
    }
    settings(decl.graph);
    os << "  }\n";
  }

  void settings(llvm::ArrayRef<Setting> list) {
    for (const Setting &setting : list) {
      os << "    " << setting.name.text;
      if (setting.word)
        os << ' ' << setting.word->text;
      if (setting.value)
        os << ' ' << llvm::format("%.17g", *setting.value);
      if (!setting.on.empty())
        os << " on ";
      llvm::interleaveComma(setting.on, os, [&](const Name &name) { os << name.text; });
      if (setting.condition) {
        os << " if ";
        print(*setting.condition);
      }
      os << '\n';
    }
  }

  void weight(const WeightDecl &decl) {
    os << (decl.isState ? "state " : "param ") << decl.name.text << ": ";
    type(decl.type);
    if (decl.initializer)
      os << " = " << decl.initializer->text;
    if (decl.initArgument) {
      os << '(';
      print(*decl.initArgument);
      os << ')';
    }
    if (decl.condition) {
      os << " if ";
      print(*decl.condition);
    }
    os << '\n';
  }

  void body(const BodyDecl &decl) {
    if (decl.isEdge) {
      os << "  edge ";
      pattern(decl.pattern);
    } else {
      os << "  vertex ";
      end(decl.vertex, decl.vertexType);
    }
    if (!decl.formals.empty()) {
      os << ' ';
      formals(decl.formals);
    }
    if (decl.result) {
      os << " -> ";
      type(*decl.result);
    }
    os << ' ';
    block(decl.statements, 2);
    os << '\n';
  }

  void component(const ComponentDecl &decl) {
    os << (decl.isModel ? "model " : "layer ") << decl.name.text << '(';
    llvm::interleaveComma(decl.params, os, [&](const ComponentParam &param) {
      os << param.name.text << ": " << spelling(param.kind) << (param.isList ? "[]" : "");
      if (param.kind == ComponentParam::Kind::Layer) {
        os << ' ';
        print(*param.takes);
        os << " -> ";
        print(*param.gives);
      }
      if (param.fallback) {
        os << " = ";
        print(*param.fallback);
      }
    });
    os << ')' << (decl.where.empty() ? "" : " where ");
    llvm::interleaveComma(decl.where, os, [&](const WhereClause &clause) {
      print(*clause.left);
      os << " == ";
      print(*clause.right);
    });
    os << " {\n";
    graph(decl);
    for (auto [name, list] : {std::pair("train", decl.training), std::pair("schedule", decl.schedule)}) {
      if (list.empty())
        continue;
      os << "  " << name << " {\n";
      settings(list);
      os << "  }\n";
    }
    for (const WeightDecl &decl : decl.weights) {
      os << "  ";
      weight(decl);
    }
    for (const InstanceDecl &instance : decl.instances) {
      os << "  layer " << instance.name.text << " = " << instance.layer.text;
      arguments(instance.args);
      os << '\n';
    }
    for (const BodyDecl &decl : decl.bodies)
      body(decl);
    os << "}\n";
  }
};

} // namespace

static std::string source(llvm::SMRange range) { return {range.Start.getPointer(), range.End.getPointer()}; }

std::string ComponentParam::type() const {
  return spelling(kind).str() + (isList ? "[]" : "") +
         (kind == Kind::Layer ? " " + source(takes->range) + " -> " + source(gives->range) : "") +
         (fallback ? " = " + source(fallback->range) : "");
}

std::string FormalDecl::text() const {
  return (ofEdges ? "edge " : "") + name.text.str() + (type ? ": " + source(type->range) : "") +
         (condition ? "?" : "") + (fallback ? " = " + source(fallback->range) : "");
}

void File::print(llvm::raw_ostream &os) const {
  Printer printer{os};
  for (const Name &import : imports)
    os << "import " << import.text << '\n';
  for (const FunctionDecl *function : functions) {
    os << "fn " << function->name.text;
    printer.formals(function->formals);
    os << ' ';
    printer.block(function->statements, 0);
    os << '\n';
  }
  for (const ComponentDecl *component : components)
    printer.component(*component);
}
