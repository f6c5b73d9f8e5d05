//===- TablesTest.cpp - Tables of a compiled library ----------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An image goes through LLVM IR, an object and the linker, is opened, and has to read in C as it was written.
//
//===----------------------------------------------------------------------===//

#include "compiler/Target/CPU/ObjectEmitter.h"
#include "compiler/Target/CPU/SharedLibrary.h"
#include "compiler/Target/Library/EmitTables.h"
#include "llvm/AsmParser/Parser.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/SourceMgr.h"
#include <catch2/catch.hpp>
#include <dlfcn.h>
#include <memory>

using namespace gnnc;

namespace {

using Object = llvm::SmallVector<char, 0>;

LibraryImage exampleImage() {
  LibraryImage image;
  image.name = "Example";
  image.manifest = "{\"model\": \"Example\"}\n";
  image.real = GNN_F64;
  image.dims = {{"hidden", -1, 16}, {"in", 1433, -1}};
  image.extents = {*DimExpr::parse("2 * hidden * in + 3"), DimExpr(0)};
  image.vertexTypes = {{"vertex", -1}, {"x.columns", 1, true}};
  image.relations = {{"edge", 0, 0, GNN_RELATION_EDGES, GNN_GRAPH_SELF_LOOPS, 1},
                     {"x", 1, 0, GNN_RELATION_SPARSE_INPUT, 0}};
  TensorImage param;
  param.role = GNN_ROLE_PARAM;
  param.name = "conv1.W";
  param.domain = GNN_DOMAIN_PARAM;
  param.element = GNN_F64;
  param.shape = {0, 1};
  param.init = GNN_INIT_UNIFORM;
  param.initArgument = 0.25;
  param.fanIn = 1;
  image.tensors = {param, TensorImage()};
  image.tensors[1].name = "%0";
  KernelImage sweep, map;
  sweep.name = "k";
  sweep.access = {GNN_ACCESS_WHOLE, GNN_ACCESS_ROW};
  sweep.numInputs = 1;
  sweep.needs = GNN_KERNEL_RANDOM;
  map.kind = GNN_KERNEL_MAP;
  map.name = "m";
  image.kernels = {sweep, map};
  image.isas = {{"x86-64-v2", ".v2"}};
  DeviceImage device;
  device.run = {{"k", 8, 256, 1, 1, 0, 64, {GNN_PARAMETER_BEGIN, GNN_PARAMETER_TENSOR | 1 << 16}, 4096},
                {"m", 1, 128, 0, 0, 1, 0, {}}};
  device.merge = {{"k$merge", 1, 256, 0, 1, 0, 0, {}}, {}};
  device.code = {{80, false, std::string("\x7f\0ELF", 5)}, {90, true, ".target sm_90"}};
  image.device = device;
  StepImage step;
  step.rowDepth = 2;
  step.colDepth = 3;
  step.relation = 1;
  step.tensors = {0, 1};
  step.phase = GNN_PHASE_BACKWARD;
  step.layer = 4;
  const gnn_use_t use = {1, 1u << GNN_ACCESS_COL, 3, -1, 0, 1};
  image.programs = {{GNN_PROGRAM_TRAIN, "train", "", {}, {step}, {1, 0}, {use}}};
  return image;
}

/// Kernels `k` and `m`; the merge function of `k`.
const char *const kernels = R"(
define void @k.v2(ptr %args, i64 %begin, i64 %end) { ret void }
define void @k.merge.v2(ptr %args, i64 %begin, i64 %end) { ret void }
define void @m.v2(ptr %args, i64 %begin, i64 %end) { ret void }
)";

Object compileKernelText() {
  llvm::LLVMContext context;
  llvm::SMDiagnostic diagnostic;
  std::unique_ptr<llvm::Module> module = llvm::parseAssemblyString(kernels, diagnostic, context);
  REQUIRE(module);
  optimizeForIsa(*module, Isa::X86_64_V2);
  return llvm::cantFail(emitObject(*module, Isa::X86_64_V2));
}

Object compileTables(const LibraryImage &image) {
  llvm::LLVMContext context;
  return llvm::cantFail(emitObject(*emitTables(image, context), Isa::X86_64_V2));
}

/// A library of `image` and the kernels, linked and opened.
struct Loaded {
  explicit Loaded(const LibraryImage &image) {
    Object tables = compileTables(image), code = compileKernelText();
    llvm::SmallString<64> path;
    int descriptor = -1;
    REQUIRE(!llvm::sys::fs::createTemporaryFile("gnnc-tables", "so", descriptor, path));
    llvm::raw_fd_ostream(descriptor, /*shouldClose=*/true)
        << llvm::cantFail(linkSharedLibrary({tables, code}, "tables.so"));
    handle.reset(dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL));
    llvm::sys::fs::remove(path);
    REQUIRE(handle);
    library = static_cast<const gnn_library_t *>(dlsym(handle.get(), GNN_LIBRARY_SYMBOL));
    REQUIRE(library);
  }

  std::unique_ptr<void, int (*)(void *)> handle{nullptr, dlclose};
  const gnn_library_t *library = nullptr;
};

} // namespace

TEST_CASE("tables read in C as they were written") {
  Loaded loaded(exampleImage());
  CHECK(dlsym(loaded.handle.get(), "k.v2") == nullptr);
  const gnn_library_t *library = loaded.library;
  CHECK(dlsym(loaded.handle.get(), "model_library") == library); // by which programs link it

  CHECK(library->size == sizeof(gnn_library_t));
  CHECK(library->magic == GNN_LIBRARY_MAGIC);
  CHECK(library->abi_version == GNN_ABI_VERSION);
  CHECK(library->real == GNN_F64);
  CHECK(std::string(library->name) == "Example");
  CHECK(std::string(library->manifest, library->manifest_bytes) == "{\"model\": \"Example\"}\n");

  REQUIRE(library->num_dims == 2);
  CHECK(std::string(library->dims[0].name) == "hidden");
  CHECK(library->dims[0].fixed == -1);
  CHECK(library->dims[0].fallback == 16);
  CHECK(library->dims[1].fixed == 1433);

  REQUIRE(library->num_extents == 2);
  REQUIRE(library->extents[0].num_terms == 2);
  int64_t constant = 0, product = 0;
  for (uint32_t i = 0; i < 2; ++i) {
    const gnn_term_t &term = library->extents[0].terms[i];
    if (term.num_factors == 0)
      constant = term.coefficient;
    else if (term.num_factors == 2 && term.factors[0] == 0 && term.factors[1] == 1)
      product = term.coefficient;
  }
  CHECK(constant == 3);
  CHECK(product == 2);
  CHECK(library->extents[1].num_terms == 0);

  REQUIRE(library->num_vertex_types == 2);
  CHECK(library->vertex_types[0].rows == -1);
  CHECK(library->vertex_types[1].rows == 1);
  CHECK(library->vertex_types[0].is_table == 0);
  CHECK(library->vertex_types[1].is_table == 1);
  REQUIRE(library->num_relations == 2);
  CHECK(library->relations[0].transforms == GNN_GRAPH_SELF_LOOPS);
  CHECK(library->relations[0].types == 1);
  CHECK(library->relations[1].types == -1);
  CHECK(library->relations[1].source_type == 1);
  CHECK(library->relations[1].kind == GNN_RELATION_SPARSE_INPUT);

  REQUIRE(library->num_tensors == 2);
  const gnn_tensor_info_t &param = library->tensors[0];
  CHECK(param.size == sizeof(gnn_tensor_info_t));
  CHECK(param.role == GNN_ROLE_PARAM);
  CHECK(std::string(param.name) == "conv1.W");
  REQUIRE(param.rank == 2);
  CHECK(param.shape[1] == 1);
  CHECK(param.source == -1);
  CHECK(param.init == GNN_INIT_UNIFORM);
  CHECK(param.init_arg == 0.25);
  CHECK(param.fan_in == 1);
  CHECK(library->tensors[1].rank == 0);

  REQUIRE(library->num_kernels == 2);
  const gnn_kernel_t &sweep = library->kernels[0];
  CHECK(std::string(sweep.name) == "k");
  REQUIRE(sweep.num_operands == 2);
  CHECK(sweep.access[0] == GNN_ACCESS_WHOLE);
  CHECK(sweep.num_inputs == 1);
  CHECK(sweep.needs == GNN_KERNEL_RANDOM);
  REQUIRE(library->num_isas == 1);
  const gnn_isa_t &isa = library->isas[0];
  CHECK(std::string(isa.name) == "x86-64-v2");
  CHECK(isa.run[0] != nullptr);
  CHECK(isa.run[1] != isa.run[0]);
  CHECK(isa.merge[0] != nullptr);
  CHECK(isa.merge[1] == nullptr);
  isa.run[1](nullptr, 0, 0);

  REQUIRE(library->num_programs == 1);
  const gnn_program_t &program = library->programs[0];
  CHECK(program.kind == GNN_PROGRAM_TRAIN);
  CHECK(std::string(program.name) == "train");
  REQUIRE(program.num_results == 2);
  CHECK(program.results[0] == 1);
  REQUIRE(program.num_steps == 1);
  CHECK(program.steps[0].size == sizeof(gnn_step_t));
  CHECK(program.steps[0].relation == 1);
  CHECK(program.steps[0].phase == GNN_PHASE_BACKWARD);
  CHECK(program.steps[0].layer == 4);
  CHECK(program.steps[0].row_depth == 2);
  CHECK(program.steps[0].col_depth == 3);
  REQUIRE(program.steps[0].num_tensors == 2);
  CHECK(program.steps[0].tensors[1] == 1);
  REQUIRE(program.num_uses == 1);
  CHECK(program.uses[0].tensor == 1);
  CHECK(program.uses[0].accesses == 1u << GNN_ACCESS_COL);
  CHECK(program.uses[0].depth == 3);
  CHECK(program.uses[0].first == -1);
  CHECK(program.uses[0].last == 0);
  CHECK(program.uses[0].is_kept == 1);
}

TEST_CASE("tables of device functions read in C as they were written") {
  Loaded loaded(exampleImage());
  REQUIRE(loaded.library->device);
  const gnn_device_t &device = *loaded.library->device;
  const gnn_device_function_t &sweep = device.run[0], &map = device.run[1];
  CHECK(sweep.size == sizeof(gnn_device_function_t));
  CHECK(std::string(sweep.name) == "k");
  CHECK(sweep.split == 4096);
  CHECK(sweep.group_threads == 8);
  CHECK(sweep.block_threads == 256);
  CHECK(sweep.shared_bytes == 1);
  CHECK(sweep.hot_cols == 64);
  CHECK(sweep.scratch_bytes == 1);
  CHECK(sweep.state_bytes == 0);
  REQUIRE(sweep.num_parameters == 2);
  CHECK(sweep.parameters[1] == (GNN_PARAMETER_TENSOR | 1 << 16));
  CHECK(map.num_parameters == 0);
  CHECK(std::string(device.merge[0].name) == "k$merge");
  CHECK(device.merge[1].name == nullptr);
  REQUIRE(device.num_images == 2);
  CHECK(device.images[0].arch == 80);
  CHECK(device.images[0].is_ptx == 0);
  CHECK(std::string(static_cast<const char *>(device.images[0].data), device.images[0].bytes) ==
        std::string("\x7f\0ELF", 5));
  CHECK(device.images[1].is_ptx == 1);
  CHECK(device.images[1].bytes == sizeof ".target sm_90");
  CHECK(std::string(static_cast<const char *>(device.images[1].data)) == ".target sm_90");

  LibraryImage without = exampleImage();
  without.device.reset();
  CHECK(Loaded(without).library->device == nullptr);
}

TEST_CASE("the same image gives the same object") {
  CHECK(compileTables(exampleImage()) == compileTables(exampleImage()));
}
