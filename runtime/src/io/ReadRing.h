//===- ReadRing.h - Reads that are under way together -----------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A disk gives several times as many scattered pages a second where it is asked for many at once. io_uring does that
// from one thread. Containers may forbid it, and systems or builds may not have it: then there is `FileSystem::readAt`.
//
//===----------------------------------------------------------------------===//

#ifndef GNN_IO_READRING_H
#define GNN_IO_READRING_H

#include "runtime/src/io/FileSystem.h"

namespace gnn::rt {

/// Whether this build has io_uring and the system lets this process use it.
bool canReadInRings();
/// As `FileSystem::readTogether`, from any thread: each has a ring of its own.
std::vector<bool> readInRing(int file, Span<const WantedPiece> pieces);

} // namespace gnn::rt

#endif // GNN_IO_READRING_H
