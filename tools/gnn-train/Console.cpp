//===- Console.cpp - What a run says --------------------------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tools/gnn-train/Console.h"

#include "runtime/src/core/Guard.h"

#include <cerrno>
#include <cstdarg>
#include <cstring>

namespace gnn::train_tool {

void Console::say(const char *format, ...) {
  va_list arguments, again;
  va_start(arguments, format);
  va_copy(again, arguments);
  std::string line(size_t(std::vsnprintf(nullptr, 0, format, arguments)), '\0');
  std::vsnprintf(line.data(), line.size() + 1, format, again);
  va_end(again);
  va_end(arguments);
  std::fprintf(out, "%s\n", line.c_str());
  std::fflush(out);
  note(line);
}

void Console::note(const std::string &line) {
  if (isBeginning)
    beginning += line + "\n";
  if (!log)
    return;
  std::fprintf(log.get(), "%s\n", line.c_str());
  std::fflush(log.get()); // it is read while it is written
}

void Console::open(const std::string &file, bool append) {
  log.reset(std::fopen(file.c_str(), append ? "a" : "w"));
  rt::require(log != nullptr, GNN_ERROR_IO, "cannot write ", file, ": ", std::strerror(errno));
  std::fputs(beginning.c_str(), log.get());
  isBeginning = false;
}

} // namespace gnn::train_tool
