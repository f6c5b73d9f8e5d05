//===- PtxModule.cpp - PTX as data ----------------------------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PtxModule.h"

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <optional>

namespace ptx {

bool Instruction::has(const char *modifier) const {
  return std::find(modifiers.begin(), modifiers.end(), modifier) != modifiers.end();
}

namespace {

struct Token {
  std::string_view text;
  unsigned line;
};

/// Reads tokens as they are asked for.
class Lexer {
public:
  Lexer(std::string_view text, unsigned line) : text(text), line(line) { next(); }

  /// The token that is next; empty at the end.
  const Token &peek() const { return current; }
  /// What comes right after it, which may be blank.
  char following() const { return at < text.size() ? text[at] : '\0'; }
  /// Where what was passed ends.
  const char *passed() const { return end; }

  Token next() {
    const Token passed = current;
    end = text.data() + at;
    skipBlanks();
    const size_t start = at;
    while (at < text.size() && isWord(text[at]))
      ++at;
    if (at == start && at < text.size())
      ++at;
    current = {text.substr(start, at - start), line};
    return passed;
  }

  /// Passes the brace that is next and all to the one that closes it.
  void skipBraces() {
    for (unsigned open = 1; open > 0; ++at) {
      if (at == text.size())
        throw Error("PTX line " + std::to_string(line) + ": a brace is not closed");
      line += text[at] == '\n';
      open += text[at] == '{';
      open -= text[at] == '}';
    }
    next();
  }

private:
  static bool isWord(char c) {
    return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '$' || c == '%' || c == '.';
  }
  void skipBlanks() {
    for (; at < text.size(); ++at) {
      if (text[at] == '\n')
        ++line;
      else if (text.compare(at, 2, "//") == 0)
        at = std::min(text.find('\n', at), text.size()) - 1;
      else if (!std::isspace(static_cast<unsigned char>(text[at])) && text[at] != '\0')
        return;
    }
  }

  std::string_view text;
  size_t at = 0; // the end of `current`
  const char *end = nullptr;
  unsigned line;
  Token current;
};

std::vector<std::string_view> splitDots(std::string_view text) {
  std::vector<std::string_view> parts;
  size_t start = 0;
  while (start <= text.size()) {
    size_t end = std::min(text.find('.', start), text.size());
    parts.push_back(text.substr(start, end - start));
    start = end + 1;
  }
  return parts;
}

bool isType(std::string_view text, Type &type) {
  if (text == "pred") {
    type = {'p', 1};
    return true;
  }
  if (text.size() < 2 || !std::isdigit(static_cast<unsigned char>(text[1])))
    return false;
  unsigned bits = unsigned(std::strtoul(text.data() + 1, nullptr, 10));
  if (std::string_view("usfb").find(text[0]) == std::string_view::npos ||
      (bits != 8 && bits != 16 && bits != 32 && bits != 64))
    return false;
  type = {text[0], bits};
  return true;
}

class Parser {
public:
  Parser(Module &module, std::string_view text, unsigned line = 1) : module(module), lexer(text, line) {}

  void parseModule() {
    while (!peek().empty()) {
      if (peek() == ".version" || peek() == ".target" || peek() == ".address_size") {
        const unsigned line = lexer.peek().line;
        while (lexer.peek().line == line && !peek().empty())
          next();
      } else if (peek() == ".visible" || peek() == ".weak" || peek() == ".extern") {
        next();
      } else if (accept(".entry")) {
        Kernel made;
        made.line = lexer.peek().line;
        const char *start = peek().data();
        parseSignature(made);
        lexer.skipBraces();
        made.text = std::string(start, lexer.passed());
        module.kernels[made.name] = std::move(made);
      } else if (accept(".global") || accept(".const")) {
        parseVariable(module.globals, module.globalBytes);
      } else if (accept(".shared")) {
        parseVariable(module.shared, module.sharedBytes);
      } else {
        fail("unexpected " + std::string(peek()));
      }
    }
  }

  void parseBody(Kernel &result) {
    Kernel signature; // which is read once more for the names of parameters
    parseSignature(signature);
    kernel = &result;
    kernel->body.clear();
    expect("{");
    while (!accept("}"))
      parseStatement();
    for (Instruction &instruction : kernel->body)
      for (Operand &operand : instruction.operands)
        if (operand.kind == Operand::Label)
          operand.value = target(instruction, operand);
  }

private:
  std::string_view peek() const { return lexer.peek().text; }
  std::string_view next() { return lexer.next().text; }
  bool accept(std::string_view text) {
    if (peek() != text)
      return false;
    next();
    return true;
  }
  void expect(const std::string &text) {
    if (!accept(text))
      fail("expected " + text + ", found " + std::string(peek()));
  }
  [[noreturn]] void fail(const std::string &what) const {
    throw Error("PTX line " + std::to_string(lexer.peek().line) + ": " + what);
  }

  uint64_t number() {
    bool negative = accept("-");
    const std::string text(next());
    if (text.empty() || !std::isdigit(static_cast<unsigned char>(text[0])))
      fail("expected a number, found " + text);
    uint64_t value = std::strtoull(text.c_str(), nullptr, 0);
    return negative ? uint64_t(0) - value : value;
  }

  /// `.align 16 .b8 name[64] = {1, 2};`, after the state space. `name[]` has what a launch gives, after all others.
  void parseVariable(std::map<std::string, Variable> &variables, uint64_t &bytes) {
    uint64_t align = 16;
    if (accept(".align"))
      align = std::max<uint64_t>(number(), align);
    Type type;
    if (!isType(next().substr(1), type))
      fail("expected a type");
    const std::string name(next());
    uint64_t count = 1;
    if (accept("[")) {
      count = peek() == "]" ? 0 : number();
      expect("]");
    }
    Variable variable;
    bytes = (bytes + align - 1) / align * align;
    variable.offset = bytes;
    variable.data.resize(count * type.bits / 8);
    bytes += variable.data.size();
    if (accept("=")) {
      bool list = accept("{");
      for (size_t i = 0; i < count && peek() != "}"; ++i) {
        uint64_t value = number();
        for (unsigned byte = 0; byte < type.bits / 8; ++byte)
          variable.data[i * type.bits / 8 + byte] = uint8_t(value >> (8 * byte));
        if (!accept(","))
          break;
      }
      if (list)
        expect("}");
    }
    expect(";");
    variables[name] = variable;
  }

  /// Up to the brace that opens the body.
  void parseSignature(Kernel &result) {
    kernel = &result;
    kernel->numRegisters = numSpecialRegisters;
    kernel->name = next();
    expect("(");
    while (!accept(")"))
      parseParameter();
    while (peek() != "{")
      if (next() == ".maxntid") {
        kernel->maxThreads = unsigned(number());
        while (accept(","))
          kernel->maxThreads *= unsigned(number());
      } else if (peek().empty()) {
        fail("a kernel without a body");
      }
  }

  uint64_t target(const Instruction &instruction, const Operand &operand) const {
    const std::string &name = labelNames[operand.value];
    auto found = labels.find(name);
    if (found == labels.end())
      throw Error("PTX line " + std::to_string(instruction.line) + ": there is no label " + name);
    return found->second;
  }

  void parseParameter() {
    expect(".param");
    Type type;
    if (!isType(next().substr(1), type))
      fail("expected the type of a parameter");
    while (peek()[0] == '.') // .ptr .global .align 1
      if (next() == ".align")
        next();
    unsigned bytes = type.bits / 8, offset = (kernel->parameterBytes + bytes - 1) / bytes * bytes;
    parameters[std::string(next())] = offset;
    kernel->parameters.push_back({offset, bytes});
    kernel->parameterBytes = offset + bytes;
    accept(",");
  }

  void parseStatement() {
    if (accept(".reg")) {
      next();
      do
        declareRegisters();
      while (accept(","));
      expect(";");
    } else if (accept(".local")) {
      std::map<std::string, Variable> declared;
      uint64_t bytes = kernel->localBytes;
      parseVariable(declared, bytes);
      kernel->localBytes = unsigned(bytes);
      for (const auto &[name, variable] : declared)
        locals[name] = variable.offset;
    } else if (accept(".shared")) {
      parseVariable(module.shared, module.sharedBytes);
    } else if (accept(".pragma")) {
      while (!accept(";"))
        next();
    } else if (accept("{")) {
      parseScope();
    } else if (lexer.following() == ':') {
      labels[std::string(next())] = kernel->body.size();
      next();
    } else {
      parseInstruction();
    }
  }

  /// Registers that are declared in it end with it.
  void parseScope() {
    const size_t outer = registers.size();
    while (!accept("}"))
      parseStatement();
    registers.resize(outer);
  }

  /// `name` or `name<count>`.
  void declareRegisters() {
    Registers declared{next(), kernel->numRegisters, 1, false};
    if (accept("<")) {
      declared.isNumbered = true;
      declared.count = uint32_t(number());
      expect(">");
    }
    kernel->numRegisters += declared.count;
    registers.push_back(declared);
  }

  void parseInstruction() {
    Instruction instruction;
    instruction.line = lexer.peek().line;
    if (accept("@")) {
      instruction.guardIsNegated = accept("!");
      instruction.guard = registerNamed(next());
    }
    const std::vector<std::string_view> parts = splitDots(next());
    instruction.op = parts[0];
    for (size_t i = 1; i < parts.size(); ++i) {
      Type type;
      if (!isType(parts[i], type))
        instruction.modifiers.emplace_back(parts[i]);
      else if (instruction.type.bits == 0)
        instruction.type = type;
      else
        instruction.from = type;
    }
    instruction.isWide = instruction.has("wide");
    instruction.isComparison = instruction.op == "setp";
    while (!accept(";")) {
      instruction.operands.push_back(parseOperand());
      if (accept("|"))
        instruction.operands.push_back(parseOperand());
      accept(",");
    }
    kernel->body.push_back(std::move(instruction));
  }

  /// Those that were declared last hide others of their name.
  std::optional<uint32_t> findRegister(std::string_view name) const {
    const std::string_view prefix = name.substr(0, name.find_last_not_of("0123456789") + 1);
    for (auto declared = registers.rbegin(); declared != registers.rend(); ++declared) {
      if (!declared->isNumbered && declared->name == name)
        return declared->first;
      if (!declared->isNumbered || declared->name != prefix || prefix.size() == name.size())
        continue;
      const unsigned long index = std::strtoul(std::string(name.substr(prefix.size())).c_str(), nullptr, 10);
      if (index < declared->count)
        return declared->first + uint32_t(index);
    }
    return std::nullopt;
  }

  uint32_t registerNamed(std::string_view name) const {
    const std::optional<uint32_t> found = findRegister(name);
    if (!found)
      fail("unknown register " + std::string(name));
    return *found;
  }

  Operand parseOperand() {
    Operand operand;
    if (accept("{")) {
      operand.kind = Operand::Vector;
      while (!accept("}")) {
        operand.regs.push_back(registerNamed(next()));
        accept(",");
      }
      return operand;
    }
    if (accept("[")) {
      operand.kind = Operand::Address;
      operand.reg = Operand::noRegister;
      if (peek()[0] == '%')
        operand.reg = registerNamed(next());
      else
        operand.value = symbol(std::string(next()));
      if (accept("+"))
        operand.value += number();
      expect("]");
      return operand;
    }
    if (peek()[0] == '%' || findRegister(peek())) {
      operand.kind = Operand::Register;
      operand.reg = registerNamed(next());
      return operand;
    }
    return parseConstant();
  }

  Operand parseConstant() {
    Operand operand;
    const std::string_view text = peek();
    if (text.size() > 2 && text[0] == '0' && (text[1] == 'f' || text[1] == 'd')) {
      operand.isFloat = true;
      operand.value = std::strtoull(std::string(next().substr(2)).c_str(), nullptr, 16);
    } else if (text == "-" || std::isdigit(static_cast<unsigned char>(text[0]))) {
      operand.value = number();
    } else if (text[0] == '$') {
      operand.kind = Operand::Label;
      operand.value = labelNames.size();
      labelNames.emplace_back(next());
    } else {
      operand.value = symbol(std::string(next()));
    }
    return operand;
  }

  uint64_t symbol(const std::string &name) {
    if (auto found = parameters.find(name); found != parameters.end())
      return parameterBase + found->second;
    if (auto found = locals.find(name); found != locals.end())
      return localBase + found->second;
    if (auto found = module.shared.find(name); found != module.shared.end())
      return sharedBase + found->second.offset;
    if (auto found = module.globals.find(name); found != module.globals.end())
      return globalsBase + found->second.offset;
    fail("unknown name " + name);
  }

  /// `.reg .b32 %r<5>;` has %r0 to %r4.
  struct Registers {
    std::string_view name;
    uint32_t first, count;
    bool isNumbered;
  };

  Module &module;
  Lexer lexer;
  Kernel *kernel = nullptr;
  std::vector<Registers> registers{{"%tid.x", tidX, 1, false},
                                   {"%ntid.x", ntidX, 1, false},
                                   {"%ctaid.x", ctaidX, 1, false},
                                   {"%nctaid.x", nctaidX, 1, false},
                                   {"%laneid", laneId, 1, false}};
  std::map<std::string, uint64_t> labels, parameters, locals;
  std::vector<std::string> labelNames;
};

} // namespace

Module parse(const std::string &text) {
  Module module;
  Parser(module, text).parseModule();
  return module;
}

void readBody(Module &module, Kernel &kernel) { Parser(module, kernel.text, kernel.line).parseBody(kernel); }

} // namespace ptx
