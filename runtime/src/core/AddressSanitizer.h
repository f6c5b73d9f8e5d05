//===- AddressSanitizer.h - What it is told, and has to see -----*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GNN_CORE_ADDRESSSANITIZER_H
#define GNN_CORE_ADDRESSSANITIZER_H

#if defined(__SANITIZE_ADDRESS__)
#define GNN_ADDRESS_SANITIZER
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define GNN_ADDRESS_SANITIZER
#endif
#endif
#ifdef GNN_ADDRESS_SANITIZER
#include <sanitizer/asan_interface.h>
#include <sanitizer/lsan_interface.h>
#endif

namespace gnn::rt {

/// Keeps an allocation, and all that is reachable from it, from being reported as a leak. Needed for allocations that
/// only tasks of oneTBB still own when the process ends.
inline void ignoreLeak(const void *allocation) {
#ifdef GNN_ADDRESS_SANITIZER
  __lsan_ignore_object(allocation);
#endif
}

} // namespace gnn::rt

#endif // GNN_CORE_ADDRESSSANITIZER_H
