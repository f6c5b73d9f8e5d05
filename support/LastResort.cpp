//===- LastResort.cpp - How a tool ends that cannot go on -----------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "support/LastResort.h"
#include <cerrno>
#include <cstring>
#include <exception>
#include <initializer_list>
#include <new>
#include <sys/uio.h>
#include <unistd.h>

namespace {

constexpr int exitSystem = 3;
const char *programName = "";
void (*tidyUpFiles)() = nullptr;

[[noreturn]] void end(const char *why) {
  iovec parts[4];
  int count = 0;
  for (const char *part : {*programName ? programName : program_invocation_short_name, ": error: ", why, "\n"})
    parts[count++] = {const_cast<char *>(part), std::strlen(part)};
  [[maybe_unused]] ssize_t written = writev(STDERR_FILENO, parts, count);
  if (tidyUpFiles)
    tidyUpFiles();
  _exit(exitSystem);
}

[[noreturn]] void endUncaught() {
  try {
    if (std::exception_ptr exception = std::current_exception())
      std::rethrow_exception(exception);
  } catch (const std::bad_alloc &) {
    end("out of memory");
  } catch (const std::exception &error) {
    end(error.what());
  } catch (...) {
  }
  end("ended for a reason unknown");
}

void endEarly() {
  std::set_new_handler(gnn::tools::endWithoutMemory);
  std::set_terminate(endUncaught);
}

/// The dynamic linker calls what is in this section before any constructor, also those of libraries.
__attribute__((section(".preinit_array"), used)) void (*const beforeConstructors)() = endEarly;

} // namespace

void gnn::tools::installLastResort(const char *program, void (*tidyUp)()) {
  programName = program;
  tidyUpFiles = tidyUp;
  std::set_new_handler(endWithoutMemory);
  std::set_terminate(endUncaught);
}

void gnn::tools::endWithoutMemory() { end("out of memory"); }
