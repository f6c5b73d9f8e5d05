//===- Library.h - A compiled library, opened and checked -------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Opens what the compiler wrote and checks version and every index of its tables once, so that the rest of the runtime
// reads them without looking back. Picks the code for the best instruction set that this processor and operating system
// support.
//
//===----------------------------------------------------------------------===//

#ifndef GNN_PROGRAM_LIBRARY_H
#define GNN_PROGRAM_LIBRARY_H

#include "gnn/program.h"
#include "runtime/src/core/Span.h"
#include "runtime/src/program/Steps.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace gnn::rt {

class Library {
public:
  /// Loads the shared library at `path`, never by search path. `isa` forces an instruction set by name; empty: that of
  /// the environment variable GNN_ISA or else the best. Throws GNN_ERROR_IO, GNN_ERROR_VERSION, GNN_ERROR_DATA or (an
  /// instruction set that is not there) GNN_ERROR_MISMATCH.
  static std::shared_ptr<const Library> open(const std::string &path, const std::string &isa = "");
  /// A table in this process, which must outlive the library; `path` names it in messages.
  static std::shared_ptr<const Library> fromTable(const gnn_library_t *table, const std::string &path,
                                                  const std::string &isa = "");

  const std::string &path() const { return file; }
  std::string name() const { return library->name; }
  const gnn_library_t &table() const { return *library; }
  const gnn_isa_t &isa() const { return *code; }
  /// Whether somebody asked for this instruction set: then nothing is to use more.
  bool isIsaForced() const { return isForced; }
  Span<const gnn_tensor_info_t> tensors() const { return {library->tensors, library->num_tensors}; }
  const gnn_tensor_info_t &tensor(uint32_t index) const { return library->tensors[index]; }
  const gnn_kernel_t &kernel(uint32_t index) const { return library->kernels[index]; }
  const gnn_relation_t &relation(uint32_t index) const { return library->relations[index]; }
  /// True if the rows of a vertex type are those of a table with a fixed number of rows: columns of a sparse input.
  bool isTable(uint32_t vertexType) const { return library->vertex_types[vertexType].is_table != 0; }
  ProgramStep step(const gnn_step_t &step) const { return {*library, step}; }
  ProgramSteps steps(const gnn_program_t &program) const { return {*library, program}; }
  /// The program of kind GNN_PROGRAM_*, null if the model has none (one without a loss is not trained). Of several it
  /// is the first, which stands where nobody chooses among them.
  const gnn_program_t *program(uint32_t kind) const;
  /// All of a kind.
  std::vector<const gnn_program_t *> programs(uint32_t kind) const;
  /// The first of each kind but pullbacks: those that files and memory are made ready for.
  std::vector<const gnn_program_t *> firstPrograms() const;
  /// Whether a dense product rounds what it multiplies to bf16.
  bool roundsProducts() const;
  /// The tensor called `name`.
  std::optional<uint32_t> findTensor(const std::string &name) const;
  std::optional<uint32_t> findDim(const std::string &name) const;

private:
  Library(const gnn_library_t *table, const std::string &path, bool isFile, const std::string &isa);

  std::shared_ptr<void> handle; // of dlopen; null for a table in this process
  std::string file;
  const gnn_library_t *library;
  const gnn_isa_t *code;
  bool isForced;
};

/// Whether its gradients are of outputs, times cotangents that its caller gives between the forward and the backward
/// steps.
inline bool isPullback(const gnn_program_t &program) {
  return program.kind == GNN_PROGRAM_VJP || program.kind == GNN_PROGRAM_VJP_TRAIN;
}

inline bool isOfPairs(const Library &library, uint32_t relation) {
  return library.relation(relation).kind == GNN_RELATION_PAIRS;
}
/// The relation of pairs that the model scores, if it does.
std::optional<uint32_t> pairsRelation(const Library &library);

/// The weights of the rows in the loss, whose domain and type say of which tables; null if there are none.
const gnn_tensor_info_t *lossMask(const Library &library);

/// Whether tensors of a role are numbers of the edges of each vertex: degrees, or counts of those that are seen.
inline bool countsEdges(uint32_t role) {
  return role == GNN_ROLE_DEGREE_IN || role == GNN_ROLE_DEGREE_OUT || role == GNN_ROLE_COUNT_IN ||
         role == GNN_ROLE_COUNT_OUT;
}

/// The text that a library's manifest has under `key`, empty if none; of libraries of any version.
std::string manifestText(const gnn_library_t &library, const char *key);
/// The place in the model's source that a kernel computes, as `gcn.gnn:14`; empty if the manifest does not say.
std::string sourceOfKernel(const gnn_library_t &library, const char *kernel);

/// Throws GNN_ERROR_VERSION if the table is not ours or of another version, GNN_ERROR_DATA if an index or a count in it
/// is wrong. `isFile`: of the library at `path`, which otherwise only names it.
void checkLibrary(const gnn_library_t *table, const std::string &path, bool isFile);

} // namespace gnn::rt

#endif // GNN_PROGRAM_LIBRARY_H
