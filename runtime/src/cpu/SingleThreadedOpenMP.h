//===- SingleThreadedOpenMP.h - oneDNN on one thread ------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GNN_CPU_SINGLETHREADEDOPENMP_H
#define GNN_CPU_SINGLETHREADEDOPENMP_H

// The two functions of OpenMP that we need, of the runtime that oneDNN is linked with (another compiler's omp.h may
// belong to another one).
extern "C" int omp_get_max_threads(void);
extern "C" void omp_set_num_threads(int);

namespace gnn::rt {

/// oneDNN is OpenMP inside; here every product is one thread's, so that its bits do not depend on the number of
/// threads. What oneDNN makes ready keeps the number that it then found.
class SingleThreadedOpenMP {
public:
  SingleThreadedOpenMP() : before(omp_get_max_threads()) {
    if (before != 1)
      omp_set_num_threads(1);
  }
  ~SingleThreadedOpenMP() {
    if (before != 1)
      omp_set_num_threads(before);
  }

  SingleThreadedOpenMP(const SingleThreadedOpenMP &) = delete;
  SingleThreadedOpenMP &operator=(const SingleThreadedOpenMP &) = delete;

private:
  int before;
};

} // namespace gnn::rt

#endif // GNN_CPU_SINGLETHREADEDOPENMP_H
