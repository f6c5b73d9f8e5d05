//===- SignalsHeldBack.h - No signals while oneDNN works --------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GNN_CPU_SIGNALSHELDBACK_H
#define GNN_CPU_SIGNALSHELDBACK_H

#include <csignal>

namespace gnn::rt {

/// Keeps signals from this thread while oneDNN works: some of its kernels put the stack pointer into a buffer of the
/// heap (xbyak_gemm, for large k), and a handler that ran there would write below the buffer.
class SignalsHeldBack {
public:
  SignalsHeldBack() {
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
  }
  ~SignalsHeldBack() { pthread_sigmask(SIG_SETMASK, &before, nullptr); }
  SignalsHeldBack(const SignalsHeldBack &) = delete;
  SignalsHeldBack &operator=(const SignalsHeldBack &) = delete;

private:
  sigset_t before;
};

} // namespace gnn::rt

#endif // GNN_CPU_SIGNALSHELDBACK_H
