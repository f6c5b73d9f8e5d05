//===- Proof.h - Imported programs against the exported ones ----*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GNNC_IMPORT_PROOF_H
#define GNNC_IMPORT_PROOF_H

#include "compiler/Import/ProgramText.h"

namespace gnnc::pt2 {

struct ProofResult {
  int numGraphs = 0;
  double maxDifference = 0;
};

/// Runs the exported program and the written one, in float64 and with the same random inputs and weights, on all
/// multigraphs of up to 3 vertices and 4 edges and on 200 random ones of up to 40 vertices. Throws ImportError with the
/// first graph where they differ by more than 1e-9 relative to max(1, |value|): the smallest one that shows it.
ProofResult prove(const Program &exported, const RaisedProgram &raised, const ProgramText &written,
                  const std::string &stdlib);

} // namespace gnnc::pt2

#endif // GNNC_IMPORT_PROOF_H
