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

namespace ptx {

bool Instruction::has(const char *modifier) const {
  return std::find(modifiers.begin(), modifiers.end(), modifier) != modifiers.end();
}

namespace {

struct Token {
  std::string text;
  unsigned line;
};

std::vector<Token> tokenize(const std::string &text) {
  std::vector<Token> tokens;
  unsigned line = 1;
  auto isWord = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '$' || c == '%' || c == '.';
  };
  for (size_t i = 0; i < text.size();) {
    char c = text[i];
    if (c == '\n')
      ++line;
    if (std::isspace(static_cast<unsigned char>(c)) || c == '\0') {
      ++i;
    } else if (text.compare(i, 2, "//") == 0) {
      i = std::min(text.find('\n', i), text.size());
    } else if (isWord(c)) {
      size_t end = i;
      while (end < text.size() && isWord(text[end]))
        ++end;
      tokens.push_back({text.substr(i, end - i), line});
      i = end;
    } else {
      tokens.push_back({std::string(1, c), line});
      ++i;
    }
  }
  tokens.push_back({"", line});
  return tokens;
}

std::vector<std::string> splitDots(const std::string &text) {
  std::vector<std::string> parts;
  size_t start = 0;
  while (start <= text.size()) {
    size_t end = std::min(text.find('.', start), text.size());
    parts.push_back(text.substr(start, end - start));
    start = end + 1;
  }
  return parts;
}

bool isType(const std::string &text, Type &type) {
  if (text == "pred") {
    type = {'p', 1};
    return true;
  }
  if (text.size() < 2 || !std::isdigit(static_cast<unsigned char>(text[1])))
    return false;
  unsigned bits = unsigned(std::strtoul(text.c_str() + 1, nullptr, 10));
  if (std::string("usfb").find(text[0]) == std::string::npos || (bits != 8 && bits != 16 && bits != 32 && bits != 64))
    return false;
  type = {text[0], bits};
  return true;
}

class Parser {
public:
  explicit Parser(const std::string &text) : tokens(tokenize(text)) {}

  Module parse() {
    while (!peek().empty()) {
      if (peek() == ".version" || peek() == ".target" || peek() == ".address_size") {
        unsigned line = tokens[at].line;
        while (tokens[at].line == line && !peek().empty())
          ++at;
      } else if (peek() == ".visible" || peek() == ".weak" || peek() == ".extern") {
        ++at;
      } else if (accept(".entry")) {
        parseKernel();
      } else if (accept(".global") || accept(".const")) {
        parseVariable(module.globals, module.globalBytes);
      } else if (accept(".shared")) {
        parseVariable(module.shared, module.sharedBytes);
      } else {
        fail("unexpected " + peek());
      }
    }
    return std::move(module);
  }

private:
  const std::string &peek(unsigned ahead = 0) const { return tokens[std::min(at + ahead, tokens.size() - 1)].text; }
  std::string next() { return tokens[at++].text; }
  bool accept(const std::string &text) {
    if (peek() != text)
      return false;
    ++at;
    return true;
  }
  void expect(const std::string &text) {
    if (!accept(text))
      fail("expected " + text + ", found " + peek());
  }
  [[noreturn]] void fail(const std::string &what) const {
    throw Error("PTX line " + std::to_string(tokens[std::min(at, tokens.size() - 1)].line) + ": " + what);
  }

  uint64_t number() {
    bool negative = accept("-");
    std::string text = next();
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
    std::string name = next();
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

  void parseKernel() {
    Kernel made;
    kernel = &made;
    registers = {
        {"%tid.x", tidX}, {"%ntid.x", ntidX}, {"%ctaid.x", ctaidX}, {"%nctaid.x", nctaidX}, {"%laneid", laneId}};
    made.numRegisters = numSpecialRegisters;
    labels.clear();
    parameters.clear();
    locals.clear();
    made.name = next();
    expect("(");
    while (!accept(")"))
      parseParameter();
    while (!accept("{"))
      if (next() == ".maxntid") {
        made.maxThreads = unsigned(number());
        while (accept(","))
          made.maxThreads *= unsigned(number());
      }
    while (!accept("}"))
      parseStatement();
    for (Instruction &instruction : made.body)
      for (Operand &operand : instruction.operands)
        if (operand.kind == Operand::Label)
          operand.value = target(instruction, operand);
    module.kernels[made.name] = std::move(made);
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
        ++at;
    unsigned bytes = type.bits / 8, offset = (kernel->parameterBytes + bytes - 1) / bytes * bytes;
    parameters[next()] = offset;
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
        ++at;
    } else if (accept("{")) {
      parseScope();
    } else if (peek(1) == ":") {
      labels[next()] = kernel->body.size();
      ++at;
    } else {
      parseInstruction();
    }
  }

  /// Registers that are declared in it end with it.
  void parseScope() {
    const std::map<std::string, uint32_t> outer = registers;
    while (!accept("}"))
      parseStatement();
    registers = outer;
  }

  void declareRegisters() {
    std::string name = next();
    if (!accept("<")) {
      registers[name] = kernel->numRegisters++;
      return;
    }
    uint64_t count = number();
    for (uint64_t i = 0; i < count; ++i)
      registers[name + std::to_string(i)] = kernel->numRegisters++;
    expect(">");
  }

  void parseInstruction() {
    Instruction instruction;
    instruction.line = tokens[at].line;
    if (accept("@")) {
      instruction.guardIsNegated = accept("!");
      instruction.guard = registerNamed(next());
    }
    std::vector<std::string> parts = splitDots(next());
    instruction.op = parts[0];
    for (size_t i = 1; i < parts.size(); ++i) {
      Type type;
      if (!isType(parts[i], type))
        instruction.modifiers.push_back(parts[i]);
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

  uint32_t registerNamed(const std::string &name) {
    auto found = registers.find(name);
    if (found == registers.end())
      fail("unknown register " + name);
    return found->second;
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
        operand.value = symbol(next());
      if (accept("+"))
        operand.value += number();
      expect("]");
      return operand;
    }
    if (peek()[0] == '%' || registers.count(peek())) {
      operand.kind = Operand::Register;
      operand.reg = registerNamed(next());
      return operand;
    }
    return parseConstant();
  }

  Operand parseConstant() {
    Operand operand;
    const std::string &text = peek();
    if (text.size() > 2 && text[0] == '0' && (text[1] == 'f' || text[1] == 'd')) {
      operand.isFloat = true;
      operand.value = std::strtoull(next().c_str() + 2, nullptr, 16);
    } else if (text == "-" || std::isdigit(static_cast<unsigned char>(text[0]))) {
      operand.value = number();
    } else if (text[0] == '$') {
      operand.kind = Operand::Label;
      operand.value = labelNames.size();
      labelNames.push_back(next());
    } else {
      operand.value = symbol(next());
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

  std::vector<Token> tokens;
  size_t at = 0;
  Module module;
  Kernel *kernel = nullptr;
  std::map<std::string, uint32_t> registers;
  std::map<std::string, uint64_t> labels, parameters, locals;
  std::vector<std::string> labelNames;
};

} // namespace

Module parse(const std::string &text) { return Parser(text).parse(); }

} // namespace ptx
