//===- main.cpp - gnn-opt: passes on IR text ------------------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Parses and verifies IR of our dialects and of those that they are lowered to, and runs passes on it: the tool of the lit tests.
//
//===----------------------------------------------------------------------===//

#include "compiler/Pipelines/Pipelines.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"

int main(int argc, char **argv) {
  mlir::DialectRegistry registry;
  gnnc::registerDialects(registry);
  gnnc::registerPasses();
  return mlir::asMainReturnCode(mlir::MlirOptMain(argc, argv, "gnnc's optimizer driver\n", registry));
}
