//===- LibraryCheck.cpp - Checks of a compiled library's tables -----------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/src/core/Guard.h"

#include "runtime/src/core/Narrow.h"
#include "runtime/src/core/Tensor.h"
#include "runtime/src/program/Library.h"
#include "runtime/src/program/ProgramUses.h"
#include <algorithm>
#include <tuple>

namespace gnn::rt {

namespace {

/// Reads what is where it is in every version.
[[noreturn]] void failOfVersion(const gnn_library_t &library, const std::string &path, bool isFile) {
  auto textOr = [&](const char *key, const std::string &otherwise) { // older compilers did not write all of them
    const std::string text = manifestText(library, key);
    return text.empty() ? otherwise : text;
  };
  const std::string model = textOr("model", "the model");
  const bool isNewer = library.abi_version > GNN_ABI_VERSION;
  fail(GNN_ERROR_VERSION, path, ": compiled by gnnc ", textOr("gnnc", "of another version"), " for version ",
       library.abi_version,
       " of the runtime's interface; this runtime, of gnnc " GNNC_VERSION ", loads libraries of version ",
       GNN_ABI_VERSION, ". Compile ", model, " again with the gnnc of this runtime",
       isNewer ? ", or use the runtime of that gnnc: " : ": ", textOr("command", "gnnc " + model + ".gnn"),
       isFile ? " -o " + path : "");
}

/// Walks the tables in an order in which each check reads only what earlier ones found sound.
class Checker {
public:
  Checker(const gnn_library_t *table, const std::string &path, bool isFile)
      : library(table), path(path), isFile(isFile) {}

  void run() {
    checkVersion();
    checkTables();
    for (uint32_t i = 0; i < library->num_extents; ++i)
      checkExtent(library->extents[i], i);
    for (uint32_t i = 0; i < library->num_vertex_types; ++i)
      check(library->vertex_types[i].name && library->vertex_types[i].rows >= -1 &&
                library->vertex_types[i].rows < int64_t(library->num_extents) &&
                library->vertex_types[i].is_table <= 1 &&
                (library->vertex_types[i].rows >= 0 || !library->vertex_types[i].is_table),
            "vertex type", i);
    for (uint32_t i = 0; i < library->num_relations; ++i)
      checkRelation(library->relations[i], i);
    for (uint32_t i = 0; i < library->num_tensors; ++i)
      checkTensor(library->tensors[i], i);
    for (uint32_t i = 0; i < library->num_kernels; ++i)
      checkKernel(library->kernels[i], i);
    for (uint32_t i = 0; i < library->num_tunings; ++i)
      checkTuning(library->tunings[i], i);
    for (uint32_t i = 0; i < library->num_isas; ++i)
      checkIsa(library->isas[i], i);
    if (library->device)
      checkDevice(*library->device);
    for (uint32_t i = 0; i < library->num_programs; ++i)
      checkProgram(library->programs[i], i);
  }

private:
  void check(bool condition, const char *table, uint64_t index) const {
    require(condition, GNN_ERROR_DATA, path, ": malformed library: ", table, " ", index, " is wrong");
  }

  void checkSize(uint32_t found, size_t expected, const char *what) const {
    require(found == expected, GNN_ERROR_VERSION, path, ": compiled for another version of the runtime: ", what,
            " has ", found, " bytes, expected ", expected);
  }

  void checkVersion() const {
    require(library->size >= 12 && library->magic == GNN_LIBRARY_MAGIC, GNN_ERROR_VERSION, path,
            ": not a library compiled by gnnc");
    if (library->abi_version != GNN_ABI_VERSION)
      failOfVersion(*library, path, isFile);
    checkSize(library->size, sizeof(gnn_library_t), "gnn_library_t");
  }

  void checkTables() const {
    const gnn_library_t &l = *library;
    check((l.real == GNN_F32 || l.real == GNN_F64) && l.name && l.manifest, "header", 0);
    check((!l.num_dims || l.dims) && (!l.num_extents || l.extents) && (!l.num_vertex_types || l.vertex_types) &&
              (!l.num_relations || l.relations) && (!l.num_tensors || l.tensors) && (!l.num_kernels || l.kernels) &&
              (!l.num_tunings || l.tunings) && l.num_isas && l.isas && l.num_programs && l.programs,
          "header", 1);
    for (uint32_t i = 0; i < l.num_dims; ++i)
      check(l.dims[i].name != nullptr, "dimension", i);
  }

  void checkExtent(const gnn_extent_t &extent, uint32_t index) const {
    check(!extent.num_terms || extent.terms, "extent", index);
    for (uint32_t t = 0; t < extent.num_terms; ++t) {
      const gnn_term_t &term = extent.terms[t];
      check(!term.num_factors || term.factors, "extent", index);
      for (uint32_t f = 0; f < term.num_factors; ++f)
        check(term.factors[f] < library->num_dims, "extent", index);
    }
  }

  /// A sparse input goes from its columns to vertices, everything else from vertices to vertices.
  void checkRelation(const gnn_relation_t &relation, uint32_t index) const {
    check(relation.name && relation.source_type < library->num_vertex_types &&
              relation.destination_type < library->num_vertex_types && relation.kind <= GNN_RELATION_PAIRS &&
              relation.types >= -1 && relation.types < int64_t(library->num_extents),
          "relation", index);
    check(library->vertex_types[relation.source_type].is_table == (relation.kind == GNN_RELATION_SPARSE_INPUT) &&
              !library->vertex_types[relation.destination_type].is_table &&
              (!relation.transforms || relation.kind == GNN_RELATION_EDGES) &&
              (relation.types < 0 || relation.kind != GNN_RELATION_SPARSE_INPUT),
          "relation", index);
  }

  void checkTensor(const gnn_tensor_info_t &tensor, uint32_t index) const {
    checkSize(tensor.size, sizeof(gnn_tensor_info_t), "gnn_tensor_info_t");
    check(tensor.name && tensor.role <= GNN_ROLE_COTANGENT && tensor.domain <= GNN_DOMAIN_PARAM &&
              tensor.element <= GNN_F16 && tensor.rank < GNN_MAX_RANK && (!tensor.rank || tensor.shape),
          "tensor", index);
    if (tensor.element == GNN_BITS)
      check(tensor.role == GNN_ROLE_TEMP && tensor.domain == GNN_DOMAIN_VERTEX && tensor.rank > 0, "tensor", index);
    if (isNarrow(tensor.element))
      check((tensor.role == GNN_ROLE_TEMP || tensor.role == GNN_ROLE_INPUT) && tensor.domain != GNN_DOMAIN_PARAM &&
                tensor.rank > 0 && library->real == GNN_F32,
            "tensor", index);
    if (tensor.domain != GNN_DOMAIN_PARAM)
      check(tensor.type < (tensor.domain == GNN_DOMAIN_EDGE ? library->num_relations : library->num_vertex_types),
            "tensor", index);
    for (uint32_t d = 0; d < tensor.rank; ++d)
      check(tensor.shape[d] < library->num_extents, "tensor", index);
    if (tensor.role == GNN_ROLE_PARAM || tensor.role == GNN_ROLE_STATE)
      check(tensor.domain == GNN_DOMAIN_PARAM && tensor.fan_in < library->num_extents &&
                tensor.fan_out < library->num_extents && tensor.init <= GNN_INIT_CONSTANT &&
                (tensor.element == GNN_F32 || tensor.element == GNN_F64),
            "tensor", index);
    if (tensor.role == GNN_ROLE_GRAD || tensor.role == GNN_ROLE_STATE_NEXT || tensor.role == GNN_ROLE_COTANGENT)
      check(tensor.source >= 0 && tensor.source < int64_t(library->num_tensors), "tensor", index);
    if (tensor.role == GNN_ROLE_STATE_NEXT) { // copied as it is
      const gnn_tensor_info_t &state = library->tensors[tensor.source];
      check(state.role == GNN_ROLE_STATE && tensor.domain == GNN_DOMAIN_PARAM && state.element == tensor.element &&
                state.rank == tensor.rank && std::equal(tensor.shape, tensor.shape + tensor.rank, state.shape),
            "tensor", index);
    }
    if (tensor.role == GNN_ROLE_MASK)
      check(tensor.domain != GNN_DOMAIN_PARAM && tensor.rank == 0, "tensor", index);
    if (countsEdges(tensor.role) || tensor.role == GNN_ROLE_WEIGHTS)
      check(tensor.source >= 0 && tensor.source < int64_t(library->num_relations), "tensor", index);
    if (tensor.role == GNN_ROLE_COUNT_IN || tensor.role == GNN_ROLE_COUNT_OUT) {
      const gnn_relation_t &relation = library->relations[tensor.source];
      const bool isIn = tensor.role == GNN_ROLE_COUNT_IN;
      check(tensor.domain == GNN_DOMAIN_VERTEX && tensor.rank <= 1 && relation.kind != GNN_RELATION_PAIRS &&
                tensor.type == (isIn ? relation.destination_type : relation.source_type),
            "tensor", index);
    }
    if (tensor.role == GNN_ROLE_WEIGHTS)
      check(library->relations[tensor.source].kind == GNN_RELATION_SPARSE_INPUT, "tensor", index);
  }

  static bool isTableSum(const gnn_kernel_t &kernel) {
    return kernel.kind == GNN_KERNEL_SWEEP && kernel.num_totals > 0;
  }
  static bool hasMerge(const gnn_kernel_t &kernel) { return kernel.kind == GNN_KERNEL_SWEEP && kernel.num_totals == 0; }

  void checkKernel(const gnn_kernel_t &kernel, uint32_t index) const {
    checkSize(kernel.size, sizeof(gnn_kernel_t), "gnn_kernel_t");
    check(kernel.name && kernel.kind <= GNN_KERNEL_MAP && (!kernel.num_operands || kernel.access) &&
              kernel.num_inputs + uint64_t(kernel.num_totals) <= kernel.num_operands &&
              kernel.scratch_bytes < library->num_extents && kernel.state_bytes < library->num_extents &&
              kernel.passes >= -1 && kernel.passes < int64_t(library->num_extents) &&
              kernel.knobs.pass % GNN_PASS_ELEMENTS == 0 && (kernel.num_totals == 0 || kernel.total_folds) &&
              (!isTableSum(kernel) || kernel.num_inputs + kernel.num_totals == kernel.num_operands),
          "kernel", index);
    for (uint32_t i = 0; i < kernel.num_operands; ++i)
      check(kernel.access[i] <= GNN_ACCESS_WHOLE, "kernel", index);
    for (uint32_t i = 0; i < kernel.num_totals; ++i)
      check(kernel.total_folds[i] <= GNN_FOLD_MIN, "kernel", index);
  }

  void checkTuning(const gnn_tuning_t &tuning, uint32_t index) const {
    check(tuning.vertices >= 0 && tuning.edges >= 0 && tuning.longest >= 0 && (!library->num_kernels || tuning.knobs),
          "tuning", index);
    for (uint32_t k = 0; k < library->num_kernels; ++k)
      check(tuning.knobs[k].pass % GNN_PASS_ELEMENTS == 0, "tuning", index);
  }

  void checkDevice(const gnn_device_t &device) const {
    check(device.num_images && device.images && (!library->num_kernels || (device.run && device.merge)), "device", 0);
    for (uint32_t i = 0; i < device.num_images; ++i) {
      const gnn_device_image_t &image = device.images[i];
      check(image.data && image.bytes && (!image.is_ptx || !static_cast<const char *>(image.data)[image.bytes - 1]),
            "device image", i);
    }
    for (uint32_t k = 0; k < library->num_kernels; ++k) {
      checkDeviceFunction(device.run[k], k);
      if (hasMerge(library->kernels[k]))
        checkDeviceFunction(device.merge[k], k);
    }
  }

  void checkDeviceFunction(const gnn_device_function_t &function, uint32_t kernel) const {
    constexpr uint32_t mostThreads = 1024; // of a block, on every device
    checkSize(function.size, sizeof(gnn_device_function_t), "gnn_device_function_t");
    check(function.name && function.group_threads && function.block_threads <= mostThreads &&
              function.block_threads >= function.group_threads &&
              function.block_threads % function.group_threads == 0 && function.scratch_bytes < library->num_extents &&
              function.state_bytes < library->num_extents && function.shared_bytes < library->num_extents &&
              (!function.num_parameters || function.parameters),
          "device function", kernel);
    for (uint32_t i = 0; i < function.num_parameters; ++i) {
      const uint32_t source = function.parameters[i] & 0xffff, index = function.parameters[i] >> 16;
      const bool isOfBlock = source == GNN_PARAMETER_BLOCK || source == GNN_PARAMETER_GIVEN;
      const uint32_t count = source == GNN_PARAMETER_TENSOR ? library->kernels[kernel].num_operands
                             : isOfBlock                    ? GNN_BLOCK_HOT + 1
                                                            : 1;
      check(source <= GNN_PARAMETER_SLOT_ROWS && index < count, "device function", kernel);
    }
  }

  void checkIsa(const gnn_isa_t &isa, uint32_t index) const {
    check(isa.name && (!library->num_kernels || (isa.run && isa.merge)), "instruction set", index);
    for (uint32_t k = 0; k < library->num_kernels; ++k)
      check(isa.run[k] && (isa.merge[k] || !hasMerge(library->kernels[k])), "instruction set", index);
  }

  void checkProgram(const gnn_program_t &program, uint32_t index) const {
    checkSize(program.size, sizeof(gnn_program_t), "gnn_program_t");
    check(program.name && (!program.num_steps || program.steps) && (!program.num_results || program.results), "program",
          index);
    for (uint32_t i = 0; i < program.num_steps; ++i)
      checkStep(program.steps[i], i);
    for (uint32_t i = 0; i < program.num_results; ++i) {
      check(program.results[i] < library->num_tensors, "program", index);
      for (uint32_t j = 0; j < i; ++j)
        check(program.results[i] != program.results[j], "program", index);
    }
    checkUses(program);
    for (const gnn_program_t *other = library->programs; other != &program; ++other)
      check(other->kind != program.kind || std::equal(program.results, program.results + program.num_results,
                                                      other->results, other->results + other->num_results),
            "program", index);
    if (isPullback(program))
      checkPullback(program, index);
    if (program.kind != GNN_PROGRAM_TRAIN)
      return;
    check(program.num_results > 0, "program", index);
    const gnn_tensor_info_t &loss = library->tensors[program.results[0]];
    check(loss.domain == GNN_DOMAIN_PARAM && loss.rank == 0, "program", index);
    checkOrder(program, index);
  }

  /// Outputs, or the loss, come first, then gradients, then next states.
  void checkOrder(const gnn_program_t &program, uint32_t index) const {
    auto place = [&](uint32_t result) {
      const uint32_t role = library->tensors[program.results[result]].role;
      return role == GNN_ROLE_GRAD ? 1 : role == GNN_ROLE_STATE_NEXT ? 2 : 0;
    };
    const uint32_t most = program.kind == GNN_PROGRAM_TRAIN ? 1 : program.num_results; // that come first
    for (uint32_t i = 1; i < program.num_results; ++i)
      check(place(i) >= place(i - 1) && (place(i) > 0 || i < most), "program", index);
  }

  /// Backward can wait for its cotangents: no step of forward reads one.
  void checkPullback(const gnn_program_t &program, uint32_t index) const {
    checkOrder(program, index);
    for (uint32_t s = 0; s < program.num_steps; ++s)
      for (const Operand operand : ProgramStep(*library, program.steps[s]).operands())
        check(program.steps[s].phase == GNN_PHASE_BACKWARD ||
                  library->tensors[operand.tensor].role != GNN_ROLE_COTANGENT,
              "step", s);
  }

  /// That it says of its steps what follows from them.
  void checkUses(const gnn_program_t &program) const {
    const ProgramUses found = usesOf(*library, program);
    for (uint32_t s = 0; s < program.num_steps; ++s)
      check(program.steps[s].phase == found.phases[s] && program.steps[s].layer == found.layers[s], "step", s);
    check(program.num_uses == found.uses.size() && (!program.num_uses || program.uses), "use", 0);
    auto all = [](const gnn_use_t &use) {
      return std::tie(use.tensor, use.accesses, use.depth, use.first, use.last, use.is_kept);
    };
    for (uint32_t i = 0; i < program.num_uses; ++i)
      check(all(program.uses[i]) == all(found.uses[i]), "use", i);
  }

  void checkStep(const gnn_step_t &step, uint32_t index) const {
    checkSize(step.size, sizeof(gnn_step_t), "gnn_step_t");
    check(step.kind <= GNN_STEP_MATMUL_TN && (!step.num_tensors || step.tensors), "step", index);
    check(step.row_depth >= -1 && step.col_depth >= -1, "step", index);
    for (uint32_t i = 0; i < step.num_tensors; ++i)
      check(step.tensors[i] < library->num_tensors, "step", index);
    if (step.kind == GNN_STEP_MATMUL || step.kind == GNN_STEP_MATMUL_TN) {
      check(step.num_tensors == 3 && step.k < library->num_extents && step.n < library->num_extents &&
                step.vertex_type < library->num_vertex_types,
            "step", index);
      const bool isRounded = step.flags & GNN_MATMUL_BF16;
      check(step.flags <= (GNN_MATMUL_TRANSPOSE_B | GNN_MATMUL_BF16) &&
                (!isRounded || (library->real == GNN_F32 && !library->device)),
            "step", index);
      for (int i = 0; i < 3; ++i) {
        const gnn_tensor_info_t &operand = library->tensors[step.tensors[i]];
        check(operand.element == library->real || isNarrow(operand.element), "step", index);
      }
      return;
    }
    check(step.kernel < library->num_kernels, "step", index);
    const gnn_kernel_t &kernel = library->kernels[step.kernel];
    bool isSweep = step.kind == GNN_STEP_SWEEP;
    check(step.num_tensors == kernel.num_operands && isSweep == (kernel.kind == GNN_KERNEL_SWEEP) &&
              (isSweep ? step.relation < library->num_relations && step.direction <= GNN_TO_SOURCE
                       : step.vertex_type < library->num_vertex_types),
          "step", index);
  }

  const gnn_library_t *library;
  const std::string &path;
  bool isFile;
};

} // namespace

void checkLibrary(const gnn_library_t *table, const std::string &path, bool isFile) {
  Checker(table, path, isFile).run();
}

} // namespace gnn::rt
