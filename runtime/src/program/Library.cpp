//===- Library.cpp - Opening a compiled library ---------------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/src/program/Library.h"

#include "runtime/src/core/Guard.h"
#include "runtime/src/program/LibraryFile.h"

#include <nlohmann/json.hpp>

#include <cstddef>
#include <cstdlib>
#include <dlfcn.h>

namespace gnn::rt {

namespace {

/// Whether processor and operating system (the state that xgetbv reports) support a level of x86-64.
bool isSupported(const std::string &isa) {
  __builtin_cpu_init();
  if (isa == "x86-64-v2")
    return __builtin_cpu_supports("x86-64-v2");
  if (isa == "x86-64-v3")
    return __builtin_cpu_supports("x86-64-v3");
  if (isa == "x86-64-v4")
    return __builtin_cpu_supports("x86-64-v4");
  return isa == "x86-64";
}

std::string wantedIsa(const std::string &asked) {
  const char *environment = std::getenv("GNN_ISA");
  return asked.empty() && environment ? environment : asked;
}

const gnn_isa_t *pickIsa(const gnn_library_t &library, const std::string &path, const std::string &wanted) {
  std::string compiled;
  for (uint32_t i = library.num_isas; i-- > 0;) {
    const gnn_isa_t &isa = library.isas[i];
    if (wanted.empty() ? isSupported(isa.name) : wanted == isa.name) {
      require(isSupported(isa.name), GNN_ERROR_MISMATCH, path, ": this processor does not support ", isa.name);
      return &isa;
    }
    compiled += compiled.empty() ? isa.name : std::string(", ") + isa.name;
  }
  if (wanted.empty())
    fail(GNN_ERROR_MISMATCH, path, ": this processor supports none of the instruction sets it was compiled for (",
         compiled, ")");
  fail(GNN_ERROR_MISMATCH, path, ": not compiled for the instruction set '", wanted, "', but for ", compiled);
}

} // namespace

Library::Library(const gnn_library_t *table, const std::string &path, bool isFile, const std::string &isa)
    : file(path), library(table) {
  checkLibrary(table, path, isFile);
  const std::string wanted = wantedIsa(isa);
  code = pickIsa(*table, path, wanted);
  isForced = !wanted.empty();
}

std::shared_ptr<const Library> Library::open(const std::string &path, const std::string &isa) {
  // A name without a slash would be searched for in the system's directories.
  std::string explicitPath = path.find('/') == std::string::npos ? "./" + path : path;
  checkLibraryFile(explicitPath);
  std::shared_ptr<void> handle(dlopen(explicitPath.c_str(), RTLD_NOW | RTLD_LOCAL), [](void *open) {
    if (open)
      dlclose(open);
  });
  require(handle != nullptr, GNN_ERROR_IO, "cannot open compiled library ", path, ": ", handle ? "" : dlerror());
  auto *table = static_cast<const gnn_library_t *>(dlsym(handle.get(), GNN_LIBRARY_SYMBOL));
  require(table != nullptr, GNN_ERROR_VERSION, path,
          " is not a library compiled by gnnc of this version: it has no symbol ", GNN_LIBRARY_SYMBOL);
  std::shared_ptr<Library> library(new Library(table, path, /*isFile=*/true, isa));
  library->handle = std::move(handle);
  return library;
}

std::shared_ptr<const Library> Library::fromTable(const gnn_library_t *table, const std::string &path,
                                                  const std::string &isa) {
  return std::shared_ptr<const Library>(new Library(table, path, /*isFile=*/false, isa));
}

/// Null if the library has no manifest, or one that is no JSON.
static nlohmann::json manifestOf(const gnn_library_t &library) {
  if (library.size < offsetof(gnn_library_t, manifest_bytes) + sizeof(library.manifest_bytes) || !library.manifest)
    return nullptr;
  auto manifest = nlohmann::json::parse(library.manifest, library.manifest + library.manifest_bytes, nullptr,
                                        /*allow_exceptions=*/false);
  return manifest.is_object() ? manifest : nullptr;
}

std::string manifestText(const gnn_library_t &library, const char *key) {
  const nlohmann::json manifest = manifestOf(library);
  return manifest.contains(key) && manifest[key].is_string() ? manifest[key].get<std::string>() : "";
}

std::string sourceOfKernel(const gnn_library_t &library, const char *kernel) {
  const nlohmann::json manifest = manifestOf(library);
  for (const nlohmann::json &described : manifest.value("kernels", nlohmann::json::array()))
    if (described.value("name", "") == kernel && described["source"].is_object())
      return described["source"].value("file", "") + ":" + std::to_string(described["source"].value("line", 0));
  return "";
}

const gnn_program_t *Library::program(uint32_t kind) const {
  const std::vector<const gnn_program_t *> all = programs(kind);
  return all.empty() ? nullptr : all[0];
}

bool Library::roundsProducts() const {
  for (const gnn_program_t *program = library->programs; program != library->programs + library->num_programs;
       ++program)
    if (steps(*program).any(
            [](const ProgramStep &step) { return step.isProduct() && (step->flags & GNN_MATMUL_BF16); }))
      return true;
  return false;
}

std::vector<const gnn_program_t *> Library::programs(uint32_t kind) const {
  std::vector<const gnn_program_t *> found;
  for (uint32_t i = 0; i < library->num_programs; ++i)
    if (library->programs[i].kind == kind)
      found.push_back(&library->programs[i]);
  return found;
}

std::vector<const gnn_program_t *> Library::firstPrograms() const {
  std::vector<const gnn_program_t *> found;
  for (uint32_t i = 0; i < library->num_programs; ++i)
    if (const gnn_program_t *each = &library->programs[i]; each == program(each->kind) && !isPullback(*each))
      found.push_back(each);
  return found;
}

std::optional<uint32_t> Library::findTensor(const std::string &name) const {
  for (uint32_t i = 0; i < library->num_tensors; ++i)
    if (name == library->tensors[i].name)
      return i;
  return std::nullopt;
}

std::optional<uint32_t> Library::findDim(const std::string &name) const {
  for (uint32_t i = 0; i < library->num_dims; ++i)
    if (name == library->dims[i].name)
      return i;
  return std::nullopt;
}

std::optional<uint32_t> pairsRelation(const Library &library) {
  for (uint32_t r = 0; r < library.table().num_relations; ++r)
    if (isOfPairs(library, r))
      return r;
  return std::nullopt;
}

const gnn_tensor_info_t *lossMask(const Library &library) {
  for (const gnn_tensor_info_t &info : library.tensors())
    if (info.role == GNN_ROLE_MASK)
      return &info;
  return nullptr;
}

} // namespace gnn::rt
