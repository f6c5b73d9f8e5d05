//===- SharedLibraryTest.cpp - Objects and libraries of the CPU target ----===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/Target/CPU/SharedLibrary.h"
#include "compiler/Target/CPU/KernelCodegen.h"
#include "compiler/Target/CPU/ObjectEmitter.h"
#include "llvm/AsmParser/Parser.h"
#include "llvm/IR/Module.h"
#include "llvm/Object/ELFObjectFile.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/SourceMgr.h"
#include <catch2/catch.hpp>
#include <dlfcn.h>

using namespace gnnc;

namespace {

llvm::SmallVector<char, 0> compile(llvm::StringRef text, Isa isa) {
  llvm::LLVMContext context;
  llvm::SMDiagnostic diagnostic;
  auto module = llvm::parseAssemblyString(text, diagnostic, context);
  REQUIRE(module);
  optimizeForIsa(*module, isa);
  return llvm::cantFail(emitObject(*module, isa));
}

std::string link(llvm::ArrayRef<llvm::ArrayRef<char>> objects) {
  llvm::SmallString<64> path;
  int descriptor = -1;
  REQUIRE(!llvm::sys::fs::createTemporaryFile("gnnc-test", "so", descriptor, path));
  llvm::raw_fd_ostream(descriptor, /*shouldClose=*/true) << llvm::cantFail(linkSharedLibrary(objects, "test.so"));
  return path.str().str();
}

struct Dynamic {
  std::vector<std::string> needed, exported, imported;
};

Dynamic readDynamic(llvm::StringRef path) {
  auto binary = llvm::cantFail(llvm::object::ObjectFile::createObjectFile(path));
  auto &elf = llvm::cast<llvm::object::ELF64LEObjectFile>(*binary.getBinary());
  Dynamic result;
  for (const auto &symbol : elf.getDynamicSymbolIterators()) {
    auto name = llvm::cantFail(symbol.getName()).str();
    bool undefined = llvm::cantFail(symbol.getFlags()) & llvm::object::SymbolRef::SF_Undefined;
    (undefined ? result.imported : result.exported).push_back(name);
  }
  const auto &file = elf.getELFFile();
  auto entries = llvm::cantFail(file.dynamicEntries());
  const char *strings = nullptr;
  for (const auto &entry : entries)
    if (entry.getTag() == llvm::ELF::DT_STRTAB)
      strings = reinterpret_cast<const char *>(llvm::cantFail(file.toMappedAddr(entry.getPtr())));
  for (const auto &entry : entries)
    if (entry.getTag() == llvm::ELF::DT_NEEDED)
      result.needed.push_back(strings + entry.getVal());
  return result;
}

constexpr llvm::StringLiteral table = R"(
  @gnn_library_v1 = constant ptr @"twice.v2"
  declare i32 @"twice.v2"(i32))";
constexpr llvm::StringLiteral twice = R"(
  define i32 @"twice.v2"(i32 %x) { %y = add i32 %x, %x ret i32 %y })";

} // namespace

TEST_CASE("a library exports its table, hides its functions and needs nothing") {
  auto tableObject = compile(table, Isa::X86_64_V2), codeObject = compile(twice, Isa::X86_64_V2);
  std::string path = link({tableObject, codeObject});
  Dynamic dynamic = readDynamic(path);
  CHECK(dynamic.exported == std::vector<std::string>{"gnn_library_v1"});
  CHECK(dynamic.imported.empty());
  CHECK(dynamic.needed.empty());

  void *library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  REQUIRE(library);
  auto function = *static_cast<int (**)(int)>(dlsym(library, "gnn_library_v1"));
  CHECK(function(21) == 42);
  dlclose(library);
  llvm::sys::fs::remove(path);
}

TEST_CASE("the same objects give the same bytes") {
  auto object = compile(twice, Isa::X86_64_V3);
  CHECK(llvm::cantFail(linkSharedLibrary({object}, "test.so")) ==
        llvm::cantFail(linkSharedLibrary({object}, "test.so")));
}

TEST_CASE("libm is needed exactly where it is called") {
  auto object = compile(R"(
    @gnn_library_v1 = constant ptr @f
    define double @f(double %x) { %y = call double @tanh(double %x) ret double %y }
    declare double @tanh(double))",
                        Isa::X86_64_V2);
  std::string path = link({object});
  CHECK(readDynamic(path).needed == std::vector<std::string>{"libm.so.6"});
  void *library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  REQUIRE(library);
  auto function = *static_cast<double (**)(double)>(dlsym(library, "gnn_library_v1"));
  CHECK(function(0.0) == 0.0);
  CHECK(function(100.0) == 1.0);
  dlclose(library);
  llvm::sys::fs::remove(path);
}

TEST_CASE("a symbol that nobody defines is an error that names it") {
  auto object = compile(table, Isa::X86_64_V2);
  std::string message = llvm::toString(linkSharedLibrary({object}, "test.so").takeError());
  CHECK(message == "cannot link: nothing defines 'twice.v2'");
}

TEST_CASE("an object that is none is an error") {
  std::string message = llvm::toString(linkObject({llvm::ArrayRef("no object", 9)}).takeError());
  CHECK_THAT(message, Catch::StartsWith("cannot link: "));
}

TEST_CASE("what kernels are compiled without is left to other targets") {
  auto *without = static_cast<llvm::cl::opt<bool> *>(llvm::cl::getRegisteredOptions().lookup("disable-lsr"));
  REQUIRE(without);
  {
    KernelCodegen codegen;
    CHECK(without->getValue());
  }
  CHECK_FALSE(without->getValue());
}
