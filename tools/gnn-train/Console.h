//===- Console.h - What a run says ------------------------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Lines for people, on a stream and in the console.log of the run's folder.
//
//===----------------------------------------------------------------------===//

#ifndef GNN_TOOLS_TRAIN_CONSOLE_H
#define GNN_TOOLS_TRAIN_CONSOLE_H

#include <cstdio>
#include <memory>
#include <string>

namespace gnn::train_tool {

class Console {
public:
  explicit Console(FILE *stream) : out(stream) {}

  /// Prints a line, and writes it to the log if there is one.
  [[gnu::format(printf, 2, 3)]] void say(const char *format, ...);
  /// Writes a line to the log alone, for what the stream shows in another way.
  void note(const std::string &line);
  /// From now on `file` is the log. It begins with what was said before the first log was opened; with `append` it
  /// keeps what it has. Throws GNN_ERROR_IO.
  void open(const std::string &file, bool append);
  void close() { log.reset(); }

  FILE *stream() const { return out; }

private:
  struct Close {
    void operator()(FILE *file) const { std::fclose(file); }
  };

  FILE *out;
  std::unique_ptr<FILE, Close> log;
  std::string beginning; // said before there was a log
  bool isBeginning = true;
};

} // namespace gnn::train_tool

#endif // GNN_TOOLS_TRAIN_CONSOLE_H
