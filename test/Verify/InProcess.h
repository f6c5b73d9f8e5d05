//===- InProcess.h - Compiling in this process ------------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Compiles a checked model for this machine's instruction set without starting gnnc, also without optimisations and
// without fusion: the same program as the compiler makes of it in several ways that have to agree.
//
//===----------------------------------------------------------------------===//

#ifndef GNNC_TEST_VERIFY_INPROCESS_H
#define GNNC_TEST_VERIFY_INPROCESS_H

#include "compiler/Conversion/CheckedModelToGnn/CheckedModelToGnn.h"
#include "compiler/Frontend/Frontend.h"
#include "compiler/Target/CPU/ObjectEmitter.h"
#include "dialects/Gnn/Transforms/Passes.h"
#include "dialects/Star/IR/Star.h"
#include "mlir/IR/MLIRContext.h"
#include "test/Device/EmulatedDevice.h"
#include <string>

namespace gnnc::verify {

struct CompileVariant {
  bool optimize = true; // otherwise only the passes that lowering needs
  bool fuse = true;     // otherwise every op is a step of its own
  CodeEffort effort = CodeEffort::Full;
  RealType real = RealType::F64;
  star::Storage storage = star::Storage::Elements; // of several f32 of a vertex or an edge
  gnn::Keep keep = gnn::Keep::Fast;
  std::optional<Isa> isa = std::nullopt; // none: that of this machine
};

class InProcessCompiler {
public:
  InProcessCompiler();

  /// Compiles `model`, which is of `frontend`, to the library `output`. Empty on success, else what is wrong.
  /// `onDevice`, if it is given, gets the same kernels for the emulated device.
  std::string compile(const CheckedModel &model, const Frontend &frontend, const CompileVariant &variant,
                      const std::string &output, std::unique_ptr<device::EmulatedDevice> *onDevice = nullptr);

private:
  mlir::MLIRContext context;
};

} // namespace gnnc::verify

#endif // GNNC_TEST_VERIFY_INPROCESS_H
