//===- PastCache.h - Files that the page cache is not to keep ---*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A file that is larger than memory, and is gone over again and again, finds nothing of itself in the page cache and
// drives out what others have there. So it is read and written in pieces that the cache has while they are transferred:
// one is on its way to or from the disk while another is copied. Unlike direct transfers, these may begin anywhere.
// Scattered pieces are on their way together.
//
//===----------------------------------------------------------------------===//

#ifndef GNN_IO_PASTCACHE_H
#define GNN_IO_PASTCACHE_H

#include "runtime/src/io/FileSystem.h"

#include <functional>

namespace gnn::rt {

/// Reads or writes so many bytes of what is transferred from `done` on.
using TransferPiece = std::function<void(size_t done, size_t bytes)>;

/// Reads pieces that lie behind each other, where the system does that together; others are left to `readPiece`, which
/// throws what fails. `isPastCache`: the cache keeps none of what was read together.
void readPieces(FileSystem &files, int file, Span<const WantedPiece> pieces, bool isPastCache,
                const std::function<void(const WantedPiece &)> &readPiece);

void readPastCache(FileSystem &files, int file, size_t bytes, uint64_t at, const TransferPiece &read);
/// Returns when all of it is on the disk; -1 and errno where that fails.
int writePastCache(FileSystem &files, int file, size_t bytes, uint64_t at, const TransferPiece &write);

} // namespace gnn::rt

#endif // GNN_IO_PASTCACHE_H
