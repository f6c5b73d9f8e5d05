//===- Process.cpp - How all our programs begin and end -------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "support/Process.h"
#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <fcntl.h>
#include <iostream>
#include <new>
#include <stdexcept>
#include <unistd.h>

namespace gnn::tools {

void openStandardStreams() {
  // The lowest number that is free is the one that is opened.
  for (int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
    if (::fcntl(stream, F_GETFD) < 0 && errno == EBADF && ::open("/dev/null", O_RDWR) != stream)
      std::_Exit(exitSystem);
}

void reportFileSizeLimit() { std::signal(SIGXFSZ, SIG_IGN); }

/// Bytes of the character that begins at `at`; 0 where it is no UTF-8.
static size_t characterBytes(const std::string &text, size_t at) {
  auto byte = [&](size_t i) { return i < text.size() ? static_cast<unsigned char>(text[i]) : 0u; };
  const unsigned first = byte(at);
  const size_t bytes = first < 0x80                    ? 1
                       : first >= 0xc2 && first < 0xe0 ? 2
                       : first >= 0xe0 && first < 0xf0 ? 3
                       : first >= 0xf0 && first < 0xf5 ? 4
                                                       : 0;
  for (size_t i = 1; i < bytes; ++i)
    if ((byte(at + i) & 0xc0) != 0x80)
      return 0;
  const unsigned pair = first << 8 | byte(at + 1);
  const bool isOverlong = (bytes == 3 && pair < 0xe0a0) || (bytes == 4 && pair < 0xf090);
  const bool isNone = (pair >= 0xeda0 && bytes == 3 && first == 0xed) || (bytes == 4 && pair >= 0xf490); // surrogates
  return isOverlong || isNone ? 0 : bytes;
}

std::string printable(const std::string &text) {
  constexpr char digits[] = "0123456789abcdef";
  std::string result;
  for (size_t i = 0; i < text.size();) {
    const auto first = static_cast<unsigned char>(text[i]);
    const size_t bytes = characterBytes(text, i);
    const bool isControl = (first < 0x20 && first != '\n' && first != '\t') || first == 0x7f ||
                           (first == 0xc2 && bytes == 2 && static_cast<unsigned char>(text[i + 1]) < 0xa0);
    const size_t taken = std::max<size_t>(bytes, 1);
    if (bytes && !isControl)
      result.append(text, i, bytes);
    else
      for (size_t j = i; j < i + taken; ++j) {
        const auto byte = static_cast<unsigned char>(text[j]);
        result += {'\\', 'x', digits[byte >> 4], digits[byte & 15]};
      }
    i += taken;
  }
  return result;
}

int reportError(const char *program, const char *message, int code) {
  std::fprintf(stderr, "%s: error: %s\n", program, printable(message).c_str());
  return code;
}

int reportException(const char *program) noexcept {
  try {
    throw;
  } catch (const std::bad_alloc &) {
    std::fprintf(stderr, "%s: error: out of memory\n", program);
    return exitSystem;
  } catch (const std::runtime_error &error) { // what the system refused: of files, or of threads for oneTBB
    return reportError(program, error.what(), exitSystem);
  } catch (const std::exception &error) {
    std::fprintf(stderr, "%s: internal error: %s\n", program, error.what());
  } catch (...) {
    std::fprintf(stderr, "%s: internal error\n", program);
  }
  return exitInternal;
}

int finishOutput(const char *program, int code) {
  std::cout.flush();
  if (std::fflush(stdout) == 0 && !std::ferror(stdout) && std::cout)
    return code;
  std::fprintf(stderr, "%s: error: cannot write to the standard output\n", program);
  return code == exitOk ? exitSystem : code;
}

} // namespace gnn::tools
