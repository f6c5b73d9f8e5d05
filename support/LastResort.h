//===- LastResort.h - How a tool ends that cannot go on ---------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GNN_SUPPORT_LASTRESORT_H
#define GNN_SUPPORT_LASTRESORT_H

namespace gnn::tools {

/// Before the first static object of the program or of a library is constructed, a failed `operator new` already ends
/// the program by a message and exit code 3.
///
/// From now on a failed `operator new`, and an exception that nobody can catch, end the program: by a message,
/// `tidyUp` and exit code 3. Much of what tools are made of cannot be unwound: LLVM has no exceptions, the standard
/// library's file system and nlohmann/json allocate where nothing may be thrown, and oneTBB ends the program where it
/// gets no thread. `tidyUp` must not allocate.
void installLastResort(const char *program, void (*tidyUp)() = nullptr);

/// Ends the program for want of memory, for what finds out in another way. Safe in any thread.
[[noreturn]] void endWithoutMemory();

} // namespace gnn::tools

#endif // GNN_SUPPORT_LASTRESORT_H
