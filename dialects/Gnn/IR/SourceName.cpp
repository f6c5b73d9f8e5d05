//===- SourceName.cpp - What the source calls a value ---------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialects/Gnn/IR/SourceName.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "llvm/Support/Path.h"

std::string gnnc::gnn::sourceName(mlir::Location loc) {
  std::string name;
  loc->walk([&](mlir::Location inner) {
    auto named = llvm::dyn_cast<mlir::NameLoc>(inner);
    if (!named)
      return mlir::WalkResult::advance();
    name = named.getName().str();
    return mlir::WalkResult::interrupt();
  });
  return name;
}

mlir::Location gnnc::gnn::locationAt(mlir::Location loc, llvm::StringRef place) {
  if (place.empty())
    return loc;
  return mlir::FusedLoc::get(loc.getContext(), {loc}, mlir::StringAttr::get(loc.getContext(), place));
}

llvm::StringRef gnnc::gnn::sourcePlace(mlir::Location loc) {
  llvm::StringRef place;
  loc->walk([&](mlir::Location inner) {
    auto fused = llvm::dyn_cast<mlir::FusedLocWith<mlir::StringAttr>>(inner);
    if (!fused)
      return mlir::WalkResult::advance();
    place = fused.getMetadata().getValue();
    return mlir::WalkResult::interrupt();
  });
  return place;
}

std::string gnnc::gnn::sourceFileName(llvm::StringRef path) {
  const llvm::StringRef folder = llvm::sys::path::filename(llvm::sys::path::parent_path(path));
  const llvm::StringRef name = llvm::sys::path::filename(path);
  return (folder == "nn" ? "nn/" : "") + name.str();
}
