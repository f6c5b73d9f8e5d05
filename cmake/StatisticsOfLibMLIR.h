//===- StatisticsOfLibMLIR.h - Statistics of passes as libMLIR has them ---===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// libMLIR is built without assertions, so its statistics count nothing and have no fields. LLVM's header gives them fields
// where assertions are on, which the constructor in libMLIR would leave as they are. What else the header includes comes
// first and keeps its assertions.
//
//===----------------------------------------------------------------------===//

#ifndef GNNC_CMAKE_STATISTICSOFLIBMLIR_H
#define GNNC_CMAKE_STATISTICSOFLIBMLIR_H

#ifndef NDEBUG
#include <llvm/Support/Compiler.h>
#include <atomic>
#include <memory>
#include <vector>
#define NDEBUG
#include <llvm/ADT/Statistic.h>
#undef NDEBUG
#endif

#endif // GNNC_CMAKE_STATISTICSOFLIBMLIR_H
