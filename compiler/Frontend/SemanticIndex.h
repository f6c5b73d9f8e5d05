//===- SemanticIndex.h - What names mean and values are ---------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A by-product of Sema for editors: for every name in the source where it is defined, and for every expression and
// defined name what Sema found out about its value. Ranges point into the buffers of the Frontend.
//
//===----------------------------------------------------------------------===//

#ifndef GNNC_FRONTEND_SEMANTICINDEX_H
#define GNNC_FRONTEND_SEMANTICINDEX_H

#include "compiler/Frontend/CheckedModel.h"
#include "llvm/Support/SMLoc.h"
#include <map>
#include <optional>
#include <string>

namespace gnnc {

/// Layers are evaluated where they are used, as often as they are: what is noted first about a place stays. A layer of
/// the main file is checked alone before it is used, so its facts are in its own names.
class SemanticIndex {
public:
  struct Use {
    llvm::SMRange range, definition;
  };
  struct Fact {
    llvm::SMRange range;
    std::string type;              // `real[heads, out]`, `dim`, `layer`
    std::optional<GraphKind> kind; // of a field
    std::string place;             // `for every edge of `u -> v``
    unsigned hops = 0;
  };

  /// The name at `range` means what is defined at `definition`. Of a range such as `u.h` the name is the last part.
  void noteUse(llvm::SMRange range, llvm::StringRef name, llvm::SMRange definition) {
    if (!range.isValid() || !definition.isValid())
      return;
    range.Start = llvm::SMLoc::getFromPointer(range.End.getPointer() - name.size());
    uses.try_emplace(range.Start.getPointer(), Use{range, definition});
  }
  void noteFact(Fact fact) {
    facts.try_emplace({fact.range.Start.getPointer(), fact.range.End.getPointer()}, std::move(fact));
  }

  /// By start; by start and end.
  std::map<const char *, Use> uses;
  std::map<std::pair<const char *, const char *>, Fact> facts;
};

} // namespace gnnc

#endif // GNNC_FRONTEND_SEMANTICINDEX_H
