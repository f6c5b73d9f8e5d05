//===- Checksum.h - Whether large data are what was written -----*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GNN_CORE_CHECKSUM_H
#define GNN_CORE_CHECKSUM_H

#include "runtime/src/core/Span.h"
#include <cstdint>

namespace gnn::rt {

/// XXH3 of the XXH3 of each 4 MiB, by all threads; `seed` chains those of several arrays. Against damage, not against
/// forgery.
uint64_t checksum(Span<const char> bytes, uint64_t seed = 0);

} // namespace gnn::rt

#endif // GNN_CORE_CHECKSUM_H
