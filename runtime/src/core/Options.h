//===- Options.h - Options structs of the C interface ----------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The one rule for every struct of the C interface that begins with its size (gnn/gnn.h): applications and the runtime
// may have been built with headers of different versions.
//
//===----------------------------------------------------------------------===//

#ifndef GNN_CORE_OPTIONS_H
#define GNN_CORE_OPTIONS_H

#include "runtime/src/core/Guard.h"

#include <algorithm>
#include <cstring>
#include <type_traits>

namespace gnn::rt {

/// Throws GNN_ERROR_ARGUMENT for a size that no version of `Struct` has.
template <class Struct> void checkSize(uint32_t size, const char *function) {
  static_assert(std::is_trivially_copyable_v<Struct>);
  constexpr uint32_t most = 4096; // far above any; it is rather a size that was never set
  require(size > 0 && size % alignof(Struct) == 0 && size <= most, GNN_ERROR_ARGUMENT, function,
          ": the size of a struct is ", size, ", expected sizeof of its type, here ", sizeof(Struct));
}

/// The options of `given`, with those of `defaults` if it is shorter or NULL. Throws GNN_ERROR_VERSION if `given` is
/// longer and sets a member that this library lacks.
template <class Options>
Options readOptions(const Options *given, const char *function, const Options &defaults = Options{}) {
  Options result = defaults;
  if (!given)
    return result;
  checkSize<Options>(given->size, function);
  const char *bytes = reinterpret_cast<const char *>(given);
  for (size_t i = sizeof(Options); i < given->size; ++i)
    require(bytes[i] == 0, GNN_ERROR_VERSION, function, ": the options have ", given->size,
            " bytes and ask for something that this runtime, which knows ", sizeof(Options),
            ", does not have: it is older than the application's headers");
  std::memcpy(&result, given, std::min<size_t>(given->size, sizeof(Options)));
  return result;
}

/// Writes as much of `value` as there is room for in `out`, whose caller has set its size.
template <class Struct> void writeStruct(const Struct &value, Struct *out, const char *function) {
  checkSize<Struct>(out->size, function);
  const uint32_t size = out->size;
  std::memcpy(out, &value, std::min<size_t>(size, sizeof(Struct)));
  out->size = size;
}

} // namespace gnn::rt

#endif // GNN_CORE_OPTIONS_H
