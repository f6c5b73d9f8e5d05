//===- Process.h - How all our programs begin and end -----------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Depends on neither compiler nor runtime.
//
//===----------------------------------------------------------------------===//

#ifndef GNN_SUPPORT_PROCESS_H
#define GNN_SUPPORT_PROCESS_H

#include <string>

namespace gnn::tools {

enum ExitCode {
  exitOk = 0,
  exitContent = 1, // what was read is wrong
  exitUsage = 2,   // so are the arguments
  exitSystem = 3,  // a file, memory or a device could not be had
  exitInternal = 70
};

/// Opens /dev/null for each standard stream that is closed: else the next file that is opened would get what is
/// printed.
void openStandardStreams();

/// From now on a write beyond the limit of `ulimit -f` fails, as one to a full disk does, and is reported. Otherwise
/// the system ends the process by a signal, without a word.
void reportFileSizeLimit();

/// `text` with each control character, and each byte that is no UTF-8, as `\x1b`: names in files are other people's,
/// and a terminal would obey them. Ends of lines and tabs stay.
std::string printable(const std::string &text);

/// Prints what went wrong; returns `code`.
int reportError(const char *program, const char *message, int code);

/// Prints the exception that is being handled and returns its exit code. To be called in a handler.
int reportException(const char *program) noexcept;

/// The exit code of a program that is done with `code`: `exitSystem`, after a message, if what it printed is lost.
int finishOutput(const char *program, int code);

} // namespace gnn::tools

#endif // GNN_SUPPORT_PROCESS_H
